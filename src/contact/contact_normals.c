// Normal forces of many contacts without friction, through chains that are solved as a whole: Newton's method
// (contact_newton.h) starts anew from true gaps until they are off by few tolerances.
#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 5 };
static const double held = 3e-3;
static const double fine_misfit = 4, enough_misfit = 10; // tolerances: what is aimed at, and what will do

bool cdg_contacts_have_sparse_normals(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].point_count != 4 || contact_row_gives(&c->rows[i])) return false;
    return cdg_coupling_is_local(&c->coupling, &c->pieces);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Memory for contact_newton.h, for a column, and for the sides of all segments.
static bool reserve(cdg_contacts *c, size_t count) {
    if (count <= c->newton_capacity) return true;
    size_t capacity = count + count / 2;
    cdg_normal_row *normals = realloc(c->normals, capacity * sizeof *normals);
    if (normals != NULL) c->normals = normals;
    double *memory = realloc(c->newton_memory, (5 * capacity + cdg_newton_scratch(capacity)) * sizeof *memory);
    if (memory != NULL) c->newton_memory = memory;
    size_t numbers = 6 * capacity + c->pieces.element_capacity + 2;
    uint32_t *index = realloc(c->newton_index, numbers * sizeof *index);
    if (index != NULL) c->newton_index = index;
    if (normals == NULL || memory == NULL || index == NULL) return false;
    c->newton_capacity = capacity;
    return true;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static cdg_normal_row normal_of(const cdg_contact_row *row, uint32_t number) {
    cdg_normal_row n = {.row = number,
                        .offset = row->offset[0],
                        .compliance = row->answer[0],
                        .tolerance = row->tolerance,
                        .force = row->force[0]};
    memcpy(n.point, row->point, sizeof n.point);
    memcpy(n.element, row->element, sizeof n.element);
    for (int m = 0; m < 14; m++) n.column[m] = row->jacobian[m][0];
    return n;
}

static double gap_of(const cdg_normal_row *n, const cdg_pieces *p) {
    double sum = n->offset;
    for (int i = 0; i < 4; i++) {
        const double *a = &n->column[3 * i];
        cdg_vec3 d = p->move[n->point[i]];
        sum += a[0] * d.x + a[1] * d.y + a[2] * d.z;
    }
    return sum + n->column[12] * p->more_turn[n->element[0]] + n->column[13] * p->more_turn[n->element[1]];
}

// What the forces add to the candidate, which has those before.
static void move_all(cdg_contacts *c) {
    cdg_pieces *p = &c->pieces;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_normal_row *n = &c->normals[i];
        if (n->force == 0) continue;
        for (int k = 0; k < 4; k++) {
            cdg_vec3 *force = &p->force[n->point[k]];
            *force = vec3_mad(*force, n->force, vec3(n->column[3 * k], n->column[3 * k + 1], n->column[3 * k + 2]));
        }
        for (int k = 0; k < 2; k++) p->torque[n->element[k]] += n->column[12 + k] * n->force;
    }
    cdg_coupling_respond(&c->coupling, p, p->force_before, p->torque_before);
}

// By how much forces and gaps do not fit, in tolerances. Gaps are put into `gap`.
static double misfit_of(const cdg_contacts *c, double *gap) {
    double worst = 0;
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_normal_row *n = &c->normals[i];
        gap[i] = gap_of(n, &c->pieces);
        worst = fmax(worst, fabs(fmin(n->force * n->compliance, gap[i])) / n->tolerance);
    }
    return worst;
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

