// The response of a pobd step with solver 'direct' (pobd/response.h): kept once a step, asked often.
//
// A closed rod is cut at its border, x_0 and the turn of the last element: with A the open chain, U its coupling to
// the border and W = A^-1 U, the border answers b - U^T A^-1 f by the inverse of its complement, and the chain follows
// by -W times that.
#include "rods/pobd/response.h"

#include "base/error.h"
#include "base/processor.h"
#include "math/outward_light.h"
#include "rods/pobd/answer.h"
#include "rods/pobd/chain.h"
#include "rods/pobd/parts.h"
#include "rods/response_ring.h"

#include <string.h>

enum { LIGHT = (OUTWARD_LIGHT_THICK + OUTWARD_LIGHT_PASSES) / 2 }; // doubles an element
enum { BORDER_ROWS = 4 * 6 }; // doubles an element: moves of x_{j+1} (3 x 6) and the turn (6) per border unknown

// At the head of the response memory; behind it the elements' records, and of a closed rod the rows of W, of an open
// one light records and the memory to work with them.
typedef struct kept_response {
    size_t element_count; // of the open chain
    bool is_closed;
    block_symmetric spring_first, spring_last; // couplings U
    block_matrix coupling_first, coupling_last, bend_zero, bend_last;
    double border[6][6]; // inverse of the border's complement
    double lever[3];     // of the border's element
} kept_response;

static size_t head_doubles(void) { return (sizeof(kept_response) + 63) / 64 * 8; }
static size_t chain_count(const cdg_rod *rod) { return rod->is_closed ? rod->element_count - 1 : rod->element_count; }
static const double *records_of(const void *response) { return (const double *)response + head_doubles(); }
static const double *rows_of(const void *response, size_t element_count) {
    return records_of(response) + element_count * OUTWARD_THICK;
}

size_t pobd_response_size(const cdg_rod *rod) {
    if (is_gauss_seidel(rod)) return 0;
    size_t an_element = OUTWARD_THICK + (rod->is_closed ? BORDER_ROWS : LIGHT);
    return (head_doubles() + chain_count(rod) * an_element) * sizeof(double);
}

// ---- transfers ------------------------------------------------------------------------------------------------------

typedef struct keeping {
    pobd_chain *chain;
    double *records;
} keeping;

static bool is_held(const pobd_chain *chain, size_t node) {
    return !(chain->problem->node_weight[node] < POBD_HELD_WEIGHT) || (chain->problem->is_closed && node == 0);
}

static void put_side(double *to, const chain_state *state, int lane) {
    for (int k = 0; k < 6; k++) to[k] = state->p[2 * k + lane], to[15 + k] = state->q[2 * k + lane];
    for (int k = 0; k < 9; k++) to[6 + k] = state->d[2 * k + lane];
}

static void put_step(double *to, const double *record, int lane) {
    for (int k = 0; k < 18; k++) to[k] = record[2 * k + lane], to[18 + k] = record[42 + 2 * k + lane];
}

static void keep_step(void *user, size_t step, const chain_state *before, const double *record) {
    keeping *k = user;
    double *first = k->records + step * OUTWARD_THICK;
    double *last = k->records + (k->chain->element_count - 1 - step) * OUTWARD_THICK;
    if (before != NULL) {
        put_side(first + OUTWARD_THICK_CORE, before, 0);
        put_side(last + OUTWARD_THICK_CORE + POBD_SIDE, before, 1);
    }
    if (record != NULL) {
        put_step(first + OUTWARD_THICK_LEFT, record, 0);
        put_step(last + OUTWARD_THICK_RIGHT, record, 1);
    }
}

// ---- cores ----------------------------------------------------------------------------------------------------------

static const pobd_answer_kernels *choose_kernels(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &pobd_answer_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &pobd_answer_kernels_avx2;
#endif
    return &pobd_answer_kernels_base;
}

// No support at the nodes of elements first to first + count - 1.
static bool is_plain(const pobd_chain *chain, size_t first, size_t count) {
    for (size_t i = first; i <= first + count; i++)
        if (is_held(chain, i)) return false;
    for (size_t a = 0; a < chain->problem->anchor_count; a++)
        if (chain->problem->anchors[a].node >= first && chain->problem->anchors[a].node <= first + count) return false;
    return true;
}

static bool set_answers(const pobd_chain *chain, double *records) {
    const pobd_answer_kernels *kernels = choose_kernels();
    size_t count = chain->element_count, width = kernels->width;
    // what no step wrote is not used, but must be numbers
    memset(records + OUTWARD_THICK_RIGHT, 0, 36 * sizeof(double));
    memset(records + (count - 1) * OUTWARD_THICK + OUTWARD_THICK_LEFT, 0, 36 * sizeof(double));
    bool is_positive = true;
    for (size_t j = 0; j < count && is_positive;) {
        double *record = records + j * OUTWARD_THICK;
        if (j + width <= count && is_plain(chain, j, width)) {
            is_positive = kernels->several(&chain->assembly, j, record);
            j += width;
        } else {
            block_symmetric anchors = pobd_chain_anchors(chain, j);
            is_positive = kernels->one(&chain->assembly, j, &anchors, is_held(chain, j), is_held(chain, j + 1), record);
            j++;
        }
    }
    return is_positive;
}

