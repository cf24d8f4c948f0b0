// The loops of der's explicit step, for each instruction set that this CPU has: the same as spring by spring, frame by
// frame and edge by edge, and numbers that are not finite are found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/explicit.h"

enum { ELEMENTS = 37, NODES = ELEMENTS + 1 };

static int variants(const der_loops *out[3]) {
    int count = 0;
    out[count++] = &der_loops_base;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out[count++] = &der_loops_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        out[count++] = &der_loops_avx512;
#endif
    return count;
}

// A flat, curved rod, shaken, with twists of up to several turns a node, moving.
static der_case make(cdg_random *random, bool is_angle, der_chain *chain) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.der.integrator = CDG_DER_EXPLICIT;
    def.der.curvature = is_angle ? CDG_DER_ANGLE : CDG_DER_TANGENT;
    def.element_count = ELEMENTS;
    def.centerline.line.to = vec3(ELEMENTS, 0, 0);
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = 0.06, def.section.side[1] = 0.03;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.3, def.rest.curvature[1] = -0.2, def.rest.twist = 0.4;
    def.material.young_modulus = 1e6;
    def.material.damping_bend = 1e-2, def.material.damping_twist = 2e-2;
    der_case c = case_build(&def);
    case_shake(&c, random, 3);
    for (size_t i = 0; i < NODES; i++) {
        c.rod->twist[i] += 2 * der_pi * floor(random_in(random, -3, 4));
        rod_set_vec3(c.rod->v, i, random_vec3(random, 1));
    }
    for (size_t j = 0; j < ELEMENTS; j++) c.rod->w[2][j] = random_in(random, -1, 1);
    size_t element;
    der_setup(c.rod, (der_scheme){.is_explicit = true}, &c.loads, c.scratch, chain);
    for (int k = 0; k < 3; k++) memcpy(c.rod->x_next[k], c.rod->x[k], NODES * sizeof(double));
    assert_true(der_chain_start(chain, &element));
    return c;
}

static double largest_of(const double *a, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// What one spring pulls, by single numbers.
static void pull_one(const der_case *c, const der_chain *chain, size_t i, bool is_damped, der_gradient *g) {
    const cdg_rod *rod = c->rod;
    der_spring_state s;
    double motion[2][4], rate[3];
    der_chain_spring(chain, i, &s);
    der_differentiate(&s.strain, &s.stress, &s.left, &s.right, g);
    if (!is_damped) return;
    for (size_t side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) motion[side][k] = rod->v[k][i + side] - rod->v[k][i - 1 + side];
        motion[side][3] = rod->w[2][i - 1 + side];
    }
    der_rates(&s.strain, g, motion[0], motion[1], rate);
    for (int k = 0; k < 2; k++) s.stress.moment[k] += rod->damping_time[2] * chain->bend_stiffness[k][i] * rate[k];
    s.stress.torque += rod->damping_time[3] * chain->bend_stiffness[2][i] * rate[2];
    der_differentiate(&s.strain, &s.stress, &s.left, &s.right, g);
}

static void test_springs_pull(void **state) {
    (void)state;
    const der_loops *loops[3];
    int count = variants(loops);
    for (int round = 0; round < 4 * count; round++) {
        bool is_damped = round % 2 == 1;
        cdg_random random = {91 + (uint64_t)round};
        der_chain chain;
        der_case c = make(&random, round / 2 % 2 == 1, &chain);
        double expected[3][ELEMENTS] = {{0}}, got[3][ELEMENTS] = {{0}}, *pull[3] = {got[0], got[1], got[2]};
        size_t first = 1 + (size_t)(round % 3);
        for (int k = 0; k < 3; k++) expected[k][first - 1] = got[k][first - 1] = 7;
        size_t end = loops[round / 4]->pull_springs(&chain, is_damped ? c.rod->damping_time : NULL, c.rod->v,
                                                    c.rod->w[2], first, ELEMENTS, pull);
        assert_true(end + 8 > ELEMENTS && end <= ELEMENTS);
        for (size_t i = first; i < end; i++) {
            der_gradient g;
            pull_one(&c, &chain, i, is_damped, &g);
            for (int k = 0; k < 3; k++) expected[k][i - 1] += g.left[k], expected[k][i] = g.right[k];
        }
        for (int k = 0; k < 3; k++)
            for (size_t j = 0; j < ELEMENTS; j++)
                assert_near(got[k][j], expected[k][j], 1e-12 * largest_of(expected[k], ELEMENTS));
        case_free(&c);
    }
}

