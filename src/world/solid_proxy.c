// Solids as contact sees them: vertices of the surface with their masses, and triangles between them.
#include "world/solid_proxy.h"

#include "base/error.h"
#include "solids/solid_system.h"
#include "solids/volume_floor.h"
#include "world/rod_proxy.h"

#include <stdlib.h>
#include <string.h>

// ---- reading the candidate, and giving back -------------------------------------------------------------------------

static void read_solid(cdg_pieces *p, size_t index, double step) {
    const world_solid *entry = p->objects[index].object;
    const cdg_solid *s = &entry->solid;
    for (size_t i = 0; i < entry->skin->node_count; i++) {
        uint32_t k = p->point_of[p->first_node[index] + i];
        size_t node = entry->skin->node[i];
        p->start[k] = solid_vec3(s->x, node);
        p->velocity[k] = solid_vec3(s->v, node);
        p->free[k] = p->next[k] = solid_vec3(s->x_next, node);
        // implicit ones take a step of Euler's rule while they are touched, from here (solid_spin.c)
        p->base[k] = solid_is_implicit(s) ? p->start[k] : vec3_mad(p->free[k], -step, solid_vec3(s->v_next, node));
        p->give[k] += s->mass[node];
        if (s->is_held[node]) p->held[k] = true;
    }
}

static bool give_back_solid(const cdg_pieces *p, size_t index, double step) {
    world_solid *entry = p->objects[index].object;
    cdg_solid *s = &entry->solid;
    bool is_touched = false;
    if (solid_is_implicit(s)) return s->is_touched; // it was predicted with the forces
    for (size_t i = 0; i < entry->skin->node_count; i++) {
        uint32_t k = p->point_of[p->first_node[index] + i];
        size_t node = entry->skin->node[i];
        cdg_vec3 force = vec3_sub(p->force[k], p->loaded[k]);
        if (force.x == 0 && force.y == 0 && force.z == 0) continue;
        is_touched = true;
        if (s->is_held[node]) { // what presses onto it, its support must hold
            solid_set_vec3(s->reaction, node, vec3_sub(solid_vec3(s->reaction, node), force));
            continue;
        }
        cdg_vec3 move = vec3_scale(p->give[k], force);
        solid_set_vec3(s->x_next, node, vec3_add(p->free[k], move));
        solid_set_vec3(s->v_next, node, vec3_mad(solid_vec3(s->v_next, node), 1 / step, move));
    }
    return is_touched;
}

// Volumes of an explicit solid in the candidate with contact (solids/volume_floor.h).
static bool hold_solid(const cdg_pieces *p, size_t index, double step) {
    world_solid *entry = p->objects[index].object;
    cdg_solid *s = &entry->solid;
    cdg_volume_floor *f = s->floor;
    if (f == NULL) return false;
    const uint32_t *point = p->point_of + p->first_node[index], *node = entry->skin->node;
    size_t count = entry->skin->node_count;
    bool is_pushed = f->has_acted;
    for (size_t i = 0; i < count && !is_pushed; i++)
        is_pushed = vec3_distance(p->next[point[i]], p->free[point[i]]) > 0;
    if (!is_pushed) return false; // as it was predicted
    f->is_short = false;
    for (size_t i = 0; i < count; i++) solid_set_vec3(s->x_next, node[i], p->next[point[i]]);
    bool is_near = cdg_volume_floor_is_near(s), is_moved = false;
    for (size_t i = 0; i < count && is_near; i++) solid_set_vec3(s->x_next, node[i], p->free[point[i]]);
    if (is_near) cdg_volume_floor_find_base(s, step);
    for (size_t i = 0; i < count && is_near; i++) {
        solid_set_vec3(s->x_next, node[i], p->next[point[i]]);
        f->blocked[node[i]] = p->move[point[i]];
    }
    if (is_near) is_moved = cdg_volume_floor_push(s, step, 1);
    for (size_t i = 0; i < count; i++) {
        solid_set_vec3(s->x_next, node[i], p->free[point[i]]);
        f->blocked[node[i]] = vec3(0, 0, 0);
    }
    if (!is_moved) return false;
    cdg_volume_floor_shift(s, step);
    for (size_t i = 0; i < count; i++) {
        p->next[point[i]] = vec3_add(p->next[point[i]], solid_vec3(f->shift, node[i]));
        p->free[point[i]] = solid_vec3(s->x_next, node[i]);
    }
    return true;
}

