// Energies of elements and cells, one in each lane: derivatives against differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch_terms.h"
#include "math/random.h"
#include "near.h"

enum { LANES = CDG_PATCH_LANES };
static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static void put_quat(cdg_patch_lane to[4], size_t lane, cdg_quat q) {
    to[0][lane] = q.w, to[1][lane] = q.x, to[2][lane] = q.y, to[3][lane] = q.z;
}
static void put_vec3(cdg_patch_lane to[3], size_t lane, cdg_vec3 v) {
    to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
}

// Edges and frames of all lanes, moved by the same: edge by by[0..2], frame by by[3..5].
typedef struct edge_case {
    cdg_edge_laws laws;
    cdg_vec3 edge[LANES];
    cdg_quat q[LANES];
} edge_case;

static void evaluate_edges(const edge_case *c, const double by[6], cdg_patch_order order, cdg_edge_terms *out) {
    cdg_patch_quats q;
    cdg_patch_vectors edge;
    for (size_t k = 0; k < LANES; k++) {
        put_vec3(edge.of, k, vec3_add(c->edge[k], vec3(by[0], by[1], by[2])));
        put_quat(q.of, k, quat_multiply(c->q[k], quat_exp(vec3(by[3], by[4], by[5]))));
    }
    cdg_edges_evaluate(&c->laws, &q, &edge, order, out);
}

static void edges_have_their_derivatives(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 80; round++) {
        edge_case c = {.laws = {.kind = (cdg_edge_kind)(round % 4)}};
        double size = round % 8 < 4 ? 0.1 : 0.04; // below half its length there is a barrier
        for (size_t k = 0; k < LANES; k++) {
            c.laws.length[k] = 0.1;
            c.laws.stiffness[0][k] = c.laws.stiffness[1][k] = 30, c.laws.stiffness[2][k] = 40;
            c.q[k] = random_rotation(&random);
            cdg_vec3 y = vec3_normalize(vec3_add(random_vec3(&random, 0.3), vec3(0, 0, 1)));
            c.edge[k] = quat_rotate(c.q[k], vec3_scale(size, y));
        }
        const double none[6] = {0};
        cdg_edge_terms t, low, high;
        evaluate_edges(&c, none, CDG_PATCH_FIRST, &low);
        evaluate_edges(&c, none, CDG_PATCH_SECOND, &t);
        for (size_t k = 0; k < LANES; k++)
            for (int a = 0; a < 3; a++) {
                assert_near(low.force[a][k], t.force[a][k], 1e-12 * 40);
                assert_near(low.torque[a][k], t.torque[a][k], 1e-12 * 40);
            }
        for (int a = 0; a < 6; a++) {
            double by[6] = {0}, h = a < 3 ? 1e-6 : 1e-5, scale = a < 3 ? 1 / size : 1;
            by[a] = h;
            evaluate_edges(&c, by, CDG_PATCH_FIRST, &high);
            by[a] = -h;
            evaluate_edges(&c, by, CDG_PATCH_FIRST, &low);
            for (size_t k = 0; k < LANES; k++) {
                double first = a < 3 ? t.force[a][k] : t.torque[a - 3][k];
                assert_near(first, (high.energy[k] - low.energy[k]) / (2 * h), 1e-6 * 40 * scale * size * 10);
                for (int i = 0; i < 3; i++) {
                    double block = a < 3 ? t.edge[place[a][i]][k] : t.mixed[3 * (a - 3) + i][k];
                    assert_near(block, (high.force[i][k] - low.force[i][k]) / (2 * h),
                                2e-6 * 400 / size * (a < 3 ? 1 : size));
                }
                if (a < 3) continue;
                double second = (high.energy[k] - 2 * t.energy[k] + low.energy[k]) / (h * h);
                assert_near(t.turn[place[a - 3][a - 3]][k], second, 1e-3);
            }
        }
        for (int a = 0; a < 3; a++) // between turns
            for (int b = 0; b < a; b++) {
                double sum[LANES] = {0}, h = 1e-4;
                for (int sign = 0; sign < 4; sign++) {
                    double by[6] = {0};
                    by[3 + a] = sign & 1 ? h : -h, by[3 + b] = sign & 2 ? h : -h;
                    evaluate_edges(&c, by, CDG_PATCH_FIRST, &high);
                    for (size_t k = 0; k < LANES; k++) sum[k] += (sign == 0 || sign == 3 ? 1 : -1) * high.energy[k];
                }
                for (size_t k = 0; k < LANES; k++) assert_near(t.turn[place[a][b]][k], sum[k] / (4 * h * h), 1e-5);
            }
    }
}

// A pressed edge is stiffer across without its pressure, and has the same forces.
static void clipping_leaves_forces(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        edge_case c = {.laws = {.kind = (cdg_edge_kind)kind, .follows = kind >= 2}};
        cdg_patch_quats q;
        cdg_patch_vectors edge;
        cdg_edge_terms exact, clipped;
        for (size_t k = 0; k < LANES; k++) {
            c.laws.length[k] = 0.1;
            c.laws.stiffness[0][k] = c.laws.stiffness[1][k] = c.laws.stiffness[2][k] = 40;
            put_quat(q.of, k, quat_identity());
            put_vec3(edge.of, k, vec3(0, 0, k < 4 ? 0.09 : 0.11));
        }
        cdg_edges_evaluate(&c.laws, &q, &edge, CDG_PATCH_SECOND, &exact);
        cdg_edges_evaluate(&c.laws, &q, &edge, CDG_PATCH_CLIPPED, &clipped);
        for (size_t k = 0; k < LANES; k++) {
            assert_true(exact.force[2][k] == clipped.force[2][k]);
            double across[2] = {kind == 0 ? -exact.mixed[1][k] : exact.edge[0][k],
                                kind == 0 ? -clipped.mixed[1][k] : clipped.edge[0][k]};
            if (k >= 4)
                assert_true(across[0] == across[1]);
            else
                assert_true(kind == 0 ? fabs(across[1] - across[0]) > 1 : across[1] > across[0]);
        }
    }
}

