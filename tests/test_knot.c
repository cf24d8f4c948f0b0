// Torus knots: on the torus, of the right type (Alexander polynomial) and handedness, opened smoothly and with
// clearance.
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/knot.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

#define PI 3.14159265358979323846

enum { NODES_MAX = 1600, CROSSINGS_MAX = 400 };

static cdg_centerline knot_of(int p, int q, double radius, double tube_radius, double tail) {
    cdg_centerline centerline = cdg_centerline_default();
    centerline.kind = CDG_CENTERLINE_KNOT;
    centerline.knot.p = p;
    centerline.knot.q = q;
    centerline.knot.radius = radius;
    centerline.knot.tube_radius = tube_radius;
    centerline.knot.tail = tail;
    return centerline;
}

static cdg_knot make(cdg_centerline centerline) {
    cdg_knot knot;
    cdg_error error = {0};
    if (cdg_knot_init(&centerline, &knot, &error) != CDG_OK) fail_msg("%s", error.message);
    return knot;
}

static void sample(const cdg_knot *knot, size_t element_count, cdg_vec3 *out) {
    cdg_curve curve = cdg_knot_curve(knot);
    assert_int_equal(cdg_curve_sample(&curve, element_count, !(knot->tail > 0), out, NULL), CDG_OK);
}

// ---- knot type ------------------------------------------------------------------------------------------------------

typedef struct crossing {
    double over_at, under_at; // place along the polygon: edge number + fraction
    int sign;
} crossing;

// Crossings of a closed polygon seen along z.
static int find_crossings(const cdg_vec3 *nodes, size_t count, crossing *out) {
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 a = nodes[i], u = vec3_sub(nodes[(i + 1) % count], a);
        for (size_t j = i + 2; j < count; j++) {
            if (i == 0 && j == count - 1) continue;
            cdg_vec3 b = nodes[j], v = vec3_sub(nodes[(j + 1) % count], b);
            double area = u.x * v.y - u.y * v.x, x = b.x - a.x, y = b.y - a.y;
            double s = (x * v.y - y * v.x) / area, t = (x * u.y - y * u.x) / area;
            if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) continue;
            assert_true(found < CROSSINGS_MAX);
            bool is_first_over = a.z + s * u.z > b.z + t * v.z;
            double first = (double)i + s, second = (double)j + t;
            out[found++] = (crossing){is_first_over ? first : second, is_first_over ? second : first,
                                      (area > 0) == is_first_over ? 1 : -1};
        }
    }
    return found;
}

static int compare_under(const void *a, const void *b) {
    double x = ((const crossing *)a)->under_at, y = ((const crossing *)b)->under_at;
    return (x > y) - (x < y);
}

// |Alexander polynomial| at t on the unit circle, where the polynomial's free factor +-t^k does not show.
// Arcs run from one under-crossing to the next; at each crossing  out = t in + (1 - t) over  (or in and out swapped).
static double alexander(const cdg_vec3 *nodes, size_t count, double angle) {
    static crossing crossings[CROSSINGS_MAX];
    static double complex matrix[CROSSINGS_MAX][CROSSINGS_MAX];
    int n = find_crossings(nodes, count, crossings);
    if (n < 2) return 1;
    qsort(crossings, (size_t)n, sizeof crossings[0], compare_under);
    double complex t = cos(angle) + (double complex)I * sin(angle);
    memset(matrix, 0, sizeof matrix);
    for (int k = 0; k < n; k++) {
        int over = 0; // arc k ends at under-crossing k
        while (over < n && crossings[over].under_at < crossings[k].over_at) ++over;
        int in = crossings[k].sign > 0 ? k : (k + 1) % n, out = crossings[k].sign > 0 ? (k + 1) % n : k;
        matrix[k][over % n] += 1 - t;
        matrix[k][in] += t;
        matrix[k][out] -= 1;
    }
    double value = 1;
    for (int i = 0; i < n - 1; i++) { // any minor of order n - 1
        int pivot = i;
        for (int k = i + 1; k < n - 1; k++) {
            if (cabs(matrix[k][i]) > cabs(matrix[pivot][i])) pivot = k;
        }
        if (cabs(matrix[pivot][i]) < 1e-12) return 0;
        value *= cabs(matrix[pivot][i]);
        for (int j = 0; j < n - 1; j++) {
            double complex other = matrix[i][j];
            matrix[i][j] = matrix[pivot][j];
            matrix[pivot][j] = other;
        }
        for (int k = i + 1; k < n - 1; k++) {
            double complex factor = matrix[k][i] / matrix[i][i];
            for (int j = i; j < n - 1; j++) matrix[k][j] -= factor * matrix[i][j];
        }
    }
    return value;
}

