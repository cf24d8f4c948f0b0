// Arc length: closed forms, equal spacing, cusps, curves of many pieces, curves without length.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/arc_length.h"
#include "near.h"

#define PI 3.14159265358979323846

// An ellipse in `piece_count` unequal pieces; context holds the semi-axes and the count.
typedef struct ellipse {
    double a, b;
    size_t piece_count;
} ellipse;

static void ellipse_point(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    const ellipse *e = context;
    double n = (double)e->piece_count, from = 2 * PI * pow((double)piece / n, 1.5),
           to = 2 * PI * pow((double)(piece + 1) / n, 1.5), t = from + u * (to - from);
    *position = vec3(e->a * cos(t), e->b * sin(t), 0);
    *derivative = vec3_scale(to - from, vec3(-e->a * sin(t), e->b * cos(t), 0));
}

// The semicubical parabola (s^2, s^3) with its cusp at s = 0 inside the piece.
static void cusp_point(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    (void)context;
    (void)piece;
    double s = 2 * u - 0.7;
    *position = vec3(s * s, s * s * s, 0);
    *derivative = vec3(4 * s, 6 * s * s, 0);
}

static double cusp_half(double s) { return (pow(4 + 9 * s * s, 1.5) - 8) / 27; }

static void still_point(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    (void)piece;
    double value = *(const double *)context;
    *position = vec3(value, value * u, 0);
    *derivative = vec3(0, value, 0);
}

static void test_ellipse_length(void **state) {
    (void)state;
    // complete elliptic integral 8 E(3/4) for the semi-axes 2 and 1
    const double expected = 9.6884482205476761984;
    for (size_t pieces = 1; pieces < 40; pieces += 3) {
        ellipse e = {2, 1, pieces};
        cdg_curve curve = {&e, pieces, ellipse_point};
        double length = 0;
        assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
        assert_near(length, expected, 1e-13 * expected);
    }
}

static void test_nodes_are_equally_spaced(void **state) {
    (void)state;
    enum { COUNT = 30, FINE = 50 };
    ellipse e = {3, 0.2, 5};
    cdg_curve curve = {&e, 5, ellipse_point};
    cdg_vec3 coarse[COUNT], fine[COUNT * FINE + 1];
    assert_int_equal(cdg_curve_sample(&curve, COUNT, true, coarse, NULL), CDG_OK);
    assert_int_equal(cdg_curve_sample(&curve, COUNT * FINE, false, fine, NULL), CDG_OK);
    double expected = 0, length;
    assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
    for (int i = 0; i < COUNT; i++) {
        // spacing in arc length does not depend on how many nodes there are
        assert_vec3_near(coarse[i], fine[i * FINE], 1e-13);
        assert_near(pow(coarse[i].x / 3, 2) + pow(coarse[i].y / 0.2, 2), 1, 1e-13);
    }
    for (int i = 0; i < COUNT * FINE; i++) {
        double chord = vec3_distance(fine[i], fine[i + 1]);
        assert_true(chord <= length / (COUNT * FINE) * (1 + 1e-12));
        expected += chord;
    }
    assert_near(expected, length, 1e-3 * length); // chords are shorter, by little
    assert_vec3_near(fine[0], fine[COUNT * FINE], 1e-14);
}

static void test_cusp(void **state) {
    (void)state;
    enum { COUNT = 64 };
    cdg_curve curve = {NULL, 1, cusp_point};
    double length = 0, total = cusp_half(0.7) + cusp_half(1.3);
    assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
    assert_near(length, total, 1e-13);
    cdg_vec3 nodes[COUNT + 1];
    assert_int_equal(cdg_curve_sample(&curve, COUNT, false, nodes, NULL), CDG_OK);
    for (int i = 0; i <= COUNT; i++) {
        double s = cbrt(nodes[i].y), from_start = cusp_half(0.7) + (s < 0 ? -cusp_half(s) : cusp_half(s));
        assert_near(from_start, total * i / COUNT, 1e-12);
    }
}

static void test_one_element_has_the_ends(void **state) {
    (void)state;
    cdg_curve curve = {NULL, 1, cusp_point};
    cdg_vec3 nodes[2];
    assert_int_equal(cdg_curve_sample(&curve, 1, false, nodes, NULL), CDG_OK);
    assert_vec3_near(nodes[0], vec3(0.49, -0.343, 0), 1e-15);
    assert_vec3_near(nodes[1], vec3(1.69, 2.197, 0), 1e-15);
}

static void test_no_length_is_an_error(void **state) {
    (void)state;
    const double values[] = {0, INFINITY, NAN, 1e200};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        cdg_curve curve = {&values[i], 3, still_point};
        double length;
        cdg_vec3 nodes[5];
        cdg_error error = {0};
        assert_int_equal(cdg_curve_length(&curve, &length, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "length"));
        assert_int_equal(cdg_curve_sample(&curve, 4, false, nodes, &error), CDG_ERROR_ARGUMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipse_length),
        cmocka_unit_test(test_nodes_are_equally_spaced),
        cmocka_unit_test(test_cusp),
        cmocka_unit_test(test_one_element_has_the_ends),
        cmocka_unit_test(test_no_length_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
