// Gauss and Jordan's inverse in place (dense_inverse.h), eight columns at a time so that memory is read and written
// seldom. With D the inverse of the eight's own block, their rows K become D times themselves, and from every other row
// i goes its part in K times these. What the eight columns hold afterwards comes out of the same sums when the block is
// replaced by the identity and the rows' parts in K by none.
//
// Half of the work is saved by symmetry. Below the diagonal a row that is not done yet has, in columns that are done,
// the opposite of what its column has there; otherwise both are the same. So whatever a panel needs from above the
// diagonal is put there just before, and rows end at their diagonal.
#include "math/dense_inverse.h"

#include "math/simd.h"

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
INLINE void subtract_panel(const double *p, size_t size, size_t end, double *a, size_t rows, double f[ROWS][PANEL]) {
    size_t j = 0;
    for (; j + 2 * LANES <= size && j < end; j += 2 * LANES) {
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
    for (; j < end; j++)
        for (size_t r = 0; r < rows; r++) {
            double sum = f[r][0] * p[j];
            for (size_t k = 1; k < PANEL; k++) sum += f[r][k] * p[k * size + j];
            a[r * size + j] -= sum;
        }
}

static void subtract_row(const double *p, size_t size, size_t end, size_t width, double *restrict a, const double *f) {
    for (size_t k = 0; k < width; k++) {
        const double *restrict row = p + k * size;
        for (size_t j = 0; j < end; j++) a[j] -= f[k] * row[j];
    }
}

INLINE void take_part(double *row, size_t width, double part[PANEL]) {
    for (size_t k = 0; k < width; k++) {
        part[k] = row[k];
        row[k] = 0;
    }
}

// The panel's rows from others from row i on, `rows` at once.
INLINE void take_panel(double *m, size_t size, size_t first, size_t i, size_t rows) {
    double f[ROWS][PANEL], *a = m + i * size;
    for (size_t r = 0; r < rows; r++) take_part(a + r * size + first, PANEL, f[r]);
    subtract_panel(m + first * size, size, i + rows, a, rows, f);
}

// What a panel needs from above the diagonal.
static void complete_panel(double *m, size_t size, size_t first, size_t width) {
    for (size_t i = 0; i < first; i++)
        for (size_t k = 0; k < width; k++) m[i * size + first + k] = -m[(first + k) * size + i];
    for (size_t i = first + width; i < size; i++)
        for (size_t k = 0; k < width; k++) m[(first + k) * size + i] = m[i * size + first + k];
    for (size_t k = 0; k < width; k++)
        for (size_t l = k + 1; l < width; l++) m[(first + k) * size + first + l] = m[(first + l) * size + first + k];
}

bool VARIANT(dense_invert)(double *m, size_t size) {
    for (size_t first = 0; first < size; first += PANEL) {
        size_t width = size - first < PANEL ? size - first : PANEL;
        double d[PANEL][PANEL] = {{0}}, f[PANEL];
        complete_panel(m, size, first, width);
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
                take_panel(m, size, first, i, ROWS);
            } else if (rows == 2) {
                take_panel(m, size, first, i, 2);
            } else {
                take_part(a + first, width, f);
                subtract_row(p, size, i + 1, width, a, f);
            }
            i += rows;
        }
    }
    return true;
}

// `rows` rows from `first` on, as many as a vector has numbers at most: what their columns do to what is before them,
// and they to themselves; then their own block, of which what is above the diagonal is not read.
INLINE void multiply_rows(const double *m, size_t size, size_t first, size_t rows, const double *x, double *out) {
    simd_double dot[SIMD_LANES];
    const double *from = m + first * size;
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++) dot[r] = (simd_double){0};
    for (size_t j = 0; j < first; j += SIMD_LANES) {
        simd_double here = simd_load(x + j), sum[2] = {simd_load(out + j), {0}};
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            simd_double next = simd_load(from + r * size + j);
            sum[r % 2] += x[first + r] * next;
            dot[r] += next * here;
        }
        simd_store(out + j, sum[0] + sum[1]);
    }
    const simd_part all = simd_part_of(rows);
    simd_double here = simd_load_part(x + first, all, (simd_double){0}), sum = {0};
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++) {
        const double *own = from + r * size + first;
        dot[r] += simd_load_part(own, simd_part_of(r + 1), (simd_double){0}) * here;
        sum += x[first + r] * simd_load_part(own, simd_part_of(r), (simd_double){0});
    }
    for (size_t r = 0; r < rows; r++) {
        double whole = 0;
        for (size_t n = 0; n < SIMD_LANES; n++) whole += simd_get(&dot[r], n);
        out[first + r] = whole + simd_get(&sum, r);
    }
}

void VARIANT(dense_multiply)(const double *m, size_t size, const double *x, double *restrict out) {
    size_t first = 0;
    for (; first + SIMD_LANES <= size; first += SIMD_LANES) multiply_rows(m, size, first, SIMD_LANES, x, out);
    if (first < size) multiply_rows(m, size, first, size - first, x, out);
}
