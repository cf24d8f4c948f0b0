// One step of the world, top to bottom: drive supports and loads, predict every rod with its own model, solve contacts,
// commit.
#include "base/error.h"
#include "base/parallel.h"
#include "world/world.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- scratch --------------------------------------------------------------------------------------------------------

static size_t aligned_bytes(size_t bytes) { return (bytes + 63) / 64 * 64; }

static bool is_weight_only(const cdg_world *world, size_t index) {
    return world->rods[index].rod->model->takes_weight_only && cdg_loads_are_weight_only(world, (uint32_t)index) &&
           !cdg_world_loads_contact(world, index);
}

static size_t loads_bytes(const cdg_world *world, size_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    if (is_weight_only(world, index)) return 0;
    return 3 * aligned_bytes(rod->node_count * sizeof(double)) + 3 * aligned_bytes(rod->element_count * sizeof(double));
}

// Nets first; then rods that are alike and stand next to each other go in teams, as large as their model takes.
static cdg_result form_teams(cdg_world *world) {
    cdg_result result = cdg_joints_form_nets(world);
    if (result != CDG_OK) return result;
    if (world->team_capacity < world->rod_count) {
        world_team *grown = realloc(world->teams, world->rod_count * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a step");
        world->teams = grown;
        world->team_capacity = world->rod_count;
    }
    world->team_count = 0;
    for (size_t i = 0; i < world->rod_count; i++) world->rods[i].is_in_net = false;
    for (size_t n = 0, first = 0; n < world->net_count; n++) {
        cdg_net *net = world->nets[n];
        world_team *team = &world->teams[world->team_count++];
        *team = (world_team){(uint32_t)first, (uint32_t)net->rod_count, net, false};
        for (size_t i = 0; i < net->rod_count; i++) {
            world_rod *place = &world->rods[world->net_rods[first + i]];
            place->is_in_net = true;
            team->has_weld = team->has_weld || place->has_weld;
        }
        first += net->rod_count;
    }
    world_team *last = NULL;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || world->rods[i].is_in_net) {
            last = NULL;
            continue;
        }
        const cdg_rod *first = last != NULL ? world->rods[last->first].rod : NULL;
        if (first != NULL && !last->has_weld && !world->rods[i].has_weld && first->model == rod->model &&
            rod->model->team_size != NULL && last->count < rod->model->team_size() &&
            rod->model->is_alike(first, rod)) {
            last->count++;
            continue;
        }
        last = &world->teams[world->team_count++];
        *last = (world_team){(uint32_t)i, 1, NULL, world->rods[i].has_weld};
    }
    return CDG_OK;
}

// The place in world->rods of a team's rod.
static size_t place_in_team(const cdg_world *world, const world_team *team, size_t i) {
    return team->net != NULL ? world->net_rods[team->first + i] : team->first + i;
}

// Loads of all rods of a team, then what their model needs for them together or for one at a time.
static size_t team_scratch_bytes(const cdg_world *world, const world_team *team) {
    size_t loads = 0, model = 0;
    for (size_t i = 0; i < team->count; i++) {
        size_t place = place_in_team(world, team, i);
        const cdg_rod *rod = world->rods[place].rod;
        size_t alone = team->net == NULL ? rod->model->scratch_size(rod) : 0;
        loads += loads_bytes(world, place);
        if (alone > model) model = alone;
    }
    if (team->net != NULL) {
        size_t lists = aligned_bytes(team->count * (sizeof(cdg_rod_loads) + sizeof(cdg_rod_step_result)));
        return lists + loads + aligned_bytes(team->net->rods[0]->model->net_scratch_size(team->net));
    }
    const cdg_rod *first = world->rods[team->first].rod;
    size_t together = team->count > 1 ? first->model->team_scratch_size(first) : 0;
    return loads + aligned_bytes(together > model ? together : model);
}

