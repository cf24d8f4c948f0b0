// Gauss and Jordan's inverse in place (dense_inverse.h), eight columns at a time so that memory is read and written
// seldom. With D the inverse of the eight's own block, their rows K become D times themselves, and from every other row
// i goes its part in K times these. What the eight columns hold afterwards comes out of the same sums when the block is
// replaced by the identity and the rows' parts in K by none.
#include "math/dense_inverse.h"

#include <math.h>
#include <string.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

enum { PANEL = 8 };

// The inverse of the block of `width` from `first` on, by single pivots.
static bool invert_block(const double *m, size_t size, size_t first, size_t width, double d[PANEL][PANEL]) {
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++) d[i][j] = m[(first + i) * size + first + j];
    for (size_t k = 0; k < width; k++) {
        if (!(d[k][k] > 0) || !isfinite(d[k][k])) return false;
        double inverse = 1 / d[k][k];
        d[k][k] = 1;
        for (size_t j = 0; j < width; j++) d[k][j] *= inverse;
        for (size_t i = 0; i < width; i++) {
            if (i == k) continue;
            double factor = d[i][k];
            d[i][k] = 0;
            for (size_t j = 0; j < width; j++) d[i][j] -= factor * d[k][j];
        }
    }
    return true;
}

static void scale_rows(double *m, size_t size, size_t first, size_t width, double d[PANEL][PANEL]) {
    double *rows = m + first * size;
    for (size_t j = 0; j < size; j++) {
        double old[PANEL], sum[PANEL] = {0};
        bool is_own = j >= first && j < first + width;
        for (size_t l = 0; l < width; l++) old[l] = is_own ? j == first + l : rows[l * size + j];
        for (size_t k = 0; k < width; k++)
            for (size_t l = 0; l < width; l++) sum[k] += d[k][l] * old[l];
        for (size_t k = 0; k < width; k++) rows[k * size + j] = sum[k];
    }
}

// A whole panel's rows from two others, or from one twice over.
static void subtract_panel(const double *restrict p, size_t size, double *a, double *b, const double *f,
                           const double *g) {
    const double *restrict p0 = p, *restrict p1 = p + size, *restrict p2 = p + 2 * size, *restrict p3 = p + 3 * size;
    const double *restrict p4 = p + 4 * size, *restrict p5 = p + 5 * size;
    const double *restrict p6 = p + 6 * size, *restrict p7 = p + 7 * size;
    double *restrict row_a = a, *restrict row_b = b;
    for (size_t j = 0; j < size; j++) {
        row_a[j] -= f[0] * p0[j] + f[1] * p1[j] + f[2] * p2[j] + f[3] * p3[j] + f[4] * p4[j] + f[5] * p5[j] +
                    f[6] * p6[j] + f[7] * p7[j];
        row_b[j] -= g[0] * p0[j] + g[1] * p1[j] + g[2] * p2[j] + g[3] * p3[j] + g[4] * p4[j] + g[5] * p5[j] +
                    g[6] * p6[j] + g[7] * p7[j];
    }
}

static void subtract_row(const double *p, size_t size, size_t width, double *restrict a, const double *f) {
    for (size_t k = 0; k < width; k++) {
        const double *restrict row = p + k * size;
        for (size_t j = 0; j < size; j++) a[j] -= f[k] * row[j];
    }
}

static void take_part(double *row, size_t first, size_t width, double part[PANEL]) {
    for (size_t k = 0; k < width; k++) {
        part[k] = row[first + k];
        row[first + k] = 0;
    }
}

bool VARIANT(dense_invert)(double *m, size_t size) {
    for (size_t first = 0; first < size; first += PANEL) {
        size_t width = size - first < PANEL ? size - first : PANEL;
        double d[PANEL][PANEL] = {{0}}, f[PANEL], g[PANEL];
        if (!invert_block(m, size, first, width, d)) return false;
        scale_rows(m, size, first, width, d);
        const double *p = m + first * size;
        for (size_t i = 0; i < size; i++) {
            if (i == first) i += width;
            if (i >= size) break;
            take_part(m + i * size, first, width, f);
            bool has_next = i + 1 < size && i + 1 != first && width == PANEL;
            if (has_next) {
                take_part(m + (i + 1) * size, first, width, g);
                subtract_panel(p, size, m + i * size, m + (i + 1) * size, f, g);
                i++;
            } else {
                subtract_row(p, size, width, m + i * size, f);
            }
        }
    }
    return true;
}

void VARIANT(dense_multiply)(const double *m, size_t size, const double *x, double *restrict out) {
    memset(out, 0, size * sizeof *out);
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        const double *restrict p0 = m + i * size, *restrict p1 = p0 + size;
        const double *restrict p2 = p1 + size, *restrict p3 = p2 + size;
        for (size_t j = 0; j < size; j++)
            out[j] += x[i] * p0[j] + x[i + 1] * p1[j] + x[i + 2] * p2[j] + x[i + 3] * p3[j];
    }
    for (; i < size; i++)
        for (size_t j = 0; j < size; j++) out[j] += x[i] * m[i * size + j];
}
