// Elimination in a band (band_solve.h): each pivot row is subtracted from the rows below it, along memory, which has no
// long chain of dependent operations. Common widths are known when compiling, so that their loops unroll.
#include "math/band_solve.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)
#define BAND_INLINE static inline __attribute__((always_inline))

BAND_INLINE void add_run(double *restrict rows, size_t width, size_t first, double value[3][BAND_RUN_MAX], size_t count,
                         const double c[3]) {
    for (size_t a = 0; a < count; a++) {
        double *row = rows + (first + a) * (width + 1);
        double x = c[0] * value[0][a], y = c[1] * value[1][a], z = c[2] * value[2][a];
        for (size_t b = a; b < count; b++) row[b - a] += x * value[0][b] + y * value[1][b] + z * value[2][b];
    }
}

void VARIANT(band_add_run)(const band_matrix *m, size_t first, double value[3][BAND_RUN_MAX], size_t count,
                           const double c[3]) {
    if (count == 9 && m->width == 8)
        add_run(m->rows, 8, first, value, 9, c);
    else if (count == 11 && m->width == 11)
        add_run(m->rows, 11, first, value, 11, c);
    else
        add_run(m->rows, m->width, first, value, count, c);
}

// The rows beyond the last, `width` of them, take what the last ones have to subtract: zeros.
BAND_INLINE bool eliminate(double *restrict rows, size_t size, size_t width, double *restrict right) {
    for (size_t i = 0; i < size; i++) {
        double *restrict row = rows + i * (width + 1);
        if (!(row[0] > 0)) return false; // also when it is not a number
        double inverse = 1 / row[0], own = right[i] * inverse;
        for (size_t k = 1; k <= width; k++) {
            double share = row[k] * inverse;
            double *restrict below = row + k * (width + 1);
            for (size_t j = 0; j <= width - k; j++) below[j] -= share * row[k + j];
        }
        size_t left = size - 1 - i < width ? size - 1 - i : width;
        if (left == width)
            for (size_t k = 1; k <= width; k++) right[i + k] -= own * row[k];
        else
            for (size_t k = 1; k <= left; k++) right[i + k] -= own * row[k];
        right[i] = own;
        row[0] = inverse;
    }
    for (size_t i = size; i-- > 0;) {
        const double *row = rows + i * (width + 1);
        size_t left = size - 1 - i < width ? size - 1 - i : width;
        double sum = 0;
        if (left == width)
            for (size_t k = 1; k <= width; k++) sum += row[k] * right[i + k];
        else
            for (size_t k = 1; k <= left; k++) sum += row[k] * right[i + k];
        right[i] -= row[0] * sum;
    }
    return true;
}

bool VARIANT(band_solve)(const band_matrix *m, double *right) {
    switch (m->width) {
    case 8: return eliminate(m->rows, m->size, 8, right);
    case 11: return eliminate(m->rows, m->size, 11, right);
    default: return eliminate(m->rows, m->size, m->width, right);
    }
}
