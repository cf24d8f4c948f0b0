// How far couples of objects have moved towards each other, and which of their pairs sleep until when.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/surface_feature.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

enum { STEPS = 60 };
static const double share = 0.1, thickness = 0.05;

typedef struct scene {
    cloth a, b;
    cloth_world world;
    cdg_surface_near near;
    cdg_pose poses[2];   // of one shape
    size_t count;        // pairs of the two surfaces
    uint32_t shape_pair; // the one with the shape
} scene;

// Every vertex of the one with every triangle of the other, and a pair with a shape.
static void start(scene *it) {
    cloth_pair_build(&it->world, &it->a, &it->b, thickness, vec3(0.3, 0.2, 1.5));
    it->poses[0] = it->poses[1] = (cdg_pose){{0, 0, 0}, {1, 0, 0, 0}};
    cdg_pieces_load(&it->world.contacts.pieces, 1);
    const cdg_pieces *p = &it->world.contacts.pieces;
    const cdg_surfaces *s = &p->surfaces;
    it->near = (cdg_surface_near){0};
    it->count = 0;
    const cdg_object_couple couples[] = {{{0, 1}}, {{0, 2}}};
    assert_true(cdg_surface_near_begin(&it->near, p, it->poses, 1));
    assert_true(cdg_surface_near_take_couples(&it->near, p, couples, 2, share));
    it->near.is_good = true;
    size_t most = s->vertex_count * s->triangle_count;
    assert_true(cdg_surface_near_take_pairs(&it->near, it->near.order[0], most));
    for (uint32_t v = s->first_vertex[0]; v < s->first_vertex[1]; v++)
        for (uint32_t t = s->first_triangle[1]; t < s->first_triangle[2]; t++) {
            cdg_kept_pair pair = {.has_points = true, .object = {0, 1}, .sum = 2 * thickness};
            pair.point[0] = s->vertices[v].point;
            for (int k = 0; k < 3; k++) pair.point[1 + k] = s->vertices[s->triangles[t].corner[k]].point;
            it->near.pairs[it->count++] = pair;
        }
    cdg_surface_near_keep(&it->near, it->near.order[0], it->count);
    assert_true(cdg_surface_near_take_pairs(&it->near, it->near.order[1], 1));
    it->shape_pair = it->near.couples[it->near.order[1]].first;
    it->near.pairs[it->shape_pair] = (cdg_kept_pair){.object = {0, 2}};
    cdg_surface_near_keep(&it->near, it->near.order[1], 1);
    assert_true(cdg_surface_near_begin(&it->near, p, it->poses, 1));
}

static void finish(scene *it) {
    cdg_surface_near_free(&it->near);
    cloth_free(&it->world);
}

// Both fall alike, and the tetrahedron goes to and fro besides.
static void move(scene *it, int step) {
    const cdg_vec3 velocity[2] = {{0.5, 0, 0}, {0.5 + 0.02 * sin(0.2 * step), 0.01, 0.04 * cos(0.1 * step)}};
    cloth_pair_move(&it->world, step, velocity);
}

static double distance_of(const scene *it, uint32_t number, const cdg_vec3 *x) {
    const cdg_kept_pair *pair = &it->near.pairs[number];
    cdg_vec3 corner[3];
    for (int k = 0; k < 3; k++) corner[k] = x[pair->point[1 + k]];
    return closest(1, &x[pair->point[0]], corner).distance;
}

static void rest_all(scene *it) {
    for (uint32_t i = 0; i < it->count; i++) cdg_surface_near_rest(&it->near, i, 100);
    cdg_surface_near_rest(&it->near, it->shape_pair, 100);
}

// A pair that sleeps is farther than near in every candidate, and in those that differ by as much as they may; most
// sleep for many steps, though both objects fall by many times their distance.
static void what_sleeps_is_far(void **state) {
    (void)state;
    static scene it;
    const double near = 2 * thickness;
    size_t slept = 0, woken = 0, all = 0;
    start(&it);
    const cdg_pieces *p = &it.world.contacts.pieces;
    for (int step = 0; step < STEPS; step++) {
        move(&it, step);
        assert_true(cdg_surface_near_begin(&it.near, p, it.poses, 1));
        cdg_surface_near_move(&it.near, p);
        cdg_surface_near_approach(&it.near, p, it.poses);
        cdg_surface_near_wake(&it.near);
        for (size_t i = 0; i < it.near.watched_count; i++) {
            uint32_t number = it.near.watched[i];
            assert_true(i == 0 || number > it.near.watched[i - 1]);
            if (it.near.pairs[number].has_points)
                cdg_surface_near_rest(&it.near, number, distance_of(&it, number, p->start) - near);
        }
        woken += it.near.watched_count;
        for (uint32_t i = 0; i < it.count; i++, all++) {
            if (!surface_near_is_far(&it.near, i)) continue;
            slept++;
            assert_true(distance_of(&it, i, p->next) > near + 2 * share * thickness - 1e-12);
        }
        cloth_pair_commit(&it.world);
    }
    assert_true(slept > all / 2 && woken < all / 2);
    finish(&it);
}

// What has been listed in a step is watched in all rounds of it, wherever it is.
static void what_was_listed_is_awake(void **state) {
    (void)state;
    static scene it;
    start(&it);
    const cdg_pieces *p = &it.world.contacts.pieces;
    cdg_surface_near_move(&it.near, p);
    cdg_surface_near_approach(&it.near, p, it.poses);
    cdg_surface_near_wake(&it.near);
    assert_int_equal(it.near.watched_count, it.count + 1); // nothing was measured
    rest_all(&it);
    it.near.pairs[7].was_listed = it.near.pairs[7].has_start = it.near.pairs[3].has_start = true;
    cdg_surface_near_wake(&it.near);
    assert_int_equal(it.near.watched_count, 1);
    assert_int_equal(it.near.watched[0], 7);
    // What falls asleep forgets what it knows of the step, which may be over when it is woken.
    assert_true(it.near.pairs[7].has_start && !it.near.pairs[3].has_start);
    it.near.pairs[7].was_listed = false;
    cdg_surface_near_wake(&it.near);
    assert_int_equal(it.near.watched_count, 0);
    finish(&it);
}

