// One step of the world, top to bottom: drive supports and loads, predict every rod with its own model, solve contacts,
// commit.
#include "world/world_step.h"
#include "base/error.h"
#include "base/parallel.h"
#include "world/cuts.h"
#include "world/planned.h"
#include "world/solid_proxy.h"
#include "world/step.h"

#include <math.h>

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

// What is predicted is judged, whether energy comes from nowhere, and committed or dropped.
static cdg_result conclude(cdg_step_context *context) {
    cdg_world *world = context->world;
    double work = cdg_guard_add_work(world, context->time, context->step) + cdg_objects_work(context);
    if (world->grip_count > 0) work += cdg_grips_book_solids(world, context->step);
    cdg_result result = cdg_guard_judge(world, context->time, context->step, work);
    if (result != CDG_OK) {
        cdg_step_drive_back(world);
        return result;
    }
    for (int k = 0; k < CDG_KIND_COUNT; k++) cdg_kinds[k].commit(context);
    cdg_guard_commit(world, work); // before contact forgets what it has pushed apart
    cdg_world_keep_contact(world);
    cdg_grips_commit(world, context->step);
    world->external_work += work;
    world->time = context->time;
    if (world->weld_count > 0) cdg_welds_settle(world);
    return CDG_OK;
}

// From the state at `time` - `step` to that at `time`, or not at all.
cdg_result cdg_step_try(cdg_world *world, double time, double step, int threads, cdg_step_demand demand) {
    cdg_error errors[CDG_THREADS_MAX];
    size_t failed_rod[CDG_THREADS_MAX];
    for (int t = 0; t < world->thread_count; t++) failed_rod[t] = SIZE_MAX;
    cdg_step_context context = {
        .world = world, .time = time, .step = step, .threads = threads, .errors = errors, .failed_rod = failed_rod};
    // Predict every kind of object alone.
    cdg_world_begin_contact(world, time, step);
    cdg_result result = CDG_OK;
    for (int k = 0; k < CDG_KIND_COUNT && result == CDG_OK; k++) result = cdg_kinds[k].predict(&context);
    cdg_step_clock_lap(&world->clock, CDG_PHASE_PREDICT);
    // Contact: forces, until it asks for nothing to be predicted again.
    if (result == CDG_OK) result = cdg_world_open_contact(world, time, step);
    while (result == CDG_OK && (world->contacts.again_count > 0 || world->contacts.again_bodies)) {
        cdg_step_clock_lap(&world->clock, CDG_PHASE_CONTACT);
        result = cdg_step_predict_again(&context, world->contacts.again, world->contacts.again_count);
        cdg_step_clock_lap(&world->clock, CDG_PHASE_AGAIN);
        cdg_step_clock_round(&world->clock);
        if (result == CDG_OK) result = cdg_world_continue_contact(world, time, step);
    }
    if (result == CDG_OK) result = cdg_world_close_contact(world, time, step, demand);
    if (result == CDG_OK) result = cdg_solids_check_volumes(world, time, step);
    cdg_step_clock_lap(&world->clock, CDG_PHASE_CONTACT);
    if (result != CDG_OK) {
        cdg_step_drive_back(world);
    } else {
        result = conclude(&context);
    }
    cdg_step_clock_lap(&world->clock, CDG_PHASE_COMMIT);
    cdg_step_clock_end_try(&world->clock, result == CDG_OK);
    return result;
}

// Few rods that touch nothing take microseconds, of which looks at the clock would be several hundredths.
static unsigned timed_one_in(const cdg_world *world) {
    bool touches = world_has_contact(world) && !world->contacts.idle.is_quiet;
    return !touches && world->rod_count + world->object_count <= 64 ? 16 : 1;
}

static double time_after(const cdg_world *world, uint64_t steps) {
    return world->base_time + (double)(world->step_index + steps - world->base_index) * world->step;
}

// Until it is predicted: the world's step and memory, and books of its energy.
static cdg_result prepare(cdg_world *world, double *time) {
    cdg_error_clear(&world->error);
    cdg_result result = decide_step(world);
    if (result == CDG_OK && world->planned_count > 0) result = cdg_planned_make_due(world);
    if (result == CDG_OK && world->plan_count > 0) result = cdg_cuts_make_due(world);
    if (result == CDG_OK) cdg_leads_prepare(world);
    if (result == CDG_OK) cdg_grips_prepare(world);
    if (result == CDG_OK) result = cdg_world_ensure_scratch(world);
    if (result != CDG_OK) return result;
    if (world->adapting_count > 0) cdg_adapt_begin(world);
    start_books(world);
    *time = time_after(world, 1);
    return CDG_OK;
}

