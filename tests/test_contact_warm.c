// Explicit surfaces start with the forces of the last step, unless these were blows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "surface_case.h"

static const double thickness = 0.05;

// A tetrahedron's face on a sheet; the contacts that are found are kept, and one of them has a force that moves a point
// that it acts on alone by `share` of the thickness.
static void start(cloth_world *world, cloth *sheet, cloth *other, double share) {
    cdg_contact_def def = {0};
    cdg_contact_input input = {.def = &def, .step = 1, .time = 1};
    cdg_error error;
    cloth_sheet(sheet, 3, 1, thickness);
    cloth_tetrahedron(other, thickness);
    double low = HUGE_VAL;
    for (size_t i = 0; i < other->point_count; i++) low = fmin(low, other->x[2][i]);
    for (size_t i = 0; i < other->point_count; i++) other->x[2][i] += 2 * thickness - 5e-4 - low;
    cloth_predict(NULL, sheet, vec3(0, 0, 0), 1);
    cloth_predict(NULL, other, vec3(0, 0, 0), 1);
    *world = (cloth_world){.cloths = {sheet, other}, .count = 2};
    assert_int_equal(cloth_build(world), CDG_OK);
    cdg_contacts *c = &world->contacts;
    cdg_pieces_load(&c->pieces, 1);
    assert_int_equal(cdg_contacts_find(c, &input, true, &error), CDG_OK);
    assert_true(c->count > 0);
    c->list[0].force = vec3_scale(share * thickness / c->pieces.give[1], c->list[0].normal);
    cdg_contacts_keep(c);
    assert_int_equal(c->kept_count, 1);
}

static void resting_forces_move_the_candidate(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    start(&world, &sheet, &other, 0.05);
    cdg_contacts_warm(&world.contacts);
    const cdg_pieces *p = &world.contacts.pieces;
    cdg_vec3 sum = {0, 0, 0};
    size_t moved = 0;
    for (size_t k = 1; k < p->first_body_point; k++) {
        cdg_vec3 expected = vec3_mad(p->free[k], p->give[k], p->force[k]);
        assert_true(vec3_distance(p->next[k], expected) < 1e-15);
        moved += vec3_distance(p->next[k], p->free[k]) > 0;
        sum = vec3_add(sum, p->force[k]);
    }
    assert_true(moved >= 2); // both sides
    assert_true(vec3_norm(sum) < 1e-12 * vec3_norm(world.contacts.kept[0].force));
    cloth_free(&world);
}

static void blows_do_not(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    start(&world, &sheet, &other, 5);
    cdg_contacts_warm(&world.contacts);
    const cdg_pieces *p = &world.contacts.pieces;
    for (size_t k = 1; k < p->first_body_point; k++) {
        assert_true(vec3_norm(p->force[k]) == 0);
        assert_true(vec3_distance(p->next[k], p->free[k]) == 0);
    }
    cloth_free(&world);
}

// What is struck does not keep what rests elsewhere from its forces, but what it shares a point with.
static void blows_leave_other_forces(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    start(&world, &sheet, &other, 0.05);
    cdg_contacts *c = &world.contacts;
    const cdg_pieces *p = &c->pieces;
    cdg_contact resting = c->kept[0];
    uint32_t point[3], apart = 0, shared;
    cdg_surface_points(p, &resting.side[0], point, NULL);
    shared = point[0];
    // A vertex of the sheet that the kept contact does not touch is struck by a vertex of the other, and then one that
    // it does.
    const cdg_surfaces *s = &p->surfaces;
    for (int kind = 0; kind < 2; kind++) {
        uint32_t struck = UINT32_MAX;
        for (uint32_t v = 0; v < s->vertex_count; v++) {
            uint32_t k = s->vertices[v].point, all[6];
            cdg_surface_points(p, &resting.side[0], all, NULL);
            cdg_surface_points(p, &resting.side[1], all + 3, NULL);
            bool is_of_it = false;
            for (int n = 0; n < 6; n++) is_of_it = is_of_it || all[n] == k;
            if (kind == 0 ? !is_of_it : k == shared) struck = v;
        }
        assert_true(struck != UINT32_MAX);
        uint32_t object = s->vertices[struck].surface;
        cdg_contact blow = {
            .side = {{CDG_SIDE_VERTEX, object, struck - s->first_vertex[object], 0}, {CDG_SIDE_OBSTACLE, 0, 0, 0}},
            .point = {{1, 0, 0}},
            .force = {0, 0, 5 * thickness / p->give[1]}};
        c->kept[0] = resting, c->kept[1] = blow, c->kept_count = 2;
        cdg_pieces_load(&c->pieces, 1);
        cdg_contacts_warm(c);
        assert_true(vec3_norm(p->force[shared]) > 0 ? kind == 0 : kind == 1);
        apart = s->vertices[struck].point;
        assert_true(vec3_norm(p->force[apart]) == 0);
    }
    cloth_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(resting_forces_move_the_candidate),
                                       cmocka_unit_test(blows_do_not), cmocka_unit_test(blows_leave_other_forces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
