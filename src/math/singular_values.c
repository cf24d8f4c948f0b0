// One-sided Jacobi rotations (Hestenes 1958): pairs of columns are turned until all are orthogonal.
#include "math/singular_values.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void turn(double *a, double *b, size_t count, double cosine, double sine) {
    for (size_t i = 0; i < count; i++) {
        double left = a[i];
        a[i] = cosine * left - sine * b[i];
        b[i] = sine * left + cosine * b[i];
    }
}

// False: they were orthogonal.
static bool make_orthogonal(double *a, double *b, size_t rows, double *v, double *w, size_t columns) {
    double aa = dot(a, a, rows), bb = dot(b, b, rows), ab = dot(a, b, rows);
    if (fabs(ab) <= DBL_EPSILON * sqrt(aa * bb) || ab == 0) return false;
    double half = (bb - aa) / (2 * ab);
    double tangent = (half >= 0 ? 1 : -1) / (fabs(half) + sqrt(1 + half * half));
    double cosine = 1 / sqrt(1 + tangent * tangent);
    turn(a, b, rows, cosine, cosine * tangent);
    turn(v, w, columns, cosine, cosine * tangent);
    return true;
}

static void swap(double *a, double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
}

void singular_values(double *a, size_t rows, size_t columns, double *s, double *v) {
    memset(v, 0, columns * columns * sizeof *v);
    for (size_t k = 0; k < columns; k++) v[k * columns + k] = 1;
    bool has_turned = true;
    for (int sweep = 0; sweep < 60 && has_turned; sweep++) {
        has_turned = false;
        for (size_t i = 0; i < columns; i++)
            for (size_t j = i + 1; j < columns; j++)
                has_turned |=
                    make_orthogonal(a + i * rows, a + j * rows, rows, v + i * columns, v + j * columns, columns);
    }
    for (size_t k = 0; k < columns; k++) s[k] = sqrt(dot(a + k * rows, a + k * rows, rows));
    for (size_t i = 0; i < columns; i++)
        for (size_t j = i + 1; j < columns; j++)
            if (s[j] > s[i]) {
                swap(s + i, s + j, 1);
                swap(a + i * rows, a + j * rows, rows);
                swap(v + i * columns, v + j * columns, columns);
            }
}
