// When a step is divided, and how often: the policy of trying again.
#include "base/error.h"
#include "world/solid_proxy.h"
#include "world/step.h"

#include <math.h>

// A step in which something would pass through something is repeated in halves, and these again if they must, but not
// for ever; so are the first ones in which something lies too deep in something or energy comes from nowhere, and those
// in which an implicit rod finds no solution, as under blows it may. On failure the world is somewhere within the step.
//
// One spot of trouble takes two tries for each halving, and there may be several in a step. What fails more often is a
// step that is too long throughout, and is told so. Parts that are taken do not count: with them the step comes on, and
// they are at most one more than those that fail.
enum { HALVINGS_MAX = 12, HALVINGS_STRICT = 8, HALVINGS_ENERGY = 5, TRIES_MAX = 96 };

static cdg_result give_up(cdg_world *world, double time, double tries, cdg_result result) {
    cdg_error last = world->error;
    return cdg_fail(
        &world->error, result,
        "the step of %.3g s was divided again and again, %.0f times, and its end is not reached (t = %.9g s): "
        "take a shorter step, slower motions or smaller loads; what failed last: %.700s",
        world->step, tries, time, last.message);
}

// Not for explicit rods that have blown up or sweeps that are far too few, which shorter steps would only hide, nor for
// those that have divided the step themselves.
static bool is_worth_halving(const cdg_world *world, cdg_result result, int depth) {
    if (result == CDG_ERROR_ENERGY) return depth < HALVINGS_ENERGY && world->snapshot_capacity > 0;
    if (result != CDG_ERROR_NO_CONVERGENCE && result != CDG_ERROR_NOT_FINITE) return false;
    if (world->contact_outcome.is_stuck) return false;
    if (world->failed_object != SIZE_MAX) return result == CDG_ERROR_NO_CONVERGENCE;
    if (world->failed_rod == SIZE_MAX) return world_has_contact(world);
    const cdg_rod *rod = world->rods[world->failed_rod].rod;
    if (world->rods[world->failed_rod].result.is_lost) return false;
    if (rod->model->division.gains_by_halves != NULL && rod->model->division.gains_by_halves(rod)) return true;
    if (!world_has_contact(world)) return false;
    if (result == CDG_ERROR_NOT_FINITE && !cdg_world_loads_contact(world, world->failed_rod)) return false;
    return !(rod->model->division.divides_by_itself && rod->touch == CDG_UNTOUCHED);
}

// What comes of a step that has to be taken again in more parts does not matter.
static bool is_in_vain(const cdg_step_division *d) { return d->needed > d->parts; }

// Contact that a part of the step met, though it may be over at the step's end: halves too long for it do not serve.
static void ask_for_parts(const cdg_world *world, double step, cdg_result result, cdg_step_division *d) {
    double asked = 1;
    if (result == CDG_OK) asked = cdg_world_contact_parts(world, world->step);
    if (result == CDG_ERROR_ENERGY) asked = d->parts_most;
    if (asked * step > world->step * (1 + 1e-9)) d->needed = fmax(d->needed, asked);
}

// Blows may take parts that are shorter still before they leave nothing pressed in; what is squeezed for good would
// take them in vain, and has to be content with half of the tries.
static cdg_step_demand demand_at(int depth, const cdg_step_division *d) {
    if (depth < HALVINGS_STRICT) return CDG_DEMAND_PROMISED;
    bool may_go_on = depth < HALVINGS_MAX && d->tries + (double)TRIES_MAX / 2 < d->most;
    return may_go_on ? CDG_DEMAND_NOT_SUNK : CDG_DEMAND_NOT_CRUSHED;
}

static cdg_result try_part(cdg_world *world, double time, double step, int depth, cdg_step_division *d) {
    world->contact_outcome = (cdg_contact_outcome){0};
    world->failed_rod = world->failed_object = SIZE_MAX;
    d->tries++;
    cdg_result result = cdg_step_try(world, time, step, d->threads, demand_at(depth, d));
    if (result == CDG_OK) d->taken++;
    return result;
}

