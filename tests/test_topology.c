// Linking numbers and knot determinants of known knots and links, and that deforming them changes nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/topology.h"
#include "math/random.h"
#include "near.h"

#include <cordage/geometry.h>

#include <stdlib.h>

static const double pi = 3.141592653589793;
enum { MOST = 1200 };

static uint64_t determinant_of(const cdg_vec3 *points, size_t count, bool is_closed) {
    uint64_t determinant = 0;
    cdg_error error = {0};
    cdg_result result = cdg_knot_determinant(points, count, is_closed, &determinant, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    return determinant;
}

static long linking_of(const cdg_vec3 *a, size_t a_count, const cdg_vec3 *b, size_t b_count) {
    long number = 99;
    cdg_error error = {0};
    cdg_result result = cdg_linking_number(a, a_count, b, b_count, &number, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    return number;
}

// p times around the axis, q times through the hole of a torus, from a phase on.
static void torus_curve(int p, int q, double phase, cdg_vec3 *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double t = 2 * pi * (double)i / (double)count, r = 1 + 0.4 * cos(q * t + phase);
        out[i] = vec3(r * cos(p * t), r * sin(p * t), 0.4 * sin(q * t + phase));
    }
}

static void figure_eight(cdg_vec3 *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double t = 2 * pi * (double)i / (double)count, r = 2 + cos(2 * t);
        out[i] = vec3(r * cos(3 * t), r * sin(3 * t), sin(4 * t));
    }
}

// A smooth map of space to itself that does not fold: curves keep their knots.
static cdg_vec3 deform(cdg_vec3 p, cdg_random random) {
    p = quat_rotate(random_rotation(&random), p);
    for (int k = 0; k < 6; k++) { // each shears one coordinate by the others: always invertible
        double a = random_in(&random, -1, 1), b = random_in(&random, -2, 2), c = random_in(&random, 0, 6);
        if (k % 3 == 0) p.x += a * sin(b * p.y + c) + 0.3 * p.z * p.z;
        if (k % 3 == 1) p.y += a * sin(b * p.z + c);
        if (k % 3 == 2) p.z += a * cos(b * p.x + c);
    }
    return p;
}

static void known_knots(void **state) {
    (void)state;
    static cdg_vec3 points[MOST];
    torus_curve(1, 0, 0.3, points, 100);
    assert_int_equal(determinant_of(points, 100, true), 1);
    torus_curve(1, 7, 0, points, 300); // wound around the torus, not knotted
    assert_int_equal(determinant_of(points, 300, true), 1);
    figure_eight(points, 200);
    assert_int_equal(determinant_of(points, 200, true), 5);
    // torus knots (2, q) have q; both odd 1; even p and odd q: q
    const int knots[][3] = {{2, 3, 3}, {2, -3, 3}, {2, 5, 5}, {2, 7, 7},  {3, 2, 3},
                            {3, 4, 3}, {3, 5, 1},  {5, 4, 5}, {2, 31, 31}};
    for (size_t k = 0; k < sizeof knots / sizeof *knots; k++) {
        torus_curve(knots[k][0], knots[k][1], 0.1, points, 600);
        assert_int_equal(determinant_of(points, 600, true), knots[k][2]);
    }
}

static void knots_survive_deformation(void **state) {
    (void)state;
    static cdg_vec3 points[MOST], moved[MOST];
    for (int knot = 0; knot < 4; knot++) {
        if (knot == 0) torus_curve(1, 3, 0, points, MOST);
        if (knot == 1) torus_curve(2, 3, 0, points, MOST);
        if (knot == 2) figure_eight(points, MOST);
        if (knot == 3) torus_curve(2, 5, 0, points, MOST);
        const uint64_t expected[] = {1, 3, 5, 5};
        for (uint64_t seed = 1; seed <= 12; seed++) {
            for (int i = 0; i < MOST; i++) moved[i] = deform(points[i], (cdg_random){seed});
            assert_int_equal(determinant_of(moved, MOST, true), expected[knot]);
        }
    }
}