// (t^pq - 1)(t - 1) / ((t^p - 1)(t^q - 1)), with |e^(ix) - 1| = 2 |sin(x / 2)|.
static double torus_alexander(int p, int q, double angle) {
    return fabs(sin(p * q * angle / 2) * sin(angle / 2) / (sin(p * angle / 2) * sin(q * angle / 2)));
}

// The knot as a closed polygon seen from a generic direction; tails are joined far outside, on the side of the cut.
static size_t polygon(const cdg_knot *knot, size_t element_count, cdg_quat view, cdg_vec3 *out) {
    sample(knot, element_count, out);
    size_t count = element_count;
    if (knot->tail > 0) {
        double far = 10 * (knot->tail + knot->radius);
        out[count + 1] = vec3_add(out[count], vec3(far, 0, 0));
        out[count + 2] = vec3_add(out[0], vec3(far, 0, 0));
        count += 3;
    }
    for (size_t i = 0; i < count; i++) out[i] = quat_rotate(view, out[i]);
    return count;
}

static void test_trefoil_determinant_is_three(void **state) {
    (void)state;
    cdg_random random = {1};
    cdg_vec3 nodes[NODES_MAX];
    for (int round = 0; round < 12; round++) {
        cdg_knot knot = make(knot_of(2, round % 4 < 2 ? 3 : -3, 1, 0.4, round % 2 ? 2 : 0));
        size_t count = polygon(&knot, 300, random_rotation(&random), nodes);
        assert_near(alexander(nodes, count, PI), 3, 1e-9);
    }
    // the measure itself: a ring and a twisted unknot have 1
    cdg_knot unknot = make(knot_of(1, 4, 1, 0.4, 0));
    size_t count = polygon(&unknot, 300, random_rotation(&random), nodes);
    assert_near(alexander(nodes, count, PI), 1, 1e-9);
}

static void test_opening_keeps_the_knot_type(void **state) {
    (void)state;
    cdg_random random = {2};
    cdg_vec3 nodes[NODES_MAX];
    const int types[][2] = {{2, 3}, {3, 2},  {2, 5},  {5, 2}, {3, 4}, {4, 3},
                            {3, 5}, {2, -7}, {-3, 7}, {1, 3}, {3, 1}, {1, 1}};
    const double ratios[] = {1.2, 2.5, 8};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        for (size_t r = 0; r < 3; r++) {
            for (int is_open = 0; is_open < 2; is_open++) {
                int p = types[k][0], q = types[k][1];
                cdg_knot knot = make(knot_of(p, q, 1, 1 / ratios[r], is_open ? 1.5 : 0));
                size_t count = polygon(&knot, 500, random_rotation(&random), nodes);
                for (double angle = 0.9; angle < 3; angle += 0.6) {
                    assert_near(alexander(nodes, count, angle), torus_alexander(p, q, angle), 1e-7);
                }
            }
        }
    }
}

static void test_handedness(void **state) {
    (void)state;
    static crossing crossings[CROSSINGS_MAX];
    cdg_vec3 nodes[NODES_MAX];
    const int types[][3] = {{2, 3, 3}, {2, -3, -3}, {-2, 3, -3}, {-2, -3, 3}, {2, 5, 5}, {3, 4, 8}};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        cdg_knot knot = make(knot_of(types[k][0], types[k][1], 1, 0.4, 0));
        size_t count = polygon(&knot, 400, quat_from_axis_angle(vec3(1, 0.3, 0), 0.01), nodes);
        int writhe = 0, found = find_crossings(nodes, count, crossings);
        for (int i = 0; i < found; i++) writhe += crossings[i].sign;
        assert_int_equal(writhe, types[k][2]); // q (p - 1) crossings, all of one sign
    }
}

