// How the candidate of an implicit der step answers additional forces (rod_model.h: response; math/outward.h), by the
// Hessian that Newton's method uses. That is symmetric, and the true derivative but for two things, both small: torques
// that follow the rod have no potential, and inertia of the angles feels the path of the edges (der/chain.h).
//
// A closed rod is cut at its border, nodes and angles 0 and 1. With A the strip of the others, U its coupling to the
// border and W = A^-1 U, the border answers b - U^T A^-1 f by the inverse of its complement, and the strip follows by
// -W times that. The strip's last element has its end in the border, where a held stand-in takes its place.
#include "rods/der/der.h"

#include "base/error.h"
#include "math/chain_solve.h"
#include "math/outward_light.h"
#include "math/strip_outward.h"
#include "rods/response_ring.h"

#include <math.h>
#include <string.h>

enum { LIGHT = (OUTWARD_LIGHT_THIN + OUTWARD_LIGHT_PASSES) / 2 }; // doubles an element
enum { ENDS = 4, BORDER = STRIP_BORDER }; // nodes of the strip that the border couples to: two at either end

// At the head of the response memory; behind it records of elements, and of a closed rod W, 4 x BORDER a node, of an
// open one light records and the memory to work with them.
typedef struct kept_response {
    size_t element_count; // of the strip
    size_t end_count, ends[ENDS];
    double coupling[ENDS][4][BORDER];
    double border[BORDER][BORDER]; // inverse of the border's complement
} kept_response;

static size_t head_doubles(void) { return (sizeof(kept_response) + 63) / 64 * 8; }
static size_t strip_elements(const cdg_rod *rod) {
    return rod->is_closed ? rod->element_count - 2 : rod->element_count;
}

size_t der_response_size(const cdg_rod *rod) {
    if (der_is_explicit(rod)) return 0;
    size_t an_element = OUTWARD_THIN + (rod->is_closed ? 4 * BORDER : LIGHT);
    return (head_doubles() + strip_elements(rod) * an_element) * sizeof(double);
}

// ---- the border of a closed rod -------------------------------------------------------------------------------------

static bool set_border(der_workspace *work, kept_response *r, double *rows) {
    strip *whole = &work->matrix;
    strip open = *whole;
    open.ring = NULL;
    size_t count = open.count;
    r->end_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i >= 2 && i + 2 < count) continue;
        memcpy(r->coupling[r->end_count], whole->ring + STRIP_RING_NODE * i, sizeof r->coupling[0]);
        r->ends[r->end_count++] = i;
    }
    strip_factor(&open);
    double complement[BORDER][BORDER];
    memcpy(complement, whole->border, sizeof complement);
    for (int column = 0; column < BORDER; column++) {
        for (size_t i = 0; i < 4 * count; i++) work->solution[i] = whole->ring[8 * i + (size_t)column];
        strip_solve_more(&open, work->solution, NULL);
        for (size_t i = 0; i < 4 * count; i++) rows[BORDER * i + (size_t)column] = work->solution[i];
        for (size_t e = 0; e < r->end_count; e++)
            for (size_t k = 0; k < 4; k++)
                for (int b = 0; b < BORDER; b++)
                    complement[b][column] -= r->coupling[e][k][b] * work->solution[4 * r->ends[e] + k];
    }
    for (int column = 0; column < BORDER; column++) {
        double a[15][15], right[15] = {0};
        for (int i = 0; i < BORDER; i++)
            for (int j = 0; j <= i; j++) a[i][j] = (complement[i][j] + complement[j][i]) / 2;
        right[column] = 1;
        if (!chain_solve_dense(BORDER, a, right)) return false;
        for (int row = 0; row < BORDER; row++) r->border[row][column] = right[row];
    }
    return true;
}

// ---- all together ---------------------------------------------------------------------------------------------------

