// Equilibria followed while time, which is then only a parameter of loads and supports, goes on: steps that fail or go
// too far are halved, and grow again. By arc length: world_arc.c.
#include "base/error.h"
#include "math/random.h"
#include "math/vec3.h"
#include "world/world_static.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Parts of the longest step are counted in 2^-HALVINGS_MAX of it: times at its multiples are exact.
enum { HALVINGS_MAX = 12, SNAP_HALVINGS = 7 };

static const double turn_limit = 0.8; // rad: a support that turns further in one step may lose a turn of twist
// A rod that moves by more than this part of its length, and more than its supports, goes too far; in the shortest of
// steps, where a buckling rod moves by a hundredth at most, it has jumped.
static const double jump_limit = 0.04;

cdg_path_def cdg_path_def_default(void) {
    return (cdg_path_def){.kind = CDG_PATH_STABLE, .end = 1, .step = 0.02, .step_limit = 1000};
}

// ---- side forces ----------------------------------------------------------------------------------------------------

static void free_sides(const cdg_world *world, double **sides) {
    for (size_t i = 0; sides != NULL && i < world->rod_count; i++) free(sides[i]);
    free(sides);
}

// A few waves along the rod with random directions, so that no symmetry is left: their sum is about
// share * stiffness/length^2.
static void set_side(const cdg_rod *rod, double share, cdg_random *random, double *out) {
    enum { WAVES = 5 };
    double stiffness = fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]), along = 0;
    double force = share * stiffness / (rod->length * rod->length);
    cdg_vec3 wave[2 * WAVES];
    for (int w = 0; w < 2 * WAVES; w++)
        wave[w] = vec3(random_in(random, -1, 1), random_in(random, -1, 1), random_in(random, -1, 1));
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 sum = vec3(0, 0, 0);
        for (int w = 0; w < WAVES; w++) {
            double phase = (w + 1) * 3.141592653589793 * along / rod->length;
            sum = vec3_mad(sum, sin(phase) / (w + 1), wave[2 * w]);
            sum = vec3_mad(sum, cos(phase) / (w + 1), wave[2 * w + 1]);
        }
        sum = vec3_scale(force * rod_cell_length(rod, i) / rod->length, sum);
        out[i] = sum.x, out[rod->node_count + i] = sum.y, out[2 * rod->node_count + i] = sum.z;
        if (i < rod->element_count) along += rod->rest_length[i];
    }
}

static double **make_sides(const cdg_world *world, const cdg_path_def *def) {
    double **sides = calloc(world->rod_count > 0 ? world->rod_count : 1, sizeof *sides);
    cdg_random random = {def->seed + 1};
    for (size_t i = 0; sides != NULL && i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        sides[i] = malloc(3 * rod->node_count * sizeof **sides);
        if (sides[i] == NULL) {
            free_sides(world, sides);
            return NULL;
        }
        set_side(rod, def->imperfection, &random, sides[i]);
    }
    return sides;
}

// ---- one step -------------------------------------------------------------------------------------------------------

typedef struct path {
    cdg_world *world;
    const cdg_path_def *def;
    double *const *sides;
    double *saved;   // snapshot of the last good equilibrium
    cdg_vec3 *nodes; // of all rods there
    double begin;
    cdg_path_report *report;
} path;

static double largest_turn(const cdg_world *world, double from, double to) {
    double most = 0;
    for (size_t i = 0; i < world->support_count; i++)
        most = fmax(most, cdg_support_turn(&world->supports[i], from, to));
    return most;
}

static double largest_support_move(const cdg_world *world, double from, double to) {
    double most = 0;
    for (size_t i = 0; i < world->support_count; i++) {
        cdg_vec3 position[2];
        cdg_quat frame;
        cdg_support_pose(&world->supports[i], from, &position[0], &frame);
        cdg_support_pose(&world->supports[i], to, &position[1], &frame);
        most = fmax(most, vec3_distance(position[0], position[1]));
    }
    return most;
}

static size_t count_nodes(const cdg_world *world) {
    size_t count = 0;
    for (size_t r = 0; r < world->rod_count; r++)
        count += world->rods[r].rod != NULL ? world->rods[r].rod->node_count : 0;
    return count;
}

static void keep_nodes(const path *p) {
    cdg_vec3 *kept = p->nodes;
    for (size_t r = 0; r < p->world->rod_count; r++) {
        const cdg_rod *rod = p->world->rods[r].rod;
        for (size_t i = 0; rod != NULL && i < rod->node_count; i++) *kept++ = rod_vec3(rod->x, i);
    }
}

// Largest move of a node since keep_nodes, in rod lengths beyond `allowed` metres.
static double largest_jump(const path *p, double allowed) {
    const cdg_vec3 *kept = p->nodes;
    double most = 0;
    for (size_t r = 0; r < p->world->rod_count; r++) {
        const cdg_rod *rod = p->world->rods[r].rod;
        for (size_t i = 0; rod != NULL && i < rod->node_count; i++)
            most = fmax(most, (vec3_distance(*kept++, rod_vec3(rod->x, i)) - allowed) / rod->length);
    }
    return most;
}

static cdg_result tell(const path *p) {
    const cdg_path_def *def = p->def;
    cdg_result apart = cdg_static_check_apart(p->world);
    if (apart != CDG_OK) return apart;
    if (def->on_step == NULL || def->on_step(def->user, p->report)) return CDG_OK;
    return cdg_fail(&p->world->error, CDG_ERROR_INTERRUPTED, "stopped on request at %g s of %g s", p->report->time,
                    def->end);
}

