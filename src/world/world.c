// The world's ownership: creating, adding, finding, reading back. Stepping is in world_step.c.
#include "world/cuts.h"
#include "world/place.h"
#include "world/planned.h"
#include "world/tie.h"
#include "world/wind_field.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "geometry/motion.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_world_def cdg_world_def_default(void) {
    return (cdg_world_def){.gravity = {0, 0, -9.81}, .step = 0, .thread_count = 0};
}

cdg_result cdg_world_create(const cdg_world_def *def, cdg_world **out, cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (def == NULL) return cdg_fail_null(error, "def");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (!vec3_is_finite(def->gravity)) return cdg_fail(error, CDG_ERROR_ARGUMENT, "gravity must be finite");
    if (!(def->step >= 0) || !isfinite(def->step))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the step is %g s; it must be positive, or 0 for automatic",
                        def->step);
    if (def->thread_count < 0 || def->thread_count > CDG_THREADS_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "thread_count is %d; it must be 1 to %d, or 0 for all cores",
                        def->thread_count, CDG_THREADS_MAX);
    if ((unsigned)def->contact >= CDG_CONTACT_CHOICE_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%d is no choice about contact", (int)def->contact);
    cdg_result processor = cdg_processor_check(error);
    if (processor != CDG_OK) return processor;
    cdg_world *world = calloc(1, sizeof *world);
    if (world == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a world");
    world->def = *def;
    world->step = def->step;
    world->first_load_of_every = world->last_load_of_every = CDG_NO_INDEX;
    world->contact_def = cdg_contact_def_default();
    world->contact_def.choice = def->contact;
    world->thread_count = def->thread_count > 0 ? def->thread_count : cdg_parallel_default_threads();
    world->scratch = calloc((size_t)world->thread_count, sizeof *world->scratch);
    if (world->scratch == NULL) {
        free(world);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a world");
    }
    *out = world;
    return CDG_OK;
}

void cdg_world_destroy(cdg_world *world) {
    if (world == NULL) return;
    cdg_planned_free(world);
    for (size_t i = 0; i < world->rod_count; i++) cdg_rod_destroy(world->rods[i].rod);
    cdg_name_table_free(&world->rod_names);
    for (size_t i = 0; i < world->support_count; i++) free((void *)(uintptr_t)world->supports[i].def.motions);
    for (size_t i = 0; i < world->load_count; i++) cdg_load_free_arrays(&world->loads[i].def);
    for (size_t i = 0; i < world->rod_count; i++) free(world->rods[i].own_forces);
    for (int k = 0; k < WORLD_KIND_COUNT; k++) cdg_handles_free(&world->handles[k]);
    cdg_grips_free(world);
    cdg_leads_free(world);
    for (int i = 0; i < world->thread_count; i++) free(world->scratch[i]);
    cdg_world_free_obstacles(world);
    cdg_world_free_bodies(world);
    cdg_ties_forget(world);
    free(world->ties);
    cdg_objects_free(world);
    free(world->solids);
    free(world->solid_supports);
    free(world->solid_loads);
    cdg_world_free_contact(world);
    free(world->rods);
    free(world->supports);
    free(world->loads);
    free(world->scratch);
    free(world->teams);
    cdg_joints_free(world);
    cdg_cuts_destroy(world);
    free(world);
}

const char *cdg_world_message(const cdg_world *world) {
    if (world == NULL) return "there is no world";
    return world->error.message;
}

// Makes room for one more entry; NULL (and the array unchanged) when memory is out.
static void *grow(void *array, size_t count, size_t *capacity, size_t entry_size) {
    if (count < *capacity) return array;
    size_t wanted = *capacity > 0 ? 2 * *capacity : 8;
    void *grown = realloc(array, wanted * entry_size);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

// An own copy of a caller's array; NULL for an empty one.
static void *copy_array(const void *array, size_t count, size_t entry_size) {
    if (count == 0) return NULL;
    void *copy = malloc(count * entry_size);
    if (copy != NULL) memcpy(copy, array, count * entry_size);
    return copy;
}

// To the end of a chain, so that the order of creation is kept; `link` is where the chain ends.
static void append(uint32_t *link, uint32_t *last, uint32_t index) { *link = *last = index; }

// ---- rods -----------------------------------------------------------------------------------------------------------

cdg_rod *cdg_world_get_rod(const cdg_world *world, cdg_rod_id id) {
    size_t index = WORLD_INDEX(world, WORLD_RODS, id);
    return index != SIZE_MAX ? world->rods[index].rod : NULL;
}

cdg_rod_id cdg_world_rod_id(const cdg_world *world, size_t index) {
    cdg_handle handle = cdg_handles_in_slot(&world->handles[WORLD_RODS], index);
    return CDG_HANDLE_AS(cdg_rod_id, handle);
}

// Energy that appears or goes without work: rods added, removed or set anew while the world runs.
static double rod_energy_now(const cdg_world *world, const cdg_rod *rod) {
    cdg_energy energy;
    cdg_rod_measure_energy(rod, world->def.gravity, &energy);
    return energy.total;
}

cdg_result cdg_world_own_rod(cdg_world *world, cdg_rod *rod, uint32_t *out) {
    world_rod *grown = grow(world->rods, world->rod_count, &world->rod_capacity, sizeof *grown);
    if (grown != NULL) world->rods = grown;
    if (grown == NULL || !cdg_name_table_reserve(&world->rod_names) ||
        !cdg_handles_reserve(&world->handles[WORLD_RODS]))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for rod '%s'", rod->name);
    uint32_t index = cdg_handles_add(&world->handles[WORLD_RODS]).index1 - 1;
    if (index == world->rod_count) world->rod_count++;
    world_rod *entry = &world->rods[index];
    *entry = (world_rod){.rod = rod, .root = index};
    entry->name_hash = cdg_name_hash(rod->name);
    cdg_name_table_insert(&world->rod_names, entry->name_hash, index);
    entry->first_support = entry->last_support = entry->first_load = entry->last_load = CDG_NO_INDEX;
    if (rod->adapt != NULL) world->adapting_count++;
    *out = index;
    return CDG_OK;
}

cdg_rod *cdg_world_disown_rod(cdg_world *world, uint32_t index) {
    world_rod *entry = &world->rods[index];
    cdg_rod *rod = entry->rod;
    if (rod->adapt != NULL) world->adapting_count--;
    entry->rod = NULL;
    free(entry->own_forces);
    entry->own_forces = NULL;
    cdg_name_table_remove(&world->rod_names, entry->name_hash, index);
    cdg_handles_remove(&world->handles[WORLD_RODS], index);
    return rod;
}

cdg_result cdg_world_add_rod(cdg_world *world, const cdg_rod_def *def, cdg_rod_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    if (def->name != NULL && cdg_world_find_rod(world, def->name).index1 != 0)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "there is already a rod named '%s'", def->name);
    cdg_rod *rod = NULL;
    cdg_result result = cdg_rod_build(def, &rod, &world->error);
    if (result != CDG_OK) return result;
    rod->gravity = vec3_norm(world->def.gravity);

    uint32_t index;
    result = cdg_world_own_rod(world, rod, &index);
    if (result != CDG_OK) {
        cdg_rod_destroy(rod);
        return result;
    }
    world_renew(world);
    if (world->has_started) world->energy_at_start += rod_energy_now(world, rod);
    if (out != NULL) *out = cdg_world_rod_id(world, index);
    return CDG_OK;
}

cdg_result cdg_world_remove_rod(cdg_world *world, cdg_rod_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    if (cdg_joints_hold_rod(world, id.index1 - 1))
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is joined to others and cannot be removed; remove its joints first", rod->name);
    if (world->rods[id.index1 - 1].has_weld)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is welded to a body and cannot be removed; remove its welds first", rod->name);
    if (world->rods[id.index1 - 1].has_tie)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' is tied to a solid and cannot be removed; remove its ties first", rod->name);
    if (world->has_started) world->energy_at_start -= rod_energy_now(world, rod);
    cdg_grips_leave_rod(world, id.index1 - 1);
    cdg_supports_leave_rod(world, id.index1 - 1);
    cdg_loads_leave_rod(world, id.index1 - 1);
    cdg_cuts_forget(world, id.index1 - 1);
    cdg_rod_destroy(cdg_world_disown_rod(world, id.index1 - 1));
    world->contacts.kept_count = 0;
    world_renew(world); // teams are formed anew
    return CDG_OK;
}

size_t cdg_world_rod_count(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->handles[WORLD_RODS].count;
}

cdg_rod_id cdg_world_rod_at(const cdg_world *world, size_t index) {
    if (world == NULL) return (cdg_rod_id){0};
    if (world->handles[WORLD_RODS].count == world->rod_count) return cdg_world_rod_id(world, index);
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && index-- == 0) return cdg_world_rod_id(world, i);
    return (cdg_rod_id){0};
}