// ---- the border of a closed rod -------------------------------------------------------------------------------------

// Right side of the border's unknowns that moves at the chain's ends make: -U^T y.
static void add_ends(const kept_response *r, block_vector x_first, block_vector t_first, block_vector x_last,
                     block_vector t_last, double right[6]) {
    block_vector x =
        block_add(block_apply_symmetric(r->spring_first, x_first), block_apply(r->coupling_first, t_first));
    x = block_add(x, block_apply_symmetric(r->spring_last, x_last));
    block_vector t =
        block_subtract(block_apply_transposed(r->coupling_last, x_last), block_apply(r->bend_zero, t_first));
    t = block_subtract(t, block_apply_transposed(r->bend_last, t_last));
    right[0] += x.x, right[1] += x.y, right[2] += x.z, right[3] += t.x, right[4] += t.y, right[5] += t.z;
}

static void apply_core(const double *core, const double load[9], double out[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = 0;
        for (int j = 0; j < 9; j++) out[i] += core[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i] * load[j];
    }
}
static void apply_transfer(const double *matrix, double state[6]) {
    double sum[6] = {0};
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < 6; k++) sum[k] += matrix[6 * c + k] * state[c];
    memcpy(state, sum, sizeof sum);
}

static block_vector column_of(block_matrix m, int column) {
    return column == 0   ? (block_vector){m.xx, m.yx, m.zx}
           : column == 1 ? (block_vector){m.xy, m.yy, m.zy}
                         : (block_vector){m.xz, m.yz, m.zz};
}
static block_vector vector_of(const double v[3]) { return (block_vector){v[0], v[1], v[2]}; }
static void put_vector(double *to, double sign, block_vector v) {
    to[0] = sign * v.x, to[1] = sign * v.y, to[2] = sign * v.z;
}

static void add_row(const double *records, double *rows, size_t element, int column, const double x_end[3],
                    const double t[3]) {
    double *row = rows + element * BORDER_ROWS;
    const double *lever = records + element * OUTWARD_THICK + OUTWARD_THICK_LEVER;
    for (int k = 0; k < 3; k++) row[6 * k + column] += x_end[k], row[18 + column] += lever[k] * t[k];
}

// A column of W into rows, and of -U^T W into right.
static void set_border_column(const kept_response *r, const double *records, double *rows, int column,
                              double right[6]) {
    size_t last = r->element_count - 1;
    double load[9] = {0}, at[9], state[6];
    block_vector x[2] = {{0}}, t[2] = {{0}}; // x_1, x_n and t_0, t_{n-1}
    // the part of U at the first element
    if (column < 3) {
        put_vector(load + 3, -1, column_of(block_transpose(r->coupling_first), column));
        put_vector(load + 6, -1, column_of(block_from_symmetric(r->spring_first), column));
    } else {
        put_vector(load + 3, 1, column_of(block_transpose(r->bend_zero), column - 3));
    }
    apply_core(records + OUTWARD_THICK_CORE, load, at);
    x[0] = vector_of(at + 6), t[0] = vector_of(at + 3);
    memcpy(state, at + 3, sizeof state); // t, x'
    add_row(records, rows, 0, column, state + 3, state);
    for (size_t j = 1; j <= last; j++) {
        apply_transfer(records + j * OUTWARD_THICK + OUTWARD_THICK_RIGHT, state);
        add_row(records, rows, j, column, state + 3, state);
    }
    x[1] = vector_of(state + 3), t[1] = vector_of(state);
    // and at the last one
    memset(load, 0, sizeof load);
    if (column < 3) {
        put_vector(load + 6, -1, column_of(block_from_symmetric(r->spring_last), column));
    } else {
        put_vector(load + 3, 1, column_of(r->bend_last, column - 3));
        put_vector(load + 6, -1, column_of(r->coupling_last, column - 3));
    }
    apply_core(records + last * OUTWARD_THICK + OUTWARD_THICK_CORE, load, at);
    x[1] = block_add(x[1], vector_of(at + 6)), t[1] = block_add(t[1], vector_of(at + 3));
    add_row(records, rows, last, column, at + 6, at + 3);
    memcpy(state, at, sizeof state);
    for (size_t j = last; j-- > 0;) {
        double after[3];
        memcpy(after, state, sizeof after);
        apply_transfer(records + j * OUTWARD_THICK + OUTWARD_THICK_LEFT, state);
        add_row(records, rows, j, column, after, state + 3);
        if (j == 0) x[0] = block_add(x[0], vector_of(after)), t[0] = block_add(t[0], vector_of(state + 3));
    }
    if (last == 0) { // both parts of U are at the one element
        x[0] = x[1], t[0] = t[1];
    }
    add_ends(r, x[0], t[0], x[1], t[1], right);
}

