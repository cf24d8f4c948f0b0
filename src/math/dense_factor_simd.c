// Cholesky's factors from the last block of rows to the first (dense_factor.h): since what is there is stored by rows
// below the diagonal, all that a block does to what is before it goes along rows.
//
// With E the inverse of a block D of the diagonal, D^T D being what stands there, the block's rows become E^T times
// themselves, M, and from what is before goes M^T M. Solves multiply by E in the place of D. They go through the factor
// twice, down by its rows and up by its columns, and what they read is packed in that order: memory comes nearly twice
// as fast then, and no sums across a vector are to be made.
#include "math/dense_factor.h"

#include <math.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = DENSE_FACTOR_BLOCK, SQUARE = BLOCK * BLOCK, ROWS = 4 };
typedef float sixteen __attribute__((vector_size(4 * BLOCK), aligned(4), may_alias)); // anywhere

// Not functions: vectors that the processor has not are not passed.
#define LOAD(from) (*(const sixteen *)(from))
#define STORE(to, a) (*(sixteen *)(to) = (a))

// D of the block at `at`, rows of `row` numbers, as far as the diagonal, and what its diagonal is divided by.
static bool factor_block(const float *at, size_t row, float d[BLOCK][BLOCK], float inverse[BLOCK]) {
    for (size_t i = 0; i < BLOCK; i++) STORE(d[i], LOAD(at + i * row));
    for (size_t k = BLOCK; k-- > 0;) {
        if (!(d[k][k] > 0) || !isfinite(d[k][k])) return false;
        inverse[k] = 1 / sqrtf(d[k][k]);
        sixteen own = LOAD(d[k]) * inverse[k];
        STORE(d[k], own);
        for (size_t i = 0; i < k; i++) STORE(d[i], LOAD(d[i]) - d[k][i] * own); // anything above the diagonal
    }
    return true;
}

// Its inverse, E, lower as well.
static void invert_block(float d[BLOCK][BLOCK], const float inverse[BLOCK], float *out) {
    sixteen e[BLOCK];
#pragma GCC unroll 16
    for (size_t i = 0; i < BLOCK; i++) {
        float own[BLOCK] = {0};
        own[i] = 1;
        e[i] = LOAD(own);
    }
#pragma GCC unroll 16
    for (size_t j = 0; j < BLOCK; j++) {
        e[j] *= inverse[j];
        STORE(out + j * BLOCK, e[j]);
#pragma GCC unroll 16
        for (size_t i = j + 1; i < BLOCK; i++) e[i] -= d[i][j] * e[j];
    }
}

// Sixteen columns of the block's rows: E^T times themselves, in their place and by themselves.
INLINE void scale_columns(const float *e, size_t row, float *rows, float *out) {
    sixteen old[BLOCK];
    for (size_t l = 0; l < BLOCK; l++) old[l] = LOAD(rows + l * row);
    for (size_t k = 0; k < BLOCK; k++) {
        sixteen sum = e[k * BLOCK + k] * old[k];
        for (size_t l = k + 1; l < BLOCK; l++) sum += e[l * BLOCK + k] * old[l];
        STORE(rows + k * row, sum);
        STORE(out + k * BLOCK, sum);
    }
}

