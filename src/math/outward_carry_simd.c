// Three loads on a chain carried on together (outward_carry.h): one in each lane of a vector.
#include "math/outward_carry.h"
#include "math/row8.h"

#include <math.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef double lanes4 __attribute__((vector_size(32)));

INLINE lanes4 read4(const double *from) {
    lanes4 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE void write4(double *to, lanes4 value) { memcpy(to, &value, sizeof value); }

// out = core x load, the core's lower half standing by rows.
INLINE void multiply_core(const double *core, int size, const lanes4 *load, lanes4 *out) {
    for (int row = 0; row < size; row++) out[row] = (lanes4){0};
    for (int row = 0; row < size; row++)
        for (int column = 0; column <= row; column++) {
            double entry = core[row * (row + 1) / 2 + column];
            out[row] += entry * load[column];
            if (column < row) out[column] += entry * load[row];
        }
}

enum { LOOKED = 8 }; // elements from one look at how much moves to the next

// The largest of moves and of what turns do to the surface; of thick chains all three axes count.
INLINE double reach_of(const lanes4 *state, int turns, double radius) {
    double most = 0;
    for (int k = 0; k < 6 + turns; k++)
        for (int lane = 0; lane < 3; lane++) {
            double value = fabs(state[k][lane]) * (k >= 3 && k < 3 + turns ? radius : 1);
            most = value > most ? value : most;
        }
    return most;
}

static size_t carry_thick(const outward_carry *carry, const outward_three *load, outward_three *out) {
    const size_t element = carry->element;
    const double *record = carry->records + element * OUTWARD_THICK, *lever = record + OUTWARD_THICK_LEVER;
    lanes4 start[9], state[9]; // x_j, t_j, x_{j+1}
    for (int k = 0; k < 3; k++) {
        start[k] = read4(load->row[k]);
        start[3 + k] = lever[k] * read4(load->row[3]);
        start[6 + k] = read4(load->row[4 + k]);
    }
    multiply_core(record + OUTWARD_THICK_CORE, 9, start, state);
    const double least = carry->cutoff * reach_of(state, 3, carry->radius);
    for (size_t j = element; j < carry->end; j++, out++) {
        record = carry->records + j * OUTWARD_THICK, lever = record + OUTWARD_THICK_LEVER;
        if (j > element) {
            lanes4 sum[6];
            for (int row = 0; row < 6; row++) sum[row] = record[OUTWARD_THICK_RIGHT + row] * state[3];
            for (int column = 1; column < 6; column++)
                for (int row = 0; row < 6; row++)
                    sum[row] += record[OUTWARD_THICK_RIGHT + 6 * column + row] * state[3 + column];
            for (int k = 0; k < 3; k++) state[k] = state[6 + k];
            for (int k = 0; k < 6; k++) state[3 + k] = sum[k];
        }
        for (int k = 0; k < 3; k++) write4(out->row[k], state[k]), write4(out->row[4 + k], state[6 + k]);
        write4(out->row[3], lever[0] * state[3] + lever[1] * state[4] + lever[2] * state[5]);
        if (j % LOOKED == 0 && reach_of(state, 3, carry->radius) < least) return j + 1;
    }
    return carry->end;
}

static size_t carry_thin(const outward_carry *carry, const outward_three *load, outward_three *out) {
    const size_t element = carry->element;
    lanes4 start[7], state[7]; // x_j, t_j, x_{j+1}
    for (int k = 0; k < 7; k++) start[k] = read4(load->row[k]);
    multiply_core(carry->records + element * OUTWARD_THIN + OUTWARD_THIN_CORE, 7, start, state);
    const double least = carry->cutoff * reach_of(state, 1, carry->radius);
    for (size_t j = element; j < carry->end; j++, out++) {
        const double *right = carry->records + j * OUTWARD_THIN + OUTWARD_THIN_RIGHT;
        if (j > element) {
            lanes4 sum[4];
            for (int row = 0; row < 4; row++) sum[row] = right[row] * state[0];
            for (int column = 1; column < 7; column++)
                for (int row = 0; row < 4; row++) sum[row] += right[4 * column + row] * state[column];
            for (int k = 0; k < 3; k++) state[k] = state[4 + k];
            for (int k = 0; k < 4; k++) state[3 + k] = sum[k];
        }
        for (int k = 0; k < 7; k++) write4(out->row[k], state[k]);
        if (j % LOOKED == 0 && reach_of(state, 1, carry->radius) < least) return j + 1;
    }
    return carry->end;
}

static void felt(const outward_three *weight, const outward_three *moves, double block[3][4]) {
    lanes4 sum[3] = {{0}, {0}, {0}};
    for (int row = 0; row < 7; row++) {
        lanes4 move = read4(moves->row[row]);
        for (int a = 0; a < 3; a++) sum[a] += weight->row[row][a] * move;
    }
    for (int a = 0; a < 3; a++) write4(block[a], sum[a]);
}

const outward_carry_kernels VARIANT(outward_carry_kernels) = {carry_thick, carry_thin, felt};