typedef struct wanted_rod {
    const cdg_world *world;
    const char *name;
} wanted_rod;

static bool is_wanted_rod(const void *user, size_t index) {
    const wanted_rod *wanted = user;
    return strcmp(wanted->world->rods[index].rod->name, wanted->name) == 0;
}

cdg_rod_id cdg_world_find_rod(const cdg_world *world, const char *name) {
    if (world == NULL || name == NULL) return (cdg_rod_id){0};
    wanted_rod wanted = {world, name};
    size_t index = cdg_name_table_find(&world->rod_names, cdg_name_hash(name), is_wanted_rod, &wanted);
    return index != SIZE_MAX ? cdg_world_rod_id(world, index) : (cdg_rod_id){0};
}

cdg_result cdg_rod_get_info(const cdg_world *world, cdg_rod_id id, cdg_rod_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_model model = 0;
    for (size_t m = 0; m < cdg_rod_model_count(); m++)
        if (cdg_rod_model_get((cdg_model)m) == rod->model) model = (cdg_model)m;
    *out = (cdg_rod_info){.name = rod->name,
                          .model = model,
                          .is_closed = rod->is_closed,
                          .node_count = rod->node_count,
                          .element_count = rod->element_count,
                          .defined_node_count = rod_user_node_count(rod),
                          .defined_element_count = rod_user_element_count(rod),
                          .length = rod->length,
                          .mass = rod->mass,
                          .section_kind = rod->section[0].kind};
    return CDG_OK;
}

