// Implicit Euler and BDF2 by Newton's method on the potential of the step,
// m |x - aim|^2/(2 b^2) + energy of strain and damping - force . x, with b the step (Euler) or 2/3 of it (BDF2).
// The exact second derivative is tried first; where that is not positive definite, its eigenvalues are projected.
#include "base/error.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"

#include <string.h>

typedef struct scheme {
    double span;    // s: b
    double span_1;  // 1/b
    bool is_second; // BDF2
} scheme;

// Where the nodes would fly without inner forces, and where their velocities count from.
static scheme aim(cdg_solid *s, double step, cdg_vec3 gravity) {
    cdg_solid_system *m = s->system;
    scheme c = {.span = step};
    c.is_second = s->x_before[0] != NULL && s->has_history && fabs(s->history_step - step) < 1e-9 * step;
    if (c.is_second) c.span = 2 * step / 3;
    c.span_1 = 1 / c.span;
    double pull[3] = {gravity.x, gravity.y, gravity.z};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            double x = s->x[k][i], v = s->v[k][i];
            if (c.is_second) {
                x += (x - s->x_before[k][i]) / 3;
                v += (v - s->v_before[k][i]) / 3;
            }
            m->start[k][i] = x;
            m->aim[k][i] = x + c.span * v + c.span * c.span * (pull[k] + s->force[k][i] / s->mass[i]);
        }
    return c;
}

static double potential(const cdg_solid *s, const scheme *c, const cdg_solid_at *at) {
    const cdg_solid_system *m = s->system;
    double inertia = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            double away = s->is_held[i] ? 0 : at->x[k][i] - m->aim[k][i];
            inertia += s->mass[i] * away * away;
        }
    return 0.5 * inertia * c->span_1 * c->span_1 + cdg_solid_elastic_energy(s, at->x) + cdg_solid_damping_energy(s, at);
}

// What is unbalanced, at free nodes, into system->right; returns the largest of it as an acceleration, m/s^2.
static double unbalanced(cdg_solid *s, const scheme *c, const cdg_solid_at *at, int threads) {
    cdg_solid_system *m = s->system;
    double worst = 0;
    cdg_solid_forces(s, at, m->force, threads);
    for (size_t i = 0; i < s->node_count; i++) {
        double size = 0;
        for (size_t k = 0; k < 3; k++) {
            double away = at->x[k][i] - m->aim[k][i];
            double r = s->is_held[i] ? 0 : m->force[k][i] - s->mass[i] * away * c->span_1 * c->span_1;
            m->right[3 * i + k] = r;
            size += r * r;
        }
        worst = fmax(worst, sqrt(size) / s->mass[i]);
    }
    return worst;
}

static double largest_move(const cdg_solid *s) {
    double most = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        const double *d = s->system->move + 3 * i;
        most = fmax(most, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sqrt(most);
}

static void move_nodes(const cdg_solid *s, double *const from[3], double share, double *const to[3]) {
    for (size_t i = 0; i < s->node_count; i++)
        for (size_t k = 0; k < 3; k++) to[k][i] = from[k][i] + share * s->system->move[3 * i + k];
}

// Along the direction until the potential falls as its slope promises. Small moves are taken as they are: rounding
// would hide what they gain.
static bool search(cdg_solid *s, const scheme *c, const cdg_solid_at *at, double move, double *const x[3]) {
    cdg_solid_system *m = s->system;
    double slope = 0, share = 1;
    for (size_t k = 0; k < 3 * s->node_count; k++) slope -= m->right[k] * m->move[k];
    move_nodes(s, x, 1, m->tried);
    if (move > 1e-3 * s->mean_edge) {
        cdg_solid_at tried = *at;
        tried.x = m->tried;
        double before = potential(s, c, at);
        for (int halving = 0; potential(s, c, &tried) > before + 1e-4 * share * slope; halving++) {
            if (halving > 40) return false;
            share *= 0.5;
            move_nodes(s, x, share, m->tried);
        }
    }
    for (int k = 0; k < 3; k++) memcpy(x[k], m->tried[k], s->node_count * sizeof(double));
    return true;
}

static void begin(cdg_solid *s) {
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++)
            s->x_next[k][i] = s->is_held[i] ? s->target[k][i] : s->system->aim[k][i];
}

static void finish(cdg_solid *s, const scheme *c, cdg_vec3 gravity, const cdg_solid_at *at, int threads) {
    cdg_solid_system *m = s->system;
    double pull[3] = {gravity.x, gravity.y, gravity.z};
    if (s->held_count > 0) cdg_solid_forces(s, at, m->force, threads);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            s->reaction[k][i] = 0;
            s->v_next[k][i] = (s->x_next[k][i] - m->start[k][i]) * c->span_1;
            if (!s->is_held[i]) continue;
            double old = s->v[k][i] + (c->is_second ? (s->v[k][i] - s->v_before[k][i]) / 3 : 0);
            s->reaction[k][i] =
                s->mass[i] * ((s->v_next[k][i] - old) * c->span_1 - pull[k]) - s->force[k][i] - m->force[k][i];
        }
}

cdg_result cdg_solid_predict_implicit(cdg_solid *s, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                                      cdg_error *error) {
    enum { ITERATIONS_MAX = 200 };
    scheme c = aim(s, step, gravity);
    cdg_solid_at at = {.x = s->x_next};
    if (s->def.damping_time > 0) at.before = s->x, at.rate = 1 / step;
    begin(s);
    const double tolerance = 1e-7 * s->mean_edge; // m: the last move; what is left is about its square
    double move = INFINITY;
    bool is_projected = false;
    for (out->iterations = 0; out->iterations < ITERATIONS_MAX && move > tolerance; out->iterations++) {
        double worst = unbalanced(s, &c, &at, threads);
        if (worst == 0) break;
        if (!isfinite(worst)) break;
        double closeness = move < INFINITY ? fmin(1e-2, move / s->mean_edge) : 1e-2;
        for (int way = 0; way < 2; way++) {
            cdg_solid_assemble(s, &at, c.span_1 * c.span_1, is_projected, threads);
            if (cdg_solid_solve(s, fmax(closeness, 1e-6), threads)) break;
            if (is_projected) return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "its system has no solution");
            is_projected = true;
        }
        move = largest_move(s);
        if (!search(s, &c, &at, move, s->x_next))
            return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                            "Newton's method finds no way down after %d iterations; a shorter step may help",
                            out->iterations);
        is_projected = is_projected && move > 0.1 * s->mean_edge;
    }
    if (!(move <= tolerance) && out->iterations >= ITERATIONS_MAX)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "Newton's method still moves by %.2g m after %d iterations; a shorter step may help", move,
                        out->iterations);
    out->residual = move / s->mean_edge;
    out->parts = 1;
    finish(s, &c, gravity, &at, threads);
    return CDG_OK;
}
