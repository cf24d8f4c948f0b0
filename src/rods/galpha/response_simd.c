// Loads on a galpha rod answered outwards (galpha/response.c). As in math/outward_template.h the unknowns are u + v: u
// comes from loads before a node and is carried to the right, v from those after it and is carried to the left.
#include "rods/galpha/parts.h"

#include <string.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

enum { FIELDS = TWO_POINT_FIELDS, AT_FRAME = 3 };

static inline void transfer(const double *restrict matrix, const double *restrict from, double *restrict to) {
    double even[FIELDS] = {0}, odd[FIELDS] = {0}; // two chains of dependent sums
    for (int c = 0; c < FIELDS; c += 2)
        for (int k = 0; k < FIELDS; k++) {
            even[k] += matrix[FIELDS * c + k] * from[c];
            odd[k] += matrix[FIELDS * (c + 1) + k] * from[c + 1];
        }
    for (int k = 0; k < FIELDS; k++) to[k] = even[k] + odd[k];
}

static inline double turn_of(const double *record, const double *first, const double *second) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += record[GALPHA_TURN + k] * first[AT_FRAME + k] + record[GALPHA_TURN + 3 + k] * second[AT_FRAME + k];
    return sum;
}

static inline double larger(double a, double b) { return a > b ? a : b; }

// m, of the node's move and of what its turn does to the surface.
static inline double reach_of(const galpha_push *push, const double *y) {
    double move = 0, turn = 0;
    for (int k = 0; k < 3; k++) move = larger(move, fabs(y[k])), turn = larger(turn, fabs(y[AT_FRAME + k]));
    return larger(push->length_scale * move, push->rod->radius[0] * turn);
}

static inline void put(const galpha_push *push, double *const to[3], size_t node, const double *y) {
    for (int k = 0; k < 3; k++) to[k][node] = push->length_scale * y[k];
}

// A node's force goes to the elements beside it by their lengths, as in galpha/galpha.c.
static void answer_core(const galpha_push *push, size_t element, double out[2 * FIELDS]) {
    const double *core = push->records + element * GALPHA_ANSWER + GALPHA_CORE;
    double load[GALPHA_LOADS] = {0};
    for (int end = 0; end < 2; end++) {
        size_t node = element + (size_t)end;
        if (node < push->first || node >= push->end) continue;
        double share = push->rod->rest_length[element] / 2 / rod_cell_length(push->rod, node);
        for (int k = 0; k < 3; k++) load[3 * end + k] = share * push->force[k][node];
    }
    if (push->torque != NULL && element >= push->first && element + 1 < push->end) load[6] = push->torque[element];
    memset(out, 0, 2 * FIELDS * sizeof(double));
    for (int c = 0; c < GALPHA_LOADS; c++)
        for (int k = 0; k < 2 * FIELDS; k++) out[k] += core[2 * FIELDS * c + k] * load[c];
}

cdg_rod_range VARIANT(galpha_push_rod)(const galpha_push *push, double *const move[3], double *turn) {
    const double *records = push->records;
    const size_t count = push->rod->element_count;
    size_t first = push->first > 0 ? push->first - 1 : 0, last = push->end - 1 < count ? push->end - 1 : count - 1;
    double u[FIELDS] = {0}, v[FIELDS], next[FIELDS], core[2 * FIELDS], here[FIELDS], largest = 0;
    for (size_t j = first; j <= last; j++) {
        const double *record = records + j * GALPHA_ANSWER;
        answer_core(push, j, core);
        for (int k = 0; k < FIELDS; k++) here[k] = u[k] + core[k];
        memset(next, 0, sizeof next);
        if (j > first) transfer(record + GALPHA_TO_RIGHT, u, next);
        for (int k = 0; k < FIELDS; k++) u[k] = next[k] + core[FIELDS + k];
        put(push, move, j, here);
        turn[j] = turn_of(record, here, u);
        largest = larger(largest, larger(reach_of(push, here), reach_of(push, u)));
    }
    put(push, move, last + 1, u);

    memcpy(v, core, sizeof v);
    for (size_t j = last; j-- > first;) {
        const double *record = records + j * GALPHA_ANSWER;
        transfer(record + GALPHA_TO_LEFT, v, next);
        turn[j] += turn_of(record, next, v);
        for (int k = 0; k < 3; k++) move[k][j] += push->length_scale * next[k];
        answer_core(push, j, core);
        for (int k = 0; k < FIELDS; k++) v[k] = next[k] + core[k];
    }

    double limit = push->cutoff * largest;
    size_t right = last + 1, left = first;
    bool goes_right = right < count && !(reach_of(push, u) < limit);
    bool goes_left = left > 0 && !(reach_of(push, v) < limit);
    while (goes_right || goes_left) {
        if (goes_right) {
            const double *record = records + right * GALPHA_ANSWER;
            transfer(record + GALPHA_TO_RIGHT, u, next);
            turn[right] = turn_of(record, u, next);
            put(push, move, ++right, next);
            memcpy(u, next, sizeof u);
            goes_right = right < count && !(reach_of(push, u) < limit);
        }
        if (goes_left) {
            const double *record = records + --left * GALPHA_ANSWER;
            transfer(record + GALPHA_TO_LEFT, v, next);
            turn[left] = turn_of(record, next, v);
            put(push, move, left, next);
            memcpy(v, next, sizeof v);
            goes_left = left > 0 && !(reach_of(push, v) < limit);
        }
    }
    return (cdg_rod_range){left, right + 1};
}
