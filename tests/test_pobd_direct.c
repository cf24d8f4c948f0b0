// Newton's method of the pobd direct solver: convergence, fixed points, momentum, robustness, and the heavy cantilever.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"
#include "pobd_dense.h"

static void solve(pobd_case *c, pobd_outcome *outcome) {
    cdg_error error = {0};
    cdg_result result = pobd_solve_direct(&c->problem, c->scratch, outcome, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
}

static double largest_gradient(const pobd_problem *p) {
    double *memory = calloc(6 * p->node_count, sizeof *memory), *x[3], *t[3], largest = 0;
    for (size_t k = 0; k < 3; k++) x[k] = memory + k * p->node_count, t[k] = memory + (k + 3) * p->node_count;
    pobd_objective(p, x, t);
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < p->node_count; i++)
            if (isfinite(p->node_weight[i])) largest = fmax(largest, fabs(x[k][i]));
        for (size_t j = 0; j < p->element_count; j++) largest = fmax(largest, fabs(t[k][j]));
    }
    free(memory);
    return largest;
}

static void assert_sound(const pobd_problem *p) {
    for (size_t i = 0; i < p->node_count; i++)
        for (int k = 0; k < 3; k++) assert_true(isfinite(p->x[k][i]));
    for (size_t j = 0; j < p->element_count; j++)
        assert_near(p->q[0][j] * p->q[0][j] + p->q[1][j] * p->q[1][j] + p->q[2][j] * p->q[2][j] +
                        p->q[3][j] * p->q[3][j],
                    1, 1e-12);
}

// ---- convergence ----------------------------------------------------------------------------------------------------

static void solution_is_a_stationary_point(void **unused) {
    (void)unused;
    cdg_random random = {31};
    const size_t counts[] = {1, 2, 3, 5, 8, 13, 40};
    for (size_t m = 0; m < 7; m++)
        for (int round = 0; round < 12; round++) {
            bool is_closed = round % 2 == 1;
            if (is_closed && counts[m] < 2) continue;
            pobd_case *c = case_random(&random, counts[m], is_closed, round < 6 ? 0.3 : 1.0);
            c->problem.is_tangent = round % 4 >= 2 && round < 6; // wild turns lie beyond the tangent's poles
            c->problem.is_angle = round % 5 >= 2 && !c->problem.is_tangent;
            double *const *q = c->problem.q;
            cdg_quat near =
                quat_multiply(quat(q[0][0], q[1][0], q[2][0], q[3][0]), quat_exp(random_vec3(&random, 0.5)));
            if (round % 3 == 0 && (!is_closed || counts[m] >= 5)) case_clamp(c, 0, near, 3);
            c->problem.iterations = 100;
            c->problem.tolerance = 1e-12;
            double before = pobd_objective(&c->problem, NULL, NULL);
            pobd_outcome outcome;
            solve(c, &outcome);
            assert_sound(&c->problem);
            assert_true(outcome.correction < 1e-12 && outcome.iterations < 100);
            assert_near(largest_gradient(&c->problem), 0, 1e-10 * (1 + before));
            assert_true(pobd_objective(&c->problem, NULL, NULL) <= before);
            case_destroy(c);
        }
}

static void convergence_is_quadratic(void **unused) {
    (void)unused;
    cdg_random random = {32};
    for (int round = 0; round < 10; round++) {
        pobd_case *c = case_random(&random, 12, round % 2, 0.15);
        c->problem.is_tangent = round % 4 >= 2;
        c->problem.is_angle = round % 4 == 1;
        c->problem.iterations = 1;
        double correction[14];
        int quadratic = 0;
        for (int k = 0; k < 14; k++) {
            pobd_outcome outcome;
            solve(c, &outcome);
            correction[k] = outcome.correction;
            // from a correction of 1e-3 one step must gain about three digits, not a constant factor
            if (k > 0 && correction[k - 1] < 3e-3 && correction[k - 1] > 1e-7) {
                assert_true(correction[k] < 30 * correction[k - 1] * correction[k - 1] + 1e-14);
                quadratic++;
            }
        }
        assert_true(quadratic >= 1);
        assert_true(correction[13] < 1e-13);
        case_destroy(c);
    }
}

