// Sections: every property against an independent computation over the section's area, limits, symmetries, bad input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/geometry.h>

#include "math/random.h"
#include "near.h"

#define PI 3.14159265358979323846

static cdg_section_properties compute(cdg_section section, double nu) {
    cdg_section_properties properties;
    cdg_error error = {0};
    if (cdg_section_compute(&section, nu, &properties, &error) != CDG_OK) fail_msg("%s", error.message);
    return properties;
}
static cdg_section circle(double radius) { return (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius}; }
static cdg_section tube(double radius, double inner) {
    return (cdg_section){.kind = CDG_SECTION_TUBE, .radius = radius, .inner_radius = inner};
}
static cdg_section ellipse(double a, double b) {
    return (cdg_section){.kind = CDG_SECTION_ELLIPSE, .semi_axis = {a, b}};
}
static cdg_section rectangle(double a, double b) {
    return (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {a, b}};
}

// ---- integration over a section -------------------------------------------------------------------------------------

enum { GAUSS = 24, ANGLES = 96, SAMPLES = GAUSS * ANGLES };

typedef struct samples {
    double x[SAMPLES], y[SAMPLES], weight[SAMPLES];
    int count;
} samples;

// Gauss-Legendre nodes on [-1, 1] as roots of the Legendre polynomial.
static void gauss_rule(double *node, double *weight) {
    for (int i = 0; i < GAUSS; i++) {
        double x = cos(PI * (i + 0.75) / (GAUSS + 0.5)), slope = 1;
        for (int k = 0; k < 20; k++) {
            double p = 1, q = x;
            for (int n = 2; n <= GAUSS; n++) {
                double next = ((2 * n - 1) * x * q - (n - 1) * p) / n;
                p = q;
                q = next;
            }
            slope = GAUSS * (x * q - p) / (x * x - 1);
            x -= q / slope;
        }
        node[i] = x;
        weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
}

static void sample_section(const cdg_section *section, samples *out) {
    double node[GAUSS], weight[GAUSS];
    gauss_rule(node, weight);
    out->count = 0;
    bool is_rectangle = section->kind == CDG_SECTION_RECTANGLE;
    double a = section->kind == CDG_SECTION_ELLIPSE ? section->semi_axis[0] : section->radius;
    double b = section->kind == CDG_SECTION_ELLIPSE ? section->semi_axis[1] : section->radius;
    double inner = section->kind == CDG_SECTION_TUBE ? section->inner_radius / section->radius : 0;
    for (int i = 0; i < GAUSS; i++) {
        for (int j = 0; j < (is_rectangle ? GAUSS : ANGLES); j++) {
            int k = out->count++;
            if (is_rectangle) {
                out->x[k] = section->side[0] / 2 * node[i];
                out->y[k] = section->side[1] / 2 * node[j];
                out->weight[k] = section->side[0] * section->side[1] / 4 * weight[i] * weight[j];
            } else {
                double r = inner + (1 - inner) * (1 + node[i]) / 2, angle = 2 * PI * j / ANGLES;
                out->x[k] = a * r * cos(angle);
                out->y[k] = b * r * sin(angle);
                out->weight[k] = a * b * r * (1 - inner) / 2 * weight[i] * 2 * PI / ANGLES;
            }
        }
    }
}

// ---- torsion and flexure by Ritz' method with harmonic functions ----------------------------------------------------

enum { TERMS_MAX = 24 };

// The n-th power of (x + i y) / scale, its value and gradient: real part, or imaginary part.
static void harmonic(double x, double y, double scale, int power, bool is_imaginary, double out[3]) {
    double r = hypot(x, y) / scale, angle = atan2(y, x);
    double value = pow(r, power), slope = power * pow(r, power - 1) / scale;
    out[0] = is_imaginary ? value * sin(power * angle) : value * cos(power * angle);
    // d/dz z^n = n z^(n-1); with f = u + i v: u_x = v_y = Re, v_x = -u_y = Im
    double real = slope * cos((power - 1) * angle), imaginary = slope * sin((power - 1) * angle);
    out[1] = is_imaginary ? imaginary : real;
    out[2] = is_imaginary ? real : -imaginary;
}

static void solve(int n, double matrix[TERMS_MAX][TERMS_MAX], double *right) {
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            double factor = matrix[k][i] / matrix[i][i];
            for (int j = i; j < n; j++) matrix[k][j] -= factor * matrix[i][j];
            right[k] -= factor * right[i];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int j = i + 1; j < n; j++) right[i] -= matrix[i][j] * right[j];
        right[i] /= matrix[i][i];
    }
}

