// Counting turns: whatever the signs of quaternions, the twist is the one nearest to the rate given, and equals the
// angle put in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "small_world.h"
#include "world/world.h"

static void test_turns_are_counted(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int round = 0; round < 50; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        double rate = random_in(&random, -40, 40); // up to six turns a node
        der_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            double bend = random_in(&random, 0.1, 1),
                   twist = rate * rod_cell_length(rod, i) + random_in(&random, -1, 1);
            size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
            if (left == SIZE_MAX || right == SIZE_MAX || right < left) continue; // the seam of a ring is what it is
            cdg_quat half = quat_exp(vec3(0, 0, twist / 2));
            cdg_quat turn = quat_multiply(quat_multiply(half, quat_exp(vec3(bend, 0, 0))), half);
            if (random_unit(&random) < 0.5) turn = quat_negate(turn);
            rod_set_quat(rod->rest_turn, i, turn);
            rod_set_quat(rod->q, right, quat_multiply(rod_quat(rod->q, left), turn));
            cdg_rod_set_turns(rod, rate, rate);
            assert_near(rod->twist[i], twist, 1e-12);
            assert_near(rod->rest_curl[2][i], twist, 1e-12);
            assert_near(rod->rest_curl[0][i], 2 * tan(bend / 2), 1e-12); // in the frame halfway, at any twist
            assert_near(rod->rest_curl[1][i], 0, 1e-12);
            rod->twist[i] = 1e9;
            cdg_rod_recount_turns(rod);
            assert_near(rod->twist[i], twist, 1e-12);
        }
        case_free(&c);
    }
}

// Curvature has no limit where a rod turns back on itself: refused with the place, in the shape at the start and in
// that at rest, whichever way the fold lies.
static void test_folds_are_refused(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 40; round++) {
        cdg_vec3 along = vec3_normalize(random_vec3(&random, 1)), across = vec3_normalize(random_vec3(&random, 1));
        bool is_rest = round % 2, is_nearly = round % 4 > 1; // nearly: by two degrees
        cdg_vec3 back = is_nearly ? vec3_sub(vec3_scale(0.035, across), along) : vec3_scale(-1, along);
        cdg_vec3 points[4] = {vec3(0, 0, 0), along, vec3_scale(2, along), along};
        points[3] = vec3_add(points[2], vec3_normalize(back));
        cdg_centerline folded = {.kind = CDG_CENTERLINE_POLYLINE, .points = {.points = points, .count = 4}};
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.element_count = 3;
        if (is_rest) {
            def.centerline.line.to = vec3(3, 0, 0);
            def.rest.kind = CDG_REST_CENTERLINE;
            def.rest.centerline = folded;
        } else {
            def.centerline = folded;
        }
        cdg_rod *rod = NULL;
        cdg_error error = {0};
        if (is_nearly) {
            if (fabs(vec3_dot(along, across)) > 0.5) continue;
            assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
            cdg_rod_destroy(rod);
            continue;
        }
        assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, is_rest ? "shape at rest turns back" : "centerline turns back"));
        assert_non_null(strstr(error.message, "node 2"));
    }
}

// Frames of a rod whose cell `node` is turned by `turn` against rest, the rest of it being at rest, whatever the signs.
static void set_frames(cdg_rod *rod, double *const q[4], size_t node, cdg_quat turn, cdg_random *signs) {
    cdg_quat frame = quat_normalize(quat(0.3, -0.5, 0.6, 0.2));
    for (size_t j = 0; j < rod->element_count; j++) {
        if (j > 0) frame = quat_multiply(frame, rod_rest_turn(rod, j));
        if (j == node) frame = quat_multiply(frame, turn);
        bool is_negated = random_unit(signs) < 0.5;
        rod_set_quat(q, j, is_negated ? quat_negate(frame) : frame);
    }
}

// A cell that passes half a turn of twist has lost it, in either direction, at any rest shape; one that stays below has
// not, nor has one that folds.
static void test_lost_turns_are_noticed(void **state) {
    (void)state;
    cdg_random random = {17};
    for (int round = 0; round < 200; round++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = round % 2 ? CDG_MODEL_POBD : CDG_MODEL_CORDE;
        def.element_count = 9;
        if (round % 3 == 0) def.rest.kind = CDG_REST_CURVATURE, def.rest.curvature[0] = 2, def.rest.twist = 3;
        cdg_rod *rod = NULL;
        cdg_error error = {0};
        assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
        size_t node = 1 + (size_t)(random_unit(&random) * 7.99);
        double sign = round % 4 < 2 ? 1 : -1, from = random_in(&random, 1.6, 3.1), way = random_in(&random, 0.05, 1.5);
        cdg_vec3 axis = round % 5 == 4 ? vec3(0.8, 0.6, 0) : vec3(0.2, -0.1, 0.97);
        int signs = round; // the same for state and candidate: frames are continuous in time
        set_frames(rod, rod->q, node, quat_exp(vec3_scale(sign * from, vec3_normalize(axis))),
                   &(cdg_random){(uint64_t)signs});
        set_frames(rod, rod->q_next, node, quat_exp(vec3_scale(sign * (from + way), vec3_normalize(axis))),
                   &(cdg_random){(uint64_t)signs});
        bool is_lost = from + way > 3.14159265358979 && round % 5 != 4;
        assert_int_equal(cdg_rod_lost_turn(rod), is_lost ? node : SIZE_MAX);
        cdg_rod_destroy(rod);
    }
}

// A rod held at its ends and turned by a clamp in its middle, by so much that the half cells beside it have more than
// half a turn each, to either side: their sum is none, and yet each is counted. Every torque is G J angle/length.
static void test_halves_beside_a_clamp_count_their_turns(void **state) {
    (void)state;
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.twist = CDG_DER_TWIST_QUASISTATIC;
        def.element_count = 20;
        if (is_closed) def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.circle.radius = 100;
        if (is_closed) def.centerline.circle.axis = vec3(0, 0, 1);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-5, false);
        const cdg_rod *rod = cdg_world_get_rod(small.world, small.rod);
        const size_t nodes[3] = {0, 10, 20};
        double turns = 12, length = rod->length / 2, stiffness = rod->bend_stiffness[2][0];
        cdg_support_id ids[3];
        for (int k = 0; k < (is_closed ? 2 : 3); k++) {
            cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = quat_d3(rod_quat(rod->q, 10)), .to = 60e-5};
            motion.has_center = true, motion.center = rod_vec3(rod->x, 10), motion.angle = 6.283185307179586 * turns;
            cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, nodes[k]}};
            if (k == 1) clamp.motions = &motion, clamp.motion_count = 1;
            must(small.world, cdg_world_add_support(small.world, &clamp, &ids[k]));
        }
        small_world_run(&small, 60);
        cdg_vec3 force, moment;
        must(small.world, cdg_support_reaction(small.world, ids[1], &force, &moment));
        double torque = 2 * stiffness * 6.283185307179586 * turns / length; // to both sides
        assert_near(vec3_norm(moment), torque, 1e-3 * torque);
        cdg_energy energy = cdg_world_energy(small.world);
        assert_near(energy.twist, torque * 6.283185307179586 * turns / 2, 2e-3 * energy.twist);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_are_counted), cmocka_unit_test(test_folds_are_refused),
        cmocka_unit_test(test_lost_turns_are_noticed), cmocka_unit_test(test_halves_beside_a_clamp_count_their_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
