// A path of equilibria followed by its arc length (Riks 1979; Keller 1977), so that limits of the load, where time
// turns back, are points as any other. The arc is measured by the moves of nodes in parts of the rod's length and by
// time in parts of the way, in units that let the curve of both turn gently. A corrector keeps to the plane across the
// tangent: with du = a + b dt, where K a is what is unbalanced and K b its change with time, dt follows from one scalar
// equation, and K keeps its form (bordering).
#include "base/error.h"
#include "rods/rod_path.h"
#include "world/world_static.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MAX = 15, QUICK_ITERATIONS = 5 };

static const double straight = 0.97, bent = 0.85; // cosines between tangents: steps grow, and are divided
static const double move_unit = 0.05;             // rod lengths: a move that counts as much as the whole way in time
static const double move_limit = 0.4;             // mean move in a step, in those units
static const double smallest = 1e-6;              // of the first step: shorter ones lead nowhere
static const double done_move = 1e-9;             // m per rod length: a correction after which a point is one
static const double balance = 1e-6;               // unbalanced force against the largest

typedef struct arc_rod {
    static_loads loads;
    cdg_rod *rod;
    const struct cdg_rod_path_operations *path;
    void *memory;
    double *block;                                     // of the directions
    double *correction, *rate, *tangent, *next, *step; // directions
} arc_rod;

typedef struct arc {
    cdg_world *world;
    const cdg_path_def *def;
    cdg_path_report *report;
    double begin, way; // s
    arc_rod *rods;
    size_t rod_count;
    double *const *sides;
    double *saved;                  // snapshot of the last point
    double time;                    // s, of the point being found
    double time_tangent, time_next; // of time/way: along the tangents
    double residual, force, move;
    double lowest;  // eigenvalue at the point being found
    bool is_stable; // by it
} arc;

// ---- all rods together ----------------------------------------------------------------------------------------------

static void set_time(void *user, double time) { static_loads_set(user, time); }

typedef enum which { CORRECTION, RATE, TANGENT } which;
static const double *direction(const arc_rod *r, which w) {
    return w == CORRECTION ? r->correction : w == RATE ? r->rate : r->tangent;
}

// Mean over all rods, in units of moves squared.
static double dot(const arc *a, which left, which right) {
    double sum = 0;
    for (size_t i = 0; i < a->rod_count; i++) {
        const arc_rod *r = &a->rods[i];
        double unit = move_unit * r->rod->length;
        sum += r->path->dot(r->rod, direction(r, left), direction(r, right)) / (unit * unit);
    }
    return sum / (double)a->rod_count;
}

static bool start(arc *a) {
    for (size_t i = 0; i < a->rod_count; i++) {
        static_loads_set(&a->rods[i].loads, a->time);
        if (!a->rods[i].path->start(a->rods[i].memory)) return false;
    }
    return true;
}

// Corrections and rates of all rods at the time.
static bool solve(arc *a) {
    a->residual = a->move = 0;
    a->force = 1e-300;
    for (size_t i = 0; i < a->rod_count; i++) {
        arc_rod *r = &a->rods[i];
        cdg_rod_correction found;
        if (!r->path->solve(r->memory, set_time, &r->loads, a->time, 1e-6 * a->way, r->correction, r->rate, &found))
            return false;
        if (found.residual * a->force >= a->residual * found.force)
            a->residual = found.residual, a->force = found.force;
        a->move = fmax(a->move, found.move / r->rod->length);
    }
    return true;
}

// By `change` of time and a direction made of corrections, rates and tangents.
static bool advance(arc *a, double correction, double rate, double tangent, double change) {
    for (size_t i = 0; i < a->rod_count; i++) {
        arc_rod *r = &a->rods[i];
        for (size_t k = 0; k < r->path->size(r->rod); k++)
            r->step[k] = correction * r->correction[k] + rate * r->rate[k] + tangent * r->tangent[k];
        if (!r->path->advance(r->memory, r->step)) return false;
    }
    a->time += change;
    return true;
}

static void record(arc *a, int iteration) {
    cdg_equilibrium_report *e = &a->report->equilibrium;
    e->history[iteration % CDG_HISTORY_SIZE] = a->residual;
    e->history_count = iteration + 1;
}

// ---- one point ------------------------------------------------------------------------------------------------------

// The next tangent: along the rates, forward as the one before; returns its cosine with that one.
static double turn_tangent(arc *a, bool is_first) {
    double along = dot(a, TANGENT, RATE) * a->way + a->time_tangent; // with rates per part of the way
    double length = sqrt(dot(a, RATE, RATE) * a->way * a->way + 1);
    double sign = is_first || along >= 0 ? 1 : -1;
    a->time_next = sign / length;
    for (size_t i = 0; i < a->rod_count; i++) {
        const arc_rod *r = &a->rods[i];
        for (size_t k = 0; k < r->path->size(r->rod); k++) r->next[k] = sign * a->way / length * r->rate[k];
    }
    return is_first ? 1 : sign * along / length;
}

