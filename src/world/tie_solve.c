// One step of solids with the rods that are tied to them.
//
// Unknown is the pose of each tied section at the end of the step. A trial holds the rods there, their models predict
// what that takes, the solids are predicted with the opposite of it, and the places in them must come to the trial.
// Newton's method finds it: with S how the rods' reactions answer moves of the sections (by differences) and C how the
// places answer forces (through the solids' own systems), I + C S takes moves to gaps. Its inverse is kept from step to
// step and corrected by Broyden's formula. What the solid gets is the opposite of what the rod felt, by the same rule
// from force to momentum, so that momentum is kept however far the iteration went.
#include "base/error.h"
#include "base/parallel.h"
#include "math/general_inverse.h"
#include "solids/solid_system.h"
#include "world/solid_object.h"
#include "world/tie_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS_MAX = 600 }; // of all ties: the system is dense

// ---- memory ---------------------------------------------------------------------------------------------------------

size_t cdg_ties_way_count(const cdg_world *world) {
    size_t sum = 0;
    for (size_t i = 0; i < world->tie_count; i++) sum += world->ties[i].way_count;
    return sum;
}

static void forget_solid(world_solid *entry) {
    for (int k = 0; k < 3; k++) memset(entry->solid.touch[k], 0, entry->solid.node_count * sizeof(double));
    free(entry->tied);
    entry->tied = NULL;
    entry->tied_count = 0;
    entry->solid.is_tied = false;
}

void cdg_ties_forget(cdg_world *world) {
    struct world_ties *work = world->ties_work;
    for (size_t i = 0; i < world->solid_count; i++)
        if (world->solids[i]->tied != NULL) forget_solid(world->solids[i]);
    if (work == NULL) return;
    cdg_tie_yields_free(work);
    free(work->inverse);
    free(work->stiffness);
    free(work->best);
    free(work->order);
    free(work->units);
    free(work->solids);
    free(work);
    world->ties_work = NULL;
    world_renew(world);
}

// Four nodes of each tie, for the forces on its solid.
static bool list_nodes(cdg_world *world, struct world_ties *work) {
    for (size_t i = 0; i < world->tie_count; i++) {
        world_tie *tie = &world->ties[i];
        world_solid *entry = world->solids[tie->solid];
        solid_tied *grown = realloc(entry->tied, (entry->tied_count + 4) * sizeof *grown);
        if (grown == NULL) return false;
        if (entry->tied_count == 0) work->solids[work->solid_count++] = tie->solid;
        entry->tied = grown;
        entry->solid.is_tied = true;
        tie->node = entry->tied_count;
        for (int c = 0; c < 4; c++)
            grown[entry->tied_count++] = (solid_tied){.node = entry->solid.tetrahedra[tie->place.tetrahedron][c]};
    }
    return true;
}

static bool allocate(cdg_world *world, struct world_ties *work) {
    size_t n = work->size, ties = world->tie_count;
    work->inverse = calloc(n * n, sizeof(double));
    work->stiffness = calloc(3 * n * n + 4 * n, sizeof(double));
    work->best = malloc(ties * sizeof *work->best);
    work->order = malloc(ties * sizeof *work->order);
    work->units = malloc(ties * sizeof *work->units);
    work->solids = malloc(ties * sizeof *work->solids);
    if (work->inverse == NULL || work->stiffness == NULL || work->best == NULL || work->order == NULL ||
        work->units == NULL || work->solids == NULL)
        return false;
    work->compliance = work->stiffness + n * n;
    work->matrix = work->compliance + n * n;
    work->gap = work->matrix + n * n;
    work->best_gap = work->gap + n, work->move = work->gap + 2 * n, work->spare = work->gap + 3 * n;
    return list_nodes(world, work);
}

cdg_result cdg_ties_reserve(cdg_world *world) {
    if (world->tie_count == 0 || world->ties_work != NULL) return CDG_OK;
    size_t size = 0;
    for (size_t i = 0; i < world->tie_count; i++) {
        world->ties[i].first_way = size;
        size += world->ties[i].way_count;
    }
    if (size > WAYS_MAX)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "%zu ties of rods to solids are too many: all of them are solved at once, and there may be %d "
                        "that hold frames or %d that do not",
                        world->tie_count, WAYS_MAX / 6, WAYS_MAX / 3);
    world->ties_work = calloc(1, sizeof *world->ties_work);
    if (world->ties_work != NULL) world->ties_work->size = size;
    if (world->ties_work != NULL && allocate(world, world->ties_work)) return CDG_OK;
    cdg_ties_forget(world);
    return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for ties of rods to solids");
}