// Powers of the ansatz: `first`, first + 2, ... and, for a tube, their negatives.
static int list_powers(const cdg_section *section, int first, int count, int *powers) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        powers[n++] = first + 2 * i;
        if (section->kind == CDG_SECTION_TUBE) powers[n++] = -(first + 2 * i);
    }
    return n;
}

// J = min over the warping function w of the integral of (w_x - y)^2 + (w_y + x)^2.
static double ritz_torsion(const cdg_section *section, double scale, int count) {
    static samples s;
    sample_section(section, &s);
    int powers[TERMS_MAX], n = list_powers(section, 2, count, powers);
    double matrix[TERMS_MAX][TERMS_MAX] = {0}, right[TERMS_MAX] = {0}, load[TERMS_MAX], polar = 0;
    for (int k = 0; k < s.count; k++) {
        double f[TERMS_MAX][3];
        for (int i = 0; i < n; i++) harmonic(s.x[k], s.y[k], scale, powers[i], true, f[i]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) matrix[i][j] += s.weight[k] * (f[i][1] * f[j][1] + f[i][2] * f[j][2]);
            right[i] += s.weight[k] * (s.y[k] * f[i][1] - s.x[k] * f[i][2]);
        }
        polar += s.weight[k] * (s.x[k] * s.x[k] + s.y[k] * s.y[k]);
    }
    memcpy(load, right, sizeof load);
    solve(n, matrix, right);
    for (int i = 0; i < n; i++) polar -= right[i] * load[i];
    return polar;
}

// Cowper (1966): with the flexure function c, harmonic with the normal derivative
//   c_n = -n_x (nu x^2 / 2 + (1 - nu / 2) y^2) - n_y (2 + nu) x y,
// the factor for shear along x is
//   2 (1 + nu) I_y / (nu (I_x - I_y) / 2 - A / I_y integral of x (c + x y^2)),  I_x = integral of y^2, I_y of x^2.
// The boundary integral of Ritz' method is turned into one over the area by the divergence theorem.
static double ritz_shear_factor(const cdg_section *section, double nu, double scale, int count, bool is_along_y) {
    static samples s;
    sample_section(section, &s);
    int powers[TERMS_MAX], n = list_powers(section, 1, count, powers);
    double matrix[TERMS_MAX][TERMS_MAX] = {0}, right[TERMS_MAX] = {0}, moment[TERMS_MAX] = {0};
    double area = 0, i_x = 0, i_y = 0, mixed = 0;
    for (int k = 0; k < s.count; k++) {
        double x = is_along_y ? s.y[k] : s.x[k], y = is_along_y ? s.x[k] : s.y[k], w = s.weight[k];
        double field_x = -(nu * x * x / 2 + (1 - nu / 2) * y * y), field_y = -(2 + nu) * x * y,
               divergence = -2 * (1 + nu) * x;
        double f[TERMS_MAX][3];
        for (int i = 0; i < n; i++) harmonic(x, y, scale, powers[i], false, f[i]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) matrix[i][j] += w * (f[i][1] * f[j][1] + f[i][2] * f[j][2]);
            right[i] += w * (field_x * f[i][1] + field_y * f[i][2] + divergence * f[i][0]);
            moment[i] += w * x * f[i][0];
        }
        area += w;
        i_x += w * y * y;
        i_y += w * x * x;
        mixed += w * x * x * y * y;
    }
    solve(n, matrix, right);
    for (int i = 0; i < n; i++) mixed += right[i] * moment[i];
    return 2 * (1 + nu) * i_y / (nu / 2 * (i_x - i_y) - area / i_y * mixed);
}

// ---- tests ----------------------------------------------------------------------------------------------------------