// A held place takes part in nothing, though its unit row in the matrix would say that it gives way.
static void clear_core(double *core, int index) {
    for (int row = 0, n = 0; row < 7; row++)
        for (int column = 0; column <= row; column++, n++)
            if ((row >= index && row < index + 3) || (column >= index && column < index + 3)) core[n] = 0;
}

static bool keep(const der_chain *c, der_workspace *work, double geometric, void *response) {
    kept_response *r = response;
    double *records = (double *)response + head_doubles();
    size_t border = c->is_closed ? 2 : 0;
    strip_clear(&work->matrix);
    if (!isfinite(der_chain_assemble(c, &work->matrix, geometric))) return false;
    strip open = work->matrix;
    open.ring = NULL;
    if (c->is_closed) {
        double *stand_in = open.rows + STRIP_NODE * open.count++;
        memset(stand_in, 0, STRIP_NODE * sizeof(double));
        for (size_t k = 0; k < 4; k++) stand_in[STRIP_ROW * k + k] = 1;
    }
    *r = (kept_response){.element_count = open.count - 1};
    if (!strip_outward(&open, records)) return false;
    for (size_t j = 0; j < r->element_count; j++) {
        double *core = records + j * OUTWARD_THIN + OUTWARD_THIN_CORE;
        size_t start = j + border, end = start + 1;
        if (!(c->weight[start] < INFINITY)) clear_core(core, 0);
        if (end == c->node_count || !(c->weight[end] < INFINITY)) clear_core(core, 4);
    }
    if (!c->is_closed) return true;
    if (!set_border(work, r, records + r->element_count * OUTWARD_THIN)) return false;
    for (int k = 0; k < BORDER; k++)
        if (k % 4 < 3 && !(c->weight[k / 4] < INFINITY)) r->border[k][k] = 0; // its other entries are
    return true;
}

cdg_result der_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                             cdg_error *error) {
    der_scheme s = der_choose_scheme(rod, step);
    der_chain chain;
    der_workspace work;
    char *next = der_setup(rod, s, loads, scratch, &chain);
    der_workspace_place(&work, (double *)(void *)next, rod->node_count, rod->is_closed);
    if (!der_implicit_resume(rod, s, &chain, &work))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "an edge turned back on itself in a step of %g s, or the rod was not predicted: there is no "
                        "candidate to answer contact from; use a shorter step",
                        step);
    der_chain_settle_tension(&chain);
    if (keep(&chain, &work, 1, response) || keep(&chain, &work, 0, response)) return CDG_OK;
    return cdg_fail(
        error, CDG_ERROR_NO_CONVERGENCE,
        "the rod's answer to contact cannot be found: stiffness and inertia of its parts are too far apart; "
        "use a larger time step or stiffnesses that differ less");
}

static void clear(double *array, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) array[i] = 0;
}

