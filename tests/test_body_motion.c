// The motion of single bodies: what a free one keeps, how fast it converges, and the known motion of a top.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bodies/body.h"
#include "math/random.h"
#include "near.h"

static cdg_body make(cdg_vec3 size, cdg_vec3 angular_velocity) {
    cdg_body_def def = cdg_body_def_default();
    cdg_body body;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = size;
    def.shape.orientation = quat_exp(vec3(0.3, -0.8, 0.5));
    def.angular_velocity = angular_velocity;
    def.velocity = vec3(1, 2, 3);
    assert_int_equal(cdg_body_build(&def, "b", &body, NULL), CDG_OK);
    return body;
}

static void run(cdg_body *body, double step, int count, const cdg_rate_rule *rule) {
    for (int i = 0; i < count; i++) {
        cdg_body_now next;
        cdg_body_fly(body, step, vec3(0, 0, 0), vec3(0, 0, 0), rule, &next);
        body->now = next;
    }
}

// The intermediate axis is unstable: the body tumbles, and still keeps its energy and spin over 30,000 steps.
static void a_free_body_keeps_energy_and_spin(void **state) {
    (void)state;
    cdg_rate_rule rule = cdg_rate_rule_mean(0.5);
    cdg_body body = make(vec3(0.1, 0.2, 0.4), vec3(0, 0, 0));
    body.now.spin =
        symmetric3_times(cdg_body_world_inertia(&body, body.now.q), quat_rotate(body.now.q, vec3(0.01, 6, 0.02)));
    cdg_vec3 spin = body.now.spin;
    double energy = cdg_body_kinetic_energy(&body), least = 1;
    for (int i = 0; i < 30; i++) {
        run(&body, 0.01, 1000, &rule);
        least = fmin(least, quat_rotate_inverse(body.now.q, vec3_normalize(spin)).y);
    }
    assert_near(cdg_body_kinetic_energy(&body), energy, 1e-10 * energy);
    assert_vec3_near(body.now.spin, spin, 0);
    assert_true(least < -0.9); // it did tumble
    cdg_body_free(&body);
}

// A body with an axis of symmetry precesses about its spin at a constant rate |L|/I1.
static void a_symmetric_body_precesses(void **state) {
    (void)state;
    const cdg_rate_rule rules[] = {cdg_rate_rule_mean(0.5), cdg_rate_rule_bdf2()};
    for (int r = 0; r < 2; r++) {
        double before = 0;
        for (int k = 0; k < 3; k++) {
            int count = 200 << k;
            cdg_body body = make(vec3(0.2, 0.2, 0.5), vec3(3, 1, -2));
            cdg_vec3 spin = body.now.spin, axis = quat_d3(body.now.q);
            double time = 0.7, angle = vec3_norm(spin) / body.mass.inertia.xx * time;
            cdg_vec3 expected = quat_rotate(quat_from_axis_angle(vec3_normalize(spin), angle), axis);
            cdg_rate_rule euler = cdg_rate_rule_euler();
            if (r == 1) run(&body, time / count, 1, &euler); // a start for the two-step rule
            run(&body, time / count, count - r, &rules[r]);
            double error = vec3_distance(quat_d3(body.now.q), expected);
            assert_true(error < 2e-3);
            if (k > 0) assert_near(before / error, 4, 0.6); // second order
            before = error;
            cdg_body_free(&body);
        }
    }
}

static void impulses_change_momentum_by_themselves(void **state) {
    (void)state;
    cdg_random random = {11};
    const cdg_rate_rule rules[] = {cdg_rate_rule_euler(), cdg_rate_rule_mean(0.5), cdg_rate_rule_bdf2()};
    for (int n = 0; n < 60; n++) {
        cdg_body body = make(vec3(0.1, 0.2, 0.3), random_vec3(&random, 2));
        cdg_vec3 impulse = random_vec3(&random, 1), turn = random_vec3(&random, 0.01);
        cdg_body_now end;
        cdg_body_fly(&body, 0.01, impulse, turn, &rules[n % 3], &end);
        assert_vec3_near(vec3_scale(body.mass.mass, vec3_sub(end.v, body.now.v)), impulse, 1e-13);
        assert_vec3_near(vec3_sub(end.spin, body.now.spin), turn, 1e-15);
        // the guess is right
        cdg_body_now again;
        cdg_body_advance(&body, 0.01, impulse, turn, &rules[n % 3], end.q, &again);
        assert_rotation_near(again.q, end.q, 1e-14);
        // and a rule can be read backwards
        cdg_vec3 mean = vec3_scale(1 / 0.01, vec3_sub(end.x, body.now.x));
        assert_vec3_near(cdg_rate_inverse(&rules[n % 3], body.now.move_rate, body.now.v, mean), end.v, 1e-12);
        cdg_body_free(&body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_keeps_energy_and_spin),
        cmocka_unit_test(a_symmetric_body_precesses),
        cmocka_unit_test(impulses_change_momentum_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
