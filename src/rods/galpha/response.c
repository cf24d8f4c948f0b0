// How the candidate of a galpha step answers additional forces (rod_model.h: response). The equations of a step are a
// two-point problem, linear about the candidate: what one end and the pairs of nodes up to a node say is six equations
// of that node, and from the other end there are six more. So the answer to the loads on one element is known for its
// two nodes, and goes on from node to node on either side (as in math/outward.h, but with twelve unknowns a node, and
// not symmetric: neither the box scheme in space nor the averages in time come from an energy).
//
// A step that predict had to divide is answered as if it had been one.
#include "base/error.h"
#include "base/processor.h"
#include "rods/galpha/parts.h"

#include <string.h>

enum { FIELDS = TWO_POINT_FIELDS, ENDS = TWO_POINT_ENDS };

typedef struct kept_response { // at the head of the response memory; behind it the elements' records
    double length_scale;       // m
} kept_response;

static size_t head_doubles(void) { return (sizeof(kept_response) + 63) / 64 * 8; }

size_t galpha_response_size(const cdg_rod *rod) {
    return (head_doubles() + rod->element_count * GALPHA_ANSWER) * sizeof(double);
}

// The first node's unknowns per unknown of the second: solves pivots * first = -beside * second.
static void put_transfer(double *to, const two_point_factor *f) {
    double t[FIELDS][FIELDS];
    for (int k = FIELDS - 1; k >= 0; k--)
        for (int c = 0; c < FIELDS; c++) {
            double sum = f->beside[c][k];
            for (int m = k + 1; m < FIELDS; m++) sum += f->above[m][k] * t[m][c];
            t[k][c] = -sum * f->inverse[k];
        }
    for (int c = 0; c < FIELDS; c++)
        for (int k = 0; k < FIELDS; k++) to[FIELDS * c + k] = t[k][c];
}

// The pivots' operations on a right side, and the solution for the first node with the second's known.
static void forward(const two_point_factor *f, int row_count, const double *value, double *out) {
    for (int r = 0; r < row_count; r++) out[r] = value[f->source[r]];
    for (int k = 0; k < FIELDS; k++)
        for (int r = k + 1; r < row_count; r++) out[r] -= f->below[k][r] * out[k];
}
static void backward(const two_point_factor *f, const double *value, const double *second, double *out) {
    for (int k = FIELDS - 1; k >= 0; k--) {
        double sum = value[k];
        for (int c = 0; c < FIELDS; c++) sum -= f->beside[c][k] * second[c];
        for (int m = k + 1; m < FIELDS; m++) sum -= f->above[m][k] * out[m];
        out[k] = sum * f->inverse[k];
    }
}

// From the last end: transfers to the right, and in the core's place the six equations that hold for y_{j+1}.
static bool keep_from_last(const galpha_step *step, const galpha_trial *trial, double *records) {
    const two_point_kernels *kernels = two_point_kernels_get();
    size_t elements = step->rod->element_count;
    two_point_rows rows;
    two_point_factor factor;
    galpha_end_rows(step, 1, &trial[elements], rows.row);
    for (size_t j = elements; j-- > 0;) {
        double *record = records + j * GALPHA_ANSWER, pair[FIELDS][TWO_POINT_COLUMNS];
        for (size_t r = 0; r < ENDS; r++)
            memcpy(record + GALPHA_CORE + FIELDS * r, rows.row[r], FIELDS * sizeof(double));
        if (j == 0) break;
        galpha_element_rows(step, j, &trial[j], &trial[j + 1], pair);
        for (int r = 0; r < FIELDS; r++) {
            memcpy(rows.row[ENDS + r], pair[r] + FIELDS, FIELDS * sizeof(double));
            memcpy(rows.row[ENDS + r] + FIELDS, pair[r], FIELDS * sizeof(double));
        }
        if (!kernels->eliminate(&rows, &factor)) return false;
        put_transfer(record + GALPHA_TO_RIGHT, &factor);
    }
    return true;
}