static cdg_section some_section(cdg_random *random, int kind) {
    double a = random_in(random, 0.3, 2), b = random_in(random, 0.3, 2);
    switch (kind) {
    case CDG_SECTION_CIRCLE: return circle(a);
    case CDG_SECTION_TUBE: return tube(a, a * random_in(random, 0.1, 0.95));
    case CDG_SECTION_ELLIPSE: return ellipse(a, b);
    default: return rectangle(a, b);
    }
}

static void test_moments_by_integration(void **state) {
    (void)state;
    cdg_random random = {1};
    static samples s;
    for (int round = 0; round < 40; round++) {
        cdg_section section = some_section(&random, round % CDG_SECTION_KIND_COUNT);
        cdg_section_properties properties = compute(section, 0.3);
        double area = 0, about_d1 = 0, about_d2 = 0, farthest = 0;
        sample_section(&section, &s);
        for (int k = 0; k < s.count; k++) {
            area += s.weight[k];
            about_d1 += s.weight[k] * s.y[k] * s.y[k];
            about_d2 += s.weight[k] * s.x[k] * s.x[k];
            farthest = fmax(farthest, hypot(s.x[k], s.y[k]));
        }
        assert_near(properties.area, area, 1e-12 * area);
        assert_near(properties.second_moment[0], about_d1, 1e-12 * about_d1);
        assert_near(properties.second_moment[1], about_d2, 1e-12 * about_d2);
        assert_near(properties.polar_moment, about_d1 + about_d2, 1e-12 * about_d1 + 1e-12 * about_d2);
        // Gauss nodes stop just short of the edge
        assert_true(farthest < properties.bounding_radius);
        assert_near(properties.bounding_radius, farthest, 0.02 * farthest);
    }
}

static void test_torsion_by_ritz(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 24; round++) {
        cdg_section section = some_section(&random, round % CDG_SECTION_KIND_COUNT);
        double expected = compute(section, 0).torsion_constant, scale = compute(section, 0).bounding_radius;
        bool is_rectangle = section.kind == CDG_SECTION_RECTANGLE;
        double found = ritz_torsion(&section, scale, is_rectangle ? 9 : 3);
        // Ritz' value is an upper bound; corners make the rectangle's ansatz converge slowly
        assert_true(found > expected * (1 - 1e-10));
        assert_near(found, expected, (is_rectangle ? 2e-4 : 1e-11) * expected);
    }
}

static void test_shear_by_ritz(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 24; round++) {
        cdg_section section = some_section(&random, round % CDG_SECTION_KIND_COUNT);
        bool is_rectangle = section.kind == CDG_SECTION_RECTANGLE;
        double nu = random_in(&random, 0, 0.5), scale = compute(section, nu).bounding_radius;
        for (int axis = 0; axis < 2; axis++) {
            double found = ritz_shear_factor(&section, nu, scale, is_rectangle ? 9 : 3, axis == 1);
            assert_near(compute(section, nu).shear_factor[axis], found, is_rectangle ? 1e-4 : 1e-10);
        }
    }
}

// Timoshenko and Goodier, table of section 109: J / (a b^3).
static void test_rectangle_torsion_table(void **state) {
    (void)state;
    const double table[][2] = {{1, 0.1406}, {1.2, 0.166}, {1.5, 0.196}, {2, 0.229}, {2.5, 0.249},
                               {3, 0.263},  {4, 0.281},   {5, 0.291},   {10, 0.312}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double ratio = table[i][0], b = 0.37;
        assert_near(compute(rectangle(ratio * b, b), 0).torsion_constant / (ratio * b * b * b * b), table[i][1], 6e-4);
    }
    for (double ratio = 20; ratio < 1e6; ratio *= 7) { // thin: the ends cost 0.63025 of the thickness
        double j = compute(rectangle(1, 1 / ratio), 0).torsion_constant * pow(ratio, 3);
        assert_near(j, (1 - 0.630249 / ratio) / 3, 1e-7);
    }
}