static cdg_result copy_vec3(const cdg_world *world, cdg_rod_id id, size_t array_offset, bool over_nodes,
                            cdg_vec3 *out) {
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    double *arrays[3];
    memcpy(arrays, (const char *)rod + array_offset, sizeof arrays);
    size_t count = over_nodes ? rod->node_count : rod->element_count;
    for (size_t i = 0; i < count; i++) out[i] = rod_vec3(arrays, i);
    return CDG_OK;
}

cdg_result cdg_rod_positions(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    return copy_vec3(world, id, offsetof(cdg_rod, x), true, out);
}
cdg_result cdg_rod_velocities(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    return copy_vec3(world, id, offsetof(cdg_rod, v), true, out);
}
cdg_result cdg_rod_angular_velocities(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    return copy_vec3(world, id, offsetof(cdg_rod, w), false, out);
}

cdg_result cdg_rod_frames(const cdg_world *world, cdg_rod_id id, cdg_quat *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    for (size_t j = 0; j < rod->element_count; j++) out[j] = rod_quat(rod->q, j);
    return CDG_OK;
}

cdg_result cdg_rod_forces(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    return cdg_world_measure_field(world, id, CDG_FIELD_forces, (double *)(void *)out);
}

cdg_result cdg_rod_moments(const cdg_world *world, cdg_rod_id id, cdg_vec3 *out) {
    return cdg_world_measure_field(world, id, CDG_FIELD_moment, (double *)(void *)out);
}

cdg_result cdg_rod_radii(const cdg_world *world, cdg_rod_id id, double *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    for (size_t i = 0; i < rod->node_count; i++) out[i] = rod->radius[i * rod->section_stride];
    return CDG_OK;
}

size_t cdg_rod_node_capacity(const cdg_world *world, cdg_rod_id id) {
    const cdg_rod *rod = world != NULL ? cdg_world_get_rod(world, id) : NULL;
    return rod != NULL ? rod->node_capacity : 0;
}

cdg_result cdg_rod_arc_lengths(const cdg_world *world, cdg_rod_id id, double *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    out[0] = 0;
    for (size_t i = 1; i < rod->node_count; i++)
        out[i] = rod->adapt != NULL ? rod->adapt->arc[i] : out[i - 1] + rod->rest_length[i - 1];
    return CDG_OK;
}

cdg_result cdg_rod_levels(const cdg_world *world, cdg_rod_id id, uint8_t *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    for (size_t j = 0; j < rod->element_count; j++) out[j] = rod->adapt != NULL ? rod->adapt->level[j] : 0;
    return CDG_OK;
}

