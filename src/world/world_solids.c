// Bodies as contact sees them: shapes whose motion contact changes.
//
// Body by body, what takes part: those that collide, but free ones with welds do not. How these answer forces is known
// only together with their rods (world_yield.c), and rods pass through them.
#include "base/error.h"
#include "world/world_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_weld(const cdg_world *world, size_t body) {
    for (size_t i = 0; i < world->weld_count; i++)
        if (world->welds[i].body == body) return true;
    return false;
}

bool cdg_solids_touch(const cdg_world *world, size_t body) {
    const cdg_body_def *def = &world->bodies[body].def;
    return !def->is_ghost && (def->is_fixed || !has_weld(world, body));
}

// Rods that are not welded to it, and would have to touch it.
static bool has_other_rods(const cdg_world *world, size_t body) {
    for (size_t i = 0; i < world->rod_count; i++) {
        bool is_welded = world->rods[i].rod == NULL;
        for (size_t w = 0; w < world->weld_count; w++)
            is_welded = is_welded || (world->welds[w].body == body && world->welds[w].def.place.rod.index1 == i + 1);
        if (!is_welded) return true;
    }
    return false;
}

bool cdg_solids_doubt(const cdg_world *world, char *text) {
    for (size_t i = 0; i < world->body_count && !world->contact_def.is_off; i++) {
        const cdg_body_def *def = &world->bodies[i].def;
        if (def->is_ghost || cdg_solids_touch(world, i) || !has_other_rods(world, i)) continue;
        snprintf(text, 256, "body '%.60s' carries welds: it touches bodies and obstacles, but rods pass through it",
                 world->bodies[i].name);
        return true;
    }
    return false;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

void cdg_solids_free(cdg_world *world) {
    for (size_t i = 0; i < world->body_shape_count; i++) cdg_obstacle_free(&world->body_shapes[i]);
    free(world->body_shapes);
    free(world->body_passes);
    world->body_shapes = NULL;
    world->body_passes = NULL;
    world->body_shape_count = world->contacts.body_count = 0;
}

static cdg_result build_shape(cdg_world *world, const cdg_body *body, cdg_obstacle *out) {
    cdg_collider_shape shape = cdg_body_shape(body);
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.kind = shape.kind;
    def.radius = shape.radius;
    def.length = shape.length;
    def.size = shape.size;
    def.mesh.vertices = shape.vertices;
    def.mesh.vertex_count = shape.vertex_count;
    def.mesh.triangles = shape.triangles;
    def.mesh.triangle_count = shape.triangle_count;
    def.friction = body->def.friction;
    return cdg_obstacle_build(&def, body->name, out, &world->error);
}

cdg_result cdg_solids_prepare(cdg_world *world) {
    cdg_solids_free(world);
    world->body_shapes = calloc(world->body_count + 1, sizeof *world->body_shapes);
    world->body_passes = calloc(world->weld_count + 1, sizeof *world->body_passes);
    if (world->body_shapes == NULL || world->body_passes == NULL)
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact with %zu bodies", world->body_count);
    for (size_t i = 0; i < world->body_count; i++) {
        if (!cdg_solids_touch(world, i)) continue;
        cdg_result result = build_shape(world, &world->bodies[i], &world->body_shapes[world->body_shape_count]);
        if (result != CDG_OK) return result;
        world->body_shape_count++;
    }
    world->contacts.body_count = world->body_count;
    return CDG_OK;
}

void cdg_solids_describe(cdg_world *world) {
    const cdg_obstacle *shape = world->body_shapes;
    uint32_t *passes = world->body_passes;
    for (size_t i = 0; i < world->body_count; i++) {
        cdg_body_piece *piece = &world->contacts.bodies[i];
        *piece = (cdg_body_piece){.body = &world->bodies[i], .free = world->bodies[i].now};
        if (!cdg_solids_touch(world, i)) continue;
        piece->shape = shape++;
        piece->passes = passes;
        for (size_t w = 0; w < world->weld_count; w++)
            if (world->welds[w].body == i) passes[piece->pass_count++] = world->welds[w].def.place.rod.index1 - 1;
        passes += piece->pass_count;
    }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

void cdg_solids_predicted(cdg_world *world) {
    for (size_t i = 0; i < world->contacts.body_count; i++) {
        world->contacts.bodies[i].free = world->bodies_work->bodies[i].trial;
        cdg_bodies_predict_touched(world, i, &world->contacts.bodies[i].touched);
    }
}

void cdg_solids_store(cdg_world *world, double step) {
    const cdg_contacts *c = &world->contacts;
    for (size_t i = 0; i < c->body_count; i++)
        if (c->bodies[i].shape != NULL)
            cdg_body_piece_store(&c->pieces, c->bodies, i, step, &world->bodies_work->bodies[i].trial);
}

// Where a kept contact is, as the rod lies at the start of the step.
static cdg_vec3 place_of(const cdg_world *world, const cdg_contact *contact) {
    const cdg_rod *rod = world->rods[contact->side[0].object].rod;
    size_t j = contact->side[0].primitive, next = rod_next_node(rod, j);
    double radius = rod->radius[j * rod->section_stride], s = contact->parameter[0];
    radius += s * (rod->radius[next * rod->section_stride] - radius);
    cdg_vec3 at = vec3_lerp(rod_vec3(rod->x, j), rod_vec3(rod->x, next), s);
    return vec3_mad(at, -radius, contact->normal);
}

void cdg_solids_expect(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    for (size_t i = 0; i < world->body_count; i++)
        work->bodies[i].rods_impulse = work->bodies[i].rods_turn = vec3(0, 0, 0);
    for (size_t i = 0; i < cdg_world_contact_count(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        uint32_t place = contact->side[1].object;
        bool is_body = contact->side[1].kind == CDG_SIDE_BODY;
        if (!is_body || place >= world->body_count || world->rods[contact->side[0].object].rod == NULL) continue;
        cdg_vec3 impulse = vec3_scale(-work->step, contact->force);
        cdg_vec3 arm = vec3_sub(place_of(world, contact), world->bodies[place].now.x);
        body_work *b = &work->bodies[place];
        b->rods_impulse = vec3_add(b->rods_impulse, impulse);
        b->rods_turn = vec3_add(b->rods_turn, vec3_cross(arm, impulse));
    }
}