static cdg_result give_up(const path *p, double time) {
    char reason[CDG_MESSAGE_SIZE];
    memcpy(reason, p->world->error.message, sizeof reason);
    reason[CDG_MESSAGE_SIZE - 1] = '\0';
    return cdg_fail(&p->world->error, p->world->error.code,
                    "the equilibrium at %g s leads to none at %g s, however short the step: %.700s", p->report->time,
                    time, reason);
}

// ---- stable equilibria ----------------------------------------------------------------------------------------------

static cdg_result follow_stable(path *p) {
    cdg_world *world = p->world;
    cdg_path_report *report = p->report;
    double way = p->def->end - p->begin, step = p->def->step > 0 ? fmin(p->def->step, way) : way / 50;
    double count = ceil(way / step * (1 - 1e-9)); // all steps alike, so that the last one ends where it should
    const unsigned whole = 1u << HALVINGS_MAX;
    unsigned part = whole;
    cdg_result result = CDG_OK;
    for (double done = 0; done < count && result == CDG_OK;) { // in whole steps; exact
        double next = done + (double)part / whole;
        double time = next == count ? p->def->end : p->begin + way * (next / count);
        if (part > 1 && largest_turn(world, report->time, time) > turn_limit) {
            part /= 2;
            continue;
        }
        cdg_world_snapshot_save(world, p->saved);
        keep_nodes(p);
        cdg_equilibrium_report found;
        result = cdg_static_settle(world, time, p->begin, p->sides, &found);
        report->iterations += found.iterations;
        double jump = result == CDG_OK ? largest_jump(p, 2 * largest_support_move(world, report->time, time)) : 0;
        bool has_jumped = jump > jump_limit;
        if ((result == CDG_ERROR_NO_CONVERGENCE && part > 1) || (has_jumped && part > whole >> SNAP_HALVINGS)) {
            cdg_world_snapshot_load(world, p->saved);
            part /= 2;
            report->halvings++;
            result = CDG_OK;
            continue;
        }
        report->equilibrium = found;
        if (result != CDG_OK) {
            cdg_world_snapshot_load(world, p->saved);
            return result == CDG_ERROR_NO_CONVERGENCE ? give_up(p, time) : result;
        }
        if (has_jumped) report->snap_count++, report->snap_time = time;
        done = next;
        world->step_index++;
        cdg_static_set_time(world, time);
        report->time = time;
        report->step_count++;
        result = tell(p);
        while (part < whole && fmod(done * whole, 2.0 * part) == 0) part *= 2;
        if (result == CDG_OK && done < count && report->step_count >= p->def->step_limit)
            return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE,
                            "%d steps are used up at %g s of %g s (%d were divided); allow more, or longer ones",
                            report->step_count, time, p->def->end, report->halvings);
    }
    return result;
}

// ---- both -----------------------------------------------------------------------------------------------------------

static cdg_result begin_path(path *p) {
    cdg_path_report *report = p->report;
    cdg_world *world = p->world;
    report->time = p->begin;
    cdg_result result = cdg_static_settle(world, p->begin, p->begin, p->sides, &report->equilibrium);
    report->iterations = report->equilibrium.iterations;
    cdg_static_set_time(world, p->begin);
    if (result != CDG_OK) return result;
    return tell(p);
}

static cdg_result check_path(cdg_world *world, const cdg_path_def *def) {
    if (!(def->end >= world->time) || !isfinite(def->end))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the path ends at %g s, before it begins at %g s", def->end,
                        world->time);
    if (!(def->step >= 0) || def->step_limit < 1 || !(def->imperfection >= 0) || (int)def->kind < 0 ||
        def->kind >= CDG_PATH_KIND_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "a path needs a step of at least 0 (not %g s), at least one step (not %d), an imperfection of "
                        "at least 0 (not %g) and a kind",
                        def->step, def->step_limit, def->imperfection);
    return cdg_static_check(world);
}

cdg_result cdg_world_follow_path(cdg_world *world, const cdg_path_def *def, cdg_path_report *report) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_path_report own;
    if (report == NULL) report = &own;
    *report = (cdg_path_report){.time = world->time, .snap_time = NAN, .earliest = world->time};
    cdg_error_clear(&world->error);
    cdg_result result = check_path(world, def);
    if (result != CDG_OK) return result;
    double **sides = def->imperfection > 0 ? make_sides(world, def) : NULL;
    path p = {.world = world, .def = def, .sides = sides, .begin = world->time, .report = report};
    p.saved = malloc((cdg_world_snapshot_size(world) + 1) * sizeof *p.saved);
    p.nodes = malloc((count_nodes(world) + 1) * sizeof *p.nodes);
    if (p.saved == NULL || p.nodes == NULL || (def->imperfection > 0 && sides == NULL))
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to follow a path");
    if (result == CDG_OK) result = begin_path(&p);
    if (result == CDG_OK && def->end > p.begin)
        result = def->kind == CDG_PATH_STABLE ? follow_stable(&p)
                                              : cdg_static_follow_arc(world, def, p.begin, sides, report);
    free(p.saved);
    free(p.nodes);
    free_sides(world, sides);
    return result;
}