static void tolerance_stops_and_iterations_limit(void **unused) {
    (void)unused;
    cdg_random random = {33};
    pobd_case *c = case_random(&random, 10, false, 0.2);
    pobd_outcome outcome;
    c->problem.iterations = 3;
    solve(c, &outcome);
    assert_int_equal(outcome.iterations, 3);
    c->problem.iterations = 50;
    c->problem.tolerance = 1e-9;
    solve(c, &outcome);
    assert_true(outcome.iterations < 8 && outcome.correction < 1e-9);
    solve(c, &outcome);
    assert_int_equal(outcome.iterations, 1);
    case_destroy(c);
}

// With targets at the rest state itself nothing may move, whatever the step (weight) is.
static void rest_is_a_fixed_point(void **unused) {
    (void)unused;
    for (double weight = 1e-8; weight < 1e9; weight *= 1e4) {
        pobd_case *c = case_create(30, false);
        for (size_t i = 0; i < 31; i++) c->node_weight[i] = weight;
        pobd_outcome outcome;
        solve(c, &outcome);
        assert_true(outcome.correction == 0);
        for (size_t i = 0; i < 31; i++) assert_true(c->problem.x[2][i] == (double)i && c->problem.x[0][i] == 0);
        case_destroy(c);
    }
}

static void signs_of_quaternions_do_not_matter(void **unused) {
    (void)unused;
    for (int round = 0; round < 8; round++) {
        cdg_random random = {340 + (uint64_t)round}, same = random;
        pobd_case *a = case_random(&random, 9, round % 2, 0.5), *b = case_random(&same, 9, round % 2, 0.5);
        a->problem.is_tangent = b->problem.is_tangent = round >= 4;
        a->problem.is_angle = b->problem.is_angle = round < 2;
        for (size_t j = 0; j < 9; j++)
            for (int k = 0; k < 4; k++) {
                if (j % 2) b->problem.q[k][j] *= -1;
                if (j % 3) b->q_target[k][j] *= -1;
                if (j % 4) b->rest_turn[k][j] *= -1;
            }
        pobd_outcome outcome;
        solve(a, &outcome), solve(b, &outcome);
        for (size_t j = 0; j < 9; j++)
            for (int k = 0; k < 3; k++) assert_near(a->problem.x[k][j], b->problem.x[k][j], 1e-12);
        case_destroy(a), case_destroy(b);
    }
}

static void held_nodes_stay_exactly(void **unused) {
    (void)unused;
    cdg_random random = {35};
    pobd_case *c = case_random(&random, 20, false, 0.5);
    const size_t held[] = {0, 7, 8, 20};
    double places[4][3];
    for (int m = 0; m < 4; m++) {
        c->node_weight[held[m]] = INFINITY;
        for (int k = 0; k < 3; k++) places[m][k] = c->problem.x[k][held[m]] = m == 0 ? 0 : c->problem.x[k][held[m]];
    }
    c->problem.iterations = 20;
    pobd_outcome outcome;
    solve(c, &outcome);
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 3; k++) assert_true(c->problem.x[k][held[m]] == places[m][k]);
    case_destroy(c);
}

// ---- momentum -------------------------------------------------------------------------------------------------------

// A free rod's inner forces cancel: the weighted mean of x - target must vanish after any number of iterations.
static void momentum_is_kept_by_every_iteration(void **unused) {
    (void)unused;
    cdg_random random = {36};
    for (int round = 0; round < 24; round++) {
        pobd_case *c = case_random(&random, 60, round % 2, 0.1);
        pobd_problem *p = &c->problem;
        double stiff = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e4 : 1e8;
        for (size_t j = 0; j < p->element_count; j++)
            for (int k = 0; k < 3; k++) c->stretch[k][j] *= stiff;
        // a guess with the right mean, as the step itself makes it
        double weight = 0, sum[3] = {0}, size = 0;
        for (size_t i = 0; i < p->node_count; i++) weight += c->node_weight[i];
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < p->node_count; i++) sum[k] += c->node_weight[i] * (p->x[k][i] - c->x_target[k][i]);
            for (size_t i = 0; i < p->node_count; i++) p->x[k][i] -= sum[k] / weight;
        }
        p->iterations = 1 + round % 4;
        pobd_outcome outcome;
        solve(c, &outcome);
        for (int k = 0; k < 3; k++) {
            sum[k] = 0;
            for (size_t i = 0; i < p->node_count; i++) {
                double away = c->node_weight[i] * (p->x[k][i] - c->x_target[k][i]);
                sum[k] += away, size += fabs(away);
            }
        }
        for (int k = 0; k < 3; k++) assert_near(sum[k], 0, 1e-13 * (size + weight));
        case_destroy(c);
    }
}

