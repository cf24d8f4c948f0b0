// Strains, energies and momentum: rigid motions, signs of quaternions, closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hand_rod.h"
#include "near.h"
#include "rods/rod_model.h"

static void test_energy_does_not_see_rigid_motion(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int closed = 0; closed < 2; closed++) {
        cdg_rod *rod = hand_rod(&random, 9, closed);
        cdg_energy before, after;
        cdg_rod_measure_energy(rod, vec3(0, 0, 0), &before);
        hand_rod_transform(rod, random_rotation(&random), random_vec3(&random, 5));
        cdg_rod_measure_energy(rod, vec3(0, 0, 0), &after);
#define CHECK_MEMBER(name, text) assert_near(before.name, after.name, 1e-11 * before.total);
        CDG_ENERGY_LIST(CHECK_MEMBER)
#undef CHECK_MEMBER
        hand_rod_free(rod);
    }
}

static void test_sign_of_a_quaternion_does_not_matter(void **state) {
    (void)state;
    cdg_random random = {8};
    cdg_rod *rod = hand_rod(&random, 12, true);
    for (size_t i = 0; i < rod->node_count; i++) rod_set_quat(rod->rest_turn, i, random_rotation(&random));
    cdg_energy before, after;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &before);
    for (size_t j = 0; j < rod->element_count; j++)
        if (random_unit(&random) < 0.5) rod_set_quat(rod->q, j, quat_negate(rod_quat(rod->q, j)));
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &after);
    assert_near(before.total, after.total, 1e-12 * before.total);
    hand_rod_free(rod);
}

// The section force is the derivative of the stretching energy by a node's position.
static void test_force_is_the_gradient_of_energy(void **state) {
    (void)state;
    cdg_random random = {9};
    cdg_rod *rod = hand_rod(&random, 5, false);
    cdg_vec3 gradient = vec3_sub(quat_rotate(rod_quat(rod->q, 1), cdg_rod_section_force(rod, 1)),
                                 quat_rotate(rod_quat(rod->q, 2), cdg_rod_section_force(rod, 2)));
    double components[3] = {gradient.x, gradient.y, gradient.z}, h = 1e-6;
    for (int k = 0; k < 3; k++) {
        double at = rod->x[k][2];
        cdg_energy plus, minus;
        rod->x[k][2] = at + h;
        cdg_rod_measure_energy(rod, vec3(0, 0, 0), &plus);
        rod->x[k][2] = at - h;
        cdg_rod_measure_energy(rod, vec3(0, 0, 0), &minus);
        rod->x[k][2] = at;
        double slope = (plus.stretch + plus.shear - minus.stretch - minus.shear) / (2 * h);
        assert_near(slope, components[k], 1e-6 * (1 + fabs(slope)));
    }
    hand_rod_free(rod);
}

static void test_gravity_and_kinetic_energy(void **state) {
    (void)state;
    cdg_random random = {10};
    cdg_rod *rod = hand_rod(&random, 6, false);
    cdg_energy low, high;
    cdg_rod_measure_energy(rod, vec3(0, 0, -10), &low);
    hand_rod_transform(rod, quat_identity(), vec3(4, 5, 2));
    cdg_rod_measure_energy(rod, vec3(0, 0, -10), &high);
    assert_near(high.gravity - low.gravity, rod->mass * 20, 1e-10);
    assert_near(high.kinetic, low.kinetic, 1e-12);
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, vec3(0, 3, 0));
    for (size_t j = 0; j < rod->element_count; j++) rod_set_vec3(rod->w, j, vec3(0, 0, 0));
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &high);
    assert_near(high.kinetic, 4.5 * rod->mass, 1e-12);
    hand_rod_free(rod);
}

// A held frame at an end gives that end's half cell a moment; without it the end is free.
static void test_held_frame_has_a_moment(void **state) {
    (void)state;
    cdg_random random = {11};
    cdg_rod *rod = hand_rod(&random, 4, false);
    assert_vec3_near(cdg_rod_section_moment(rod, 0), vec3(0, 0, 0), 0);
    double angle = 0.01;
    cdg_quat q = rod_quat(rod->q, 0);
    rod->holds[0] = (cdg_hold){.node = 0,
                               .frame_hold = CDG_HOLD_FRAME,
                               .frame = quat_multiply(q, quat_from_axis_angle(vec3(0, 1, 0), -angle))};
    rod->hold_count = 1;
    cdg_vec3 moment = cdg_rod_section_moment(rod, 0);
    double expected = rod->bend_stiffness[1][0] * angle / (rod->rest_length[0] / 2);
    assert_vec3_near(moment, vec3(0, expected, 0), 1e-4 * expected);
    // roll alone: bending is not held
    rod->holds[0].frame_hold = CDG_HOLD_ROLL;
    assert_vec3_near(cdg_rod_section_moment(rod, 0), vec3(0, 0, 0), 1e-12);
    hand_rod_free(rod);
}

