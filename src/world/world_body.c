// Rigid bodies in a world: adding, finding, reading back, and their share of energy and momentum.
#include "base/error.h"
#include "math/quat.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_result cdg_body_build_clean(const cdg_body_def *def, const char *name, cdg_body *out, cdg_error *to) {
    if (def->shape.kind != CDG_SHAPE_MESH) return cdg_body_build(def, name, out, to);
    cdg_contact_mesh mesh;
    cdg_error error;
    cdg_result result = cdg_contact_mesh_build(def->shape.mesh.points, def->shape.mesh.point_count,
                                               (const uint32_t(*)[3])def->shape.mesh.triangles,
                                               def->shape.mesh.triangle_count, false, &mesh, &error);
    if (result != CDG_OK) return cdg_fail(to, result, "body '%s': %.900s", name, error.message);
    cdg_body_def clean = *def;
    clean.shape.mesh.points = mesh.vertices;
    clean.shape.mesh.point_count = mesh.vertex_count;
    clean.shape.mesh.triangles = mesh.triangles;
    clean.shape.mesh.triangle_count = mesh.triangle_count;
    result = cdg_body_build(&clean, name, out, to);
    cdg_contact_mesh_free(&mesh);
    return result;
}

cdg_body_now cdg_body_prescribed(const cdg_body *body, double time) {
    cdg_pose start = {body->def.shape.position, body->def.shape.orientation};
    cdg_pose pose = cdg_motion_pose(body->def.motions, body->def.motion_count, start, time);
    cdg_body_now now = {.q = pose.orientation};
    now.x = vec3_add(pose.position, quat_rotate(pose.orientation, body->mass.center));
    return now;
}

static double energy_of(const cdg_world *world, const cdg_body *body) {
    if (body->def.is_fixed) return 0;
    return cdg_body_kinetic_energy(body) - body->mass.mass * vec3_dot(world->def.gravity, body->now.x);
}

cdg_result cdg_world_add_body(cdg_world *world, const cdg_body_def *def, cdg_body_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    char chosen[40];
    const char *name = def->name;
    if (name == NULL) { // the first number that is free
        for (size_t number = world->body_count + 1; name == NULL; number++) {
            snprintf(chosen, sizeof chosen, "body_%zu", number);
            if (cdg_world_find_body(world, chosen).index1 == 0) name = chosen;
        }
    }
    cdg_result result = cdg_world_check_name(world, "a body", name, cdg_world_find_body(world, name).index1 != 0);
    if (result == CDG_OK) result = cdg_motion_check(def->motions, def->motion_count, &world->error);
    if (result != CDG_OK) return result;
    if (world->body_count == world->body_capacity) {
        size_t capacity = world->body_capacity > 0 ? 2 * world->body_capacity : 4;
        cdg_body *grown = realloc(world->bodies, capacity * sizeof *grown);
        if (grown == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for body '%s'", name);
        world->bodies = grown;
        world->body_capacity = capacity;
    }
    if (!cdg_handles_reserve(&world->handles[WORLD_BODIES]))
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for body '%s'", name);
    cdg_body *body = &world->bodies[world->body_count];
    result = cdg_body_build_clean(def, name, body, &world->error);
    if (result != CDG_OK) return result;
    if (body->def.is_fixed) body->now = cdg_body_prescribed(body, world->time);
    world->body_count++;
    world->motion_count += def->motion_count;
    cdg_bodies_forget(world);
    world_renew(world); // rods may touch it
    if (world->has_started) world->energy_at_start += energy_of(world, body);
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_BODIES]);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_body_id, handle);
    return CDG_OK;
}

cdg_result cdg_world_remove_body(cdg_world *world, cdg_body_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_BODIES, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the body no longer exists");
    cdg_body *body = &world->bodies[index];
    for (size_t i = 0; i < world->weld_count; i++)
        if (world->welds[i].body == index)
            return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                            "body '%s' carries a weld and cannot be removed; remove the weld first", body->name);
    if (world->has_started) world->energy_at_start -= energy_of(world, body);
    cdg_grips_leave_body(world, (uint32_t)index);
    for (size_t i = 0; i < world->weld_count; i++) world->welds[i].body -= world->welds[i].body > index;
    world->motion_count -= body->def.motion_count;
    cdg_bodies_forget(world);
    cdg_body_free(body);
    world->body_count--;
    memmove(body, body + 1, (world->body_count - index) * sizeof *body);
    cdg_handles_close_up(&world->handles[WORLD_BODIES], index);
    cdg_contacts_forget(&world->contacts, CDG_SIDE_BODY, (uint32_t)index);
    world->scratch_size = 0;
    return CDG_OK;
}

void cdg_world_free_bodies(cdg_world *world) {
    cdg_bodies_forget(world);
    for (size_t i = 0; i < world->body_count; i++) cdg_body_free(&world->bodies[i]);
    free(world->bodies);
    free(world->welds);
}

// ---- finding and reading --------------------------------------------------------------------------------------------

size_t cdg_world_body_count(const cdg_world *world) {
    if (world == NULL) return 0;
    return world->body_count;
}