static void test_springs_roll(void **state) {
    (void)state;
    const der_loops *loops[3];
    int count = variants(loops);
    for (int round = 0; round < 2 * count; round++) {
        cdg_random random = {101 + (uint64_t)round};
        der_chain chain;
        der_case c = make(&random, round % 2 == 1, &chain);
        for (size_t j = 0; j < ELEMENTS; j++) chain.theta[j] = random_in(&random, -4, 4);
        double right[2][ELEMENTS], diagonal[2][ELEMENTS], off[2][ELEMENTS] = {{0}}, energy[2] = {1, 1};
        for (int s = 0; s < 2; s++)
            for (size_t j = 0; j < ELEMENTS; j++) right[s][j] = (double)j, diagonal[s][j] = 1;
        size_t end = loops[round / 2]->roll_springs(&chain, 1, ELEMENTS, right[0], diagonal[0], off[0], &energy[0]);
        assert_true(end + 8 > ELEMENTS && end <= ELEMENTS);
        for (size_t i = 1; i < end; i++) {
            der_spring_state s;
            der_gradient g;
            der_hessian h;
            der_chain_spring(&chain, i, &s);
            der_differentiate(&s.strain, &s.stress, &s.left, &s.right, &g);
            der_differentiate_twice(&s.strain, &s.stress, &s.left, &s.right, &g, 1, &h);
            right[1][i - 1] -= g.left_turn, right[1][i] -= g.right_turn;
            diagonal[1][i - 1] += h.turn, diagonal[1][i] += h.turn;
            off[1][i - 1] = h.turns_mixed;
            energy[1] += s.stress.energy;
            assert_near(chain.twist[i], s.strain.twist, 1e-13);
        }
        for (size_t j = 0; j < ELEMENTS; j++) {
            assert_near(right[0][j], right[1][j], 1e-12 * largest_of(right[1], ELEMENTS));
            assert_near(diagonal[0][j], diagonal[1][j], 1e-12 * largest_of(diagonal[1], ELEMENTS));
            assert_near(off[0][j], off[1][j], 1e-12 * largest_of(off[1], ELEMENTS));
        }
        assert_near(energy[0], energy[1], 1e-12 * energy[1]);
        case_free(&c);
    }
}