cdg_result cdg_solids_check_volumes(cdg_world *world, double time, double step) {
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *s = &world->solids[i]->solid;
        const cdg_volume_floor *f = s->floor;
        if (f == NULL || !(f->is_short || (world->contact_outcome.is_squeezed && f->has_acted))) continue;
        cdg_vec3 middle = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) middle = vec3_mad(middle, 0.25, solid_vec3(s->x, s->corner[k][f->worst]));
        for (size_t k = 0; k < world->object_count; k++)
            if (world->objects[k].self == world->solids[i]) world->failed_object = k;
        return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE,
                        "tetrahedron %zu of solid '%s' would %s at (%.4g, %.4g, %.4g) m, t = %.9g s, even with a step "
                        "of %.3g s: supports or obstacles may squeeze the solid where there is no room; give it room, "
                        "or switch off its volume barrier (volume_barrier: 0)",
                        f->worst, s->name, f->turns_over ? "be turned over" : "keep too little of its volume, or none,",
                        middle.x, middle.y, middle.z, time, step);
    }
    return CDG_OK;
}

const char *cdg_solids_squeezed(const cdg_world *world) {
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *s = &world->solids[i]->solid;
        if (s->floor != NULL && s->floor->has_acted) return s->name;
    }
    return NULL;
}

static void restart_solid(void *object) { ((world_solid *)object)->solid.has_history = false; }

// ---- implicit solids ------------------------------------------------------------------------------------------------

void cdg_solid_take_touch(world_solid *entry, const cdg_contacts *contacts) {
    cdg_solid *s = &entry->solid;
    const cdg_pieces *p = &contacts->pieces;
    if (!solid_is_implicit(s) || entry->skin == NULL) return;
    s->is_touched = false;
    for (size_t i = 0; i < entry->skin->node_count; i++) {
        cdg_vec3 force = p->force[p->point_of[p->first_node[entry->skin->object] + i]];
        solid_set_vec3(s->touch, entry->skin->node[i], force);
        s->is_touched = s->is_touched || force.x != 0 || force.y != 0 || force.z != 0;
    }
}

cdg_result cdg_solid_give_response(world_solid *entry, const cdg_contacts *contacts, int threads, cdg_error *error) {
    cdg_solid *s = &entry->solid;
    if (!solid_is_implicit(s) || entry->skin == NULL) return CDG_OK;
    cdg_coupled *coupled = &contacts->coupling.objects[entry->skin->object];
    if (!coupled->wants_response) return CDG_OK;
    cdg_result result = cdg_solid_keep_response(s, threads, error);
    for (size_t i = 0; i < entry->skin->node_count; i++)
        entry->skin->compliance[i] = cdg_solid_compliance(s, entry->skin->node[i]);
    coupled->has_response = result == CDG_OK;
    return result;
}

static cdg_chain_range respond_solid(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                                     const double *torque, double cutoff, double *const move[3], double *turn) {
    world_solid *entry = (world_solid *)(uintptr_t)whole;
    cdg_solid_system *m = entry->solid.system;
    (void)response, (void)torque, (void)cutoff, (void)turn;
    if (cdg_solid_columns_respond(&entry->skin->columns, &entry->solid, force, move)) return loaded;
    memset(m->right, 0, 3 * m->node_count * sizeof(double));
    for (size_t i = 0; i < entry->skin->node_count; i++)
        for (int k = 0; k < 3; k++) m->right[3 * (size_t)entry->skin->node[i] + (size_t)k] = force[k][i];
    cdg_solid_respond(&entry->solid, 1);
    for (size_t i = 0; i < entry->skin->node_count; i++)
        for (int k = 0; k < 3; k++) move[k][i] = m->move[3 * (size_t)entry->skin->node[i] + (size_t)k];
    return loaded;
}

static const cdg_proxy_operations operations = {.read = read_solid,
                                                .give_back = give_back_solid,
                                                .hold = hold_solid,
                                                .restart = restart_solid,
                                                .respond = respond_solid};

// ---- building -------------------------------------------------------------------------------------------------------

void cdg_solid_skin_free(world_solid *entry) {
    if (entry->skin == NULL) return;
    free(entry->skin->node);
    free(entry->skin->triangles);
    free(entry->skin->rest);
    free(entry->skin->compliance);
    cdg_solid_columns_free(&entry->skin->columns);
    free(entry->skin);
    entry->skin = NULL;
}

