// Forces of strongly coupled contacts by alternating directions, mixed.
#include "contact/contact_coupled.h"

#include "math/anderson.h"
#include "math/dense_factor.h"
#include "math/dense_inverse.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS_MAX = 1000,
    ITERATIONS_JUDGED = 5, // where they seem near,
    ITERATIONS_EXACT = 20, // and everywhere
    ITERATIONS_BALANCED = 40,
    ITERATIONS_PATIENT = 250,
    ITERATIONS_PATIENT_NEAR = 60
};
// Contacts side by side may share a force in many ways, A is nearly singular. Raising its diagonal by this share takes
// the forces nearest to those at the start.
static const double raise = 1e-6;
// r, as a share of the diagonal: at first, and by how much it changes when one of f - z and the way of z is larger.
static const double share_first = 0.12, share_change = 4, unbalanced = 10;
// The best r of a law would be the slope u/f that it has there (contact_coupled.h). Shares of the share where a gap or
// a slip is kept closed, where that slope is none; and where a contact slides, by how much more it may be.
static const double closed_share = 0.35, sliding_most = 8;
static const double relaxation = 1.3;
// Tolerances: f and z that are farther from each other than this are not yet worth an exact look.
static const double hopeful = 8;
// Laws that hold no better by this share after ITERATIONS_PATIENT iterations cannot be met: there is no room, or no way
// to move.
static const double gain_least = 0.9;
// Tolerances: laws that hold so nearly, and no better after ITERATIONS_PATIENT_NEAR iterations, hold well enough.
static const double near_misfit = 2;

typedef struct splitting {
    const cdg_coupled_contact *contacts;
    size_t count, size; // size: 3 count
    double *answer;
    double *diagonal;            // of A, the same for both tangents
    double *force, *split;       // f, z
    double *point, *next;        // z + w, before and after an iteration
    double *center;              // where the raised diagonal counts from
    double *offset;              // u_0
    double *weight;              // r
    double *inverse_tolerance;   // of each contact
    double *right, *slip, *best; // slip: u of z, where it was looked at
    float *factor;               // of A + r
    float *change;               // of the right side, then of f
    anderson mixing;
} splitting;

enum { LISTS = 12 };

size_t cdg_coupled_scratch(size_t count) {
    size_t size = 3 * count, row = dense_factor_row(size);
    return LISTS * size + anderson_scratch(size) + (row * row + row + 1) / 2;
}

static splitting carve(double *scratch, const cdg_coupled_contact *contacts, size_t count, double *answer) {
    splitting it = {.contacts = contacts, .count = count, .size = 3 * count, .answer = answer};
    double **lists[LISTS] = {&it.diagonal, &it.force, &it.split, &it.point, &it.next,   &it.offset,
                             &it.weight,   &it.right, &it.slip,  &it.best,  &it.center, &it.inverse_tolerance};
    for (size_t i = 0; i < LISTS; i++, scratch += it.size) *lists[i] = scratch;
    it.mixing = anderson_begin(it.size, it.weight, scratch);
    it.factor = (float *)(void *)(scratch + anderson_scratch(it.size));
    it.change = it.factor + dense_factor_row(it.size) * dense_factor_row(it.size);
    return it;
}

static void raise_diagonal(const splitting *it) {
    for (size_t c = 0; c < it->count; c++) {
        double own[3];
        for (size_t k = 0; k < 3; k++) own[k] = it->answer[(3 * c + k) * (it->size + 1)] *= 1 + raise;
        it->diagonal[3 * c] = own[0];
        it->diagonal[3 * c + 1] = it->diagonal[3 * c + 2] = 0.5 * (own[1] + own[2]);
    }
}

// P: no pull, and friction within its disk.
static inline void project(double friction, double f[3]) {
    f[0] = f[0] > 0 ? f[0] : 0; // fmax would be a call
    double most = friction * f[0], size2 = f[1] * f[1] + f[2] * f[2];
    if (size2 <= most * most) return;
    double scale = size2 > 0 ? most / sqrt(size2) : 0;
    f[1] *= scale, f[2] *= scale;
}

