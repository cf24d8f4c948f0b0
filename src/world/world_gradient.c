// Rates of an equilibrium in parameters, by the implicit function theorem: where R(u, p) = 0, K du/dp = -dR/dp with
// the system K that Newton has at the equilibrium. dR/dp is a difference of fourth order of what is unbalanced between
// worlds that differ in p alone, at the same unknowns; no equilibrium but the one given is sought. K knows nothing of
// loads that follow the rod, so the rates are corrected until the whole rate of what is unbalanced vanishes.
#include "base/error.h"
#include "rods/rod_path.h"
#include "world/world_static.h"

#include <cordage/gradient.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFTS = 4, POLISH_MAX = 12, REFINE_MAX = 60, SHRINK_MAX = 8 };

static const double shifts[SHIFTS] = {-2, -1, 1, 2}; // of the parameter, in small changes
static const double weights[SHIFTS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
static const double small = 1e-3;       // of a parameter's scale: differences of fourth order are then good to 1e-12
static const double small_turn = 1e-3;  // change of an element between its nodes, by its length: the same
static const double start_limit = 1e-3; // element lengths: a correction beyond is none of an equilibrium
static const double refined = 1e-11;    // share of the rates that a correction may still be
static const double poor = 1e-6;        // and what is too much
// Rod lengths that the rates would move by, were the parameter changed by its scale: below it they are rounding.
static const double nothing = 1e-6;

typedef struct part { // one rod of one world
    static_loads loads;
    cdg_rod *rod;
    void *memory; // of its path
} part;

typedef struct variant { // a world with a parameter changed
    cdg_world *world;
    part *parts; // an entry for each of the world's; rod == NULL: free
} variant;

typedef struct gradient {
    cdg_world *world; // the user's
    const cdg_gradient_def *def;
    variant base, shifted[SHIFTS];
    size_t size;                  // doubles of a direction of all rods
    double *rate, *step, *change; // directions
    double *values;               // of probes, one block for each shift
    double scale;                 // change of the parameter between shifts
    double shortest;              // m: length of the shortest rod
} gradient;

static const struct cdg_rod_path_operations *path_of(const part *p) { return p->rod->model->statics.path; }

// ---- variants -------------------------------------------------------------------------------------------------------

static void close_variant(variant *v) {
    for (size_t i = 0; v->parts != NULL && i < v->world->rod_count; i++) {
        part *p = &v->parts[i];
        if (p->rod != NULL && p->memory != NULL) path_of(p)->close(p->memory);
        static_loads_close(&p->loads);
    }
    free(v->parts);
    cdg_world_destroy(v->world);
    *v = (variant){0};
}

static bool is_alike(const cdg_world *a, const cdg_world *b) {
    bool is_same = a->rod_count == b->rod_count && a->support_count == b->support_count &&
                   a->load_count == b->load_count && b->weld_count == 0;
    for (size_t i = 0; is_same && i < a->rod_count; i++) {
        const cdg_rod *left = a->rods[i].rod, *right = b->rods[i].rod;
        is_same = (left == NULL) == (right == NULL);
        if (!is_same || left == NULL) continue;
        is_same = left->model == right->model && left->node_count == right->node_count &&
                  left->is_closed == right->is_closed && left->own_count == right->own_count;
    }
    return is_same;
}

// The same unknowns as another world's rod; both models and counts are the same.
static void copy_state(const cdg_rod *from, cdg_rod *to) {
    for (size_t k = 0; k < 3; k++) memcpy(to->x[k], from->x[k], to->node_count * sizeof(double));
    for (size_t k = 0; k < 4; k++) memcpy(to->q[k], from->q[k], to->element_count * sizeof(double));
    if (to->twist != NULL) memcpy(to->twist, from->twist, to->node_count * sizeof(double));
    if (to->own_count > 0) memcpy(to->own, from->own, to->own_count * sizeof(double));
    to->has_history = from->has_history;
    for (size_t k = 0; k < 3; k++) {
        memset(to->v[k], 0, to->node_count * sizeof(double));
        memset(to->w[k], 0, to->element_count * sizeof(double));
    }
}

// Back to the state of another world, with supports and loads of its own.
static bool start_from(variant *v, const cdg_world *from, double time) {
    for (size_t i = 0; i < v->world->rod_count; i++) {
        part *p = &v->parts[i];
        if (p->rod == NULL) continue;
        copy_state(from->rods[i].rod, p->rod);
        static_loads_set(&p->loads, time);
        if (!path_of(p)->start(p->memory)) return false;
    }
    return true;
}

static cdg_result open_parts(gradient *g, variant *v) {
    v->parts = calloc(v->world->rod_count > 0 ? v->world->rod_count : 1, sizeof *v->parts);
    bool has_memory = v->parts != NULL;
    for (uint32_t i = 0; has_memory && i < v->world->rod_count; i++) {
        part *p = &v->parts[i];
        if (v->world->rods[i].rod == NULL) continue;
        has_memory = static_loads_open(&p->loads, v->world, i);
        if (!has_memory) break;
        p->rod = v->world->rods[i].rod;
        p->memory = path_of(p)->open(p->rod, &p->loads.loads);
        has_memory = p->memory != NULL;
    }
    if (has_memory) return CDG_OK;
    return cdg_fail(&g->world->error, CDG_ERROR_MEMORY, "no memory for a gradient");
}

static cdg_result open_variant(gradient *g, size_t parameter, double change, variant *v) {
    cdg_error error = {0};
    cdg_result result = g->def->build(g->def->user, parameter, change, &v->world, &error);
    if (result != CDG_OK || v->world == NULL) {
        v->world = NULL;
        return cdg_fail(&g->world->error, result != CDG_OK ? result : CDG_ERROR_ARGUMENT,
                        "parameter %zu changed by %g gives no world: %s", parameter, change, error.message);
    }
    if (!is_alike(g->world, v->world))
        return cdg_fail(&g->world->error, CDG_ERROR_ARGUMENT,
                        "parameter %zu changes how many rods, nodes, supports or loads there are, in which there is no "
                        "gradient: vary it by a sweep",
                        parameter);
    cdg_static_set_time(v->world, g->world->time);
    return open_parts(g, v);
}

static void close_shifted(gradient *g) {
    for (int k = 0; k < SHIFTS; k++)
        if (g->shifted[k].world != NULL) close_variant(&g->shifted[k]);
}

static cdg_result open_shifted(gradient *g, size_t parameter) {
    close_shifted(g);
    cdg_result result = CDG_OK;
    for (int k = 0; k < SHIFTS && result == CDG_OK; k++)
        result = open_variant(g, parameter, shifts[k] * g->scale, &g->shifted[k]);
    return result;
}

// ---- the equilibrium ------------------------------------------------------------------------------------------------

static void set_time(void *user, double time) { static_loads_set(user, time); }

static cdg_result fail_at(gradient *g, const cdg_rod *rod, const char *what) {
    return cdg_fail(&g->world->error, CDG_ERROR_NO_CONVERGENCE, "rod '%s': %s", rod->name, what);
}

// Newton at the equilibrium until rounding is left; its factors then stay.
static cdg_result polish(gradient *g, part *p) {
    const struct cdg_rod_path_operations *path = path_of(p);
    double element = p->rod->length / (double)p->rod->element_count, before = INFINITY;
    for (int i = 0; i < POLISH_MAX; i++) {
        cdg_rod_correction found;
        if (!path->solve(p->memory, set_time, &p->loads, g->world->time, 1, g->step, g->change, &found))
            return fail_at(g, p->rod,
                           "the equilibrium's system has no solution, so there is no gradient: something is free to "
                           "move or turn, or the rod is about to buckle");
        if (!(found.move <= start_limit * element))
            return cdg_fail(
                &g->world->error, CDG_ERROR_NO_CONVERGENCE,
                "rod '%s' is not in equilibrium: Newton's correction moves it by %.2g m; gradients are those "
                "of an equilibrium without side forces (imperfection), which is to be found first",
                p->rod->name, found.move);
        if (found.move <= 1e-13 * p->rod->length || found.move > before / 2) return CDG_OK;
        before = found.move;
        if (!path->advance(p->memory, g->step)) return fail_at(g, p->rod, "an element has lost its length");
    }
    return CDG_OK;
}

static cdg_result open_base(gradient *g) {
    cdg_result result = open_variant(g, 0, 0, &g->base);
    if (result != CDG_OK) return result;
    g->shortest = INFINITY;
    for (size_t i = 0; i < g->base.world->rod_count; i++) {
        const part *p = &g->base.parts[i];
        if (p->rod == NULL) continue;
        g->size += path_of(p)->size(p->rod);
        g->shortest = fmin(g->shortest, p->rod->length);
    }
    g->rate = calloc(3 * g->size + 1, sizeof *g->rate);
    g->values = calloc(SHIFTS * CDG_PROBE_COLUMNS_MAX * g->def->probe_count + 1, sizeof *g->values);
    if (g->rate == NULL || g->values == NULL) return cdg_fail(&g->world->error, CDG_ERROR_MEMORY, "no memory");
    g->step = g->rate + g->size;
    g->change = g->step + g->size;
    if (!start_from(&g->base, g->world, g->world->time))
        return cdg_fail(&g->world->error, CDG_ERROR_NO_CONVERGENCE, "an element has lost its length");
    for (size_t i = 0; i < g->base.world->rod_count && result == CDG_OK; i++)
        if (g->base.parts[i].rod != NULL) result = polish(g, &g->base.parts[i]);
    return result;
}

// ---- rates ----------------------------------------------------------------------------------------------------------

// A variant from the equilibrium along the rates, by its share of a change.
static bool move_along(gradient *g, variant *v, double shift) {
    if (!start_from(v, g->base.world, g->world->time)) return false;
    const double *rate = g->rate;
    for (size_t i = 0; i < v->world->rod_count; i++) {
        part *p = &v->parts[i];
        if (p->rod == NULL) continue;
        size_t size = path_of(p)->size(p->rod);
        for (size_t k = 0; k < size; k++) g->step[k] = shift * g->scale * rate[k];
        if (!path_of(p)->advance(p->memory, g->step)) return false;
        static_loads_set(&p->loads, g->world->time); // that follow the rod
        rate += size;
    }
    return true;
}

// Largest change of an element between its nodes against the equilibrium, by its length; and of its frame, rad.
static double change_of(const gradient *g, const variant *v) {
    double most = 0;
    for (size_t i = 0; i < v->world->rod_count; i++) {
        const cdg_rod *now = v->parts[i].rod, *old = g->base.world->rods[i].rod;
        for (size_t j = 0; now != NULL && j < now->element_count; j++) {
            size_t next = rod_next_node(now, j);
            cdg_vec3 a = vec3_sub(rod_vec3(now->x, next), rod_vec3(now->x, j));
            cdg_vec3 b = vec3_sub(rod_vec3(old->x, next), rod_vec3(old->x, j));
            most = fmax(most, vec3_distance(a, b) / old->rest_length[j]);
            cdg_quat p = rod_quat(now->q, j), q = rod_quat(old->q, j);
            double same = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
            most = fmax(most, 2 * sqrt(fmax(0, 2 - 2 * fabs(same))));
        }
    }
    return most;
}

// The rate, in the parameter, of what is unbalanced along the rates, answered by the equilibrium's factors: what the
// rates lack. Into g->change. False: too far.
static bool find_lack(gradient *g) {
    memset(g->change, 0, g->size * sizeof *g->change);
    for (int k = 0; k < SHIFTS; k++) {
        if (!move_along(g, &g->shifted[k], shifts[k])) return false;
        double *sum = g->change;
        for (size_t i = 0; i < g->shifted[k].world->rod_count; i++) {
            part *p = &g->shifted[k].parts[i];
            if (p->rod == NULL) continue;
            if (!path_of(p)->unbalanced(p->memory, g->step)) return false;
            size_t size = path_of(p)->size(p->rod);
            for (size_t n = 0; n < size; n++) sum[n] += weights[k] / g->scale * g->step[n];
            sum += size;
        }
    }
    double *right = g->change;
    for (size_t i = 0; i < g->base.world->rod_count; i++) {
        part *p = &g->base.parts[i];
        if (p->rod == NULL) continue;
        path_of(p)->answer(p->memory, right);
        right += path_of(p)->size(p->rod);
    }
    return true;
}

static double norm(const double *a, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

// Corrections of the rates until nothing is lacking, or what is no longer falls.
static bool refine(gradient *g, double floor, cdg_gradient_report *report, double *imbalance) {
    double before = INFINITY;
    for (int i = 0; i < REFINE_MAX; i++) {
        if (!find_lack(g)) return false;
        report->iterations++;
        double lack = norm(g->change, g->size), all = norm(g->rate, g->size);
        if (!isfinite(lack)) return false;
        *imbalance = fmin(lack, before) / (all + floor);
        if (lack >= before) return true; // rounding
        for (size_t n = 0; n < g->size; n++) g->rate[n] += g->change[n];
        if (*imbalance <= refined) return true;
        before = lack;
    }
    return true;
}

// Rates with a change of the parameter so small that differences are good.
static cdg_result find_rates(gradient *g, size_t parameter, cdg_gradient_report *report) {
    double imbalance = INFINITY;
    double floor = nothing * g->shortest / fabs(g->def->scales[parameter]);
    g->scale = small * fabs(g->def->scales[parameter]);
    memset(g->rate, 0, g->size * sizeof *g->rate);
    for (int i = 0; i < SHRINK_MAX; i++) {
        cdg_result result = open_shifted(g, parameter);
        if (result != CDG_OK) return result;
        bool is_found = move_along(g, &g->shifted[SHIFTS - 1], shifts[SHIFTS - 1]);
        double most = is_found ? change_of(g, &g->shifted[SHIFTS - 1]) : 1;
        bool is_small = most <= small_turn; // so far, with holds that move
        if (is_found && is_small) {
            is_found =
                refine(g, floor, report, &imbalance) && move_along(g, &g->shifted[SHIFTS - 1], shifts[SHIFTS - 1]);
            most = is_found ? change_of(g, &g->shifted[SHIFTS - 1]) : 1;
        }
        if (is_found && is_small && most <= 4 * small_turn) {
            report->imbalance = fmax(report->imbalance, imbalance);
            if (imbalance <= poor) return CDG_OK;
            break;
        }
        if (!is_found) memset(g->rate, 0, g->size * sizeof *g->rate);
        g->scale *= fmin(0.5, small_turn / fmax(most, 1e-300));
    }
    return cdg_fail(
        &g->world->error, CDG_ERROR_NO_CONVERGENCE,
        "the equilibrium has no gradient in parameter %zu that can be trusted (%.1e of it is left over): it "
        "is about to buckle or to snap, or its loads turn with the rod too much",
        parameter, imbalance);
}

// ---- probes ---------------------------------------------------------------------------------------------------------

static cdg_result measure(gradient *g, int shift) {
    variant *v = &g->shifted[shift];
    if (!move_along(g, v, shifts[shift]))
        return cdg_fail(&g->world->error, CDG_ERROR_NO_CONVERGENCE, "an element has lost its length");
    for (uint32_t i = 0; i < v->world->rod_count; i++) {
        part *p = &v->parts[i];
        if (p->rod == NULL) continue;
        path_of(p)->finish(p->memory);
        cdg_supports_collect(v->world, i, g->world->time);
    }
    double *values = g->values + (size_t)shift * CDG_PROBE_COLUMNS_MAX * g->def->probe_count;
    for (size_t i = 0; i < g->def->probe_count; i++) {
        cdg_result result = cdg_world_measure(v->world, &g->def->probes[i], values + CDG_PROBE_COLUMNS_MAX * i);
        if (result != CDG_OK) return cdg_fail(&g->world->error, result, "probe %zu measures nothing here", i);
    }
    return CDG_OK;
}

static cdg_result differentiate(gradient *g, size_t parameter, double *out, cdg_gradient_report *report) {
    cdg_result result = find_rates(g, parameter, report);
    for (int k = 0; k < SHIFTS && result == CDG_OK; k++) result = measure(g, k);
    size_t count = CDG_PROBE_COLUMNS_MAX * g->def->probe_count;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        out[i] = 0;
        for (size_t k = 0; k < SHIFTS; k++) out[i] += weights[k] / g->scale * g->values[k * count + i];
    }
    return result;
}

static cdg_result check(cdg_world *world, const cdg_gradient_def *def) {
    cdg_result result = cdg_static_check(world);
    if (result != CDG_OK) return result;
    if (world->weld_count > 0)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "a rod is welded to a body; gradients are found of rods that supports hold: use a clamp there");
    for (size_t i = 0; i < def->parameter_count; i++)
        if (!(isfinite(def->scales[i]) && def->scales[i] != 0))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "parameter %zu: its scale is %g; a number other than 0 says what a small change is", i,
                            def->scales[i]);
    return CDG_OK;
}

cdg_gradient_def cdg_gradient_def_default(void) { return (cdg_gradient_def){0}; }

cdg_result cdg_world_gradient(cdg_world *world, const cdg_gradient_def *def, double *out, cdg_gradient_report *report) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    if (def->build == NULL) return cdg_fail_null(&world->error, "def->build");
    if (def->parameter_count > 0 && def->scales == NULL) return cdg_fail_null(&world->error, "def->scales");
    if (def->probe_count > 0 && def->probes == NULL) return cdg_fail_null(&world->error, "def->probes");
    if (def->parameter_count * def->probe_count > 0 && out == NULL) return cdg_fail_null(&world->error, "out");
    cdg_gradient_report own = {0};
    cdg_result result = check(world, def);
    if (result != CDG_OK || def->parameter_count == 0) return result;
    gradient g = {.world = world, .def = def};
    result = open_base(&g);
    for (size_t p = 0; p < def->parameter_count && result == CDG_OK; p++)
        result = differentiate(&g, p, out + p * CDG_PROBE_COLUMNS_MAX * def->probe_count, &own);
    close_shifted(&g);
    if (g.base.world != NULL) close_variant(&g.base);
    free(g.rate);
    free(g.values);
    if (report != NULL) *report = own;
    return result;
}
