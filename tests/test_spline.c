// Splines: interpolation, continuity up to curvature, end conditions, order of accuracy, symmetries.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/spline.h"
#include "math/random.h"
#include "near.h"

#define PI 3.14159265358979323846

enum { POINTS_MAX = 400 };

// Second derivative with respect to the spline's parameter, which runs over the chord: exact for a cubic.
static cdg_vec3 second_derivative(const cdg_spline *spline, size_t piece, double u) {
    cdg_curve curve = cdg_spline_curve(spline);
    cdg_vec3 position, left, middle, right;
    double h = 0.25, at = u < 0.5 ? u : u - 2 * h, chord = spline->span[piece];
    curve.evaluate(spline, piece, at, &position, &left);
    curve.evaluate(spline, piece, at + h, &position, &middle);
    curve.evaluate(spline, piece, at + 2 * h, &position, &right);
    // the derivative is a parabola: differentiate it at its near end
    cdg_vec3 slope = u < 0.5 ? vec3_sub(vec3_mad(vec3_scale(-3, left), 4, middle), right)
                             : vec3_add(vec3_mad(vec3_scale(3, right), -4, middle), left);
    return vec3_scale(1 / (2 * h * chord * chord), slope);
}

static void check_spline(const cdg_vec3 *points, size_t count, bool is_closed) {
    cdg_spline spline;
    assert_int_equal(cdg_spline_init(points, count, is_closed, &spline, NULL), CDG_OK);
    cdg_curve curve = cdg_spline_curve(&spline);
    assert_int_equal(curve.piece_count, is_closed ? count : count - 1);
    for (size_t piece = 0; piece < curve.piece_count; piece++) {
        cdg_vec3 position, slope, next_position, next_slope;
        curve.evaluate(&spline, piece, 1, &position, &slope);
        size_t next = (piece + 1) % count;
        assert_memory_equal(&position, &points[next], sizeof position); // bit for bit
        if (!is_closed && next == count - 1) {
            assert_vec3_near(second_derivative(&spline, piece, 1), vec3(0, 0, 0), 1e-9);
            continue;
        }
        curve.evaluate(&spline, next, 0, &next_position, &next_slope);
        assert_memory_equal(&next_position, &points[next], sizeof position);
        slope = vec3_scale(1 / spline.span[piece], slope);
        next_slope = vec3_scale(1 / spline.span[next], next_slope);
        assert_vec3_near(slope, next_slope, 1e-12 * (1 + vec3_norm(slope)));
        cdg_vec3 bend = second_derivative(&spline, piece, 1);
        assert_vec3_near(bend, second_derivative(&spline, next, 0), 1e-9 * (1 + vec3_norm(bend)));
    }
    if (!is_closed) assert_vec3_near(second_derivative(&spline, 0, 0), vec3(0, 0, 0), 1e-9);
    cdg_spline_free(&spline);
    assert_null(spline.span);
}

// Free ends reproduce a cubic exactly, for any spans, from four points on; fewer points give a parabola or a line.
static void test_free_ends_reproduce_cubics(void **state) {
    (void)state;
    cdg_random random = {21};
    for (int trial = 0; trial < 200; trial++) {
        enum { COUNT_MAX = 9 };
        size_t count = 2 + random_bits(&random) % (COUNT_MAX - 1), degree = count > 3 ? 3 : count - 1;
        cdg_vec3 c[4], points[COUNT_MAX], curvature[COUNT_MAX];
        double span[COUNT_MAX], scratch[2 * COUNT_MAX], at = 0;
        for (size_t k = 0; k < 4; k++) c[k] = k <= degree ? random_vec3(&random, 1) : vec3(0, 0, 0);
        for (size_t i = 0; i < count; i++) {
            points[i] = vec3_mad(vec3_mad(vec3_mad(c[0], at, c[1]), at * at, c[2]), at * at * at, c[3]);
            span[i] = random_in(&random, 0.05, 0.4);
            at += span[i];
        }
        cdg_spline spline = {points, count, count - 1, span, curvature};
        cdg_spline_solve(&spline, CDG_SPLINE_FREE, scratch);
        at = 0;
        for (size_t piece = 0; piece + 1 < count; at += span[piece++]) {
            double u = random_unit(&random), t = at + u * span[piece];
            cdg_vec3 position, derivative;
            cdg_spline_evaluate(&spline, piece, u, &position, &derivative);
            assert_vec3_near(position, vec3_mad(vec3_mad(vec3_mad(c[0], t, c[1]), t * t, c[2]), t * t * t, c[3]),
                             1e-12);
            cdg_vec3 slope = vec3_mad(vec3_mad(c[1], 2 * t, c[2]), 3 * t * t, c[3]);
            assert_vec3_near(vec3_scale(1 / span[piece], derivative), slope, 1e-11);
        }
    }
}

static void test_random_points_are_joined_smoothly(void **state) {
    (void)state;
    cdg_random random = {1};
    cdg_vec3 points[POINTS_MAX];
    for (size_t count = 2; count < 40; count++) {
        for (size_t i = 0; i < count; i++) points[i] = random_vec3(&random, 1);
        check_spline(points, count, false);
        if (count > 2) check_spline(points, count, true);
    }
}