static void test_frames_turn_and_finish(void **state) {
    (void)state;
    const der_loops *loops[3];
    int count = variants(loops);
    for (int k = 0; k < count; k++) {
        cdg_random random = {111};
        der_chain chain;
        der_case c = make(&random, false, &chain);
        double angle[ELEMENTS], spin = 1e3;
        cdg_quat expected[ELEMENTS];
        for (size_t j = 0; j < ELEMENTS; j++) {
            angle[j] = random_in(&random, -2, 2);
            expected[j] = quat_multiply(rod_quat(chain.q, j), quat_exp(vec3(0, 0, 0.5 * angle[j])));
        }
        size_t end = loops[k]->turn_frames(&chain, angle, 0.5);
        assert_true(end + 8 > ELEMENTS && end <= ELEMENTS);
        for (size_t j = 0; j < end; j++) {
            assert_rotation_near(rod_quat(chain.q, j), expected[j], 1e-14);
            assert_near(chain.theta[j], 0.5 * angle[j], 1e-15);
            if (j % 3 == 0) rod_set_quat(chain.q, j, quat_negate(rod_quat(chain.q, j)));
        }
        for (size_t j = end; j < ELEMENTS; j++) expected[j] = rod_quat(chain.q, j);
        loops[k]->finish_frames(&chain, c.rod->v, spin, c.rod->w_next);
        for (size_t j = 0; j < ELEMENTS; j++) {
            cdg_vec3 d1 = quat_d1(expected[j]), d2 = quat_d2(expected[j]);
            cdg_vec3 v = vec3_sub(rod_vec3(c.rod->v, j + 1), rod_vec3(c.rod->v, j));
            assert_vec3_near(rod_vec3(chain.d1, j), d1, 1e-14);
            assert_vec3_near(rod_vec3(chain.d2, j), d2, 1e-14);
            assert_near(c.rod->w_next[0][j], -vec3_dot(v, d2) * chain.inverse_length[j], 1e-13);
            assert_near(c.rod->w_next[1][j], vec3_dot(v, d1) * chain.inverse_length[j], 1e-13);
            assert_near(c.rod->w_next[2][j], spin * chain.theta[j], 1e-12);
            assert_true(quat_dot(rod_quat(chain.q, j), rod_quat(c.rod->q, j)) >= 0);
        }
        case_free(&c);
    }
}

static void test_finds_what_is_not_finite(void **state) {
    (void)state;
    const der_loops *loops[3];
    int count = variants(loops);
    for (int k = 0; k < count; k++)
        for (size_t place = 0; place < ELEMENTS; place++) {
            cdg_random random = {121};
            double a[NODES], edge[3][ELEMENTS], right[ELEMENTS], diagonal[ELEMENTS], rest[ELEMENTS], mass[NODES];
            double x[3][NODES], *nodes[3] = {x[0], x[1], x[2]}, *edges[3] = {edge[0], edge[1], edge[2]};
            for (size_t i = 0; i < NODES; i++) {
                a[i] = random_in(&random, -1, 1), mass[i] = 1 + random_unit(&random);
                for (int axis = 0; axis < 3; axis++) x[axis][i] = random_in(&random, -1, 1);
            }
            for (size_t j = 0; j < ELEMENTS; j++) rest[j] = 1 + 0.01 * (double)j;
            a[place] = -3;
            assert_near(loops[k]->largest(ELEMENTS, a), 3, 0);
            double worst = 0, sum = 0;
            mass[place] = mass[place + 1] = 0; // held: nothing to move
            double got = loops[k]->find_edges(ELEMENTS, nodes, rest, mass, edges, right, diagonal);
            for (size_t j = 0; j < ELEMENTS; j++) {
                cdg_vec3 e = vec3_sub(rod_vec3(nodes, j + 1), rod_vec3(nodes, j));
                double excess = (vec3_dot(e, e) - rest[j] * rest[j]) / 2, mobility = mass[j] + mass[j + 1];
                worst = fmax(worst, fabs(excess) / (rest[j] * rest[j]));
                sum += a[j] * a[j];
                assert_vec3_near(rod_vec3(edges, j), e, 0);
                assert_near(right[j], mobility > 0 ? -excess : 0, 1e-15);
                assert_near(diagonal[j], mobility > 0 ? mobility * vec3_dot(e, e) : 1, 1e-14);
            }
            assert_near(got, worst, 1e-15);
            assert_near(loops[k]->sum_of_squares(ELEMENTS, a), sum, 1e-13);
            a[place] = place % 2 == 0 ? NAN : -INFINITY;
            assert_true(isinf(loops[k]->largest(ELEMENTS, a)));
            assert_false(isfinite(loops[k]->sum_of_squares(ELEMENTS, a)));
            x[place % 3][place] = NAN;
            assert_true(isinf(loops[k]->find_edges(ELEMENTS, nodes, rest, mass, edges, right, diagonal)));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_pull),
        cmocka_unit_test(test_springs_roll),
        cmocka_unit_test(test_frames_turn_and_finish),
        cmocka_unit_test(test_finds_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