// Room for the state at the start of a step, to go back to when its halves fail.
static cdg_result prepare_halves(cdg_world *world) {
    bool is_needed = !world->contact_def.is_off || world->motion_count > 0 || world->body_count > 0;
    for (size_t i = 0; i < world->rod_count && !is_needed; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        is_needed = rod != NULL && rod->model->gains_by_halves != NULL && rod->model->gains_by_halves(rod);
    }
    size_t size = is_needed ? cdg_world_snapshot_size(world) : 0;
    if (size <= world->snapshot_capacity) return CDG_OK;
    double *grown = realloc(world->snapshot, size * sizeof *grown);
    if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for the parts of a step");
    world->snapshot = grown;
    world->snapshot_capacity = size;
    return CDG_OK;
}

// Room for the largest team, once for each thread; only after rods or supports were added.
cdg_result cdg_world_ensure_scratch(cdg_world *world) {
    cdg_result result = world->scratch_size == 0 ? form_teams(world) : CDG_OK;
    if (result == CDG_OK) result = cdg_bodies_prepare(world);
    if (result != CDG_OK || world->scratch_size > 0) return result;
    cdg_bodies_find_teams(world);
    size_t largest = 64;
    for (size_t i = 0; i < world->team_count; i++) {
        size_t bytes = team_scratch_bytes(world, &world->teams[i]);
        if (bytes > largest) largest = bytes;
    }
    size_t threads = (size_t)world->thread_count;
    world->scratch_count = (int)(threads < world->team_count ? threads : world->team_count);
    for (int t = 0; t < world->thread_count; t++) {
        free(world->scratch[t]);
        world->scratch[t] = NULL;
    }
    for (int t = 0; t < world->scratch_count; t++) {
        world->scratch[t] = aligned_alloc(64, largest);
        if (world->scratch[t] == NULL)
            return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a step (%zu bytes)", largest);
    }
    result = cdg_world_prepare_contact(world);
    if (result == CDG_OK) result = prepare_halves(world);
    if (result != CDG_OK) return result;
    world->scratch_size = largest;
    return CDG_OK;
}

// ---- fetching ahead -------------------------------------------------------------------------------------------------

// With thousands of rods, waiting for their arrays and what stands around them (structs, supports, holds) takes as long
// as working on them: it is asked for while the rods before are worked on.
enum { CACHE_LINE = 64, FETCH_DISTANCE = 8 };

static const cdg_rod *rod_at(const cdg_world *world, size_t index) {
    return index < world->rod_count ? world->rods[index].rod : NULL;
}

// What predicting a rod touches, whose own struct has been fetched.
static void list_rod(const cdg_world *world, size_t index, cdg_soon *soon) {
    const cdg_rod *rod = rod_at(world, index);
    if (rod == NULL) return;
    uint32_t support = world->rods[index].first_support;
    cdg_soon_add(soon, rod->x[0], rod_state_bytes(rod));
    if (rod->x_before[0] != NULL) cdg_soon_add(soon, rod->x_before[0], rod_state_bytes(rod));
    cdg_soon_add(soon, rod->line_mass, 3 * CACHE_LINE);
    cdg_soon_add(soon, rod->node_mass, CACHE_LINE);
    if (support != CDG_NO_INDEX) cdg_soon_add(soon, &world->supports[support], sizeof *world->supports);
    // Another thread may exchange them right now; either is as good to fetch.
    if (rod->hold_capacity > 0)
        cdg_soon_add(soon, __atomic_load_n(&rod->holds_before, __ATOMIC_RELAXED), sizeof *rod->holds);
}

// Of the team after `team` all; of the one after that its structs, which say where the rest is.
static void list_next(const cdg_world *world, const world_team *team, cdg_soon *soon) {
    soon->count = 0;
    for (size_t i = 0; i < team->count; i++) {
        const cdg_rod *later = rod_at(world, team->first + 2 * team->count + i);
        list_rod(world, team->first + team->count + i, soon);
        if (later != NULL) cdg_soon_add(soon, later, offsetof(cdg_rod, name));
    }
}

static void fetch_bytes(const void *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch((const char *)at + i, 1, 2);
}

// For rods one by one: their arrays are read from end to end, which the processor foresees by itself.
static void fetch_next(const cdg_world *world, const world_team *team) {
    cdg_soon soon;
    list_next(world, team, &soon);
    for (size_t i = 0; i < soon.count; i++)
        if (soon.blocks[i].bytes < sizeof(cdg_rod)) fetch_bytes(soon.blocks[i].at, soon.blocks[i].bytes);
}

