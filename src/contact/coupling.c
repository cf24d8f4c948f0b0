// How contacts on rods of implicit models move each other, through the rods' responses.
#include "contact/coupling.h"

#include "base/error.h"
#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A response is followed along the rod until it is this share of its largest. What is left out the next round, which
// predicts the rod anew, makes good.
static const double cutoff = 1e-4;
static const double FAR_TOLERANCES = 200; // 0.01 of the radius

// ---- memory ---------------------------------------------------------------------------------------------------------

static void free_rods(cdg_coupling *c) {
    for (size_t i = 0; i < c->rod_count; i++) free(c->rods[i].response);
    free(c->rods);
    free(c->field);
    free(c->start);
    c->rods = NULL, c->field = NULL, c->start = NULL;
    c->rod_count = 0;
}

cdg_result cdg_coupling_build(cdg_coupling *c, const cdg_pieces *p, cdg_error *error) {
    free_rods(c);
    c->has_implicit = false;
    c->rods = calloc(p->rod_count + 1, sizeof *c->rods);
    if (c->rods == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact");
    c->rod_count = p->rod_count;
    size_t most = 0;
    for (size_t i = 0; i < p->rod_count; i++) {
        const cdg_rod *rod = p->rods[i];
        if (!p->is_implicit[i]) continue;
        size_t bytes = rod->model->response_size(rod);
        c->rods[i].response = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (c->rods[i].response == NULL)
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of rod '%s'", rod->name);
        c->has_implicit = true;
        if (rod->node_count > most) most = rod->node_count;
    }
    c->field_count = most + 1;
    c->field = calloc(8 * c->field_count, sizeof *c->field);
    c->start = calloc(p->element_count + 2, sizeof *c->start);
    if (c->field == NULL || c->start == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact");
    return CDG_OK;
}

void cdg_coupling_free(cdg_coupling *c) {
    free_rods(c);
    free(c->row_at);
    free(c->first);
    free(c->count);
    free(c->slot);
    free(c->entries);
    *c = (cdg_coupling){0};
}

// ---- rows of elements -----------------------------------------------------------------------------------------------

static bool is_coupled(const cdg_pieces *p, uint32_t element) {
    return element < p->element_count && p->is_implicit[p->rod_of[element]];
}

static bool reserve_rows(cdg_coupling *c, size_t row_count) {
    if (row_count <= c->row_capacity) return true;
    size_t capacity = row_count + row_count / 2;
    size_t *first = realloc(c->first, capacity * sizeof *first);
    if (first != NULL) c->first = first;
    uint32_t *count = realloc(c->count, capacity * sizeof *count);
    if (count != NULL) c->count = count;
    size_t *slot = realloc(c->slot, capacity * sizeof *slot);
    if (slot != NULL) c->slot = slot;
    uint32_t *row_at = realloc(c->row_at, 2 * capacity * sizeof *row_at);
    if (row_at != NULL) c->row_at = row_at;
    if (first == NULL || count == NULL || slot == NULL || row_at == NULL) return false;
    c->row_capacity = capacity;
    return true;
}

// Not pushed and far enough that this round hardly brings it to touch; should it, the next round finds it. With an
// explicit rod it may be pressed without the implicit ones.
static bool is_far(const cdg_contact_row *row) {
    for (int i = 0; i < 6; i++)
        if (row->give[i] > 0) return false;
    return row->force[0] == 0 && row->offset[0] > FAR_TOLERANCES * row->tolerance;
}

bool cdg_coupling_start(cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *rows, size_t row_count) {
    c->entry_count = 0;
    if (!c->has_implicit) return true;
    if (!reserve_rows(c, row_count)) return false;
    memset(c->start, 0, (p->element_count + 2) * sizeof *c->start);
    for (size_t i = 0; i < row_count; i++) {
        c->first[i] = c->slot[i] = SIZE_MAX;
        c->count[i] = 0;
        for (int k = 0; k < 2; k++)
            if (is_coupled(p, rows[i].element[k]) && !is_far(&rows[i])) c->start[rows[i].element[k] + 2]++;
    }
    // After this loop start[e + 1] is where e's rows begin, and filling moves it to where they end.
    for (size_t e = 2; e < p->element_count + 2; e++) c->start[e] += c->start[e - 1];
    for (size_t i = 0; i < row_count; i++)
        for (int k = 0; k < 2; k++)
            if (is_coupled(p, rows[i].element[k]) && !is_far(&rows[i]))
                c->row_at[c->start[rows[i].element[k] + 1]++] = (uint32_t)(2 * i) + (uint32_t)k;
    return true;
}

// ---- responses ------------------------------------------------------------------------------------------------------

typedef struct rod_field {
    double *force[3], *torque, *move[3], *turn;
} rod_field;

static rod_field field_of(const cdg_coupling *c) {
    rod_field f;
    for (size_t k = 0; k < 3; k++) {
        f.force[k] = c->field + k * c->field_count;
        f.move[k] = c->field + (4 + k) * c->field_count;
    }
    f.torque = c->field + 3 * c->field_count;
    f.turn = c->field + 7 * c->field_count;
    return f;
}

static size_t wrapped(size_t i, size_t count) { return i < count ? i : i % count; }

// What a field of moves and turns does to side `side` of a row, the element's ends being nodes i and j.
static void felt(const cdg_contact_row *row, int side, const rod_field *f, size_t i, size_t j, size_t element,
                 double out[3]) {
    const double(*a)[3] = &row->jacobian[6 * side], (*b)[3] = &row->jacobian[6 * side + 3];
    const double *t = row->jacobian[12 + side];
    for (int k = 0; k < 3; k++)
        out[k] = a[0][k] * f->move[0][i] + a[1][k] * f->move[1][i] + a[2][k] * f->move[2][i] + b[0][k] * f->move[0][j] +
                 b[1][k] * f->move[1][j] + b[2][k] * f->move[2][j] + t[k] * f->turn[element];
}

static cdg_coupling_entry *entry_for(cdg_coupling *c, size_t row, uint32_t other) {
    size_t slot = c->slot[other], first = c->first[row];
    if (slot >= first && slot < first + c->count[row] && c->entries[slot].row == other) return &c->entries[slot];
    if (c->entry_count == c->entry_capacity) {
        size_t capacity = c->entry_capacity > 0 ? 2 * c->entry_capacity : 1024;
        cdg_coupling_entry *grown = realloc(c->entries, capacity * sizeof *grown);
        if (grown == NULL) return NULL;
        c->entries = grown;
        c->entry_capacity = capacity;
    }
    c->slot[other] = c->entry_count;
    cdg_coupling_entry *entry = &c->entries[c->entry_count++];
    *entry = (cdg_coupling_entry){.row = other};
    c->count[row]++;
    return entry;
}

// The rod's response with what its holds yield.
static cdg_rod_range respond(const cdg_coupled_rod *coupled, const cdg_rod *rod, cdg_rod_range loaded,
                             const rod_field *f, double share) {
    const cdg_yield *yield = coupled->yield;
    cdg_rod_range range = rod->model->respond(rod, coupled->response, loaded, f->force, f->torque,
                                              yield != NULL ? 0 : share, f->move, f->turn);
    if (yield == NULL) return range;
    size_t nodes = rod->node_count, elements = rod->element_count, ways = yield->way_count;
    double *pushed = yield->along, *gone = yield->along + ways;
    for (size_t w = 0; w < ways; w++) {
        const double *way = yield->way + w * (3 * nodes + elements), *turn = way + 3 * nodes;
        pushed[w] = 0;
        for (size_t n = loaded.first; n < loaded.end; n++) {
            size_t i = wrapped(n, nodes);
            for (size_t k = 0; k < 3; k++) pushed[w] += f->force[k][i] * way[k * nodes + i];
            if (n + 1 < loaded.end) pushed[w] += f->torque[wrapped(n, elements)] * turn[wrapped(n, elements)];
        }
    }
    for (size_t v = 0; v < ways; v++) {
        gone[v] = 0;
        for (size_t w = 0; w < ways; w++) gone[v] += yield->give[v * ways + w] * pushed[w];
    }
    for (size_t w = 0; w < ways; w++) {
        const double *way = yield->way + w * (3 * nodes + elements), *turn = way + 3 * nodes;
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < nodes; i++) f->move[k][i] += gone[w] * way[k * nodes + i];
        for (size_t j = 0; j < elements; j++) f->turn[j] += gone[w] * turn[j];
    }
    return range;
}

// The response to one axis of one side, and what it does to all rows within its range.
static bool add_side(cdg_coupling *c, const cdg_pieces *p, cdg_contact_row *rows, size_t row, int side, int axis) {
    uint32_t element = rows[row].element[side], place = p->rod_of[element];
    const cdg_rod *rod = p->rods[place];
    rod_field f = field_of(c);
    size_t j = pieces_local(p, element), next = rod_next_node(rod, j);
    for (int k = 0; k < 3; k++) {
        f.force[k][j] = rows[row].jacobian[6 * side + k][axis];
        f.force[k][next] = rows[row].jacobian[6 * side + 3 + k][axis];
    }
    f.torque[j] = rows[row].jacobian[12 + side][axis];
    cdg_rod_range range = respond(&c->rods[place], rod, (cdg_rod_range){j, j + 2}, &f, cutoff);
    for (size_t e = range.first; e + 1 < range.end; e++) {
        size_t local = wrapped(e, rod->element_count);
        uint32_t flat = p->first_element[place] + (uint32_t)local;
        for (uint32_t i = c->start[flat]; i < c->start[flat + 1]; i++) {
            uint32_t other = c->row_at[i] / 2;
            double change[3];
            felt(&rows[other], (int)(c->row_at[i] % 2), &f, local, rod_next_node(rod, local), local, change);
            cdg_coupling_entry *entry = entry_for(c, row, other);
            if (entry == NULL) return false;
            for (int k = 0; k < 3; k++) entry->by[axis][k] += change[k];
        }
    }
    return true;
}

bool cdg_coupling_of(cdg_coupling *c, const cdg_pieces *p, cdg_contact_row *rows, size_t row) {
    if (!c->has_implicit || c->first[row] != SIZE_MAX) return true;
    c->first[row] = c->entry_count;
    for (int side = 0; side < 2; side++) {
        if (!is_coupled(p, rows[row].element[side])) continue;
        for (int axis = 0; axis < 3; axis++)
            if (!add_side(c, p, rows, row, side, axis)) return false;
    }
    for (size_t i = c->first[row]; i < c->first[row] + c->count[row]; i++) {
        if (c->entries[i].row != row) continue;
        double(*by)[3] = c->entries[i].by, *answer = rows[row].answer;
        answer[0] += by[0][0];
        answer[1] += 0.5 * (by[0][1] + by[1][0]);
        answer[2] += 0.5 * (by[0][2] + by[2][0]);
        answer[3] += by[1][1];
        answer[4] += 0.5 * (by[1][2] + by[2][1]);
        answer[5] += by[2][2];
    }
    return true;
}

void cdg_coupling_apply(cdg_coupling *c, const cdg_pieces *p, cdg_contact_row *rows, const cdg_vec3 *before,
                        const double *torque_before) {
    if (!c->has_implicit) return;
    rod_field f = field_of(c);
    for (size_t place = 0; place < p->rod_count; place++) {
        if (!p->is_implicit[place] || !c->rods[place].has_response) continue;
        const cdg_rod *rod = p->rods[place];
        const uint32_t *point = p->point_of + p->first_node[place];
        size_t low = rod->node_count, high = 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 now = p->force[point[i]], then = before[point[i]];
            f.force[0][i] = now.x - then.x, f.force[1][i] = now.y - then.y, f.force[2][i] = now.z - then.z;
            if (f.force[0][i] == 0 && f.force[1][i] == 0 && f.force[2][i] == 0) continue;
            low = i < low ? i : low, high = i + 1;
        }
        for (size_t j = 0; j < rod->element_count; j++) {
            uint32_t e = p->first_element[place] + (uint32_t)j;
            f.torque[j] = p->torque[e] - torque_before[e];
            if (f.torque[j] == 0) continue;
            low = j < low ? j : low, high = j + 2 > high ? j + 2 : high;
        }
        if (high <= low) continue;
        cdg_rod_range all = {0, rod->is_closed ? rod->node_count + 1 : rod->node_count};
        respond(&c->rods[place], rod, all, &f, 0);
        for (size_t j = 0; j < rod->element_count; j++) {
            uint32_t e = p->first_element[place] + (uint32_t)j;
            for (uint32_t i = c->start[e]; i < c->start[e + 1]; i++) {
                double change[3];
                cdg_contact_row *row = &rows[c->row_at[i] / 2];
                felt(row, (int)(c->row_at[i] % 2), &f, j, rod_next_node(rod, j), j, change);
                for (int k = 0; k < 3; k++) row->offset[k] += change[k];
            }
        }
    }
}