// ---- the heavy cantilever -------------------------------------------------------------------------------------------

typedef struct cantilever {
    pobd_case *c;
    double *velocity, *spin, *x, *q; // 3 x nodes, 3 x elements, before the step
    double step;
} cantilever;

// Length 1, bending stiffness 1, weight per length `gamma`, clamped horizontally (along x) at node 0 by its half cell.
static cantilever cantilever_create(double gamma, size_t count, double step, double stretch) {
    cantilever rod = {.c = case_create(count, false), .step = step};
    rod.velocity = calloc(3 * (count + 1), sizeof(double)), rod.spin = calloc(3 * count, sizeof(double));
    rod.x = calloc(3 * (count + 1), sizeof(double)), rod.q = calloc(4 * count, sizeof(double));
    pobd_problem *p = &rod.c->problem;
    double length = 1 / (double)count, density = gamma / 9.81;
    cdg_quat frame = quat_between(vec3(0, 0, 1), vec3(1, 0, 0));
    for (size_t i = 0; i <= count; i++) {
        p->x[0][i] = (double)i * length, p->x[2][i] = 0;
        rod.c->node_weight[i] = density * length * (i == count ? 0.5 : 1) / (step * step);
        for (int k = 0; k < 3; k++) rod.c->bend[k][i] = 4 / length;
    }
    for (size_t j = 0; j < count; j++) {
        rod.c->rest_length[j] = length;
        case_set_q(p->q, j, frame);
        for (int k = 0; k < 3; k++) {
            rod.c->stretch[k][j] = k < 2 ? stretch / 3 : stretch;
            rod.c->frame_weight[k][j] = 1e-6 * density * length / (step * step);
        }
    }
    case_clamp(rod.c, 0, frame, 0);
    rod.c->anchors[0].rest_half = quat_identity();
    for (int k = 0; k < 3; k++) rod.c->anchors[0].stiffness[k] = 8 / length;
    return rod;
}

static void cantilever_destroy(cantilever *rod) {
    case_destroy(rod->c);
    free(rod->velocity), free(rod->spin), free(rod->x), free(rod->q);
}

// One implicit Euler step; velocities are reduced every time, which settles it and does not move its equilibrium.
static void cantilever_step(cantilever *rod) {
    pobd_case *c = rod->c;
    pobd_problem *p = &c->problem;
    size_t n = p->node_count, m = p->element_count;
    double h = rod->step, keep = 1 / (1 + 4 * h);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            rod->x[k * n + i] = p->x[k][i];
            c->x_target[k][i] = p->x[k][i] + h * keep * rod->velocity[k * n + i] - (k == 2 ? 9.81 * h * h : 0);
        }
    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k < 4; k++) rod->q[k * m + j] = c->q_target[k][j] = p->q[k][j];
        cdg_vec3 turn = vec3_scale(h * keep, vec3(rod->spin[j], rod->spin[m + j], rod->spin[2 * m + j]));
        case_set_q(c->q_target, j, quat_multiply(quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]), quat_exp(turn)));
    }
    pobd_outcome outcome;
    solve(c, &outcome);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) rod->velocity[k * n + i] = (p->x[k][i] - rod->x[k * n + i]) / h;
    for (size_t j = 0; j < m; j++) {
        cdg_quat before = quat(rod->q[j], rod->q[m + j], rod->q[2 * m + j], rod->q[3 * m + j]);
        cdg_vec3 turn = quat_log(quat_relative(before, quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j])));
        rod->spin[j] = turn.x / h, rod->spin[m + j] = turn.y / h, rod->spin[2 * m + j] = turn.z / h;
    }
}

static double settled_ratio(double gamma, size_t count, double step, int iterations, double stretch, int steps) {
    cantilever rod = cantilever_create(gamma, count, step, stretch);
    rod.c->problem.iterations = iterations;
    for (int k = 0; k < steps; k++) cantilever_step(&rod);
    double low[3] = {0}, high[3] = {0}, speed = 0;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i <= count; i++) {
            low[k] = fmin(low[k], rod.c->problem.x[k][i]), high[k] = fmax(high[k], rod.c->problem.x[k][i]);
            speed = fmax(speed, fabs(rod.velocity[k * (count + 1) + i]));
        }
    assert_near(speed, 0, 1e-7); // settled: a fixed point of the step
    cantilever_destroy(&rod);
    return (high[2] - low[2]) / (high[0] - low[0]);
}

