// The response of a reference step: factors of Newton's matrix at the candidate, and plain substitution with them. A
// model to compare with has no need to be quick, so a cutoff does not shorten it. Not symmetric: the discrete Lagrange
// equations relate one step to the next. A step that predict divided is answered as if it had been one.
#include "rods/reference/response.h"

#include "base/error.h"
#include "math/quat.h"

#include <string.h>

enum { ROLL = 3, BLOCK = 4 };

typedef struct kept_response { // at the head of the response memory; behind it factors, pivots and answers
    double step;               // s, times the share of a force's momentum that moves the candidate
} kept_response;

typedef struct parts {
    cdg_banded matrix;
    reference_answer *answers;
} parts;

static size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

// The blocks behind the head; bytes in all.
static size_t lay_out(const cdg_rod *rod, char *memory, parts *out) {
    size_t used = aligned(sizeof(kept_response));
    *out = (parts){0};
    out->matrix.size = reference_unknown_count(rod->node_count, rod->is_closed);
    out->matrix.width = reference_matrix_width(rod->is_closed);
    size_t values = out->matrix.size * cdg_banded_column(out->matrix.width) * sizeof(double);
    if (memory != NULL) out->matrix.values = (double *)(void *)(memory + used);
    used += aligned(values);
    if (memory != NULL) out->matrix.pivots = (int *)(void *)(memory + used);
    used += aligned(out->matrix.size * sizeof(int));
    if (memory != NULL) out->answers = (reference_answer *)(void *)(memory + used);
    return used + aligned(rod->element_count * sizeof(reference_answer));
}

size_t reference_response_size(const cdg_rod *rod) {
    parts p;
    return lay_out(rod, NULL, &p);
}

cdg_result reference_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                                   cdg_error *error) {
    parts p;
    lay_out(rod, response, &p);
    reference_step s = reference_pose_candidate(rod, step, loads, scratch);
    *(kept_response *)response = (kept_response){(1 - s.late) * step};
    s.matrix = p.matrix; // right where it is kept
    if (!reference_linearise(&s, p.answers))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "the rod's answer to contact cannot be found: its equations do not determine it; use a smaller "
                        "time step");
    return CDG_OK;
}

// The unknowns stand in the caller's arrays, so that none of our own are needed.
typedef struct unknowns {
    const cdg_rod *rod;
    double *const *move;
    double *turn;
} unknowns;

static inline double *at(const unknowns *u, size_t index) {
    size_t block = index / BLOCK, k = index % BLOCK, node = block;
    if (u->rod->is_closed) node = block % 2 == 0 ? block / 2 : u->rod->node_count - 1 - block / 2;
    return k == ROLL ? &u->turn[node] : &u->move[k][node];
}

// As LAPACK's dgbtrs, from the first entry on that is not zero, or rather from where it may be exchanged with it.
static void substitute(const cdg_banded *a, const unknowns *u, size_t first) {
    size_t size = a->size, width = a->width;
    for (size_t j = first > width ? first - width : 0; j + 1 < size; j++) {
        double *here = at(u, j), *pivot = at(u, (size_t)a->pivots[j] - 1), value = *pivot;
        *pivot = *here, *here = value;
        size_t end = j + width < size ? j + width : size - 1;
        for (size_t i = j + 1; i <= end && value != 0; i++) *at(u, i) -= value * *cdg_banded_at(a, i, j);
    }
    for (size_t j = size; j-- > 0;) {
        const double *column = cdg_banded_at(a, j, j);
        double value = *at(u, j) /= *column;
        size_t above = j < 2 * width ? j : 2 * width;
        for (size_t i = 1; i <= above; i++) *at(u, j - i) -= value * column[-(ptrdiff_t)i];
    }
}

static void hold_still(const cdg_rod *rod, double *const move[3]) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].holds_position) rod_set_vec3(move, rod->holds[h].node, vec3(0, 0, 0));
}

static void add_entry(double *right, size_t index, double value, size_t *first) {
    *right += value;
    if (index < *first) *first = index;
}

cdg_rod_range reference_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                                const double *torque, double cutoff, double *const move[3], double *turn) {
    (void)cutoff;
    parts p;
    lay_out(rod, (char *)(uintptr_t)response, &p); // only read below
    unknowns u = {rod, move, turn};
    size_t nodes = rod->node_count, first = p.matrix.size, count = loaded.end - loaded.first;
    if (count > nodes) count = nodes; // all the way round: the first node again
    double step = ((const kept_response *)response)->step;
    for (int k = 0; k < 3; k++) memset(move[k], 0, nodes * sizeof(double));
    memset(turn, 0, rod->element_count * sizeof(double));
    for (size_t n = 0; n < count; n++) {
        size_t i = (loaded.first + n) % nodes, index = BLOCK * reference_block_of(rod, i);
        for (size_t k = 0; k < 3; k++) add_entry(&move[k][i], index + k, step * force[k][i], &first);
    }
    for (size_t n = loaded.first; n + 1 < loaded.end && torque != NULL; n++) {
        size_t j = n % nodes, next = rod_next_node(rod, j), from = BLOCK * reference_block_of(rod, j);
        const double *t = p.answers[j].torque;
        for (size_t k = 0; k < 3; k++) {
            add_entry(&move[k][next], BLOCK * reference_block_of(rod, next) + k, torque[j] * t[k], &first);
            add_entry(&move[k][j], from + k, -torque[j] * t[k], &first);
        }
        add_entry(&turn[j], from + ROLL, torque[j] * t[ROLL], &first);
    }
    hold_still(rod, move);
    substitute(&p.matrix, &u, first);
    hold_still(rod, move); // exactly, not but for rounding
    for (size_t j = 0; j < rod->element_count; j++)
        turn[j] += vec3_dot(p.answers[j].turn, vec3_sub(rod_vec3(move, rod_next_node(rod, j)), rod_vec3(move, j)));
    return (cdg_rod_range){0, nodes + (rod->is_closed ? 1 : 0)};
}