// A shape that moves, in a step or between two, is near whatever has a pair with it.
static void shapes_that_move_wake_their_pairs(void **state) {
    (void)state;
    static scene it;
    start(&it);
    const cdg_pieces *p = &it.world.contacts.pieces;
    uint32_t last = it.shape_pair;
    rest_all(&it);
    cdg_surface_near_move(&it.near, p);
    cdg_surface_near_approach(&it.near, p, it.poses);
    assert_true(surface_near_is_far(&it.near, last));
    it.poses[1].position.x = 1e-3;
    cdg_surface_near_move(&it.near, p);
    cdg_surface_near_approach(&it.near, p, it.poses);
    assert_false(surface_near_is_far(&it.near, last));
    assert_true(surface_near_is_far(&it.near, 0));
    it.poses[0] = it.poses[1];
    assert_true(cdg_surface_near_begin(&it.near, p, it.poses, 1));
    cdg_surface_near_move(&it.near, p);
    cdg_surface_near_approach(&it.near, p, it.poses);
    assert_false(surface_near_is_far(&it.near, last));
    cdg_surface_near_rest(&it.near, last, 100);
    assert_true(cdg_surface_near_begin(&it.near, p, it.poses, 1));
    assert_true(surface_near_is_far(&it.near, last));
    finish(&it);
}

// No more than what the points have gone is taken off.
static void motions_bound_what_pairs_lose(void **state) {
    (void)state;
    static scene it;
    start(&it);
    const cdg_pieces *p = &it.world.contacts.pieces;
    double gone = 0;
    for (int step = 0; step < 5; step++) {
        move(&it, step);
        assert_true(cdg_surface_near_begin(&it.near, p, it.poses, 1));
        cdg_surface_near_move(&it.near, p);
        cdg_surface_near_approach(&it.near, p, it.poses);
        double most = 0;
        for (uint32_t n = p->first_node[0]; n < p->first_node[1]; n++)
            for (uint32_t m = p->first_node[1]; m < p->first_node[2]; m++) {
                uint32_t i = p->point_of[n], k = p->point_of[m];
                cdg_vec3 one = vec3_sub(p->next[i], p->start[i]), other = vec3_sub(p->next[k], p->start[k]);
                most = fmax(most, vec3_distance(one, other));
            }
        const cdg_near_couple *couple = &it.near.couples[0];
        assert_true(couple->now >= most && couple->now <= 2 * most);
        assert_true(fabs(couple->gone - gone) <= 1e-12);
        gone += couple->now;
        cloth_pair_commit(&it.world);
    }
    finish(&it);
}

// Couples that stay keep their pairs, wherever those lie; others begin without, and what is gone gives up its room.
static void couples_keep_their_pairs(void **state) {
    (void)state;
    static scene it;
    start(&it);
    const cdg_pieces *p = &it.world.contacts.pieces;
    const cdg_object_couple more[] = {{{0, 0}}, {{0, 1}}, {{0, 2}}, {{1, 1}}}, fewer[] = {{{0, 0}}, {{0, 2}}};
    assert_true(cdg_surface_near_take_couples(&it.near, p, more, 4, share));
    for (int k = 0; k < 4; k++) {
        const cdg_near_couple *couple = &it.near.couples[it.near.order[k]];
        assert_int_equal(couple->object[0], more[k].object[0]);
        assert_int_equal(couple->object[1], more[k].object[1]);
        assert_int_equal(couple->end - couple->first, k == 1 ? it.count : k == 2 ? 1 : 0);
        assert_true(couple->is_found == (k == 1 || k == 2));
    }
    for (int times = 0; times < 60; times++) { // pairs of the first are found again and again
        uint32_t first = it.near.order[0];
        assert_true(cdg_surface_near_take_pairs(&it.near, first, 200));
        for (int i = 0; i < 200; i++)
            it.near.pairs[it.near.couples[first].first + (uint32_t)i] = (cdg_kept_pair){.sum = i + 0.5};
        cdg_surface_near_keep(&it.near, first, 200);
        if (times == 30) assert_true(cdg_surface_near_take_couples(&it.near, p, fewer, 2, share));
        cdg_surface_near_tidy(&it.near);
        assert_true(it.near.count < 16000);
    }
    const cdg_near_couple *first = &it.near.couples[it.near.order[0]], *shape = &it.near.couples[it.near.order[1]];
    for (uint32_t i = 0; i < 200; i++) assert_near(it.near.pairs[first->first + i].sum, i + 0.5, 0);
    assert_int_equal(shape->end - shape->first, 1);
    assert_int_equal(it.near.pairs[shape->first].object[1], 2);
    assert_int_equal(it.near.order_count, 2);
    assert_true(it.near.couple_count <= 4);
    cdg_surface_near_wake(&it.near);
    assert_int_equal(it.near.watched_count, 201);
    for (size_t i = 0; i < 201; i++) assert_int_equal(it.near.watched[i], i < 200 ? first->first + i : shape->first);
    finish(&it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sleeps_is_far),
        cmocka_unit_test(what_was_listed_is_awake),
        cmocka_unit_test(shapes_that_move_wake_their_pairs),
        cmocka_unit_test(motions_bound_what_pairs_lose),
        cmocka_unit_test(couples_keep_their_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