static void test_line_stays_straight(void **state) {
    (void)state;
    cdg_vec3 points[6], direction = vec3(1, -2, 0.5);
    const double at[6] = {0, 0.1, 0.11, 2, 2.5, 7};
    for (int i = 0; i < 6; i++) points[i] = vec3_mad(vec3(3, 1, 0), at[i], direction);
    cdg_spline spline;
    assert_int_equal(cdg_spline_init(points, 6, false, &spline, NULL), CDG_OK);
    cdg_curve curve = cdg_spline_curve(&spline);
    double length;
    assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
    assert_near(length, 7 * vec3_norm(direction), 1e-12);
    cdg_vec3 nodes[11];
    assert_int_equal(cdg_curve_sample(&curve, 10, false, nodes, NULL), CDG_OK);
    for (int i = 0; i <= 10; i++) assert_vec3_near(nodes[i], vec3_mad(vec3(3, 1, 0), 0.7 * i, direction), 1e-12);
    cdg_spline_free(&spline);
}

// Largest distance from the unit circle of a closed spline through `count` unevenly spaced points on it.
static double circle_error(size_t count) {
    cdg_vec3 points[POINTS_MAX];
    for (size_t i = 0; i < count; i++) {
        // neighbouring gaps differ by a factor of four
        double t = 2 * PI * ((double)(i / 2 * 2) + (i % 2 ? 0.4 : 0)) / (double)count;
        points[i] = vec3(cos(t), sin(t), 0);
    }
    cdg_spline spline;
    assert_int_equal(cdg_spline_init(points, count, true, &spline, NULL), CDG_OK);
    cdg_curve curve = cdg_spline_curve(&spline);
    double worst = 0;
    for (size_t piece = 0; piece < curve.piece_count; piece++) {
        for (int k = 0; k <= 10; k++) {
            cdg_vec3 position, derivative;
            curve.evaluate(&spline, piece, k / 10.0, &position, &derivative);
            worst = fmax(worst, fabs(vec3_norm(position) - 1));
        }
    }
    cdg_spline_free(&spline);
    return worst;
}

static void test_uneven_points_give_fourth_order(void **state) {
    (void)state;
    double before = circle_error(24);
    for (size_t count = 48; count <= 192; count *= 2) {
        double now = circle_error(count);
        assert_near(log2(before / now), 4, 0.25);
        before = now;
    }
}

static void test_motion_scale_order_and_start_do_not_matter(void **state) {
    (void)state;
    enum { COUNT = 9, NODES = 25 };
    cdg_random random = {2};
    for (int round = 0; round < 50; round++) {
        cdg_vec3 points[COUNT], moved[COUNT], reversed[COUNT], shifted[COUNT];
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 move = random_vec3(&random, 5);
        double scale = exp(random_in(&random, -5, 5));
        for (int i = 0; i < COUNT; i++) points[i] = random_vec3(&random, 1);
        for (int i = 0; i < COUNT; i++) {
            moved[i] = vec3_mad(move, scale, quat_rotate(turn, points[i]));
            reversed[i] = points[COUNT - 1 - i];
            shifted[i] = points[(i + 4) % COUNT];
        }
        cdg_spline a, b, c, ring, shifted_ring;
        assert_int_equal(cdg_spline_init(points, COUNT, false, &a, NULL), CDG_OK);
        assert_int_equal(cdg_spline_init(moved, COUNT, false, &b, NULL), CDG_OK);
        assert_int_equal(cdg_spline_init(reversed, COUNT, false, &c, NULL), CDG_OK);
        assert_int_equal(cdg_spline_init(points, COUNT, true, &ring, NULL), CDG_OK);
        assert_int_equal(cdg_spline_init(shifted, COUNT, true, &shifted_ring, NULL), CDG_OK);
        cdg_curve curves[3] = {cdg_spline_curve(&a), cdg_spline_curve(&b), cdg_spline_curve(&c)};
        cdg_vec3 nodes[3][NODES + 1];
        for (int k = 0; k < 3; k++) {
            assert_int_equal(cdg_curve_sample(&curves[k], NODES, false, nodes[k], NULL), CDG_OK);
        }
        for (int i = 0; i <= NODES; i++) {
            cdg_vec3 expected = vec3_mad(move, scale, quat_rotate(turn, nodes[0][i]));
            assert_vec3_near(nodes[1][i], expected, 1e-9 * (scale + vec3_norm(move)));
            assert_vec3_near(nodes[2][NODES - i], nodes[0][i], 1e-9);
        }
        for (size_t piece = 0; piece < COUNT; piece++) {
            cdg_vec3 p, q, unused;
            cdg_spline_curve(&ring).evaluate(&ring, (piece + 4) % COUNT, 0.3, &p, &unused);
            cdg_spline_curve(&shifted_ring).evaluate(&shifted_ring, piece, 0.3, &q, &unused);
            assert_vec3_near(p, q, 1e-12);
        }
        cdg_spline *all[5] = {&a, &b, &c, &ring, &shifted_ring};
        for (int k = 0; k < 5; k++) cdg_spline_free(all[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_ends_reproduce_cubics),
        cmocka_unit_test(test_random_points_are_joined_smoothly),
        cmocka_unit_test(test_line_stays_straight),
        cmocka_unit_test(test_uneven_points_give_fourth_order),
        cmocka_unit_test(test_motion_scale_order_and_start_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