static void project_all(const splitting *it, const double *from, double *to) {
    memcpy(to, from, it->size * sizeof *to);
    for (size_t c = 0; c < it->count; c++) project(it->contacts[c].friction, to + 3 * c);
}

// By how much the laws do not hold for z, in tolerances; its slip is known then. What the diagonal was raised by counts
// only from where they were looked at last: where there is no room, forces that are large enough would seem to make
// some.
static double residual_of(const splitting *it) {
    dense_multiply(it->answer, it->size, it->split, it->slip);
    double worst = 0;
    for (size_t c = 0; c < it->count; c++) {
        const double *diagonal = it->diagonal + 3 * c, *z = it->split + 3 * c;
        double f[3], most = 0;
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * c + k;
            it->offset[i] -= raise / (1 + raise) * it->answer[i * (it->size + 1)] * (z[k] - it->center[i]);
            it->center[i] = z[k];
            it->slip[i] += it->offset[i];
            f[k] = z[k] - it->slip[i] / diagonal[k];
        }
        project(it->contacts[c].friction, f);
        for (size_t k = 0; k < 3; k++) {
            double off = fabs(f[k] - z[k]) * diagonal[k];
            most = off > most ? off : most; // fmax would be a call
        }
        worst = fmax(worst, most * it->inverse_tolerance[c]);
    }
    return worst;
}

// r of a contact, as a share of its diagonal, by what z and its slip say of it: along the normal and across.
static void shares_of(const splitting *it, size_t c, double share, double out[2]) {
    const double *z = it->split + 3 * c, *u = it->slip + 3 * c, *diagonal = it->diagonal + 3 * c;
    double most = it->contacts[c].friction * (z[0] - u[0] / diagonal[0]);
    out[0] = out[1] = share;
    if (!(z[0] * diagonal[0] > u[0])) return; // apart
    out[0] = closed_share * share;
    if (hypot(z[1] - u[1] / diagonal[1], z[2] - u[2] / diagonal[1]) <= most)
        out[1] = closed_share * share;
    else
        out[1] = fmin(fmax(hypot(u[1], u[2]) / (diagonal[1] * hypot(z[1], z[2])), share), sliding_most * share);
}

// Factors for r. z stays what it is, whose slip is known, and so does r w.
static bool weigh(splitting *it, double share) {
    for (size_t c = 0; c < it->count; c++) {
        double shares[2];
        shares_of(it, c, share, shares);
        for (size_t i = 3 * c; i < 3 * c + 3; i++) {
            double weight = shares[i > 3 * c] * it->diagonal[i];
            it->point[i] = it->split[i] + (it->point[i] - it->split[i]) * it->weight[i] / weight;
            it->weight[i] = weight;
        }
    }
    anderson_forget(&it->mixing);
    return dense_factor_make(it->answer, it->size, it->weight, it->factor);
}

// f = z - (A + r)^-1 (u + r w), where the slip of z is known: what is left of single precision goes with what is solved
// for.
static void find_force(const splitting *it) {
    for (size_t i = 0; i < it->size; i++) {
        it->right[i] = it->weight[i] * (2 * it->split[i] - it->point[i]);
        it->change[i] = (float)(it->slip[i] + it->weight[i] * (it->point[i] - it->split[i]));
    }
    dense_factor_solve(it->factor, it->size, it->change);
    for (size_t i = 0; i < it->size; i++) it->force[i] = it->split[i] - it->change[i];
}

// The same by how much the right side r (z - w) has changed.
static void follow_force(const splitting *it) {
    for (size_t i = 0; i < it->size; i++) {
        double right = it->weight[i] * (2 * it->split[i] - it->point[i]);
        it->change[i] = (float)(right - it->right[i]);
        it->right[i] = right;
    }
    dense_factor_solve(it->factor, it->size, it->change);
    for (size_t i = 0; i < it->size; i++) it->force[i] += it->change[i];
}

