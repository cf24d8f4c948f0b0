// A pair of segments: energy as that of net.h, gradient and Hessian against differences of the energy, at random
// frames, lengths, rest turns and stiffness, with and without what damping remembers; without the geometric terms
// never indefinite.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "rods/der/net_pair.h"

typedef struct pair_case {
    cdg_net_pair pair;
    der_pair der;
    cdg_quat q[2];
    cdg_vec3 edge[2];
} pair_case;

static cdg_quat random_frame(cdg_random *random) { return quat_exp(random_vec3(random, 3)); }

static void draw(pair_case *c, cdg_random *random) {
    c->pair = (cdg_net_pair){.rest = random_frame(random)};
    // K = sum of squares of random directions
    for (int k = 0; k < 4; k++) {
        cdg_vec3 n = random_vec3(random, 2);
        const double part[6] = {n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z};
        for (int i = 0; i < 6; i++) c->pair.stiffness[i] += part[i];
    }
    c->q[0] = random_frame(random);
    c->q[1] = quat_multiply(quat_multiply(c->q[0], c->pair.rest), quat_exp(random_vec3(random, 1)));
    if (random_unit(random) < 0.5) c->q[1] = quat_negate(c->q[1]);
    for (int s = 0; s < 2; s++) c->edge[s] = vec3_scale(0.2 + random_unit(random), quat_d3(c->q[s]));
    c->der = (der_pair){.pair = &c->pair, .factor = 1};
}

// Moved unknowns: edges change, frames follow.
static void evaluate(const pair_case *c, const double move[DER_PAIR_SIZE], double geometric, der_pair_state *out) {
    cdg_quat q[2];
    double inverse[2];
    for (int s = 0; s < 2; s++) {
        const double *m = move + 4 * s;
        cdg_vec3 edge = vec3_add(c->edge[s], vec3(m[0], m[1], m[2]));
        q[s] = der_transport(c->q[s], vec3_normalize(edge), m[3]);
        inverse[s] = 1 / vec3_norm(edge);
    }
    der_pair_evaluate(&c->der, q[0], inverse[0], q[1], inverse[1], geometric, out);
}

// The Hessian at a place is by the unknowns that start there: gradients of moved frames are by others, so differences
// are those of the energy.
static void test_derivatives(void **state) {
    (void)state;
    cdg_random random = {31};
    for (int round = 0; round < 60; round++) {
        pair_case c;
        draw(&c, &random);
        if (round % 2 == 1) c.der.factor = 3, c.der.rest = random_vec3(&random, 0.3);
        der_pair_state here, there[4];
        double zero[DER_PAIR_SIZE] = {0}, d = 1e-4;
        evaluate(&c, zero, 1, &here);
        if (round % 2 == 0) assert_near(here.energy, cdg_net_pair_energy(&c.pair, c.q[0], c.q[1]), 1e-13 * here.energy);
        double scale = 0;
        for (int i = 0; i < DER_PAIR_SIZE; i++) scale = fmax(scale, fabs(here.hessian[i][i]));
        for (int i = 0; i < DER_PAIR_SIZE; i++)
            for (int j = 0; j < DER_PAIR_SIZE; j++) {
                for (int k = 0; k < 4; k++) {
                    double move[DER_PAIR_SIZE] = {0};
                    move[i] += k % 2 == 0 ? d : -d;
                    move[j] += k / 2 == 0 ? d : -d;
                    evaluate(&c, move, 1, &there[k]);
                }
                double second = (there[0].energy - there[1].energy - there[2].energy + there[3].energy) / (4 * d * d);
                assert_near(here.hessian[i][j], second, 1e-5 * scale);
                if (i == j) assert_near(here.gradient[i], (there[0].energy - there[3].energy) / (4 * d), 1e-5 * scale);
            }
    }
}

static void test_rest_and_rigid_motion(void **state) {
    (void)state;
    cdg_random random = {32};
    for (int round = 0; round < 20; round++) {
        pair_case c;
        der_pair_state out, turned;
        double zero[DER_PAIR_SIZE] = {0};
        draw(&c, &random);
        evaluate(&c, zero, 1, &out);
        cdg_quat turn = random_frame(&random);
        for (int s = 0; s < 2; s++) c.q[s] = quat_multiply(turn, c.q[s]), c.edge[s] = quat_rotate(turn, c.edge[s]);
        evaluate(&c, zero, 1, &turned);
        assert_near(turned.energy, out.energy, 1e-12 * out.energy);
        for (int s = 0; s < 2; s++) {
            const double *before = out.gradient + 4 * s, *after = turned.gradient + 4 * s;
            cdg_vec3 force = quat_rotate(turn, vec3(before[0], before[1], before[2]));
            assert_vec3_near(vec3(after[0], after[1], after[2]), force, 1e-10);
            assert_near(after[3], before[3], 1e-10);
        }
        // no moment on the two together: edges times forces and angles about tangents
        cdg_vec3 moment = vec3(0, 0, 0);
        for (int s = 0; s < 2; s++) {
            const double *g = turned.gradient + 4 * s;
            moment = vec3_add(moment, vec3_cross(c.edge[s], vec3(g[0], g[1], g[2])));
            moment = vec3_mad(moment, g[3], quat_d3(c.q[s]));
        }
        assert_vec3_near(moment, vec3(0, 0, 0), 1e-10);
        c.q[1] = quat_multiply(c.q[0], c.pair.rest);
        c.edge[1] = quat_d3(c.q[1]);
        evaluate(&c, zero, 1, &out);
        assert_near(out.energy, 0, 1e-25);
    }
}

static void test_definite_without_geometric_terms(void **state) {
    (void)state;
    cdg_random random = {33};
    for (int round = 0; round < 40; round++) {
        pair_case c;
        der_pair_state out;
        double zero[DER_PAIR_SIZE] = {0};
        draw(&c, &random);
        evaluate(&c, zero, 0, &out);
        for (int k = 0; k < 20; k++) {
            double x[DER_PAIR_SIZE], sum = 0;
            for (int i = 0; i < DER_PAIR_SIZE; i++) x[i] = random_in(&random, -1, 1);
            for (int i = 0; i < DER_PAIR_SIZE; i++)
                for (int j = 0; j < DER_PAIR_SIZE; j++) sum += x[i] * out.hessian[i][j] * x[j];
            assert_true(sum >= -1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_rest_and_rigid_motion),
        cmocka_unit_test(test_definite_without_geometric_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