// What committing a rod touches: of its struct; then, when that is there, what it points to.
static void fetch_for_commit(const cdg_world *world, size_t index) {
    const cdg_rod *later = rod_at(world, index + 2 * FETCH_DISTANCE), *next = rod_at(world, index + FETCH_DISTANCE);
    if (later != NULL) {
        fetch_bytes(later, offsetof(cdg_rod, section_stride));
        fetch_bytes(later->x, offsetof(cdg_rod, name) - offsetof(cdg_rod, x));
    }
    if (next == NULL) return;
    uint32_t support = world->rods[index + FETCH_DISTANCE].first_support;
    if (support != CDG_NO_INDEX) fetch_bytes(&world->supports[support], sizeof *world->supports);
    if (next->hold_capacity > 0) fetch_bytes(next->holds, sizeof *next->holds);
}

// ---- rods -----------------------------------------------------------------------------------------------------------

typedef struct step_context {
    cdg_world *world;
    double time, step; // the step ends at time
    // The failing rod with the lowest index wins, so the message does not depend on threads.
    cdg_error *errors;  // one a thread
    size_t *failed_rod; // one a thread; SIZE_MAX: none
    bool is_again;      // welded rods are predicted several times in a step
} step_context;

static void keep_holds(cdg_rod *rod) {
    if (rod->hold_count > 0) memcpy(rod->holds_before, rod->holds, rod->hold_count * sizeof *rod->holds);
    rod->hold_before_count = rod->hold_count;
}

// The holds, which are about to be made anew, become those before.
static void exchange_holds(cdg_rod *rod) {
    cdg_hold *before = rod->holds_before;
    __atomic_store_n(&rod->holds_before, rod->holds, __ATOMIC_RELAXED); // list_rod reads it from other threads
    rod->hold_before_count = rod->hold_count;
    rod->holds = before;
}

static void drive_supports(step_context *context, size_t index) {
    if (!context->is_again) exchange_holds(context->world->rods[index].rod);
    cdg_supports_drive(context->world, (uint32_t)index, context->time);
}

static void fail_rod(step_context *context, size_t index, const cdg_error *error, int thread) {
    if (index >= context->failed_rod[thread]) return;
    context->failed_rod[thread] = index;
    context->errors[thread] = *error;
}

// Of loads other than contact.
static double work_of(const step_context *context, size_t index, const cdg_rod_loads *loads) {
    const cdg_world *world = context->world;
    if (!loads->is_weight_only && cdg_loads_apply_means(world, (uint32_t)index, context->time, context->step, loads))
        return cdg_loads_work(world, (uint32_t)index, context->step, loads);
    double work = cdg_loads_work(world, (uint32_t)index, context->step, loads);
    bool has_contact = cdg_world_loads_contact(world, index) && !cdg_loads_are_weight_only(world, (uint32_t)index);
    return has_contact ? work - cdg_world_contact_work(world, index) : work;
}

// Only a rod whose twist something keeps has a torque that a lost turn makes wrong: a free end unwinds it, as after a
// blow.
static bool keeps_turns(const cdg_rod *rod) {
    size_t held = 0;
    for (size_t h = 0; h < rod->hold_count; h++) held += rod->holds[h].frame_hold != CDG_HOLD_NO_FRAME;
    return held > 1;
}

// Frames of models that do not count turns forget one that passes half a turn between neighbours: what they exert from
// then on would be that of the complement.
static void check_turns(step_context *context, size_t index, int thread) {
    world_rod *place = &context->world->rods[index];
    const cdg_rod *rod = place->rod;
    if (rod->model->counts_turns || !keeps_turns(rod)) return;
    if (place->has_wild_turns) place->has_wild_turns = cdg_rod_largest_turn(rod) > CDG_WILD_TURN;
    if (place->has_wild_turns) return;
    size_t node = cdg_rod_lost_turn(rod);
    if (node == SIZE_MAX) return;
    cdg_error error;
    (void)cdg_fail(&error, CDG_ERROR_NO_CONVERGENCE,
                   "the twist at node %zu passes half a turn between neighbouring elements, more than %s can tell "
                   "apart: use more elements or model der, which counts turns",
                   node, rod->model->name);
    fail_rod(context, index, &error, thread);
}