cdg_result cdg_rod_sections(const cdg_world *world, cdg_rod_id id, cdg_section *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    double arc = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        double fraction = rod->section_stride != 0 ? fmin(arc / rod->length, 1) : 0;
        out[i] = cdg_section_interpolate(&rod->section[0], &rod->section[1], fraction);
        if (i < rod->element_count) arc += rod->rest_length[i];
    }
    return CDG_OK;
}

cdg_result cdg_rod_set_state(cdg_world *world, cdg_rod_id id, const cdg_vec3 *positions, const cdg_quat *frames,
                             const cdg_vec3 *velocities, const cdg_vec3 *angular_velocities) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    for (size_t i = 0; i < rod->node_count; i++)
        if ((positions != NULL && !vec3_is_finite(positions[i])) ||
            (velocities != NULL && !vec3_is_finite(velocities[i])))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "rod '%s': the new state of node %zu is not finite",
                            rod->name, i);
    for (size_t i = 0; velocities != NULL && i < rod->node_count; i++)
        if (!(vec3_norm(velocities[i]) <= CDG_SPEED_MAX))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "rod '%s': the new velocity of node %zu is beyond %g m/s, where energy is no number",
                            rod->name, i, CDG_SPEED_MAX);
    for (size_t j = 0; j < rod->element_count; j++) {
        double norm2 = frames != NULL ? quat_dot(frames[j], frames[j]) : 1;
        if (!(norm2 > 0.5 && norm2 < 2) || (angular_velocities != NULL && !vec3_is_finite(angular_velocities[j])))
            return cdg_fail(
                &world->error, CDG_ERROR_ARGUMENT,
                "rod '%s': the new frame of element %zu is not a unit quaternion, or its spin is not finite", rod->name,
                j);
    }
    bool is_joined = cdg_joints_hold_rod(world, id.index1 - 1);
    cdg_result result = is_joined ? cdg_joints_form_nets(world) : CDG_OK;
    if (result != CDG_OK) return result;
    double energy_before = is_joined ? cdg_world_energy(world).total : rod_energy_now(world, rod);
    for (size_t i = 0; i < rod->node_count; i++) {
        if (positions != NULL) rod_set_vec3(rod->x, i, positions[i]);
        rod_set_vec3(rod->v, i, velocities != NULL ? velocities[i] : vec3(0, 0, 0));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        if (frames != NULL) rod_set_quat(rod->q, j, quat_normalize(frames[j]));
        rod_set_vec3(rod->w, j, angular_velocities != NULL ? angular_velocities[j] : vec3(0, 0, 0));
    }
    rod->has_history = false;
    if (rod->model->state_changed != NULL) rod->model->state_changed(rod);
    world->contacts.kept_count = 0;
    world->contacts.is_known_free = false;
    if (rod->twist != NULL) cdg_rod_recount_turns(rod);
    world->rods[id.index1 - 1].has_wild_turns = cdg_rod_largest_turn(rod) > CDG_WILD_TURN;
    if (is_joined) cdg_joints_follow(world, rod);
    double energy = is_joined ? cdg_world_energy(world).total : rod_energy_now(world, rod);
    if (world->has_started) world->energy_at_start += energy - energy_before;
    return CDG_OK;
}

// ---- supports -------------------------------------------------------------------------------------------------------

static cdg_quat section_frame(const cdg_rod *rod, size_t node) {
    return rod->model->section_frame != NULL ? rod->model->section_frame(rod, node) : rod_section_frame(rod, node);
}

static cdg_result check_slide(cdg_world *world, const cdg_rod *rod, const cdg_support_def *def) {
    if (def->kind != CDG_SUPPORT_SLIDE) return CDG_OK;
    double length = vec3_norm(def->along);
    if (!(length > 0 && isfinite(length)))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the support slides along a direction of %s length",
                        length > 0 ? "infinite" : "no");
    if (rod->model->supports_slide) return CDG_OK;
    char names[100] = "";
    size_t used = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && used < sizeof names; i++)
        if (cdg_rod_model_get((cdg_model)i)->supports_slide)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                     cdg_rod_model_get((cdg_model)i)->name);
    return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                    "model '%s' cannot hold node %zu of rod '%s' on a line; models that can: %s", rod->model->name,
                    def->place.index, rod->name, names);
}