// The answer at both nodes of an element to its own loads. `left`: factor of the pair, from the first end; `rows`: the
// six equations that are then left for the second node.
static bool set_core(const galpha_step *step, size_t element, const galpha_trial *trial, const two_point_factor *left,
                     const two_point_rows *rows, double *record) {
    static const double none[FIELDS] = {0};
    two_point_rows both = *rows;
    two_point_factor last;
    memset(both.row[ENDS], 0, ENDS * sizeof both.row[0]);
    for (size_t r = 0; r < ENDS; r++)
        memcpy(both.row[ENDS + r], record + GALPHA_CORE + FIELDS * r, FIELDS * sizeof(double));
    if (!two_point_kernels_get()->finish(&both, &last)) return false;
    double columns[GALPHA_LOADS][FIELDS];
    galpha_element_loads(step, element, &trial[element], &trial[element + 1], columns, record + GALPHA_TURN);
    for (int c = 0; c < GALPHA_LOADS; c++) {
        double value[TWO_POINT_ROWS] = {0}, reduced[TWO_POINT_ROWS], second[FIELDS] = {0}, solved[FIELDS];
        for (int k = 0; k < FIELDS; k++) value[ENDS + k] = -columns[c][k];
        forward(left, TWO_POINT_ROWS, value, reduced);
        memcpy(second, reduced + FIELDS, ENDS * sizeof(double));
        forward(&last, FIELDS, second, solved);
        double *core = record + GALPHA_CORE + (ptrdiff_t)2 * FIELDS * c;
        backward(&last, solved, none, core + FIELDS);
        backward(left, reduced, core + FIELDS, core);
    }
    return true;
}

static bool keep_from_first(const galpha_step *step, const galpha_trial *trial, double *records) {
    const two_point_kernels *kernels = two_point_kernels_get();
    two_point_rows rows;
    two_point_factor factor;
    galpha_end_rows(step, 0, &trial[0], rows.row);
    for (size_t j = 0; j < step->rod->element_count; j++) {
        double *record = records + j * GALPHA_ANSWER;
        galpha_element_rows(step, j, &trial[j], &trial[j + 1], rows.row + ENDS);
        if (!kernels->eliminate(&rows, &factor)) return false;
        put_transfer(record + GALPHA_TO_LEFT, &factor);
        if (!set_core(step, j, trial, &factor, &rows, record)) return false;
    }
    return true;
}

// Held places stay exactly.
static void hold_ends(const galpha_step *step, double *records) {
    size_t last = step->rod->element_count - 1;
    for (int end = 0; end < 2; end++) {
        if (!step->holds->has_hold[end] || !step->holds->hold[end].holds_position) continue;
        double *record = records + (end == 0 ? 0 : last) * GALPHA_ANSWER;
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < FIELDS; c++) record[(end == 0 ? GALPHA_TO_LEFT : GALPHA_TO_RIGHT) + FIELDS * c + k] = 0;
            for (int c = 0; c < GALPHA_LOADS; c++) record[GALPHA_CORE + 2 * FIELDS * c + end * FIELDS + k] = 0;
        }
    }
}

cdg_result galpha_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                                cdg_error *error) {
    galpha_posed posed;
    galpha_pose_candidate(rod, step, loads, scratch, &posed);
    double *records = (double *)response + head_doubles();
    *(kept_response *)response = (kept_response){posed.step.length_scale};
    if (!keep_from_last(&posed.step, posed.trial, records) || !keep_from_first(&posed.step, posed.trial, records))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "the rod's answer to contact cannot be found: its equations do not determine it; use a smaller "
                        "time step");
    hold_ends(&posed.step, records);
    return CDG_OK;
}

cdg_rod_range galpha_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                             const double *torque, double cutoff, double *const move[3], double *turn) {
    const kept_response *r = response;
    galpha_push push = {.rod = rod,
                        .records = (const double *)response + head_doubles(),
                        .length_scale = r->length_scale,
                        .first = loaded.first,
                        .end = loaded.end,
                        .force = force,
                        .torque = torque,
                        .cutoff = cutoff};
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return galpha_push_rod_avx512(&push, move, turn);
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return galpha_push_rod_avx2(&push, move, turn);
#endif
    return galpha_push_rod_base(&push, move, turn);
}
