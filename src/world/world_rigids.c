// Bodies as contact sees them: shapes whose motion contact changes.
//
// A free body with welds answers forces together with its rods: contact asks how, and has it predicted again with its
// forces. Rods pass through the bodies that they are welded to.
#include "base/error.h"
#include "world/world_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

void cdg_rigids_free(cdg_world *world) {
    for (size_t i = 0; i < world->body_shape_count; i++) cdg_obstacle_free(&world->body_shapes[i]);
    free(world->body_shapes);
    free(world->body_passes);
    world->body_shapes = NULL;
    world->body_passes = NULL;
    world->body_shape_count = world->contacts.body_count = 0;
}

static cdg_result build_shape(cdg_world *world, const cdg_body *body, cdg_obstacle *out) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape = body->def.shape;
    def.shape.position = vec3(0, 0, 0), def.shape.orientation = quat(1, 0, 0, 0); // contact says where it is
    def.friction = body->def.friction;
    return cdg_obstacle_build(&def, body->name, out, &world->error);
}

void cdg_rigids_set_friction(cdg_world *world, size_t body) {
    size_t shape = 0;
    if (world->bodies[body].def.is_ghost) return;
    for (size_t i = 0; i < body; i++) shape += !world->bodies[i].def.is_ghost;
    if (shape < world->body_shape_count) world->body_shapes[shape].def.friction = world->bodies[body].def.friction;
}

cdg_result cdg_rigids_prepare(cdg_world *world) {
    cdg_rigids_free(world);
    world->body_shapes = calloc(world->body_count + 1, sizeof *world->body_shapes);
    world->body_passes = calloc(world->weld_count + 1, sizeof *world->body_passes);
    if (world->body_shapes == NULL || world->body_passes == NULL)
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact with %zu bodies", world->body_count);
    for (size_t i = 0; i < world->body_count; i++) {
        if (world->bodies[i].def.is_ghost) continue;
        cdg_result result = build_shape(world, &world->bodies[i], &world->body_shapes[world->body_shape_count]);
        if (result != CDG_OK) return result;
        world->body_shape_count++;
    }
    world->contacts.body_count = world->body_count;
    return CDG_OK;
}

void cdg_rigids_describe(cdg_world *world) {
    const cdg_obstacle *shape = world->body_shapes;
    uint32_t *passes = world->body_passes;
    for (size_t i = 0; i < world->body_count; i++) {
        cdg_body_piece *piece = &world->contacts.bodies[i];
        *piece = (cdg_body_piece){.body = &world->bodies[i], .free = world->bodies[i].now};
        if (world->bodies[i].def.is_ghost) continue;
        piece->shape = shape++;
        piece->passes = passes;
        for (size_t w = 0; w < world->weld_count; w++)
            if (world->welds[w].body == i) passes[piece->pass_count++] = world->welds[w].def.place.rod.index1 - 1;
        passes += piece->pass_count;
    }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

void cdg_rigids_predicted(cdg_world *world) {
    for (size_t i = 0; i < world->contacts.body_count; i++) {
        world->contacts.bodies[i].free = world->bodies_work->bodies[i].trial;
        world->contacts.bodies[i].is_welded = world->bodies_work->bodies[i].number != SIZE_MAX;
    }
}

void cdg_rigids_predict_touched(cdg_world *world) {
    for (size_t i = 0; i < world->contacts.body_count; i++)
        cdg_bodies_predict_touched(world, i, &world->contacts.bodies[i].touched);
}

static bool is_welded_to(const cdg_world *world, const world_unit *unit, size_t body) {
    for (size_t k = 0; k < unit->weld_count; k++)
        if (world->welds[unit->welds[k]].body == body) return true;
    return false;
}

void cdg_rigids_push(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    for (size_t i = 0; i < world->contacts.body_count; i++) {
        const cdg_body_piece *piece = &world->contacts.bodies[i];
        if (!piece->is_welded) continue;
        work->bodies[i].contact_impulse = vec3_scale(work->step, piece->force);
        work->bodies[i].contact_turn = vec3_scale(work->step, piece->torque);
        for (size_t u = 0; u < work->unit_count && piece->wants_response; u++)
            if (work->units[u].yield.way_count > 0 && is_welded_to(world, &work->units[u], i))
                world->contacts.coupling.objects[work->units[u].yield_rod].wants_response = true;
    }
}

// What a force or torque on a body's centre makes of its pose, all that is welded to it and to others going along.
static void find_response(cdg_world *world, size_t index, cdg_body_piece *piece) {
    struct world_bodies *work = world->bodies_work;
    const body_work *b = &work->bodies[index];
    const cdg_body *body = &world->bodies[index];
    double motion = work->step * work->step * cdg_rate_gain(&b->rule);
    for (size_t k = 0; k < 6; k++) {
        double unit[6] = {0};
        unit[k] = motion;
        cdg_bodies_assemble(world, work);
        memset(work->right, 0, work->matrix.size * sizeof *work->right);
        put(work->right + 6 * b->number, vec3_scale(1 / body->mass.mass, take(unit)));
        put(work->right + 6 * b->number + 3, cdg_body_angular_velocity(body, b->trial.q, take(unit + 3)));
        if (!cdg_banded_solve(&work->matrix, work->right)) return;
        for (size_t i = 0; i < 6; i++) piece->response[i][k] = work->right[6 * b->number + i];
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++)
            piece->response[i][k] = piece->response[k][i] = 0.5 * (piece->response[i][k] + piece->response[k][i]);
    piece->has_response = true;
}

void cdg_rigids_respond(cdg_world *world) {
    for (size_t i = 0; i < world->contacts.body_count; i++) {
        cdg_body_piece *piece = &world->contacts.bodies[i];
        if (piece->is_welded && (piece->wants_response || piece->has_response)) find_response(world, i, piece);
    }
}

void cdg_rigids_store(cdg_world *world, double step) {
    const cdg_contacts *c = &world->contacts;
    if (c->idle.is_quiet) return; // they are where they were predicted
    for (size_t i = 0; i < c->body_count; i++)
        if (c->bodies[i].shape != NULL)
            cdg_body_piece_store(&c->pieces, c->bodies, i, step, &world->bodies_work->bodies[i].trial);
}