// ---- shape ----------------------------------------------------------------------------------------------------------

static double torus_distance(const cdg_knot *knot, cdg_vec3 point) { // from the surface; negative inside
    return hypot(hypot(point.x, point.y) - knot->radius, point.z) - knot->tube_radius;
}

static void test_closed_knot_lies_on_the_torus(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_vec3 nodes[NODES_MAX];
    for (int round = 0; round < 20; round++) {
        cdg_centerline centerline = knot_of(3, round % 2 ? 4 : -5, 2, 0.7, 0);
        centerline.knot.center = random_vec3(&random, 3);
        centerline.knot.axis = round == 0 ? vec3(0, 0, -2) : random_vec3(&random, 1);
        cdg_knot knot = make(centerline);
        sample(&knot, 300, nodes);
        cdg_vec3 axis = vec3_normalize(centerline.knot.axis);
        double around = 0, through = 0;
        for (int i = 0; i < 300; i++) {
            cdg_vec3 from = vec3_sub(nodes[i], knot.center), to = vec3_sub(nodes[(i + 1) % 300], knot.center);
            double height = vec3_dot(from, axis), next_height = vec3_dot(to, axis);
            cdg_vec3 flat = vec3_mad(from, -height, axis), next_flat = vec3_mad(to, -next_height, axis);
            double distance = vec3_norm(flat) - 2, next_distance = vec3_norm(next_flat) - 2;
            assert_near(hypot(distance, height), 0.7, 1e-13);
            around += atan2(vec3_dot(axis, vec3_cross(flat, next_flat)), vec3_dot(flat, next_flat));
            through +=
                atan2(distance * next_height - height * next_distance, distance * next_distance + height * next_height);
        }
        assert_near(around / (2 * PI), 3, 1e-12);
        assert_near(fabs(through / (2 * PI)), abs(centerline.knot.q), 1e-12);
    }
}

// Shapes over the whole range of numbers that may be given.
typedef void (*shape_check)(const cdg_knot *knot);

static void for_all_shapes(shape_check check) {
    const int types[][2] = {{2, 3},   {3, 2}, {2, 5},  {3, 4},  {5, 2},   {7, 3},    {3, 10},  {2, -3},
                            {-5, -3}, {1, 1}, {1, 30}, {30, 1}, {29, 30}, {1000, 1}, {1, 1000}};
    const double ratios[] = {1.001, 1.3, 2.5, 6, 20, 1000};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        for (size_t r = 0; r < sizeof ratios / sizeof ratios[0]; r++) {
            cdg_knot knot = make(knot_of(types[k][0], types[k][1], 1, 1 / ratios[r], 3));
            check(&knot);
        }
    }
}

static void check_joints(const cdg_knot *knot) {
    cdg_curve curve = cdg_knot_curve(knot);
    for (size_t piece = 0; piece + 1 < curve.piece_count; piece++) {
        cdg_vec3 a, b, a_slope, b_slope;
        curve.evaluate(knot, piece, 1, &a, &a_slope);
        curve.evaluate(knot, piece + 1, 0, &b, &b_slope);
        assert_vec3_near(a, b, 1e-11);
        assert_vec3_near(vec3_normalize(a_slope), vec3_normalize(b_slope), 1e-11);
    }
    // derivatives are those of the positions
    for (size_t piece = 0; piece < curve.piece_count; piece += 1 + curve.piece_count / 20) {
        cdg_vec3 before, after, slope, unused;
        double step = 1e-5 / abs(knot->p);
        curve.evaluate(knot, piece, 0.4 - step, &before, &unused);
        curve.evaluate(knot, piece, 0.4 + step, &after, &unused);
        curve.evaluate(knot, piece, 0.4, &unused, &slope);
        cdg_vec3 quotient = vec3_scale(1 / (2 * step), vec3_sub(after, before));
        assert_vec3_near(quotient, slope, 1e-5 * (1 + vec3_norm(slope)));
    }
}

