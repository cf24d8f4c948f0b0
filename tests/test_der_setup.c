// What a step poses: damping dissipates what its strain rates say and leaves rigid motions alone; reactions balance
// loads, inertia and torques.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"

static void set_damping(cdg_rod_def *def, double time) {
    def->material.damping_stretch = def->material.damping_bend = def->material.damping_twist = time;
}

// Nodes fly on at random velocities, frames spin about their edges.
static void set_motion(cdg_rod *rod, cdg_random *random) {
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(random, 1));
    for (size_t j = 0; j < rod->element_count; j++) rod->w[2][j] = random_in(random, -1, 1);
}

// Strains of a rod whose nodes have moved for a time t as its velocities say.
typedef struct strains {
    double stretch[CASE_ELEMENTS];
    cdg_vec3 curl[CASE_ELEMENTS + 1];
} strains;

static void measure_after(const cdg_rod *rod, double t, strains *out) {
    cdg_vec3 x[CASE_ELEMENTS + 1];
    cdg_quat q[CASE_ELEMENTS];
    for (size_t i = 0; i < rod->node_count; i++) x[i] = vec3_mad(rod_vec3(rod->x, i), t, rod_vec3(rod->v, i));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 e = vec3_sub(x[rod_next_node(rod, j)], x[j]);
        out->stretch[j] = vec3_norm(e) / rod->rest_length[j];
        q[j] = der_transport(rod_quat(rod->q, j), vec3_normalize(e), t * rod->w[2][j]);
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        out->curl[i] = der_turn_strain(quat_relative(q[left], q[right]), rod->twist[i], false);
    }
}

static double expected_power(const cdg_rod *rod, double tau) {
    strains s[2];
    double d = 1e-5, power = 0;
    measure_after(rod, -d, &s[0]);
    measure_after(rod, d, &s[1]);
    for (size_t j = 0; j < rod->element_count; j++) {
        double rate = (s[1].stretch[j] - s[0].stretch[j]) / (2 * d);
        power += tau * rod->stretch_stiffness[2][j] * rod->rest_length[j] * rate * rate;
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        if (rod_left_element(rod, i) == SIZE_MAX || rod_right_element(rod, i) == SIZE_MAX) continue;
        cdg_vec3 rate = vec3_scale(1 / (2 * d), vec3_sub(s[1].curl[i], s[0].curl[i]));
        power += tau / rod_cell_length(rod, i) *
                 (rod->bend_stiffness[0][i] * rate.x * rate.x + rod->bend_stiffness[1][i] * rate.y * rate.y +
                  rod->bend_stiffness[2][i] * rate.z * rate.z);
    }
    return power;
}

// Velocity change by damping alone, times momentum: with and without it from the same state.
static void test_damping_dissipates_what_strain_rates_say(void **state) {
    (void)state;
    cdg_random random = {41};
    for (int round = 0; round < 6; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1], change[CASE_ELEMENTS + 1];
        double spin[CASE_ELEMENTS], step = 1e-6, tau = 1e-4, power = 0;
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        set_damping(&def, tau);
        def.der.tolerance = 1e-15;
        der_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        case_shake(&c, &random, 0.3);
        set_motion(rod, &random);
        cdg_rod_step_result result;
        cdg_error error;
        assert_int_equal(rod->model->predict(rod, step, &c.loads, c.scratch, &result, &error), CDG_OK);
        for (size_t i = 0; i < rod->node_count; i++) change[i] = rod_vec3(rod->v_next, i);
        for (size_t j = 0; j < rod->element_count; j++) spin[j] = rod->w_next[2][j];
        memset(rod->damping_time, 0, sizeof rod->damping_time);
        assert_int_equal(rod->model->predict(rod, step, &c.loads, c.scratch, &result, &error), CDG_OK);
        for (size_t i = 0; i < rod->node_count; i++)
            power +=
                rod->node_mass[i] / step * vec3_dot(vec3_sub(change[i], rod_vec3(rod->v_next, i)), rod_vec3(rod->v, i));
        for (size_t j = 0; j < rod->element_count; j++)
            power +=
                rod->rest_length[j] * rod->frame_inertia[2][j] / step * (spin[j] - rod->w_next[2][j]) * rod->w[2][j];
        double expected = expected_power(rod, tau);
        assert_true(expected > 0);
        assert_near(-power, expected, 2e-3 * expected);
        case_free(&c);
    }
}

static void test_damping_leaves_rigid_motion_alone(void **state) {
    (void)state;
    cdg_random random = {42};
    for (int round = 0; round < 4; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1], spin = random_vec3(&random, 2), velocity = random_vec3(&random, 2);
        cdg_rod_def def = case_def(round % 2, CDG_DER_TANGENT, points, &random);
        set_damping(&def, 1);
        def.rest.kind = CDG_REST_INITIAL;
        def.velocity = velocity, def.angular_velocity = spin;
        der_case c = case_build(&def);
        cdg_energy before, after;
        cdg_rod_measure_energy(c.rod, vec3(0, 0, 0), &before);
        for (int i = 0; i < 50; i++) case_step(&c, 1e-4);
        cdg_rod_measure_energy(c.rod, vec3(0, 0, 0), &after);
        assert_near(after.kinetic, before.kinetic, 1e-5 * before.kinetic);
        case_free(&c);
    }
}

// A clamped rod at rest under forces and torques: force and moment of the clamp are those of the loads about it.
static void test_reactions_balance_loads(void **state) {
    (void)state;
    cdg_random random = {43};
    for (int round = 0; round < 4; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(false, CDG_DER_TANGENT, points, &random);
        def.rest.kind = CDG_REST_INITIAL;
        def.der.scheme = CDG_DER_EULER; // settles by itself at long steps
        def.material.young_modulus = 1e8;
        der_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        rod->holds[0] = (cdg_hold){.node = 0,
                                   .holds_position = true,
                                   .position = rod_vec3(rod->x, 0),
                                   .frame_hold = CDG_HOLD_FRAME,
                                   .frame = rod_quat(rod->q, 0)};
        rod->hold_count = 1;
        rod->drag_rate = 1;
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < rod->node_count; i++) c.force[k][i] = random_in(&random, -1, 1);
            for (size_t j = 0; j < rod->element_count; j++) c.torque[k][j] = random_in(&random, -0.1, 0.1);
        }
        for (int i = 0; i < 300; i++) case_step(&c, 0.5);
        cdg_vec3 force = {0}, moment = {0};
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 f = rod_vec3(c.loads.force, i), arm = vec3_sub(rod_vec3(rod->x, i), rod_vec3(rod->x, 0));
            force = vec3_add(force, f);
            moment = vec3_add(moment, vec3_cross(arm, f));
            if (i < rod->element_count)
                moment = vec3_add(moment, quat_rotate(rod_quat(rod->q, i), rod_vec3(c.loads.torque, i)));
        }
        assert_vec3_near(rod->holds[0].force, vec3_scale(-1, force), 1e-6 * vec3_norm(force));
        assert_vec3_near(rod->holds[0].moment, vec3_scale(-1, moment), 1e-6 * vec3_norm(moment));
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping_dissipates_what_strain_rates_say),
        cmocka_unit_test(test_damping_leaves_rigid_motion_alone),
        cmocka_unit_test(test_reactions_balance_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
