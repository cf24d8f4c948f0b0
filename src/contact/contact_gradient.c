// Forces of many contacts by accelerated projected gradients (contact_gradient.h).
#include "contact/contact_gradient.h"

#include <math.h>
#include <string.h>

// L is a little more than the largest curvature met so far.
enum { ITERATIONS_JUDGED = 4, ITERATIONS_PATIENT = 80 };
// An error that does not fall to this share in ITERATIONS_PATIENT iterations is left to the next round.
static const double gain_least = 0.8;
static const double rounding = 1e-7; // of the tolerance
static const double far_off = 8;     // tolerances: after some iterations, a sign that many more would follow
static const double bound_first = 1.5, bound_growth = 1.2;
// Forces that are not good enough are the last ones, unless the best were better by more than this factor: from the
// best the next call would take the same way again, while the last have progressed, even where single contacts hide it.
static const double last_worse = 2;

typedef struct gradient {
    const cdg_gradient_problem *problem;
    size_t size;          // 3 count
    double *force, *slip; // f, and u there
    double *before, *slip_before;
    double *lead, *slip_lead; // where a step starts from
    double *next, *slip_next, *change;
    double *best;
    double *inverse; // two a contact: of its compliances
    double bound;    // L
} gradient;

size_t cdg_gradient_scratch(size_t count) { return (3 * 10 + 2) * count; }

static gradient carve(const cdg_gradient_problem *problem, double *scratch) {
    gradient g = {.problem = problem, .size = 3 * problem->count, .bound = bound_first};
    double **lists[] = {&g.force,     &g.slip, &g.before,    &g.slip_before, &g.lead,
                        &g.slip_lead, &g.next, &g.slip_next, &g.change,      &g.best};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = scratch + i * g.size;
    g.inverse = scratch + sizeof lists / sizeof *lists * g.size;
    for (size_t c = 0; c < problem->count; c++)
        for (size_t k = 0; k < 2; k++) g.inverse[2 * c + k] = 1 / problem->compliance[c][k];
    return g;
}

// P: no pull, and friction within its disk.
static void project(double friction, double f[3]) {
    f[0] = f[0] > 0 ? f[0] : 0; // fmax would be a call
    double most = friction * f[0], size2 = f[1] * f[1] + f[2] * f[2];
    if (size2 <= most * most) return;
    double scale = size2 > 0 ? most / sqrt(size2) : 0;
    f[1] *= scale, f[2] *= scale;
}

// P(f - share u / d) of one contact.
static inline void advance(const gradient *g, size_t c, double share, const double *f, const double *u, double out[3]) {
    double normal = share * g->inverse[2 * c], across = share * g->inverse[2 * c + 1];
    out[0] = f[3 * c] - normal * u[3 * c];
    out[1] = f[3 * c + 1] - across * u[3 * c + 1];
    out[2] = f[3 * c + 2] - across * u[3 * c + 2];
    project(g->problem->contacts[c].friction, out);
}

// By how much the laws do not hold, in tolerances.
static double residual_of(const gradient *g, const double *f, const double *u) {
    const cdg_gradient_problem *p = g->problem;
    double worst = 0, largest = 0;
    for (size_t c = 0; c < p->count; c++) largest = fmax(largest, f[3 * c]);
    for (size_t c = 0; c < p->count; c++) {
        if (f[3 * c] == 0 && u[3 * c] >= 0) continue;
        double to[3];
        advance(g, c, 1, f, u, to);
        double normal = fabs(to[0] - f[3 * c]) * p->compliance[c][0];
        double across = fmax(fabs(to[1] - f[3 * c + 1]), fabs(to[2] - f[3 * c + 2])) * p->compliance[c][1];
        double tolerance = fmin(p->contacts[c].tolerance, p->force_share * largest * p->compliance[c][0]);
        worst = fmax(worst, fmax(normal, across) / fmax(tolerance, rounding * p->contacts[c].tolerance));
    }
    return worst;
}

