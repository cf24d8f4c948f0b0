// Implicit Euler and BDF2 by Newton's method on the potential of the step,
// m |x - aim|^2/(2 b^2) + energy of strain and damping - force . x, with b the step (Euler) or 2/3 of it (BDF2).
// Equilibria are the same without inertia: 1/b is zero.
// The exact second derivative is tried first; where that is not positive definite, its eigenvalues are projected.
#include "base/error.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"
#include "solids/volume_barrier.h"

#include <string.h>

typedef struct scheme {
    double span;    // s: b
    double span_1;  // 1/b; 0: an equilibrium
    bool is_second; // BDF2
} scheme;

// Where the nodes would fly without inner forces, and where their velocities count from.
static scheme aim(cdg_solid *s, double step, cdg_vec3 gravity) {
    cdg_solid_system *m = s->system;
    scheme c = {.span = step};
    c.is_second = solid_looks_back(s, step);
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
            m->aim[k][i] =
                x + c.span * v + c.span * c.span * (pull[k] + (s->force[k][i] + s->touch[k][i]) / s->mass[i]);
        }
    return c;
}

static double potential(const cdg_solid *s, const scheme *c, const cdg_solid_at *at) {
    const cdg_solid_system *m = s->system;
    double inertia = 0, lifted = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            if (s->is_held[i]) continue;
            double away = at->x[k][i] - m->aim[k][i];
            inertia += s->mass[i] * away * away;
            if (c->span_1 == 0) lifted -= m->load[k][i] * (at->x[k][i] - s->rest[k][i]);
        }
    return 0.5 * inertia * c->span_1 * c->span_1 + lifted + cdg_solid_elastic_energy(s, at->x) +
           cdg_solid_damping_energy(s, at);
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
            double r = m->force[k][i] - s->mass[i] * away * c->span_1 * c->span_1;
            if (c->span_1 == 0) r += m->load[k][i];
            if (s->is_held[i]) r = 0;
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

// Whether something has no volume left that must not be without.
static bool is_flat(const cdg_solid *s, double *const x[3]) {
    return s->def.volume_barrier > 0 && !(cdg_volume_barrier_energy(s, x) < HUGE_VAL);
}

// Along the direction until the potential falls as its slope promises. Small moves are taken as they are: rounding
// would hide what they gain.
static bool search(cdg_solid *s, const scheme *c, const cdg_solid_at *at, double move, double *const x[3]) {
    cdg_solid_system *m = s->system;
    double slope = 0, share = 1;
    for (size_t k = 0; k < 3 * s->node_count; k++) slope -= m->right[k] * m->move[k];
    move_nodes(s, x, 1, m->tried);
    bool is_small = !(move > 1e-3 * s->mean_edge);
    if (!is_small || s->def.volume_barrier > 0) {
        cdg_solid_at tried = *at;
        tried.x = m->tried;
        double before = is_small ? 0 : potential(s, c, at);
        for (int halving = 0; is_small ? is_flat(s, m->tried) : potential(s, c, &tried) > before + 1e-4 * share * slope;
             halving++) {
            if (halving > 40) return false;
            share *= 0.5;
            move_nodes(s, x, share, m->tried);
        }
    }
    for (int k = 0; k < 3; k++) memcpy(x[k], m->tried[k], s->node_count * sizeof(double));
    return true;
}

// Where Newton's method begins: with the acceleration of the last step where there was one, else without inner forces.
// Contact's forces are large on few nodes, which inner forces hold: they are left out, too.
static void begin(cdg_solid *s, const scheme *c, double step, cdg_vec3 gravity) {
    double pull[3] = {gravity.x, gravity.y, gravity.z};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            double guess = s->system->aim[k][i];
            if (s->is_touched || s->is_tied) guess = s->x[k][i] + step * s->v[k][i] + step * step * pull[k];
            if (c->is_second) guess = s->x[k][i] + step * (1.5 * s->v[k][i] - 0.5 * s->v_before[k][i]);
            if (s->is_again) guess = s->x_next[k][i];
            s->x_next[k][i] = s->is_held[i] ? s->target[k][i] : guess;
        }
}

// Where that turns something inside out that must not be: where the step began, but for what is held. False: that does,
// too.
static bool begin_upright(cdg_solid *s) {
    if (!is_flat(s, s->x_next)) return true;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) s->x_next[k][i] = s->is_held[i] ? s->target[k][i] : s->x[k][i];
    return !is_flat(s, s->x_next);
}