// The plain series, summed until its terms vanish, from the small end.
static void test_rectangle_torsion_is_exact(void **state) {
    (void)state;
    const double ratios[] = {1, 1.01, 1.5, 3, 10, 1000};
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        double sum = 0, ratio = ratios[i];
        for (int n = 4001; n > 0; n -= 2) sum += tanh(n * PI * ratio / 2) / pow(n, 5);
        double expected = ratio / 3 * (1 - 192 / pow(PI, 5) / ratio * sum);
        assert_near(compute(rectangle(ratio, 1), 0).torsion_constant, expected, 4e-15 * expected);
        assert_near(compute(rectangle(1, ratio), 0).torsion_constant, expected, 4e-15 * expected);
    }
}

static void test_published_shear_factors(void **state) {
    (void)state;
    // Cowper's table, poisson ratio 0.3
    assert_near(compute(circle(2), 0.3).shear_factor[0], 0.886, 5e-4);
    assert_near(compute(rectangle(2, 5), 0.3).shear_factor[0], 0.850, 5e-4);
    assert_near(compute(rectangle(2, 5), 0.3).shear_factor[1], 0.850, 5e-4);
    assert_near(compute(tube(1, 1 - 1e-9), 0.3).shear_factor[0], 0.531, 5e-4); // thin: 2 (1 + nu) / (4 + 3 nu)
    assert_near(compute(rectangle(1, 1), 0).shear_factor[0], 5.0 / 6, 1e-15);
    assert_near(compute(circle(1), 0).shear_factor[0], 6.0 / 7, 1e-15);
}

static void test_special_cases_agree(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int round = 0; round < 100; round++) {
        double r = exp(random_in(&random, -10, 3)), nu = random_in(&random, -0.9, 0.5);
        cdg_section_properties a = compute(circle(r), nu), b = compute(ellipse(r, r), nu), c = compute(tube(r, 0), nu);
        const double *lists[3] = {&a.area, &b.area, &c.area};
        for (size_t i = 0; i < sizeof a / sizeof(double); i++) {
            assert_near(lists[1][i], lists[0][i], 1e-14 * lists[0][i]);
            assert_near(lists[2][i], lists[0][i], 1e-14 * lists[0][i]);
        }
        assert_near(a.torsion_constant, a.polar_moment, 1e-15 * a.polar_moment);
    }
    // a wall far thinner than the radius keeps its digits
    assert_near(compute(tube(1, 1 - 0x1p-40), 0).area, 2 * PI * 0x1p-40, 1e-11 * 0x1p-40);
}

static void test_scaling_swapping_and_bounds(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 400; round++) {
        cdg_section section = some_section(&random, round % CDG_SECTION_KIND_COUNT), scaled = section,
                    swapped = section;
        double scale = exp(random_in(&random, -9, 9)), nu = random_in(&random, 0, 0.5);
        double *sizes[] = {&scaled.radius,       &scaled.inner_radius, &scaled.semi_axis[0],
                           &scaled.semi_axis[1], &scaled.side[0],      &scaled.side[1]};
        for (int i = 0; i < 6; i++) *sizes[i] *= scale;
        swapped.semi_axis[0] = section.semi_axis[1], swapped.semi_axis[1] = section.semi_axis[0];
        swapped.side[0] = section.side[1], swapped.side[1] = section.side[0];
        cdg_section_properties a = compute(section, nu), b = compute(scaled, nu), c = compute(swapped, nu);
        double fourth = pow(scale, 4);
        assert_near(b.area, a.area * scale * scale, 1e-13 * b.area);
        assert_near(b.torsion_constant, a.torsion_constant * fourth, 1e-12 * b.torsion_constant);
        assert_near(b.polar_moment, a.polar_moment * fourth, 1e-12 * b.polar_moment);
        assert_near(b.bounding_radius, a.bounding_radius * scale, 1e-13 * b.bounding_radius);
        assert_near(c.torsion_constant, a.torsion_constant, 1e-14 * a.torsion_constant);
        for (int i = 0; i < 2; i++) {
            assert_near(b.second_moment[i], a.second_moment[i] * fourth, 1e-12 * b.second_moment[i]);
            assert_near(b.shear_factor[i], a.shear_factor[i], 1e-12);
            assert_near(c.second_moment[i], a.second_moment[1 - i], 1e-14 * a.polar_moment);
            assert_near(c.shear_factor[i], a.shear_factor[1 - i], 1e-14);
        }
        // Warping can only soften; and of all solid sections of one area the circle is the stiffest (Polya 1948).
        assert_true(a.torsion_constant <= a.polar_moment * (1 + 1e-14));
        if (section.kind != CDG_SECTION_TUBE)
            assert_true(a.torsion_constant <= a.area * a.area / (2 * PI) * (1 + 1e-14));
    }
}