// Where supports and holds of each node are found.
static bool ensure_support_slots(cdg_rod *rod) {
    if (rod->support_at == NULL) {
        size_t count = rod_user_node_count(rod);
        rod->support_at = malloc(count * sizeof *rod->support_at);
        for (size_t i = 0; rod->support_at != NULL && i < count; i++) rod->support_at[i] = CDG_NO_INDEX;
    }
    if (rod->hold_at == NULL) rod->hold_at = calloc(rod->node_capacity, sizeof *rod->hold_at);
    return rod->support_at != NULL && rod->hold_at != NULL;
}

bool cdg_world_reserve_holds(cdg_rod *rod, size_t count) {
    if (rod->hold_capacity < count) {
        size_t capacity = rod->hold_capacity > 0 ? 2 * rod->hold_capacity : 2;
        if (capacity < count) capacity = count;
        cdg_hold *holds = realloc(rod->holds, capacity * sizeof *holds);
        if (holds != NULL) rod->holds = holds;
        cdg_hold *before = realloc(rod->holds_before, capacity * sizeof *before);
        if (before != NULL) rod->holds_before = before;
        if (holds == NULL || before == NULL) return false;
        rod->hold_capacity = capacity;
    }
    return ensure_support_slots(rod);
}

cdg_support_def cdg_support_def_default(void) { return (cdg_support_def){.kind = CDG_SUPPORT_CLAMP}; }

cdg_result cdg_world_add_support(cdg_world *world, const cdg_support_def *def, cdg_support_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    cdg_result placed = cdg_place_check_rod(
        &def->place, "a support holds a node of a rod (cdg_world_add_solid_support holds solids, is_fixed bodies)",
        &world->error);
    if (placed != CDG_OK) return placed;
    cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the support names a rod that does not exist");
    if ((unsigned)def->kind >= CDG_SUPPORT_KIND_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "there is no support kind number %d", (int)def->kind);
    if (def->place.kind != CDG_PLACE_NODE || def->place.index >= rod_user_node_count(rod))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a support holds a node; rod '%s' has nodes 0 to %zu",
                        rod->name, rod_user_node_count(rod) - 1);
    if (isnan(def->release))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the support's release time is not a number");
    if (cdg_welds_hold_node(world, def->place.rod, def->place.index))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu of rod '%s' is welded to a body and cannot have a support, too; fix the body instead",
                        def->place.index, rod->name);
    if (cdg_ties_hold_node(world, def->place.rod, def->place.index))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "node %zu of rod '%s' is tied to a solid and cannot have a support, too; hold the solid there",
                        def->place.index, rod->name);
    cdg_result result = cdg_motion_check(def->motions, def->motion_count, &world->error);
    if (result == CDG_OK) result = check_slide(world, rod, def);
    if (result == CDG_OK && rod->model->check_support != NULL)
        result = rod->model->check_support(rod, def, &world->error);
    if (result != CDG_OK) return result;

    world_support *grown = grow(world->supports, world->support_count, &world->support_capacity, sizeof *grown);
    if (grown != NULL) world->supports = grown;
    cdg_motion *motions = copy_array(def->motions, def->motion_count, sizeof *motions);
    bool has_memory = grown != NULL && (motions != NULL || def->motion_count == 0) &&
                      cdg_handles_reserve(&world->handles[WORLD_SUPPORTS]);
    uint32_t rod_index = def->place.rod.index1 - 1;
    has_memory = has_memory && cdg_world_reserve_holds(rod, rod->support_count + 1);
    if (!has_memory) {
        free(motions);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a support");
    }
    world_rod *entry = &world->rods[rod_index];
    cdg_handle handle = cdg_handles_add(&world->handles[WORLD_SUPPORTS]);
    uint32_t index = handle.index1 - 1;
    if (index == world->support_count) world->support_count++;
    world_support *support = &world->supports[index];
    *support = (world_support){
        .def = *def,
        .rod_index = rod_index,
        .position = rod_vec3(rod->x, rod_user_node(rod, def->place.index)),
        .frame = section_frame(rod, rod_user_node(rod, def->place.index)),
        .next_of_rod = CDG_NO_INDEX,
        .before_at_node = rod->support_at[def->place.index],
        .hold = CDG_NO_INDEX,
    };
    support->def.motions = motions;
    world->motion_count += def->motion_count;
    rod->support_at[def->place.index] = index;
    append(entry->last_support == CDG_NO_INDEX ? &entry->first_support
                                               : &world->supports[entry->last_support].next_of_rod,
           &entry->last_support, index);
    rod->support_count++;
    bool is_inner = rod->is_closed || (def->place.index > 0 && def->place.index < rod_user_node_count(rod) - 1);
    if (is_inner && def->kind != CDG_SUPPORT_PIN) rod->has_inner_frame_support = true;
    cdg_supports_drive_last(world, rod_index);
    if (!rod->has_history && rod->model->state_changed != NULL) rod->model->state_changed(rod);
    world_renew(world);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_support_id, handle);
    return CDG_OK;
}