// No model sees how often a section was turned between the beginning and the end of a step.
static void check_support_turns(step_context *context, size_t index, int thread) {
    const cdg_world *world = context->world;
    const double half_turn = 3.14159265358979323846;
    for (uint32_t i = world->rods[index].first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *support = &world->supports[i];
        if (support->def.motion_count == 0 || support->def.kind == CDG_SUPPORT_PIN) continue;
        double turn = cdg_support_turn(support, context->time - context->step, context->time);
        if (!(turn > half_turn * (1 + 1e-9))) continue;
        cdg_error error;
        (void)cdg_fail(&error, CDG_ERROR_NO_CONVERGENCE,
                       "the support at node %zu turns by %.3g turns in a step of %.3g s, where more than half a turn "
                       "cannot be told from its complement; take a shorter step or a slower motion",
                       support->def.place.index, turn / (2 * half_turn), context->step);
        fail_rod(context, index, &error, thread);
    }
}

static void predict_rod(step_context *context, size_t index, const cdg_rod_loads *loads, void *scratch, int thread) {
    world_rod *place = &context->world->rods[index];
    cdg_rod *rod = place->rod;
    cdg_error error;
    cdg_coupled_rod *coupled =
        cdg_world_couples_contact(context->world, index) ? &context->world->contacts.coupling.rods[index] : NULL;
    if (coupled == NULL) rod->touch = CDG_UNTOUCHED;
    cdg_result result = rod->model->predict(rod, context->step, loads, scratch, &place->result, &error);
    bool is_last = !place->has_weld || cdg_bodies_keep_response(context->world);
    if (result == CDG_OK && coupled != NULL && coupled->wants_response && is_last) {
        result = rod->model->keep_response(rod, context->step, loads, scratch, coupled->response, &error);
        coupled->has_response = result == CDG_OK;
    }
    if (result == CDG_OK) {
        place->work = work_of(context, index, loads);
        check_turns(context, index, thread);
    } else {
        fail_rod(context, index, &error, thread);
    }
}

// Together if the model can; false: nothing is predicted yet.
static bool predict_together(step_context *context, const world_team *team, const cdg_rod_loads *loads, void *scratch,
                             int thread) {
    cdg_world *world = context->world;
    cdg_rod *rods[CDG_TEAM_MAX];
    cdg_rod_step_result results[CDG_TEAM_MAX] = {0};
    cdg_soon soon;
    if (team->count < 2) return false;
    list_next(world, team, &soon);
    for (size_t i = 0; i < team->count; i++) rods[i] = world->rods[team->first + i].rod;
    if (!rods[0]->model->predict_team(rods, team->count, context->step, loads, &soon, scratch, results)) return false;
    for (size_t i = 0; i < team->count; i++) {
        world_rod *place = &world->rods[team->first + i];
        place->result = results[i];
        place->work = work_of(context, team->first + i, &loads[i]);
        check_turns(context, team->first + i, thread);
    }
    return true;
}

static void collect_loads(step_context *context, size_t index, char **next, cdg_rod_loads *out) {
    cdg_world *world = context->world;
    cdg_rod *rod = world->rods[index].rod;
    *out = (cdg_rod_loads){.gravity = world->def.gravity, .is_weight_only = is_weight_only(world, index)};
    rod->drag_rate = 0;
    if (out->is_weight_only) return;
    for (int k = 0; k < 3; k++) {
        out->force[k] = (double *)(void *)*next;
        *next += aligned_bytes(rod->node_count * sizeof(double));
        out->torque[k] = (double *)(void *)*next;
        *next += aligned_bytes(rod->element_count * sizeof(double));
    }
    cdg_loads_apply(world, (uint32_t)index, context->time, context->step, out);
    if (cdg_world_loads_contact(world, index)) cdg_world_add_contact_loads(world, index, out);
}

