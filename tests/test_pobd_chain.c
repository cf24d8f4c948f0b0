// The linear-time Newton system against a dense one, for open, closed, anchored and held rods and every instruction
// set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"
#include "pobd_dense.h"
#include "rods/pobd/chain.h"

static const int vector_sizes[] = {2, 4, 8};
static const size_t counts[] = {1, 2, 3, 4, 5, 8, 9, 10, 13, 17, 18, 33, 40, 41};

enum { PLAIN, CLAMPED, CLAMPED_BOTH, HELD_INSIDE, UNIFORM, TANGENT, SETTING_COUNT };

static pobd_case *make(cdg_random *random, size_t count, bool is_closed, int setting) {
    pobd_case *c = case_random(random, count, is_closed, 0.2);
    for (size_t j = 0; j < count; j++)
        for (int k = 0; k < 3; k++) c->torque[k][j] = random_in(random, -0.5, 0.5);
    pobd_problem *p = &c->problem;
    size_t last = p->node_count - 1;
    if (setting == CLAMPED || setting == CLAMPED_BOTH) case_clamp(c, 0, random_rotation(random), 3);
    if (setting == CLAMPED_BOTH && last > 0) case_clamp(c, last, random_rotation(random), 2);
    if (setting == HELD_INSIDE) c->node_weight[p->node_count / 2] = INFINITY, c->node_weight[last] = INFINITY;
    if (setting == UNIFORM) {
        p->stretch_stride = p->bend_stride = 0;
        p->rest_strain[0] = p->rest_strain[1] = p->rest_strain[2] = NULL;
    }
    if (setting == TANGENT) p->is_tangent = true, case_clamp(c, last, random_rotation(random), 2);
    return c;
}

static void correction_equals_dense_solution(void **unused) {
    (void)unused;
    cdg_random random = {21};
    int solved = 0, exact = 0;
    for (size_t m = 0; m < sizeof counts / sizeof *counts; m++)
        for (int setting = 0; setting < SETTING_COUNT; setting++)
            for (int closed = 0; closed < 2; closed++) {
                if (closed && counts[m] < 2) continue;
                pobd_case *c = make(&random, counts[m], closed, setting);
                const pobd_problem *p = &c->problem;
                double value = pobd_objective(p, NULL, NULL);
                for (int is_exact = 0; is_exact < 2; is_exact++) {
                    pobd_dense dense = dense_assemble(p, is_exact);
                    long double *g = malloc(dense.size * sizeof *g), decrement = 0, largest = 0;
                    memcpy(g, dense.right, dense.size * sizeof *g);
                    dense_solve(&dense);
                    for (size_t k = 0; k < dense.size; k++) {
                        decrement += g[k] * dense.right[k];
                        largest = fmaxl(largest, fabsl(dense.right[k]));
                    }
                    for (int v = 0; v < 3; v++) {
                        pobd_chain chain;
                        pobd_chain_init(&chain, p, c->scratch);
                        chain.kernels = pobd_kernels_choose(vector_sizes[v]);
                        if (!pobd_chain_eliminate(&chain, is_exact, 0, 0)) {
                            assert_true(is_exact); // the semidefinite form with weights is positive definite
                            continue;
                        }
                        pobd_size size = pobd_chain_substitute(&chain);
                        assert_true(size.is_finite);
                        assert_near(chain.value, value, 1e-11 * value);
                        assert_near(pobd_chain_value(&chain), value, 1e-11 * value);
                        assert_near(chain.decrement, (double)decrement, 1e-9 * (double)decrement);
                        double tolerance = 1e-9 * (double)largest, move = 0, turn = 0;
                        for (size_t i = 0; i < p->node_count; i++) {
                            double square = 0;
                            for (size_t k = 0; k < 3; k++) {
                                double d = chain.correction.x[k][i];
                                assert_near(d, (double)dense.right[3 * i + k], tolerance);
                                square += d * d;
                            }
                            move = fmax(move, sqrt(square));
                        }
                        for (size_t j = 0; j < p->element_count; j++) {
                            double square = 0;
                            for (size_t k = 0; k < 3; k++) {
                                double d = chain.correction.t[k][j];
                                assert_near(d, (double)dense.right[3 * (p->node_count + j) + k], tolerance);
                                square += d * d;
                            }
                            turn = fmax(turn, sqrt(square));
                        }
                        assert_near(size.move, move, 1e-12 * move);
                        assert_near(size.turn, turn, 1e-12 * turn);
                        solved++, exact += is_exact;
                    }
                    free(g);
                    dense_destroy(&dense);
                }
                case_destroy(c);
            }
    assert_true(solved > 600 && exact > 150);
}