static void check_tails(const cdg_knot *knot) {
    cdg_curve curve = cdg_knot_curve(knot);
    size_t last = curve.piece_count - 1;
    cdg_vec3 first_end, first_start, last_start, last_end, slope, first_slope;
    curve.evaluate(knot, 0, 0, &first_end, &first_slope);
    curve.evaluate(knot, 0, 1, &first_start, &first_slope);
    curve.evaluate(knot, last, 0, &last_start, &slope);
    curve.evaluate(knot, last, 1, &last_end, &slope);
    assert_near(vec3_distance(first_start, first_end), 3, 1e-12);
    assert_near(vec3_distance(last_start, last_end), 3, 1e-12);
    // opposite pulls: the rod runs in along the direction in which it leaves
    assert_vec3_near(first_slope, slope, 1e-12);
    cdg_vec3 expected = vec3(0, knot->p * (knot->radius + knot->tube_radius), -knot->q * knot->tube_radius);
    assert_vec3_near(vec3_normalize(slope), vec3_normalize(expected), 1e-12);
}

// Nothing that replaces the removed arc enters the torus, and it stays beyond the tangent plane where it leaves.
static void check_outside(const cdg_knot *knot) {
    double around = -knot->p * knot->cut, through = -knot->q * knot->cut;
    cdg_vec3 normal = vec3(cos(through) * cos(around), cos(through) * sin(around), -sin(through));
    assert_true(fabs(around) < PI / 2 && fabs(through) < PI / 2);
    cdg_curve curve = cdg_knot_curve(knot);
    cdg_vec3 position, slope, before = knot->leave[0];
    for (int i = 1; i <= 200; i++) {
        curve.evaluate(knot, curve.piece_count - 2, i / 200.0, &position, &slope);
        assert_true(vec3_dot(normal, vec3_sub(position, knot->leave[0])) > -1e-12);
        assert_true(torus_distance(knot, position) > -1e-12);
        // one crossing seen from the side: forwards and upwards all the way
        assert_true(vec3_dot(vec3_sub(position, before), knot->direction) > -1e-12);
        assert_true(position.x > before.x - 1e-12);
        before = position;
        curve.evaluate(knot, curve.piece_count - 1, i / 200.0, &position, &slope);
        assert_true(position.x > knot->radius + knot->tube_radius);
    }
}

static void test_joints_are_smooth(void **state) {
    (void)state;
    for_all_shapes(check_joints);
}
static void test_tails_are_straight_and_opposite(void **state) {
    (void)state;
    for_all_shapes(check_tails);
}
static void test_tails_do_not_enter_the_torus(void **state) {
    (void)state;
    for_all_shapes(check_outside);
}

// Smallest distance between parts that are not neighbours: the way along the curve is more than twice as far.
static double clearance(const cdg_vec3 *nodes, size_t count, double spacing, bool is_closed) {
    double best = INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            size_t steps = is_closed && j - i > count - (j - i) ? count - (j - i) : j - i;
            double distance = vec3_distance(nodes[i], nodes[j]);
            if (distance < best && (double)steps * spacing > 2 * distance) best = distance;
        }
    }
    return best;
}

