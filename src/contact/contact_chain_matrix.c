// The dense matrix between contacts on chains (contact_chain_matrix.h).
#include "contact/contact_chain_matrix.h"

#include "contact/contacts.h"

#include <stdlib.h>
#include <string.h>

static const double cutoff = 1e-5;                             // of the largest move: what is left out beyond
enum { SIDES_MAX = 2 * CDG_COUPLED_CONTACTS_MAX, LOOKED = 8 }; // LOOKED: segments from one look at moves to the next

static bool reserve(cdg_chain_matrix *m) {
    size_t numbers = (OUTWARD_CARRY_ROWS + 3) * outward_carry_room(SIDES_MAX) + SIDES_MAX;
    if (m->sides == NULL) m->sides = malloc(SIDES_MAX * sizeof *m->sides);
    if (m->memory == NULL) m->memory = malloc(numbers * sizeof *m->memory);
    return m->sides != NULL && m->memory != NULL;
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

// Of sides in order, up to which their contacts' numbers follow each other.
static void find_runs(const cdg_listed_side *sides, size_t count, size_t *run_end) {
    for (size_t k = count; k-- > 0;)
        run_end[k] = k + 1 < count && sides[k + 1].number == sides[k].number + 1 ? run_end[k + 1] : k + 1;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// What contacts do to contact `to` through one side of each, and back, into the lower half: sides from[first] to
// from[end - 1], the last of which is that of `to` which feels. What is before it in the matrix is added in runs.
static void add_row(const cdg_listed_side *from, const size_t *run_end, size_t first, size_t end, const double *felt,
                    size_t room, size_t size, double *out) {
    const size_t to = from[end - 1].number;
    for (size_t k = first, next; k < end; k = next) {
        const size_t number = from[k].number;
        const double *block = felt + 3 * k;
        next = number < to ? least(least(run_end[k], end), k + to - number) : k + 1;
        for (size_t a = 0; a < 3 && number <= to; a++) {
            double *row = out + (3 * to + a) * size + 3 * number;
            for (size_t i = 0; i < 3 * (next - k); i++) row[i] += block[a * room + i];
        }
        if (number < to || k + 1 == end) continue; // a side's own block is symmetric
        double *column = out + 3 * number * size + 3 * to;
        for (size_t b = 0; b < 3; b++)
            for (size_t a = 0; a < 3; a++) column[b * size + a] += block[a * room + b];
    }
}

// The `count` sides that are on one chain. False: it does not answer so.
static bool add_chain(const cdg_chain_matrix *m, const cdg_coupling *c, const cdg_pieces *p, size_t first, size_t count,
                      size_t size, double *out) {
    const cdg_listed_side *sides = m->sides + first;
    const cdg_proxy *proxy = &p->objects[sides->lead];
    outward_chain chain = proxy->operations->outward(proxy->whole, c->objects[sides->lead].response);
    if (chain.records == NULL) return false;
    outward_carry carry = outward_carry_begin(chain, sides->segment, count, m->memory);
    double *felt = m->memory + OUTWARD_CARRY_ROWS * carry.room, *reach = felt + 3 * carry.room;
    size_t run_end[SIDES_MAX];
    find_runs(sides, count, run_end);
    for (size_t i = 0; i < count; i++) {
        while (carry.element < sides[i].segment) {
            outward_carry_on(&carry);
            if (carry.element % LOOKED != 0) continue;
            while (carry.first < carry.end &&
                   outward_carry_reach(&carry, carry.first) < cutoff * reach[carry.first / 3])
                carry.first += 3;
        }
        const outward_three weight = weight_of(&sides[i]);
        outward_carry_enter(&carry, &weight);
        reach[i] = outward_carry_reach(&carry, 3 * i);
        outward_carry_felt(&carry, &weight, felt);
        add_row(sides, run_end, carry.first / 3, i + 1, felt, carry.room, size, out);
    }
    return true;
}

cdg_chain_matrix_outcome cdg_chain_matrix_fill(cdg_chain_matrix *m, const cdg_coupling *c, const cdg_pieces *p,
                                               const cdg_contact_row *rows, const uint32_t *numbers, size_t count,
                                               double *out) {
    if (!applies(c, p, rows, numbers, count)) return CDG_CHAIN_MATRIX_NONE;
    if (!reserve(m)) return CDG_CHAIN_MATRIX_MEMORY;
    size_t listed = cdg_coupling_list_sides(p, rows, numbers, count, m->sides), size = 3 * count;
    sort(m->sides, listed);
    for (size_t i = 0; i < size; i++) memset(out + i * size, 0, (i / 3 * 3 + 3) * sizeof *out);
    for (size_t first = 0, end = 0; first < listed; first = end) {
        while (end < listed && m->sides[end].lead == m->sides[first].lead) end++;
        if (!add_chain(m, c, p, first, end - first, size, out)) return CDG_CHAIN_MATRIX_NONE;
    }
    return CDG_CHAIN_MATRIX_OK;
}

void cdg_chain_matrix_free(cdg_chain_matrix *m) {
    free(m->sides);
    free(m->memory);
    *m = (cdg_chain_matrix){0};
}
