// Normal forces of many contacts by Newton's method (contact_newton.h).
#include "contact/contact_newton.h"

#include "math/skyline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MAX = 10 };
static const double WORK_MAX = 1e8; // products of numbers in an iteration: other solvers would be faster
static const double rounding = 1e-9;

// ---- the matrix -----------------------------------------------------------------------------------------------------

bool cdg_newton_matrix_start(cdg_newton_matrix *m, size_t count) {
    m->entry_count = 0;
    if (count > m->capacity) {
        size_t capacity = count + count / 2, (*range)[3] = realloc(m->range, capacity * sizeof *range);
        if (range == NULL) return false;
        m->range = range;
        m->capacity = capacity;
    }
    m->count = count;
    for (size_t i = 0; i < count; i++) m->range[i][0] = SIZE_MAX;
    return true;
}

static bool reserve_entries(cdg_newton_matrix *m, size_t count) {
    if (count <= m->entry_capacity) return true;
    size_t capacity = count + count / 2;
    uint32_t *row = realloc(m->row, capacity * sizeof *row);
    if (row != NULL) m->row = row;
    double *value = realloc(m->value, capacity * sizeof *value);
    if (value != NULL) m->value = value;
    if (row == NULL || value == NULL) return false;
    uint32_t *near = realloc(m->near_index, capacity * sizeof *near);
    if (near != NULL) m->near_index = near;
    double *near_value = realloc(m->near_value, capacity * sizeof *near_value);
    if (near_value != NULL) m->near_value = near_value;
    if (near == NULL || near_value == NULL) return false;
    m->entry_capacity = capacity;
    return true;
}

bool cdg_newton_matrix_add(cdg_newton_matrix *m, size_t column, const uint32_t *rows, const double *values,
                           size_t row_count) {
    if (!reserve_entries(m, m->entry_count + row_count)) return false;
    size_t before = m->entry_count, after = before + row_count;
    m->range[column][0] = before, m->range[column][2] = m->entry_count = after;
    for (size_t k = 0; k < row_count; k++) {
        size_t at = rows[k] <= column ? before++ : --after;
        m->row[at] = rows[k];
        m->value[at] = values[rows[k]];
    }
    m->range[column][1] = before;
    return true;
}

void cdg_newton_matrix_free(cdg_newton_matrix *m) {
    free(m->range);
    free(m->row);
    free(m->value);
    free(m->near_index);
    free(m->near_value);
    free(m->factor);
    *m = (cdg_newton_matrix){0};
}

// ---- Newton's method ------------------------------------------------------------------------------------------------

typedef struct newton {
    const cdg_newton_problem *problem;
    size_t count;
    double *from;         // the forces to start from
    double *gap;          // with the forces as they are
    double *force, *best; // of active contacts; others have none
    double *wanted;       // by active contact: what the gap is to change by, and forces to do so
    double *least;        // by active contact: pivots that are rounding
    size_t *near;         // by active contact: where the matrix' entries with those before it end
    size_t *start;        // of groups of active contacts in the factor (skyline.h)
    uint32_t *left;
    uint32_t *active, *index_of; // numbers, in ascending order; where in them a contact is, UINT32_MAX: it is not
    size_t active_count, factor_size;
} newton;

// Active contacts by fours.
static size_t whole(size_t count) { return (count + 3) / 4 * 4; }

size_t cdg_newton_scratch(size_t count) { return 4 * count + 4 * whole(count) + 8; }

static newton carve(const cdg_newton_problem *problem, double *scratch) {
    newton n = {.problem = problem, .count = problem->matrix->count};
    double **lists[] = {&n.from, &n.gap, &n.force, &n.best};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = scratch + i * n.count;
    n.wanted = scratch + 4 * n.count;
    n.least = n.wanted + whole(n.count);
    n.near = (size_t *)(void *)(n.least + whole(n.count));
    n.start = n.near + n.count + 1;
    n.left = (uint32_t *)(n.start + whole(n.count) / 4 + 1);
    return n;
}

static double held_of(const newton *n, size_t i) { return n->problem->held * n->problem->compliance[i]; }

static bool has_column(const cdg_newton_matrix *m, size_t column) { return m->range[column][0] != SIZE_MAX; }

// Gaps with a force changed by so much. False: no memory.
static bool add_force(newton *n, uint32_t i, double change) {
    const cdg_newton_problem *p = n->problem;
    const cdg_newton_matrix *m = p->matrix;
    if (change == 0) return true;
    if (!has_column(m, i) && !p->add_column(p->user, i)) return false;
    n->force[i] += change;
    for (size_t k = m->range[i][0]; k < m->range[i][2]; k++) n->gap[m->row[k]] += m->value[k] * change;
    return true;
}

// Which contacts are active with forces and gaps as they are. False: the same as before.
static bool choose_active(newton *n) {
    size_t count = 0;
    bool is_changed = false;
    for (uint32_t i = 0; i < n->count; i++) {
        double wanted = n->gap[i] + held_of(n, i) * (n->force[i] - n->from[i]);
        if (!(n->force[i] - wanted / n->problem->compliance[i] > 0)) continue;
        is_changed = is_changed || count >= n->active_count || n->active[count] != i;
        n->active[count++] = i;
    }
    is_changed = is_changed || count != n->active_count;
    n->active_count = count;
    return is_changed;
}

// Others have no force. False: no memory.
static bool drop_others(newton *n) {
    size_t a = 0;
    for (uint32_t i = 0; i < n->count; i++)
        if (a < n->active_count && n->active[a] == i)
            a++;
        else if (!add_force(n, i, -n->force[i]))
            return false;
    return true;
}

// ---- the active contacts' matrix ------------------------------------------------------------------------------------

