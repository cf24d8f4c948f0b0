// Cholesky's factors from the last block of rows to the first (dense_factor.h): since what is there is stored by rows
// below the diagonal, all that a block does to what is before it goes along rows.
//
// With E the inverse of a block D of the diagonal, D^T D being what stands there, the block's rows become E^T times
// themselves, M, and from what is before goes M^T M. E takes the place of D: solves multiply by it.
#include "math/dense_factor.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = DENSE_FACTOR_BLOCK, ROWS = 4 };
typedef float sixteen __attribute__((vector_size(4 * BLOCK), aligned(4), may_alias)); // anywhere

// Not functions: vectors that the processor has not are not passed.
#define LOAD(from) (*(const sixteen *)(from))
#define STORE(to, a) (*(sixteen *)(to) = (a))

// D of the block at `at`, rows of `row` numbers; zeros above the diagonal.
static bool factor_block(const float *at, size_t row, float d[BLOCK][BLOCK]) {
    for (size_t i = 0; i < BLOCK; i++)
        for (size_t j = 0; j < BLOCK; j++) d[i][j] = j <= i ? at[i * row + j] : 0;
    for (size_t k = BLOCK; k-- > 0;) {
        if (!(d[k][k] > 0) || !isfinite(d[k][k])) return false;
        float inverse = 1 / sqrtf(d[k][k]);
        STORE(d[k], LOAD(d[k]) * inverse);
        for (size_t i = 0; i < k; i++) STORE(d[i], LOAD(d[i]) - d[k][i] * LOAD(d[k]));
        for (size_t i = 0; i < k; i++) // what is above the diagonal stays empty
            for (size_t j = i + 1; j < BLOCK; j++) d[i][j] = 0;
    }
    return true;
}

// Its inverse, E, lower as well.
static void invert_block(float d[BLOCK][BLOCK], float *at, size_t row) {
    for (size_t i = 0; i < BLOCK; i++) {
        sixteen sum = {0};
        for (size_t j = 0; j < i; j++) sum -= d[i][j] * LOAD(at + j * row);
        float own[BLOCK] = {0};
        own[i] = 1;
        STORE(at + i * row, (sum + LOAD(own)) / d[i][i]);
    }
}

// Sixteen columns of the block's rows: E^T times themselves.
INLINE void scale_columns(const float *e, size_t row, float *rows) {
    sixteen old[BLOCK];
    for (size_t l = 0; l < BLOCK; l++) old[l] = LOAD(rows + l * row);
    for (size_t k = 0; k < BLOCK; k++) {
        sixteen sum = e[k * row + k] * old[k];
        for (size_t l = k + 1; l < BLOCK; l++) sum += e[l * row + k] * old[l];
        STORE(rows + k * row, sum);
    }
}

// From ROWS rows from i on, M^T M as far as the block that they are in.
INLINE void subtract_rows(float *factor, size_t row, size_t first, size_t i) {
    const float *m = factor + first * row;
    for (size_t j = 0; j <= i; j += BLOCK) {
        sixteen sum[ROWS];
#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++) sum[r] = LOAD(factor + (i + r) * row + j);
        for (size_t k = 0; k < BLOCK; k++) {
            sixteen next = LOAD(m + k * row + j);
#pragma GCC unroll 4
            for (size_t r = 0; r < ROWS; r++) sum[r] -= m[k * row + i + r] * next;
        }
#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++) STORE(factor + (i + r) * row + j, sum[r]);
    }
}

bool VARIANT(dense_factor_eliminate)(float *factor, size_t row) {
    for (size_t first = row; first >= BLOCK;) {
        first -= BLOCK;
        float d[BLOCK][BLOCK], *at = factor + first * row + first;
        if (!factor_block(at, row, d)) return false;
        invert_block(d, at, row);
        for (size_t j = 0; j < first; j += BLOCK) scale_columns(at, row, factor + first * row + j);
        for (size_t i = 0; i < first; i += ROWS) subtract_rows(factor, row, first, i);
    }
    return true;
}

// M^T y = x, from the last block to the first.
static void solve_down(const float *factor, size_t row, float *x) {
    for (size_t first = row; first >= BLOCK;) {
        first -= BLOCK;
        const float *m = factor + first * row, *e = m + first;
        float y[BLOCK];
        sixteen own[2] = {{0}, {0}};
#pragma GCC unroll 16
        for (size_t l = 0; l < BLOCK; l++) own[l % 2] += x[first + l] * LOAD(e + l * row); // E^T times its part
        STORE(y, own[0] + own[1]);
        STORE(x + first, own[0] + own[1]);
        for (size_t j = 0; j < first; j += BLOCK) {
            sixteen sum[2] = {LOAD(x + j), {0}};
#pragma GCC unroll 16
            for (size_t k = 0; k < BLOCK; k++) sum[k % 2] -= y[k] * LOAD(m + k * row + j);
            STORE(x + j, sum[0] + sum[1]);
        }
    }
}

// The sum of sixteen numbers, by halves.
INLINE float sum_of(const float *at) {
    typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    eight half = *(const eight *)at + *(const eight *)(at + 8);
    const float *from = (const float *)&half;
    four quarter = *(const four *)from + *(const four *)(from + 4);
    return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

// M x = y, from the first block to the last.
static void solve_up(const float *factor, size_t row, float *x) {
    for (size_t first = 0; first < row; first += BLOCK) {
        const float *m = factor + first * row, *e = m + first;
        sixteen sum[BLOCK];
#pragma GCC unroll 16
        for (size_t k = 0; k < BLOCK; k++) sum[k] = (sixteen){0};
        for (size_t j = 0; j < first; j += BLOCK) {
            sixteen here = LOAD(x + j);
#pragma GCC unroll 16
            for (size_t k = 0; k < BLOCK; k++) sum[k] += LOAD(m + k * row + j) * here;
        }
        float right[BLOCK], out[BLOCK];
        for (size_t k = 0; k < BLOCK; k++) right[k] = x[first + k] - sum_of((const float *)&sum[k]);
        for (size_t k = 0; k < BLOCK; k++) {
            sixteen product = LOAD(e + k * row) * LOAD(right);
            out[k] = sum_of((const float *)&product);
        }
        STORE(x + first, LOAD(out));
    }
}

void VARIANT(dense_factor_solve)(const float *factor, size_t row, float *x) {
    solve_down(factor, row, x);
    solve_up(factor, row, x);
}
