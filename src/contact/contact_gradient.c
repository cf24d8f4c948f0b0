// Forces of many contacts by accelerated projected gradients (contact_gradient.h).
#include "contact/contact_gradient.h"

#include <math.h>
#include <string.h>

// L is that of the steepest way met so far, and a little more.
enum { TURNS_JUDGED = 4, TURNS_PATIENT = 80 };
// What does not get better by this share in TURNS_PATIENT turns is left to the next round.
static const double gain_least = 0.8;
static const double rounding = 1e-7; // of the tolerance
static const double far_off = 8;     // tolerances: after some turns, a sign that many more would follow
static const double bound_first = 1.5, bound_growth = 1.2;

typedef struct gradient {
    const cdg_gradient_problem *problem;
    size_t size;          // 3 count
    double *force, *slip; // f, and u there
    double *before, *slip_before;
    double *lead, *slip_lead; // where a step starts from
    double *next, *slip_next, *change;
    double *best;
    double bound; // L
} gradient;

size_t cdg_gradient_scratch(size_t count) { return 3 * 10 * count; }

static gradient carve(const cdg_gradient_problem *problem, double *scratch) {
    gradient g = {.problem = problem, .size = 3 * problem->count, .bound = bound_first};
    double **lists[] = {&g.force,     &g.slip, &g.before,    &g.slip_before, &g.lead,
                        &g.slip_lead, &g.next, &g.slip_next, &g.change,      &g.best};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = scratch + i * g.size;
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

// P(f - u / (bound d)) of one contact.
static void advance(const cdg_gradient_problem *p, size_t c, double bound, const double *f, const double *u,
                    double out[3]) {
    double normal = 1 / (bound * p->compliance[c][0]), across = 1 / (bound * p->compliance[c][1]);
    out[0] = f[3 * c] - normal * u[3 * c];
    out[1] = f[3 * c + 1] - across * u[3 * c + 1];
    out[2] = f[3 * c + 2] - across * u[3 * c + 2];
    project(p->contacts[c].friction, out);
}

// By how much the laws do not hold, in tolerances.
static double residual_of(const gradient *g, const double *f, const double *u) {
    const cdg_gradient_problem *p = g->problem;
    double worst = 0, largest = 0;
    for (size_t c = 0; c < p->count; c++) largest = fmax(largest, f[3 * c]);
    for (size_t c = 0; c < p->count; c++) {
        if (f[3 * c] == 0 && u[3 * c] >= 0) continue;
        double to[3];
        advance(p, c, 1, f, u, to);
        double normal = fabs(to[0] - f[3 * c]) * p->compliance[c][0];
        double across = fmax(fabs(to[1] - f[3 * c + 1]), fabs(to[2] - f[3 * c + 2])) * p->compliance[c][1];
        double tolerance = fmin(p->contacts[c].tolerance, p->force_share * largest * p->compliance[c][0]);
        worst = fmax(worst, fmax(normal, across) / fmax(tolerance, rounding * p->contacts[c].tolerance));
    }
    return worst;
}

// Products of changes with each other, weighed by d.
static double weighed(const gradient *g, const double *from, const double *to, const double *other_from,
                      const double *other_to) {
    double sum = 0;
    for (size_t c = 0; c < g->problem->count; c++) {
        const double *d = g->problem->compliance[c];
        for (size_t k = 3 * c; k < 3 * c + 3; k++)
            sum += (to[k] - from[k]) * (other_to[k] - other_from[k]) * (k == 3 * c ? d[0] : d[1]);
    }
    return sum;
}

// How steep the way from the lead to `next` was: its product with what it does, by that with itself. Gaps and slips at
// `next` are known then.
static double steepness_of(const gradient *g) {
    double work = 0, way = 0;
    for (size_t c = 0; c < g->problem->count; c++) {
        const double *d = g->problem->compliance[c];
        for (size_t k = 3 * c; k < 3 * c + 3; k++) {
            double change = g->next[k] - g->lead[k];
            g->slip_next[k] += g->slip[k];
            work += change * (g->slip_next[k] - g->slip_lead[k]);
            way += change * change * (k == 3 * c ? d[0] : d[1]);
        }
    }
    return way > 0 ? work / way : 0;
}

// From the lead to `next`; L grows until the step does not go too far.
static void step(gradient *g) {
    const cdg_gradient_problem *p = g->problem;
    for (int tries = 0; tries < 8; tries++) {
        for (size_t c = 0; c < p->count; c++) {
            advance(p, c, g->bound, g->lead, g->slip_lead, g->next + 3 * c);
            for (size_t k = 3 * c; k < 3 * c + 3; k++) g->change[k] = g->next[k] - g->force[k];
        }
        p->respond(p->user, g->change, g->slip_next);
        double steepness = steepness_of(g);
        if (!(steepness > g->bound)) return;
        g->bound = bound_growth * steepness;
    }
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
        step(&g);
        bool is_led_astray = weighed(&g, g.next, g.lead, g.force, g.next) > 0;
        lead = is_led_astray ? 1 : next_lead;
        swap(&g.before, &g.force);
        swap(&g.slip_before, &g.slip);
        swap(&g.force, &g.next);
        swap(&g.slip, &g.slip_next);
        if ((turns + 1) % TURNS_JUDGED != 0 && turns + 1 < problem->most) continue;
        residual = residual_of(&g, g.force, g.slip);
        if (residual < least) {
            least = residual;
            memcpy(g.best, g.force, g.size * sizeof *g.best);
        }
        if (least < gain_least * before) before = least, gained = turns;
        if (turns - gained >= TURNS_PATIENT) break;
        if (turns + 1 == problem->probation && least > far_off) break;
    }
    *is_good = least <= 1;
    for (size_t k = 0; k < g.size; k++) problem->contacts[k / 3].force[k % 3] = g.best[k];
    return turns;
}