// Entries between active contacts, each with those before it, and where rows of the factor begin: as far to the left as
// the matrix has an entry. False: too much work.
static bool lay_out(newton *n) {
    const cdg_newton_matrix *m = n->problem->matrix;
    for (size_t i = 0; i < n->count; i++) n->index_of[i] = UINT32_MAX;
    for (size_t a = 0; a < n->active_count; a++) n->index_of[n->active[a]] = (uint32_t)a;
    for (size_t g = 0; g < whole(n->active_count) / 4; g++) n->left[g] = (uint32_t)g;
    size_t near = 0;
    for (size_t a = 0; a < n->active_count; a++) {
        size_t i = n->active[a], left = a;
        for (size_t k = m->range[i][0]; k < m->range[i][1]; k++) {
            uint32_t index = n->index_of[m->row[k]];
            left = index < left ? index : left;
            m->near_index[near] = index;
            m->near_value[near] = m->value[k];
            near += index != UINT32_MAX; // without a branch: nobody could guess it
        }
        n->near[a] = near;
        if (left / 4 < n->left[a / 4]) n->left[a / 4] = (uint32_t)(left / 4);
    }
    double work = 0;
    for (size_t g = 0; g < whole(n->active_count) / 4; g++)
        work += 64 * (double)(g - n->left[g]) * (double)(g - n->left[g]);
    n->factor_size = skyline_lay_out(n->left, whole(n->active_count), n->start);
    return work <= WORK_MAX;
}

static bool reserve_factor(cdg_newton_matrix *m, size_t size) {
    if (size <= m->factor_capacity) return true;
    double *factor = realloc(m->factor, (size + size / 2) * sizeof *factor);
    if (factor == NULL) return false;
    m->factor = factor;
    m->factor_capacity = size + size / 2;
    return true;
}

static skyline factor_of(const newton *n) {
    return (skyline){whole(n->active_count), n->left, n->start, n->problem->matrix->factor};
}

// Contacts that cannot be told from others, to rounding, keep their forces.
static void find_factor(const newton *n) {
    const cdg_newton_matrix *m = n->problem->matrix;
    skyline factor = factor_of(n);
    memset(m->factor, 0, n->factor_size * sizeof *m->factor);
    for (size_t a = 0, k = 0; a < n->active_count; a++) {
        for (; k < n->near[a]; k++) *skyline_entry(&factor, a, m->near_index[k]) = m->near_value[k];
        *skyline_entry(&factor, a, a) += held_of(n, n->active[a]);
        n->least[a] = rounding * n->problem->compliance[n->active[a]];
    }
    for (size_t a = n->active_count; a < factor.count; a++) {
        *skyline_entry(&factor, a, a) = 1;
        n->least[a] = 0;
    }
    skyline_factor(&factor, n->least);
}

// Forces of active contacts such that their gaps are closed.
static void close_gaps(newton *n) {
    skyline factor = factor_of(n);
    double *x = n->wanted;
    for (size_t a = 0; a < factor.count; a++) {
        size_t i = a < n->active_count ? n->active[a] : 0;
        x[a] = a < n->active_count ? -n->gap[i] - held_of(n, i) * (n->force[i] - n->from[i]) : 0;
    }
    skyline_solve(&factor, x);
    for (size_t a = 0; a < n->active_count; a++) add_force(n, n->active[a], x[a]); // columns are there
}

// ---- iterations -----------------------------------------------------------------------------------------------------

// By how much the laws do not hold, in tolerances; infinite where a contact pulls.
static double judge(const newton *n) {
    double worst = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (n->force[i] < 0) return INFINITY;
        double gap = n->gap[i] + held_of(n, i) * (n->force[i] - n->from[i]);
        double misfit = fmin(n->force[i] * n->problem->compliance[i], gap);
        worst = fmax(worst, fabs(misfit) / n->problem->tolerance[i]);
    }
    return worst;
}

static bool add_columns(const newton *n) {
    const cdg_newton_problem *p = n->problem;
    for (size_t a = 0; a < n->active_count; a++)
        if (!has_column(p->matrix, n->active[a]) && !p->add_column(p->user, n->active[a])) return false;
    return true;
}

// One iteration: gaps of those that are active are closed, and gaps are those with the new forces.
static cdg_newton_outcome turn(newton *n) {
    if (!add_columns(n) || !drop_others(n)) return CDG_NEWTON_MEMORY;
    if (!lay_out(n)) return CDG_NEWTON_LARGE;
    if (!reserve_factor(n->problem->matrix, n->factor_size)) return CDG_NEWTON_MEMORY;
    find_factor(n);
    close_gaps(n);
    return CDG_NEWTON_OK;
}

cdg_newton_outcome cdg_newton_solve(const cdg_newton_problem *problem, double *scratch, uint32_t *numbers, int *turns) {
    newton n = carve(problem, scratch);
    n.active = numbers, n.index_of = numbers + n.count;
    memcpy(n.from, problem->force, n.count * sizeof *n.from);
    memcpy(n.force, problem->force, n.count * sizeof *n.force);
    memcpy(n.gap, problem->gap, n.count * sizeof *n.gap);
    double least = INFINITY;
    for (*turns = 0; *turns < ITERATIONS_MAX && least > 1; (*turns)++) {
        if (!choose_active(&n) && *turns > 0) break;
        cdg_newton_outcome outcome = turn(&n);
        if (outcome != CDG_NEWTON_OK) return outcome;
        double worst = judge(&n);
        if (worst < least || least == INFINITY) {
            least = worst;
            for (size_t i = 0; i < n.count; i++) n.best[i] = fmax(0, n.force[i]);
        }
    }
    memcpy(problem->force, n.best, n.count * sizeof *n.best);
    return CDG_NEWTON_OK;
}