static void take_tangent(arc *a) {
    a->time_tangent = a->time_next;
    for (size_t i = 0; i < a->rod_count; i++) {
        double *held = a->rods[i].tangent;
        a->rods[i].tangent = a->rods[i].next;
        a->rods[i].next = held;
    }
}

// Newton across the tangent, or at a fixed time. The rates belong to the point when it is found.
static bool correct(arc *a, bool is_fixed, double time, int *iterations) {
    double before = INFINITY;
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        (*iterations)++;
        if (!solve(a)) return false;
        record(a, i);
        double across = dot(a, TANGENT, RATE) * a->way + a->time_tangent;
        double change = is_fixed ? time - a->time : -dot(a, TANGENT, CORRECTION) / across * a->way;
        if (!isfinite(change)) return false;
        bool is_done = a->move <= done_move && fabs(change) <= done_move * a->way && a->residual <= balance * a->force;
        // Rounding leaves something in stiff rods: what no longer falls is as good as it gets.
        bool is_rounding = i > 2 && a->move <= 1e-6 && a->move >= before / 2 && a->residual <= balance * a->force;
        if (is_done || is_rounding) return true;
        if (i > 3 && !(a->move < 10 * before)) return false;
        before = a->move;
        if (!advance(a, 1, change, 0, change)) return false;
        if (is_fixed && i == 0) a->time = time;
    }
    return false;
}

static cdg_result accept(arc *a, int iterations) {
    cdg_path_report *report = a->report;
    cdg_world *world = a->world;
    for (size_t i = 0; i < a->rod_count; i++) {
        a->rods[i].path->finish(a->rods[i].memory);
        cdg_supports_collect(world, a->rods[i].loads.index, a->time);
    }
    world->step_index++;
    cdg_static_set_time(world, a->time);
    cdg_equilibrium_report *e = &report->equilibrium;
    report->time = a->time;
    report->earliest = fmin(report->earliest, a->time);
    report->step_count++;
    e->iterations = iterations;
    e->residual = a->residual;
    e->force = a->force;
    e->lowest = a->lowest;
    e->is_stable = a->is_stable;
    cdg_result apart = cdg_static_check_apart(world);
    if (apart != CDG_OK) return apart;
    if (a->def->on_step == NULL || a->def->on_step(a->def->user, report)) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_INTERRUPTED, "stopped on request at %g s of %g s", a->time, a->def->end);
}

// ---- the path -------------------------------------------------------------------------------------------------------

static cdg_result fail_arc(const arc *a, const char *what) {
    char history[300] = "";
    size_t used = 0;
    const cdg_equilibrium_report *e = &a->report->equilibrium;
    for (int i = 0; i < e->history_count && used < sizeof history - 16; i++)
        used += (size_t)snprintf(history + used, sizeof history - used, "%s%.1e", i > 0 ? ", " : "", e->history[i]);
    return cdg_fail(&a->world->error, CDG_ERROR_NO_CONVERGENCE,
                    "%s after %d steps along the path, at %g s of %g s; unbalanced forces of the last corrections, N: "
                    "%s. Shorter outputs make shorter steps; a small imperfection leads past branches; path: stable "
                    "looks for stable equilibria only",
                    what, a->report->step_count, a->report->time, a->def->end, history);
}

// One step of this length along the arc, from the point at `time`. The rates must be those of that point.
static bool try_step(arc *a, double length, bool *is_last, double *cosine, int *iterations) {
    *is_last = false;
    *cosine = 1;
    if (!advance(a, 0, 0, length, length * a->time_tangent * a->way)) return false;
    if (!correct(a, false, 0, iterations)) return false;
    if (a->time >= a->def->end) {
        *is_last = true;
        return correct(a, true, a->def->end, iterations);
    }
    *cosine = turn_tangent(a, false);
    return true;
}

// A rod whose symmetry is broken by side forces loses or finds its stability at limits of the load only. Elsewhere the
// step has leapt to another branch.
static bool has_leapt(const arc *a, bool is_last) {
    bool has_turned = !is_last && a->time_tangent * a->time_next < 0;
    return a->is_stable != a->report->equilibrium.is_stable && !has_turned;
}