// Lists the normals' sides by the segments that they act on; `first` has room for one more than all segments.
static void index_sides(const cdg_contacts *c, uint32_t *first, uint32_t *sides) {
    size_t elements = c->pieces.element_count;
    memset(first, 0, (elements + 2) * sizeof *first);
    for (size_t n = 0; n < c->active_count; n++)
        for (int k = 0; k < 2; k++) first[c->normals[n].element[k] + 1]++; // shapes' sides come last and are not read
    for (size_t e = 0; e <= elements; e++) first[e + 1] += first[e];
    for (size_t n = c->active_count; n-- > 0;)
        for (int k = 2; k-- > 0;) sides[--first[c->normals[n].element[k] + 1]] = (uint32_t)(2 * n + (size_t)k);
    for (size_t e = 0; e <= elements; e++) first[e] = first[e + 1]; // where e begins
}

// Of the listed normal `from`.
static bool add_column(void *user, uint32_t from) {
    cdg_contacts *c = user;
    size_t count = c->active_count;
    uint32_t *stamp = c->newton_index + 2 * count, *numbers = stamp + count, *sides = numbers + count;
    cdg_normal_index index = {.rows = c->rows, .normals = c->normals, .first = sides + 2 * count, .sides = sides};
    double *sums = c->newton_memory;
    size_t felt = cdg_coupling_normal_column(&c->coupling, &c->pieces, &index, from, stamp, numbers, sums);
    return cdg_newton_matrix_add(&c->matrix, from, numbers, sums, felt);
}

// All that is near, and a matrix without columns. False: no memory.
static bool list_normals(cdg_contacts *c) {
    if (!reserve(c, c->count)) return false;
    c->active_count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (contact_row_is_answered(&c->rows[i]) && !contact_row_is_far(&c->rows[i]))
            c->normals[c->active_count++] = normal_of(&c->rows[i], i);
    size_t count = c->active_count;
    if (!cdg_newton_matrix_start(&c->matrix, count)) return false;
    uint32_t *stamp = c->newton_index + 2 * count, *sides = stamp + 2 * count, *first = sides + 2 * count;
    memset(stamp, 0, count * sizeof *stamp);
    index_sides(c, first, sides);
    return true;
}

// ---- solving --------------------------------------------------------------------------------------------------------

// Once. Returns the iterations; 0: they are coupled too widely; negative: no memory.
static int solve_listed(cdg_contacts *c, double *gap) {
    size_t count = c->active_count;
    double *compliance = gap + count, *tolerance = compliance + count, *force = tolerance + count;
    for (size_t i = 0; i < count; i++) {
        compliance[i] = c->normals[i].compliance;
        tolerance[i] = c->normals[i].tolerance;
        force[i] = c->normals[i].force;
    }
    cdg_newton_problem problem = {.matrix = &c->matrix,
                                  .add_column = add_column,
                                  .user = c,
                                  .gap = gap,
                                  .compliance = compliance,
                                  .tolerance = tolerance,
                                  .held = held,
                                  .force = force};
    int turns = 0;
    cdg_newton_outcome outcome = cdg_newton_solve(&problem, force + count, c->newton_index, &turns);
    if (outcome != CDG_NEWTON_OK) return outcome == CDG_NEWTON_MEMORY ? -1 : 0;
    for (size_t i = 0; i < count; i++) c->normals[i].force = fmax(0, force[i]);
    move_all(c);
    return turns + 1;
}

int cdg_contacts_solve_normals(cdg_contacts *c, bool *is_good) {
    if (!list_normals(c)) return -1;
    int turns = 0;
    double *gap = c->newton_memory + c->active_count, misfit = misfit_of(c, gap);
    for (int times = 0; times < TIMES && misfit > fine_misfit; times++) {
        int more = solve_listed(c, gap);
        if (more < 0) return -1;
        if (more == 0) break;
        turns += more;
        misfit = misfit_of(c, gap);
    }
    *is_good = misfit <= (turns == 0 ? fine_misfit : enough_misfit);
    for (size_t i = 0; i < c->active_count && turns > 0; i++) {
        cdg_contact_row *row = &c->rows[c->normals[i].row];
        row->force[0] = c->normals[i].force;
        row->force[1] = row->force[2] = 0;
    }
    return turns;
}
