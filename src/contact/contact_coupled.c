// Forces of strongly coupled contacts by alternating directions, mixed.
#include "contact/contact_coupled.h"

#include "base/processor.h"
#include "contact/contact_coupled_turn.h"
#include "math/anderson.h"
#include "math/dense_factor.h"
#include "math/dense_inverse.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    ITERATIONS_MAX = 1000,
    ITERATIONS_EXACT = 20, // between exact looks, where they do not seem near
    ITERATIONS_BALANCED = 40,
    ITERATIONS_PATIENT = 250,
    ITERATIONS_PATIENT_NEAR = 60
};
// Contacts side by side may share a force in many ways, A is nearly singular. Raising its diagonal by this share for
// changes takes the forces nearest to those at the start. What is judged has A as it is: where there is no room, forces
// that are large enough would seem to make some.
static const double raise = 1e-6;
// r, as a share of the diagonal: at first, and by how much it changes when one of f - z and the way of z is larger.
static const double share_first = 0.12, share_change = 4, unbalanced = 10;
// The best r of a law would be the slope u/f that it has there (contact_coupled.h). Shares of the share where a gap or
// a slip is kept closed, where that slope is none; and where a contact slides, by how much more it may be.
static const double closed_share = 0.35, sliding_most = 8;
// Tolerances: f and z that are farther from each other than this are not yet worth a look; and by how much the laws may
// not hold for f where z is worth an exact one.
static const double hopeful = 8, promising = 1;
// Laws that hold no better by this share after ITERATIONS_PATIENT iterations cannot be met: there is no room, or no way
// to move.
static const double gain_least = 0.9;
// Tolerances: laws that hold so nearly, and no better after ITERATIONS_PATIENT_NEAR iterations, hold well enough.
static const double near_misfit = 2;

typedef struct splitting {
    const cdg_coupled_kernels *kernels;
    const cdg_coupled_contact *contacts;
    size_t count, size; // size: 3 count
    const double *answer;
    cdg_coupled_turn turn;
    double *start, *start_slip; // z and u at first
    double *best;
    float *factor; // of A + r, A's diagonal being raised
    anderson mixing;
} splitting;

enum { LISTS = 14, LINE = 64 }; // LINE: bytes that the processor reads at once, to which all lists are aligned

static const cdg_coupled_kernels *choose(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_coupled_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_coupled_kernels_avx2;
#endif
    default: return &cdg_coupled_kernels_base;
    }
}

// Numbers of a list.
static size_t room_of(size_t count) {
    return 3 * ((count + CDG_COUPLED_GROUP - 1) / CDG_COUPLED_GROUP * CDG_COUPLED_GROUP);
}

size_t cdg_coupled_scratch(size_t count) {
    size_t room = room_of(count), floats = dense_factor_numbers(3 * count) + room + DENSE_FACTOR_BLOCK;
    return (LISTS + 1) * room + anderson_scratch(room) + floats / 2 + LINE / sizeof(double);
}

static splitting carve(double *scratch, const cdg_coupled_contact *contacts, size_t count, const double *answer) {
    splitting it = {.kernels = choose(), .contacts = contacts, .count = count, .size = 3 * count, .answer = answer};
    cdg_coupled_turn *t = &it.turn;
    size_t room = t->size = room_of(count);
    double **lists[LISTS] = {&t->force,
                             &t->split,
                             &t->point,
                             &t->next,
                             &t->weight,
                             &t->right,
                             &t->slip,
                             &t->force_slip,
                             &t->diagonal,
                             &t->inverse_diagonal,
                             &t->inverse_tolerance,
                             &it.start,
                             &it.start_slip,
                             &it.best};
    scratch += (LINE - (uintptr_t)scratch % LINE) % LINE / sizeof *scratch;
    for (size_t i = 0; i < LISTS; i++, scratch += room) *lists[i] = scratch;
    t->friction = scratch;
    memset(t->force, 0, (LISTS + 1) * room * sizeof *scratch); // of contacts that make up groups, too
    scratch += room;
    it.mixing = anderson_begin(room, t->weight, scratch);
    it.factor = (float *)(void *)(scratch + anderson_scratch(room));
    t->change = it.factor + dense_factor_numbers(it.size);
    memset(t->change, 0, (room + DENSE_FACTOR_BLOCK) * sizeof *t->change);
    return it;
}

// P: no pull, and friction within its disk.
static inline void project(double friction, double f[3]) {
    f[0] = f[0] > 0 ? f[0] : 0; // fmax would be a call
    double most = friction * f[0], size2 = f[1] * f[1] + f[2] * f[2];
    if (size2 <= most * most) return;
    double scale = size2 > 0 ? most / sqrt(size2) : 0;
    f[1] *= scale, f[2] *= scale;
}

// By how much the laws do not hold for z, in tolerances; its slip is known then.
static double residual_of(const splitting *it) {
    const cdg_coupled_turn *t = &it->turn;
    double *change = t->force_slip; // that of a turn is not needed any more
    for (size_t i = 0; i < it->size; i++) change[i] = t->split[i] - it->start[i];
    dense_multiply(it->answer, it->size, change, t->slip);
    for (size_t i = 0; i < it->size; i++) t->slip[i] += it->start_slip[i];
    return it->kernels->misfit(t, t->split, t->slip);
}

static double length(double x, double y) { return sqrt(x * x + y * y); } // hypot takes ten times as long

