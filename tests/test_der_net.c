// Joined der rods: cut and joined rods behave as whole ones, deformed joints return to rest, what supports at joints
// exert, momentum, hinges, the same deflection as corde, rings in nets, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "math/random.h"
#include "near.h"
#include "net_case.h"
#include "rods/der/net.h"

static cdg_rod_def der_rod(void) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    return def;
}

static void hold(net_case *net, cdg_rod_id rod, size_t node, cdg_support_kind kind, cdg_support_id *out) {
    cdg_support_def support = {.kind = kind, .place = net_node(rod, node)};
    must(net->world, cdg_world_add_support(net->world, &support, out));
}

// A clamped rod under its weight, whole, and cut in two and joined: the pair's energy is that of the cell but for its
// fourth order, the sine's against the tangent's.
static void test_a_cut_and_joined_rod_moves_as_a_whole_one(void **state) {
    (void)state;
    for (int is_damped = 0; is_damped < 2; is_damped++) {
        cdg_rod_def def = der_rod();
        if (is_damped == 1) def.material.damping_bend = def.material.damping_twist = 0.02;
        net_case whole = net_case_make(vec3(0, 1, -9.81), 2e-3), cut = net_case_make(vec3(0, 1, -9.81), 2e-3);
        cdg_rod_id all = net_case_add(&whole, &def, vec3(0, 0, 0), vec3(0.2, 0, 0), 16);
        cdg_rod_id left = net_case_add(&cut, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 8);
        cdg_rod_id right = net_case_add(&cut, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 8);
        net_join(&cut, (cdg_place[]){net_node(left, 8), net_node(right, 0)}, 2, 1);
        hold(&whole, all, 0, CDG_SUPPORT_CLAMP, NULL);
        hold(&cut, left, 0, CDG_SUPPORT_CLAMP, NULL);
        for (int i = 0; i < 60; i++) {
            net_run(&whole, 1);
            net_run(&cut, 1);
            cdg_vec3 tip = net_position(&whole, all, 16);
            assert_vec3_near(net_position(&cut, right, 8), tip, 2e-4 * 0.2);
            assert_vec3_near(net_position(&cut, left, 8), net_position(&cut, right, 0), 0);
        }
        assert_true(net_position(&whole, all, 16).z < -0.02); // it has bent
        cdg_world_destroy(whole.world);
        cdg_world_destroy(cut.world);
    }
}

// Turns the arms of a T, a Y and a star against each other, then lets it come to rest: the shape is the old one.
static void test_deformed_joints_return_to_rest(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int kind = 0; kind < 3; kind++) {
        cdg_rod_def def = der_rod();
        def.der.scheme = CDG_DER_EULER;
        def.material.damping_bend = def.material.damping_twist = 5e-3;
        def.section.radius = 4e-3;
        const double angles[3] = {1.5707963267948966, 2.6, 2.0943951023931953};
        net_case net = net_star(&def, angles[kind], 3, vec3(0, 0, 0), 5e-3);
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
        assert_true(energy > 1e-6);
        for (int i = 0; i < 100; i++) { // implicit Euler only loses
            net_run(&net, 1);
            double later = cdg_world_energy(net.world).total;
            assert_true(later <= energy * (1 + 1e-9) + 1e-15);
            energy = later;
        }
        net_run(&net, 400);
        net_all_positions(&net, now);
        assert_near(net_shape_difference(rest, now, count), 0, 1e-8 * 0.1);
        cdg_world_destroy(net.world);
    }
}

