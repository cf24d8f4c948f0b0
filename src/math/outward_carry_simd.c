// Loads on a chain carried on together (outward_carry.h), a vector of them at a time: products of small matrices, whose
// numbers are spread over the lanes, with states that stand in rows.
#include "math/outward_carry.h"
#include "math/simd.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef double four __attribute__((vector_size(32), aligned(8), may_alias)); // anywhere

// A symmetric matrix, the lower half of it by rows, times three loads; the fourth column is that of the next loads.
SIMD_INLINE void enter(const outward_carry *c, const double *core, double rows[9][4], size_t turns) {
    four out[9];
#pragma GCC unroll 9
    for (size_t row = 0; row < 6 + turns; row++) {
        four own = *(const four *)rows[row], sum = core[row] * own;
#pragma GCC unroll 9
        for (size_t column = 0; column < row; column++) {
            sum += core[column] * *(const four *)rows[column];
            out[column] += core[column] * own;
        }
        out[row] = sum;
        core += row + 1;
    }
#pragma GCC unroll 9
    for (size_t k = 0; k < 6 + turns; k++) {
        double *to = k < 3 ? c->x + k * c->room : k < 3 + turns ? c->t + (k - 3) * c->room : NULL;
        if (to == NULL) to = c->y + (k - 3 - turns) * c->room;
        *(four *)(to + c->end) = out[k];
    }
}

void VARIANT(outward_carry_enter)(const outward_carry *c, const double *core, double rows[9][4]) {
    if (c->chain.is_thick)
        enter(c, core, rows, 3);
    else
        enter(c, core, rows, 1);
}

// From the element before to this one, `in` and `out` rows of states, for `vectors` of them at `at`. Ends are written
// where starts were, since what was the end is the start now.
SIMD_INLINE void carry(const outward_carry *c, const double *transfer, size_t at, size_t turns, size_t vectors) {
    const size_t skipped = turns == 3 ? 3 : 0, in_count = 6 + turns - skipped, out_count = 3 + turns;
    simd_double in[7][2], out[6][2];
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        size_t lane = at + v * SIMD_LANES;
#pragma GCC unroll 3
        for (size_t k = 0; k < 3; k++) {
            if (skipped == 0) in[k][v] = simd_load(c->x + k * c->room + lane);
            in[3 + turns - skipped + k][v] = simd_load(c->y + k * c->room + lane);
        }
#pragma GCC unroll 3
        for (size_t k = 0; k < turns; k++) in[3 - skipped + k][v] = simd_load(c->t + k * c->room + lane);
    }
#pragma GCC unroll 7
    for (size_t column = 0; column < in_count; column++)
#pragma GCC unroll 6
        for (size_t row = 0; row < out_count; row++)
#pragma GCC unroll 2
            for (size_t v = 0; v < vectors; v++) {
                double entry = transfer[out_count * column + row];
                out[row][v] = column > 0 ? out[row][v] + entry * in[column][v] : entry * in[column][v];
            }
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        size_t lane = at + v * SIMD_LANES;
#pragma GCC unroll 3
        for (size_t k = 0; k < turns; k++) simd_store(c->t + k * c->room + lane, out[k][v]);
#pragma GCC unroll 3
        for (size_t k = 0; k < 3; k++) simd_store(c->x + k * c->room + lane, out[turns + k][v]);
    }
}

SIMD_INLINE void carry_all(const outward_carry *c, const double *transfer, size_t turns) {
    size_t at = c->first / SIMD_LANES * SIMD_LANES;
#if CDG_SIMD_DOUBLES == 8 // registers for two vectors at once
    for (; at + SIMD_LANES < c->end; at += 2 * SIMD_LANES) carry(c, transfer, at, turns, 2);
#endif
    for (; at < c->end; at += SIMD_LANES) carry(c, transfer, at, turns, 1);
}

void VARIANT(outward_carry_on)(const outward_carry *c, const double *transfer) {
    if (c->chain.is_thick)
        carry_all(c, transfer, 3);
    else
        carry_all(c, transfer, 1);
}

SIMD_INLINE void feel(const outward_carry *c, double rows[9][4], size_t turns, double *out) {
    for (size_t at = c->first / SIMD_LANES * SIMD_LANES; at < c->end; at += SIMD_LANES) {
        simd_double sum[3] = {{0}, {0}, {0}};
#pragma GCC unroll 9
        for (size_t k = 0; k < 6 + turns; k++) {
            const double *from = k < 3 ? c->x + k * c->room : k < 3 + turns ? c->t + (k - 3) * c->room : NULL;
            if (from == NULL) from = c->y + (k - 3 - turns) * c->room;
            simd_double state = simd_load(from + at);
#pragma GCC unroll 3
            for (size_t a = 0; a < 3; a++) sum[a] += rows[k][a] * state;
        }
#pragma GCC unroll 3
        for (size_t a = 0; a < 3; a++) simd_store(out + a * c->room + at, sum[a]);
    }
}

void VARIANT(outward_carry_felt)(const outward_carry *c, double rows[9][4], double *out) {
    if (c->chain.is_thick)
        feel(c, rows, 3, out);
    else
        feel(c, rows, 1, out);
}