static void test_interpolation(void **state) {
    (void)state;
    cdg_random random = {6};
    for (int kind = 0; kind < CDG_SECTION_KIND_COUNT; kind++) {
        cdg_section a = some_section(&random, kind), b = some_section(&random, kind);
        cdg_section start = cdg_section_interpolate(&a, &b, 0), end = cdg_section_interpolate(&a, &b, 1);
        cdg_section third = cdg_section_interpolate(&a, &b, 0.3), back = cdg_section_interpolate(&b, &a, 0.7);
        const double *x[] = {&a.radius, &b.radius, &start.radius, &end.radius, &third.radius, &back.radius};
        assert_int_equal(third.kind, kind);
        for (size_t i = 0; i < 6; i++) {
            assert_true(x[2][i] == x[0][i]);
            assert_true(x[3][i] == x[1][i]);
            assert_near(x[4][i], x[0][i] + 0.3 * (x[1][i] - x[0][i]), 1e-15);
            assert_near(x[5][i], x[4][i], 1e-15);
        }
    }
}

static void test_default(void **state) {
    (void)state;
    cdg_section section = cdg_section_default();
    assert_int_equal(section.kind, CDG_SECTION_CIRCLE);
    assert_near(compute(section, 0.5).area, PI * 1e-6, 1e-20);
}

static void refuse(cdg_section section, double nu, const char *text) {
    cdg_section_properties properties = {.area = 7};
    cdg_error error = {0};
    assert_int_equal(cdg_section_compute(&section, nu, &properties, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not name '%s'", error.message, text);
    assert_true(properties.area == 7); // nothing written
    assert_int_equal(cdg_section_compute(&section, nu, &properties, NULL), CDG_ERROR_ARGUMENT);
}

static void test_bad_input_is_named(void **state) {
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuse(circle(bad[i]), 0.3, "circle: radius");
        refuse(tube(bad[i], 0), 0.3, "tube: radius");
        refuse(ellipse(bad[i], 1), 0.3, "along d1");
        refuse(ellipse(1, bad[i]), 0.3, "along d2");
        refuse(rectangle(bad[i], 1), 0.3, "along d1");
        refuse(rectangle(1, bad[i]), 0.3, "along d2");
        if (bad[i] != 0) refuse(tube(1, bad[i]), 0.3, "inner_radius");
    }
    refuse(tube(1, 1), 0.3, "inner_radius");
    refuse(tube(1, 1.5), 0.3, "inner_radius");
    const double bad_nu[] = {-1, -2, 0.500001, 1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad_nu / sizeof bad_nu[0]; i++) refuse(circle(1), bad_nu[i], "poisson_ratio");
    refuse((cdg_section){.kind = CDG_SECTION_KIND_COUNT}, 0.3, "kind");
    refuse(ellipse(1, 10), -0.3, "shear factor"); // flat and auxetic: Cowper's formula breaks down
    refuse(circle(1e-90), 0.3, "units");
    refuse(circle(1e90), 0.3, "units");
    compute(ellipse(1, 1000), 0.5);
    compute(circle(1), -0.999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_by_integration),
        cmocka_unit_test(test_torsion_by_ritz),
        cmocka_unit_test(test_shear_by_ritz),
        cmocka_unit_test(test_rectangle_torsion_table),
        cmocka_unit_test(test_rectangle_torsion_is_exact),
        cmocka_unit_test(test_published_shear_factors),
        cmocka_unit_test(test_special_cases_agree),
        cmocka_unit_test(test_scaling_swapping_and_bounds),
        cmocka_unit_test(test_interpolation),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
