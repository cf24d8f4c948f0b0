// Solids in a world: adding, finding, reading back.
#include "base/error.h"
#include "world/solid_object.h"
#include "world/tie.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_world_add_solid(cdg_world *world, const cdg_solid_def *def, cdg_solid_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    char chosen[40];
    const char *name = def->name;
    for (size_t number = world->solid_count + 1; name == NULL; number++) { // the first that is free
        snprintf(chosen, sizeof chosen, "solid_%zu", number);
        if (cdg_world_find_solid(world, chosen).index1 == 0) name = chosen;
    }
    cdg_result result = cdg_world_check_name(world, "a solid", name, cdg_world_find_solid(world, name).index1 != 0);
    if (result != CDG_OK) return result;
    world_solid *entry = calloc(1, sizeof *entry);
    world_solid **grown = realloc(world->solids, (world->solid_count + 1) * sizeof(world_solid *));
    if (grown != NULL) world->solids = grown;
    if (entry == NULL || grown == NULL || !cdg_handles_reserve(&world->handles[WORLD_SOLIDS])) {
        free(entry);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for solid '%s'", name);
    }
    result = cdg_solid_build(def, name, &entry->solid, &world->error);
    if (result == CDG_OK) result = cdg_objects_add(world, &cdg_solid_operations, entry);
    if (result != CDG_OK) {
        cdg_solid_free(&entry->solid);
        free(entry);
        return result;
    }
    entry->world = world;
    world->solids[world->solid_count++] = entry;
    if (world->has_started) {
        solid_energies e = cdg_solid_measure_energy(&entry->solid, entry->solid.x, entry->solid.v, world->def.gravity);
        world->energy_at_start += e.kinetic + e.gravity + e.elastic;
    }
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_SOLIDS]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_solid_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_solid(cdg_world *world, cdg_solid_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid no longer exists");
    const cdg_solid *s = &world->solids[index]->solid;
    if (cdg_world_ties_solid(world, (uint32_t)index))
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "a rod is tied to solid '%s', which cannot be removed; remove its ties first", s->name);
    cdg_ties_forget(world);
    if (world->has_started) {
        solid_energies e = cdg_solid_measure_energy(s, s->x, s->v, world->def.gravity);
        world->energy_at_start -= e.kinetic + e.gravity + e.elastic;
    }
    cdg_grips_leave_solid(world, world->solids[index]);
    cdg_solid_forcing_leave(world, (uint32_t)index);
    cdg_objects_remove(world, world->solids[index]);
    world->solid_count--;
    memmove(&world->solids[index], &world->solids[index + 1], (world->solid_count - index) * sizeof(world_solid *));
    cdg_handles_close_up(&world->handles[WORLD_SOLIDS], index);
    for (size_t i = 0; i < world->tie_count; i++) world->ties[i].solid -= world->ties[i].solid > index;
    cdg_contacts_forget(&world->contacts, CDG_SIDE_TRIANGLE, (uint32_t)index);
    return CDG_OK;
}

size_t cdg_world_solid_count(const cdg_world *world) { return world != NULL ? world->solid_count : 0; }

cdg_solid_id cdg_world_solid_at(const cdg_world *world, size_t index) {
    if (world == NULL) return (cdg_solid_id){0};
    cdg_handle handle = cdg_handles_at(&world->handles[WORLD_SOLIDS], index);
    return CDG_HANDLE_AS(cdg_solid_id, handle);
}

cdg_solid_id cdg_world_find_solid(const cdg_world *world, const char *name) {
    if (world == NULL || name == NULL) return (cdg_solid_id){0};
    for (size_t i = 0; i < world->solid_count; i++)
        if (strcmp(world->solids[i]->solid.name, name) == 0) return cdg_world_solid_at(world, i);
    return (cdg_solid_id){0};
}

world_solid *cdg_world_get_solid(const cdg_world *world, cdg_solid_id id) {
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, id);
    return index != SIZE_MAX ? world->solids[index] : NULL;
}