// A pinned joint carries the weight of all arms, whichever rod the pin is named for; pins at two rods share it. Clamped
// arms give the joint's moments to the supports.
static void test_reactions_are_those_of_the_whole_point(void **state) {
    (void)state;
    cdg_rod_def def = der_rod();
    def.section.radius = 5e-3;
    def.material.damping_bend = def.material.damping_twist = 0.02;
    for (int which = 0; which < 5; which++) {
        net_case net = net_star(&def, 2.0943951023931953, 3, vec3(0, 0, -9.81), 1e-2);
        cdg_support_id first, second;
        bool is_clamp = which == 4;
        hold(&net, net.rods[which % 3], is_clamp ? 1 : 0, is_clamp ? CDG_SUPPORT_CLAMP : CDG_SUPPORT_PIN, &first);
        if (which == 3) hold(&net, net.rods[2], 0, CDG_SUPPORT_PIN, &second);
        net_drag(&net, 10);
        net_run(&net, 200);
        double weight = 0;
        for (int i = 0; i < 3; i++) {
            cdg_rod_info info;
            must(net.world, cdg_rod_get_info(net.world, net.rods[i], &info));
            weight += 9.81 * info.mass;
        }
        cdg_vec3 force, more = vec3(0, 0, 0), moment;
        must(net.world, cdg_support_reaction(net.world, first, &force, &moment));
        if (which == 3) must(net.world, cdg_support_reaction(net.world, second, &more, &moment));
        assert_vec3_near(vec3_add(force, more), vec3(0, 0, weight), 1e-6 * weight);
        if (is_clamp) {
            cdg_world_destroy(net.world);
            continue;
        }
        for (int i = 0; i < 3; i++) assert_vec3_near(net_position(&net, net.rods[i], 0), vec3(0, 0, 0), 0);
        cdg_world_destroy(net.world);
    }
}

// Linear momentum to Newton's tolerance, angular to that of the time integrator.
static void test_a_free_star_keeps_its_momentum(void **state) {
    (void)state;
    cdg_random random = {4};
    double drift[2];
    for (int fine = 0; fine < 2; fine++) {
        cdg_rod_def def = der_rod();
        def.der.twist = CDG_DER_TWIST_QUASISTATIC; // sections that spin lack their gyroscopic couple
        net_case net = net_star(&def, 2, 4, vec3(0, 0, 0), fine == 1 ? 2.5e-4 : 1e-3);
        random = (cdg_random){4};
        for (int i = 0; i < 3; i++) {
            cdg_vec3 v[5], whole = vec3(0.3, -0.1, 0.2), spin = vec3(1, 2, 3), x[5];
            must(net.world, cdg_rod_positions(net.world, net.rods[i], x));
            for (int n = 0; n < 5; n++) {
                v[n] = vec3_add(vec3_add(whole, vec3_cross(spin, x[n])), random_vec3(&random, 0.02));
            }
            must(net.world, cdg_rod_set_state(net.world, net.rods[i], NULL, NULL, v, NULL));
        }
        cdg_vec3 linear, angular, later, later_angular;
        cdg_world_momentum(net.world, &linear, &angular);
        net_run(&net, fine == 1 ? 400 : 100);
        cdg_world_momentum(net.world, &later, &later_angular);
        assert_true(vec3_norm(linear) > 1e-6);
        assert_vec3_near(later, linear, 1e-8 * vec3_norm(linear));
        drift[fine] = vec3_distance(later_angular, angular) / vec3_norm(angular);
        cdg_world_destroy(net.world);
    }
    assert_true(drift[0] < 1e-4);
    assert_true(drift[1] < 0.5 * drift[0]);
}

// Stiffness 0 is a hinge: two rods in a line fold there without resistance; stiffness 1 holds them.
static void test_a_hinge_swings(void **state) {
    (void)state;
    double drop[2];
    for (int stiff = 0; stiff < 2; stiff++) {
        cdg_rod_def def = der_rod();
        def.section.radius = 5e-3;
        def.material.young_modulus = 50e6;
        net_case net = net_case_make(vec3(0, 0, -9.81), 1e-3);
        cdg_rod_id left = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
        cdg_rod_id right = net_case_add(&net, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 4);
        net_join(&net, (cdg_place[]){net_node(left, 4), net_node(right, 0)}, 2, stiff);
        hold(&net, left, 0, CDG_SUPPORT_CLAMP, NULL);
        net_run(&net, 155);
        drop[stiff] = -net_position(&net, right, 4).z;
        cdg_world_destroy(net.world);
    }
    assert_true(drop[0] > 0.09); // it swings down to about a right angle
    assert_true(drop[1] < 0.04);
}