cdg_result cdg_world_step(cdg_world *world, cdg_step_report *report) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    double time = 0;
    cdg_step_clock_start(&world->clock, world->step_index, timed_one_in(world));
    cdg_result result = prepare(world, &time);
    if (result != CDG_OK) return result;
    cdg_step_division divided = {.threads = cdg_step_threads(world)};
    result = cdg_step_divided(world, time, &divided);
    if (result != CDG_OK) {
        if (divided.is_saved) cdg_world_take_state_over(world, world->snapshot);
        return result;
    }
    world->step_index++;
    if (report != NULL) {
        cdg_step_tell(world, report);
        report->contact_halvings = divided.deepest;
    }
    if (world->adapting_count > 0) cdg_adapt_rods(world, world->step);
    if (world->cut_count > 0) cdg_cuts_part_ends(world);
    cdg_step_clock_lap(&world->clock, CDG_PHASE_COMMIT);
    cdg_step_clock_end_try(&world->clock, true);
    return CDG_OK;
}

// ---- for many worlds at once (world_together.c) ---------------------------------------------------------------------

bool cdg_step_is_plain(const cdg_world *world) {
    return world->body_count + world->object_count == 0 && world->joint_count == 0 &&
           world->motion_count + world->lead_count + world->plan_count + world->planned_count == 0 &&
           world->adapting_count == 0 && world->thread_count == 1;
}

cdg_result cdg_step_begin(cdg_world *world, cdg_step_part *part) {
    *part = (cdg_step_part){.failed_rod = SIZE_MAX};
    cdg_result result = prepare(world, &part->time);
    if (result != CDG_OK) return result;
    part->step = world->step;
    world->contact_outcome = (cdg_contact_outcome){0};
    world->failed_rod = SIZE_MAX;
    cdg_world_begin_contact(world, part->time, part->step);
    return CDG_OK;
}

// What touches is left to the world's own step, which may divide it and predict rods again with contact forces.
static cdg_result touch_nothing(cdg_world *world, const cdg_step_part *part) {
    if (!world_has_contact(world)) return CDG_OK;
    cdg_result result = world->contacts.kept_count > 0 ? CDG_ERROR_NO_CONVERGENCE : CDG_OK;
    if (result == CDG_OK) result = cdg_world_open_contact(world, part->time, part->step);
    if (result == CDG_OK && world->contacts.again_count > 0) result = CDG_ERROR_NO_CONVERGENCE;
    if (result == CDG_OK) result = cdg_world_close_contact(world, part->time, part->step, CDG_DEMAND_PROMISED);
    if (result == CDG_OK && world->contact_outcome.count > 0) result = CDG_ERROR_NO_CONVERGENCE;
    if (result != CDG_OK) cdg_step_drive_back(world);
    return result;
}

cdg_result cdg_step_end(cdg_world *world, cdg_step_part *part, cdg_step_report *report) {
    cdg_step_context context = cdg_step_context_of(world, part);
    cdg_result result = cdg_step_failure(&context);
    if (result == CDG_OK) result = touch_nothing(world, part);
    if (result == CDG_OK) result = conclude(&context);
    if (result != CDG_OK) return result;
    world->step_index++;
    if (report != NULL) cdg_step_tell(world, report);
    return CDG_OK;
}

uint64_t cdg_step_quiet(const cdg_world *world) {
    if (!world->has_started || world->scratch_size == 0 || !cdg_step_is_plain(world)) return 0;
    if (world_has_contact(world)) return 0; // somebody looks at every step whether anything comes near
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && !cdg_step_is_quiet(world, i)) return 0;
    return cdg_guard_patience(world);
}

void cdg_step_skip(cdg_world *world, cdg_step_part *part, uint64_t steps) {
    world->time = time_after(world, steps);
    world->step_index += steps;
    part->time = time_after(world, 1);
    cdg_guard_skip(world, steps);
}
