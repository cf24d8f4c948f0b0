// Joined pobd rods: cut and joined rods behave as whole ones, deformed joints return to rest, what supports at joints
// exert, momentum, hinges, and that every variant of the solver's parts gives what the whole solver gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "net_case.h"
#include "rods/pobd/gauss_seidel.h"
#include "rods/pobd/net.h"

static cdg_rod_def soft_rod(int iterations) {
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = iterations;
    return def;
}

static void clamp(net_case *net, cdg_rod_id rod, size_t node, cdg_support_kind kind, cdg_support_id *out) {
    cdg_support_def support = {.kind = kind, .place = net_node(rod, node)};
    must(net->world, cdg_world_add_support(net->world, &support, out));
}

// A clamped rod under its weight, whole, and cut in two and joined.
static void test_a_cut_and_joined_rod_bends_as_a_whole_one(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod(400);
    def.material.damping_bend = def.material.damping_twist = 0.02;
    net_case whole = net_case_make(vec3(0, 0, -9.81), 2e-3), cut = net_case_make(vec3(0, 0, -9.81), 2e-3);
    cdg_rod_id all = net_case_add(&whole, &def, vec3(0, 0, 0), vec3(0.2, 0, 0), 8);
    cdg_rod_id left = net_case_add(&cut, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
    cdg_rod_id right = net_case_add(&cut, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 4);
    net_join(&cut, (cdg_place[]){net_node(left, 4), net_node(right, 0)}, 2, 1);
    clamp(&whole, all, 0, CDG_SUPPORT_CLAMP, NULL);
    clamp(&cut, left, 0, CDG_SUPPORT_CLAMP, NULL);
    for (int i = 0; i < 40; i++) {
        net_run(&whole, 1);
        net_run(&cut, 1);
        cdg_vec3 tip = net_position(&whole, all, 8);
        assert_vec3_near(net_position(&cut, right, 4), tip, 1e-3 * 0.2);
        assert_vec3_near(net_position(&cut, left, 4), net_position(&cut, right, 0), 0);
    }
    assert_true(net_position(&whole, all, 8).z < -0.02); // it has bent
    cdg_world_destroy(whole.world);
    cdg_world_destroy(cut.world);
}

// Bends the arms of a star out of their plane and along it, then lets it come to rest: the shape is the old one.
static void test_deformed_joints_return_to_rest(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int kind = 0; kind < 3; kind++) {
        cdg_rod_def def = soft_rod(60);
        def.material.damping_bend = def.material.damping_twist = 5e-3;
        def.section.radius = 4e-3;
        const double angles[3] = {2.0943951023931953, 1.5707963267948966, 2.6};
        net_case net = net_star(&def, angles[kind], 3, vec3(0, 0, 0), 2e-3);
        net_drag(&net, 12);
        cdg_vec3 rest[12], now[12];
        size_t count = net_all_positions(&net, rest);
        for (int i = 0; i < 3; i++) {
            cdg_vec3 x[4];
            cdg_quat q[3], turn = quat_exp(random_vec3(&random, 0.5));
            must(net.world, cdg_rod_positions(net.world, net.rods[i], x));
            must(net.world, cdg_rod_frames(net.world, net.rods[i], q));
            for (int n = 0; n < 4; n++) x[n] = quat_rotate(turn, x[n]);
            for (int j = 0; j < 3; j++) q[j] = quat_multiply(turn, q[j]);
            must(net.world, cdg_rod_set_state(net.world, net.rods[i], x, q, NULL, NULL));
        }
        net_all_positions(&net, now);
        assert_true(net_shape_difference(rest, now, count) > 0.002);
        double energy = cdg_world_energy(net.world).total;
        for (int i = 0; i < 1500; i++) {
            net_run(&net, 1);
            assert_true(cdg_world_energy(net.world).total < energy);
        }
        net_all_positions(&net, now);
        assert_near(net_shape_difference(rest, now, count), 0, 1e-6 * 0.1);
        cdg_world_destroy(net.world);
    }
}

