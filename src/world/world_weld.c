// Welds: a section of a rod held to a body. To the rod a weld is a support whose pose is the body's.
#include "base/error.h"
#include "math/quat.h"
#include "world/place.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

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

// Bodies that rods' welds yield to are where the step has found them, not where it took them to be.
void cdg_welds_settle(cdg_world *world) {
    cdg_welds_follow(world);
    for (size_t i = 0; i < world->rod_count; i++) {
        const world_rod *entry = &world->rods[i];
        if (entry->rod == NULL || !entry->has_weld || !cdg_weld_yields(entry->rod)) continue;
        cdg_supports_drive(world, (uint32_t)i, world->time);
    }
}

cdg_weld_def cdg_weld_def_default(void) { return (cdg_weld_def){0}; }

static cdg_result check(cdg_world *world, const cdg_weld_def *def) {
    cdg_result placed =
        cdg_place_check_rod(&def->place, "a weld holds a node of a rod to a body, which `body` names", &world->error);
    if (placed != CDG_OK) return placed;
    const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the weld names a rod that does not exist");
    const cdg_body *held = cdg_world_get_body(world, def->body);
    if (held == NULL)
        return cdg_fail(&world->error, CDG_ERROR_STALE, "the weld of rod '%s' names a body that does not exist",
                        rod->name);
    const char *body = held->name;
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
        bool are_free = !held->def.is_fixed && !world->bodies[old->body].def.is_fixed;
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
    if (!cdg_handles_reserve(&world->handles[WORLD_WELDS]))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a weld");
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = def->place};
    cdg_support_id id;
    result = cdg_world_add_support(world, &clamp, &id);
    if (result != CDG_OK) return result;
    world_support *support = &world->supports[id.index1 - 1];
    size_t body = WORLD_INDEX(world, WORLD_BODIES, def->body);
    const cdg_body_now *now = &world->bodies[body].now;
    world_weld *weld = &world->welds[world->weld_count++];
    *weld = (world_weld){
        .def = *def,
        .support = id.index1 - 1,
        .body = (uint32_t)body,
        .arm = quat_rotate_inverse(now->q, vec3_sub(support->position, now->x)),
        .turn = quat_relative(now->q, support->frame),
        .position = support->position,
        .frame = support->frame,
    };
    support->weld1 = (uint32_t)world->weld_count;
    world->rods[def->place.rod.index1 - 1].has_weld = true;
    cdg_bodies_forget(world);
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_WELDS]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_weld_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_weld(cdg_world *world, cdg_weld_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_WELDS, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the weld no longer exists");
    uint32_t support = world->welds[index].support;
    size_t rod = world->supports[support].rod_index;
    cdg_bodies_forget(world);
    world->weld_count--;
    memmove(&world->welds[index], &world->welds[index + 1], (world->weld_count - index) * sizeof *world->welds);
    cdg_handles_close_up(&world->handles[WORLD_WELDS], index);
    world->rods[rod].has_weld = false;
    for (size_t i = 0; i < world->weld_count; i++) {
        world->supports[world->welds[i].support].weld1 = (uint32_t)i + 1;
        if (world->supports[world->welds[i].support].rod_index == rod) world->rods[rod].has_weld = true;
    }
    cdg_supports_remove(world, support);
    world->rods[rod].may_overlap = true; // it may end inside of the body, or of rods that are welded there, too
    return CDG_OK;
}

size_t cdg_world_weld_count(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->weld_count;
}

cdg_result cdg_weld_reaction(const cdg_world *world, cdg_weld_id id, cdg_vec3 *force, cdg_vec3 *moment) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    size_t index = WORLD_INDEX(world, WORLD_WELDS, id);
    if (index == SIZE_MAX) return CDG_ERROR_STALE;
    const world_support *support = &world->supports[world->welds[index].support];
    if (force != NULL) *force = support->force;
    if (moment != NULL) *moment = support->moment;
    return CDG_OK;
}