static void test_largest_turn(void **state) {
    (void)state;
    cdg_random random = {13};
    for (int closed = 0; closed < 2; closed++) {
        cdg_rod *rod = hand_rod(&random, 6, closed);
        for (size_t j = 0; j < 6; j++) rod_set_quat(rod->q, j, quat_identity());
        assert_near(cdg_rod_largest_turn(rod), 0, 1e-12);
        rod_set_quat(rod->q, 3, quat_negate(quat_from_axis_angle(vec3(1, 2, 3), 0.7)));
        assert_near(cdg_rod_largest_turn(rod), 0.7, 1e-12);
        rod_set_quat(rod->rest_turn, 3, quat_from_axis_angle(vec3(1, 2, 3), 0.7)); // at rest on its left side
        assert_near(cdg_rod_largest_turn(rod), 0.7, 1e-12);
        rod_set_quat(rod->rest_turn, 4, quat_from_axis_angle(vec3(1, 2, 3), -0.7)); // and on its right side
        assert_near(cdg_rod_largest_turn(rod), 0, 1e-12);
        hand_rod_free(rod);
    }
}

// Against the derivative of the energy, which is what the moment is: sines give way, tangents stiffen.
static void test_moment_error(void **state) {
    (void)state;
    for (double turn = 0.1; turn < 2; turn += 0.3)
        for (double rest = -0.4; rest <= 0.4; rest += 0.4) {
            double h = 1e-6, sine[2], tangent[2];
            for (int side = 0; side < 2; side++) {
                double t = turn + (side == 0 ? -h : h);
                sine[side] = 2 * pow(sin(t / 2) - sin(rest / 2), 2);
                tangent[side] = 2 * pow(tan(t / 2) - tan(rest / 2), 2);
            }
            double exact = turn - rest;
            if (fabs(exact) < 0.05) continue;
            assert_near(cdg_sine_moment_error(turn, rest), fabs((sine[1] - sine[0]) / (2 * h) / exact - 1), 1e-6);
            assert_near(cdg_tangent_moment_error(turn, rest), fabs((tangent[1] - tangent[0]) / (2 * h) / exact - 1),
                        1e-6);
        }
    assert_near(cdg_sine_moment_error(0.4, 0), 0.0264, 1e-4);
}

static void test_turn_error(void **state) {
    (void)state;
    cdg_random random = {14};
    cdg_rod *rod = hand_rod(&random, 6, false);
    for (size_t j = 0; j < 6; j++) rod_set_quat(rod->q, j, quat_identity());
    for (size_t i = 0; i < 7; i++) rod_set_quat(rod->rest_turn, i, quat_identity());
    assert_near(cdg_rod_turn_error(rod).error, 0, 0);
    rod_set_quat(rod->q, 5, quat_negate(quat_from_axis_angle(vec3(1, 2, 3), 0.7)));
    cdg_turn_error found = cdg_rod_turn_error(rod);
    assert_near(found.error, 1 - sin(0.7) / 0.7, 1e-12);
    assert_near(found.turn, 0.7, 1e-12);
    assert_int_equal(found.node, 5);
    rod->measure = CDG_POBD_TANGENT;
    assert_near(cdg_rod_turn_error(rod).error, cdg_tangent_moment_error(0.7, 0), 1e-12);
    rod->measures_angle = true;
    assert_near(cdg_rod_turn_error(rod).error, 0, 0);
    rod_set_quat(rod->q, 5, quat_from_axis_angle(vec3(0, 0, 1), 2.9)); // nearly half a turn: the next may be lost
    assert_true(cdg_rod_turn_error(rod).error >= 1);
    rod_set_quat(rod->rest_turn, 5, quat_from_axis_angle(vec3(0, 0, 1), 2.9));
    assert_near(cdg_rod_turn_error(rod).error, 0, 0);
    hand_rod_free(rod);
}

static void test_momentum_turns_with_the_rod(void **state) {
    (void)state;
    cdg_random random = {12};
    cdg_rod *rod = hand_rod(&random, 8, true);
    cdg_vec3 linear = {0}, angular = {0}, linear2 = {0}, angular2 = {0};
    cdg_rod_measure_momentum(rod, &linear, &angular);
    cdg_quat turn = random_rotation(&random);
    hand_rod_transform(rod, turn, vec3(0, 0, 0));
    cdg_rod_measure_momentum(rod, &linear2, &angular2);
    assert_vec3_near(linear2, quat_rotate(turn, linear), 1e-11);
    assert_vec3_near(angular2, quat_rotate(turn, angular), 1e-11);
    hand_rod_free(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_does_not_see_rigid_motion),
        cmocka_unit_test(test_sign_of_a_quaternion_does_not_matter),
        cmocka_unit_test(test_force_is_the_gradient_of_energy),
        cmocka_unit_test(test_gravity_and_kinetic_energy),
        cmocka_unit_test(test_held_frame_has_a_moment),
        cmocka_unit_test(test_largest_turn),
        cmocka_unit_test(test_moment_error),
        cmocka_unit_test(test_turn_error),
        cmocka_unit_test(test_momentum_turns_with_the_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
