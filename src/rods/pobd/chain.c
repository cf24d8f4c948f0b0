// The Newton system of the pobd direct solver (an idea of the paper, section 9): feeds the
// two-sided elimination of chain_solve.h with tiles of assembled elements, and closes it in the middle and, for loops,
// at the border.
#include "rods/pobd/chain.h"

#include "base/processor.h"

#include <string.h>

// ---- the functions for this CPU -------------------------------------------------------------------------------------

struct pobd_kernels {
    bool (*eliminate)(chain_state *, const double *, const double *, size_t, double *);
    bool (*eliminate_bordered)(chain_state *, const double *, const double *, size_t, double *);
    void (*substitute)(const double *, size_t, chain_front *, const chain_target *);
    void (*substitute_bordered)(const double *, size_t, chain_front *, const chain_target *);
    void (*assemble)(const pobd_assembly *, size_t, size_t, bool, double *);
    double (*value)(const pobd_problem *, size_t);
    void (*advance)(const pobd_problem *, const pobd_correction *, double);
    double (*excess)(const pobd_problem *, const pobd_correction *, double, size_t);
    void (*center)(const pobd_problem *, const pobd_correction *);
    pobd_size (*measure)(const pobd_problem *, const pobd_correction *);
};

#define KERNELS(suffix)                                                                                                \
    {                                                                                                                  \
        chain_eliminate##suffix, chain_eliminate_bordered##suffix, chain_substitute##suffix,                           \
            chain_substitute_bordered##suffix, pobd_assemble##suffix, pobd_value##suffix, pobd_advance##suffix,        \
            pobd_excess##suffix, pobd_center##suffix, pobd_measure##suffix                                             \
    }