static void predict_net(step_context *context, const world_team *team, char *next, int thread) {
    cdg_world *world = context->world;
    cdg_rod_loads *loads = (cdg_rod_loads *)(void *)next;
    cdg_rod_step_result *results = (cdg_rod_step_result *)(void *)(loads + team->count);
    next += aligned_bytes(team->count * (sizeof *loads + sizeof *results));
    for (size_t i = 0; i < team->count; i++) {
        size_t place = place_in_team(world, team, i);
        drive_supports(context, place);
        check_support_turns(context, place, thread);
        collect_loads(context, place, &next, &loads[i]);
    }
    cdg_error error;
    size_t failed = 0;
    cdg_result result = cdg_net_check_holds(team->net, &failed, &error);
    if (result == CDG_OK)
        result =
            team->net->rods[0]->model->predict_net(team->net, context->step, loads, next, results, &failed, &error);
    if (result != CDG_OK) {
        fail_rod(context, place_in_team(world, team, failed), &error, thread);
        return;
    }
    for (size_t i = 0; i < team->count; i++) {
        size_t place = place_in_team(world, team, i);
        world->rods[place].result = results[i];
        world->rods[place].work = work_of(context, place, &loads[i]);
        check_turns(context, place, thread);
    }
}

static void predict_team(void *user, size_t index, int thread) {
    step_context *context = user;
    const world_team *team = &context->world->teams[index];
    if (team->net != NULL) {
        predict_net(context, team, context->world->scratch[thread], thread);
        return;
    }
    char *next = context->world->scratch[thread];
    cdg_rod_loads loads[CDG_TEAM_MAX];
    if (team->count == 1) fetch_next(context->world, team);
    for (size_t i = 0; i < team->count; i++) {
        drive_supports(context, team->first + i);
        check_support_turns(context, team->first + i, thread);
        collect_loads(context, team->first + i, &next, &loads[i]);
    }
    if (predict_together(context, team, loads, next, thread)) return;
    for (size_t i = 0; i < team->count; i++) predict_rod(context, team->first + i, &loads[i], next, thread);
}

static void predict_unwelded(void *user, size_t index, int thread) {
    const step_context *context = user;
    const world_team *team = &context->world->teams[index];
    if (!team->has_weld) predict_team(user, index, thread);
    for (size_t i = 0; i < team->count && team->has_weld; i++)
        keep_holds(context->world->rods[place_in_team(context->world, team, i)].rod);
}

static bool predict_welded(void *user, size_t index, int thread) { // cdg_predict_team
    const step_context *context = user;
    context->failed_rod[thread] = SIZE_MAX; // a trial that failed is over when the next one begins
    predict_team(user, index, thread);
    return context->failed_rod[thread] == SIZE_MAX;
}

// One rod of an implicit model again, with other contact forces.
typedef struct again_context {
    step_context *step;
    const uint32_t *places;
    int threads;
} again_context;

static void predict_listed(void *user, size_t index, int thread) {
    const again_context *again = user;
    if (again->step->world->rods[again->places[index]].has_weld) return; // with its bodies
    char *next = again->step->world->scratch[thread];
    cdg_rod_loads loads;
    collect_loads(again->step, again->places[index], &next, &loads);
    predict_rod(again->step, again->places[index], &loads, next, thread);
}

static void commit_rod(void *user, size_t index, int thread) {
    (void)thread;
    step_context *context = user;
    world_rod *place = &context->world->rods[index];
    fetch_for_commit(context->world, index);
    if (place->rod == NULL) return;
    place->rod->model->commit(place->rod, context->step);
    cdg_loads_keep(context->world, (uint32_t)index);
    cdg_supports_collect(context->world, (uint32_t)index, context->time);
}

// What is done on rods and bodies from outside, J, in order, so that the sum does not depend on threads.
static double add_work(cdg_world *world, double time, double step) {
    double sum = cdg_bodies_work(world) + cdg_world_obstacle_work(world);
    for (size_t i = 0; i < world->rod_count; i++) {
        world_rod *place = &world->rods[i];
        if (place->rod == NULL) continue;
        place->work += cdg_supports_work(world, (uint32_t)i, time, step, &place->work_doubt);
        sum += place->work;
    }
    return sum;
}

// ---- the world ------------------------------------------------------------------------------------------------------