cdg_result cdg_solid_get_info(const cdg_world *world, cdg_solid_id id, cdg_solid_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const world_solid *entry = cdg_world_get_solid(world, id);
    if (entry == NULL) return CDG_ERROR_STALE;
    const cdg_solid *s = &entry->solid;
    *out = (cdg_solid_info){.name = s->name,
                            .model = s->def.model,
                            .integrator = s->def.integrator,
                            .node_count = s->node_count,
                            .tetrahedron_count = s->tetrahedron_count,
                            .surface_count = s->surface_count,
                            .tetrahedra = (const uint32_t(*)[4])s->tetrahedra,
                            .surface = (const uint32_t(*)[3])s->surface,
                            .mass = s->total_mass,
                            .rest_volume = s->rest_volume,
                            .shortest_edge = s->shortest_edge,
                            .mean_edge = s->mean_edge,
                            .stable_step = cdg_solid_stable_step(s),
                            .young_modulus = s->def.young_modulus,
                            .poisson_ratio = s->def.poisson_ratio,
                            .density = s->def.density};
    return CDG_OK;
}

cdg_result cdg_solid_get_view(const cdg_world *world, cdg_solid_id id, cdg_solid_view *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const world_solid *entry = cdg_world_get_solid(world, id);
    if (entry == NULL) return CDG_ERROR_STALE;
    for (int k = 0; k < 3; k++) {
        out->position[k] = entry->solid.x[k];
        out->velocity[k] = entry->solid.v[k];
        out->reaction[k] = entry->solid.reaction[k];
    }
    return CDG_OK;
}

cdg_result cdg_solid_stress(const cdg_world *world, cdg_solid_id id, double *von_mises, double *strain) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    const world_solid *entry = cdg_world_get_solid(world, id);
    if (entry == NULL) return CDG_ERROR_STALE;
    cdg_solid_stresses(&entry->solid, entry->solid.x, von_mises, strain);
    return CDG_OK;
}

cdg_result cdg_solid_get_state(const cdg_world *world, cdg_solid_id id, cdg_solid_state *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const world_solid *entry = cdg_world_get_solid(world, id);
    if (entry == NULL) return CDG_ERROR_STALE;
    const cdg_solid *s = &entry->solid;
    solid_energies e = cdg_solid_measure_energy(s, s->x, s->v, world->def.gravity);
    *out = (cdg_solid_state){.volume = cdg_solid_volume(s, s->x),
                             .kinetic = e.kinetic,
                             .elastic = e.elastic,
                             .gravity = e.gravity,
                             .least_volume = cdg_solid_least_volume(s, s->x, NULL)};
    cdg_solid_extremes(s, s->x, &out->largest_stress, &out->largest_strain);
    const double *mass = entry->own_mass != NULL ? entry->own_mass : s->mass; // hands make nodes heavier
    for (size_t i = 0; i < s->node_count; i++) {
        out->center = vec3_mad(out->center, mass[i] / s->total_mass, solid_vec3(s->x, i));
        out->velocity = vec3_mad(out->velocity, mass[i] / s->total_mass, solid_vec3(s->v, i));
        out->reaction = vec3_add(out->reaction, solid_vec3(s->reaction, i));
    }
    return CDG_OK;
}

cdg_result cdg_solid_find_modes(cdg_world *world, cdg_solid_id id, size_t count, double *frequencies,
                                cdg_vec3 *shapes) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (frequencies == NULL && count > 0) return cdg_fail_null(&world->error, "frequencies");
    cdg_error_clear(&world->error);
    world_solid *entry = cdg_world_get_solid(world, id);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid does not exist");
    cdg_solid_drive(entry, world->time, 0);
    cdg_error error = {0};
    cdg_result result = cdg_solid_find_eigenvalues(&entry->solid, count, frequencies, shapes, &error);
    if (result != CDG_OK) return cdg_fail(&world->error, result, "%s", error.message);
    const double two_pi = 6.283185307179586;
    for (size_t i = 0; i < count; i++)
        frequencies[i] = (frequencies[i] < 0 ? -sqrt(-frequencies[i]) : sqrt(frequencies[i])) / two_pi;
    return CDG_OK;
}
