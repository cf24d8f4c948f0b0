// The direct solver's passes over all elements (pobd/assemble.h), several elements at a time.
#include "rods/pobd/assemble.h"

#include "math/chain_solve.h"
#include "rods/pobd/terms.h"

#include <math.h>

#define LANES CDG_SIMD_DOUBLES
#include "math/lanes.h"

// ---- one element at a time: ends of arrays, and rods shorter than a vector
#define REAL double
#define BLOCK(name) block_##name
#define WIDTH 1
static inline void block_store(double *to, double value) { *to = value; }
static inline double block_square_root(double value) { return sqrt(value); }
#include "rods/pobd/assemble_template.h"
#undef REAL
#undef BLOCK
#undef WIDTH

// ---- LANES elements at a time
#define REAL lane_real
#define BLOCK(name) lane_##name
#define WIDTH LANES
static inline lane_real lane_load(const double *array, size_t index, size_t stride) {
    const lane_real zero = {0};
    return stride != 0 ? lane_read(array + index) : zero + array[0];
}
static inline void lane_store(double *to, lane_real value) { lane_write(to, value); }
static inline lane_real lane_square_root(lane_real value) {
    for (int k = 0; k < LANES; k++) value[k] = sqrt(value[k]);
    return value;
}
#include "math/block3_template.h"
// its vectors and matrices serve
#include "rods/pobd/terms_template.h"
// whose terms are put together in
#include "rods/pobd/assemble_template.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

void VARIANT(pobd_assemble)(const pobd_assembly *assembly, size_t first, size_t count, bool is_forward, double *tile) {
    cdg_pobd_darboux measure = pobd_measure(assembly->problem);
    bool is_exact = assembly->is_exact;
    if (assembly->element_count < LANES + 1) {
        block_assemble(assembly, first, count, is_forward, measure, is_exact, tile);
    } else if (is_exact && measure == CDG_POBD_ANGLE) { // the usual case gets code of its own
        if (is_forward)
            lane_assemble(assembly, first, count, true, CDG_POBD_ANGLE, true, tile);
        else
            lane_assemble(assembly, first, count, false, CDG_POBD_ANGLE, true, tile);
    } else {
        lane_assemble(assembly, first, count, is_forward, measure, is_exact, tile);
    }
}

double VARIANT(pobd_value)(const pobd_problem *problem, size_t count) {
    cdg_pobd_darboux measure = pobd_measure(problem);
    double value = block_value_at(problem, 0, false, measure) + block_node_at(problem, count).energy;
    lane_real sum = {0};
    size_t j = 1;
    for (; j + LANES <= count; j += LANES) sum += lane_value_at(problem, j, true, measure);
    for (; j < count; j++) value += block_value_at(problem, j, true, measure);
    for (int k = 0; k < LANES; k++) value += sum[k];
    return value;
}

void VARIANT(pobd_advance)(const pobd_problem *problem, const pobd_correction *correction, double factor) {
    const lane_real zero = {0}, factors = zero + factor;
    size_t i = 0, j = 0;
    for (; i + LANES <= problem->node_count; i += LANES) lane_advance_nodes(problem, correction, factors, i);
    for (; i < problem->node_count; i++) block_advance_nodes(problem, correction, factor, i);
    for (; j + LANES <= problem->element_count; j += LANES) lane_advance_frames(problem, correction, factors, j);
    for (; j < problem->element_count; j++) block_advance_frames(problem, correction, factor, j);
}

double VARIANT(pobd_excess)(const pobd_problem *problem, const pobd_correction *correction, double factor,
                            size_t count) {
    const lane_real zero = {0}, factors = zero + factor;
    lane_real sum = {0};
    double value = 0;
    size_t j = 0;
    for (; j + LANES <= count; j += LANES) sum += lane_stretch_excess_at(problem, correction, factors, j, j + 1);
    for (; j < count; j++) value += block_stretch_excess_at(problem, correction, factor, j, j + 1);
    if (problem->is_closed) value += block_stretch_excess_at(problem, correction, factor, count, 0);
    for (int k = 0; k < LANES; k++) value += sum[k];
    return value;
}

void VARIANT(pobd_center)(const pobd_problem *problem, const pobd_correction *correction) {
    size_t whole = problem->node_count / LANES * LANES;
    double weight = 0;
    lane_real weights = {0};
    for (size_t i = 0; i < whole; i += LANES) weights += lane_load(problem->node_weight, i, 1);
    for (size_t i = whole; i < problem->node_count; i++) weight += problem->node_weight[i];
    for (int k = 0; k < LANES; k++) weight += weights[k];
    if (!(weight > 0 && weight < INFINITY)) return;
    for (int c = 0; c < 3; c++) {
        const double *x = problem->x[c], *target = problem->x_target[c], *w = problem->node_weight;
        double *d = correction->x[c], sum = 0;
        lane_real sums = {0};
        for (size_t i = 0; i < whole; i += LANES)
            sums += lane_read(w + i) * (lane_read(x + i) - lane_read(target + i) + lane_read(d + i));
        for (size_t i = whole; i < problem->node_count; i++) sum += w[i] * (x[i] - target[i] + d[i]);
        for (int k = 0; k < LANES; k++) sum += sums[k];
        double shift = sum / weight;
        for (size_t i = 0; i < whole; i += LANES) lane_write(d + i, lane_read(d + i) - shift);
        for (size_t i = whole; i < problem->node_count; i++) d[i] -= shift;
    }
}

pobd_size VARIANT(pobd_measure)(const pobd_problem *problem, const pobd_correction *correction) {
    const double *const *x = (const double *const *)correction->x, *const *t = (const double *const *)correction->t;
    lane_real moves = {0}, turns = {0}, swings = {0}, sums = {0}; // squares
    double move = 0, turn = 0, swing = 0, sum = 0;
    size_t i = 0, j = 0;
    for (; i + LANES <= problem->node_count; i += LANES) {
        lane_vector d = lane_load_vector(x, i, 1);
        lane_real square = lane_dot(d, d);
        sums += square;
        moves = lane_larger(moves, square);
    }
    for (; i < problem->node_count; i++) {
        block_vector d = block_load_vector(x, i, 1);
        sum += block_dot(d, d);
        move = block_larger(move, block_dot(d, d));
    }
    for (; j + LANES <= problem->element_count; j += LANES) {
        lane_vector d = lane_load_vector(t, j, 1);
        lane_real square = lane_dot(d, d), length = lane_load(problem->rest_length, j, 1);
        sums += square;
        turns = lane_larger(turns, square);
        swings = lane_larger(swings, square * length * length);
    }
    for (; j < problem->element_count; j++) {
        block_vector d = block_load_vector(t, j, 1);
        double square = block_dot(d, d), length = problem->rest_length[j];
        sum += square;
        turn = block_larger(turn, square);
        swing = block_larger(swing, square * length * length);
    }
    for (int k = 0; k < LANES; k++) {
        sum += sums[k];
        move = block_larger(move, moves[k]), turn = block_larger(turn, turns[k]);
        swing = block_larger(swing, swings[k]);
    }
    return (pobd_size){sqrt(move), sqrt(turn), sqrt(swing), isfinite(sum)};
}