static cdg_result decide_step(cdg_world *world) {
    if (world->step > 0) return CDG_OK;
    return cdg_world_set_step_size(world, cdg_world_advice(world).step);
}

cdg_result cdg_world_set_step_size(cdg_world *world, double step) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (!(step > 0) || !isfinite(step))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the step is %g s; it must be positive", step);
    world->step = step;
    world->base_time = world->time;
    world->base_index = world->step_index;
    return CDG_OK;
}

static void start_books(cdg_world *world) {
    if (world->has_started) return;
    world->energy_at_start = cdg_world_energy(world).total;
    world->external_work = 0;
    world->has_started = true;
    cdg_guard_start(world);
}

// Puts the prescribed frames back to the last good time, so that what is measured there is still true.
static void drive_back(const cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) cdg_supports_drive(world, (uint32_t)i, world->time);
}

static cdg_result fail_step(cdg_world *world, const step_context *context) {
    size_t worst = SIZE_MAX;
    const cdg_error *error = NULL;
    for (int t = 0; t < world->thread_count; t++)
        if (context->failed_rod[t] < worst) worst = context->failed_rod[t], error = &context->errors[t];
    if (error == NULL) return CDG_OK;
    drive_back(world);
    world->failed_rod = worst;
    return cdg_fail(&world->error, error->code, "rod '%s' at t = %.9g s (step %llu): %.800s",
                    world->rods[worst].rod->name, context->time, (unsigned long long)world->step_index + 1,
                    error->message);
}

static void report_step(const cdg_world *world, cdg_step_report *report) {
    *report = (cdg_step_report){.time = world->time, .step = world->step};
    if (!world->contact_def.is_off) {
        report->contact_count = world->contact_outcome.count;
        report->contact_iterations = world->contact_outcome.iterations;
        report->deepest = world->contact_outcome.deepest;
    }
    for (size_t i = 0; i < world->rod_count; i++) {
        const world_rod *place = &world->rods[i];
        if (place->rod == NULL) continue;
        if (place->result.iterations > report->iterations) report->iterations = place->result.iterations;
        if (place->result.halvings > report->halvings) report->halvings = place->result.halvings;
        if (place->result.parts > report->parts) report->parts = place->result.parts;
        if (report->worst_rod.index1 == 0 || place->result.residual > report->residual) {
            report->residual = place->result.residual;
            report->worst_rod = (cdg_rod_id){(uint32_t)i + 1, place->generation};
        }
    }
}

// Waking a thread takes some microseconds, and milliseconds on a busy machine: a step of explicit models may be
// shorter.
static int threads_for(const cdg_world *world) {
    const double worth = 50e-6; // s
    double cost = 0;
    if (world->team_count < 2) return 1; // one rod, or one net: nothing to share out
    for (size_t i = 0; i < world->rod_count && cost < worth; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || world->rods[i].has_weld) continue; // the bodies' step decides for itself
        cost += rod->model->step_cost != NULL ? rod->model->step_cost(rod, world->step) : worth;
    }
    return cost < worth ? 1 : world->thread_count;
}

// Rods with welds move with their bodies, so that all of them are predicted when one is.
static cdg_result predict_bodies_again(step_context *context, const uint32_t *places, size_t count) {
    cdg_world *world = context->world;
    bool is_any = false;
    for (size_t i = 0; i < count; i++) is_any = is_any || world->rods[places[i]].has_weld;
    if (!is_any) return CDG_OK;
    cdg_result bodies = cdg_bodies_predict_again(world);
    cdg_result result = bodies != CDG_OK ? fail_step(world, context) : CDG_OK;
    for (size_t i = 0; i < world->rod_count && bodies == CDG_OK; i++)
        if (world->rods[i].rod != NULL && world->rods[i].has_weld)
            cdg_pieces_reload(&world->contacts.pieces, i, context->step);
    if (bodies == CDG_OK) {
        cdg_solids_predicted(world);
        cdg_body_pieces_load(&world->contacts.pieces, world->contacts.bodies, context->step);
    }
    return result != CDG_OK ? result : bodies;
}

