// A new search for pairs finds the same ones in the same order for any number of threads, and all that are near.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/surface_renew.h"
#include "contact/surface_watch.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

enum { CLOTHS = 4 };
static const double thickness = 0.05;

typedef struct scene {
    cloth cloths[CLOTHS];
    cloth_world world;
} scene;

// Tetrahedra and a sheet that lie close together, but not in each other.
static void start(scene *it, int threads) {
    cdg_random random = {23};
    cloth_sheet(&it->cloths[0], 4, 0.7, thickness);
    for (int i = 1; i < CLOTHS; i++) {
        cloth_tetrahedron(&it->cloths[i], thickness);
        cloth_place(&it->cloths[i], random_rotation(&random), vec3(1.1 * (i - 2), 0.1 * i, 0.6), vec3(0, 0, 0));
    }
    it->world = (cloth_world){.count = CLOTHS};
    for (int i = 0; i < CLOTHS; i++) it->world.cloths[i] = &it->cloths[i];
    assert_int_equal(cloth_build(&it->world), CDG_OK);
    for (int i = 0; i < CLOTHS; i++) cloth_predict(NULL, it->world.cloths[i], vec3(0, 0, 0), 1);
    cdg_pieces_load(&it->world.contacts.pieces, 1);
    it->world.contacts.threads = it->world.contacts.thread_count = threads;
}

static void watch(scene *it) {
    cdg_contact_def def = {0};
    cdg_contact_input input = {.def = &def, .step = 1, .time = 1};
    cdg_error error;
    bool is_again;
    assert_int_equal(cdg_surface_watch(&it->world.contacts, &input, true, &is_again, &error), CDG_OK);
}

static void threads_find_the_same_pairs(void **state) {
    (void)state;
    static scene one, two;
    start(&one, 1);
    start(&two, 2);
    watch(&one);
    watch(&two);
    const cdg_surface_near *a = &one.world.contacts.surface_near, *b = &two.world.contacts.surface_near;
    size_t pairs = 0;
    assert_int_equal(a->order_count, b->order_count);
    assert_true(a->order_count >= CLOTHS); // worth more than one part
    for (size_t i = 0; i < a->order_count; i++) {
        const cdg_near_couple *x = &a->couples[a->order[i]], *y = &b->couples[b->order[i]];
        assert_int_equal(x->first, y->first);
        assert_int_equal(x->end, y->end);
        assert_true(x->is_found && y->is_found && x->range > 0 && x->range == y->range);
        size_t count = x->end - x->first;
        pairs += count;
        assert_memory_equal(a->named + x->first, b->named + y->first, count * sizeof *a->named);
        for (uint32_t k = x->first; k < x->end; k++) {
            assert_int_equal(a->pairs[k].couple, b->pairs[k].couple);
            assert_int_equal(a->pairs[k].couple, a->order[i]);
            assert_true(a->pairs[k].sum == 2 * thickness && b->pairs[k].sum == 2 * thickness);
            assert_memory_equal(a->pairs[k].point, b->pairs[k].point, sizeof a->pairs[k].point);
        }
    }
    assert_true(pairs > 100);
    cloth_free(&one.world);
    cloth_free(&two.world);
}

// Of two surfaces, all vertices and triangles nearer than the range, and none that is farther.
static void pairs_are_those_within_range(void **state) {
    (void)state;
    static scene it;
    start(&it, 1);
    watch(&it);
    const cdg_contacts *c = &it.world.contacts;
    const cdg_surfaces *s = &c->pieces.surfaces;
    size_t within = 0, beyond = 0;
    for (size_t i = 0; i < c->surface_near.order_count; i++) {
        const cdg_near_couple *couple = &c->surface_near.couples[c->surface_near.order[i]];
        if (couple->object[0] == couple->object[1]) continue;
        double most = 2 * (1 + surface_listed_share) * thickness + couple->range;
        for (uint32_t v = s->first_vertex[couple->object[0]]; v < s->first_vertex[couple->object[0] + 1]; v++)
            for (uint32_t t = s->first_triangle[couple->object[1]]; t < s->first_triangle[couple->object[1] + 1]; t++) {
                cdg_vec3 x[3], at = c->pieces.start[s->vertices[v].point];
                for (int k = 0; k < 3; k++) x[k] = c->pieces.start[s->vertices[s->triangles[t].corner[k]].point];
                double distance = closest(1, &at, x).distance;
                size_t count = 0;
                for (uint32_t k = couple->first; k < couple->end; k++) {
                    const cdg_surface_pair *pair = &c->surface_near.named[k];
                    count += pair->kind[0] == CDG_SIDE_VERTEX && pair->number[0] == v && pair->number[1] == t;
                }
                assert_int_equal(count, distance <= most);
                within += count, beyond += 1 - count;
            }
    }
    assert_true(within > 20 && beyond > 20);
    cloth_free(&it.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_find_the_same_pairs),
                                       cmocka_unit_test(pairs_are_those_within_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
