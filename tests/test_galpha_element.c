// The equations of a pair of nodes: derivatives against central differences, indifference to rigid motions, and elastic
// energy that changes by exactly the power of the balances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "galpha_case.h"
#include "near.h"

static void test_jacobian(void **state) {
    (void)state;
    cdg_random random = {1};
    double worst = 0;
    for (int round = 0; round < 40; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, round % 2 == 0, round % 4 < 2);
        if (round % 8 == 7) c.loads[1].torque = vec3(0, 0, 0);
        for (size_t j = 0; j < GALPHA_CASE_ELEMENTS; j++) {
            double rows[TWO_POINT_FIELDS][TWO_POINT_COLUMNS], low[TWO_POINT_FIELDS], high[TWO_POINT_FIELDS];
            galpha_element_rows(&c.step, j, &c.trial[j], &c.trial[j + 1], rows);
            double largest = 0;
            for (int r = 0; r < TWO_POINT_FIELDS; r++)
                for (int k = 0; k < TWO_POINT_COLUMNS; k++) largest = fmax(largest, fabs(rows[r][k]));
            for (int k = 0; k < TWO_POINT_COLUMNS; k++) {
                const double h = 1e-5;
                galpha_trial pair[2];
                for (int side = -1; side <= 1; side += 2) {
                    pair[0] = c.trial[j], pair[1] = c.trial[j + 1];
                    galpha_case_nudge(&c.step, j + (size_t)(k / 12), &pair[k / 12], k % 12, side * h);
                    galpha_element_residual(&c.step, j, &pair[0], &pair[1], side < 0 ? low : high);
                }
                for (int r = 0; r < TWO_POINT_FIELDS; r++)
                    worst = fmax(worst, fabs((high[r] - low[r]) / (2 * h) - rows[r][k]) / largest);
            }
        }
        galpha_case_free(&c);
    }
    assert_true(worst < 1e-6 && worst > 0);
}

// Turning and shifting everything turns the balances and changes nothing else.
static void test_rigid_motion(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 10; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, round % 2 == 0, true);
        double before[TWO_POINT_FIELDS], after[TWO_POINT_FIELDS];
        galpha_element_residual(&c.step, 2, &c.trial[2], &c.trial[3], before);
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 shift = random_vec3(&random, 3);
        for (size_t i = 0; i < GALPHA_CASE_NODES; i++) {
            galpha_node *n = &c.old[i];
            galpha_trial *t = &c.trial[i];
            cdg_vec3 *vectors[] = {&n->position_rate,  &n->acceleration,      &n->momentum_rate,
                                   &n->force_per_mass, &n->moment_per_length, &t->moment,
                                   &t->force,          &n->position,          &t->position};
            for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) *vectors[k] = quat_rotate(turn, *vectors[k]);
            n->position = vec3_add(n->position, shift), t->position = vec3_add(t->position, shift);
            n->frame = quat_multiply(turn, n->frame), t->frame = quat_multiply(turn, t->frame);
            galpha_update_trial(&c.step, i, t);
        }
        for (int j = 0; j < GALPHA_CASE_ELEMENTS; j++) {
            c.loads[j].at_start = quat_rotate(turn, c.loads[j].at_start);
            c.loads[j].at_end = quat_rotate(turn, c.loads[j].at_end);
        }
        galpha_element_residual(&c.step, 2, &c.trial[2], &c.trial[3], after);
        for (int k = 0; k < 4; k++) {
            cdg_vec3 a = vec3(before[3 * k], before[3 * k + 1], before[3 * k + 2]);
            cdg_vec3 b = vec3(after[3 * k], after[3 * k + 1], after[3 * k + 2]);
            assert_vec3_near(b, quat_rotate(turn, a), 1e-9 * (1 + vec3_norm(a)));
        }
        galpha_case_free(&c);
    }
}