static cdg_result fail_flat(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                    "a tetrahedron has no volume left where supports hold it, which volume_barrier forbids; slower "
                    "motions may help");
}

// BDF2 looks back over two steps: where a support's speed has jumped between them, its reaction overshoots in one step
// and gives the excess back in the next. Returns by how much its work differs from that of the last step's change of
// speed alone.
static double work_doubt_of(const cdg_solid *s, size_t i, int k, double acceleration, double step) {
    double way = s->x_next[k][i] - s->x[k][i], way_before = s->x[k][i] - s->x_before[k][i];
    return s->mass[i] * (acceleration - (way - way_before) / (step * step)) * way;
}

// Velocities and reactions; returns how far the work of the latter may be off, J.
static double finish(cdg_solid *s, const scheme *c, cdg_vec3 gravity, const cdg_solid_at *at, int threads) {
    cdg_solid_system *m = s->system;
    double pull[3] = {gravity.x, gravity.y, gravity.z}, doubt = 0;
    if (s->held_count > 0) cdg_solid_forces(s, at, m->force, threads);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            s->reaction[k][i] = 0;
            s->v_next[k][i] = (s->x_next[k][i] - m->start[k][i]) * c->span_1;
            if (!s->is_held[i]) continue;
            double old = s->v[k][i] + (c->is_second ? (s->v[k][i] - s->v_before[k][i]) / 3 : 0);
            double acceleration = (s->v_next[k][i] - old) * c->span_1;
            s->reaction[k][i] =
                s->mass[i] * (acceleration - pull[k]) - s->force[k][i] - s->touch[k][i] - m->force[k][i];
            if (c->is_second) doubt += work_doubt_of(s, i, k, acceleration, 1.5 * c->span);
        }
    return fabs(doubt);
}

// What is unbalanced, by the moves that the diagonal of the matrix makes of it.
static double measure_residual(const cdg_solid *s) {
    const cdg_solid_system *m = s->system;
    double sum = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        const double *a = m->inverse + 9 * i, *r = m->right + 3 * i;
        for (int k = 0; k < 3; k++) sum += r[k] * (a[3 * k] * r[0] + a[3 * k + 1] * r[1] + a[3 * k + 2] * r[2]);
    }
    return sqrt(sum);
}

// Of an equilibrium by conjugate gradients: whether forces balance to 1e-4 of their sum. Where these crawl, moves and
// what the diagonal makes of residuals become small long before.
static bool is_balanced(const cdg_solid *s) {
    const cdg_solid_system *m = s->system;
    double left = 0, all = 0;
    if (m->pattern != NULL) return true;
    for (size_t i = 0; i < s->node_count; i++) {
        const double *r = m->right + 3 * i;
        left += fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
        for (int k = 0; k < 3; k++) all += fabs(m->force[k][i]) + fabs(m->load[k][i]);
    }
    return left <= 1e-4 * all;
}

// An iteration of Newton's method.
typedef struct newton {
    double move, expected; // m: the last one, and what is left to go
    double residual;       // before the last move
    bool is_projected, is_fresh;
} newton;

static const double good_rate = 0.1; // of convergence with a matrix of another iteration

// The direction, with a new matrix or the last one. False: there is none.
static bool find_direction(cdg_solid *s, const scheme *c, const cdg_solid_at *at, double closeness, newton *n,
                           int threads) {
    cdg_solid_system *m = s->system;
    if (!n->is_fresh && m->has_entries && cdg_solid_solve(s, closeness, threads)) return true;
    for (int way = 0; way < 2; way++) {
        cdg_solid_assemble(s, at, c->span_1 * c->span_1, n->is_projected, threads);
        m->moved = 0;
        if (cdg_solid_solve(s, closeness, threads)) return true;
        if (n->is_projected) return false;
        n->is_projected = true;
    }
    return false;
}