// A moved support takes the whole point along, in a BDF2 step after the first, too; a ring that hangs from it follows.
static void test_a_moved_joint_takes_a_ring_along(void **state) {
    (void)state;
    cdg_rod_def def = der_rod();
    net_case net = net_case_make(vec3(0, 0, -9.81), 1e-3);
    cdg_rod_id bar = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4), ring;
    def.name = "ring";
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_CIRCLE};
    def.centerline.circle.radius = 0.05;
    def.centerline.circle.center = vec3(0.15, 0, 0);
    def.centerline.circle.axis = vec3(0, 0, 1);
    def.centerline.closed = true;
    def.element_count = 12;
    must(net.world, cdg_world_add_rod(net.world, &def, &ring));
    cdg_vec3 x[12];
    must(net.world, cdg_rod_positions(net.world, ring, x));
    size_t nearest = 0;
    for (size_t i = 0; i < 12; i++)
        if (vec3_distance(x[i], vec3(0.1, 0, 0)) < vec3_distance(x[nearest], vec3(0.1, 0, 0))) nearest = i;
    assert_vec3_near(x[nearest], vec3(0.1, 0, 0), 1e-12);
    net_join(&net, (cdg_place[]){net_node(bar, 4), net_node(ring, nearest)}, 2, 1);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0, 0, 0.02), .from = 0, .to = 0.05};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_PIN, .place = net_node(bar, 4), .motions = &motion, .motion_count = 1};
    must(net.world, cdg_world_add_support(net.world, &support, NULL));
    net_run(&net, 50);
    must(net.world, cdg_rod_positions(net.world, ring, x));
    assert_vec3_near(x[nearest], vec3(0.1, 0, 0.02), 1e-15);
    assert_vec3_near(net_position(&net, bar, 4), vec3(0.1, 0, 0.02), 1e-15);
    double lowest = 1;
    for (size_t i = 0; i < 12; i++) lowest = fmin(lowest, x[i].z);
    assert_true(lowest > -0.05 && lowest < 0.015); // hangs behind
    cdg_world_destroy(net.world);
}

// A clamped T under a force across its plane comes to rest where corde has it, but for the discretisation.
static void test_deflects_as_corde(void **state) {
    (void)state;
    cdg_vec3 tip[2][2];
    for (int kind = 0; kind < 2; kind++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = kind == 0 ? CDG_MODEL_DER : CDG_MODEL_CORDE;
        def.section.radius = 4e-3;
        def.material.young_modulus = 1e7;
        net_case net = net_case_make(vec3(0, 0, -9.81), kind == 0 ? 1e-2 : 1e-4);
        cdg_rod_id bar = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.2, 0, 0), 8);
        cdg_rod_id arm = net_case_add(&net, &def, vec3(0.1, 0, 0), vec3(0.1, 0.12, 0), 5);
        net_join(&net, (cdg_place[]){net_node(bar, 4), net_node(arm, 0)}, 2, 1);
        hold(&net, bar, 0, CDG_SUPPORT_CLAMP, NULL);
        net_drag(&net, 15);
        net_run(&net, kind == 0 ? 100 : 10000);
        tip[kind][0] = net_position(&net, bar, 8);
        tip[kind][1] = net_position(&net, arm, 5);
        cdg_world_destroy(net.world);
    }
    assert_true(tip[0][0].z < -0.01); // it has bent, and twisted the bar
    assert_true(tip[0][1].z < tip[0][0].z / 2);
    for (int end = 0; end < 2; end++) assert_vec3_near(tip[0][end], tip[1][end], 0.01 * fabs(tip[1][end].z));
}

static void test_refuses_what_it_cannot(void **state) {
    (void)state;
    cdg_rod_def def = der_rod();
    cdg_rod rod = {.options = &def.der};
    assert_true(der_supports_joints(&rod));
    def.der.integrator = CDG_DER_EXPLICIT;
    assert_false(der_supports_joints(&rod));
    def.der.integrator = CDG_DER_IMPLICIT;
    net_case net = net_case_make(vec3(0, 0, 0), 1e-3);
    cdg_rod_id a = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
    def.der.scheme = CDG_DER_EULER;
    cdg_rod_id b = net_case_add(&net, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 4);
    net_join(&net, (cdg_place[]){net_node(a, 4), net_node(b, 0)}, 2, 1);
    assert_int_equal(cdg_world_step(net.world, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(net.world), "same scheme"));
    cdg_world_destroy(net.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cut_and_joined_rod_moves_as_a_whole_one),
        cmocka_unit_test(test_deformed_joints_return_to_rest),
        cmocka_unit_test(test_reactions_are_those_of_the_whole_point),
        cmocka_unit_test(test_a_free_star_keeps_its_momentum),
        cmocka_unit_test(test_a_hinge_swings),
        cmocka_unit_test(test_a_moved_joint_takes_a_ring_along),
        cmocka_unit_test(test_deflects_as_corde),
        cmocka_unit_test(test_refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