static bool set_border(const pobd_chain *chain, kept_response *r, const double *records, double *rows) {
    const pobd_problem *problem = chain->problem;
    const pobd_border *b = chain->border;
    size_t element = problem->element_count - 1;
    r->spring_first = b->first.spring, r->coupling_first = b->first.coupling;
    r->spring_last = b->last.spring, r->coupling_last = b->last.coupling;
    r->bend_zero = b->bend_zero.left_right, r->bend_last = b->bend_last.left_right;
    block_vector lever = pobd_lever(problem, element);
    r->lever[0] = lever.x, r->lever[1] = lever.y, r->lever[2] = lever.z;
    memset(rows, 0, r->element_count * BORDER_ROWS * sizeof(double));

    bool is_zero_held = !(problem->node_weight[0] < POBD_HELD_WEIGHT);
    block_symmetric xx = block_add_symmetric(r->spring_first, r->spring_last);
    xx = block_add_diagonal(xx, block_node_at(problem, 0).weight + chain->assembly.shift_x);
    block_spin_term spin = block_spin_at(problem, element, chain->assembly.is_exact);
    block_symmetric tt =
        block_add_symmetric(block_add_symmetric(b->last.turning, spin.turning), pobd_chain_anchors(chain, element));
    tt = block_add_diagonal(tt, chain->assembly.shift_t);
    tt = block_add_symmetric(tt, block_add_symmetric(b->bend_zero.left_left, b->bend_last.right_right));
    const double x[9] = {xx.xx, xx.xy, xx.xz, xx.xy, xx.yy, xx.yz, xx.xz, xx.yz, xx.zz};
    const double t[9] = {tt.xx, tt.xy, tt.xz, tt.xy, tt.yy, tt.yz, tt.xz, tt.yz, tt.zz};
    const block_matrix c = r->coupling_last;
    const double xt[9] = {c.xx, c.xy, c.xz, c.yx, c.yy, c.yz, c.zx, c.zy, c.zz};
    double complement[6][6];
    for (int column = 0; column < 6; column++) {
        double right[6] = {0};
        set_border_column(r, records, rows, column, right); // -U^T W
        for (int row = 0; row < 6; row++) {
            double own = row < 3 && column < 3     ? x[3 * row + column]
                         : row >= 3 && column >= 3 ? t[3 * (row - 3) + column - 3]
                         : row < 3                 ? xt[3 * row + column - 3]
                                                   : xt[3 * column + row - 3];
            complement[row][column] = own + right[row];
        }
    }
    for (int column = 0; column < 6; column++) {
        double a[15][15], right[15] = {0};
        for (int i = 0; i < 6; i++)
            for (int j = 0; j <= i; j++) a[i][j] = (complement[i][j] + complement[j][i]) / 2;
        right[column] = 1;
        if (!chain_solve_dense(6, a, right)) return false;
        for (int row = 0; row < 6; row++)
            r->border[row][column] = is_zero_held && (row < 3 || column < 3) ? 0 : right[row];
    }
    return true;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static bool keep(pobd_chain *chain, int attempt, void *response) {
    kept_response *r = response;
    keeping k = {chain, (double *)response + head_doubles()};
    *r = (kept_response){.element_count = chain->element_count, .is_closed = chain->problem->is_closed};
    double shift_x, shift_t;
    pobd_attempt_shifts(chain->problem, attempt, &shift_x, &shift_t);
    if (!pobd_chain_pass(chain, attempt == 0, shift_x, shift_t, keep_step, &k)) return false;
    if (!set_answers(chain, k.records)) return false;
    return !r->is_closed || set_border(chain, r, k.records, k.records + r->element_count * OUTWARD_THICK);
}

cdg_result pobd_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                              cdg_error *error) {
    pobd_step posed;
    pobd_chain chain;
    cdg_rod_loads again = *loads;
    again.starts_from_candidate = true; // pose the problem, but leave the candidate
    pobd_pose(rod, step, &again, scratch, &posed);
    pobd_chain_init(&chain, &posed.problem, posed.solver_scratch);
    for (int attempt = 0; attempt < POBD_ATTEMPT_COUNT; attempt++)
        if (keep(&chain, attempt, response)) return CDG_OK;
    return cdg_fail(
        error, CDG_ERROR_NO_CONVERGENCE,
        "the rod's answer to contact cannot be found: stiffness and inertia of its parts are too far apart; "
        "use a larger time step or stiffnesses that differ less");
}