// From x_next, until what is left to go is below the tolerance. The matrix of the step's last iteration is taken again
// as long as that converges fast: making (and factoring) one costs more than a few iterations.
static cdg_result iterate(cdg_solid *s, const scheme *c, const cdg_solid_at *at, int threads, cdg_solid_result *out,
                          cdg_error *error) {
    enum { ITERATIONS_MAX = 200 };
    // m: factors are there to be used, while conjugate gradients pay for every digit
    const double tolerance = (s->system->pattern != NULL ? 1e-10 : 3e-9) * s->mean_edge;
    const char *cure = c->span_1 > 0 ? "a shorter step may help" : "smaller steps of the loads may help";
    cdg_solid_system *m = s->system;
    newton n = {.move = INFINITY, .expected = INFINITY, .residual = INFINITY};
    if (!s->is_again || m->inertia != c->span_1 * c->span_1) m->has_entries = false;
    m->at = *at;
    m->inertia = c->span_1 * c->span_1;
    for (out->iterations = 0; out->iterations < ITERATIONS_MAX; out->iterations++) {
        double worst = unbalanced(s, c, at, threads);
        if (worst == 0 || !isfinite(worst)) break;
        if (m->has_entries) {
            double residual = measure_residual(s), rate = residual / n.residual;
            n.is_fresh = rate > good_rate;
            n.expected = n.move < INFINITY ? 2 * rate * n.move : INFINITY;
            n.residual = residual;
            if (n.expected <= tolerance && (c->span_1 > 0 || is_balanced(s))) break;
        }
        double closeness = fmin(0.1, fmax(1e-7, 0.2 * tolerance / n.expected));
        if (!(n.expected < INFINITY)) closeness = 1e-2;
        bool had_entries = m->has_entries;
        if (!find_direction(s, c, at, closeness, &n, threads))
            return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "%s",
                            c->span_1 > 0 ? "its system has no solution"
                                          : "nothing holds it: supports are too few for an equilibrium");
        if (!had_entries) n.residual = measure_residual(s);
        n.move = largest_move(s);
        m->moved += n.move;
        if (!search(s, c, at, n.move, s->x_next))
            return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                            "Newton's method finds no way down after %d iterations; %s", out->iterations, cure);
        n.is_projected = n.is_projected && n.move > 0.1 * s->mean_edge;
    }
    if (out->iterations >= ITERATIONS_MAX)
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "Newton's method still moves by %.2g m after %d iterations; %s", n.move, out->iterations, cure);
    out->residual = n.expected < INFINITY ? n.expected / s->mean_edge : 0;
    out->parts = 1;
    return CDG_OK;
}

cdg_result cdg_solid_predict_implicit(cdg_solid *s, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                                      cdg_error *error) {
    scheme c = aim(s, step, gravity);
    cdg_solid_at at = {.x = s->x_next};
    if (s->def.damping_time > 0) at.before = s->x, at.rate = 1 / step;
    begin(s, &c, step, gravity);
    if (!begin_upright(s)) return fail_flat(error);
    cdg_result result = iterate(s, &c, &at, threads, out, error);
    if (result == CDG_OK) out->work_doubt = finish(s, &c, gravity, &at, threads);
    if (result == CDG_OK) cdg_solid_keep_spin(s, step);
    return result;
}

// ---- equilibria -----------------------------------------------------------------------------------------------------

cdg_result cdg_solid_find_equilibrium(cdg_solid *s, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                                      cdg_error *error) {
    *out = (cdg_solid_result){0};
    cdg_result result = s->system != NULL ? CDG_OK : cdg_solid_system_build(s, error);
    if (result != CDG_OK) return result;
    cdg_solid_system *m = s->system;
    double pull[3] = {gravity.x, gravity.y, gravity.z};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            m->load[k][i] = s->mass[i] * pull[k] + s->force[k][i];
            m->aim[k][i] = s->x[k][i];
            s->x_next[k][i] = s->is_held[i] ? s->target[k][i] : s->x[k][i];
        }
    scheme c = {0};
    cdg_solid_at at = {.x = s->x_next};
    if (is_flat(s, s->x_next)) return fail_flat(error);
    result = iterate(s, &c, &at, threads, out, error);
    if (result != CDG_OK) return result;
    cdg_solid_forces(s, &at, m->force, threads);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            s->reaction[k][i] = s->is_held[i] ? -m->load[k][i] - m->force[k][i] : 0;
            s->x[k][i] = s->x_next[k][i];
            s->v[k][i] = s->v_next[k][i] = 0;
        }
    s->has_history = false;
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 inner = solid_vec3(m->force, i), left = vec3_add(inner, solid_vec3(m->load, i));
        out->force = fmax(out->force, vec3_norm(inner));
        if (!s->is_held[i]) out->unbalanced = fmax(out->unbalanced, vec3_norm(left));
    }
    out->lowest = NAN;
    return m->pattern != NULL ? cdg_solid_find_eigenvalues(s, 1, &out->lowest, NULL, error) : CDG_OK;
}
