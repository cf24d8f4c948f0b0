// Nearest points of a circle's nodes, whole and open, in space and in a plane; straight rods; rows by cubics.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "sweep/fit_curve.h"

enum { NODES = 24 };
static const double pi = 3.141592653589793;
static const bool all[3] = {true, true, true}, plane[3] = {true, false, true};

static void check_foot(const cdg_vec3 *nodes, const cdg_curve_foot *f) {
    cdg_vec3 sum = {0, 0, 0};
    double weight = 0;
    for (int k = 0; k < 4; k++) {
        sum = vec3_mad(sum, f->weights[k], nodes[f->nodes[k]]);
        weight += f->weights[k];
    }
    assert_vec3_near(sum, f->at, 1e-14);
    assert_near(weight, 1, 1e-13);
}

static void test_circle(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_vec3 nodes[NODES];
        double sweep = is_closed ? 2 * pi : 1.5 * pi, steps = is_closed ? NODES : NODES - 1;
        for (int i = 0; i < NODES; i++) nodes[i] = vec3(cos(sweep * i / steps), 0.3, sin(sweep * i / steps));
        for (int trial = 0; trial < 200; trial++) {
            double angle = random_in(&random, 0.01, sweep - 0.01), away = random_in(&random, 0.9, 1.1);
            cdg_vec3 point = vec3(away * cos(angle), 7, away * sin(angle)); // far off, which the picture does not see
            cdg_curve_foot f = cdg_curve_foot_find(nodes, NODES, is_closed, plane, point);
            check_foot(nodes, &f);
            assert_vec3_near(cdg_curve_at(nodes, NODES, is_closed, 3), nodes[3], 1e-15);
            assert_near(f.at.x, cos(angle), 2e-4); // a cubic through arcs of 15 degrees
            assert_near(f.at.z, sin(angle), 2e-4);
            assert_false(f.is_end);
            cdg_vec3 d = vec3_sub(f.at, point);
            assert_near(d.x * f.tangent.x + d.z * f.tangent.z, 0, 1e-12);
            assert_near(fabs(f.tangent.x * sin(angle) - f.tangent.z * cos(angle)), 1, 1e-4);
            point.y = 0.3;
            cdg_curve_foot g = cdg_curve_foot_find(nodes, NODES, is_closed, all, point);
            assert_vec3_near(f.at, g.at, 1e-9);
        }
    }
    // Beyond an end.
    cdg_vec3 nodes[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    cdg_curve_foot f = cdg_curve_foot_find(nodes, 3, false, all, vec3(2.4, 0.1, 0));
    assert_true(f.is_end);
    assert_vec3_near(f.at, nodes[2], 1e-15);
    check_foot(nodes, &f);
    f = cdg_curve_foot_find(nodes, 2, false, all, vec3(0.25, 0.1, 0));
    assert_vec3_near(f.at, vec3(0.25, 0, 0), 1e-12);
    check_foot(nodes, &f);
    f = cdg_curve_foot_find(nodes, 3, false, all, vec3(-1, 0, 0));
    assert_true(f.is_end);
    assert_vec3_near(f.at, nodes[0], 1e-15);
}

static double value_at(const double *at, const double *values, size_t count, double where) {
    double weights[4], sum = 0;
    size_t used, first = cdg_row_weights(at, count, where, weights, &used);
    assert_true(first + used <= count);
    for (size_t i = 0; i < used; i++) sum += weights[i] * values[first + i];
    return sum;
}

static void test_rows(void **state) {
    (void)state;
    double at[9], values[9];
    for (int i = 0; i < 9; i++) at[i] = i + 0.1 * sin(i), values[i] = pow(at[i], 3) - 2 * at[i];
    for (double where = 0; where <= at[8]; where += 0.05)
        assert_near(value_at(at, values, 9, where), pow(where, 3) - 2 * where, 1e-10);
    assert_near(value_at(at, values, 9, at[4]), values[4], 1e-12);
    double slope = (values[8] - values[7]) / (at[8] - at[7]);
    assert_near(value_at(at, values, 9, at[8] + 1), values[8] + slope, 1e-9);
    assert_near(value_at(at, values, 1, 17), values[0], 0);
    assert_near(value_at(at, values, 2, 0.5 * at[1]), 0.5 * values[1], 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circle), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