typedef struct cell_case {
    cdg_cell_laws laws;
    cdg_quat left[LANES], right[LANES];
} cell_case;

static void evaluate_cells(const cell_case *c, const double by[6], cdg_patch_order order, cdg_cell_terms *out) {
    cdg_patch_quats left, right;
    for (size_t k = 0; k < LANES; k++) {
        put_quat(left.of, k, quat_multiply(c->left[k], quat_exp(vec3(by[0], by[1], by[2]))));
        put_quat(right.of, k, quat_multiply(c->right[k], quat_exp(vec3(by[3], by[4], by[5]))));
    }
    cdg_cells_evaluate(&c->laws, &left, &right, order, out);
}

static double block(const cdg_cell_terms *t, int i, int k, size_t lane) { // i >= k
    if (i < 3) return t->left_left[place[i][k]][lane];
    if (k >= 3) return t->right_right[place[i - 3][k - 3]][lane];
    return t->left_right[3 * k + i - 3][lane];
}

static void cells_have_their_derivatives(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 120; round++) {
        cell_case c = {.laws = {.kind = (cdg_cell_kind)(round % 6)}};
        for (size_t k = 0; k < LANES; k++) {
            cdg_quat rest = quat_exp(random_vec3(&random, 0.4));
            c.laws.stiffness[0][k] = 1.5, c.laws.stiffness[1][k] = 2.5, c.laws.stiffness[2][k] = 2;
            put_quat(c.laws.rest, k, rest);
            cdg_vec3 half =
                c.laws.kind <= CDG_CELL_ANGLE ? cdg_cell_half_strain(c.laws.kind, rest) : random_vec3(&random, 0.2);
            put_vec3(c.laws.rest_half, k, half);
            c.laws.near[k] = k < 4 ? 0 : 6.283185307179586 * 3;
            c.left[k] = random_rotation(&random);
            c.right[k] = quat_multiply(c.left[k], quat_exp(random_vec3(&random, 0.6)));
            if (random_unit(&random) < 0.5) c.right[k] = quat_negate(c.right[k]);
        }
        const double none[6] = {0}, h = 1e-5;
        cdg_cell_terms t, low, high;
        evaluate_cells(&c, none, CDG_PATCH_FIRST, &low);
        evaluate_cells(&c, none, CDG_PATCH_SECOND, &t);
        for (size_t k = 0; k < LANES; k++)
            for (int a = 0; a < 3; a++) {
                assert_near(low.left[a][k], t.left[a][k], 1e-12 * 100);
                assert_near(low.right[a][k], t.right[a][k], 1e-12 * 100);
            }
        for (int a = 0; a < 6; a++) {
            double by[6] = {0};
            by[a] = h;
            evaluate_cells(&c, by, CDG_PATCH_FIRST, &high);
            by[a] = -h;
            evaluate_cells(&c, by, CDG_PATCH_FIRST, &low);
            for (size_t k = 0; k < LANES; k++) {
                double scale = c.laws.near[k] != 0 ? 100 : 10, first = a < 3 ? t.left[a][k] : t.right[a - 3][k];
                assert_near(first, (high.energy[k] - low.energy[k]) / (2 * h), 1e-7 * scale);
                assert_near(block(&t, a, a, k), (high.energy[k] - 2 * t.energy[k] + low.energy[k]) / (h * h),
                            1e-4 * scale);
            }
        }
        // between different turns: the second difference of the energy, of turns made at once
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < a; b++) {
                double sum[LANES] = {0};
                for (int sign = 0; sign < 4; sign++) {
                    double by[6] = {0};
                    by[a] = sign & 1 ? h : -h, by[b] = sign & 2 ? h : -h;
                    evaluate_cells(&c, by, CDG_PATCH_FIRST, &high);
                    for (size_t k = 0; k < LANES; k++) sum[k] += (sign == 0 || sign == 3 ? 1 : -1) * high.energy[k];
                }
                for (size_t k = 0; k < LANES; k++)
                    assert_near(block(&t, a, b, k), sum[k] / (4 * h * h), 1e-4 * (c.laws.near[k] != 0 ? 100 : 10));
            }
    }
}

// Lanes that nobody needs neither have energy nor spoil the others.
static void empty_lanes_are_still(void **state) {
    (void)state;
    cell_case c = {.laws = {.kind = CDG_CELL_CURL_ANGLE}};
    edge_case e = {.laws = {.kind = CDG_EDGE_COUPLED}};
    cdg_cell_terms cells;
    cdg_edge_terms edges;
    const double none[6] = {0};
    for (size_t k = 0; k < LANES; k++) {
        cdg_cell_law_clear(&c.laws, k), cdg_edge_law_clear(&e.laws, k);
        c.left[k] = c.right[k] = e.q[k] = quat_identity();
        e.edge[k] = vec3(0, 0, 1);
    }
    evaluate_cells(&c, none, CDG_PATCH_SECOND, &cells);
    evaluate_edges(&e, none, CDG_PATCH_SECOND, &edges);
    for (size_t k = 0; k < LANES; k++) assert_true(cells.energy[k] == 0 && edges.energy[k] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_have_their_derivatives), cmocka_unit_test(clipping_leaves_forces),
        cmocka_unit_test(cells_have_their_derivatives), cmocka_unit_test(empty_lanes_are_still)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