// r of a contact, as a share of its diagonal, by what z and its slip say of it: along the normal and across.
static void shares_of(const splitting *it, size_t c, double share, double out[2]) {
    const cdg_coupled_turn *t = &it->turn;
    const double *z = t->split + 3 * c, *u = t->slip + 3 * c, *diagonal = t->diagonal + 3 * c;
    double most = it->contacts[c].friction * (z[0] - u[0] / diagonal[0]);
    out[0] = out[1] = share;
    if (!(z[0] * diagonal[0] > u[0])) return; // apart
    out[0] = closed_share * share;
    if (length(z[1] - u[1] / diagonal[1], z[2] - u[2] / diagonal[1]) <= most)
        out[1] = closed_share * share;
    else
        out[1] = fmin(fmax(length(u[1], u[2]) / (diagonal[1] * length(z[1], z[2])), share), sliding_most * share);
}

// Factors for r. z stays what it is, whose slip is known, and so does r w.
static bool weigh(splitting *it, double share) {
    const cdg_coupled_turn *t = &it->turn;
    for (size_t c = 0; c < it->count; c++) {
        double shares[2];
        shares_of(it, c, share, shares);
        for (size_t i = 3 * c; i < 3 * c + 3; i++) {
            double weight = shares[i > 3 * c] * t->diagonal[i];
            t->point[i] = t->split[i] + (t->point[i] - t->split[i]) * t->weight[i] / weight;
            t->weight[i] = weight;
            t->right[i] = weight + raise * it->answer[i * (it->size + 1)]; // it is not needed now
        }
    }
    anderson_forget(&it->mixing);
    return dense_factor_make(it->answer, it->size, t->right, it->factor);
}

// f = z - (A + r)^-1 (u + r w), where the slip of z is known: what is left of single precision goes with what is solved
// for. Elsewhere by how much the right side r (z - w) has changed. Returns how far f and z are from each other.
static double find_force(const splitting *it, bool is_known) {
    it->kernels->aim(&it->turn, is_known);
    dense_factor_solve(it->factor, it->size, it->turn.change);
    return it->kernels->advance(&it->turn, is_known);
}

// 1 when a larger r would be better, f being far from what z becomes, and -1 when z goes far: a smaller one.
static int balance_of(const splitting *it, double share) {
    const cdg_coupled_turn *t = &it->turn;
    double apart = 0, way = 0;
    for (size_t c = 0; c < it->count; c++) {
        double z[3];
        memcpy(z, t->next + 3 * c, sizeof z);
        project(it->contacts[c].friction, z);
        for (size_t k = 0; k < 3; k++) {
            size_t i = 3 * c + k;
            apart = fmax(apart, fabs(t->force[i] - z[k]) * t->weight[i]);
            way = fmax(way, fabs(z[k] - t->split[i]) * t->weight[i]);
        }
    }
    if (apart > unbalanced * share * way) return 1;
    return share * way > unbalanced * apart ? -1 : 0;
}

// On from the next point by what the last iterations tell.
static void mix(splitting *it) {
    cdg_coupled_turn *t = &it->turn;
    anderson_mix(&it->mixing, t->point, t->next);
    double *next = t->next;
    t->next = t->point;
    t->point = next;
    it->kernels->project(t);
}

static void begin(splitting *it) {
    const cdg_coupled_turn *t = &it->turn;
    for (size_t i = 0; i < t->size; i++) t->weight[i] = t->diagonal[i] = t->inverse_diagonal[i] = 1;
    for (size_t c = 0; c < it->count; c++) {
        const cdg_coupled_contact *contact = &it->contacts[c];
        double own[3];
        for (size_t k = 0; k < 3; k++) own[k] = it->answer[(3 * c + k) * (it->size + 1)];
        t->friction[c] = contact->friction;
        for (size_t k = 0, i = 3 * c; k < 3; k++, i++) {
            t->diagonal[i] = k == 0 ? own[0] : 0.5 * (own[1] + own[2]);
            t->inverse_diagonal[i] = 1 / t->diagonal[i];
            t->inverse_tolerance[i] = 1 / contact->tolerance;
            t->split[i] = it->start[i] = contact->force[k];
            t->slip[i] = it->start_slip[i] = contact->offset[k];
            t->point[i] = t->split[i] - t->slip[i];
        }
    }
}

int cdg_coupled_solve(cdg_coupled_contact *contacts, size_t count, const double *answer, double *scratch,
                      bool *is_good) {
    splitting it = carve(scratch, contacts, count, answer);
    const cdg_coupled_turn *t = &it.turn;
    begin(&it);
    double share = share_first, residual = it.kernels->misfit(t, t->split, t->slip), least = residual, before = least;
    memcpy(it.best, t->split, it.size * sizeof *it.best);
    int turns = 0, gained = 0;
    bool is_sound = residual > 1 && weigh(&it, share), is_known = true;
    while (is_sound && residual > 1 && turns < ITERATIONS_MAX &&
           turns - gained < (least <= near_misfit ? ITERATIONS_PATIENT_NEAR : ITERATIONS_PATIENT)) {
        double apart = find_force(&it, is_known);
        turns++;
        int balance = turns % ITERATIONS_BALANCED == 0 ? balance_of(&it, share) : 0;
        mix(&it);
        if (turns == 1) anderson_forget(&it.mixing); // forces of the start need not be of z + w there
        is_known = turns % ITERATIONS_EXACT == 0 ||
                   (apart < hopeful && it.kernels->misfit(t, t->force, t->force_slip) <= promising);
        if (!is_known) continue;
        residual = residual_of(&it);
        if (residual < least) {
            least = residual;
            memcpy(it.best, t->split, it.size * sizeof *it.best);
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
