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

#define INLINE static inline __attribute__((always_inline))

// ROWS: that a panel is taken from at once, as many as there are registers for; LANES: numbers of a vector
#if defined(__AVX2__)
enum { PANEL = DENSE_PANEL, ROWS = 4, LANES = 4 };
#else
enum { PANEL = DENSE_PANEL, ROWS = 2, LANES = 2 };
#endif
typedef double lanes __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); // anywhere

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

// Of the last panel, if it is not whole.
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

// A whole panel's rows from `rows` others, whose parts in it are f. Sums are those of one number at a time, to the bit.
INLINE void subtract_panel(const double *p, size_t size, double *a, size_t rows, double f[ROWS][PANEL]) {
    size_t j = 0;
    for (; j + 2 * LANES <= size; j += 2 * LANES) {
        lanes sum[ROWS][2];
#pragma GCC unroll 8
        for (size_t k = 0; k < PANEL; k++)
#pragma GCC unroll 2
            for (size_t n = 0; n < 2; n++) {
                lanes next = *(const lanes *)(p + k * size + j + LANES * n);
#pragma GCC unroll 4
                for (size_t r = 0; r < rows; r++) sum[r][n] = k > 0 ? sum[r][n] + f[r][k] * next : f[r][k] * next;
            }
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 2
            for (size_t n = 0; n < 2; n++) *(lanes *)(a + r * size + j + LANES * n) -= sum[r][n];
    }
    for (; j < size; j++)
        for (size_t r = 0; r < rows; r++) {
            double sum = f[r][0] * p[j];
            for (size_t k = 1; k < PANEL; k++) sum += f[r][k] * p[k * size + j];
            a[r * size + j] -= sum;
        }
}

static void subtract_row(const double *p, size_t size, size_t width, double *restrict a, const double *f) {
    for (size_t k = 0; k < width; k++) {
        const double *restrict row = p + k * size;
        for (size_t j = 0; j < size; j++) a[j] -= f[k] * row[j];
    }
}

INLINE void take_part(double *row, size_t width, double part[PANEL]) {
    for (size_t k = 0; k < width; k++) {
        part[k] = row[k];
        row[k] = 0;
    }
}

// The panel's rows from others, `rows` at once.
INLINE void take_panel(const double *p, size_t size, size_t first, double *a, size_t rows) {
    double f[ROWS][PANEL];
    for (size_t r = 0; r < rows; r++) take_part(a + r * size + first, PANEL, f[r]);
    subtract_panel(p, size, a, rows, f);
}

bool VARIANT(dense_invert)(double *m, size_t size) {
    for (size_t first = 0; first < size; first += PANEL) {
        size_t width = size - first < PANEL ? size - first : PANEL;
        double d[PANEL][PANEL] = {{0}}, f[PANEL];
        if (!invert_block(m, size, first, width, d)) return false;
        if (width == PANEL)
            dense_scale_panel(m, size, first, d);
        else
            scale_rows(m, size, first, width, d);
        const double *p = m + first * size;
        for (size_t i = 0; i < size;) {
            if (i == first) i += width;
            if (i >= size) break;
            double *a = m + i * size;
            size_t left = size - i, rows = width < PANEL || left < 2 ? 1 : left < ROWS ? 2 : ROWS;
            if (rows == ROWS) {
                take_panel(p, size, first, a, ROWS);
            } else if (rows == 2) {
                take_panel(p, size, first, a, 2);
            } else {
                take_part(a + first, width, f);
                subtract_row(p, size, width, a, f);
            }
            i += rows;
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