static bool is_of_team(const cdg_world *world, const world_tie *tie, const world_team *team) {
    for (size_t i = 0; i < team->count; i++)
        if (cdg_team_rod(world, team, i) == tie->def.place.rod.index1 - 1) return true;
    return false;
}

cdg_result cdg_ties_find_teams(cdg_world *world) {
    cdg_result result = cdg_ties_reserve(world);
    struct world_ties *work = world->ties_work;
    if (result != CDG_OK || work == NULL) return result;
    size_t count = 0;
    cdg_tie_yields_free(work);
    work->unit_count = 0;
    for (uint32_t t = 0; t < world->team_count; t++) {
        if (!world->teams[t].has_tie) continue;
        if (world->teams[t].has_weld)
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "of rods that are joined to '%s' one is tied to a solid and one welded to a body, which "
                            "cannot be solved together; clamp it instead of welding it to a fixed body",
                            world->rods[cdg_team_rod(world, &world->teams[t], 0)].rod->name);
        tie_unit *unit = &work->units[work->unit_count++];
        *unit = (tie_unit){.team = t, .first = count};
        for (uint32_t i = 0; i < world->tie_count; i++)
            if (is_of_team(world, &world->ties[i], &world->teams[t])) work->order[count++] = i;
        unit->count = count - unit->first;
    }
    assert(count == world->tie_count);
    return CDG_OK;
}

// ---- one kind of step for all ---------------------------------------------------------------------------------------

static bool is_rod_second(const cdg_rod *rod, double step) {
    return rod->x_before[0] != NULL && rod->has_history && rod->history_step == step;
}
static bool is_solid_second(const cdg_solid *s, double step) {
    return s->x_before[0] != NULL && s->has_history && fabs(s->history_step - step) < 1e-9 * step;
}

static cdg_rod *rod_of(const cdg_world *world, const world_team *team, size_t i) {
    return world->rods[cdg_team_rod(world, team, i)].rod;
}

// BDF2 if all that is tied together goes on from two states, else Euler's: a force changes the momentum of both alike.
static void choose_rule(cdg_world *world, struct world_ties *work, double step) {
    bool is_second = true;
    for (size_t u = 0; u < work->unit_count; u++)
        for (size_t i = 0; i < world->teams[work->units[u].team].count; i++)
            is_second = is_second && is_rod_second(rod_of(world, &world->teams[work->units[u].team], i), step);
    for (size_t i = 0; i < work->solid_count; i++)
        is_second = is_second && is_solid_second(&world->solids[work->solids[i]]->solid, step);
    if (is_second) return;
    for (size_t u = 0; u < work->unit_count; u++)
        for (size_t i = 0; i < world->teams[work->units[u].team].count; i++)
            rod_of(world, &world->teams[work->units[u].team], i)->has_history = false;
    for (size_t i = 0; i < work->solid_count; i++) world->solids[work->solids[i]]->solid.has_history = false;
}

// ---- a trial --------------------------------------------------------------------------------------------------------

// What the rods exert on the solids, at the corners of the places with nodes at x.
static void push_solids(cdg_world *world, bool of_candidate) {
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        world_solid *entry = world->solids[tie->solid];
        const cdg_solid *s = &entry->solid;
        double *const *x = of_candidate ? s->x_next : s->x;
        cdg_quat rotation = cdg_solid_place_rotation(s, x, &tie->place, tie->rotation);
        cdg_vec3 force[4];
        cdg_solid_place_forces(s, x, &tie->place, rotation, vec3_scale(-1, tie->trial.force),
                               vec3_scale(-1, tie->trial.moment), force);
        for (size_t c = 0; c < 4; c++) entry->tied[tie->node + c].force = force[c];
    }
}

static const cdg_hold *hold_of(const cdg_world *world, const world_tie *tie) {
    const cdg_rod *rod = world->rods[tie->def.place.rod.index1 - 1].rod;
    size_t h = 0, node = rod_user_node(rod, tie->def.place.index);
    while (h + 1 < rod->hold_count && rod->holds[h].node != node) h++;
    assert(rod->hold_count > 0 && rod->holds[h].node == node); // a tie's support always acts
    return &rod->holds[h];
}

