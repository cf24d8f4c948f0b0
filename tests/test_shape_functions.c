// Whether shape functions of higher order help (Cosserat Nets, IV: "barely"): a rod that is clamped level and hangs by
// its weight, with linear and with quadratic functions of its angle, as many unknowns each, against a solution of a
// thousand elements. Linear ones have a constant curvature in each element, as the elements of corde.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNKNOWNS_MAX = 1000, DEGREE_MAX = 2 };
static const double weight = 20; // w L^3/B: its end sinks by more than half of its length

// Energy of a rod of length 1 and stiffness 1: curvature^2/2 + weight (1 - s) sin(angle), by three Gauss points.
typedef struct hanging {
    int degree, elements;
    double angle[UNKNOWNS_MAX + 1]; // rad; the first is that of the clamp, 0
} hanging;

static void shape(int degree, double u, double *value, double *slope) {
    if (degree == 1) {
        value[0] = 1 - u, value[1] = u;
        slope[0] = -1, slope[1] = 1;
        return;
    }
    value[0] = (1 - u) * (1 - 2 * u), value[1] = 4 * u * (1 - u), value[2] = u * (2 * u - 1);
    slope[0] = 4 * u - 3, slope[1] = 4 - 8 * u, slope[2] = 4 * u - 1;
}

static const double gauss[3] = {0.1127016653792583, 0.5, 0.8872983346207417}, share[3] = {5. / 18, 8. / 18, 5. / 18};

// Gradient and matrix of second derivatives at `it`; returns how far the end sinks.
static double assemble(const hanging *it, double *gradient, double matrix[][2 * DEGREE_MAX + 1]) {
    double sag = 0, h = 1. / it->elements;
    int n = it->degree * it->elements;
    memset(gradient, 0, (size_t)(n + 1) * sizeof *gradient);
    memset(matrix, 0, (size_t)(n + 1) * sizeof *matrix);
    for (int e = 0; e < it->elements; e++)
        for (int g = 0; g < 3; g++) {
            double value[DEGREE_MAX + 1], slope[DEGREE_MAX + 1], angle = 0, curvature = 0;
            int first = e * it->degree;
            shape(it->degree, gauss[g], value, slope);
            for (int k = 0; k <= it->degree; k++) {
                angle += value[k] * it->angle[first + k];
                curvature += slope[k] / h * it->angle[first + k];
            }
            double load = weight * (1 - (e + gauss[g]) * h), w = share[g] * h;
            sag -= w * sin(angle);
            for (int i = 0; i <= it->degree; i++) {
                gradient[first + i] += w * (curvature * slope[i] / h + load * cos(angle) * value[i]);
                for (int k = 0; k <= it->degree; k++)
                    matrix[first + i][k - i + DEGREE_MAX] +=
                        w * (slope[i] * slope[k] / (h * h) - load * sin(angle) * value[i] * value[k]);
            }
        }
    return sag;
}

// Gauss' elimination without pivots of unknowns 1 to n: near its minimum the energy's matrix is positive definite.
static void solve(int n, double matrix[][2 * DEGREE_MAX + 1], double *x) {
    for (int i = 1; i <= n; i++)
        for (int row = i + 1; row <= n && row <= i + DEGREE_MAX; row++) {
            double factor = matrix[row][i - row + DEGREE_MAX] / matrix[i][DEGREE_MAX];
            for (int k = i; k <= n && k <= i + DEGREE_MAX; k++)
                matrix[row][k - row + DEGREE_MAX] -= factor * matrix[i][k - i + DEGREE_MAX];
            x[row] -= factor * x[i];
        }
    for (int i = n; i >= 1; i--) {
        for (int k = i + 1; k <= n && k <= i + DEGREE_MAX; k++) x[i] -= matrix[i][k - i + DEGREE_MAX] * x[k];
        x[i] /= matrix[i][DEGREE_MAX];
    }
}

static double sag_of(int degree, int unknowns) {
    static double gradient[UNKNOWNS_MAX + 1], matrix[UNKNOWNS_MAX + 1][2 * DEGREE_MAX + 1];
    static hanging it;
    it = (hanging){.degree = degree, .elements = unknowns / degree};
    for (int i = 0; i <= unknowns; i++) it.angle[i] = -1.3 * i / unknowns * (2 - (double)i / unknowns);
    for (int round = 0; round < 50; round++) {
        assemble(&it, gradient, matrix);
        solve(unknowns, matrix, gradient);
        double most = 0;
        for (int i = 1; i <= unknowns; i++) {
            it.angle[i] -= gradient[i];
            most = fmax(most, fabs(gradient[i]));
        }
        if (most < 1e-13) return assemble(&it, gradient, matrix);
    }
    fail_msg("degree %d with %d unknowns finds no equilibrium", degree, unknowns);
    return 0;
}

static void test_orders(void **state) {
    (void)state;
    const int counts[] = {6, 12, 24, 48};
    double exact = sag_of(2, UNKNOWNS_MAX), off[3][4];
    assert_true(exact > 0.5 && exact < 1);
    for (int degree = 1; degree <= 2; degree++)
        for (int i = 0; i < 4; i++) off[degree][i] = fabs(sag_of(degree, counts[i]) - exact);
    for (int i = 0; i < 4; i++)
        printf("%2d unknowns: linear %.2e, quadratic %.2e of the length off\n", counts[i], off[1][i], off[2][i]);
    double linear = log2(off[1][1] / off[1][3]) / 2, quadratic = log2(off[2][1] / off[2][3]) / 2;
    printf("orders %.2f and %.2f\n", linear, quadratic);
    assert_true(fabs(linear - 2) < 0.1 && quadratic > 3.5);
    assert_true(off[1][1] < 2e-3); // with 12 linear elements: what is not seen
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
