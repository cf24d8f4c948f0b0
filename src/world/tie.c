// Ties: adding and removing them, what is refused, and where a rod passes through the solid that it is tied to. To the
// rod a tie is a support whose pose is that of a place in the solid.
#include "world/tie.h"
#include "base/error.h"
#include "solids/solid_model.h"
#include "world/place.h"
#include "world/solid_object.h"

#include <stdlib.h>
#include <string.h>

cdg_tie_def cdg_tie_def_default(void) { return (cdg_tie_def){0}; }

bool cdg_ties_hold_node(const cdg_world *world, cdg_rod_id rod, size_t node) {
    for (size_t i = 0; i < world->tie_count; i++) {
        cdg_place place = world->ties[i].def.place;
        if (place.rod.index1 == rod.index1 && place.rod.generation == rod.generation && place.index == node)
            return true;
    }
    return false;
}

bool cdg_world_ties_solid(const cdg_world *world, uint32_t solid) {
    for (size_t i = 0; i < world->tie_count; i++)
        if (world->ties[i].solid == solid) return true;
    return false;
}

void cdg_ties_follow(cdg_world *world) {
    for (size_t i = 0; i < world->tie_count; i++) world->ties[i].trial = world->ties[i].now;
}

// ---- what can be tied -----------------------------------------------------------------------------------------------

static cdg_result check_rod(cdg_world *world, const cdg_tie_def *def, const cdg_rod *rod, const char *solid) {
    bool is_implicit = rod->model->ties_to_solids && rod->model->contact.response_size != NULL &&
                       rod->model->contact.response_size(rod) > 0;
    if (!is_implicit)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' cannot be tied to solid '%s': that takes implicit steps of the same kind as the "
                        "solid's, of model der, or of pobd with solver direct; take one of these",
                        rod->name, solid);
    if (world->rods[def->place.rod.index1 - 1].has_weld)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is welded to a body and cannot be tied to solid '%s', too; clamp it instead of "
                        "welding it to a fixed body, or take two rods",
                        rod->name, solid);
    if (def->place.kind != CDG_PLACE_NODE || def->place.index >= rod_user_node_count(rod))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a tie holds a node; rod '%s' has nodes 0 to %zu", rod->name,
                        rod_user_node_count(rod) - 1);
    if (rod->support_at != NULL && rod->support_at[def->place.index] != CDG_NO_INDEX)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu of rod '%s' has a support, a weld or a tie and cannot be tied to solid '%s'; tie "
                        "another node, or remove that",
                        def->place.index, rod->name, solid);
    return CDG_OK;
}

static cdg_result check(cdg_world *world, const cdg_tie_def *def) {
    cdg_result placed =
        cdg_place_check_rod(&def->place, "a tie holds a node of a rod to a solid, which `solid` names", &world->error);
    if (placed != CDG_OK) return placed;
    const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the tie names a rod that does not exist");
    const world_solid *entry = cdg_world_get_solid(world, def->solid);
    if (entry == NULL)
        return cdg_fail(&world->error, CDG_ERROR_STALE, "the tie of rod '%s' names a solid that does not exist",
                        rod->name);
    if (!solid_is_implicit(&entry->solid) || entry->solid.model->curvature == NULL)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "solid '%s' takes explicit steps, and rod '%s' cannot be tied to it; take integrator bdf2 or "
                        "euler",
                        entry->solid.name, rod->name);
    return check_rod(world, def, rod, entry->solid.name);
}

// The place of the node in the solid.
static cdg_result find_place(cdg_world *world, const cdg_tie_def *def, const cdg_rod *rod, const cdg_solid *solid,
                             solid_place *out) {
    cdg_vec3 node = rod_vec3(rod->x, rod_user_node(rod, def->place.index));
    double away = cdg_solid_find_place(solid, solid->x, node, out);
    if (away <= solid->mean_edge) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                    "node %zu of rod '%s', at (%.4g, %.4g, %.4g) m, is %.3g m outside of solid '%s' and cannot be tied "
                    "to it; it may be as far away as an edge, %.3g m",
                    def->place.index, rod->name, node.x, node.y, node.z, away, solid->name, solid->mean_edge);
}

// ---- where they pass through each other -----------------------------------------------------------------------------

static bool is_inside(const cdg_solid *solid, cdg_vec3 point) {
    solid_place place;
    return cdg_solid_find_place(solid, solid->x, point, &place) == 0;
}

// From the node on, forward or backward, over the element next to it, those that begin inside, and as many as come out
// of the surface by twice what keeps both apart.
static double pass_to(const cdg_rod *rod, size_t node, int way, const cdg_solid *solid) {
    double radius = rod->radius[node * rod->section_stride], length = 0, outside = 0;
    double reach = 2 * (radius + CDG_SOLID_THICKNESS * solid->shortest_edge);
    for (size_t i = 0; i < rod->element_count; i++) {
        if (!rod->is_closed && node == (way > 0 ? rod->node_count - 1 : 0)) break;
        if (is_inside(solid, rod_vec3(rod->x, node))) outside = 0;
        if (i > 0 && outside > reach) break;
        size_t next = way > 0 ? (node + 1) % rod->node_count : (node + rod->node_count - 1) % rod->node_count;
        double part = rod->rest_length[way > 0 ? node : next];
        cdg_vec3 middle = vec3_lerp(rod_vec3(rod->x, node), rod_vec3(rod->x, next), 0.5);
        length += part;
        outside += is_inside(solid, middle) ? 0.5 * part : part;
        node = next;
    }
    return length;
}

static void find_pass(world_tie *tie, const cdg_rod *rod, const cdg_solid *solid) {
    size_t node = rod_user_node(rod, tie->def.place.index);
    double arc = 0;
    for (size_t j = 0; j < node; j++) arc += rod->rest_length[j];
    tie->pass[0] = arc - pass_to(rod, node, -1, solid);
    tie->pass[1] = arc + pass_to(rod, node, 1, solid);
}