static void read_reaction(const cdg_world *world, const world_tie *tie, cdg_vec3 *force, cdg_vec3 *moment) {
    const cdg_hold *hold = hold_of(world, tie);
    *force = hold->force;
    *moment = tie->def.turns ? vec3(0, 0, 0) : hold->moment;
}

static void try_unit(void *user, size_t index, int thread) {
    cdg_world *world = user;
    struct world_ties *work = world->ties_work;
    tie_unit *unit = &work->units[index];
    unit->has_failed = !cdg_step_predict_team(work->context, unit->team, thread);
    for (size_t k = 0; k < unit->count && !unit->has_failed; k++) {
        world_tie *tie = &world->ties[work->order[unit->first + k]];
        read_reaction(world, tie, &tie->trial.force, &tie->trial.moment);
    }
}

static bool run_units(cdg_world *world, void (*what)(void *user, size_t index, int thread)) {
    struct world_ties *work = world->ties_work;
    cdg_parallel_for(work->unit_count, work->unit_count > 1 ? world->scratch_count : 1, what, world);
    for (size_t u = 0; u < work->unit_count; u++)
        if (work->units[u].has_failed) return false;
    return true;
}

static cdg_result predict_solids(cdg_world *world) {
    struct world_ties *work = world->ties_work;
    uint32_t *indices = work->solids;
    for (size_t i = 0; i < work->solid_count; i++) indices[i] += (uint32_t)world->rod_count;
    cdg_result result = cdg_objects_predict_again(work->context, indices, work->solid_count);
    for (size_t i = 0; i < work->solid_count; i++) indices[i] -= (uint32_t)world->rod_count;
    return result;
}

static void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
static cdg_vec3 take(const double *from) { return vec3(from[0], from[1], from[2]); }

// Where the section would be in the solids' candidates.
static tie_state place_in_candidate(const cdg_world *world, const world_tie *tie) {
    const cdg_solid *s = &world->solids[tie->solid]->solid;
    cdg_quat rotation = cdg_solid_place_rotation(s, s->x_next, &tie->place, tie->rotation);
    return (tie_state){.position = cdg_solid_place_at(s, s->x_next, &tie->place),
                       .frame = quat_normalize(quat_multiply(rotation, tie->turn))};
}

// From the trial to where the solids come to; returns the largest gap, in lengths of ties and radians.
static double find_gaps(const cdg_world *world, struct world_ties *work) {
    double largest = 0;
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        tie_state end = place_in_candidate(world, tie);
        cdg_vec3 move = vec3_sub(end.position, tie->trial.position), turn = vec3(0, 0, 0);
        put(work->gap + tie->first_way, move);
        if (!tie->def.turns) {
            turn = quat_log(quat_multiply(end.frame, quat_conjugate(tie->trial.frame)));
            put(work->gap + tie->first_way + 3, vec3_scale(tie->length, turn));
        }
        double gap = fmax(vec3_norm(move) / tie->length, vec3_norm(turn));
        largest = isfinite(gap) ? fmax(largest, gap) : HUGE_VAL;
    }
    return largest;
}

// The gap of the trials as they are; infinite where something cannot follow.
static double try_all(cdg_world *world) {
    if (!run_units(world, try_unit)) return HUGE_VAL;
    push_solids(world, true);
    return predict_solids(world) == CDG_OK ? find_gaps(world, world->ties_work) : HUGE_VAL;
}

// ---- the system -----------------------------------------------------------------------------------------------------

// How reactions answer moves of the sections, by differences about the trial. Predictions are then those of the last
// difference.
static void measure_unit(void *user, size_t index, int thread) {
    cdg_world *world = user;
    struct world_ties *work = world->ties_work;
    tie_unit *unit = &work->units[index];
    cdg_tie_yield_begin(world, unit);
    for (size_t k = 0, number = 0; k < unit->count; k++) {
        world_tie *moved = &world->ties[work->order[unit->first + k]];
        tie_state kept = moved->trial;
        for (size_t way = 0; way < moved->way_count; way++) {
            double size = 1e-5 * moved->length, by[3] = {0};
            by[way % 3] = way < 3 ? size : 1e-5;
            if (way < 3)
                moved->trial.position = vec3_add(kept.position, take(by));
            else
                moved->trial.frame = quat_multiply(quat_exp(take(by)), kept.frame);
            unit->has_failed = !cdg_step_predict_team(work->context, unit->team, thread);
            moved->trial = kept;
            if (unit->has_failed) return;
            cdg_tie_yield_record(world, unit, number++, size);
            for (size_t l = 0; l < unit->count; l++) {
                const world_tie *other = &world->ties[work->order[unit->first + l]];
                cdg_vec3 force, moment;
                read_reaction(world, other, &force, &moment);
                double change[6];
                put(change, vec3_scale(1 / size, vec3_sub(force, other->trial.force)));
                put(change + 3, vec3_scale(1 / size, vec3_sub(moment, other->trial.moment)));
                for (size_t i = 0; i < other->way_count; i++)
                    work->stiffness[(other->first_way + i) * work->size + moved->first_way + way] = change[i];
            }
        }
    }
}