// Height over width of the settled shape for rho A g L^3/(E I) = 1, 10, 100: solutions of the elastica's boundary value
// problem. Second order in the element length: the clamp's half cell bends.
static void cantilever_converges_at_second_order(void **unused) {
    (void)unused;
    const double gammas[3] = {1, 10, 100}, wanted[3] = {0.1245617664, 1.0668023204, 5.8881046233};
    for (int m = 0; m < 3; m++) {
        double error[3];
        for (size_t r = 0; r < 3; r++)
            error[r] = fabs(settled_ratio(gammas[m], (size_t)20 << r, 0.1, 10, 1e8, 200) / wanted[m] - 1);
        assert_true(error[1] < 0.01);
        for (int r = 0; r < 2; r++) assert_true(error[r] / error[r + 1] > 3.5 && error[r] / error[r + 1] < 4.5);
    }
}

static void cantilever_does_not_depend_on_step_and_iterations(void **unused) {
    (void)unused;
    const double steps[3] = {0.005, 0.05, 0.3};
    const int iterations[3] = {1, 2, 5};
    for (double stretch = 1e5; stretch < 1e9; stretch *= 1e3) {
        double wanted = settled_ratio(100, 24, 0.1, 30, stretch, 200);
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < 3; k++)
                assert_near(settled_ratio(100, 24, steps[s], iterations[k], stretch, s == 0 ? 3000 : 400), wanted,
                            1e-7);
    }
}

// ---- robustness -----------------------------------------------------------------------------------------------------

static void chaos_never_breaks_it(void **unused) {
    (void)unused;
    cdg_random random = {37};
    for (int round = 0; round < 300; round++) {
        bool is_closed = round % 2 == 0;
        size_t count = 2 + (size_t)(random_unit(&random) * 30);
        pobd_case *c = case_create(count, is_closed);
        pobd_problem *p = &c->problem;
        p->is_tangent = round % 7 == 3;
        p->is_angle = round % 3 == 1 && !p->is_tangent;
        for (size_t i = 0; i < p->node_count; i++) {
            c->node_weight[i] = pow(10, random_in(&random, -6, 6));
            if (random_unit(&random) < 0.05) c->node_weight[i] = INFINITY;
            cdg_vec3 x = random_vec3(&random, 5), target = random_vec3(&random, 5);
            if (random_unit(&random) < 0.1) x = target = vec3(0, 0, 0); // elements of no length
            p->x[0][i] = x.x, p->x[1][i] = x.y, p->x[2][i] = x.z;
            c->x_target[0][i] = target.x, c->x_target[1][i] = target.y, c->x_target[2][i] = target.z;
            case_set_q(c->rest_turn, i, random_rotation(&random));
            for (int k = 0; k < 3; k++) c->bend[k][i] = pow(10, random_in(&random, -6, round % 5 == 0 ? 12 : 4));
        }
        for (size_t j = 0; j < count; j++) {
            c->rest_length[j] = pow(10, random_in(&random, -3, 1));
            case_set_q(p->q, j, random_rotation(&random));
            case_set_q(c->q_target, j, random_rotation(&random));
            for (int k = 0; k < 3; k++) {
                c->stretch[k][j] = pow(10, random_in(&random, -6, round % 5 == 0 ? 12 : 4));
                c->frame_weight[k][j] = round % 3 == 0 ? 0 : pow(10, random_in(&random, -6, 2));
            }
        }
        double before = pobd_objective(p, NULL, NULL);
        p->iterations = 30;
        pobd_outcome outcome;
        solve(c, &outcome);
        assert_sound(p);
        assert_true(isfinite(outcome.correction));
        assert_true(pobd_objective(p, NULL, NULL) <= before);
        case_destroy(c);
    }
}