static cdg_rod_range respond_closed(const cdg_rod *rod, const kept_response *r, outward_push push, cdg_rod_range loaded,
                                    double *const move[3], double *turn) {
    size_t count = rod->node_count, strip_count = r->element_count;
    outward_range range = ring_range(loaded, count), elements = {range.first, range.end - 1};
    double *const strip_force[3] = {push.force[0] + 2, push.force[1] + 2, push.force[2] + 2};
    double *const strip_move[3] = {move[0] + 2, move[1] + 2, move[2] + 2};
    double right[BORDER] = {0}, border[BORDER];
    bool has_border = false;
    for (size_t i = 0; i < 2; i++) {
        if (ring_holds(range, count, i)) {
            for (size_t k = 0; k < 3; k++) right[4 * i + k] = push.force[k][i];
            has_border = true;
        }
        if (push.torque != NULL && ring_holds(elements, count, i)) right[4 * i + 3] = push.torque[i];
    }
    ring_parts(range, count, 2, count, push.nodes);
    ring_parts(elements, count, 2, count, push.elements);
    push.force = strip_force;
    if (push.torque != NULL) push.torque += 2;
    push.node_count = strip_count;
    outward_answer pushed = outward_push_thin(&push, strip_move, turn + 2);
    outward_range moved = pushed.nodes;
    bool meets_end = moved.end > 0 && (moved.first == 0 || moved.end > strip_count);
    if (!has_border && !meets_end) return (cdg_rod_range){moved.first + 2, moved.end + 2};

    size_t node = moved.end < strip_count ? moved.end : strip_count, element = moved.end > 0 ? moved.end - 1 : 0;
    for (int k = 0; k < 3; k++) clear(strip_move[k], 0, moved.first), clear(strip_move[k], node, strip_count);
    clear(turn + 2, 0, moved.first), clear(turn + 2, element, strip_count);
    for (size_t e = 0; e < r->end_count; e++) {
        size_t i = r->ends[e] + 2;
        const double y[4] = {move[0][i], move[1][i], move[2][i], turn[i]};
        for (int k = 0; k < 4; k++)
            for (int b = 0; b < BORDER; b++) right[b] -= r->coupling[e][k][b] * y[k];
    }
    for (int i = 0; i < BORDER; i++) {
        border[i] = 0;
        for (int j = 0; j < BORDER; j++) border[i] += r->border[i][j] * right[j];
    }
    const double *rows = push.records + strip_count * OUTWARD_THIN;
    for (size_t i = 2; i < count; i++, rows += 4 * BORDER) {
        double sum[4] = {0};
        for (int k = 0; k < 4; k++)
            for (int b = 0; b < BORDER; b++) sum[k] += rows[BORDER * k + b] * border[b];
        for (int k = 0; k < 3; k++) move[k][i] -= sum[k];
        turn[i] -= sum[3];
    }
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 3; k++) move[k][i] = border[4 * i + k];
        turn[i] = border[4 * i + 3];
    }
    return (cdg_rod_range){0, count + 1};
}

cdg_rod_range der_response(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                           const double *torque, double cutoff, double *const move[3], double *turn) {
    const kept_response *r = response;
    outward_push push = {.records = (const double *)response + head_doubles(),
                         .element_count = r->element_count,
                         .node_count = r->element_count + 1,
                         .force = force,
                         .torque = torque,
                         .radius = rod->radius[0],
                         .cutoff = cutoff};
    if (rod->is_closed) return respond_closed(rod, r, push, loaded, move, turn);
    push.nodes[0] = (outward_range){loaded.first, loaded.end};
    push.elements[0] = (outward_range){loaded.first, loaded.end - 1};
    outward_range moved = outward_push_thin(&push, move, turn).nodes;
    return (cdg_rod_range){moved.first, moved.end};
}

// ---- light answers --------------------------------------------------------------------------------------------------

static float *light_of(void *response, size_t element_count) {
    return (float *)(void *)((double *)response + head_doubles() + element_count * OUTWARD_THIN);
}

bool der_lighten(const cdg_rod *rod, void *response, cdg_rod_range loaded) {
    if (rod->is_closed) return false;
    outward_range elements = {loaded.first, loaded.end - 1};
    const double *records = (const double *)response + head_doubles();
    outward_lighten_thin(records, elements, light_of(response, rod->element_count));
    return true;
}

void der_respond_lightly(const cdg_rod *rod, void *response, cdg_rod_range loaded, double *const force[3],
                         const double *torque, double *const move[3], double *turn) {
    float *light = light_of(response, rod->element_count);
    outward_light_push push = {.records = (const double *)response + head_doubles(),
                               .light = light,
                               .passes = light + rod->element_count * OUTWARD_LIGHT_THIN,
                               .nodes = {loaded.first, loaded.end},
                               .force = force,
                               .torque = torque};
    outward_light_thin(&push, move, turn);
}

outward_chain der_outward(const cdg_rod *rod, const void *response) {
    const double *records = (const double *)response + head_doubles();
    return (outward_chain){rod->is_closed ? NULL : records, .is_thick = false, .radius = rod->radius[0]};
}
