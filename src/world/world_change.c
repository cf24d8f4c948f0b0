// Changing a world between steps: supports and obstacles driven by hand, loads and gravity set anew.
//
// What is driven by hand gets two motions, a move and a turn, over the next step. So everything that knows prescribed
// motions (work of supports, continuous contact, the division of steps) knows this, too.
#include "base/error.h"
#include "geometry/motion.h"
#include "math/quat.h"
#include "world/solid_object.h"

#include <cordage/control.h>

#include <stdlib.h>
#include <string.h>

enum { AIMED = 2 };

void cdg_motion_aim(cdg_pose now, cdg_pose target, double from, double to, cdg_motion out[2]) {
    cdg_vec3 turn = quat_log(quat_multiply(target.orientation, quat_conjugate(now.orientation)));
    double angle = vec3_norm(turn);
    out[0] = (cdg_motion){.kind = CDG_MOTION_MOVE, .move = vec3_sub(target.position, now.position)};
    out[1] = (cdg_motion){.kind = CDG_MOTION_ROTATE, .axis = angle > 0 ? turn : vec3(0, 0, 1), .angle = angle};
    for (int i = 0; i < AIMED; i++) out[i].from = from, out[i].to = to;
}

// Both may be NULL. False: a number is not finite, or the orientation is none; the sentence is there.
static bool take_target(cdg_world *world, const cdg_vec3 *position, const cdg_quat *orientation, cdg_pose *target) {
    if (position != NULL) target->position = *position;
    if (orientation != NULL) target->orientation = *orientation;
    double norm2 = quat_dot(target->orientation, target->orientation);
    if (!vec3_is_finite(target->position) || !(norm2 > 0 && isfinite(norm2))) {
        (void)cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                       "a pose must have a finite position and an orientation that is a quaternion other than zero");
        return false;
    }
    target->orientation = quat_normalize(target->orientation);
    return true;
}

static cdg_result replace_motions(cdg_world *world, cdg_pose now, cdg_pose target, const cdg_motion **motions,
                                  size_t *count) {
    double step = world->step > 0 ? world->step : cdg_world_advice(world).step;
    cdg_motion *aimed = *count == AIMED ? (cdg_motion *)(uintptr_t)*motions : malloc(AIMED * sizeof *aimed);
    if (aimed == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a motion");
    cdg_motion_aim(now, target, world->time, world->time + step, aimed);
    if (aimed != *motions) free((void *)(uintptr_t)*motions);
    world->motion_count += AIMED - *count;
    *motions = aimed;
    *count = AIMED;
    world->scratch_size = world->snapshot == NULL ? 0 : world->scratch_size; // steps may have to be divided now
    return CDG_OK;
}

// ---- supports -------------------------------------------------------------------------------------------------------

// NULL, with a sentence: stale, or a weld's.
static world_support *get_support(cdg_world *world, cdg_support_id id) {
    world_support *support = cdg_world_get_support(world, id);
    if (support == NULL) (void)cdg_fail(&world->error, CDG_ERROR_STALE, "the support no longer exists");
    return support;
}

cdg_result cdg_support_set_pose(cdg_world *world, cdg_support_id id, const cdg_vec3 *position, const cdg_quat *frame) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_support *support = get_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    cdg_pose now, target;
    cdg_support_pose(support, world->time, &now.position, &now.orientation);
    target = now;
    if (!take_target(world, position, frame, &target)) return CDG_ERROR_ARGUMENT;
    cdg_result result = replace_motions(world, now, target, &support->def.motions, &support->def.motion_count);
    if (result != CDG_OK) return result;
    support->position = now.position;
    support->frame = now.orientation;
    return CDG_OK;
}

cdg_result cdg_support_put(cdg_world *world, cdg_support_id id, cdg_vec3 position, cdg_quat frame) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_support *support = get_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    cdg_pose target;
    if (!take_target(world, &position, &frame, &target)) return CDG_ERROR_ARGUMENT;
    cdg_result result = replace_motions(world, target, target, &support->def.motions, &support->def.motion_count);
    if (result != CDG_OK) return result;
    support->position = target.position;
    support->frame = target.orientation;
    cdg_supports_drive(world, support->rod_index, world->time);
    return CDG_OK;
}

cdg_result cdg_world_remove_support(cdg_world *world, cdg_support_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_support *support = get_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    cdg_supports_remove(world, (uint32_t)(support - world->supports));
    return CDG_OK;
}

