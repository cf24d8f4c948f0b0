// Welds: a section of a rod held to a body. To the rod a weld is a support whose pose is the body's.
#include "base/error.h"
#include "math/quat.h"
#include "world/world.h"

#include <stdlib.h>

void cdg_weld_follow(world_weld *weld, const cdg_body_now *now) {
    weld->position = vec3_add(now->x, quat_rotate(now->q, weld->arm));
    weld->frame = quat_multiply(now->q, weld->turn);
    weld->has_velocity = weld->yields = false;
}

void cdg_welds_follow(cdg_world *world) {
    for (size_t i = 0; i < world->weld_count; i++)
        cdg_weld_follow(&world->welds[i], &world->bodies[world->welds[i].body].now);
}

static const world_support *support_at(const cdg_world *world, cdg_rod_id rod, size_t node, bool is_weld) {
    if (cdg_world_get_rod(world, rod) == NULL) return NULL;
    const cdg_rod *held = world->rods[rod.index1 - 1].rod;
    if (held->support_at == NULL || node >= rod_user_node_count(held)) return NULL;
    for (uint32_t i = held->support_at[node]; i != CDG_NO_INDEX; i = world->supports[i].before_at_node)
        if ((world->supports[i].weld1 != 0) == is_weld) return &world->supports[i];
    return NULL;
}

bool cdg_welds_hold_node(const cdg_world *world, cdg_rod_id rod, size_t node) {
    return support_at(world, rod, node, true) != NULL;
}

uint32_t cdg_weld_unit_rod(const cdg_world *world, const world_weld *weld) {
    uint32_t rod = weld->def.place.rod.index1 - 1;
    for (size_t n = 0, first = 0; n < world->net_count; first += world->nets[n]->rod_count, n++)
        for (size_t i = 0; i < world->nets[n]->rod_count; i++)
            if (world->net_rods[first + i] == rod) return world->net_rods[first];
    return rod;
}

bool cdg_weld_yields(const cdg_rod *rod) {
    return rod->model->yields_at_welds != NULL && rod->model->yields_at_welds(rod);
}

static cdg_result check(cdg_world *world, const cdg_weld_def *def) {
    const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the weld names a rod that does not exist");
    if (def->body.index1 == 0 || def->body.index1 > world->body_count || def->body.generation != 1)
        return cdg_fail(&world->error, CDG_ERROR_STALE, "the weld of rod '%s' names a body that does not exist",
                        rod->name);
    const char *body = world->bodies[def->body.index1 - 1].name;
    const world_support *other = support_at(world, def->place.rod, def->place.index, true);
    if (other != NULL) {
        const char *first = world->bodies[world->welds[other->weld1 - 1].body].name;
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu of rod '%s' is welded to body '%s' already and cannot be welded to '%s', too; make "
                        "the two one body, or weld another node",
                        def->place.index, rod->name, first, body);
    }
    if (support_at(world, def->place.rod, def->place.index, false) != NULL)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu of rod '%s' has a support and cannot be welded to body '%s'; fix the body instead, "
                        "or remove the support",
                        def->place.index, rod->name, body);
    for (size_t i = 0; i < world->weld_count; i++) {
        const world_weld *old = &world->welds[i];
        const cdg_rod *beside = cdg_world_get_rod(world, old->def.place.rod);
        bool are_free = !world->bodies[def->body.index1 - 1].def.is_fixed && !world->bodies[old->body].def.is_fixed;
        if (!are_free || beside == NULL || cdg_weld_yields(beside) == cdg_weld_yields(rod)) continue;
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "of rods '%s' and '%s', which are welded to free bodies, one is kept at its length by a "
                        "constraint and the other is not; make them alike",
                        rod->name, beside->name);
    }
    return CDG_OK;
}

cdg_result cdg_world_add_weld(cdg_world *world, const cdg_weld_def *def, cdg_weld_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    cdg_result result = check(world, def);
    if (result != CDG_OK) return result;
    if (world->weld_count == world->weld_capacity) {
        size_t capacity = world->weld_capacity > 0 ? 2 * world->weld_capacity : 4;
        world_weld *grown = realloc(world->welds, capacity * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a weld");
        world->welds = grown;
        world->weld_capacity = capacity;
    }
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = def->place};
    cdg_support_id id;
    result = cdg_world_add_support(world, &clamp, &id);
    if (result != CDG_OK) return result;
    world_support *support = &world->supports[id.index1 - 1];
    const cdg_body_now *now = &world->bodies[def->body.index1 - 1].now;
    world_weld *weld = &world->welds[world->weld_count++];
    *weld = (world_weld){
        .def = *def,
        .support = id.index1 - 1,
        .body = def->body.index1 - 1,
        .arm = quat_rotate_inverse(now->q, vec3_sub(support->position, now->x)),
        .turn = quat_relative(now->q, support->frame),
        .position = support->position,
        .frame = support->frame,
    };
    support->weld1 = (uint32_t)world->weld_count;
    world->rods[def->place.rod.index1 - 1].has_weld = true;
    cdg_bodies_forget(world);
    if (out != NULL) *out = (cdg_weld_id){(uint32_t)world->weld_count, 1};
    return CDG_OK;
}

size_t cdg_world_weld_count(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->weld_count;
}

cdg_result cdg_weld_reaction(const cdg_world *world, cdg_weld_id id, cdg_vec3 *force, cdg_vec3 *moment) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (id.index1 == 0 || id.index1 > world->weld_count || id.generation != 1) return CDG_ERROR_STALE;
    return cdg_support_reaction(world, (cdg_support_id){world->welds[id.index1 - 1].support + 1, 1}, force, moment);
}
