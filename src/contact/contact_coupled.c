// Forces of strongly coupled contacts by alternating directions.
#include "contact/contact_coupled.h"

#include "math/dense_inverse.h"

#include <math.h>
#include <string.h>

enum { TURNS_MAX = 1000, TURNS_JUDGED = 10, TURNS_BALANCED = 40, TURNS_PATIENT = 250, TURNS_PATIENT_NEAR = 60 };
// Contacts side by side may share a force in many ways, A is nearly singular. Raising its diagonal by this share takes
// the forces nearest to those at the start.
static const double raise = 1e-6;
// r, as a share of the diagonal: at first, and by how much it changes when one of f - z and the way of z is larger.
static const double share_first = 0.12, share_change = 4, unbalanced = 10;
static const double relaxation = 1.6;
// Laws that hold no better by this share after TURNS_PATIENT turns cannot be met: there is no room, or no way to move.
static const double gain_least = 0.9;
// Tolerances: laws that hold so nearly, and no better after TURNS_PATIENT_NEAR turns, hold well enough.
static const double near_misfit = 2;

typedef struct splitting {
    const cdg_coupled_contact *contacts;
    size_t count, size; // size: 3 count
    double *answer, *inverse;
    double *force, *split, *pull; // f, z, w
    double *offset;               // u_0
    double *weight;               // r
    double *right, *slip, *best;
    double *right_before;    // that `force` was found from
    float *single;           // the inverse, for changes
    float *change, *changes; // of `right` and of `force`
} splitting;

size_t cdg_coupled_scratch(size_t count) {
    size_t size = 3 * count, row = dense_single_row(size);
    return size * size + 9 * size + (size * row + 2 * row) / 2;
}

static splitting carve(double *scratch, const cdg_coupled_contact *contacts, size_t count, double *answer) {
    splitting it = {.contacts = contacts, .count = count, .size = 3 * count, .answer = answer, .inverse = scratch};
    double **lists[] = {&it.force, &it.split, &it.pull, &it.offset,      &it.weight,
                        &it.right, &it.slip,  &it.best, &it.right_before};
    double *next = scratch + it.size * it.size;
    size_t row = dense_single_row(it.size);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++, next += it.size) *lists[i] = next;
    it.single = (float *)(void *)next;
    it.change = it.single + it.size * row;
    it.changes = it.change + row;
    for (size_t i = it.size; i < row; i++) it.change[i] = 0;
    return it;
}

static void raise_diagonal(const splitting *it) {
    for (size_t i = 0; i < it->size; i++) it->answer[i * it->size + i] *= 1 + raise;
}

// P: no pull, and friction within its disk.
static void project(double friction, double f[3]) {
    f[0] = fmax(0, f[0]);
    double most = friction * f[0], size = sqrt(f[1] * f[1] + f[2] * f[2]);
    if (size <= most) return;
    double scale = size > 0 ? most / size : 0;
    f[1] *= scale, f[2] *= scale;
}

static void diagonal_of(const splitting *it, size_t c, double out[3]) {
    const double *a = it->answer + 3 * c * it->size + 3 * c;
    out[0] = a[0];
    out[1] = out[2] = 0.5 * (a[it->size + 1] + a[2 * it->size + 2]);
}

// By how much the laws do not hold for z, in tolerances.
static double residual_of(const splitting *it) {
    dense_multiply(it->answer, it->size, it->split, it->slip);
    double worst = 0;
    for (size_t c = 0; c < it->count; c++) {
        double diagonal[3], f[3];
        diagonal_of(it, c, diagonal);
        const double *z = it->split + 3 * c;
        for (size_t k = 0; k < 3; k++) f[k] = z[k] - (it->slip[3 * c + k] + it->offset[3 * c + k]) / diagonal[k];
        project(it->contacts[c].friction, f);
        for (size_t k = 0; k < 3; k++) worst = fmax(worst, fabs(f[k] - z[k]) * diagonal[k] / it->contacts[c].tolerance);
    }
    return worst;
}