static void shift_is_added_to_the_diagonal(void **unused) {
    (void)unused;
    cdg_random random = {22};
    for (int closed = 0; closed < 2; closed++) {
        pobd_case *c = make(&random, 11, closed, CLAMPED);
        pobd_dense dense = dense_assemble(&c->problem, false);
        for (size_t k = 0; k < dense.size; k++) {
            bool is_node = k < 3 * c->problem.node_count;
            if (!is_node || isfinite(c->node_weight[k / 3])) dense.a[k * dense.size + k] += is_node ? 3 : 5;
        }
        dense_solve(&dense);
        pobd_chain chain;
        pobd_chain_init(&chain, &c->problem, c->scratch);
        assert_true(pobd_chain_eliminate(&chain, false, 3, 5));
        pobd_chain_substitute(&chain);
        for (size_t i = 0; i < c->problem.node_count; i++)
            assert_near(chain.correction.x[1][i], (double)dense.right[3 * i + 1], 1e-9);
        dense_destroy(&dense);
        case_destroy(c);
    }
}

static void indefinite_matrix_is_noticed(void **unused) {
    (void)unused;
    cdg_random random = {23};
    for (size_t place = 0; place < 12; place++)
        for (int closed = 0; closed < 2; closed++) {
            pobd_case *c = case_random(&random, 12, closed, 0.01);
            // without weight, an element pressed to a tenth of its length buckles
            for (size_t i = 0; i < c->problem.node_count; i++) c->node_weight[i] = 1e-6;
            c->rest_strain[2][place] = 9;
            pobd_chain chain;
            pobd_chain_init(&chain, &c->problem, c->scratch);
            for (int v = 0; v < 3; v++) {
                chain.kernels = pobd_kernels_choose(vector_sizes[v]);
                assert_false(pobd_chain_eliminate(&chain, true, 0, 0));
                assert_true(pobd_chain_eliminate(&chain, false, 0, 0));
            }
            case_destroy(c);
        }
}

static void not_a_number_is_not_positive(void **unused) {
    (void)unused;
    cdg_random random = {24};
    pobd_case *c = case_random(&random, 9, false, 0.1);
    for (size_t j = 0; j < 9; j++) {
        double keep = c->problem.q[1][j];
        c->problem.q[1][j] = NAN;
        pobd_chain chain;
        pobd_chain_init(&chain, &c->problem, c->scratch);
        assert_false(pobd_chain_eliminate(&chain, true, 0, 0));
        c->problem.q[1][j] = keep;
    }
    case_destroy(c);
}

static void advance_moves_and_can_be_taken_back(void **unused) {
    (void)unused;
    cdg_random random = {25};
    for (int v = 0; v < 3; v++) {
        pobd_case *c = case_random(&random, 13, false, 0.3);
        pobd_problem *p = &c->problem;
        c->node_weight[4] = INFINITY;
        pobd_chain chain;
        pobd_chain_init(&chain, p, c->scratch);
        chain.kernels = pobd_kernels_choose(vector_sizes[v]);
        assert_true(pobd_chain_eliminate(&chain, false, 0, 0));
        pobd_chain_substitute(&chain);
        double x[3][14];
        cdg_quat q[13];
        for (size_t j = 0; j < 13; j++) q[j] = quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]);
        for (int k = 0; k < 3; k++) memcpy(x[k], p->x[k], sizeof x[k]);
        pobd_chain_advance(&chain, 0.01);
        for (size_t j = 0; j < 13; j++) {
            cdg_vec3 t = vec3(chain.correction.t[0][j], chain.correction.t[1][j], chain.correction.t[2][j]);
            cdg_quat wanted = quat_multiply(q[j], quat_exp(vec3_scale(0.01, t)));
            assert_rotation_near(quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]), wanted, 1e-6 * vec3_norm(t));
            assert_near(p->x[1][j], x[1][j] + (j == 4 ? 0 : 0.01) * chain.correction.x[1][j], j == 4 ? 0 : 1e-14);
        }
        pobd_chain_advance(&chain, -0.01);
        pobd_chain_advance(&chain, 1);
        for (size_t j = 0; j < 13; j++) {
            cdg_quat now = quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]);
            assert_near(quat_dot(now, now), 1, 1e-15 * 4);
        }
        pobd_chain_advance(&chain, -1);
        for (size_t j = 0; j < 13; j++) {
            assert_rotation_near(quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]), q[j], 1e-14);
            assert_near(p->x[2][j], x[2][j], 1e-13);
        }
        case_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correction_equals_dense_solution),    cmocka_unit_test(shift_is_added_to_the_diagonal),
        cmocka_unit_test(indefinite_matrix_is_noticed),        cmocka_unit_test(not_a_number_is_not_positive),
        cmocka_unit_test(advance_moves_and_can_be_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
