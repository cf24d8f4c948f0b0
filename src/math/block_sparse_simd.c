// Factors and solution of sparse systems of blocks (block_sparse.h). A row of a block is one vector of four.
#include "math/block_sparse.h"

#include <math.h>
#include <string.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)
#define INLINE static inline __attribute__((always_inline))

// Everything below that takes or returns a vector is inlined, so no calling convention is concerned.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double row4 __attribute__((vector_size(32)));

INLINE row4 read4(const double *from) {
    row4 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE void write4(double *to, row4 value) { memcpy(to, &value, sizeof value); }

// L D L^T of a diagonal block, in its lower triangle: L below the diagonal and 1/D on it.
static void factor_diagonal(block_matrix *m, double a[BLOCK_DOUBLES]) {
    for (int j = 0; j < 4; j++) {
        double inverse = 1 / a[5 * j];
        if (!(fabs(inverse) <= 1e300)) m->is_broken = true; // also when it is not a number
        m->negative_count += a[5 * j] < 0;
        for (int i = j + 1; i < 4; i++) {
            double l = a[4 * i + j] * inverse;
            for (int k = j + 1; k <= i; k++) a[4 * i + k] -= l * a[4 * k + j];
        }
        for (int i = j + 1; i < 4; i++) a[4 * i + j] *= inverse;
        a[5 * j] = inverse;
    }
}

// a -= s t
INLINE void subtract_product(double *a, const double *s, const row4 t[4]) {
    for (int i = 0; i < 4; i++) {
        row4 row = read4(a + 4 * i);
        row -= s[4 * i] * t[0] + s[4 * i + 1] * t[1];
        row -= s[4 * i + 2] * t[2] + s[4 * i + 3] * t[3];
        write4(a + 4 * i, row);
    }
}

INLINE void transpose(const double *w, row4 t[4]) {
    row4 a = read4(w), b = read4(w + 4), c = read4(w + 8), d = read4(w + 12);
    row4 e = __builtin_shufflevector(a, b, 0, 4, 2, 6), f = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    row4 g = __builtin_shufflevector(c, d, 0, 4, 2, 6), h = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    t[0] = __builtin_shufflevector(e, g, 0, 1, 4, 5), t[1] = __builtin_shufflevector(f, h, 0, 1, 4, 5);
    t[2] = __builtin_shufflevector(e, g, 2, 3, 6, 7), t[3] = __builtin_shufflevector(f, h, 2, 3, 6, 7);
}

void VARIANT(block_factor)(block_matrix *m) {
    const block_pattern *p = m->pattern;
    m->negative_count = 0;
    m->is_broken = false;
    for (size_t column = 0; column < p->count; column++) {
        double *d = m->diagonal + BLOCK_DOUBLES * column;
        factor_diagonal(m, d);
        size_t begin = p->first[column], end = p->first[column + 1];
        for (size_t entry = begin; entry < end; entry++) { // W = A L^-T
            double *w = m->below + BLOCK_DOUBLES * entry;
            for (int i = 0; i < 4; i++) {
                double *row = w + 4 * i;
                row[1] -= row[0] * d[4];
                row[2] -= row[0] * d[8] + row[1] * d[9];
                row[3] -= row[0] * d[12] + row[1] * d[13] + row[2] * d[14];
            }
        }
        for (size_t entry = begin; entry < end; entry++) { // what this column takes off those of its rows
            const double *w = m->below + BLOCK_DOUBLES * entry;
            size_t to = p->row[entry], index = p->first[to];
            row4 scaled[4]; // D^-1 W^T
            transpose(w, scaled);
            for (int k = 0; k < 4; k++) scaled[k] *= d[5 * k];
            subtract_product(m->diagonal + BLOCK_DOUBLES * to, w, scaled);
            for (size_t other = entry + 1; other < end; other++) {
                while (p->row[index] != p->row[other]) index++;
                subtract_product(m->below + BLOCK_DOUBLES * index, m->below + BLOCK_DOUBLES * other, scaled);
            }
        }
    }
}

void VARIANT(block_solve)(const block_matrix *m, double *right, double *y) {
    const block_pattern *p = m->pattern;
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 4; k++) y[4 * p->position[i] + (size_t)k] = right[4 * i + (size_t)k];
    for (size_t column = 0; column < p->count; column++) {
        const double *d = m->diagonal + BLOCK_DOUBLES * column;
        double *own = y + 4 * column, scaled[4];
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l < k; l++) own[k] -= d[4 * k + l] * own[l];
            scaled[k] = own[k] * d[5 * k];
        }
        for (size_t entry = p->first[column]; entry < p->first[column + 1]; entry++) {
            const double *w = m->below + BLOCK_DOUBLES * entry;
            double *to = y + 4 * p->row[entry];
            row4 t[4];
            transpose(w, t);
            row4 sum = scaled[0] * t[0] + scaled[1] * t[1];
            sum += scaled[2] * t[2] + scaled[3] * t[3];
            write4(to, read4(to) - sum);
        }
    }
    for (size_t column = p->count; column-- > 0;) {
        const double *d = m->diagonal + BLOCK_DOUBLES * column;
        double *own = y + 4 * column;
        row4 sum = read4(own);
        for (size_t entry = p->first[column]; entry < p->first[column + 1]; entry++) {
            const double *w = m->below + BLOCK_DOUBLES * entry, *from = y + 4 * p->row[entry];
            sum -= from[0] * read4(w) + from[1] * read4(w + 4);
            sum -= from[2] * read4(w + 8) + from[3] * read4(w + 12);
        }
        write4(own, sum);
        for (int k = 3; k >= 0; k--) {
            own[k] *= d[5 * k];
            for (int l = k + 1; l < 4; l++) own[k] -= d[4 * l + k] * own[l];
        }
    }
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 4; k++) right[4 * i + (size_t)k] = y[4 * p->position[i] + (size_t)k];
}

