// Free solids that turn and swing: angular momentum is kept to rounding by implicit steps, energy never grows.
#include "solid_case.h"

typedef struct moment {
    cdg_vec3 linear, angular;
    double energy;
} moment;

static moment measure(const cdg_solid *s) {
    moment m = {{0, 0, 0}, {0, 0, 0}, 0};
    cdg_solid_momentum(s, s->x, s->v, &m.linear, &m.angular);
    solid_energies e = cdg_solid_measure_energy(s, s->x, s->v, vec3(0, 0, 0));
    m.energy = e.kinetic + e.elastic;
    return m;
}

static cdg_solid spinning(cdg_solid_model model, cdg_solid_integrator integrator, double damping_time, double swing) {
    cdg_solid_def def = solid_case_def(model, integrator);
    def.damping_time = damping_time;
    cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), 0.05);
    cdg_random random = {41};
    cdg_vec3 turn = vec3(3, 20, 5), center = solid_case_center(&s, s.x);
    for (size_t i = 0; i < s.node_count; i++) {
        cdg_vec3 v = vec3_cross(turn, vec3_sub(solid_vec3(s.x, i), center));
        solid_set_vec3(s.v, i, vec3_add(vec3_add(v, vec3(1, -2, 0.5)), random_vec3(&random, swing)));
    }
    return s;
}

static void test_flight(void **state) {
    (void)state;
    for (int which = 0; which < 8; which++) {
        cdg_solid s = spinning(which & 1 ? CDG_SOLID_COROTATIONAL : CDG_SOLID_NEO_HOOKEAN,
                               which & 2 ? CDG_SOLID_BDF2 : CDG_SOLID_EULER, which & 4 ? 2e-3 : 0, 0.2);
        moment first = measure(&s), before = first;
        for (int i = 0; i < 300; i++) {
            solid_case_step(&s, 5e-3, vec3(0, 0, 0));
            moment now = measure(&s);
            if (!(which & 2) && now.energy > before.energy + 1e-9 * first.energy) // Euler's has no second history
                fail_msg("case %d, step %d: energy grows by %g", which, i, now.energy / before.energy - 1);
            if (now.energy > first.energy * (1 + 1e-9)) fail_msg("case %d: more energy than at the start", which);
            before = now;
        }
        assert_vec3_near(before.linear, first.linear, 1e-12 * vec3_norm(first.linear));
        assert_vec3_near(before.angular, first.angular, 1e-11 * vec3_norm(first.angular));
        cdg_solid_free(&s);
    }
}

// What turns without swinging goes on turning as fast: the schemes themselves would lose most of it.
static void test_turning_lasts(void **state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        cdg_solid s = spinning(CDG_SOLID_NEO_HOOKEAN, second ? CDG_SOLID_BDF2 : CDG_SOLID_EULER, 0, 0);
        double first = measure(&s).energy;
        for (int i = 0; i < 1000; i++) solid_case_step(&s, 5e-3, vec3(0, 0, 0));
        assert_in_range(1e6 * measure(&s).energy / first, 900000, 1000001);
        cdg_solid_free(&s);
    }
}

// Loads that twist give their moment, step by step; held solids are left alone.
static void test_loads(void **state) {
    (void)state;
    cdg_solid s = spinning(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2, 0, 0);
    moment before = measure(&s);
    cdg_vec3 center = solid_case_center(&s, s.x), twist = vec3(0, 0, 0);
    const double step = 1e-3;
    const size_t pushed[2] = {0, s.node_count - 1}; // corners that are opposite each other
    s.touch[1][pushed[0]] = 0.5, s.touch[1][pushed[1]] = -0.5;
    s.is_touched = true;
    for (int k = 0; k < 2; k++) {
        cdg_vec3 arm = vec3_sub(solid_vec3(s.x, pushed[k]), center);
        twist = vec3_add(twist, vec3_cross(arm, solid_vec3(s.touch, pushed[k])));
    }
    solid_case_step(&s, step, vec3(0, 0, 0));
    moment after = measure(&s);
    assert_vec3_near(vec3_sub(after.angular, before.angular), vec3_scale(step, twist), 1e-12);
    assert_true(vec3_norm(twist) > 0.01);
    s.is_held[3] = true;
    s.held_count = 1;
    solid_set_vec3(s.target, 3, solid_vec3(s.x, 3));
    solid_case_step(&s, step, vec3(0, 0, 0));
    assert_true(vec3_distance(measure(&s).angular, after.angular) > 1e-6);
    cdg_solid_free(&s);
}

// About the centre, of the candidate.
static double swing_of(const cdg_solid *s) {
    cdg_vec3 linear = vec3(0, 0, 0);
    cdg_solid_momentum(s, s->x_next, s->v_next, &linear, NULL);
    double kinetic = cdg_solid_measure_energy(s, s->x_next, s->v_next, vec3(0, 0, 0)).kinetic;
    return kinetic - 0.5 * vec3_dot(linear, linear) / s->total_mass;
}

// Blows in steps in which they would move a body by more than its size: their moments mean nothing, and what is given
// back stays a correction. (What is tied is left alone: that is the scheme's own.)
static void test_blows_in_long_steps(void **state) {
    (void)state;
    cdg_random random = {43};
    int limited = 0;
    for (int round = 0; round < 40; round++) {
        cdg_solid s = spinning(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER, 2e-3, 0.1);
        cdg_solid_result result;
        cdg_error error = {0};
        double kinetic[2], old = measure(&s).energy;
        for (int k = 0; k < 4; k++) {
            size_t node = (size_t)random_in(&random, 0, (double)s.node_count - 1e-9);
            solid_set_vec3(s.touch, node, random_vec3(&random, 20));
        }
        s.is_touched = true;
        for (int free = 0; free < 2; free++) {
            s.is_tied = free == 0;
            assert_int_equal(cdg_solid_predict(&s, 0.025, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
            kinetic[free] = swing_of(&s);
        }
        cdg_vec3 linear = measure(&s).linear;
        double most = 1.5 * fmax(kinetic[0], old - 0.5 * vec3_dot(linear, linear) / s.total_mass);
        if (!(kinetic[1] <= most * (1 + 1e-9))) fail_msg("%g, the scheme %g, before %g", kinetic[1], kinetic[0], old);
        limited += kinetic[1] > 0.999 * most;
        cdg_solid_free(&s);
    }
    assert_true(limited > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_turning_lasts),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_blows_in_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