// How the places of a solid answer a force or moment at one of them, into a column of the compliance.
static void push_place(cdg_world *world, struct world_ties *work, const world_tie *pushed, size_t way) {
    cdg_solid *s = &world->solids[pushed->solid]->solid;
    cdg_solid_system *m = s->system;
    double unit[6] = {0};
    unit[way] = 1;
    cdg_vec3 force[4];
    cdg_quat rotation = cdg_solid_place_rotation(s, s->x_next, &pushed->place, pushed->rotation);
    cdg_solid_place_forces(s, s->x_next, &pushed->place, rotation, take(unit), take(unit + 3), force);
    memset(m->right, 0, 3 * s->node_count * sizeof(double));
    for (int c = 0; c < 4; c++) {
        size_t node = s->tetrahedra[pushed->place.tetrahedron][c];
        if (!s->is_held[node]) put(m->right + 3 * node, force[c]);
    }
    cdg_solid_respond(s, world->thread_count);
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        if (tie->solid != pushed->solid) continue;
        cdg_vec3 moves[4], move, turn;
        for (int c = 0; c < 4; c++) moves[c] = take(m->move + 3 * (size_t)s->tetrahedra[tie->place.tetrahedron][c]);
        cdg_quat own = cdg_solid_place_rotation(s, s->x_next, &tie->place, tie->rotation);
        cdg_solid_place_moves(s, s->x_next, &tie->place, own, moves, &move, &turn);
        double out[6];
        put(out, move);
        put(out + 3, vec3_scale(tie->length, turn));
        for (size_t k = 0; k < tie->way_count; k++)
            work->compliance[(tie->first_way + k) * work->size + pushed->first_way + way] = out[k];
    }
}

static bool measure_solids(cdg_world *world, struct world_ties *work) {
    cdg_error error = {0};
    memset(work->compliance, 0, work->size * work->size * sizeof(double));
    for (size_t i = 0; i < work->solid_count; i++)
        if (cdg_solid_keep_response(&world->solids[work->solids[i]]->solid, world->thread_count, &error) != CDG_OK)
            return false;
    for (size_t i = 0; i < world->tie_count; i++)
        for (size_t way = 0; way < world->ties[i].way_count; way++) push_place(world, work, &world->ties[i], way);
    return true;
}

// False: the system is singular.
static bool invert(struct world_ties *work) {
    size_t n = work->size;
    memset(work->matrix, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double *row = work->matrix + i * n;
        for (size_t l = 0; l < n; l++) {
            double give = work->compliance[i * n + l];
            for (size_t k = 0; k < n && give != 0; k++) row[k] += give * work->stiffness[l * n + k];
        }
        row[i] += 1;
    }
    return general_invert(work->matrix, n, work->inverse);
}

// About the trial as it was just tried; predictions are then those of differences.
static bool measure(cdg_world *world, struct world_ties *work) {
    memset(work->stiffness, 0, work->size * work->size * sizeof(double));
    work->is_known = run_units(world, measure_unit) && measure_solids(world, work) && invert(work);
    work->step = work->context->step;
    return work->is_known;
}

static void multiply(const struct world_ties *work, const double *x, double *out) {
    for (size_t i = 0; i < work->size; i++) {
        out[i] = 0;
        for (size_t k = 0; k < work->size; k++) out[i] += work->inverse[i * work->size + k] * x[k];
    }
}