world_support *cdg_world_get_support(const cdg_world *world, cdg_support_id id) {
    size_t index = WORLD_INDEX(world, WORLD_SUPPORTS, id);
    return index != SIZE_MAX && world->supports[index].weld1 == 0 && world->supports[index].tie1 == 0
               ? &world->supports[index]
               : NULL;
}

cdg_result cdg_support_reaction(const cdg_world *world, cdg_support_id id, cdg_vec3 *force, cdg_vec3 *moment) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    size_t index = WORLD_INDEX(world, WORLD_SUPPORTS, id);
    if (index == SIZE_MAX) return CDG_ERROR_STALE;
    const world_support *support = &world->supports[index];
    if (force != NULL) *force = support->force;
    if (moment != NULL) *moment = support->moment;
    return CDG_OK;
}

// ---- loads ----------------------------------------------------------------------------------------------------------

cdg_result cdg_world_check_load(cdg_world *world, const cdg_load_def *def) {
    if ((unsigned)def->kind >= CDG_LOAD_KIND_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "there is no load kind number %d", (int)def->kind);
    cdg_result placed =
        cdg_place_check_rod(&def->place, "a load acts on rods (cdg_world_add_solid_load on solids)", &world->error);
    if (placed != CDG_OK) return placed;
    const cdg_rod *rod = NULL;
    if (def->place.rod.index1 != 0) {
        rod = cdg_world_get_rod(world, def->place.rod);
        if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the load names a rod that does not exist");
    }
    if (cdg_load_acts_at_place(def->kind)) {
        if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a force or moment needs a rod to act on");
        size_t count = def->place.kind == CDG_PLACE_NODE ? rod_user_node_count(rod) : rod_user_element_count(rod);
        if (def->place.index >= count)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "rod '%s' has %s 0 to %zu, not %zu", rod->name,
                            def->place.kind == CDG_PLACE_NODE ? "nodes" : "elements", count - 1, def->place.index);
    }
    if (def->place.kind == CDG_PLACE_ALONG)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a load acts at a node or at the middle of an element");
    if (def->keyframe_count > 0 && def->keyframes == NULL)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "keyframe_count is %zu but keyframes is NULL",
                        def->keyframe_count);
    if (def->follows && !cdg_load_may_follow(def->kind))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "wind and drag cannot follow the rod");
    if (!vec3_is_finite(def->value))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the load's value is not finite");
    if (!(def->drag_rate >= 0) || !isfinite(def->drag_rate) || !(def->fluid_density >= 0) ||
        !isfinite(def->fluid_density) || !(def->drag_coefficient >= 0) || !isfinite(def->drag_coefficient))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "drag rate, fluid density and drag coefficient must be finite and not negative");
    if (!isfinite(def->from) || isnan(def->to) || !(def->ramp >= 0) || !isfinite(def->ramp))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the load's times must be finite, its ramp not negative");
    for (size_t k = 0; k < def->keyframe_count; k++) {
        if (!isfinite(def->keyframes[k].time) || !isfinite(def->keyframes[k].factor))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "keyframe %zu is not finite", k + 1);
        if (k > 0 && !(def->keyframes[k].time > def->keyframes[k - 1].time))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "keyframe %zu is not later than the one before it",
                            k + 1);
    }
    return cdg_wind_check(def, &world->error);
}