// A pinned joint carries the weight of all arms, whichever rod the pin is named for; pins at two rods share it.
static void test_reactions_are_those_of_the_whole_point(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod(200);
    def.section.radius = 5e-3;
    def.material.damping_bend = def.material.damping_twist = def.material.damping_shear = 0.02;
    for (int which = 0; which < 4; which++) {
        net_case net = net_star(&def, 2.0943951023931953, 3, vec3(0, 0, -9.81), 2e-3);
        cdg_support_id first, second;
        clamp(&net, net.rods[which % 3], 0, CDG_SUPPORT_PIN, &first);
        if (which == 3) clamp(&net, net.rods[2], 0, CDG_SUPPORT_PIN, &second);
        net_drag(&net, 10);
        net_run(&net, 1000);
        double weight = 0;
        for (int i = 0; i < 3; i++) {
            cdg_rod_info info;
            must(net.world, cdg_rod_get_info(net.world, net.rods[i], &info));
            weight += 9.81 * info.mass;
        }
        cdg_vec3 force, more = vec3(0, 0, 0), moment;
        must(net.world, cdg_support_reaction(net.world, first, &force, &moment));
        if (which == 3) must(net.world, cdg_support_reaction(net.world, second, &more, &moment));
        assert_vec3_near(vec3_add(force, more), vec3(0, 0, weight), 1e-3 * weight);
        for (int i = 0; i < 3; i++) assert_vec3_near(net_position(&net, net.rods[i], 0), vec3(0, 0, 0), 0);
        cdg_world_destroy(net.world);
    }
}

// Linear momentum is kept to rounding, angular as well as BDF2 keeps it: measured with the inertia that the solver
// gives the frames, which shaken nodes set spinning.
static void test_a_free_star_keeps_its_momentum(void **state) {
    (void)state;
    cdg_random random = {4};
    cdg_rod_def def = soft_rod(100);
    net_case net = net_star(&def, 2, 4, vec3(0, 0, 0), 1e-3);
    for (int i = 0; i < 3; i++) {
        cdg_vec3 v[5];
        for (int n = 0; n < 5; n++) v[n] = random_vec3(&random, 0.2);
        must(net.world, cdg_rod_set_state(net.world, net.rods[i], NULL, NULL, v, NULL));
    }
    cdg_vec3 linear, angular, later, later_angular;
    cdg_world_momentum(net.world, &linear, &angular);
    net_run(&net, 200);
    cdg_world_momentum(net.world, &later, &later_angular);
    assert_true(vec3_norm(linear) > 1e-6);
    assert_vec3_near(later, linear, 1e-10 * vec3_norm(linear)); // rounding of 20,000 sweeps
    assert_vec3_near(later_angular, angular, 3e-3 * vec3_norm(angular));
    cdg_world_destroy(net.world);
}

// Stiffness 0 is a hinge: two rods in a line fold there without resistance; stiffness 1 holds them.
static void test_a_hinge_swings(void **state) {
    (void)state;
    double drop[2];
    for (int stiff = 0; stiff < 2; stiff++) {
        cdg_rod_def def = soft_rod(100);
        def.section.radius = 5e-3;
        def.material.young_modulus = 50e6;
        net_case net = net_case_make(vec3(0, 0, -9.81), 1e-3);
        cdg_rod_id left = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
        cdg_rod_id right = net_case_add(&net, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 4);
        net_join(&net, (cdg_place[]){net_node(left, 4), net_node(right, 0)}, 2, stiff);
        clamp(&net, left, 0, CDG_SUPPORT_CLAMP, NULL);
        net_run(&net, 155);
        drop[stiff] = -net_position(&net, right, 4).z;
        cdg_world_destroy(net.world);
    }
    assert_true(drop[0] > 0.09); // it swings down to about a right angle
    assert_true(drop[1] < 0.04);
}

// A moved support takes the whole point along.
static void test_a_moved_joint_takes_all_along(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod(20);
    net_case net = net_star(&def, 2, 4, vec3(0, 0, 0), 1e-3);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0, 0, 0.05), .from = 0, .to = 0.05};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_PIN, .place = net_node(net.rods[1], 0), .motions = &motion, .motion_count = 1};
    must(net.world, cdg_world_add_support(net.world, &support, NULL));
    net_run(&net, 50);
    for (int i = 0; i < 3; i++) assert_vec3_near(net_position(&net, net.rods[i], 0), vec3(0, 0, 0.05), 1e-15);
    cdg_world_destroy(net.world);
}

