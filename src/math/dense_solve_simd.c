// Elimination with row pivoting (dense_solve.h). Eight pivot rows are subtracted from two rows at once, so that memory
// is read and written seldom.
#include "math/dense_solve.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

enum { PANEL = 8 };

static void swap_rows(double *restrict a, double *restrict b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double old = a[i];
        a[i] = b[i];
        b[i] = old;
    }
}

// Eliminates the `width` columns from `first` on within themselves, for all rows below; multipliers stay in place.
static bool factor_panel(double *m, size_t size, size_t first, size_t width, double *right) {
    for (size_t k = first; k < first + width; k++) {
        size_t pivot = k;
        double largest = 0;
        for (size_t i = k; i < size; i++) {
            double value = fabs(m[i * size + k]);
            if (value > largest) largest = value, pivot = i;
        }
        if (!(largest > 0) || !isfinite(largest)) return false;
        if (pivot != k) {
            swap_rows(m + k * size, m + pivot * size, size);
            double old = right[k];
            right[k] = right[pivot];
            right[pivot] = old;
        }
        double inverse = 1 / m[k * size + k];
        for (size_t i = k + 1; i < size; i++) {
            double factor = m[i * size + k] * inverse;
            m[i * size + k] = factor;
            for (size_t j = k + 1; j < first + width; j++) m[i * size + j] -= factor * m[k * size + j];
        }
    }
    return true;
}

// A whole panel's rows from all rows below it; the last of an odd number alone.
static void subtract(double *m, size_t size, size_t first, double *right) {
    const size_t next = first + PANEL;
    const double *p[PANEL];
    for (size_t k = 0; k < PANEL; k++) p[k] = m + (first + k) * size;
    const double *restrict p0 = p[0], *restrict p1 = p[1], *restrict p2 = p[2], *restrict p3 = p[3];
    const double *restrict p4 = p[4], *restrict p5 = p[5], *restrict p6 = p[6], *restrict p7 = p[7];
    for (size_t i = next; i < size; i += 2) {
        bool is_last = i + 1 == size;
        double *restrict a = m + i * size, *restrict b = is_last ? a : a + size;
        double f[PANEL], g[PANEL];
        for (size_t k = 0; k < PANEL; k++) {
            f[k] = a[first + k], g[k] = b[first + k];
            right[i] -= f[k] * right[first + k];
            if (!is_last) right[i + 1] -= g[k] * right[first + k];
        }
        if (is_last) {
            for (size_t j = next; j < size; j++)
                a[j] -= f[0] * p0[j] + f[1] * p1[j] + f[2] * p2[j] + f[3] * p3[j] + f[4] * p4[j] + f[5] * p5[j] +
                        f[6] * p6[j] + f[7] * p7[j];
            return;
        }
        for (size_t j = next; j < size; j++) {
            a[j] -= f[0] * p0[j] + f[1] * p1[j] + f[2] * p2[j] + f[3] * p3[j] + f[4] * p4[j] + f[5] * p5[j] +
                    f[6] * p6[j] + f[7] * p7[j];
            b[j] -= g[0] * p0[j] + g[1] * p1[j] + g[2] * p2[j] + g[3] * p3[j] + g[4] * p4[j] + g[5] * p5[j] +
                    g[6] * p6[j] + g[7] * p7[j];
        }
    }
}

bool VARIANT(dense_solve)(double *m, size_t size, double *right) {
    for (size_t first = 0; first < size; first += PANEL) {
        size_t width = size - first < PANEL ? size - first : PANEL, next = first + width;
        if (!factor_panel(m, size, first, width, right)) return false;
        for (size_t k = first; k < next; k++) // the pivot rows' own parts beyond the panel
            for (size_t l = first; l < k; l++) {
                double factor = m[k * size + l];
                double *restrict row = m + k * size;
                const double *restrict above = m + l * size;
                for (size_t j = next; j < size; j++) row[j] -= factor * above[j];
                right[k] -= factor * right[l];
            }
        if (width < PANEL) continue; // nothing is below
        subtract(m, size, first, right);
    }
    for (size_t i = size; i-- > 0;) {
        double sum = right[i];
        for (size_t j = i + 1; j < size; j++) sum -= m[i * size + j] * right[j];
        right[i] = sum / m[i * size + i];
    }
    return true;
}
