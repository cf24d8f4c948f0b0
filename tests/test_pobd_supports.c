// Supports of pobd: half-cell springs, and reactions that balance momentum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "near.h"
#include "rods/pobd/parts.h"
#include "small_world.h"

// The half cell has half the length, hence twice the stiffness of a whole one, and half the rest turn.
static void test_anchors(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.element_count = 4;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.5;
    cdg_rod *rod = NULL;
    assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
    cdg_hold holds[3] = {{.node = 0, .frame_hold = CDG_HOLD_FRAME, .frame = {1, 0, 0, 0}},
                         {.node = 2, .frame_hold = CDG_HOLD_ROLL, .frame = {1, 0, 0, 0}},
                         {.node = 4, .holds_position = true}};
    rod->holds = holds;
    rod->hold_count = 3;
    double bend[3][5];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++) bend[k][i] = 7;
    pobd_anchor anchors[6];
    assert_int_equal(pobd_set_anchors(rod, 1e-3, 1, (double *[]){bend[0], bend[1], bend[2]}, anchors), 3);
    double half = rod->rest_length[0] / 2;
    assert_int_equal(anchors[0].side, 1);
    assert_near(anchors[0].stiffness[0], 4 * rod->bend_stiffness[0][0] / half, 1e-9 * anchors[0].stiffness[0]);
    assert_near(anchors[0].rest_half.x, sin(0.5 * 0.5 * half), 1e-12);
    assert_int_equal(anchors[1].side, -1); // left half cell of the inner node, then the right one
    assert_int_equal(anchors[2].side, 1);
    assert_true(anchors[1].stiffness[0] == 0 && anchors[1].stiffness[2] > 0); // roll only
    assert_true(bend[0][2] == 7 && bend[2][2] == 0 && bend[2][1] == 7);       // its own twist spring is replaced
    rod->holds = NULL;
    cdg_rod_destroy(rod);
}

// Euler's step balances exactly: change of momentum = (reaction + weight) times step.
static void test_reactions_balance_momentum(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = 50;
    def.pobd.tolerance = 1e-15;
    def.element_count = 12;
    def.centerline.line.to = (cdg_vec3){0.4, 0, 0};
    cdg_vec3 gravity = {1, 2, -9};
    small_world small = small_world_make(&def, gravity, 1e-3, true);
    cdg_rod_info info;
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    for (int step = 0; step < 40; step++) {
        cdg_vec3 before, after, angular, force, moment;
        cdg_world_momentum(small.world, &before, &angular);
        must(small.world, cdg_world_step(small.world, NULL));
        cdg_world_momentum(small.world, &after, &angular);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        cdg_vec3 push = vec3_mad(force, info.mass, gravity);
        cdg_vec3 change = vec3_scale(1e3, vec3_sub(after, before));
        assert_true(vec3_distance(push, change) < 1e-6 * (1e-3 + vec3_norm(change)));
    }
    cdg_world_destroy(small.world);
}

// At rest the clamp carries weight and its moment about the clamp.
static void test_reactions_at_rest(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.element_count = 20;
    def.section.radius = 5e-3;
    def.centerline.line.to = (cdg_vec3){0.2, 0, 0};
    small_world small = small_world_make(&def, (cdg_vec3){0, 0, -9.81}, 5e-3, true);
    small_world_drag(&small, 20);
    small_world_run(&small, 2000);
    cdg_rod_info info;
    cdg_vec3 positions[21], force, moment, expected = {0};
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    must(small.world, cdg_rod_positions(small.world, small.rod, positions));
    must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
    assert_near(force.z, info.mass * 9.81, 1e-6 * info.mass * 9.81);
    for (int i = 0; i <= 20; i++) {
        double mass = info.mass / 20 * (i == 0 || i == 20 ? 0.5 : 1);
        cdg_vec3 weight = {0, 0, -9.81 * mass};
        expected = vec3_sub(expected, vec3_cross(vec3_sub(positions[i], positions[0]), weight));
    }
    assert_true(vec3_distance(moment, expected) < 1e-6 * vec3_norm(expected));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_reactions_balance_momentum),
        cmocka_unit_test(test_reactions_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