// The solver in parts, by every variant that the machine has, is the solver: to the last bit.
static void test_parts_give_what_the_whole_gives(void **state) {
    (void)state;
    enum { ELEMENTS = 21, NODES = ELEMENTS + 1, BYTES = 1 << 17 };
    cdg_random random = {7};
    double x[2][3][NODES], q[2][4][ELEMENTS], node_weight[NODES], frame_weight[ELEMENTS], length[ELEMENTS];
    double turn[4][NODES], stretch[3] = {500, 500, 800}, bend[3] = {2, 2, 1};
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < 3; k++) x[0][k][i] = (k == 0 ? 0.1 * i : 0) + random_in(&random, -0.01, 0.01);
        node_weight[i] = i == 0 ? INFINITY : 10;
        for (int k = 0; k < 4; k++) turn[k][i] = k == 0;
    }
    for (int j = 0; j < ELEMENTS; j++) {
        cdg_quat frame = quat_multiply(quat_exp(vec3(0, 1.5707963267948966, 0)), quat_exp(random_vec3(&random, 0.1)));
        q[0][0][j] = frame.w, q[0][1][j] = frame.x, q[0][2][j] = frame.y, q[0][3][j] = frame.z;
        frame_weight[j] = 0.1;
        length[j] = 0.1;
    }
    _Alignas(64) static char scratch[BYTES];
    for (pobd_gauss_seidel_variant variant = 0; variant < POBD_GAUSS_SEIDEL_COUNT; variant++) {
        if (!pobd_gauss_seidel_has(variant)) continue;
        double result[2][3][NODES];
        for (int in_parts = 0; in_parts < 2; in_parts++) {
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < NODES; i++) x[1][k][i] = x[0][k][i];
            for (int k = 0; k < 4; k++)
                for (int j = 0; j < ELEMENTS; j++) q[1][k][j] = q[0][k][j];
            pobd_problem problem = {.node_count = NODES,
                                    .element_count = ELEMENTS,
                                    .node_weight = node_weight,
                                    .rest_length = length,
                                    .iterations = 5};
            for (int k = 0; k < 3; k++) {
                problem.x[k] = x[1][k];
                problem.frame_weight[k] = frame_weight;
                problem.stretch_stiffness[k] = &stretch[k];
                problem.bend_stiffness[k] = &bend[k];
            }
            for (int k = 0; k < 4; k++) problem.q[k] = q[1][k], problem.rest_turn[k] = turn[k];
            pobd_outcome outcome = {0};
            if (in_parts == 0) {
                pobd_solve_gauss_seidel_by(variant, &problem, scratch, &outcome);
            } else {
                pobd_gauss_seidel_parts parts = pobd_gauss_seidel_parts_of(variant);
                parts.begin(&problem, scratch);
                pobd_spot node = parts.node(scratch, 5), frame = parts.frame(scratch, 5);
                for (size_t k = 0; k < 3; k++) assert_near(node.first[k * node.stride], x[0][k][5], 0);
                for (size_t k = 0; k < 4; k++)
                    assert_near(frame.first[k * frame.stride], 1.4142135623730951 * q[0][k][5], 1e-15);
                for (int i = 0; i < 5; i++) parts.iterate(scratch, i == 4);
                parts.end(scratch, &outcome);
            }
            assert_true(outcome.correction > 0);
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < NODES; i++) result[in_parts][k][i] = x[1][k][i];
        }
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < NODES; i++) assert_near(result[0][k][i], result[1][k][i], 0);
    }
}

static void test_only_gauss_seidel_with_physical_stiffness_has_joints(void **state) {
    (void)state;
    cdg_pobd_options options = soft_rod(1).pobd;
    cdg_rod rod = {.options = &options};
    assert_true(pobd_supports_joints(&rod));
    options.paper_stiffness = true;
    assert_false(pobd_supports_joints(&rod));
    options = cdg_pobd_options_default();
    assert_false(pobd_supports_joints(&rod));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cut_and_joined_rod_bends_as_a_whole_one),
        cmocka_unit_test(test_deformed_joints_return_to_rest),
        cmocka_unit_test(test_reactions_are_those_of_the_whole_point),
        cmocka_unit_test(test_a_free_star_keeps_its_momentum),
        cmocka_unit_test(test_a_hinge_swings),
        cmocka_unit_test(test_a_moved_joint_takes_all_along),
        cmocka_unit_test(test_parts_give_what_the_whole_gives),
        cmocka_unit_test(test_only_gauss_seidel_with_physical_stiffness_has_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