// ---- units ----------------------------------------------------------------------------------------------------------

// The four solutions of a block's unknown l are the row of four at y + 4 l.
INLINE bool is_zero(const double y[BLOCK_DOUBLES]) {
    double sum = 0;
    for (int k = 0; k < BLOCK_DOUBLES; k++) sum += fabs(y[k]);
    return sum == 0;
}

void VARIANT(block_solve_units)(const block_matrix *m, size_t block, double *y) {
    const block_pattern *p = m->pattern;
    size_t start = p->position[block];
    memset(y, 0, BLOCK_DOUBLES * p->count * sizeof *y);
    for (int k = 0; k < 4; k++) y[BLOCK_DOUBLES * start + 5 * (size_t)k] = 1;
    for (size_t column = start; column < p->count; column++) {
        const double *d = m->diagonal + BLOCK_DOUBLES * column;
        double *own = y + BLOCK_DOUBLES * column;
        if (is_zero(own)) continue;
        row4 row[4], scaled[4];
        for (int k = 0; k < 4; k++) {
            row[k] = read4(own + 4 * k);
            for (int l = 0; l < k; l++) row[k] -= d[4 * k + l] * row[l];
            write4(own + 4 * k, row[k]);
            scaled[k] = row[k] * d[5 * k];
        }
        for (size_t entry = p->first[column]; entry < p->first[column + 1]; entry++)
            subtract_product(y + BLOCK_DOUBLES * p->row[entry], m->below + BLOCK_DOUBLES * entry, scaled);
    }
    for (size_t column = p->count; column-- > 0;) {
        const double *d = m->diagonal + BLOCK_DOUBLES * column;
        double *own = y + BLOCK_DOUBLES * column;
        row4 row[4];
        for (int k = 0; k < 4; k++) row[k] = read4(own + 4 * k);
        for (size_t entry = p->first[column]; entry < p->first[column + 1]; entry++) {
            const double *w = m->below + BLOCK_DOUBLES * entry, *from = y + BLOCK_DOUBLES * p->row[entry];
            row4 r0 = read4(from), r1 = read4(from + 4), r2 = read4(from + 8), r3 = read4(from + 12);
            for (int k = 0; k < 4; k++) {
                row[k] -= w[k] * r0 + w[4 + k] * r1;
                row[k] -= w[8 + k] * r2 + w[12 + k] * r3;
            }
        }
        for (int k = 3; k >= 0; k--) {
            row[k] *= d[5 * k];
            for (int l = k + 1; l < 4; l++) row[k] -= d[4 * l + k] * row[l];
            write4(own + 4 * k, row[k]);
        }
    }
}
