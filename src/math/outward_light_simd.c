// Loads on a stretch of a chain answered in single precision (outward_light.h). As in outward_template.h, u comes from
// loads at or before a place and v from those after it. Both passes go at once, from either end of the stretch to the
// other: each is one chain of dependent operations, which the other's fill. What they come to is stored, and summed in
// the end.
#include "math/outward_light.h"
#include "math/row8.h"

#include <math.h>
#include <stdbool.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef float float8 __attribute__((vector_size(32)));
typedef float float4 __attribute__((vector_size(16)));
typedef int int8 __attribute__((vector_size(32)));

INLINE float8 read_floats(const float *from) {
    float8 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE float4 read_four(const float *from) {
    float4 value;
    memcpy(&value, from, sizeof value);
    return value;
}
INLINE void write_floats(float *to, float8 value) { memcpy(to, &value, sizeof value); }

#define ALL(state, k) __builtin_shufflevector(state, state, k, k, k, k, k, k, k, k)
#define FOUR(state, k) __builtin_shufflevector(state, state, k, k, k, k)

// Far from all loads numbers would become too small to be quick. m, rad
static const float nothing = 1e-20F;
enum { TIDIED = 8 }; // elements from one look to the next

INLINE float8 tidy(float8 state, size_t at) {
    if (at % TIDIED != 0) return state;
    int8 is_any = (int8)((state > nothing) | (state < -nothing));
    return (float8)((int8)state & is_any);
}

// What the loads on an element's start and about it do: `row` is the first of the core's rows that is wanted.
INLINE float8 core_of(const float *core, int stride, int row, const outward_light_push *push, size_t j) {
    float8 first = (float)push->force[0][j] * read_floats(core + row);
    float8 second = (float)push->force[1][j] * read_floats(core + row + stride);
    first += (float)push->force[2][j] * read_floats(core + row + 2 * stride);
    second += (float)push->torque[j] * read_floats(core + row + 3 * stride);
    return first + second;
}

// What a load on the last node does to the last element: rows of the core by its last three columns.
static void answer_last(const double *core, int size, const outward_light_push *push, float *out) {
    size_t node = push->nodes.end - 1;
    for (int row = 0; row < size; row++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            int column = size - 3 + k, low = row > column ? row : column, high = row > column ? column : row;
            sum += core[low * (low + 1) / 2 + high] * push->force[k][node];
        }
        out[row] = (float)sum;
    }
}

// ---- thick chains ---------------------------------------------------------------------------------------------------

INLINE float8 product6(const float *matrix, float8 in) { // two chains of dependent sums
    float8 even = ALL(in, 0) * read_floats(matrix), odd = ALL(in, 1) * read_floats(matrix + 6);
    even += ALL(in, 2) * read_floats(matrix + 12), odd += ALL(in, 3) * read_floats(matrix + 18);
    even += ALL(in, 4) * read_floats(matrix + 24), odd += ALL(in, 5) * read_floats(matrix + 30);
    return even + odd;
}

// u is t_j, x_{j+1}; v is x_j, t_j, and stored with what loads on the element do to its start.
void VARIANT(outward_light_thick)(const outward_light_push *push, double *const move[3], double *turn) {
    const size_t first = push->nodes.first, end = push->nodes.end - 1;
    const int8 start = {-1, -1, -1, 0, 0, 0, 0, 0};
    float last[16] = {0};
    answer_last(push->records + (end - 1) * OUTWARD_THICK + OUTWARD_THICK_CORE, 9, push, last);
    float8 u = {0}, v = {0};
    for (size_t i = first; i < end; i++) {
        const float *record = push->light + i * OUTWARD_LIGHT_THICK;
        float8 at = i > first ? product6(record + OUTWARD_LIGHT_THICK_RIGHT, u) : (float8){0};
        u = at + core_of(record + OUTWARD_LIGHT_THICK_CORE, 9, 3, push, i);
        if (i + 1 == end) u += read_floats(last + 3);
        u = tidy(u, i);
        write_floats(push->passes + OUTWARD_LIGHT_PASSES * i, u);
        size_t j = end - 1 - (i - first);
        record = push->light + j * OUTWARD_LIGHT_THICK;
        at = i > first ? product6(record + OUTWARD_LIGHT_THICK_LEFT, v) : (float8){0};
        float8 core = core_of(record + OUTWARD_LIGHT_THICK_CORE, 9, 0, push, j);
        if (i == first) core += read_floats(last);
        write_floats(push->passes + OUTWARD_LIGHT_PASSES * j + 8, at + (float8)((int8)core & start));
        v = tidy(at + core, j);
    }
    float x[3] = {0};
    for (size_t i = first; i < end; i++) {
        const float *from_left = push->passes + OUTWARD_LIGHT_PASSES * i, *from_right = from_left + 8;
        const float *lever = push->light + i * OUTWARD_LIGHT_THICK + OUTWARD_LIGHT_THICK_LEVER;
        float sum = 0;
        for (int k = 0; k < 3; k++) {
            move[k][i] = x[k] + from_right[k];
            sum += lever[k] * (from_left[k] + from_right[3 + k]);
            x[k] = from_left[3 + k];
        }
        turn[i] = sum;
    }
    for (int k = 0; k < 3; k++) move[k][end] = x[k];
}