const pobd_kernels *pobd_kernels_choose(int most_doubles) {
    static const pobd_kernels base = KERNELS(_base);
#if defined(__x86_64__)
    static const pobd_kernels avx2 = KERNELS(_avx2), avx512 = KERNELS(_avx512);
    cdg_lanes lanes = cdg_processor_lanes();
    if (most_doubles >= 8 && lanes >= CDG_LANES_AVX512) return &avx512;
    if (most_doubles >= 4 && lanes >= CDG_LANES_AVX2) return &avx2;
#else
    (void)most_doubles;
#endif
    return &base;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static size_t chain_elements(size_t element_count, bool is_closed) {
    return is_closed && element_count > 0 ? element_count - 1 : element_count;
}
// Longer rods are eliminated in chunks, so that their record stays small and, besides, in the caches.
enum { LONG_STEPS = 2048, CHUNK_STEPS = 256 };

static size_t chunk_steps(size_t step_count) { return step_count > LONG_STEPS ? CHUNK_STEPS : step_count; }
static size_t chunk_count(size_t step_count) {
    size_t chunk = chunk_steps(step_count);
    return chunk > 0 ? (step_count + chunk - 1) / chunk : 0;
}
static size_t record_size(bool is_closed) { return is_closed ? CHAIN_BORDER_RECORD : CHAIN_RECORD; }
static size_t aligned(size_t doubles) { return (doubles + 7) / 8 * 8; }
// Corrections have one entry more than needed: the shorter end's idle first step writes there.
static size_t correction_doubles(size_t element_count) { return aligned(element_count + 2); }
static size_t kept_doubles(size_t step_count) {
    return step_count > LONG_STEPS ? aligned(chunk_count(step_count) * sizeof(chain_state) / sizeof(double)) : 0;
}

size_t pobd_chain_scratch_size(size_t element_count, bool is_closed, bool has_spare) {
    size_t steps = chain_elements(element_count, is_closed) / 2;
    size_t doubles = 2 * CHAIN_TILE_SIZE + aligned(chunk_steps(steps) * record_size(is_closed)) + kept_doubles(steps);
    doubles += has_spare ? 0 : 6 * correction_doubles(element_count);
    return (doubles + aligned(sizeof(pobd_border) / sizeof(double)) + 8) * sizeof(double);
}

void pobd_chain_init(pobd_chain *chain, const pobd_problem *problem, void *scratch) {
    double *next = scratch;
    *chain = (pobd_chain){.kernels = pobd_kernels_choose(8), .problem = problem};
    chain->element_count = chain_elements(problem->element_count, problem->is_closed);
    chain->step_count = chain->element_count / 2;
    chain->padding = (chain->element_count + 1) % 2;
    chain->tile_first = next, next += CHAIN_TILE_SIZE;
    chain->tile_last = next, next += CHAIN_TILE_SIZE;
    chain->chunk = chunk_steps(chain->step_count);
    chain->border = (pobd_border *)(void *)next, next += aligned(sizeof(pobd_border) / sizeof(double));
    if (chain->step_count > LONG_STEPS) chain->kept = (chain_state *)(void *)next;
    next += kept_doubles(chain->step_count);
    size_t stride = correction_doubles(problem->element_count);
    bool has_spare = problem->spare_x[0] != NULL;
    for (int k = 0; k < 3; k++) {
        chain->correction.x[k] = has_spare ? problem->spare_x[k] : next, next += has_spare ? 0 : stride;
        chain->correction.t[k] = has_spare ? problem->spare_t[k] : next, next += has_spare ? 0 : stride;
    }
    chain->record = next;
}

// ---- blocks in the chain's state and in the dense matrix of the middle ----------------------------------------------

enum { FIRST, LAST };                                                         // ends of the chain
enum { X_BEFORE = 0, TURN = 3, X_AFTER = 6, BORDER_X = 9, BORDER_TURN = 12 }; // indices in the middle's system

typedef struct dense_system {
    double a[15][15]; // lower half
    double right[15];
} dense_system;

static void add_lane_matrix(double *to, int end, double sign, block_matrix m) {
    const double v[9] = {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz};
    for (int k = 0; k < 9; k++) to[2 * k + end] += sign * v[k];
}
static void add_lane_symmetric(double *to, int end, block_symmetric m) {
    const double v[6] = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
    for (int k = 0; k < 6; k++) to[2 * k + end] += v[k];
}
static void add_lane_vector(double *to, int end, double sign, block_vector m) {
    const double v[3] = {m.x, m.y, m.z};
    for (int k = 0; k < 3; k++) to[2 * k + end] += sign * v[k];
}
static block_matrix lane_matrix_of(const double *from, int end) {
    const double *f = from + end;
    return (block_matrix){f[0], f[2], f[4], f[6], f[8], f[10], f[12], f[14], f[16]};
}
static block_symmetric lane_symmetric_of(const double *from, int end) {
    const double *f = from + end;
    return (block_symmetric){f[0], f[2], f[4], f[6], f[8], f[10]};
}

static void add_dense(dense_system *s, int row, int column, double sign, block_matrix m) { // row > column
    const double v[9] = {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz};
    for (int i = 0; i < 9; i++) s->a[row + i / 3][column + i % 3] += sign * v[i];
}
static void add_dense_symmetric(dense_system *s, int index, block_symmetric m) {
    add_dense(s, index, index, 1, block_from_symmetric(m));
}
static void add_dense_right(dense_system *s, int index, double sign, block_vector v) {
    s->right[index] += sign * v.x, s->right[index + 1] += sign * v.y, s->right[index + 2] += sign * v.z;
}
static block_vector right_of(const double *from, int end) {
    return (block_vector){from[end], from[2 + end], from[4 + end]};
}

// ---- tiles ----------------------------------------------------------------------------------------------------------

static void add_anchor_to_tile(double *to, block_symmetric turning, block_vector moment, double energy) {
    const double h[6] = {turning.xx, turning.xy, turning.xz, turning.yy, turning.yz, turning.zz};
    const double g[3] = {moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; k++) to[(CHAIN_TURNING + k) * CHAIN_TILE_STRIDE] += h[k];
    for (int k = 0; k < 3; k++) to[(CHAIN_MOMENT + k) * CHAIN_TILE_STRIDE] += g[k];
    to[CHAIN_ENERGY * CHAIN_TILE_STRIDE] += energy;
}

typedef struct anchor_sum {
    block_symmetric turning;
    block_vector moment;
    double energy;
} anchor_sum;

// What the anchors at an element's two nodes add to its turning.
static bool anchors_of(const pobd_assembly *assembly, const pobd_anchor *anchor, size_t element, anchor_sum *sum) {
    const pobd_problem *problem = assembly->problem;
    bool touches = false;
    if (anchor->node == element && anchor->side >= 0) {
        block_bend_term t = block_anchor_at(problem, anchor, element, true, assembly->is_exact);
        sum->turning = block_add_symmetric(sum->turning, t.right_right);
        sum->moment = block_add(sum->moment, t.right), sum->energy += t.energy;
        touches = true;
    }
    if (anchor->node == pobd_next_node(problem, element) && anchor->side <= 0) {
        block_bend_term t = block_anchor_at(problem, anchor, element, false, assembly->is_exact);
        sum->turning = block_add_symmetric(sum->turning, t.left_left);
        sum->moment = block_add(sum->moment, t.left), sum->energy += t.energy;
        touches = true;
    }
    return touches;
}

static anchor_sum all_anchors_of(const pobd_assembly *assembly, size_t element) {
    anchor_sum sum = {0};
    for (size_t a = 0; a < assembly->problem->anchor_count; a++)
        anchors_of(assembly, &assembly->problem->anchors[a], element, &sum);
    return sum;
}

static void fill_tile(const pobd_chain *chain, const pobd_assembly *assembly, size_t first, size_t count,
                      bool is_forward, double *tile) {
    if (count == 0) return;
    chain->kernels->assemble(assembly, first, count, is_forward, tile);
    const pobd_problem *problem = assembly->problem;
    for (size_t a = 0; a < problem->anchor_count; a++) {
        size_t node = problem->anchors[a].node;
        for (size_t element = node > 0 ? node - 1 : 0; element <= node; element++) {
            if (element < first || element >= first + count) continue;
            anchor_sum sum = {0};
            if (anchors_of(assembly, &problem->anchors[a], element, &sum))
                add_anchor_to_tile(tile + CHAIN_TILE_PAD + (element - first), sum.turning, sum.moment, sum.energy);
        }
    }
}

// A step that changes nothing: its unknowns couple to none, so an untouched state stays untouched.
static void fill_idle_step(double *to) {
    for (int slot = 0; slot < CHAIN_SLOTS; slot++) to[slot * CHAIN_TILE_STRIDE] = 0;
    to[CHAIN_WEIGHT * CHAIN_TILE_STRIDE] = 1;
    to[(CHAIN_TURNING + 0) * CHAIN_TILE_STRIDE] = 1;
    to[(CHAIN_TURNING + 3) * CHAIN_TILE_STRIDE] = 1;
    to[(CHAIN_TURNING + 5) * CHAIN_TILE_STRIDE] = 1;
}

// ---- the border of a closed rod: x_0 and the turn of the last element -----------------------------------------------

static pobd_border border_of(const pobd_assembly *assembly) {
    const pobd_problem *problem = assembly->problem;
    size_t last = problem->element_count - 1;
    bool is_exact = assembly->is_exact;
    cdg_pobd_darboux measure = pobd_measure(problem);
    return (pobd_border){
        .first = block_stretch_at(problem, 0, pobd_next_node(problem, 0), is_exact),
        .last = block_stretch_at(problem, last, 0, is_exact),
        .spin = block_spin_at(problem, last, is_exact),
        .bend_zero = block_bend_at(problem, last, 0, 0, measure, is_exact),
        .bend_last = block_bend_at(problem, last - 1, last, last, measure, is_exact),
    };
}

// The first end begins at the turn of element 0; its start node is in the border, so the node that its first step
// eliminates is a held stand-in, and the element's own coupling to the border is put in here ...
static void begin_first_end(chain_state *state, const pobd_border *border) {
    add_lane_symmetric(state->q, FIRST, border->bend_zero.right_right);
    add_lane_vector(state->right_t, FIRST, -1, border->bend_zero.right);
    add_lane_matrix(state->ta, FIRST, -1, block_transpose(border->first.coupling));
    add_lane_matrix(state->tb, FIRST, 1, block_transpose(border->bend_zero.left_right));
}
// ... and, when that step is done, the coupling of node 1.
static void continue_first_end(chain_state *state, const pobd_border *border) {
    add_lane_matrix(state->xa, FIRST, -1, block_from_symmetric(border->first.spring));
}
// The last end begins at node N - 1, whose x has the opposite sign there.
static void begin_last_end(chain_state *state, const pobd_border *border) {
    add_lane_symmetric(state->p, LAST, border->last.spring);
    add_lane_vector(state->right_x, LAST, -1, border->last.force);
    add_lane_matrix(state->xa, LAST, 1, block_from_symmetric(border->last.spring));
    add_lane_matrix(state->xb, LAST, 1, border->last.coupling);
    add_lane_symmetric(state->q, LAST, border->bend_last.left_left);
    add_lane_vector(state->right_t, LAST, -1, border->bend_last.left);
    add_lane_matrix(state->tb, LAST, 1, border->bend_last.left_right);
}

// ---- the middle -----------------------------------------------------------------------------------------------------

static void add_end(dense_system *s, const chain_state *state, int end, bool is_closed) {
    int x = end == FIRST ? X_BEFORE : X_AFTER;
    double sign = end == FIRST ? 1 : -1; // of x
    block_matrix d = lane_matrix_of(state->d, end);
    add_dense_symmetric(s, x, lane_symmetric_of(state->p, end));
    if (end == FIRST)
        add_dense(s, TURN, X_BEFORE, 1, block_transpose(d));
    else
        add_dense(s, X_AFTER, TURN, sign, d);
    add_dense_symmetric(s, TURN, lane_symmetric_of(state->q, end));
    add_dense_right(s, x, sign, right_of(state->right_x, end));
    add_dense_right(s, TURN, 1, right_of(state->right_t, end));
    if (!is_closed) return;
    add_dense(s, BORDER_X, x, sign, block_transpose(lane_matrix_of(state->xa, end)));
    add_dense(s, BORDER_TURN, x, sign, block_transpose(lane_matrix_of(state->xb, end)));
    add_dense(s, BORDER_X, TURN, 1, block_transpose(lane_matrix_of(state->ta, end)));
    add_dense(s, BORDER_TURN, TURN, 1, block_transpose(lane_matrix_of(state->tb, end)));
    add_dense_symmetric(s, BORDER_X, lane_symmetric_of(state->aa, end));
    add_dense(s, BORDER_TURN, BORDER_X, 1, block_transpose(lane_matrix_of(state->ab, end)));
    add_dense_symmetric(s, BORDER_TURN, lane_symmetric_of(state->bb, end));
    add_dense_right(s, BORDER_X, 1, right_of(state->right_a, end));
    add_dense_right(s, BORDER_TURN, 1, right_of(state->right_b, end));
}

static void add_node(dense_system *s, int index, const pobd_assembly *assembly, size_t node, double *value) {
    block_node_term t = block_node_at(assembly->problem, node);
    for (int k = 0; k < 3; k++) s->a[index + k][index + k] += t.weight + assembly->shift_x;
    add_dense_right(s, index, -1, t.force);
    *value += t.energy;
}

block_symmetric pobd_chain_anchors(const pobd_chain *chain, size_t element) {
    return all_anchors_of(&chain->assembly, element).turning;
}

static void add_turning(dense_system *s, int index, const pobd_assembly *assembly, size_t element,
                        const block_stretch_term *stretch, double *value) {
    block_spin_term spin = block_spin_at(assembly->problem, element, assembly->is_exact);
    anchor_sum anchors = all_anchors_of(assembly, element);
    block_symmetric turning = block_add_symmetric(block_add_symmetric(stretch->turning, spin.turning), anchors.turning);
    add_dense_symmetric(s, index, block_add_diagonal(turning, assembly->shift_t));
    add_dense_right(s, index, -1, block_add(block_add(stretch->moment, spin.moment), anchors.moment));
    *value += stretch->energy + spin.energy + anchors.energy;
}

static void add_middle_element(dense_system *s, const pobd_assembly *assembly, size_t element, double *value) {
    const pobd_problem *problem = assembly->problem;
    block_stretch_term t = block_stretch_at(problem, element, pobd_next_node(problem, element), assembly->is_exact);
    add_turning(s, TURN, assembly, element, &t, value);
    add_node(s, X_AFTER, assembly, element + 1, value);
    add_dense_symmetric(s, X_AFTER, t.spring);
    add_dense(s, X_AFTER, TURN, 1, t.coupling);
    add_dense_right(s, X_AFTER, -1, t.force);
    if (problem->is_closed &&
        element == 0) { // the node before is the border's: its coupling by t stands in the first end
        for (int k = 0; k < 3; k++) s->a[X_BEFORE + k][X_BEFORE + k] += 1;
        add_dense(s, BORDER_X, X_AFTER, -1, block_from_symmetric(t.spring));
    } else {
        add_node(s, X_BEFORE, assembly, element, value);
        add_dense_symmetric(s, X_BEFORE, t.spring);
        add_dense(s, X_AFTER, X_BEFORE, -1, block_from_symmetric(t.spring));
        add_dense(s, TURN, X_BEFORE, -1, block_transpose(t.coupling));
        add_dense_right(s, X_BEFORE, 1, t.force);
    }
}

static void add_border(dense_system *s, const pobd_assembly *assembly, const pobd_border *border, double *value) {
    size_t last = assembly->problem->element_count - 1;
    add_node(s, BORDER_X, assembly, 0, value);
    add_dense_symmetric(s, BORDER_X, border->first.spring);
    add_dense_symmetric(s, BORDER_X, border->last.spring);
    add_dense_right(s, BORDER_X, 1, border->first.force);
    add_dense_right(s, BORDER_X, -1, border->last.force);
    add_dense(s, BORDER_TURN, BORDER_X, 1, block_transpose(border->last.coupling));
    add_turning(s, BORDER_TURN, assembly, last, &border->last, value);
    add_dense_symmetric(s, BORDER_TURN, border->bend_zero.left_left);
    add_dense_symmetric(s, BORDER_TURN, border->bend_last.right_right);
    add_dense_right(s, BORDER_TURN, -1, border->bend_zero.left);
    add_dense_right(s, BORDER_TURN, -1, border->bend_last.right);
    *value += border->bend_zero.energy + border->bend_last.energy;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

// Fills both tiles with `count` steps from `step` on and eliminates them.
static bool eliminate_steps(pobd_chain *chain, chain_state *state, size_t step, size_t count) {
    const pobd_assembly *assembly = &chain->assembly;
    bool is_closed = chain->problem->is_closed, is_idle = step == 0 && chain->padding == 1;
    fill_tile(chain, assembly, step, count, true, chain->tile_first);
    // element `top` belongs to the last end's step `step`, the ones below it to the steps after
    size_t top = chain->element_count - 1 + chain->padding - step, bottom = top + 1 - count;
    fill_tile(chain, assembly, bottom, is_idle ? count - 1 : count, false, chain->tile_last);
    double *first = chain->tile_first + CHAIN_TILE_PAD, *last = chain->tile_last + CHAIN_TILE_PAD + (count - 1);
    double *record = chain->record + (step - chain->chunk_first) * record_size(is_closed);
    if (is_idle) fill_idle_step(last);
    if (!is_closed) return chain->kernels->eliminate(state, first, last, count, record);
    if (step == 0) {
        first[CHAIN_WEIGHT * CHAIN_TILE_STRIDE] = POBD_HELD_WEIGHT;
        for (int k = 0; k < 3; k++) first[(CHAIN_RIGHT_NEAR + k) * CHAIN_TILE_STRIDE] = 0;
        first[CHAIN_ENERGY * CHAIN_TILE_STRIDE] -= block_node_at(chain->problem, 0).energy; // the border's
    }
    return chain->kernels->eliminate_bordered(state, first, last, count, record);
}

// The chunk of steps that begins at `step`.
static bool eliminate_chunk(pobd_chain *chain, chain_state *state, size_t step) {
    size_t end = step + chain->chunk < chain->step_count ? step + chain->chunk : chain->step_count;
    chain->chunk_first = step;
    if (step == 0 && chain->problem->is_closed) { // the border meets the chain in the first step
        if (!eliminate_steps(chain, state, 0, 1)) return false;
        continue_first_end(state, chain->border);
        if (chain->padding == 1) begin_last_end(state, chain->border);
        step = 1;
    }
    while (step < end) {
        size_t count = end - step < CHAIN_TILE ? end - step : CHAIN_TILE;
        if (!eliminate_steps(chain, state, step, count)) return false;
        step += count;
    }
    return true;
}

bool pobd_chain_eliminate(pobd_chain *chain, bool is_exact, double shift_x, double shift_t) {
    const pobd_problem *problem = chain->problem;
    chain->assembly = (pobd_assembly){problem, is_exact, shift_x, shift_t, chain->element_count};
    chain_state state;
    memset(&state, 0, sizeof state);
    if (problem->is_closed) {
        *chain->border = border_of(&chain->assembly);
        begin_first_end(&state, chain->border);
        if (chain->padding == 0 || chain->step_count == 0) begin_last_end(&state, chain->border);
    }
    for (size_t step = 0; step < chain->step_count; step += chain->chunk) {
        if (chain->kept != NULL) chain->kept[step / chain->chunk] = state;
        if (!eliminate_chunk(chain, &state, step)) return false;
    }

    dense_system s;
    memset(&s, 0, sizeof s);
    double value = state.energy[0] + state.energy[1];
    add_end(&s, &state, FIRST, problem->is_closed);
    add_end(&s, &state, LAST, problem->is_closed);
    add_middle_element(&s, &chain->assembly, chain->step_count, &value);
    if (problem->is_closed) add_border(&s, &chain->assembly, chain->border, &value);
    memcpy(chain->middle, s.right, sizeof s.right);
    if (!chain_solve_dense(problem->is_closed ? 15 : 9, s.a, chain->middle)) return false;
    chain->value = value;
    chain->decrement = state.decrement[0] + state.decrement[1];
    for (int k = 0; k < 15; k++) chain->decrement += s.right[k] * chain->middle[k];
    return true;
}

bool pobd_chain_pass(pobd_chain *chain, bool is_exact, double shift_x, double shift_t, pobd_chain_visit *visit,
                     void *user) {
    const pobd_problem *problem = chain->problem;
    size_t last = chain->element_count - 1;
    chain->assembly = (pobd_assembly){problem, is_exact, shift_x, shift_t, chain->element_count};
    chain_state state;
    memset(&state, 0, sizeof state);
    if (problem->is_closed) {
        *chain->border = border_of(&chain->assembly);
        begin_first_end(&state, chain->border);
        begin_last_end(&state, chain->border);
    }
    for (size_t step = 0; step < last; step += CHAIN_TILE) {
        size_t count = last - step < CHAIN_TILE ? last - step : CHAIN_TILE;
        fill_tile(chain, &chain->assembly, step, count, true, chain->tile_first);
        fill_tile(chain, &chain->assembly, last + 1 - step - count, count, false, chain->tile_last);
        double *first = chain->tile_first + CHAIN_TILE_PAD, *other = chain->tile_last + CHAIN_TILE_PAD + (count - 1);
        if (step == 0 && problem->is_closed) first[CHAIN_WEIGHT * CHAIN_TILE_STRIDE] = POBD_HELD_WEIGHT;
        for (size_t k = 0; k < count; k++) {
            visit(user, step + k, &state, NULL);
            if (!chain->kernels->eliminate(&state, first + k, other - k, 1, chain->record)) return false;
            visit(user, step + k, NULL, chain->record);
        }
    }
    visit(user, last, &state, NULL);
    return true;
}

pobd_size pobd_chain_substitute(pobd_chain *chain) {
    const pobd_problem *problem = chain->problem;
    const double *middle = chain->middle;
    chain_front front;
    chain_target target = {.last_x = chain->element_count + chain->padding,
                           .last_t = chain->element_count - 1 + chain->padding};
    for (int k = 0; k < 3; k++) {
        target.x[k] = chain->correction.x[k], target.t[k] = chain->correction.t[k];
        front.x[2 * k] = middle[X_BEFORE + k], front.x[2 * k + 1] = -middle[X_AFTER + k];
        front.t[2 * k] = front.t[2 * k + 1] = middle[TURN + k];
        front.a[k] = middle[BORDER_X + k], front.b[k] = middle[BORDER_TURN + k];
        target.x[k][chain->step_count] = middle[X_BEFORE + k];
        target.x[k][chain->step_count + 1] = middle[X_AFTER + k];
        target.t[k][chain->step_count] = middle[TURN + k];
    }
    for (size_t chunks = chunk_count(chain->step_count); chunks-- > 0;) {
        size_t first = chunks * chain->chunk;
        size_t count = chain->step_count - first < chain->chunk ? chain->step_count - first : chain->chunk;
        if (first != chain->chunk_first) { // as before: it cannot fail now
            chain_state state = chain->kept[chunks];
            eliminate_chunk(chain, &state, first);
        }
        chain_target part = target; // step k of the chunk is step first + k of the rod
        for (int k = 0; k < 3; k++) part.x[k] += first, part.t[k] += first;
        part.last_x -= 2 * first, part.last_t -= 2 * first;
        if (problem->is_closed)
            chain->kernels->substitute_bordered(chain->record, count, &front, &part);
        else
            chain->kernels->substitute(chain->record, count, &front, &part);
    }
    for (int k = 0; k < 3 && problem->is_closed; k++) {
        target.x[k][0] = middle[BORDER_X + k];
        target.t[k][problem->element_count - 1] = middle[BORDER_TURN + k];
    }
    chain->kernels->center(problem, &chain->correction);
    return chain->kernels->measure(problem, &chain->correction);
}

double pobd_chain_value(const pobd_chain *chain) {
    const pobd_problem *problem = chain->problem;
    const pobd_assembly assembly = {problem, true, 0, 0, chain->element_count};
    double value = chain->kernels->value(problem, chain->element_count);
    if (problem->is_closed) {
        pobd_border border = border_of(&assembly);
        value += border.last.energy + border.spin.energy + border.bend_zero.energy + border.bend_last.energy;
    }
    for (size_t a = 0; a < problem->anchor_count; a++) {
        const pobd_anchor *anchor = &problem->anchors[a];
        size_t left = pobd_left_element(problem, anchor->node), right = pobd_right_element(problem, anchor->node);
        if (left != SIZE_MAX) value += block_anchor_at(problem, anchor, left, false, true).energy;
        if (right != SIZE_MAX) value += block_anchor_at(problem, anchor, right, true, true).energy;
    }
    return value;
}

void pobd_chain_advance(const pobd_chain *chain, double factor) {
    chain->kernels->advance(chain->problem, &chain->correction, factor);
}

double pobd_chain_excess(const pobd_chain *chain, double factor) {
    return chain->kernels->excess(chain->problem, &chain->correction, factor, chain->element_count);
}
