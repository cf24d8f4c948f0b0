// What a galpha rod's energies are: those that its equations conserve, short waves included.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"

enum { ELEMENTS = 20 };

static cdg_rod_def make_def(void) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.model = CDG_MODEL_GALPHA;
    def.material.young_modulus = 1e6;
    def.material.density = 1100;
    def.section.radius = 5e-3;
    def.element_count = ELEMENTS;
    def.centerline.line.to = vec3(1, 0, 0);
    return def;
}

static small_world make_rod(double step) {
    cdg_rod_def def = make_def();
    return small_world_make(&def, vec3(0, 0, 0), step, false);
}

// A node that is pushed for a moment sends waves as short as elements along the rod. What they become later was theirs.
static void short_waves_have_their_energy(void **state) {
    (void)state;
    small_world small = make_rod(5e-4);
    cdg_keyframe keys[] = {{10.5e-3, 0}, {12.5e-3, 1}, {14.5e-3, 0}};
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, ELEMENTS / 2};
    load.value = vec3(0, 0, 50);
    load.keyframes = keys;
    load.keyframe_count = 3;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    small_world_run(&small, 30);
    double least = cdg_world_energy(small.world).total;
    assert_near(least, 1.08, 0.02);
    for (int s = 0; s < 100; s++) {
        small_world_run(&small, 1);
        double now = cdg_world_energy(small.world).total;
        assert_true(now < 1.005 * least);
        least = fmin(least, now);
    }
    cdg_world_destroy(small.world);
}

// Velocities that alternate from node to node have the energy of their masses, before the first step and after.
static void alternating_nodes_have_their_energy(void **state) {
    (void)state;
    small_world small = make_rod(1e-3);
    cdg_vec3 along[ELEMENTS + 1];
    for (size_t i = 0; i <= ELEMENTS; i++) along[i] = vec3(i % 2 == 0 ? 1e-3 : -1e-3, 0, 0);
    double mass = 1100 * 3.141592653589793 * 25e-6;
    for (int k = 0; k < 2; k++) {
        must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, along, NULL));
        assert_near(cdg_world_energy(small.world).kinetic, 0.5 * mass * 1e-6, 1e-15);
        small_world_run(&small, 3);
    }
    must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, NULL, NULL));
    assert_near(cdg_world_energy(small.world).kinetic, 0, 1e-30);
    cdg_world_destroy(small.world);
}

// A straight rod that is bent or twisted at rest has its energy before it moves: that of sections which ends that are
// free have turned, sheared, and no more later.
static void starts_have_their_energy(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        cdg_rod_def def = make_def();
        def.section.radius = 0.01;
        def.rest.kind = CDG_REST_CURVATURE;
        if (k < 2)
            def.rest.curvature[0] = 3;
        else
            def.rest.twist = 6;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-5, k % 2 == 1);
        double start = cdg_world_energy(small.world).total;
        if (k == 1) { // held and let go before it moves
            cdg_support_id other;
            cdg_support_def clamp = {.place = {small.rod, CDG_PLACE_NODE, ELEMENTS}};
            must(small.world, cdg_world_add_support(small.world, &clamp, &other));
            assert_true(cdg_world_energy(small.world).total > 1.005 * start); // that end is bent, too
            must(small.world, cdg_world_remove_support(small.world, other));
            assert_near(cdg_world_energy(small.world).total, start, 1e-12 * start);
        }
        for (int s = 0; s < 20; s++) {
            small_world_run(&small, 1);
            assert_true(cdg_world_energy(small.world).total <= start * (1 + 1e-9));
        }
        assert_near(cdg_world_energy(small.world).total, start, 1e-3 * start);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_waves_have_their_energy),
        cmocka_unit_test(starts_have_their_energy),
        cmocka_unit_test(alternating_nodes_have_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
