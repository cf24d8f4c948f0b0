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

enum { BLOCK = DENSE_FACTOR_BLOCK, SQUARE = BLOCK * BLOCK, ROWS = 4, LANES = 2 * CDG_SIMD_DOUBLES };
typedef float sixteen __attribute__((vector_size(4 * BLOCK), aligned(4), may_alias)); // anywhere
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));   // as the processor has them

// Not functions: vectors that the processor has not are not passed.
#define LOAD(type, from) (*(const type *)(from))
#define STORE(type, to, a) (*(type *)(to) = (a))

// D of the block at `at`, rows of `row` numbers, as far as the diagonal, and what its diagonal is divided by.
static bool factor_block(const float *at, size_t row, float d[BLOCK][BLOCK], float inverse[BLOCK]) {
    for (size_t i = 0; i < BLOCK; i++) STORE(sixteen, d[i], LOAD(sixteen, at + i * row));
    for (size_t k = BLOCK; k-- > 0;) {
        if (!(d[k][k] > 0) || !isfinite(d[k][k])) return false;
        inverse[k] = 1 / sqrtf(d[k][k]);
        for (size_t c = 0; c <= k; c += LANES) {
            lanes own = LOAD(lanes, d[k] + c) * inverse[k];
            STORE(lanes, d[k] + c, own);
        }
        for (size_t i = 0; i < k; i++) // and anything above the diagonal
            for (size_t c = 0; c <= i; c += LANES)
                STORE(lanes, d[i] + c, LOAD(lanes, d[i] + c) - d[k][i] * LOAD(lanes, d[k] + c));
    }
    return true;
}

// Its inverse, E, lower as well: columns from c on.
INLINE void invert_columns(float d[BLOCK][BLOCK], const float inverse[BLOCK], size_t c, float *out) {
    lanes e[BLOCK];
#pragma GCC unroll 16
    for (size_t i = 0; i < BLOCK; i++) {
        float own[BLOCK] = {0};
        own[i] = 1;
        e[i] = LOAD(lanes, own + c);
    }
#pragma GCC unroll 16
    for (size_t j = 0; j < BLOCK; j++) {
        e[j] *= inverse[j];
        STORE(lanes, out + j * BLOCK + c, e[j]);
#pragma GCC unroll 16
        for (size_t i = j + 1; i < BLOCK; i++) e[i] -= d[i][j] * e[j];
    }
}

// Columns of the block's rows: E^T times themselves, in their place and by themselves.
INLINE void scale_columns(const float *e, size_t row, float *rows, float *out) {
    lanes old[BLOCK];
#pragma GCC unroll 16
    for (size_t l = 0; l < BLOCK; l++) old[l] = LOAD(lanes, rows + l * row);
#pragma GCC unroll 16
    for (size_t k = 0; k < BLOCK; k++) {
        lanes sum = e[k * BLOCK + k] * old[k];
#pragma GCC unroll 16
        for (size_t l = k + 1; l < BLOCK; l++) sum += e[l * BLOCK + k] * old[l];
        STORE(lanes, rows + k * row, sum);
        STORE(lanes, out + k * BLOCK, sum);
    }
}

// From ROWS rows from i on, M^T M in some columns from j on: enough sums that none waits for another.
INLINE void subtract_columns(float *to, size_t row, const float *m, size_t i, size_t j, size_t vectors) {
    lanes sum[ROWS][2];
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) sum[r][v] = LOAD(lanes, to + (i + r) * row + j + v * LANES);
    for (size_t k = 0; k < BLOCK; k++) {
        lanes next[2];
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) next[v] = LOAD(lanes, m + k * row + j + v * LANES);
#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
            for (size_t v = 0; v < vectors; v++) sum[r][v] -= m[k * row + i + r] * next[v];
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < ROWS; r++)
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) STORE(lanes, to + (i + r) * row + j + v * LANES, sum[r][v]);
}

// ... as far as the block that they are in.
INLINE void subtract_rows(float *factor, size_t row, size_t first, size_t i) {
    const float *m = factor + first * row;
    size_t j = 0, end = i / BLOCK * BLOCK + BLOCK;
    for (; j + 2 * LANES <= end; j += 2 * LANES) subtract_columns(factor, row, m, i, j, 2);
    if (j < end) subtract_columns(factor, row, m, i, j, 1);
}

