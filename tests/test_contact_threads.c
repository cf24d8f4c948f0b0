// Worlds with so much contact that threads share out all of a step: the same bits for any number of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cdg_vec3 down = {0, 0, -9.81};

// A rope of 2,500 elements in 12 turns that all but touch, falls by its own radius onto the ground.
static cdg_world *coil(int thread_count) {
    cdg_world *world = contact_world(down, 4e-4, 0.3, thread_count);
    cdg_rod_def rope = contact_rod("rope", vec3(0, 0, 0), vec3(1, 0, 0), 5e-3, 2500);
    rope.material.young_modulus = 3e5;
    rope.material.damping_stretch = rope.material.damping_shear = 1e-2;
    rope.material.damping_bend = rope.material.damping_twist = 1e-2;
    rope.centerline.kind = CDG_CENTERLINE_HELIX;
    rope.centerline.helix.base = vec3(0, 0, 7e-3);
    rope.centerline.helix.axis = vec3(0, 0, 1);
    rope.centerline.helix.radius = 0.1;
    rope.centerline.helix.pitch = 1.001e-2;
    rope.centerline.helix.turns = 12;
    contact_add(world, &rope);
    cdg_obstacle_def ground = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &ground, NULL));
    return world;
}

// Many short ropes, one on another.
static cdg_world *pile(int thread_count) {
    enum { LAYERS = 8, ROPES = 24 };
    cdg_world *world = contact_world(down, 2e-4, 0.3, thread_count);
    cdg_obstacle_def ground = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &ground, NULL));
    for (int i = 0; i < LAYERS * ROPES; i++) {
        double across = 0.021 * (i % ROPES) - 0.25, height = 5.05e-3 + 1.001e-2 * (i / ROPES);
        bool turns = i / ROPES % 2 == 1;
        cdg_vec3 from = turns ? vec3(across, -0.25, height) : vec3(-0.25, across, height);
        cdg_vec3 to = turns ? vec3(across, 0.25, height) : vec3(0.25, across, height);
        char name[20];
        snprintf(name, sizeof name, "rope_%d", i);
        cdg_rod_def rope = contact_rod(name, from, to, 5e-3, 30);
        contact_add(world, &rope);
    }
    return world;
}

static double *state_of(const cdg_world *world, size_t *size) {
    *size = cdg_world_snapshot_size(world);
    double *out = malloc(*size * sizeof *out);
    assert_non_null(out);
    assert_int_equal(cdg_world_snapshot_save(world, out), CDG_OK);
    return out;
}

// The state after some steps, as so many threads make it.
static double *run(cdg_world *(*make)(int), int steps, int thread_count, size_t near_least, size_t *size) {
    cdg_world *world = make(thread_count);
    contact_run(world, steps);
    assert_true(world->contacts.gaps.near_count >= near_least);
    assert_int_equal(world->contacts.threads, thread_count);
    double *state = state_of(world, size);
    cdg_world_destroy(world);
    return state;
}

static void check(cdg_world *(*make)(int), int steps, size_t near_least) {
    static const int others[] = {3, 2, 8};
    size_t size = 0;
    double *one = run(make, steps, 1, near_least, &size);
    for (int k = 0; k < (rounds(6) < 6 ? 1 : 3); k++) {
        double *other = run(make, steps, others[k], near_least, &size);
        assert_memory_equal(other, one, size * sizeof(double));
        free(other);
    }
    free(one);
}

static void a_coil_has_the_same_bits(void **state) {
    (void)state;
    check(coil, rounds(40), 2000);
}

static void a_pile_has_the_same_bits(void **state) {
    (void)state;
    check(pile, rounds(30), 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coil_has_the_same_bits),
        cmocka_unit_test(a_pile_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