static cdg_result predict_again(void *user, const uint32_t *places, size_t count) {
    again_context *again = user;
    again->places = places;
    size_t elements = 0, worth = 500; // as many take long enough to wake a thread for
    for (size_t i = 0; i < count; i++) elements += again->step->world->rods[places[i]].rod->element_count;
    cdg_parallel_for(count, count > 1 && elements > worth ? again->threads : 1, predict_listed, again);
    cdg_result result = fail_step(again->step->world, again->step);
    return result == CDG_OK ? predict_bodies_again(again->step, places, count) : result;
}

// A step in which something would pass through something is repeated in halves, and these again if they must, but not
// for ever; so are the first ones in which something lies too deep in something or energy comes from nowhere, and those
// in which an implicit rod finds no solution, as under blows it may. On failure the world is somewhere within the step.
//
// One place of trouble takes two tries for each halving, and there may be several in a step. What needs more tries is a
// step that is too long throughout, and is told so: work is at most that many times that of whole steps.
enum { HALVINGS_MAX = 12, HALVINGS_STRICT = 8, HALVINGS_ENERGY = 5, TRIES_MAX = 96 };

// From the state at `time` - `step` to that at `time`, or not at all.
static cdg_result try_step(cdg_world *world, double time, double step, int threads, bool is_strict) {
    cdg_error errors[CDG_THREADS_MAX];
    size_t failed_rod[CDG_THREADS_MAX];
    for (int t = 0; t < world->thread_count; t++) failed_rod[t] = SIZE_MAX;
    step_context context = {.world = world, .time = time, .step = step, .errors = errors, .failed_rod = failed_rod};
    double resting_speed = 2 * vec3_norm(world->def.gravity) * step; // what gravity gives in two steps
    if (!world->contact_def.is_off) cdg_contacts_begin(&world->contacts, resting_speed);
    cdg_parallel_for(world->team_count, threads, predict_unwelded, &context);
    cdg_result result = fail_step(world, &context);
    if (result != CDG_OK) return result;
    context.is_again = true;
    cdg_result bodies = cdg_bodies_predict(world, time, step, world->scratch_count, predict_welded, &context);
    if (bodies != CDG_OK) {
        result = fail_step(world, &context);
        if (result == CDG_OK) drive_back(world);
        return result != CDG_OK ? result : bodies;
    }
    again_context again = {.step = &context, .threads = threads};
    result = cdg_world_solve_contact(world, time, step, is_strict, predict_again, &again);
    if (result != CDG_OK) {
        cdg_welds_follow(world);
        drive_back(world);
        return result;
    }
    double work = add_work(world, time, step);
    result = cdg_guard_judge(world, time, step, work);
    if (result != CDG_OK) {
        cdg_welds_follow(world);
        drive_back(world);
        return result;
    }
    cdg_parallel_for(world->rod_count, threads, commit_rod, &context);
    cdg_bodies_commit(world);
    cdg_world_keep_contact(world);
    cdg_guard_commit(world, work);
    world->external_work += work;
    world->time = time;
    return CDG_OK;
}

typedef struct dividing {
    int threads;
    bool is_saved; // the state at the start of the step
    int deepest;   // halving
    double tries, most;
} dividing;

static cdg_result give_up(cdg_world *world, double time, double tries, cdg_result result) {
    cdg_error last = world->error;
    return cdg_fail(
        &world->error, result,
        "the step of %.3g s was divided again and again, %.0f times, and its end is not reached (t = %.9g s): "
        "take a shorter step, slower motions or smaller loads; what failed last: %.700s",
        world->step, tries, time, last.message);
}

// Not for explicit rods that have blown up, which shorter steps would only hide, nor for those that have divided the
// step themselves.
static bool is_worth_halving(const cdg_world *world, cdg_result result, int depth) {
    if (result == CDG_ERROR_ENERGY) return depth < HALVINGS_ENERGY && world->snapshot_capacity > 0;
    if (result != CDG_ERROR_NO_CONVERGENCE && result != CDG_ERROR_NOT_FINITE) return false;
    if (world->failed_rod == SIZE_MAX) return !world->contact_def.is_off;
    const cdg_rod *rod = world->rods[world->failed_rod].rod;
    if (rod->model->gains_by_halves != NULL && rod->model->gains_by_halves(rod)) return true;
    if (world->contact_def.is_off) return false;
    if (result == CDG_ERROR_NOT_FINITE && !cdg_world_loads_contact(world, world->failed_rod)) return false;
    return !(rod->model->divides_by_itself && rod->touch == CDG_UNTOUCHED);
}

