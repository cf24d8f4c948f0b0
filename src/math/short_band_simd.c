// Factors of short band systems (short_band.h): each pivot row is subtracted from the rows below it, in vectors of four
// that start at columns which are multiples of four. What they reach before the diagonal is of no use.
#include "math/short_band.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

typedef double quad __attribute__((vector_size(32), may_alias));

// Rows from as far before the diagonal as vectors reach to as far beyond; of all the same number of columns.
void VARIANT(short_band_clear)(short_band *m, size_t size, size_t width) {
    enum { BEFORE = SHORT_BAND_WIDTH, QUADS = (2 * SHORT_BAND_WIDTH + 8) / 4 };
    m->size = size, m->width = width;
    for (size_t i = 0; i < size; i++) {
        size_t middle = i / 4 * 4, last = SHORT_BAND_STRIDE - 4 * QUADS, from = middle > BEFORE ? middle - BEFORE : 0;
        quad *to = (quad *)(m->rows[i] + (from < last ? from : last));
        for (size_t k = 0; k < QUADS; k++) to[k] = (quad){0};
    }
}

static inline __attribute__((always_inline)) void subtract(short_band *m, size_t i, size_t width, size_t below) {
    enum { QUADS_MAX = SHORT_BAND_WIDTH / 4 + 1 };
    double *row = m->rows[i], inverse = 1 / row[i];
    size_t first = (i + 1) / 4 * 4, quads = (width + 3) / 4 + 1 < QUADS_MAX ? (width + 3) / 4 + 1 : QUADS_MAX;
    quad pivot[QUADS_MAX];
    for (size_t k = 0; k < quads; k++) pivot[k] = *(const quad *)(row + first + 4 * k);
    for (size_t k = 1; k <= below; k++) {
        double share = row[i + k] * inverse;
        quad *to = (quad *)(m->rows[i + k] + first);
        for (size_t j = 0; j < quads; j++) to[j] -= share * pivot[j];
    }
    row[i] = inverse;
}

static inline __attribute__((always_inline)) bool factor(short_band *m, size_t width) {
    size_t size = m->size;
    for (size_t i = 0; i < size; i++) {
        if (!(m->rows[i][i] > 0)) return false; // also when it is not a number
        if (i + width < size)
            subtract(m, i, width, width);
        else
            subtract(m, i, width, size - 1 - i);
    }
    return true;
}

bool VARIANT(short_band_factor)(short_band *m) {
    switch (m->width) {
    case 8: return factor(m, 8);
    case 10: return factor(m, 10);
    default: return factor(m, m->width);
    }
}

static inline __attribute__((always_inline)) void solve(const short_band *m, size_t width, double *restrict right) {
    size_t size = m->size;
    double x[SHORT_BAND_SIZE + SHORT_BAND_WIDTH];
    for (size_t i = 0; i < size; i++) x[i] = right[i];
    for (size_t i = 0; i < width; i++) x[size + i] = 0; // beyond the end, where rows are zero
    for (size_t i = 0; i < size; i++) {
        const double *row = m->rows[i];
        double own = x[i] * row[i]; // the diagonal has inverse pivots
        for (size_t k = 1; k <= width; k++) x[i + k] -= own * row[i + k];
        x[i] = own;
    }
    for (size_t i = 0; i < width; i++) x[size + i] = 0;
    for (size_t i = size; i-- > 0;) {
        const double *row = m->rows[i];
        double sum = 0;
        for (size_t k = width; k > 0; k--) sum += row[i + k] * x[i + k]; // what was found last comes last
        right[i] = x[i] -= row[i] * sum;
    }
}

void VARIANT(short_band_solve)(const short_band *m, double *right) {
    switch (m->width) {
    case 8: solve(m, 8, right); break;
    case 10: solve(m, 10, right); break;
    default: solve(m, m->width, right);
    }
}