// What bounces where there is no room for it, in a wedge of things that touch on both sides, gains energy however short
// the step is: then nothing bounces in it.
static cdg_result take_part(cdg_world *world, double time, double step, int depth, cdg_step_division *d) {
    cdg_result result = try_part(world, time, step, depth, d);
    if (result != CDG_ERROR_ENERGY || !world->guard.blames_bounce) return result;
    world->never_bounces = true;
    result = try_part(world, time, step, depth, d);
    world->never_bounces = false;
    return result;
}

static cdg_result step_in_halves(cdg_world *world, double time, double step, int depth, cdg_step_division *d);

static cdg_result take_halves(cdg_world *world, double time, double step, int depth, cdg_step_division *d) {
    if (!d->is_saved) cdg_world_keep_state(world); // nothing has changed yet
    d->is_saved = true;
    cdg_result result = step_in_halves(world, time - step / 2, step / 2, depth + 1, d);
    if (result != CDG_OK || is_in_vain(d)) return result;
    return step_in_halves(world, time, step / 2, depth + 1, d);
}

static cdg_result step_in_halves(cdg_world *world, double time, double step, int depth, cdg_step_division *d) {
    if (depth < HALVINGS_MAX && !cdg_step_resolves_motion(world, time, step)) {
        d->most += 2;
        return take_halves(world, time, step, depth, d);
    }
    world->guard.is_strict = depth < HALVINGS_ENERGY && world->snapshot_capacity > 0;
    cdg_result result = take_part(world, time, step, depth, d);
    if (depth > d->deepest) d->deepest = depth;
    if (d->parts_most > 1) ask_for_parts(world, step, result, d);
    if (is_in_vain(d)) return result;
    if (!is_worth_halving(world, result, depth) || depth == HALVINGS_MAX) return result;
    // Blows that bounce are to be met in short steps: 2^HALVINGS_STRICT at most, and no sign that any is too long.
    if (world->contact_outcome.is_hard) d->most += 2;
    if (d->tries - d->taken >= d->most) return give_up(world, time, d->tries, result);
    return take_halves(world, time, step, depth, d);
}

// In how many parts rods have to take a step in which they begin to touch something, at most.
static double most_parts(const cdg_world *world) {
    double most = !world_has_contact(world) ? 1 : cdg_solids_contact_parts(world, world->step, false);
    for (size_t i = 0; i < world->rod_count && world_has_contact(world); i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->model->division.contact_parts != NULL)
            most = fmax(most, rod->model->division.contact_parts(rod, world->step));
    }
    return most;
}

static cdg_result take_parts(cdg_world *world, double time, double parts, cdg_step_division *d) {
    d->most = d->tries + TRIES_MAX + parts;
    d->taken = 0;
    d->parts = d->needed = parts;
    cdg_result result = CDG_OK;
    for (double i = 1; i <= parts && result == CDG_OK && !is_in_vain(d); i++)
        result = step_in_halves(world, time - (1 - i / parts) * world->step, world->step / parts, 0, d);
    return result;
}

// Explicit rods that take many sub-steps answer contact only in as short steps as those. A step in which they begin to
// touch something is taken again: met in a whole one, a blow strains elements by the way of the whole step, and gains
// energy.
cdg_result cdg_step_divided(cdg_world *world, double time, cdg_step_division *d) {
    double parts = cdg_world_contact_parts(world, world->step);
    d->parts_most = most_parts(world);
    d->is_saved = d->parts_most > 1;
    if (d->is_saved) cdg_world_keep_state(world);
    cdg_result result = take_parts(world, time, parts, d);
    if (!is_in_vain(d)) return result;
    double needed = d->needed;
    cdg_world_take_state_over(world, world->snapshot);
    d->parts_most = 1; // no more than asked for once
    return take_parts(world, time, needed, d);
}