// Broyden's correction: the last move has closed the gap by `closed`, and the inverse should take that to the move.
static void learn(struct world_ties *work, const double *closed) {
    size_t n = work->size;
    double *found = work->spare, *row = work->matrix, along = 0; // the matrix is free
    multiply(work, closed, found);
    for (size_t i = 0; i < n; i++) along += work->move[i] * found[i];
    double size = 0;
    for (size_t i = 0; i < n; i++) size += work->move[i] * work->move[i];
    if (!(fabs(along) > 1e-3 * size) || !(size > 0)) return;
    for (size_t k = 0; k < n; k++) {
        row[k] = 0;
        for (size_t i = 0; i < n; i++) row[k] += work->move[i] * work->inverse[i * n + k];
    }
    for (size_t i = 0; i < n; i++) {
        double missing = (work->move[i] - found[i]) / along;
        for (size_t k = 0; k < n; k++) work->inverse[i * n + k] += missing * row[k];
    }
}

// ---- solving --------------------------------------------------------------------------------------------------------

// Rods and solids agree when gaps are below 1e-9 of an element, or near it and no longer shrinking: solids know their
// places to some 1e-10 of an edge.
static const double gap_wanted = 1e-9, gap_accepted = 1e-7;

static void keep_best(const cdg_world *world, struct world_ties *work) {
    memcpy(work->best_gap, work->gap, work->size * sizeof(double));
    for (size_t i = 0; i < world->tie_count; i++) work->best[i] = world->ties[i].trial;
}

// Trials at a share of the move from the best ones.
static void place_trials(cdg_world *world, const struct world_ties *work, double share) {
    for (size_t i = 0; i < world->tie_count; i++) {
        world_tie *tie = &world->ties[i];
        const double *move = work->move + tie->first_way;
        tie->trial = work->best[i];
        tie->trial.position = vec3_mad(tie->trial.position, share, take(move));
        if (tie->def.turns) continue;
        cdg_vec3 turn = vec3_scale(share / tie->length, take(move + 3));
        tie->trial.frame = quat_normalize(quat_multiply(quat_exp(turn), tie->trial.frame));
    }
}

static cdg_result fail_to_meet(cdg_world *world, double gap) {
    return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE,
                    "solids and the rods tied to them found no common motion at t = %.9g s (a gap of %.2g element "
                    "lengths is left); use a shorter step",
                    world->ties_work->context->time, gap);
}