static void clear(double *array, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) array[i] = 0;
}

static cdg_rod_range respond_closed(const cdg_rod *rod, const void *response, outward_push push, cdg_rod_range loaded,
                                    double *const move[3], double *turn) {
    const kept_response *r = response;
    size_t count = rod->node_count, chain_elements = r->element_count;
    outward_range range = ring_range(loaded, count), elements = {range.first, range.end - 1};
    ring_parts(range, count, 1, count, push.nodes);
    for (int part = 0; part < 2; part++) // node 0 is the border's; the chain has one of that number all the same
        if (push.nodes[part].end > 0) push.nodes[part].first++, push.nodes[part].end++;
    ring_parts(elements, count, 0, count - 1, push.elements);
    double right[6] = {0}, border[6];
    bool has_border = ring_holds(range, count, 0);
    for (int k = 0; k < 3 && has_border; k++) right[k] = push.force[k][0];
    for (int k = 0; k < 3 && push.torque != NULL && ring_holds(elements, count, count - 1); k++)
        right[3 + k] = push.torque[count - 1] * r->lever[k];

    outward_answer pushed = outward_push_thick(&push, move, turn);
    bool meets_first = pushed.nodes.end > 0 && pushed.nodes.first == 0, meets_last = pushed.nodes.end == count;
    if (!has_border && !meets_first && !meets_last) return (cdg_rod_range){pushed.nodes.first, pushed.nodes.end};

    for (int k = 0; k < 3; k++) {
        clear(move[k], 0, pushed.nodes.first);
        clear(move[k], pushed.nodes.end, count);
    }
    clear(turn, 0, pushed.nodes.first);
    clear(turn, pushed.nodes.end > 0 ? pushed.nodes.end - 1 : 0, count - 1);
    block_vector x_first = {move[0][1], move[1][1], move[2][1]};
    block_vector x_last = {move[0][count - 1], move[1][count - 1], move[2][count - 1]};
    add_ends(r, x_first, vector_of(pushed.first), x_last, vector_of(pushed.last), right);
    for (int i = 0; i < 6; i++) {
        border[i] = 0;
        for (int j = 0; j < 6; j++) border[i] += r->border[i][j] * right[j];
    }
    const double *rows = rows_of(response, chain_elements);
    for (size_t j = 0; j < chain_elements; j++, rows += BORDER_ROWS) {
        double sum[4] = {0};
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 6; c++) sum[k] += rows[6 * k + c] * border[c];
        for (int k = 0; k < 3; k++) move[k][j + 1] -= sum[k];
        turn[j] -= sum[3];
    }
    for (int k = 0; k < 3; k++) move[k][0] = border[k];
    turn[count - 1] = r->lever[0] * border[3] + r->lever[1] * border[4] + r->lever[2] * border[5];
    return (cdg_rod_range){0, count + 1};
}

cdg_rod_range pobd_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                           const double *torque, double cutoff, double *const move[3], double *turn) {
    const kept_response *r = response;
    outward_push push = {.records = records_of(response),
                         .element_count = r->element_count,
                         .node_count = r->element_count + 1,
                         .force = force,
                         .torque = torque,
                         .cutoff = cutoff,
                         .radius = rod->radius[0]};
    if (rod->is_closed) return respond_closed(rod, response, push, loaded, move, turn);
    push.nodes[0] = (outward_range){loaded.first, loaded.end};
    push.elements[0] = (outward_range){loaded.first, loaded.end - 1};
    outward_range moved = outward_push_thick(&push, move, turn).nodes;
    return (cdg_rod_range){moved.first, moved.end};
}

// ---- light answers --------------------------------------------------------------------------------------------------

static float *light_of(void *response, size_t element_count) {
    return (float *)(void *)((double *)response + head_doubles() + element_count * OUTWARD_THICK);
}

bool pobd_lighten(const cdg_rod *rod, void *response, cdg_rod_range loaded) {
    if (rod->is_closed) return false;
    outward_range elements = {loaded.first, loaded.end - 1};
    outward_lighten_thick(records_of(response), elements, light_of(response, rod->element_count));
    return true;
}

void pobd_respond_lightly(const cdg_rod *rod, void *response, cdg_rod_range loaded, double *const force[3],
                          const double *torque, double *const move[3], double *turn) {
    float *light = light_of(response, rod->element_count);
    outward_light_push push = {.records = records_of(response),
                               .light = light,
                               .passes = light + rod->element_count * OUTWARD_LIGHT_THICK,
                               .nodes = {loaded.first, loaded.end},
                               .force = force,
                               .torque = torque};
    outward_light_thick(&push, move, turn);
}

outward_chain pobd_outward(const cdg_rod *rod, const void *response) {
    return (outward_chain){rod->is_closed ? NULL : records_of(response), .is_thick = true, .radius = rod->radius[0]};
}