static void test_opening_leaves_clearance(void **state) {
    (void)state;
    skip_when_sanitized();
    static cdg_vec3 nodes[NODES_MAX];
    const int types[][2] = {{2, 3}, {3, 2}, {2, 5}, {3, 4}, {5, 2}, {2, -3}, {3, 7}};
    const double ratios[] = {1.3, 2.5, 6};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        for (size_t r = 0; r < sizeof ratios / sizeof ratios[0]; r++) {
            double tube_radius = 1 / ratios[r], length;
            cdg_knot closed = make(knot_of(types[k][0], types[k][1], 1, tube_radius, 0));
            cdg_knot open = make(knot_of(types[k][0], types[k][1], 1, tube_radius, 2));
            cdg_curve curve = cdg_knot_curve(&closed);
            assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
            sample(&closed, 1000, nodes);
            double before = clearance(nodes, 1000, length / 1000, true);
            curve = cdg_knot_curve(&open);
            assert_int_equal(cdg_curve_length(&curve, &length, NULL), CDG_OK);
            sample(&open, 1500, nodes);
            double after = clearance(nodes, 1501, length / 1500, false);
            assert_true(after > 0.5 * before);
            // a trefoil of ordinary proportions has room for a rope as thick as its tube
            if (types[k][0] * types[k][1] == 6 && ratios[r] > 2) assert_true(after > tube_radius);
        }
    }
}

// Where tails join, the rod bends nowhere more sharply than a third of the tube's radius, and an ordinary trefoil never
// more than the tube.
static void check_bending(const cdg_knot *knot) {
    cdg_curve curve = cdg_knot_curve(knot);
    for (int i = 0; i < 100; i++) {
        cdg_vec3 position, a, b;
        double step = 0.01;
        curve.evaluate(knot, curve.piece_count - 2, i * step, &position, &a);
        curve.evaluate(knot, curve.piece_count - 2, (i + 1) * step, &position, &b);
        double turn = acos(fmin(1, vec3_dot(vec3_normalize(a), vec3_normalize(b))));
        double length = step * (vec3_norm(a) + vec3_norm(b)) / 2;
        bool is_trefoil = knot->p * knot->q == 6 && knot->tube_radius < 0.41 * knot->radius;
        assert_true(turn / length * knot->tube_radius < (is_trefoil ? 1 : 3.2));
    }
}
static void test_opening_bends_gently(void **state) {
    (void)state;
    for_all_shapes(check_bending);
}

// ---- input ----------------------------------------------------------------------------------------------------------

static void refuse(cdg_centerline centerline, const char *text) {
    cdg_knot knot;
    cdg_error error = {0};
    assert_int_equal(cdg_knot_init(&centerline, &knot, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not name '%s'", error.message, text);
}

static void test_bad_input_is_named(void **state) {
    (void)state;
    refuse(knot_of(2, 4, 1, 0.4, 0), "divisor 2");
    refuse(knot_of(-6, 9, 1, 0.4, 1), "divisor 3");
    refuse(knot_of(0, 1, 1, 0.4, 0), "other than 0");
    refuse(knot_of(1, 0, 1, 0.4, 0), "other than 0");
    refuse(knot_of(2000, 1, 1, 0.4, 0), "at most");
    refuse(knot_of(INT32_MIN, 3, 1, 0.4, 0), "at most");
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        refuse(knot_of(2, 3, bad[i], 0.4, 0), "radius");
        refuse(knot_of(2, 3, 1, bad[i], 0), "tube_radius");
        if (i > 0) refuse(knot_of(2, 3, 1, 0.4, bad[i]), "tail");
    }
    refuse(knot_of(2, 3, 1, 1, 0), "hole");
    cdg_centerline centerline = knot_of(2, 3, 1, 0.4, 0);
    centerline.knot.axis = vec3(0, 0, 0);
    refuse(centerline, "axis");
    centerline.knot.axis = vec3(0, NAN, 1);
    refuse(centerline, "axis");
    centerline = knot_of(2, 3, 1, 0.4, 0);
    centerline.knot.center.y = INFINITY;
    refuse(centerline, "center");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trefoil_determinant_is_three),
        cmocka_unit_test(test_opening_keeps_the_knot_type),
        cmocka_unit_test(test_handedness),
        cmocka_unit_test(test_closed_knot_lies_on_the_torus),
        cmocka_unit_test(test_joints_are_smooth),
        cmocka_unit_test(test_tails_are_straight_and_opposite),
        cmocka_unit_test(test_tails_do_not_enter_the_torus),
        cmocka_unit_test(test_opening_leaves_clearance),
        cmocka_unit_test(test_opening_bends_gently),
        cmocka_unit_test(test_bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