cdg_result cdg_solid_support_set_pose(cdg_world *world, cdg_solid_support_id id, const cdg_vec3 *position,
                                      const cdg_quat *orientation) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    solid_support *support = cdg_world_get_solid_support(world, id);
    if (support == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the support no longer exists");
    cdg_pose now = cdg_solid_support_pose(support, world->time), target = now;
    if (!take_target(world, position, orientation, &target)) return CDG_ERROR_ARGUMENT;
    cdg_result result = replace_motions(world, now, target, &support->def.motions, &support->def.motion_count);
    if (result != CDG_OK) return result;
    support->middle = now.position;
    support->turn = now.orientation;
    return CDG_OK;
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

static cdg_obstacle *get_obstacle(cdg_world *world, cdg_obstacle_id id) {
    cdg_obstacle *obstacle = cdg_world_get_obstacle(world, id);
    if (obstacle == NULL) (void)cdg_fail(&world->error, CDG_ERROR_STALE, "the obstacle no longer exists");
    return obstacle;
}

static cdg_result drive_obstacle(cdg_world *world, cdg_obstacle *o, cdg_pose now, cdg_pose target) {
    cdg_result result = replace_motions(world, now, target, &o->def.motions, &o->def.motion_count);
    if (result != CDG_OK) return result;
    o->def.shape.position = now.position;
    o->def.shape.orientation = now.orientation;
    return CDG_OK;
}

cdg_result cdg_obstacle_set_pose(cdg_world *world, cdg_obstacle_id id, const cdg_vec3 *position,
                                 const cdg_quat *orientation) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_obstacle *o = get_obstacle(world, id);
    if (o == NULL) return CDG_ERROR_STALE;
    cdg_pose now = cdg_obstacle_pose(o, world->time), target = now;
    if (!take_target(world, position, orientation, &target)) return CDG_ERROR_ARGUMENT;
    return drive_obstacle(world, o, now, target);
}

cdg_result cdg_obstacle_put(cdg_world *world, cdg_obstacle_id id, cdg_vec3 position, cdg_quat orientation) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    cdg_obstacle *o = get_obstacle(world, id);
    cdg_pose target;
    if (o == NULL) return CDG_ERROR_STALE;
    if (!take_target(world, &position, &orientation, &target)) return CDG_ERROR_ARGUMENT;
    return drive_obstacle(world, o, target, target);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static world_load *get_load(cdg_world *world, cdg_load_id id) {
    size_t index = WORLD_INDEX(world, WORLD_LOADS, id);
    if (index != SIZE_MAX) return &world->loads[index];
    (void)cdg_fail(&world->error, CDG_ERROR_STALE, "the load no longer exists");
    return NULL;
}

cdg_result cdg_load_change(cdg_world *world, cdg_load_id id, const cdg_load_def *def) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    world_load *load = get_load(world, id);
    if (load == NULL) return CDG_ERROR_STALE;
    cdg_result result = cdg_world_check_load(world, def);
    if (result != CDG_OK) return result;
    if (def->place.rod.index1 != load->def.place.rod.index1)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "a load stays on its rod; remove it and add another one to load another rod");
    cdg_load_def own = *def;
    if (!cdg_load_own_arrays(&own)) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a load");
    cdg_load_free_arrays(&load->def);
    load->def = own;
    return CDG_OK;
}

cdg_result cdg_world_remove_load(cdg_world *world, cdg_load_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_load *load = get_load(world, id);
    if (load == NULL) return CDG_ERROR_STALE;
    cdg_loads_remove(world, (uint32_t)(load - world->loads));
    return CDG_OK;
}

static bool are_finite(const cdg_vec3 *vectors, size_t count) {
    for (size_t i = 0; i < count && vectors != NULL; i++)
        if (!vec3_is_finite(vectors[i])) return false;
    return true;
}

cdg_result cdg_rod_set_forces(cdg_world *world, cdg_rod_id id, const cdg_vec3 *forces, const cdg_vec3 *torques) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    const cdg_rod *rod = cdg_world_get_rod(world, id);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    if (!are_finite(forces, rod->node_count) || !are_finite(torques, rod->element_count))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "forces and torques on rod '%s' must be finite", rod->name);
    world_rod *entry = &world->rods[id.index1 - 1];
    size_t nodes = rod->node_count, count = nodes + rod->element_count, room = 2 * cdg_rod_node_capacity(world, id);
    if (forces == NULL && torques == NULL) {
        if (rod->adapt != NULL) { // whose nodes nobody knows by number any longer: it may adapt again
            free(entry->own_forces);
            entry->own_forces = NULL;
        }
        if (entry->own_forces != NULL) memset(entry->own_forces, 0, count * sizeof *entry->own_forces);
        return CDG_OK;
    }
    if (entry->own_forces == NULL) {
        entry->own_forces = calloc(2 * room, sizeof *entry->own_forces);
        world->scratch_size = 0; // a rod that had only its weight now needs room for loads
    }
    if (entry->own_forces == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for forces on a rod");
    memset(entry->own_forces, 0, count * sizeof *entry->own_forces);
    if (forces != NULL) memcpy(entry->own_forces, forces, nodes * sizeof *forces);
    if (torques != NULL) memcpy(entry->own_forces + nodes, torques, rod->element_count * sizeof *torques);
    return CDG_OK;
}

// ---- gravity --------------------------------------------------------------------------------------------------------

cdg_result cdg_world_set_gravity(cdg_world *world, cdg_vec3 gravity) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    if (!vec3_is_finite(gravity)) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "gravity must be finite");
    double before = world->has_started ? cdg_world_energy(world).total : 0;
    bool had_up = vec3_norm(world->def.gravity) > 0, has_up = vec3_norm(gravity) > 0;
    world->def.gravity = gravity;
    if (world->contact_def.shock_height > 0 && had_up != has_up) world_renew(world); // contact asks where up is
    if (world->has_started) world->external_work += cdg_world_energy(world).total - before;
    return CDG_OK;
}