// 1 when a larger r would be better, f being far from what z becomes, and -1 when z goes far: a smaller one.
static int balance_of(const splitting *it, double share) {
    double apart = 0, way = 0;
    for (size_t c = 0; c < it->count; c++) {
        double z[3];
        memcpy(z, it->next + 3 * c, sizeof z);
        project(it->contacts[c].friction, z);
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * c + k;
            apart = fmax(apart, fabs(it->force[i] - z[k]) * it->weight[i]);
            way = fmax(way, fabs(z[k] - it->split[i]) * it->weight[i]);
        }
    }
    if (apart > unbalanced * share * way) return 1;
    return share * way > unbalanced * apart ? -1 : 0;
}

// From f to the next point z + w, and on from there by what the last iterations tell. Returns how far f and z are from
// each other, in tolerances.
static double advance(splitting *it) {
    double apart = 0;
    for (size_t c = 0; c < it->count; c++) {
        double most = 0;
        for (size_t i = 3 * c; i < 3 * c + 3; i++) {
            double way = it->force[i] - it->split[i], far = fabs(way) * it->weight[i];
            it->next[i] = it->point[i] + relaxation * way;
            most = far > most ? far : most;
        }
        most *= it->inverse_tolerance[c];
        apart = most > apart ? most : apart;
    }
    return apart;
}

static void mix(splitting *it) {
    anderson_mix(&it->mixing, it->point, it->next);
    double *next = it->next;
    it->next = it->point;
    it->point = next;
    project_all(it, it->point, it->split);
}

static void begin(splitting *it) {
    for (size_t c = 0; c < it->count; c++) it->inverse_tolerance[c] = 1 / it->contacts[c].tolerance;
    for (size_t i = 0; i < it->size; i++) {
        it->split[i] = it->center[i] = it->contacts[i / 3].force[i % 3];
        it->weight[i] = 1;
        it->point[i] = it->split[i] - it->contacts[i / 3].offset[i % 3];
    }
    dense_multiply(it->answer, it->size, it->split, it->offset);
    for (size_t i = 0; i < it->size; i++) it->offset[i] = it->contacts[i / 3].offset[i % 3] - it->offset[i];
}

int cdg_coupled_solve(cdg_coupled_contact *contacts, size_t count, double *answer, double *scratch, bool *is_good) {
    splitting it = carve(scratch, contacts, count, answer);
    raise_diagonal(&it);
    begin(&it);
    double share = share_first, residual = residual_of(&it), least = residual, before = least;
    memcpy(it.best, it.split, it.size * sizeof *it.best);
    int turns = 0, gained = 0;
    bool is_sound = residual > 1 && weigh(&it, share), is_judged = true;
    while (is_sound && residual > 1 && turns < ITERATIONS_MAX &&
           turns - gained < (least <= near_misfit ? ITERATIONS_PATIENT_NEAR : ITERATIONS_PATIENT)) {
        if (is_judged)
            find_force(&it);
        else
            follow_force(&it);
        double apart = advance(&it);
        turns++;
        int balance = turns % ITERATIONS_BALANCED == 0 ? balance_of(&it, share) : 0;
        mix(&it);
        if (turns == 1) anderson_forget(&it.mixing); // forces of the start need not be of z + w there
        is_judged = turns % ITERATIONS_JUDGED == 0 && (apart < hopeful || turns % ITERATIONS_EXACT == 0);
        if (!is_judged) continue;
        residual = residual_of(&it);
        if (residual < least) {
            least = residual;
            memcpy(it.best, it.split, it.size * sizeof *it.best);
        }
        if (least < gain_least * before) before = least, gained = turns;
        if (balance == 0) continue;
        share *= balance > 0 ? share_change : 1 / share_change;
        is_sound = weigh(&it, share);
    }
    *is_good = least <= near_misfit;
    for (size_t i = 0; i < it.size; i++) contacts[i / 3].force[i % 3] = it.best[i];
    return turns;
}