// A step from the lead to `next`, with products that are weighed by d.
typedef struct step_judgement {
    double steepness; // its product with what it does, by that with itself
    double back;      // of the way back to the lead and that from the forces to `next`; positive: it led astray
} step_judgement;

// Gaps and slips at `next` are known then. Sums go by axis, so that none has to wait for the one before.
static step_judgement judge_step(const gradient *g) {
    double work[3] = {0}, way[3] = {0}, back[3] = {0};
    for (size_t c = 0; c < g->problem->count; c++) {
        const double *d = g->problem->compliance[c], weight[3] = {d[0], d[1], d[1]};
        for (size_t a = 0; a < 3; a++) {
            size_t k = 3 * c + a;
            double change = g->next[k] - g->lead[k];
            g->slip_next[k] += g->slip[k];
            work[a] += change * (g->slip_next[k] - g->slip_lead[k]);
            way[a] += weight[a] * change * change;
            back[a] -= weight[a] * change * g->change[k];
        }
    }
    double length = way[0] + way[1] + way[2];
    return (step_judgement){length > 0 ? (work[0] + work[1] + work[2]) / length : 0, back[0] + back[1] + back[2]};
}

// From the lead to `next`; L grows until the step does not go too far. Returns whether the lead led astray.
static bool step(gradient *g) {
    const cdg_gradient_problem *p = g->problem;
    step_judgement judgement = {0};
    for (int tries = 0; tries < 8; tries++) {
        double share = 1 / g->bound;
        for (size_t c = 0; c < p->count; c++) {
            double to[3];
            advance(g, c, share, g->lead, g->slip_lead, to);
            for (size_t k = 0; k < 3; k++) {
                g->next[3 * c + k] = to[k];
                g->change[3 * c + k] = to[k] - g->force[3 * c + k];
            }
        }
        p->respond(p->user, g->change, g->slip_next);
        judgement = judge_step(g);
        if (!(judgement.steepness > g->bound)) break;
        g->bound = bound_growth * judgement.steepness;
    }
    return judgement.back > 0;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

int cdg_gradient_solve(const cdg_gradient_problem *problem, double *scratch, bool *is_good) {
    gradient g = carve(problem, scratch);
    for (size_t k = 0; k < g.size; k++) {
        g.force[k] = g.before[k] = problem->contacts[k / 3].force[k % 3];
        g.slip[k] = g.slip_before[k] = problem->contacts[k / 3].offset[k % 3];
    }
    double residual = residual_of(&g, g.force, g.slip), least = residual, lead = 1;
    memcpy(g.best, g.force, g.size * sizeof *g.best);
    int turns = 0, gained = 0;
    double before = least;
    for (; turns < problem->most && residual > 1; turns++) {
        double next_lead = 0.5 * (1 + sqrt(1 + 4 * lead * lead)), share = (lead - 1) / next_lead;
        for (size_t k = 0; k < g.size; k++) {
            g.lead[k] = g.force[k] + share * (g.force[k] - g.before[k]);
            g.slip_lead[k] = g.slip[k] + share * (g.slip[k] - g.slip_before[k]);
        }
        bool is_led_astray = step(&g);
        lead = is_led_astray ? 1 : next_lead;
        swap(&g.before, &g.force);
        swap(&g.slip_before, &g.slip);
        swap(&g.force, &g.next);
        swap(&g.slip, &g.slip_next);
        if ((turns + 1) % ITERATIONS_JUDGED != 0 && turns + 1 < problem->most) continue;
        residual = residual_of(&g, g.force, g.slip);
        if (residual < least) {
            least = residual;
            memcpy(g.best, g.force, g.size * sizeof *g.best);
        }
        if (least < gain_least * before) before = least, gained = turns;
        if (turns - gained >= ITERATIONS_PATIENT) break;
        if (turns + 1 == problem->probation && least > far_off) break;
    }
    *is_good = least <= 1;
    const double *found = *is_good || residual > last_worse * least ? g.best : g.force;
    for (size_t k = 0; k < g.size; k++) problem->contacts[k / 3].force[k % 3] = found[k];
    return turns;
}
