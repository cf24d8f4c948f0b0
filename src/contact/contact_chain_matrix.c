// The dense matrix between contacts on chains (contact_chain_matrix.h).
#include "contact/contact_chain_matrix.h"

#include "contact/contacts.h"

#include <stdlib.h>
#include <string.h>

static const double cutoff = 1e-5; // of the largest move: what is left out beyond
enum { SIDES_MAX = 2 * CDG_COUPLED_CONTACTS_MAX };

static bool reserve(cdg_chain_matrix *m, size_t segments) {
    if (m->sides == NULL) m->sides = malloc(SIDES_MAX * sizeof *m->sides);
    if (m->weights == NULL) m->weights = malloc(SIDES_MAX * sizeof *m->weights);
    if (m->sides == NULL || m->weights == NULL) return false;
    if (segments <= m->segment_capacity) return true;
    outward_three *moves = realloc(m->moves, (segments + segments / 2) * sizeof *moves);
    if (moves == NULL) return false;
    m->moves = moves;
    m->segment_capacity = segments + segments / 2;
    return true;
}

static bool is_after(const cdg_listed_side *a, const cdg_listed_side *b) {
    return a->lead != b->lead ? a->lead > b->lead : a->segment > b->segment;
}

// Those that are listed come nearly in order.
static void sort(cdg_listed_side *sides, size_t count) {
    for (size_t i = 1; i < count; i++) {
        cdg_listed_side it = sides[i];
        size_t at = i;
        for (; at > 0 && is_after(&sides[at - 1], &it); at--) sides[at] = sides[at - 1];
        sides[at] = it;
    }
}

// Whether nothing of the rows gives way but such chains.
static bool applies(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *rows, const uint32_t *numbers,
                    size_t count) {
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_row *row = &rows[numbers[i]];
        if (contact_row_gives(row)) return false;
        for (int k = 0; k < 2; k++)
            if (row->object[k] != UINT32_MAX && p->objects[row->object[k]].is_implicit &&
                !cdg_coupling_carries(c, p, row->object[k]))
                return false;
    }
    return true;
}

static outward_three weight_of(const cdg_listed_side *side) {
    const cdg_contact_row *row = side->row;
    int points = (int)row->point_count / 2;
    const double(*start)[3] = &row->jacobian[3 * points * side->side], (*end)[3] = start + 3;
    const double *turn = row->jacobian[6 * points + side->side];
    outward_three out = {0};
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) out.row[k][axis] = start[k][axis], out.row[4 + k][axis] = end[k][axis];
        out.row[3][axis] = turn[axis];
    }
    return out;
}

// What contact `from` does to contact `to` through one side of each, and back, into the lower half.
static void add_block(double block[3][4], size_t to, size_t from, bool is_same_side, size_t size, double *out) {
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++) {
            if (to >= from) out[(3 * to + a) * size + 3 * from + b] += block[a][b];
            if (from > to || (from == to && !is_same_side)) out[(3 * from + b) * size + 3 * to + a] += block[a][b];
        }
}

// Sides from `first` on that are on one chain, the last of them being end - 1. False: it does not answer so.
static bool add_chain(const cdg_chain_matrix *m, const cdg_coupling *c, const cdg_pieces *p, size_t first, size_t end,
                      size_t size, double *out) {
    const outward_carry_kernels *kernels = outward_carry_kernels_choose();
    const cdg_proxy *proxy = &p->objects[m->sides[first].lead];
    for (size_t i = first; i < end; i++) {
        const cdg_listed_side *from = &m->sides[i];
        cdg_chain_range range = {from->segment, m->sides[end - 1].segment + 1};
        size_t reached = proxy->operations->carry(proxy->whole, c->objects[from->lead].response, range, cutoff,
                                                  &m->weights[i], m->moves);
        if (reached == 0) return false;
        for (size_t j = i; j < end && m->sides[j].segment < reached; j++) {
            double block[3][4];
            kernels->felt(&m->weights[j], &m->moves[m->sides[j].segment - from->segment], block);
            add_block(block, m->sides[j].number, from->number, i == j, size, out);
        }
    }
    return true;
}

cdg_chain_matrix_outcome cdg_chain_matrix_fill(cdg_chain_matrix *m, const cdg_coupling *c, const cdg_pieces *p,
                                               const cdg_contact_row *rows, const uint32_t *numbers, size_t count,
                                               double *out) {
    if (!applies(c, p, rows, numbers, count)) return CDG_CHAIN_MATRIX_NONE;
    if (!reserve(m, 0)) return CDG_CHAIN_MATRIX_MEMORY;
    size_t listed = cdg_coupling_list_sides(p, rows, numbers, count, m->sides), size = 3 * count, longest = 0;
    sort(m->sides, listed);
    for (size_t i = 0; i < listed; i++) {
        m->weights[i] = weight_of(&m->sides[i]);
        size_t segments = p->objects[m->sides[i].lead].segment_count;
        if (segments > longest) longest = segments;
    }
    if (!reserve(m, longest)) return CDG_CHAIN_MATRIX_MEMORY;
    for (size_t i = 0; i < size; i++) memset(out + i * size, 0, (i / 3 * 3 + 3) * sizeof *out);
    for (size_t first = 0, end = 0; first < listed; first = end) {
        while (end < listed && m->sides[end].lead == m->sides[first].lead) end++;
        if (!add_chain(m, c, p, first, end, size, out)) return CDG_CHAIN_MATRIX_NONE;
    }
    return CDG_CHAIN_MATRIX_OK;
}

void cdg_chain_matrix_free(cdg_chain_matrix *m) {
    free(m->sides);
    free(m->weights);
    free(m->moves);
    *m = (cdg_chain_matrix){0};
}