// With the moments and forces that the laws want at the middle, what the balances take out is what is stored: for any
// velocities, ends + pulls and twists at the nodes - (force balance . V + moment balance . W) = d/dt (elastic energy).
static void test_power(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 20; round++) {
        galpha_case c;
        galpha_case_make(&c, &random, true, false);
        for (int j = 0; j < GALPHA_CASE_ELEMENTS; j++) c.loads[j] = (galpha_loads){.torque = {0}};
        const size_t j = 1;
        galpha_trial a = c.trial[j], b = c.trial[j + 1];
        galpha_element e;
        // the contact force that stretches the element to where it is, then the moment that bends it
        galpha_measure_element(&c.step, j, &a, &b, &e);
        cdg_vec3 stretch = galpha_stretch(c.rod, j, a.position, b.position, e.frame);
        double *const *s = c.rod->stretch_stiffness;
        cdg_vec3 force = quat_rotate(e.frame, vec3(s[0][j] * stretch.x, s[1][j] * stretch.y, s[2][j] * stretch.z));
        cdg_vec3 split = random_vec3(&random, 1);
        force = vec3_mad(force, -0.5, vec3_sub(e.pull[1], e.pull[0]));
        a.force = vec3_sub(force, split), b.force = vec3_add(force, split);
        galpha_measure_element(&c.step, j, &a, &b, &e);
        cdg_vec3 missing = vec3_sub(e.law_moment, e.moment);
        a.moment = vec3_add(a.moment, missing), b.moment = vec3_add(b.moment, missing);
        galpha_measure_element(&c.step, j, &a, &b, &e);
        assert_vec3_near(e.moment, e.law_moment, 1e-9 * (1 + vec3_norm(e.moment)));

        cdg_vec3 v[2] = {random_vec3(&random, 1), random_vec3(&random, 1)};
        cdg_vec3 w[2] = {random_vec3(&random, 1), random_vec3(&random, 1)};
        double inside = vec3_dot(e.force_balance, vec3_scale(0.5, vec3_add(v[0], v[1]))) +
                        vec3_dot(e.moment_balance, vec3_scale(0.5, vec3_add(w[0], w[1])));
        double ends =
            vec3_dot(b.force, v[1]) - vec3_dot(a.force, v[0]) + vec3_dot(b.moment, w[1]) - vec3_dot(a.moment, w[0]);
        for (int k = 0; k < 2; k++) ends += vec3_dot(e.pull[k], v[k]) + vec3_dot(e.twist[k], w[k]);
        double energy[2];
        const double h = 1e-6;
        for (int side = 0; side < 2; side++) {
            double time = side == 0 ? -h : h;
            galpha_trial pair[2] = {a, b};
            for (int k = 0; k < 2; k++) {
                pair[k].position = vec3_mad(pair[k].position, time, v[k]);
                pair[k].frame = quat_multiply(quat_exp(vec3_scale(time, w[k])), pair[k].frame);
            }
            galpha_element moved;
            galpha_measure_element(&c.step, j, &pair[0], &pair[1], &moved);
            cdg_vec3 strain = galpha_stretch(c.rod, j, pair[0].position, pair[1].position, moved.frame);
            cdg_vec3 bend = galpha_bend(c.rod, &c.step.rest[j], j, moved.turn);
            energy[side] = 0.5 * c.rod->rest_length[j] *
                           (s[0][j] * strain.x * strain.x + s[1][j] * strain.y * strain.y +
                            s[2][j] * strain.z * strain.z + vec3_dot(moved.law_local, bend));
        }
        double stored = (energy[1] - energy[0]) / (2 * h);
        assert_near(ends - inside, stored, 1e-6 * (fabs(ends) + fabs(inside)));
        galpha_case_free(&c);
    }
}

// The scheme's relations between a node's values and rates (eq. 17 and 19).
static void test_update(void **state) {
    (void)state;
    cdg_random random = {4};
    galpha_case c;
    galpha_case_make(&c, &random, true, false);
    galpha_scheme s = c.step.scheme;
    double h = 1 / c.step.step_rate;
    for (int i = 0; i < GALPHA_CASE_NODES; i++) {
        const galpha_node *old = &c.old[i];
        const galpha_trial *t = &c.trial[i];
        cdg_vec3 rate = vec3_add(vec3_scale(s.gamma, t->position_rate), vec3_scale(1 - s.gamma, old->position_rate));
        assert_vec3_near(vec3_mad(old->position, h, rate), t->position, 1e-12);
        cdg_vec3 old_velocity = quat_rotate(old->frame, old->velocity);
        cdg_vec3 left = vec3_add(vec3_scale(1 - s.alpha, t->position_rate), vec3_scale(s.alpha, old->position_rate));
        cdg_vec3 right = vec3_add(vec3_scale(1 - s.beta, t->velocity), vec3_scale(s.beta, old_velocity));
        assert_vec3_near(left, right, 1e-10);
        left = vec3_add(vec3_scale(1 - s.alpha, t->acceleration), vec3_scale(s.alpha, old->acceleration));
        right = vec3_add(vec3_scale(1 - s.beta, t->force_per_mass), vec3_scale(s.beta, old->force_per_mass));
        assert_vec3_near(left, right, 1e-9 * vec3_norm(left));
        rate = vec3_add(vec3_scale(s.gamma, t->frame_rate), vec3_scale(1 - s.gamma, old->frame_rate));
        assert_rotation_near(quat_multiply(old->frame, quat_exp(vec3_scale(h, rate))), t->frame, 1e-12);
    }
    galpha_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