cdg_body_id cdg_world_body_at(const cdg_world *world, size_t index) {
    if (world == NULL) return (cdg_body_id){0};
    cdg_handle handle = cdg_handles_at(&world->handles[WORLD_BODIES], index);
    return CDG_HANDLE_AS(cdg_body_id, handle);
}

cdg_body_id cdg_world_find_body(const cdg_world *world, const char *name) {
    if (world == NULL) return (cdg_body_id){0};
    for (size_t i = 0; i < world->body_count; i++)
        if (name != NULL && strcmp(world->bodies[i].name, name) == 0) return cdg_world_body_at(world, i);
    return (cdg_body_id){0};
}

cdg_body *cdg_world_get_body(const cdg_world *world, cdg_body_id id) {
    size_t index = WORLD_INDEX(world, WORLD_BODIES, id);
    return index != SIZE_MAX ? &world->bodies[index] : NULL;
}

cdg_result cdg_body_get_info(const cdg_world *world, cdg_body_id id, cdg_body_info *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_body *b = cdg_world_get_body(world, id);
    if (b == NULL) return CDG_ERROR_STALE;
    symmetric3 i = b->mass.inertia;
    *out = (cdg_body_info){.name = b->name,
                           .shape = b->def.shape,
                           .is_fixed = b->def.is_fixed,
                           .mass = b->mass.mass,
                           .center = b->mass.center,
                           .inertia = {{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}},
                           .friction = b->def.friction < 0 ? world->contact_def.friction : b->def.friction};
    return CDG_OK;
}

cdg_result cdg_body_get_state(const cdg_world *world, cdg_body_id id, cdg_body_state *out) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_body *b = cdg_world_get_body(world, id);
    if (b == NULL) return CDG_ERROR_STALE;
    *out = (cdg_body_state){
        .position = cdg_body_origin(b, &b->now),
        .orientation = b->now.q,
        .velocity = b->now.v,
        .angular_velocity = cdg_body_angular_velocity(b, b->now.q, b->now.spin),
    };
    return CDG_OK;
}

cdg_result cdg_body_set_state(cdg_world *world, cdg_body_id id, const cdg_body_state *state) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (state == NULL) return cdg_fail_null(&world->error, "state");
    cdg_error_clear(&world->error);
    cdg_body *b = cdg_world_get_body(world, id);
    if (b == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the body no longer exists");
    if (b->def.is_fixed)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "body '%s' is fixed and cannot be moved", b->name);
    for (size_t i = 0; i < world->weld_count; i++)
        if (&world->bodies[world->welds[i].body] == b)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "body '%s' carries a weld; moving it alone would tear the rod", b->name);
    double norm2 = quat_dot(state->orientation, state->orientation);
    if (!vec3_is_finite(state->position) || !(norm2 > 0 && isfinite(norm2)) || !vec3_is_finite(state->velocity) ||
        !vec3_is_finite(state->angular_velocity))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "body '%s': the new state is not finite", b->name);
    if (!(vec3_norm(state->velocity) <= CDG_SPEED_MAX) || !(vec3_norm(state->angular_velocity) <= CDG_SPEED_MAX))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "body '%s': the new velocity is beyond %g m/s or rad/s, where its energy is no number", b->name,
                        CDG_SPEED_MAX);
    double energy_before = energy_of(world, b);
    world->contacts.is_known_free = false;
    cdg_body_place(b, state->position, quat_normalize(state->orientation));
    b->now.v = b->now.move_rate = state->velocity;
    b->now.spin = symmetric3_times(cdg_body_world_inertia(b, b->now.q), state->angular_velocity);
    b->now.turn_rate = quat_rotate_inverse(b->now.q, state->angular_velocity);
    if (world->has_started) world->energy_at_start += energy_of(world, b) - energy_before;
    return CDG_OK;
}

cdg_result cdg_body_energy(const cdg_world *world, cdg_body_id id, double *kinetic, double *gravity) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    const cdg_body *b = cdg_world_get_body(world, id);
    if (b == NULL) return CDG_ERROR_STALE;
    if (kinetic != NULL) *kinetic = cdg_body_kinetic_energy(b);
    if (gravity != NULL) *gravity = b->def.is_fixed ? 0 : -b->mass.mass * vec3_dot(world->def.gravity, b->now.x);
    return CDG_OK;
}

// ---- totals ---------------------------------------------------------------------------------------------------------

void cdg_bodies_measure_energy(const cdg_world *world, cdg_energy *sum) {
    for (size_t i = 0; i < world->body_count; i++) {
        double kinetic = 0, gravity = 0;
        cdg_body_energy(world, cdg_world_body_at(world, i), &kinetic, &gravity);
        sum->kinetic += kinetic;
        sum->gravity += gravity;
        sum->total += kinetic + gravity;
    }
}

void cdg_bodies_measure_momentum(const cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular) {
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *b = &world->bodies[i];
        if (b->def.is_fixed) continue;
        cdg_vec3 momentum = vec3_scale(b->mass.mass, b->now.v);
        *linear = vec3_add(*linear, momentum);
        *angular = vec3_add(*angular, vec3_add(b->now.spin, vec3_cross(b->now.x, momentum)));
    }
}