static void statics_without_inertia(void **unused) {
    (void)unused;
    // no weight at all but a clamp: x_target is of no use then, and the rod goes to its rest shape
    pobd_case *c = case_create(20, false);
    case_clamp(c, 0, quat_identity(), 8);
    c->anchors[0].rest_half = quat_identity();
    cdg_random random = {38};
    for (size_t i = 1; i <= 20; i++) {
        c->node_weight[i] = 0;
        for (int k = 0; k < 3; k++) c->problem.x[k][i] += random_in(&random, -0.5, 0.5);
    }
    for (size_t j = 0; j < 20; j++)
        for (int k = 0; k < 3; k++) c->frame_weight[k][j] = 0;
    c->problem.iterations = 100;
    c->problem.tolerance = 1e-13;
    pobd_outcome outcome;
    solve(c, &outcome);
    for (size_t i = 0; i <= 20; i++) {
        assert_near(c->problem.x[2][i], (double)i, 1e-9);
        assert_near(c->problem.x[0][i], 0, 1e-9);
    }
    // neither weight nor support: singular, must still end without harm
    c->node_weight[0] = 0, c->problem.anchor_count = 0;
    c->problem.x[1][10] += 0.3;
    solve(c, &outcome);
    assert_sound(&c->problem);
    assert_near(pobd_objective(&c->problem, NULL, NULL), 0, 1e-9);
    case_destroy(c);
}

static void not_finite_is_named(void **unused) {
    (void)unused;
    pobd_case *c = case_create(10, false);
    cdg_error error = {0};
    pobd_outcome outcome;
    double *places[] = {&c->problem.x[1][7], &c->x_target[0][7], &c->problem.q[2][7],
                        &c->q_target[1][7],  &c->bend[0][7],     &c->rest_turn[2][7]};
    for (size_t m = 0; m < sizeof places / sizeof *places; m++) {
        double keep = *places[m];
        *places[m] = m % 2 ? INFINITY : NAN;
        assert_int_equal(pobd_solve_direct(&c->problem, c->scratch, &outcome, &error), CDG_ERROR_NOT_FINITE);
        assert_int_equal(error.code, CDG_ERROR_NOT_FINITE);
        assert_non_null(strstr(error.message, "node 7"));
        *places[m] = keep;
    }
    solve(c, &outcome);
    case_destroy(c);
}

static void too_few_elements_are_refused(void **unused) {
    (void)unused;
    pobd_case *c = case_create(1, true);
    cdg_error error = {0};
    pobd_outcome outcome;
    assert_int_equal(pobd_solve_direct(&c->problem, c->scratch, &outcome, &error), CDG_ERROR_ARGUMENT);
    case_destroy(c);
}

static void long_rods_work_and_scratch_is_linear(void **unused) {
    (void)unused;
    cdg_random random = {39};
    for (int closed = 0; closed < 2; closed++) {
        pobd_case *c = case_random(&random, 100000, closed, 0.05);
        c->problem.iterations = 30;
        c->problem.tolerance = 1e-10;
        pobd_outcome outcome;
        solve(c, &outcome);
        assert_sound(&c->problem);
        assert_true(outcome.correction < 1e-10);
        assert_near(largest_gradient(&c->problem), 0, 1e-8);
        case_destroy(c);
    }
    // what a long rod needs for each element: the correction, unless it is given, and little else
    for (int closed = 0; closed < 2; closed++) {
        size_t own = pobd_direct_scratch_size(200000, closed, false) - pobd_direct_scratch_size(100000, closed, false);
        size_t given = pobd_direct_scratch_size(200000, closed, true) - pobd_direct_scratch_size(100000, closed, true);
        assert_true(given < 4 * 100000u && own == given + 48 * 100000u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_is_a_stationary_point),
        cmocka_unit_test(convergence_is_quadratic),
        cmocka_unit_test(tolerance_stops_and_iterations_limit),
        cmocka_unit_test(rest_is_a_fixed_point),
        cmocka_unit_test(signs_of_quaternions_do_not_matter),
        cmocka_unit_test(held_nodes_stay_exactly),
        cmocka_unit_test(momentum_is_kept_by_every_iteration),
        cmocka_unit_test(cantilever_converges_at_second_order),
        cmocka_unit_test(cantilever_does_not_depend_on_step_and_iterations),
        cmocka_unit_test(chaos_never_breaks_it),
        cmocka_unit_test(statics_without_inertia),
        cmocka_unit_test(not_finite_is_named),
        cmocka_unit_test(too_few_elements_are_refused),
        cmocka_unit_test(long_rods_work_and_scratch_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
