// What a later round is about: what is not good yet, and what shares points with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "surface_case.h"

static const double thickness = 0.05;

typedef struct scene {
    cloth sheet, near, far;
    cloth_world world;
} scene;

// The lowest point of a tetrahedron so deep in a sheet, of the thickness.
static void put(cloth *it, double x, double depth) {
    cloth_tetrahedron(it, thickness);
    double low = HUGE_VAL;
    for (size_t i = 0; i < it->point_count; i++) low = fmin(low, it->x[2][i]);
    for (size_t i = 0; i < it->point_count; i++) it->x[0][i] += x, it->x[2][i] += (2 - depth) * thickness - low;
    cloth_predict(NULL, it, vec3(0, 0, 0), 1);
}

static void find(cdg_contacts *c, bool is_first) {
    static const cdg_contact_def def = {0};
    cdg_contact_input input = {.def = &def, .step = 1, .time = 1};
    cdg_error error;
    assert_int_equal(cdg_contacts_find(c, &input, is_first, &error), CDG_OK);
}

// Two tetrahedra far from each other on a sheet, of which one lies deep. The first round is over.
static void start(scene *it, double near_depth, double far_depth) {
    cloth_sheet(&it->sheet, 8, 1, thickness);
    cloth_predict(NULL, &it->sheet, vec3(0, 0, 0), 1);
    put(&it->near, -2.6, near_depth);
    put(&it->far, 2.6, far_depth);
    it->world = (cloth_world){.cloths = {&it->sheet, &it->near, &it->far}, .count = 3};
    assert_int_equal(cloth_build(&it->world), CDG_OK);
    cdg_contacts *c = &it->world.contacts;
    cdg_pieces_load(&c->pieces, 1);
    c->count = 0;
    find(c, true);
    c->is_solved = true;
    c->round = 1;
    for (size_t i = 0; i < c->count; i++) c->list[i].force = vec3_scale(1e-3, c->list[i].normal);
}

static bool is_of(const cdg_contact *contact, uint32_t surface) {
    return contact->side[0].object == surface || contact->side[1].object == surface;
}

static void what_is_good_is_left_alone(void **state) {
    (void)state;
    static scene it;
    start(&it, 0.01, -1e-3);
    cdg_contacts *c = &it.world.contacts;
    size_t near = 0, far = 0;
    assert_true(cdg_contact_spots_choose(c));
    assert_true(c->spots.is_partial);
    for (size_t i = 0; i < c->count; i++) {
        bool is_near = is_of(&c->list[i], 1);
        near += is_near, far += !is_near;
        assert_int_equal(contact_spots_have(&c->spots, i), is_near);
        for (int k = 0; k < 4; k++) {
            const uint32_t *point = c->surface_near.pairs[c->list[i].pair].point;
            assert_int_equal(contact_spots_move(&c->spots, point), is_near);
        }
    }
    assert_true(near > 0 && far > 0);
    cloth_free(&it.world);
}

// Its force goes from the points on both sides, or what is solved for would lose its momentum.
static void where_a_contact_is_gone_forces_are_found_anew(void **state) {
    (void)state;
    static scene it;
    start(&it, 0.01, -1e-3);
    cdg_contacts *c = &it.world.contacts;
    cdg_contact *lost = malloc(sizeof *lost);
    size_t kept = 0;
    assert_non_null(lost);
    for (size_t i = 0; i < c->count; i++) {
        if (is_of(&c->list[i], 1))
            c->list[kept++] = c->list[i];
        else
            *lost = c->list[i];
    }
    assert_true(kept > 0 && kept < c->count);
    c->count = kept;
    free(c->before);
    c->before = lost, c->before_count = c->before_capacity = 1;
    for (int pushed = 0; pushed < 2; pushed++) {
        lost->force = vec3_scale(pushed, lost->normal);
        assert_true(cdg_contact_spots_choose(c));
        assert_true(c->spots.is_partial);
        for (int side = 0; side < 2; side++) {
            uint32_t point[3];
            cdg_surface_points(&c->pieces, &lost->side[side], point, NULL);
            assert_int_equal(c->spots.has_point[point[0]], pushed);
        }
    }
    cloth_free(&it.world);
}

// A solve of the one moves nothing at the other, and contact there is found again to the bit, with its force.
static void what_is_left_alone_keeps_its_bits(void **state) {
    (void)state;
    static scene it;
    start(&it, 0.01, -1e-3);
    cdg_contacts *c = &it.world.contacts;
    const cdg_pieces *p = &c->pieces;
    for (size_t k = 1; k < p->point_count; k++) p->force[k] = vec3(0, 0, 0);
    for (uint32_t n = p->first_node[2]; n < p->first_node[3]; n++) p->force[p->point_of[n]] = vec3(0, 0, 1e-5);
    for (size_t k = 1; k < p->point_count; k++) p->next[k] = vec3_mad(p->free[k], p->give[k], p->force[k]);
    c->round = 0;
    find(c, false);
    c->round = 1;
    for (size_t i = 0; i < c->count; i++) c->list[i].force = vec3_scale(1e-3, c->list[i].normal);
    assert_true(cdg_contacts_solve(c, true) > 0);
    assert_true(c->spots.is_partial);
    size_t kept = 0, parted = 0;
    for (size_t n = p->first_node[2]; n < p->first_node[3]; n++) {
        uint32_t k = p->point_of[n];
        assert_true(vec3_distance(p->force[k], vec3(0, 0, 1e-5)) == 0);
    }
    find(c, false);
    for (size_t i = 0; i < c->count; i++)
        for (size_t n = 0; n < c->before_count; n++) {
            if (contact_compare_sides(c->list[i].side, c->before[n].side) != 0) continue;
            bool is_same = memcmp(&c->list[i], &c->before[n], sizeof *c->list) == 0;
            assert_int_equal(is_same, is_of(&c->list[i], 2));
            kept += is_same;
            parted += !is_same && c->list[i].clearance > c->before[n].clearance + 5e-3 * thickness;
        }
    assert_true(kept > 0 && parted > 0);
    cloth_free(&it.world);
}

// Everything: where all is good, in the first round, and in late ones, which damp nearest places.
static void other_rounds_are_about_everything(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        static scene it;
        start(&it, n == 0 ? -1e-3 : 0.01, -1e-3);
        cdg_contacts *c = &it.world.contacts;
        if (n == 1) c->is_solved = false;
        if (n == 2) c->round = 8;
        if (n == 3) c->is_stuck = true;
        assert_true(cdg_contact_spots_choose(c));
        assert_false(c->spots.is_partial);
        for (size_t i = 0; i < c->count; i++) assert_true(contact_spots_have(&c->spots, i));
        c->round = 0;
        cloth_free(&it.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_good_is_left_alone), cmocka_unit_test(where_a_contact_is_gone_forces_are_found_anew),
        cmocka_unit_test(what_is_left_alone_keeps_its_bits), cmocka_unit_test(other_rounds_are_about_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