// The inverse for r = share x diagonal; r w, the slip, stays what it is.
static bool weigh(const splitting *it, double share) {
    memcpy(it->inverse, it->answer, it->size * it->size * sizeof *it->inverse);
    for (size_t c = 0; c < it->count; c++) {
        double diagonal[3];
        diagonal_of(it, c, diagonal);
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * c + k;
            double weight = share * diagonal[k];
            it->pull[i] *= it->weight[i] / weight;
            it->weight[i] = weight;
            it->inverse[i * it->size + i] += weight;
        }
    }
    if (!dense_invert(it->inverse, it->size)) return false;
    dense_make_single(it->inverse, it->size, it->single);
    return true;
}

// f from the right side: exactly, or by how much that has changed, where single precision will do for some turns.
static void find_force(const splitting *it, bool is_exact) {
    if (is_exact) {
        dense_multiply(it->inverse, it->size, it->right, it->force);
    } else {
        for (size_t i = 0; i < it->size; i++) it->change[i] = (float)(it->right[i] - it->right_before[i]);
        dense_multiply_single(it->single, it->size, it->change, it->changes);
        for (size_t i = 0; i < it->size; i++) it->force[i] += it->changes[i];
    }
    memcpy(it->right_before, it->right, it->size * sizeof *it->right);
}

// One turn. Returns 1 when a larger r would be better, f being far from z, and -1 when z goes far: a smaller one.
static int turn(const splitting *it, double share, bool is_exact) {
    for (size_t i = 0; i < it->size; i++) it->right[i] = it->weight[i] * (it->split[i] - it->pull[i]) - it->offset[i];
    find_force(it, is_exact);
    double apart = 0, way = 0;
    for (size_t c = 0; c < it->count; c++) {
        double v[3], *z = it->split + 3 * c, *w = it->pull + 3 * c;
        for (size_t k = 0; k < 3; k++) v[k] = w[k] = w[k] + relaxation * it->force[3 * c + k] + (1 - relaxation) * z[k];
        project(it->contacts[c].friction, v);
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * c + k;
            apart = fmax(apart, fabs(it->force[i] - v[k]) * it->weight[i]);
            way = fmax(way, fabs(v[k] - z[k]) * it->weight[i]);
            z[k] = v[k];
            w[k] -= v[k];
        }
    }
    if (apart > unbalanced * share * way) return 1;
    return share * way > unbalanced * apart ? -1 : 0;
}

int cdg_coupled_solve(cdg_coupled_contact *contacts, size_t count, double *answer, double *scratch, bool *is_good) {
    splitting it = carve(scratch, contacts, count, answer);
    raise_diagonal(&it);
    for (size_t i = 0; i < it.size; i++) {
        it.split[i] = contacts[i / 3].force[i % 3];
        it.weight[i] = 1;
        it.pull[i] = -contacts[i / 3].offset[i % 3];
    }
    dense_multiply(answer, it.size, it.split, it.offset);
    for (size_t i = 0; i < it.size; i++) it.offset[i] = contacts[i / 3].offset[i % 3] - it.offset[i];
    double share = share_first, residual = residual_of(&it), least = residual;
    memcpy(it.best, it.split, it.size * sizeof *it.best);
    int turns = 0, gained = 0;
    double before = least;
    bool is_sound = residual > 1 && weigh(&it, share);
    while (is_sound && residual > 1 && turns < TURNS_MAX &&
           turns - gained < (least <= near_misfit ? TURNS_PATIENT_NEAR : TURNS_PATIENT)) {
        int balance = turn(&it, share, turns % TURNS_JUDGED == 0);
        turns++;
        if (turns % TURNS_JUDGED != 0) continue;
        residual = residual_of(&it);
        if (residual < least) {
            least = residual;
            memcpy(it.best, it.split, it.size * sizeof *it.best);
        }
        if (least < gain_least * before) before = least, gained = turns;
        if (turns % TURNS_BALANCED != 0 || balance == 0) continue;
        share *= balance > 0 ? share_change : 1 / share_change;
        is_sound = weigh(&it, share);
    }
    *is_good = least <= near_misfit;
    for (size_t i = 0; i < it.size; i++) contacts[i / 3].force[i % 3] = it.best[i];
    return turns;
}