// ---- thin chains ----------------------------------------------------------------------------------------------------

INLINE float4 product7(const float *matrix, float8 in) {
    float4 even = FOUR(in, 0) * read_four(matrix), odd = FOUR(in, 1) * read_four(matrix + 4);
    even += FOUR(in, 2) * read_four(matrix + 8), odd += FOUR(in, 3) * read_four(matrix + 12);
    even += FOUR(in, 4) * read_four(matrix + 16), odd += FOUR(in, 5) * read_four(matrix + 20);
    return even + odd + FOUR(in, 6) * read_four(matrix + 24);
}
INLINE float8 widen(float4 low) { return __builtin_shufflevector(low, low, 0, 1, 2, 3, 0, 1, 2, 3); }

// Both are x_j, t_j, x_{j+1}; v is stored without what loads on the element do.
void VARIANT(outward_light_thin)(const outward_light_push *push, double *const move[3], double *turn) {
    const size_t first = push->nodes.first, end = push->nodes.end - 1;
    float last[8] = {0};
    answer_last(push->records + (end - 1) * OUTWARD_THIN + OUTWARD_THIN_CORE, 7, push, last);
    float8 u = {0}, v = {0};
    for (size_t i = first; i < end; i++) {
        const float *record = push->light + i * OUTWARD_LIGHT_THIN;
        float8 at = i > first ? widen(product7(record + OUTWARD_LIGHT_THIN_RIGHT, u)) : (float8){0};
        u = __builtin_shufflevector(u, at, 4, 5, 6, 8, 9, 10, 11, 8);
        u += core_of(record + OUTWARD_LIGHT_THIN_CORE, 7, 0, push, i);
        if (i + 1 == end) u += read_floats(last);
        u = tidy(u, i);
        write_floats(push->passes + OUTWARD_LIGHT_PASSES * i, u);
        size_t j = end - 1 - (i - first);
        record = push->light + j * OUTWARD_LIGHT_THIN;
        at = i > first ? widen(product7(record + OUTWARD_LIGHT_THIN_LEFT, v)) : (float8){0};
        v = __builtin_shufflevector(at, v, 0, 1, 2, 3, 8, 9, 10, 0);
        write_floats(push->passes + OUTWARD_LIGHT_PASSES * j + 8, v);
        v += core_of(record + OUTWARD_LIGHT_THIN_CORE, 7, 0, push, j);
        if (i == first) v += read_floats(last);
        v = tidy(v, j);
    }
    const float *from_left = push->passes + OUTWARD_LIGHT_PASSES * first;
    for (size_t i = first; i < end; i++, from_left += OUTWARD_LIGHT_PASSES) {
        const float *from_right = from_left + 8;
        for (int k = 0; k < 3; k++) move[k][i] = from_left[k] + from_right[k];
        turn[i] = from_left[3] + from_right[3];
    }
    for (int k = 0; k < 3; k++) move[k][end] = push->passes[OUTWARD_LIGHT_PASSES * (end - 1) + 4 + (size_t)k];
}
