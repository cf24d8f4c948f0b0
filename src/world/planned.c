// A planned change is a whole world, built before the first step. Until it is in force its content lies in `planned`.
// Putting it in force exchanges the contents of two structs, so that pointers to the world stay valid. Handles, forces
// and user data stay with the world that they were given to.
#include "world/planned.h"

#include "base/error.h"
#include "world/cuts.h"
#include "world/solid_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct world_planned {
    double time;      // s
    cdg_world *world; // its content, or an empty struct while it is in force
};

void cdg_planned_free(cdg_world *world) {
    for (size_t i = 0; i < world->planned_count; i++) {
        if (i == world->in_force)
            free(world->planned[i].world);
        else
            cdg_world_destroy(world->planned[i].world);
    }
    free(world->planned);
    world->planned = NULL;
    world->planned_count = 0;
}

// ---- planning -------------------------------------------------------------------------------------------------------

// The first entry is the world as it is without any change.
static bool reserve(cdg_world *world) {
    size_t first = world->planned_count == 0;
    struct world_planned *grown = realloc(world->planned, (world->planned_count + first + 1) * sizeof *world->planned);
    if (grown == NULL) return false;
    world->planned = grown;
    if (!first) return true;
    cdg_world *empty = calloc(1, sizeof *empty);
    if (empty == NULL) return false;
    world->planned[world->planned_count++] = (struct world_planned){-INFINITY, empty};
    world->in_force = 0;
    return true;
}

cdg_result cdg_world_plan_change(cdg_world *world, double time, cdg_world *then) {
    cdg_result result = CDG_OK;
    double last = world->planned_count > 0 ? world->planned[world->planned_count - 1].time : -INFINITY;
    if (!isfinite(time) || time < last)
        result = cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "changes are planned in the order of their times");
    else if (!reserve(world))
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a change");
    if (result != CDG_OK) {
        cdg_world_destroy(then);
        return result;
    }
    world->planned[world->planned_count++] = (struct world_planned){time, then};
    return CDG_OK;
}

// ---- in force -------------------------------------------------------------------------------------------------------

static void own_solids(cdg_world *world) {
    for (size_t i = 0; i < world->solid_count; i++) world->solids[i]->world = world;
}

static void keep_users_own(cdg_world *world, cdg_world *before) {
    cdg_handles handles[WORLD_KIND_COUNT];
    memcpy(handles, world->handles, sizeof handles);
    memcpy(world->handles, before->handles, sizeof handles);
    memcpy(before->handles, handles, sizeof handles);
    world->user_data = before->user_data;
    for (size_t i = 0; i < world->rod_count && i < before->rod_count; i++) {
        cdg_vec3 *forces = world->rods[i].own_forces;
        world->rods[i].own_forces = before->rods[i].own_forces;
        before->rods[i].own_forces = forces;
    }
}

// Handles go from one to the other, and parts of rods have handles: both must have the same.
static cdg_result match_cuts(cdg_world *to, const cdg_world *from) {
    double *cuts = calloc(1 + CDG_CUT_NUMBERS * from->cut_count, sizeof *cuts); // as a snapshot begins
    if (cuts == NULL) return CDG_ERROR_MEMORY;
    cuts[0] = (double)from->cut_count;
    for (size_t i = 0; i < from->cut_count; i++) {
        cuts[1 + CDG_CUT_NUMBERS * i] = (double)from->cuts[i].rod;
        cuts[2 + CDG_CUT_NUMBERS * i] = (double)from->cuts[i].local;
    }
    cdg_result result = cdg_cuts_restore(to, cuts);
    free(cuts);
    return result;
}

static cdg_result put_in_force(cdg_world *world, size_t index) {
    struct world_planned *planned = world->planned;
    size_t count = world->planned_count, now = world->in_force;
    cdg_result result = index != now ? match_cuts(planned[index].world, world) : CDG_OK;
    if (index == now || result != CDG_OK) return result;
    cdg_world *before = planned[now].world, *empty = planned[index].world;
    *before = *world;
    *world = *empty;
    keep_users_own(world, before);
    before->planned = NULL;
    before->planned_count = 0;
    world->planned = planned;
    world->planned_count = count;
    world->in_force = index;
    own_solids(world);
    own_solids(before);
    return CDG_OK;
}

static size_t index_at(const cdg_world *world, double time) {
    size_t index = 0;
    while (index + 1 < world->planned_count && world->planned[index + 1].time < time) index++;
    return index;
}

const cdg_world *cdg_planned_at(const cdg_world *world, double time, double step) {
    size_t index = world->planned_count > 0 ? index_at(world, time - step / 2) : 0;
    return index == world->in_force ? world : world->planned[index].world;
}

cdg_result cdg_planned_choose(cdg_world *world, double time, double step) {
    if (world->planned_count == 0) return CDG_OK;
    cdg_result result = put_in_force(world, index_at(world, time - step / 2));
    return result == CDG_OK ? result : cdg_fail(&world->error, result, "a change that was planned cannot be made");
}

cdg_world *cdg_planned_other(const cdg_world *world, size_t index, double *time) {
    *time = world->planned[index].time;
    return index == world->in_force ? NULL : world->planned[index].world;
}

// ---- state ----------------------------------------------------------------------------------------------------------

static cdg_result carry(const cdg_world *from, cdg_world *to, const double *state, size_t size) {
    for (size_t i = 0; i < from->led_count; i++) {
        cdg_result result = cdg_led_note(to, from->led[i].is_obstacle, from->led[i].index);
        if (result != CDG_OK) return result;
    }
    cdg_result result = cdg_world_restore_cuts(to, state);
    if (result != CDG_OK) return result;
    if (cdg_world_snapshot_size(to) != size) return CDG_ERROR_ARGUMENT;
    return cdg_world_take_state_over(to, state);
}

cdg_result cdg_world_carry_state(const cdg_world *from, cdg_world *to) {
    size_t size = cdg_world_snapshot_size(from);
    double *state = malloc((size + 1) * sizeof *state);
    if (state == NULL) return CDG_ERROR_MEMORY;
    cdg_result result = cdg_world_snapshot_save(from, state);
    if (result == CDG_OK) result = carry(from, to, state, size);
    free(state);
    if (result == CDG_OK && to->has_started)
        to->external_work += cdg_world_energy(to).total - cdg_world_energy(from).total;
    return result;
}

static size_t index_due(const cdg_world *world) { return index_at(world, world->time + world->step / 2); }

bool cdg_planned_are_due(const cdg_world *world) {
    return world->planned_count > 0 && index_due(world) > world->in_force;
}

cdg_result cdg_planned_make_due(cdg_world *world) {
    size_t index = index_due(world), now = world->in_force;
    if (index <= now) return CDG_OK;
    cdg_result result = put_in_force(world, index);
    if (result == CDG_OK) result = cdg_world_carry_state(world->planned[now].world, world);
    if (result == CDG_OK) return CDG_OK;
    (void)put_in_force(world, now); // whose rods are cut alike
    return cdg_fail(&world->error, result,
                    "the change planned for %g s cannot be made: rods, supports, hands or other things were added or "
                    "removed since it was planned",
                    world->planned[index].time);
}