cdg_result cdg_world_add_load(cdg_world *world, const cdg_load_def *def, cdg_load_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    cdg_result result = cdg_world_check_load(world, def);
    if (result != CDG_OK) return result;
    world_load *grown = grow(world->loads, world->load_count, &world->load_capacity, sizeof *grown);
    if (grown != NULL) world->loads = grown;
    cdg_load_def own = *def;
    if (grown == NULL || !cdg_handles_reserve(&world->handles[WORLD_LOADS]) || !cdg_load_own_arrays(&own))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a load");
    cdg_handle handle = cdg_handles_add(&world->handles[WORLD_LOADS]);
    uint32_t index = handle.index1 - 1;
    if (index == world->load_count) world->load_count++;
    world_load *load = &world->loads[index];
    *load = (world_load){.def = own, .next = CDG_NO_INDEX};
    world_rod *entry = def->place.rod.index1 != 0 ? &world->rods[def->place.rod.index1 - 1] : NULL;
    uint32_t *first = entry != NULL ? &entry->first_load : &world->first_load_of_every;
    uint32_t *last = entry != NULL ? &entry->last_load : &world->last_load_of_every;
    append(*last == CDG_NO_INDEX ? first : &world->loads[*last].next, last, index);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_load_id, handle);
    world->scratch_size = 0; // a rod that had only its weight now needs room for loads
    return CDG_OK;
}

// ---- totals ---------------------------------------------------------------------------------------------------------

double cdg_world_time(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->time;
}
uint64_t cdg_world_step_index(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->step_index;
}
double cdg_world_step_size(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->step;
}

cdg_result cdg_rod_energy(const cdg_world *world, cdg_rod_id id, cdg_energy *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return CDG_ERROR_STALE;
    cdg_rod_measure_energy(rod, world->def.gravity, out);
    return CDG_OK;
}

cdg_energy cdg_world_energy(const cdg_world *world) {
    if (world == NULL) return (cdg_energy){0};
    cdg_energy sum = {0};
    for (int k = 0; k < CDG_KIND_COUNT; k++) cdg_kinds[k].energy(world, &sum);
    double joints = cdg_joints_energy(world, false);
    sum.bend += joints;
    sum.total += joints;
    sum.adapted = world->adapted;
    sum.dissipated =
        world->has_started ? world->energy_at_start + world->external_work + world->adapted - sum.total : 0;
    return sum;
}

// The largest component, which does not overflow where the norm would.
static double speed_of(const cdg_rod *rod, size_t node) {
    cdg_vec3 v = rod_vec3(rod->v, node);
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static size_t fastest_node(const cdg_rod *rod) {
    size_t fastest = 0;
    for (size_t i = 1; i < rod->node_count; i++)
        if (!(speed_of(rod, i) <= speed_of(rod, fastest))) fastest = i;
    return fastest;
}

cdg_result cdg_world_check_energy(cdg_world *world, cdg_energy *energy) {
    *energy = cdg_world_energy(world);
    if (isfinite(energy->total)) return CDG_OK;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || isfinite(rod_energy_now(world, rod))) continue;
        size_t node = fastest_node(rod);
        return cdg_fail(
            &world->error, CDG_ERROR_NOT_FINITE,
            "rod '%s' at t = %g s: its energy is no longer a finite number; node %zu moves at %g m/s; use a "
            "shorter step, or smaller loads and velocities",
            rod->name, world->time, node, speed_of(rod, node));
    }
    return cdg_fail(&world->error, CDG_ERROR_NOT_FINITE,
                    "at t = %g s the energy of bodies or joints is no longer a finite number; use a shorter step",
                    world->time);
}

double cdg_world_largest_turn(const cdg_world *world) {
    if (world == NULL) return 0;
    double largest = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) largest = fmax(largest, cdg_rod_largest_turn(world->rods[i].rod));
    return largest;
}

void cdg_world_momentum(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular) {
    cdg_vec3 unwanted[2];
    if (linear == NULL) linear = &unwanted[0];
    if (angular == NULL) angular = &unwanted[1];
    *linear = *angular = vec3(0, 0, 0);
    if (world == NULL) return;
    for (int k = 0; k < CDG_KIND_COUNT; k++) cdg_kinds[k].momentum(world, linear, angular);
}

size_t cdg_world_memory(const cdg_world *world) {
    if (world == NULL) return 0;
    size_t bytes = sizeof *world + world->rod_capacity * sizeof *world->rods +
                   world->support_capacity * sizeof *world->supports + world->load_capacity * sizeof *world->loads +
                   (size_t)world->scratch_count * world->scratch_size;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL)
            bytes += sizeof(cdg_rod) + world->rods[i].rod->memory_size +
                     2 * world->rods[i].rod->hold_capacity * sizeof(cdg_hold);
    return bytes;
}

bool cdg_world_doubts(const cdg_world *world, double step, char *text) {
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->model->doubt != NULL && rod->model->doubt(rod, step, text)) return true;
    }
    return cdg_world_doubts_times(world, step, text);
}
