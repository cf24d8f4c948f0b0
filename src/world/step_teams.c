// What is predicted together in a step, and memory for it: nets, teams of rods that are alike, scratch of each thread.
#include "base/error.h"
#include "world/tie.h"

#include <stdlib.h>

bool cdg_step_is_weight_only(const cdg_world *world, size_t index) {
    return world->rods[index].rod->model->takes_weight_only && cdg_loads_are_weight_only(world, (uint32_t)index) &&
           !cdg_world_loads_contact(world, index);
}

static size_t loads_bytes(const cdg_world *world, size_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    if (cdg_step_is_weight_only(world, index)) return 0;
    return 3 * step_aligned_bytes(rod->node_capacity * sizeof(double)) +
           3 * step_aligned_bytes(rod->element_capacity * sizeof(double));
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
        *team = (world_team){(uint32_t)first, (uint32_t)net->rod_count, net, false, false};
        for (size_t i = 0; i < net->rod_count; i++) {
            world_rod *entry = &world->rods[world->net_rods[first + i]];
            entry->is_in_net = true;
            entry->team = (uint32_t)(world->team_count - 1);
            team->has_weld = team->has_weld || entry->has_weld;
            team->has_tie = team->has_tie || entry->has_tie;
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
        bool is_alone = !world->rods[i].has_weld && !world->rods[i].has_tie;
        if (first != NULL && first->adapt == NULL && rod->adapt == NULL && !last->has_weld && !last->has_tie &&
            is_alone && first->model == rod->model && rod->model->team.size != NULL &&
            last->count < rod->model->team.size() && rod->model->team.is_alike(first, rod)) {
            last->count++;
            continue;
        }
        last = &world->teams[world->team_count++];
        *last = (world_team){(uint32_t)i, 1, NULL, world->rods[i].has_weld, world->rods[i].has_tie};
    }
    return CDG_OK;
}

size_t cdg_team_rod(const cdg_world *world, const world_team *team, size_t i) {
    return team->net != NULL ? world->net_rods[team->first + i] : team->first + i;
}

// Loads of all rods of a team, then what their model needs for them together or for one at a time.
static size_t team_scratch_bytes(const cdg_world *world, const world_team *team) {
    size_t loads = 0, model = 0;
    for (size_t i = 0; i < team->count; i++) {
        size_t index = cdg_team_rod(world, team, i);
        const cdg_rod *rod = world->rods[index].rod;
        cdg_rod largest = rod_largest(rod);
        size_t alone = team->net == NULL ? rod->model->scratch_size(&largest) : 0;
        loads += loads_bytes(world, index);
        if (alone > model) model = alone;
    }
    if (team->net != NULL) {
        size_t lists = step_aligned_bytes(team->count * (sizeof(cdg_rod_loads) + sizeof(cdg_rod_step_result)));
        return lists + loads + step_aligned_bytes(team->net->rods[0]->model->net.scratch_size(team->net));
    }
    const cdg_rod *first = world->rods[team->first].rod;
    size_t together = team->count > 1 ? first->model->team.scratch_size(first) : 0;
    return loads + step_aligned_bytes(together > model ? together : model);
}

// Room for the state at the start of a step, to go back to when its halves fail.
static cdg_result prepare_halves(cdg_world *world) {
    bool is_needed =
        world_has_contact(world) || world->motion_count > 0 || world->body_count > 0 || world->object_count > 0;
    for (size_t i = 0; i < world->rod_count && !is_needed; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        is_needed =
            rod != NULL && rod->model->division.gains_by_halves != NULL && rod->model->division.gains_by_halves(rod);
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
    result = cdg_ties_find_teams(world);
    if (result != CDG_OK) return result;
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

// Waking a thread takes some microseconds, and milliseconds on a busy machine: a step of explicit models may be
// shorter.
int cdg_step_threads(const cdg_world *world) {
    const double worth = 50e-6; // s
    double cost = 0;
    if (world->team_count < 2) return 1; // one rod, or one net: nothing to share out
    for (size_t i = 0; i < world->rod_count && cost < worth; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || world->rods[i].has_weld || world->rods[i].has_tie) continue; // those decide for themselves
        cost += rod->model->step_cost != NULL ? rod->model->step_cost(rod, world->step) : worth;
    }
    return cost < worth ? 1 : world->thread_count;
}