static cdg_result walk(arc *a) {
    cdg_path_report *report = a->report;
    if (!start(a) || !solve(a)) return fail_arc(a, "no tangent was found");
    turn_tangent(a, true);
    take_tangent(a);
    // As far in time as asked, as long as the load rules, and never farther than the limit of moves.
    double part = a->def->step > 0 ? fmin(a->def->step / a->way, 1) : 0.02;
    double longest = fmin(part / fmax(a->time_tangent, part / move_limit), move_limit), length = longest;
    for (;;) {
        double time = a->time, cosine;
        int iterations = 0;
        bool is_last;
        cdg_world_snapshot_save(a->world, a->saved);
        for (;;) {
            bool is_found = try_step(a, length, &is_last, &cosine, &iterations);
            if (is_found) {
                cdg_result result = cdg_static_lowest(a->world, a->time, a->begin, a->sides, &a->lowest, &a->is_stable);
                if (result != CDG_OK) return result;
            }
            bool is_bent = cosine < bent || (a->sides != NULL && is_found && has_leapt(a, is_last));
            if (is_found && !(is_bent && length > 1e-3 * longest)) break;
            report->halvings++;
            length /= 2;
            cdg_world_snapshot_load(a->world, a->saved);
            a->time = time;
            if (length < smallest * longest) return fail_arc(a, "no next equilibrium was found");
            if (!start(a) || !solve(a)) return fail_arc(a, "the last equilibrium was not found again");
        }
        report->iterations += iterations;
        if (has_leapt(a, is_last)) report->branch_count++;
        if (!is_last) {
            if (a->time_tangent * a->time_next < 0) report->turn_count++, report->snap_time = a->time;
            take_tangent(a);
        }
        cdg_result result = accept(a, iterations);
        bool is_enough = a->def->turn_limit > 0 && report->turn_count >= a->def->turn_limit;
        if (result != CDG_OK || is_last || is_enough) return result;
        if (a->time < a->begin - a->way) // loads are reversed there, and at their end
            return fail_arc(a, "the path asks for a reversed load beyond the one at its end");
        if (report->step_count >= a->def->step_limit) return fail_arc(a, "all steps are used up");
        if (cosine >= straight && iterations <= QUICK_ITERATIONS) length = fmin(1.5 * length, longest);
        if (!solve(a)) return fail_arc(a, "no tangent was found");
    }
}

// ---- making and freeing ---------------------------------------------------------------------------------------------

static void close_arc(arc *a) {
    for (size_t i = 0; a->rods != NULL && i < a->rod_count; i++) {
        arc_rod *r = &a->rods[i];
        if (r->path != NULL) r->path->close(r->memory);
        static_loads_close(&r->loads);
        free(r->block);
    }
    free(a->rods);
    free(a->saved);
}

static cdg_result open_arc(arc *a) {
    cdg_world *world = a->world;
    if (world->object_count > 0)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "%s '%s' cannot be followed by arc length; path: stable needs no more than equilibria",
                        world->objects[0].operations->kind, world->objects[0].operations->name(world->objects[0].self));
    a->rods = calloc(world->rod_count > 0 ? world->rod_count : 1, sizeof *a->rods);
    a->saved = malloc((cdg_world_snapshot_size(world) + 1) * sizeof *a->saved);
    bool has_memory = a->rods != NULL && a->saved != NULL;
    for (uint32_t i = 0; has_memory && i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        if (rod->model->statics.path == NULL)
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "rod '%s': model '%s' cannot be followed by arc length; model 'der' can, and path: stable "
                            "needs no more than equilibria",
                            rod->name, rod->model->name);
        arc_rod *r = &a->rods[a->rod_count++];
        r->rod = rod;
        r->path = rod->model->statics.path;
        has_memory = static_loads_open(&r->loads, world, i);
        r->loads.begin = a->begin;
        r->loads.side = a->sides != NULL ? a->sides[i] : NULL;
        size_t size = r->path->size(rod);
        r->block = calloc(5 * size, sizeof *r->block);
        has_memory = has_memory && r->block != NULL && (r->memory = r->path->open(rod, &r->loads.loads)) != NULL;
        if (!has_memory) break;
        double **directions[5] = {&r->correction, &r->rate, &r->tangent, &r->next, &r->step};
        for (size_t k = 0; k < 5; k++) *directions[k] = r->block + k * size;
    }
    if (!has_memory) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to follow a path");
    return CDG_OK;
}

cdg_result cdg_static_follow_arc(cdg_world *world, const cdg_path_def *def, double begin, double *const *sides,
                                 cdg_path_report *report) {
    arc a = {.world = world, .def = def, .report = report, .begin = begin, .way = def->end - begin, .sides = sides};
    a.time = begin;
    cdg_result result = open_arc(&a);
    if (result == CDG_OK && a.rod_count > 0) result = walk(&a);
    close_arc(&a);
    return result;
}
