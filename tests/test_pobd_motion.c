// Time integration: closed forms of both schemes, freely spinning frames, agreement of the instruction sets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/processor.h"
#include "math/random.h"
#include "near.h"
#include "rods/pobd/motion.h"

enum { NODES = 14, ELEMENTS = NODES - 1 };

// A rod with every array in one struct.
typedef struct motion_rod {
    cdg_rod rod;
    double x[9][NODES], v[9][NODES], q[12][ELEMENTS], w[9][ELEMENTS], mass[NODES];
    double force[3][NODES], torque[3][ELEMENTS], inertia[3][ELEMENTS];
    double target_x[3][NODES], target_q[4][ELEMENTS], node_weight[NODES], frame_weight[3][ELEMENTS];
    cdg_rod_loads loads;
    pobd_targets targets;
} motion_rod;

static void link_arrays(motion_rod *m) {
    m->rod.node_count = NODES;
    m->rod.element_count = ELEMENTS;
    m->rod.node_mass = m->mass;
    for (int k = 0; k < 3; k++) {
        m->rod.x[k] = m->x[k], m->rod.x_next[k] = m->x[3 + k], m->rod.x_before[k] = m->x[6 + k];
        m->rod.v[k] = m->v[k], m->rod.v_next[k] = m->v[3 + k], m->rod.v_before[k] = m->v[6 + k];
        m->rod.w[k] = m->w[k], m->rod.w_next[k] = m->w[3 + k], m->rod.w_before[k] = m->w[6 + k];
        m->loads.force[k] = m->force[k], m->loads.torque[k] = m->torque[k];
        m->targets.x[k] = m->target_x[k];
        m->targets.frame_weight[k] = m->frame_weight[k];
    }
    for (int k = 0; k < 4; k++) {
        m->rod.q[k] = m->q[k], m->rod.q_next[k] = m->q[4 + k], m->rod.q_before[k] = m->q[8 + k];
        m->targets.q[k] = m->target_q[k];
    }
    m->targets.node_weight = m->node_weight;
}

static motion_rod *random_rod(uint64_t seed) {
    motion_rod *m = calloc(1, sizeof *m);
    assert_non_null(m);
    link_arrays(m);
    cdg_random random = {seed};
    for (size_t i = 0; i < NODES; i++) {
        m->mass[i] = random_in(&random, 0.5, 2);
        for (int k = 0; k < 9; k++) m->x[k][i] = random_in(&random, -1, 1), m->v[k][i] = random_in(&random, -1, 1);
        for (int k = 0; k < 3; k++) m->force[k][i] = random_in(&random, -1, 1);
    }
    for (size_t j = 0; j < ELEMENTS; j++) {
        cdg_quat q = random_rotation(&random);
        rod_set_quat(m->rod.q, j, q);
        rod_set_quat(m->rod.q_before, j, quat_multiply(q, quat_exp(random_vec3(&random, 0.05))));
        rod_set_quat(m->rod.q_next, j, quat_multiply(q, quat_exp(random_vec3(&random, 0.05))));
        for (int k = 0; k < 9; k++) m->w[k][j] = random_in(&random, -1, 1);
        for (int k = 0; k < 3; k++)
            m->torque[k][j] = random_in(&random, -1, 1), m->inertia[k][j] = random_in(&random, 1, 3);
    }
    m->rod.drag_rate = 0.7;
    return m;
}

static pobd_inertia own_inertia(const motion_rod *m) {
    return (pobd_inertia){{m->inertia[0], m->inertia[1], m->inertia[2]}, 1};
}

static void test_targets_follow_the_formula(void **state) {
    (void)state;
    const pobd_scheme schemes[] = {{0.01, 0}, {2 * 0.01 / 3, 1.0 / 3}};
    for (int s = 0; s < 2; s++) {
        motion_rod *m = random_rod(5);
        pobd_inertia inertia = own_inertia(m);
        double h = schemes[s].h, slow = 1 + 0.7 * h;
        pobd_predict(&m->rod, schemes[s], &m->loads, &inertia, &m->targets);
        for (size_t i = 0; i < NODES; i++) {
            assert_near(m->node_weight[i], m->mass[i] * slow / (h * h), 1e-9 * m->node_weight[i]);
            for (int k = 0; k < 3; k++) {
                double x = m->x[k][i], v = m->v[k][i];
                double x_hat = s ? (4 * x - m->x[6 + k][i]) / 3 : x, v_hat = s ? (4 * v - m->v[6 + k][i]) / 3 : v;
                double expected = x_hat + (h * v_hat + h * h * m->force[k][i] / m->mass[i]) / slow;
                assert_near(m->target_x[k][i], expected, 1e-14);
            }
        }
        free(m);
    }
}