// From ROWS rows from i on, M^T M in `blocks` blocks of columns from j on: enough sums that none waits for another.
INLINE void subtract_blocks(float *factor, size_t row, const float *m, size_t i, size_t j, size_t blocks) {
    sixteen sum[ROWS][2];
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
        for (size_t b = 0; b < blocks; b++) sum[r][b] = LOAD(factor + (i + r) * row + j + b * BLOCK);
    for (size_t k = 0; k < BLOCK; k++) {
        sixteen next[2];
#pragma GCC unroll 2
        for (size_t b = 0; b < blocks; b++) next[b] = LOAD(m + k * row + j + b * BLOCK);
#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
            for (size_t b = 0; b < blocks; b++) sum[r][b] -= m[k * row + i + r] * next[b];
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
        for (size_t b = 0; b < blocks; b++) STORE(factor + (i + r) * row + j + b * BLOCK, sum[r][b]);
}

// ... as far as the block that they are in.
INLINE void subtract_rows(float *factor, size_t row, size_t first, size_t i) {
    const float *m = factor + first * row;
    size_t j = 0;
    for (; j + BLOCK <= i; j += 2 * BLOCK) subtract_blocks(factor, row, m, i, j, 2);
    if (j <= i) subtract_blocks(factor, row, m, i, j, 1);
}

// A block with its rows and columns exchanged: in four turns rows exchange halves, quarters and so on.
static void transpose_block(const float *from, float *to) {
    sixteen a[BLOCK];
#define LIST(...) __VA_ARGS__
#define EXCHANGE(step, low, high)                                                                                      \
    _Pragma("GCC unroll 16") for (size_t i = 0; i < BLOCK; i++) if ((i & (step)) == 0) {                               \
        sixteen first = a[i], second = a[i + (step)];                                                                  \
        a[i] = __builtin_shufflevector(first, second, low);                                                            \
        a[i + (step)] = __builtin_shufflevector(first, second, high);                                                  \
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < BLOCK; i++) a[i] = LOAD(from + i * BLOCK);
    EXCHANGE(8, LIST(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
             LIST(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))
    EXCHANGE(4, LIST(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),
             LIST(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))
    EXCHANGE(2, LIST(0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),
             LIST(2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))
    EXCHANGE(1, LIST(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),
             LIST(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#pragma GCC unroll 16
    for (size_t i = 0; i < BLOCK; i++) STORE(to + i * BLOCK, a[i]);
#undef EXCHANGE
#undef LIST
}

// Of `count` rows of blocks, where the blocks begin that a solve reads with block i, one after the other: on the way
// from the last to the first, and back.
INLINE float *packed_down(float *packed, size_t count, size_t i) {
    return packed + (count * (count + 1) - (i + 1) * (i + 2)) / 2 * SQUARE;
}
INLINE float *packed_up(float *packed, size_t count, size_t i) {
    return packed + (count * (count + 1) / 2 + i * count - i * (i - 1) / 2) * SQUARE;
}

bool VARIANT(dense_factor_eliminate)(float *m, size_t row, float *packed) {
    const size_t count = row / BLOCK;
    for (size_t i = count; i-- > 0;) {
        const size_t first = i * BLOCK;
        float d[BLOCK][BLOCK], inverse[BLOCK], *rows = m + first * row, *down = packed_down(packed, count, i);
        if (!factor_block(rows + first, row, d, inverse)) return false;
        invert_block(d, inverse, down);
        transpose_block(down, packed_up(packed, count, i));
        for (size_t j = 0; j < i; j++) {
            float *block = down + (1 + j) * SQUARE;
            scale_columns(down, row, rows + j * BLOCK, block);
            transpose_block(block, packed_up(packed, count, j) + (i - j) * SQUARE);
        }
        for (size_t j = 0; j < first; j += ROWS) subtract_rows(m, row, first, j);
    }
    return true;
}

// A block of x becomes e times itself, its solution, and from `count` others goes the next blocks of m times that.
INLINE const float *solve_block(const float *e, float *block, float *others, size_t count) {
    float y[BLOCK];
    sixteen own[4] = {{0}}, spread[BLOCK];
#pragma GCC unroll 16
    for (size_t l = 0; l < BLOCK; l++) own[l % 4] += block[l] * LOAD(e + l * BLOCK);
    STORE(y, (own[0] + own[1]) + (own[2] + own[3]));
    STORE(block, LOAD(y));
#pragma GCC unroll 16
    for (size_t k = 0; k < BLOCK; k++) spread[k] = y[k] - (sixteen){0};
    const float *m = e + SQUARE;
    for (size_t j = 0; j < count; j++, m += SQUARE) {
        sixteen sum[2] = {LOAD(others + j * BLOCK), {0}};
#pragma GCC unroll 16
        for (size_t k = 0; k < BLOCK; k++) sum[k % 2] -= spread[k] * LOAD(m + k * BLOCK);
        STORE(others + j * BLOCK, sum[0] + sum[1]);
    }
    return m;
}

void VARIANT(dense_factor_solve)(const float *packed, size_t row, float *x) {
    const size_t count = row / BLOCK;
    for (size_t i = count; i-- > 0;) packed = solve_block(packed, x + i * BLOCK, x, i); // M^T y = x
    for (size_t i = 0; i < count; i++)                                                  // M x = y
        packed = solve_block(packed, x + i * BLOCK, x + (i + 1) * BLOCK, count - 1 - i);
}