cdg_result cdg_solid_skin_make(world_solid *entry, cdg_error *error) {
    if (entry->skin != NULL) return CDG_OK;
    const cdg_solid *s = &entry->solid;
    solid_skin *skin = calloc(1, sizeof *skin);
    uint32_t *number = malloc(s->node_count * sizeof *number);
    entry->skin = skin;
    if (skin != NULL) {
        skin->node = malloc(s->node_count * sizeof *skin->node);
        skin->triangles = malloc((s->surface_count + 1) * sizeof *skin->triangles);
        skin->rest = malloc(s->node_count * sizeof *skin->rest);
        skin->compliance = calloc(s->node_count, sizeof *skin->compliance);
    }
    if (skin == NULL || number == NULL || skin->node == NULL || skin->triangles == NULL || skin->rest == NULL ||
        skin->compliance == NULL) {
        free(number);
        cdg_solid_skin_free(entry);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of solid '%s'", s->name);
    }
    memset(number, 0xff, s->node_count * sizeof *number);
    for (size_t t = 0; t < s->surface_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t node = s->surface[t][k];
            if (number[node] == UINT32_MAX) {
                number[node] = (uint32_t)skin->node_count;
                skin->rest[skin->node_count] = solid_vec3(s->rest, node);
                skin->node[skin->node_count++] = node;
            }
            skin->triangles[t][k] = number[node];
        }
    free(number);
    bool has_columns = solid_is_implicit(s) && s->system != NULL && s->system->pattern != NULL;
    if (has_columns && !cdg_solid_columns_make(&skin->columns, skin->node, skin->node_count)) {
        cdg_solid_skin_free(entry);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of solid '%s'", s->name);
    }
    return CDG_OK;
}

cdg_proxy cdg_solid_proxy(world_solid *entry) {
    cdg_solid *s = &entry->solid;
    return (cdg_proxy){.object = entry,
                       .operations = &operations,
                       .name = s->name,
                       .point_count = entry->skin->node_count,
                       .now = s->x,
                       .next = s->x_next,
                       .velocity = s->v,
                       .triangles = (const uint32_t(*)[3])entry->skin->triangles,
                       .triangle_count = s->surface_count,
                       .thickness = CDG_SOLID_THICKNESS * s->shortest_edge,
                       .passes_itself = s->def.model == CDG_SOLID_SHAPE_MATCHING,
                       .is_fine = s->def.model == CDG_SOLID_SHAPE_MATCHING,
                       .node = entry->skin->node,
                       .rest = entry->skin->rest,
                       .compliance = entry->skin->compliance,
                       .is_implicit = solid_is_implicit(s),
                       .response_size = solid_is_implicit(s) ? 1 : 0, // it is in the solid's own system
                       .whole = entry};
}

static cdg_result build_list(cdg_world *world, const cdg_rod_proxies *rods, cdg_proxy *all) {
    memcpy(all, rods->proxies, world->rod_count * sizeof *all);
    for (size_t i = 0; i < world->solid_count; i++) {
        cdg_result result = cdg_solid_skin_make(world->solids[i], &world->error);
        if (result != CDG_OK) return result;
        all[world->rod_count + i] = cdg_solid_proxy(world->solids[i]);
        all[world->rod_count + i].lead = (uint32_t)(world->rod_count + i);
        world->solids[i]->skin->object = world->rod_count + i;
    }
    cdg_proxy_list list = rods->list;
    list.proxies = all;
    list.count = world->rod_count + world->solid_count;
    list.surface_count = world->solid_count;
    return cdg_contacts_build(&world->contacts, &list, &world->error);
}

cdg_result cdg_world_build_contacts(cdg_world *world, cdg_rod *const *rods) {
    cdg_rod_proxies proxies;
    cdg_result result =
        cdg_rod_proxies_build(&proxies, rods, world->rod_count, world->nets, world->net_count, &world->error);
    if (result != CDG_OK) return result;
    cdg_proxy *all = calloc(world->rod_count + world->solid_count + 1, sizeof *all);
    result = all != NULL ? build_list(world, &proxies, all)
                         : cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact");
    free(all);
    cdg_rod_proxies_free(&proxies);
    return result;
}

// ---- parts of a step ------------------------------------------------------------------------------------------------

static bool is_surface(const cdg_contact_side *side) {
    return side->kind == CDG_SIDE_VERTEX || side->kind == CDG_SIDE_EDGE || side->kind == CDG_SIDE_TRIANGLE;
}

// Implicit ones take any step whole.
static double parts_of(const cdg_solid *solid, double step) {
    return !solid_is_implicit(solid) ? ceil(step / cdg_solid_stable_step(solid)) : 1;
}

double cdg_solids_contact_parts(const cdg_world *world, double step, bool only_touching) {
    double most = 1;
    if (!only_touching) {
        for (size_t i = 0; i < world->solid_count; i++) most = fmax(most, parts_of(&world->solids[i]->solid, step));
        return most;
    }
    const cdg_contacts *c = &world->contacts;
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact_side *side = &c->kept[i].side[k];
            if (!is_surface(side) || side->object >= world->solid_count) continue;
            most = fmax(most, parts_of(&world->solids[side->object]->solid, step));
        }
    return most;
}
