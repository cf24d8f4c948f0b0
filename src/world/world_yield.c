// How rods that are welded to free bodies yield to contact. A model's response (rod_model.h) is that of a rod whose
// welds stand still. The rest is a correction of low rank: a load pushes the welds by what it does along the ways in
// which they move, they go as far as bodies and the stiffness of their rods let them, and carry the rod along.
//
// With P the moves of the rod by moves of its welds, a load f exerts P^T f on the bodies (by reciprocity, since a step
// is a minimisation), which adds P (J M^-1 G J^T) P^T f to the response: M is the matrix of Newton's method for the
// bodies' poses, G what forces make of a body, J what a body's pose makes of its welds'.
#include "base/error.h"
#include "world/world_bodies.h"

#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

void cdg_yield_free(world_unit *unit) {
    free(unit->yield.way);
    free(unit->yield.give);
    free(unit->kept);
    unit->yield = (cdg_yield){0};
    unit->kept = NULL;
}

static bool is_any_free(const cdg_world *world, const world_unit *unit) {
    for (size_t k = 0; k < unit->weld_count; k++)
        if (!world->bodies[world->welds[unit->welds[k]].body].def.is_fixed) return true;
    return false;
}

static bool reserve(world_unit *unit, const cdg_rod *rod) {
    size_t ways = 6 * unit->weld_count, field = 3 * rod->node_capacity + rod->element_capacity;
    cdg_yield_free(unit);
    unit->yield.way = calloc(ways * field, sizeof(double));
    unit->yield.give = calloc(ways * ways + 2 * ways, sizeof(double));
    unit->kept = calloc(3 * rod->node_capacity + 4 * rod->element_capacity, sizeof(double));
    if (unit->yield.way == NULL || unit->yield.give == NULL || unit->kept == NULL) return false;
    unit->yield.along = unit->yield.give + ways * ways;
    unit->yield.way_count = ways;
    return true;
}

cdg_result cdg_yield_prepare(cdg_world *world) {
    for (size_t u = 0; u < cdg_bodies_unit_count(world); u++) {
        world_unit *unit = cdg_bodies_unit(world, u);
        const world_weld *weld = &world->welds[unit->welds[0]];
        uint32_t index = weld->def.place.rod.index1 - 1;
        const cdg_rod *rod = world->rods[index].rod;
        unit->yield_rod = index;
        if (!is_any_free(world, unit)) continue;
        if (world->rods[index].is_in_net || !cdg_world_couples_contact(world, index))
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "rod '%s' is welded to the free body '%s' and cannot touch anything; rods that can are "
                            "single ones with implicit steps (der, pobd with solver direct, galpha, reference): take "
                            "one of these, or switch contact off (in a scene 'contact: off'), bodies still collide "
                            "with each other and with obstacles",
                            rod->name, world->bodies[weld->body].name);
        if (!reserve(unit, rod)) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact");
        world->contacts.coupling.objects[index].yield = &unit->yield;
    }
    return CDG_OK;
}

// ---- ways -----------------------------------------------------------------------------------------------------------

void cdg_ways_keep(const cdg_rod *rod, double *kept) {
    for (int k = 0; k < 3; k++, kept += rod->node_count) memcpy(kept, rod->x_next[k], rod->node_count * sizeof *kept);
    for (int k = 0; k < 4; k++, kept += rod->element_count)
        memcpy(kept, rod->q_next[k], rod->element_count * sizeof *kept);
}

void cdg_ways_record(const cdg_rod *rod, double *kept, double size, double *way) {
    size_t nodes = rod->node_count, elements = rod->element_count;
    double *frames = kept + 3 * nodes;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < nodes; i++) *way++ = (rod->x_next[k][i] - kept[k * nodes + i]) / size;
    double *const before[4] = {frames, frames + elements, frames + 2 * elements, frames + 3 * elements};
    for (size_t j = 0; j < elements; j++)
        *way++ = quat_log(quat_relative(rod_quat(before, j), rod_quat(rod->q_next, j))).z / size;
}

void cdg_yield_begin(const cdg_world *world, world_unit *unit) {
    if (unit->yield.way_count > 0) cdg_ways_keep(world->rods[unit->yield_rod].rod, unit->kept);
}

void cdg_yield_record(const cdg_world *world, world_unit *unit, size_t way, double size) {
    if (unit->yield.way_count == 0) return;
    const cdg_rod *rod = world->rods[unit->yield_rod].rod;
    cdg_ways_record(rod, unit->kept, size, unit->yield.way + way * (3 * rod->node_count + rod->element_count));
}

// ---- how far they are gone ------------------------------------------------------------------------------------------

bool cdg_yield_finish(const cdg_world *world, struct world_bodies *work, world_unit *unit) {
    cdg_quat axes = unit_axes(world, unit);
    size_t ways = unit->yield.way_count;
    memset(unit->yield.give, 0, ways * ways * sizeof *unit->yield.give);
    for (size_t way = 0; way < ways; way++) {
        size_t pushed = unit->welds[way / 6];
        const body_work *b = &work->bodies[world->welds[pushed].body];
        if (b->number == SIZE_MAX) continue;
        double load[6] = {0};
        load[way % 6] = 1;
        cdg_bodies_assemble(world, work);
        memset(work->right, 0, work->matrix.size * sizeof *work->right);
        cdg_bodies_push(world, work, pushed, quat_rotate(axes, take(load)), quat_rotate(axes, take(load + 3)),
                        work->right + 6 * b->number);
        if (!cdg_banded_solve(&work->matrix, work->right)) return false;
        for (size_t k = 0; k < unit->weld_count; k++) {
            const world_weld *weld = &world->welds[unit->welds[k]];
            const body_work *moved = &work->bodies[weld->body];
            if (moved->number == SIZE_MAX) continue;
            const double *pose = work->right + 6 * moved->number;
            cdg_vec3 turn = take(pose + 3);
            cdg_vec3 move = vec3_add(take(pose), vec3_cross(turn, quat_rotate(moved->trial.q, weld->arm)));
            double out[6];
            put(out, quat_rotate_inverse(axes, move));
            put(out + 3, quat_rotate_inverse(axes, turn));
            for (size_t c = 0; c < 6; c++) unit->yield.give[(6 * k + c) * ways + way] = out[c];
        }
    }
    return true;
}