// A square of LANES rows with rows and columns exchanged: in turns rows exchange halves, quarters and so on.
INLINE void transpose(const float *from, float *to) {
    lanes a[LANES];
#define LIST(...) __VA_ARGS__
#define EXCHANGE(step, low, high)                                                                                      \
    _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++) if ((i & (step)) == 0) {                               \
        lanes first = a[i], second = a[i + (step)];                                                                    \
        a[i] = __builtin_shufflevector(first, second, low);                                                            \
        a[i + (step)] = __builtin_shufflevector(first, second, high);                                                  \
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++) a[i] = LOAD(lanes, from + i * BLOCK);
#if CDG_SIMD_DOUBLES == 8
    EXCHANGE(8, LIST(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
             LIST(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))
    EXCHANGE(4, LIST(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),
             LIST(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))
    EXCHANGE(2, LIST(0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),
             LIST(2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))
    EXCHANGE(1, LIST(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),
             LIST(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#elif CDG_SIMD_DOUBLES == 4
    EXCHANGE(4, LIST(0, 1, 2, 3, 8, 9, 10, 11), LIST(4, 5, 6, 7, 12, 13, 14, 15))
    EXCHANGE(2, LIST(0, 1, 8, 9, 4, 5, 12, 13), LIST(2, 3, 10, 11, 6, 7, 14, 15))
    EXCHANGE(1, LIST(0, 8, 2, 10, 4, 12, 6, 14), LIST(1, 9, 3, 11, 5, 13, 7, 15))
#else
    EXCHANGE(2, LIST(0, 1, 4, 5), LIST(2, 3, 6, 7))
    EXCHANGE(1, LIST(0, 4, 2, 6), LIST(1, 5, 3, 7))
#endif
#pragma GCC unroll 16
    for (size_t i = 0; i < LANES; i++) STORE(lanes, to + i * BLOCK, a[i]);
#undef EXCHANGE
#undef LIST
}

static void transpose_block(const float *from, float *to) {
    for (size_t i = 0; i < BLOCK; i += LANES)
        for (size_t j = 0; j < BLOCK; j += LANES) transpose(from + i * BLOCK + j, to + j * BLOCK + i);
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
        for (size_t c = 0; c < BLOCK; c += LANES) invert_columns(d, inverse, c, down);
        transpose_block(down, packed_up(packed, count, i));
        for (size_t j = 0; j < i; j++) {
            float *block = down + (1 + j) * SQUARE;
            for (size_t c = 0; c < BLOCK; c += LANES) scale_columns(down, row, rows + j * BLOCK + c, block + c);
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
    for (size_t l = 0; l < BLOCK; l++) own[l % 4] += block[l] * LOAD(sixteen, e + l * BLOCK);
    STORE(sixteen, y, (own[0] + own[1]) + (own[2] + own[3]));
    STORE(sixteen, block, LOAD(sixteen, y));
#pragma GCC unroll 16
    for (size_t k = 0; k < BLOCK; k++) spread[k] = y[k] - (sixteen){0};
    const float *m = e + SQUARE;
    for (size_t j = 0; j < count; j++, m += SQUARE) {
        sixteen sum[2] = {LOAD(sixteen, others + j * BLOCK), {0}};
#pragma GCC unroll 16
        for (size_t k = 0; k < BLOCK; k++) sum[k % 2] -= spread[k] * LOAD(sixteen, m + k * BLOCK);
        STORE(sixteen, others + j * BLOCK, sum[0] + sum[1]);
    }
    return m;
}

void VARIANT(dense_factor_solve)(const float *packed, size_t row, float *x) {
    const size_t count = row / BLOCK;
    for (size_t i = count; i-- > 0;) packed = solve_block(packed, x + i * BLOCK, x, i); // M^T y = x
    for (size_t i = 0; i < count; i++)                                                  // M x = y
        packed = solve_block(packed, x + i * BLOCK, x + (i + 1) * BLOCK, count - 1 - i);
}