static void sums_of_knots_multiply(void **state) {
    (void)state;
    // Open trefoils, one behind the other: 3^n.
    cdg_centerline curve = cdg_centerline_default();
    curve.kind = CDG_CENTERLINE_KNOT;
    curve.knot.p = 2, curve.knot.q = 3;
    curve.knot.radius = 0.2, curve.knot.tube_radius = 0.08;
    curve.knot.axis = vec3(0, 0, 1);
    curve.knot.tail = 2;
    cdg_vec3 one[201], all[3 * 201];
    cdg_error error;
    assert_int_equal(cdg_centerline_sample(&curve, 200, one, &error), CDG_OK);
    assert_int_equal(determinant_of(one, 201, false), 3);
    cdg_vec3 step = vec3_sub(one[200], one[0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 201; i++) all[k * 201 + i] = vec3_mad(one[i], 1.05 * k, step);
    assert_int_equal(determinant_of(all, 3 * 201, false), 27);
    cdg_vec3 line[10];
    for (int i = 0; i < 10; i++) line[i] = vec3(i, 0.1 * (i % 2), 0);
    assert_int_equal(determinant_of(line, 10, false), 1);
}

// Gauss' double integral by the midpoint rule.
static double gauss_integral(const cdg_vec3 *a, size_t a_count, const cdg_vec3 *b, size_t b_count) {
    double sum = 0;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) {
            cdg_vec3 p = a[i], q = a[(i + 1) % a_count], u = b[j], v = b[(j + 1) % b_count];
            cdg_vec3 r = vec3_sub(vec3_lerp(p, q, 0.5), vec3_lerp(u, v, 0.5));
            sum += vec3_dot(r, vec3_cross(vec3_sub(q, p), vec3_sub(v, u))) / pow(vec3_norm(r), 3);
        }
    return sum / (4 * pi);
}

static void linking_agrees_with_gauss(void **state) {
    (void)state;
    static cdg_vec3 a[MOST], b[MOST];
    cdg_random random = {3};
    int linked = 0;
    for (int i = 0; i < 60; i++) {
        int q = (int)floor(random_in(&random, -4, 5));
        torus_curve(1, q, 0, a, 400);
        torus_curve(1, q, pi, b, 300);
        cdg_random seed = {random_bits(&random)};
        for (int k = 0; k < 400; k++) a[k] = deform(a[k], seed);
        for (int k = 0; k < 300; k++) b[k] = deform(b[k], seed);
        long number = linking_of(a, 400, b, 300);
        assert_near(gauss_integral(a, 400, b, 300), (double)number, 0.3);
        assert_int_equal(labs(number), abs(q)); // a handed deformation may mirror
        assert_int_equal(linking_of(b, 300, a, 400), number);
        linked += number != 0;
        for (int k = 0; k < 150; k++) { // backwards
            cdg_vec3 swap = b[k];
            b[k] = b[299 - k], b[299 - k] = swap;
        }
        assert_int_equal(linking_of(a, 400, b, 300), -number);
    }
    assert_true(linked > 30);
}

static void special_positions_are_no_trouble(void **state) {
    (void)state;
    // a Hopf link of axis-parallel squares: every corner lies over another in some direction
    const cdg_vec3 a[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    const cdg_vec3 b[4] = {{1, 1, -1}, {1, 1, 1}, {3, 1, 1}, {3, 1, -1}};
    const cdg_vec3 far[4] = {{11, 1, -1}, {11, 1, 1}, {13, 1, 1}, {13, 1, -1}};
    assert_int_equal(labs(linking_of(a, 4, b, 4)), 1);
    assert_int_equal(linking_of(a, 4, far, 4), 0);
    cdg_vec3 moved[2][4]; // a million away
    for (int i = 0; i < 4; i++) {
        moved[0][i] = vec3_add(a[i], vec3(1e6, -3e6, 1e6));
        moved[1][i] = vec3_add(b[i], vec3(1e6, -3e6, 1e6));
    }
    assert_int_equal(labs(linking_of(moved[0], 4, moved[1], 4)), 1);
    assert_int_equal(linking_of(a, 2, b, 4), 0);
    assert_int_equal(determinant_of(a, 4, true), 1);
    cdg_error error;
    long number;
    uint64_t determinant;
    assert_int_equal(cdg_linking_number(a, 4, a, 4, &number, &error), CDG_ERROR_NO_CONVERGENCE);
    const cdg_vec3 bad[4] = {{0, 0, NAN}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    assert_int_equal(cdg_linking_number(a, 4, bad, 4, &number, &error), CDG_ERROR_ARGUMENT);
    const cdg_vec3 touching[5] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 0, 0}, {1, -1, 1}};
    assert_int_equal(cdg_knot_determinant(touching, 5, true, &determinant, &error), CDG_ERROR_NO_CONVERGENCE);
}