static bool lies_between(double from, double to, double length, double at) {
    for (int turn = -1; turn <= 1; turn++)
        if (at + turn * length >= from && at + turn * length <= to) return true;
    return false;
}

static bool passes_at(const cdg_world *world, const world_tie *tie, double arc) {
    const cdg_rod *rod = world->rods[tie->def.place.rod.index1 - 1].rod;
    return lies_between(tie->pass[0], tie->pass[1], rod->is_closed ? rod->length : 0, arc);
}

bool cdg_ties_pass(const cdg_world *world, uint32_t rod, uint32_t solid, double arc) {
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        if (tie->def.place.rod.index1 == rod + 1 && tie->solid == solid && passes_at(world, tie, arc)) return true;
    }
    return false;
}

bool cdg_ties_end_between(const cdg_world *world, uint32_t rod, const double arc[2]) {
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        if (tie->def.place.rod.index1 != rod + 1) continue;
        if (passes_at(world, tie, arc[0]) != passes_at(world, tie, arc[1])) return true;
    }
    return false;
}

void cdg_ties_mark(const cdg_world *world) {
    const cdg_pieces *p = &world->contacts.pieces;
    for (size_t e = 0; e < p->element_count; e++) p->passes[e][0] = p->passes[e][1] = UINT32_MAX;
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        uint32_t rod = tie->def.place.rod.index1 - 1;
        double length = world->rods[rod].rod->is_closed ? p->objects[rod].length : 0;
        for (uint32_t e = p->first_element[rod]; e < p->first_element[rod + 1]; e++) {
            if (!lies_between(tie->pass[0], tie->pass[1], length, 0.5 * (p->arc[e][0] + p->arc[e][1]))) continue;
            int side = p->passes[e][0] != UINT32_MAX && p->passes[e][0] != tie->solid ? 1 : 0;
            p->passes[e][side] = tie->solid;
        }
    }
}

// ---- adding and removing --------------------------------------------------------------------------------------------

static bool reserve(cdg_world *world) {
    if (world->tie_count == world->tie_capacity) {
        size_t capacity = world->tie_capacity > 0 ? 2 * world->tie_capacity : 4;
        world_tie *grown = realloc(world->ties, capacity * sizeof *grown);
        if (grown == NULL) return false;
        world->ties = grown;
        world->tie_capacity = capacity;
    }
    return cdg_handles_reserve(&world->handles[WORLD_TIES]);
}

cdg_result cdg_world_add_tie(cdg_world *world, const cdg_tie_def *def, cdg_tie_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    cdg_result result = check(world, def);
    if (result != CDG_OK) return result;
    const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, def->solid);
    const cdg_solid *solid = &world->solids[index]->solid;
    world_tie tie = {.def = *def, .solid = (uint32_t)index, .way_count = def->turns ? 3 : 6};
    result = find_place(world, def, rod, solid, &tie.place);
    if (result != CDG_OK) return result;
    if (!reserve(world)) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a tie");
    cdg_support_def held = {.kind = def->turns ? CDG_SUPPORT_PIN : CDG_SUPPORT_CLAMP, .place = def->place};
    cdg_support_id id;
    result = cdg_world_add_support(world, &held, &id);
    if (result != CDG_OK) return result;
    world_support *support = &world->supports[id.index1 - 1];
    tie.support = id.index1 - 1;
    tie.rotation = cdg_solid_place_rotation(solid, solid->x, &tie.place, quat_identity());
    tie.turn = quat_relative(tie.rotation, support->frame);
    tie.now = tie.trial = (tie_state){.position = support->position, .frame = support->frame};
    tie.length = fmin(rod->length / (double)rod->element_count, solid->mean_edge);
    find_pass(&tie, rod, solid);
    world->ties[world->tie_count++] = tie;
    support->tie1 = (uint32_t)world->tie_count;
    world->rods[def->place.rod.index1 - 1].has_tie = true;
    cdg_ties_forget(world);
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_TIES]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_tie_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_tie(cdg_world *world, cdg_tie_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_TIES, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the tie no longer exists");
    uint32_t support = world->ties[index].support;
    size_t rod = world->supports[support].rod_index;
    cdg_ties_forget(world);
    // differences over two steps would go on with the force that is gone
    world->rods[rod].rod->has_history = false;
    world->solids[world->ties[index].solid]->solid.has_history = false;
    world->tie_count--;
    memmove(&world->ties[index], &world->ties[index + 1], (world->tie_count - index) * sizeof *world->ties);
    cdg_handles_close_up(&world->handles[WORLD_TIES], index);
    world->rods[rod].has_tie = false;
    for (size_t i = 0; i < world->tie_count; i++) {
        world->supports[world->ties[i].support].tie1 = (uint32_t)i + 1;
        if (world->supports[world->ties[i].support].rod_index == rod) world->rods[rod].has_tie = true;
    }
    cdg_supports_remove(world, support);
    world->rods[rod].may_overlap = true; // it may end inside of the solid
    world_renew(world);
    return CDG_OK;
}

size_t cdg_world_tie_count(const cdg_world *world) { return world != NULL ? world->tie_count : 0; }

cdg_result cdg_tie_reaction(const cdg_world *world, cdg_tie_id id, cdg_vec3 *force, cdg_vec3 *moment) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    size_t index = WORLD_INDEX(world, WORLD_TIES, id);
    if (index == SIZE_MAX) return CDG_ERROR_STALE;
    if (force != NULL) *force = world->ties[index].now.force;
    if (moment != NULL) *moment = world->ties[index].now.moment;
    return CDG_OK;
}