static cdg_result solve(cdg_world *world) {
    enum { TRIALS_MAX = 60, SOON = 2 };
    struct world_ties *work = world->ties_work;
    double best = HUGE_VAL, share = 1;
    int since_measured = 1;
    if (work->step != work->context->step) work->is_known = false;
    for (int i = 0; i < TRIALS_MAX; i++) {
        double gap = try_all(world);
        if (gap <= gap_wanted || (gap <= gap_accepted && gap > best / 4)) return CDG_OK;
        if (i == 0 && !isfinite(gap)) return fail_to_meet(world, gap); // the first guess itself
        bool is_better = gap<best, is_slow = gap> 0.2 * best;
        if (is_better) {
            if (i > 0 && work->is_known) {
                for (size_t k = 0; k < work->size; k++) work->move[k] *= share;
                for (size_t k = 0; k < work->size; k++) work->best_gap[k] -= work->gap[k];
                learn(work, work->best_gap);
            }
            best = gap;
            keep_best(world, work);
        } else if (since_measured == 0) { // with the system right there, the move was too long
            share /= 2;
            if (share < 1e-3) return fail_to_meet(world, best);
            place_trials(world, work, share);
            continue;
        } else { // what was learnt has led astray
            place_trials(world, work, 0);
            if (!isfinite(try_all(world))) return fail_to_meet(world, best);
        }
        bool is_measured = !is_better || !work->is_known || (is_slow && since_measured >= SOON);
        if (is_measured && !measure(world, work)) return fail_to_meet(world, best);
        since_measured = is_measured ? 0 : since_measured + 1;
        share = 1;
        multiply(work, work->best_gap, work->move);
        place_trials(world, work, 1);
    }
    return fail_to_meet(world, best);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

bool cdg_ties_keep_response(const cdg_world *world) {
    return world->ties_work != NULL && world->ties_work->keeps_response;
}

// Contact wants to know how rods answer, at the trials that were agreed on.
static bool keep_responses(cdg_world *world, struct world_ties *work) {
    if (!world_has_contact(world)) return true;
    if (!work->has_yields && cdg_tie_yields_are_wanted(world, work)) {
        if (!measure(world, work)) return false;
        cdg_tie_yields_finish(world, work);
        work->has_yields = true;
    }
    work->keeps_response = true;
    bool is_good = run_units(world, try_unit);
    work->keeps_response = false;
    return is_good;
}

static cdg_result agree(cdg_world *world, struct world_ties *work) {
    cdg_result result = solve(world);
    if (result == CDG_OK && !keep_responses(world, work)) result = fail_to_meet(world, 0);
    if (result == CDG_OK) return CDG_OK;
    cdg_error kept = world->error;
    cdg_result rod = cdg_step_failure(work->context); // its own words, where a rod has failed
    if (rod == CDG_OK) world->error = kept;
    cdg_ties_follow(world);
    return result;
}

void cdg_ties_begin(cdg_step_context *context) {
    cdg_world *world = context->world;
    struct world_ties *work = world->ties_work;
    if (work == NULL) return;
    work->context = context;
    work->has_yields = false;
    choose_rule(world, work, context->step);
    cdg_ties_follow(world);
    push_solids(world, false);
}

cdg_result cdg_ties_predict(cdg_step_context *context) {
    cdg_world *world = context->world;
    struct world_ties *work = world->ties_work;
    if (work == NULL) return CDG_OK;
    for (size_t i = 0; i < world->tie_count; i++) { // where the forces of the last step bring the solids
        tie_state guess = place_in_candidate(world, &world->ties[i]);
        world->ties[i].trial.position = guess.position;
        world->ties[i].trial.frame = guess.frame;
    }
    return agree(world, work);
}

static bool is_rod_tied(const cdg_world *world, size_t rod) {
    const world_rod *entry = &world->rods[rod];
    return entry->has_tie || (entry->is_in_net && world->teams[entry->team].has_tie);
}

static bool is_tied(const cdg_world *world, uint32_t object) {
    if (object < world->rod_count) return is_rod_tied(world, object);
    return cdg_world_ties_solid(world, object - (uint32_t)world->rod_count);
}

cdg_result cdg_ties_predict_again(cdg_step_context *context, const uint32_t *indices, size_t count) {
    cdg_world *world = context->world;
    struct world_ties *work = world->ties_work;
    bool is_any = false;
    for (size_t i = 0; i < count && work != NULL; i++) is_any = is_any || is_tied(world, indices[i]);
    if (!is_any) return CDG_OK;
    work->context = context;
    choose_rule(world, work, context->step);
    cdg_result result = agree(world, work);
    for (size_t i = 0; i < world->rod_count && result == CDG_OK; i++)
        if (world->rods[i].rod != NULL && is_rod_tied(world, i))
            cdg_pieces_reload(&world->contacts.pieces, i, context->step);
    for (size_t i = 0; i < work->solid_count && result == CDG_OK; i++)
        cdg_pieces_reload(&world->contacts.pieces, world->rod_count + work->solids[i], context->step);
    return result;
}

void cdg_ties_commit(cdg_world *world) {
    for (size_t i = 0; i < world->tie_count; i++) {
        world_tie *tie = &world->ties[i];
        const cdg_solid *s = &world->solids[tie->solid]->solid; // committed already: x is the candidate
        tie->now = tie->trial;
        tie->rotation = cdg_solid_place_rotation(s, s->x, &tie->place, tie->rotation);
    }
}

void cdg_ties_snapshot(cdg_world *world, cdg_object_pass pass, void *tape) {
    for (size_t i = 0; i < world->tie_count; i++) {
        world_tie *tie = &world->ties[i];
        cdg_vec3 *vectors[] = {&tie->now.position, &tie->now.force, &tie->now.moment};
        cdg_quat *turns[] = {&tie->now.frame, &tie->rotation};
        for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
            pass(tape, &vectors[k]->x, 1);
            pass(tape, &vectors[k]->y, 1);
            pass(tape, &vectors[k]->z, 1);
        }
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
            double *q[4] = {&turns[k]->w, &turns[k]->x, &turns[k]->y, &turns[k]->z};
            for (int c = 0; c < 4; c++) pass(tape, q[c], 1);
        }
    }
    struct world_ties *work = world->ties_work;
    if (work == NULL) return;
    double is_known = work->is_known;
    pass(tape, &is_known, 1);
    work->is_known = is_known != 0;
    pass(tape, &work->step, 1);
    pass(tape, work->inverse, work->size * work->size);
}