// Without torque and with equal inertias the spin after the step is the spin before it, to rounding, in both schemes.
static void test_free_spin_is_kept(void **state) {
    (void)state;
    motion_rod *m = random_rod(6);
    memset(m->torque, 0, sizeof m->torque);
    for (int k = 0; k < 3; k++) m->targets.frame_weight[k] = m->frame_weight[0];
    m->rod.drag_rate = 0;
    pobd_inertia inertia = own_inertia(m);
    for (int s = 0; s < 2; s++) {
        pobd_scheme scheme = s ? (pobd_scheme){2 * 0.01 / 3, 1.0 / 3} : (pobd_scheme){0.01, 0};
        pobd_predict(&m->rod, scheme, &m->loads, &inertia, &m->targets);
        memcpy(m->q[4], m->target_q, sizeof m->target_q);
        assert_true(pobd_finish(&m->rod, scheme));
        for (size_t j = 0; j < ELEMENTS; j++)
            for (int k = 0; k < 3; k++) {
                double expected = s ? (4 * m->w[k][j] - m->w[6 + k][j]) / 3 : m->w[k][j];
                assert_near(m->rod.w_next[k][j], expected, 1e-12);
            }
    }
    free(m);
}

// Euler's equations: the rate of spin after a short step is the analytic one, gyroscopic term included.
static void test_gyroscopic_torque(void **state) {
    (void)state;
    motion_rod *m = random_rod(7);
    m->rod.drag_rate = 0;
    memset(m->torque, 0, sizeof m->torque); // three inertias: the solver takes the torque
    pobd_inertia inertia = own_inertia(m);
    pobd_scheme scheme = {1e-5, 0};
    pobd_predict(&m->rod, scheme, &m->loads, &inertia, &m->targets);
    memcpy(m->q[4], m->target_q, sizeof m->target_q);
    assert_true(pobd_finish(&m->rod, scheme));
    for (size_t j = 0; j < ELEMENTS; j++) {
        cdg_vec3 w = rod_vec3(m->rod.w, j), i = vec3(m->inertia[0][j], m->inertia[1][j], m->inertia[2][j]);
        cdg_vec3 net = vec3_sub(rod_vec3(m->loads.torque, j), vec3_cross(w, vec3(i.x * w.x, i.y * w.y, i.z * w.z)));
        cdg_vec3 rate = vec3_scale(1e5, vec3_sub(rod_vec3(m->rod.w_next, j), w));
        assert_vec3_near(rate, vec3(net.x / i.x, net.y / i.y, net.z / i.z), 1e-5);
    }
    free(m);
}

static void test_signs_and_bad_numbers(void **state) {
    (void)state;
    motion_rod *a = random_rod(8), *b = random_rod(8);
    for (size_t j = 0; j < ELEMENTS; j += 2) rod_set_quat(b->rod.q_next, j, quat_negate(rod_quat(b->rod.q_next, j)));
    pobd_scheme scheme = {0.01, 0};
    assert_true(pobd_finish(&a->rod, scheme));
    assert_true(pobd_finish(&b->rod, scheme));
    assert_memory_equal(a->w, b->w, sizeof a->w);
    assert_memory_equal(a->q, b->q, sizeof a->q);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        a->x[3 + k][NODES - 1 - k] = bad[k];
        assert_false(pobd_finish(&a->rod, scheme));
        a->x[3 + k][NODES - 1 - k] = 0;
        b->q[4][k] = bad[k];
        assert_false(pobd_finish(&b->rod, scheme));
        b->q[4][k] = 0.5;
    }
    free(a);
    free(b);
}

static void test_spin_far_too_fast_stays_a_rotation(void **state) {
    (void)state;
    motion_rod *m = random_rod(9);
    for (size_t j = 0; j < ELEMENTS; j++) rod_set_vec3(m->rod.w, j, vec3(1e6, -1e5, 3));
    pobd_inertia inertia = own_inertia(m);
    pobd_predict(&m->rod, (pobd_scheme){0.01, 0}, &m->loads, &inertia, &m->targets);
    for (size_t j = 0; j < ELEMENTS; j++) {
        cdg_quat q = rod_quat(m->targets.q, j);
        assert_near(quat_dot(q, q), 1, 1e-14);
    }
    free(m);
}

#if defined(__x86_64__)
typedef void (*predict_function)(const cdg_rod *, pobd_scheme, const cdg_rod_loads *, const pobd_inertia *,
                                 const pobd_targets *);
static void test_instruction_sets_agree(void **state) {
    (void)state;
    const predict_function variants[] = {pobd_predict_base, pobd_predict_avx2, pobd_predict_avx512};
    pobd_scheme scheme = {2 * 0.01 / 3, 1.0 / 3};
    motion_rod *reference = random_rod(10);
    pobd_inertia inertia = own_inertia(reference);
    pobd_predict_base(&reference->rod, scheme, &reference->loads, &inertia, &reference->targets);
    for (int v = 1; v <= (int)cdg_processor_lanes(); v++) {
        motion_rod *m = random_rod(10);
        pobd_inertia own = own_inertia(m);
        variants[v](&m->rod, scheme, &m->loads, &own, &m->targets);
        for (size_t j = 0; j < ELEMENTS; j++) {
            assert_vec3_near(rod_vec3(m->targets.x, j), rod_vec3(reference->targets.x, j), 1e-14);
            assert_rotation_near(rod_quat(m->targets.q, j), rod_quat(reference->targets.q, j), 1e-14);
        }
        free(m);
    }
    free(reference);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_follow_the_formula),
        cmocka_unit_test(test_free_spin_is_kept),
        cmocka_unit_test(test_gyroscopic_torque),
        cmocka_unit_test(test_signs_and_bad_numbers),
        cmocka_unit_test(test_spin_far_too_fast_stays_a_rotation),
#if defined(__x86_64__)
        cmocka_unit_test(test_instruction_sets_agree),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