static cdg_result step_in_halves(cdg_world *world, double time, double step, int depth, dividing *d);

static cdg_result take_halves(cdg_world *world, double time, double step, int depth, dividing *d) {
    if (!d->is_saved) cdg_world_keep_state(world); // nothing has changed yet
    d->is_saved = true;
    cdg_result result = step_in_halves(world, time - step / 2, step / 2, depth + 1, d);
    if (result != CDG_OK) return result;
    return step_in_halves(world, time, step / 2, depth + 1, d);
}

static cdg_result step_in_halves(cdg_world *world, double time, double step, int depth, dividing *d) {
    if (depth < HALVINGS_MAX && !cdg_step_resolves_motion(world, time, step)) {
        d->most += 2;
        return take_halves(world, time, step, depth, d);
    }
    world->contact_outcome = (cdg_contact_outcome){0};
    world->failed_rod = SIZE_MAX;
    cdg_result result = try_step(world, time, step, d->threads, depth < HALVINGS_STRICT);
    d->tries++;
    if (depth > d->deepest) d->deepest = depth;
    if (!is_worth_halving(world, result, depth) || depth == HALVINGS_MAX) return result;
    // Blows that bounce are to be met in short steps: 2^HALVINGS_STRICT at most, and no sign that any is too long.
    if (world->contact_outcome.is_hard) d->most += 2;
    if (d->tries >= d->most) return give_up(world, time, d->tries, result);
    return take_halves(world, time, step, depth, d);
}

// In how many parts rods have to take a step in which they begin to touch something, at most.
static double most_parts(const cdg_world *world) {
    double most = 1;
    for (size_t i = 0; i < world->rod_count && !world->contact_def.is_off; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->model->contact_parts != NULL)
            most = fmax(most, rod->model->contact_parts(rod, world->step));
    }
    return most;
}

static cdg_result take_parts(cdg_world *world, double time, double parts, dividing *d) {
    d->most = d->tries + TRIES_MAX + parts;
    cdg_result result = CDG_OK;
    for (double i = 1; i <= parts && result == CDG_OK; i++)
        result = step_in_halves(world, time - (1 - i / parts) * world->step, world->step / parts, 0, d);
    return result;
}

// Explicit rods that take many sub-steps answer contact only in as short steps as those. A step in which they begin to
// touch something is taken again: met in a whole one, a blow strains elements by the way of the whole step, and gains
// energy.
static cdg_result step_in_parts(cdg_world *world, double time, dividing *d) {
    double parts = cdg_world_contact_parts(world, world->step), most = most_parts(world), needed = parts;
    d->is_saved = most > 1;
    if (d->is_saved) cdg_world_keep_state(world);
    cdg_result result = take_parts(world, time, parts, d);
    if (result == CDG_OK && d->is_saved) needed = cdg_world_contact_parts(world, world->step);
    if (result == CDG_ERROR_ENERGY && d->is_saved) needed = most;
    if (!(needed > parts)) return result;
    cdg_world_snapshot_load(world, world->snapshot);
    return take_parts(world, time, needed, d);
}

cdg_result cdg_world_step(cdg_world *world, cdg_step_report *report) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_result result = decide_step(world);
    if (result == CDG_OK) result = cdg_world_ensure_scratch(world);
    if (result != CDG_OK) return result;
    start_books(world);
    double time = world->base_time + (double)(world->step_index + 1 - world->base_index) * world->step;
    dividing divided = {.threads = threads_for(world)};
    result = step_in_parts(world, time, &divided);
    if (result != CDG_OK) {
        if (divided.is_saved) cdg_world_snapshot_load(world, world->snapshot);
        return result;
    }
    world->step_index++;
    if (report != NULL) {
        report_step(world, report);
        report->contact_halvings = divided.deepest;
    }
    return CDG_OK;
}