// ---- writhe

// Gauss' integral by the midpoint rule, edge by edge in many parts.
static double self_integral(const cdg_vec3 *points, size_t count, int parts) {
    double sum = 0;
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t j = 0; j + 1 < count; j++) {
            if (i == j) continue;
            cdg_vec3 u = vec3_scale(1.0 / parts, vec3_sub(points[i + 1], points[i]));
            cdg_vec3 v = vec3_scale(1.0 / parts, vec3_sub(points[j + 1], points[j]));
            for (int a = 0; a < parts; a++)
                for (int b = 0; b < parts; b++) {
                    cdg_vec3 p = vec3_add(points[i], vec3_scale(a + 0.5, u));
                    cdg_vec3 r = vec3_sub(p, vec3_add(points[j], vec3_scale(b + 0.5, v)));
                    double size = vec3_norm(r);
                    if (size > 0) sum += vec3_dot(vec3_cross(u, v), r) / (size * size * size);
                }
        }
    return sum / (4 * 3.14159265358979323846);
}

static void test_writhe(void **state) {
    (void)state;
    enum { COUNT = 40 };
    cdg_vec3 helix[COUNT], mirrored[COUNT], flat[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double t = 0.3 * i;
        helix[i] = vec3(cos(t), sin(t), 0.12 * t);
        mirrored[i] = vec3(cos(t), -sin(t), 0.12 * t);
        flat[i] = vec3(t * cos(t), t * sin(t), 0);
    }
    double writhe = cdg_writhe(helix, COUNT, false);
    assert_true(writhe > 0.5); // right-handed
    assert_true(fabs(writhe - self_integral(helix, COUNT, 12)) < 2e-3 * writhe);
    assert_true(fabs(cdg_writhe(mirrored, COUNT, false) + writhe) < 1e-12);
    assert_true(fabs(cdg_writhe(flat, COUNT, false)) < 1e-12);
    assert_true(cdg_writhe(helix, 0, false) == 0 && cdg_writhe(helix, 2, false) == 0);
}

// A closed curve and its parallel: their linking number is the writhe and the twist of the frame between them.
static void test_link_is_twist_and_writhe(void **state) {
    (void)state;
    enum { COUNT = 300 };
    static cdg_vec3 knot[COUNT], beside[COUNT];
    double twist = 0;
    cdg_vec3 normals[COUNT], tangents[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double t = 2 * 3.14159265358979323846 * i / COUNT;
        double r = 2 + 0.8 * cos(3 * t);
        knot[i] = vec3(r * cos(2 * t), r * sin(2 * t), 0.8 * sin(3 * t));
    }
    for (int i = 0; i < COUNT; i++) {
        cdg_vec3 along = vec3_sub(knot[(i + 1) % COUNT], knot[(i + COUNT - 1) % COUNT]);
        tangents[i] = vec3_normalize(along);
        cdg_vec3 up = vec3(0, 0, 1);
        normals[i] = vec3_normalize(vec3_sub(up, vec3_scale(vec3_dot(up, tangents[i]), tangents[i])));
        beside[i] = vec3_add(knot[i], vec3_scale(0.02, normals[i]));
    }
    for (int i = 0; i < COUNT; i++) {
        int k = (i + 1) % COUNT;
        cdg_vec3 change = vec3_sub(normals[k], normals[i]), t = vec3_normalize(vec3_add(tangents[i], tangents[k]));
        twist += vec3_dot(vec3_cross(vec3_normalize(vec3_add(normals[i], normals[k])), change), t);
    }
    long link = 0;
    assert_int_equal(cdg_linking_number(knot, COUNT, beside, COUNT, &link, NULL), CDG_OK);
    double sum = cdg_writhe(knot, COUNT, true) + twist / (2 * 3.14159265358979323846);
    assert_true(labs(link) == 3);
    assert_true(fabs(sum - (double)link) < 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writhe),
        cmocka_unit_test(test_link_is_twist_and_writhe),
        cmocka_unit_test(known_knots),
        cmocka_unit_test(knots_survive_deformation),
        cmocka_unit_test(sums_of_knots_multiply),
        cmocka_unit_test(linking_agrees_with_gauss),
        cmocka_unit_test(special_positions_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
