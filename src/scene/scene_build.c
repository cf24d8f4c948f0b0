// From a scene's definitions to a world that can be stepped.
#include "base/error.h"
#include "scene/diagnostics.h"
#include "scene/scene.h"
#include "world/place.h"

#include <cordage/control.h>
#include <cordage/cut.h>

#include <stdlib.h>

// The world's message with the line of the file before it. The world is destroyed.
static cdg_result give_up(const cdg_scene *scene, cdg_world *world, cdg_rod_id *ids, scene_mark mark, cdg_result code,
                          cdg_error *error) {
    char where[400];
    cdg_mark_format(mark, scene->name, where, sizeof where);
    const char *message = cdg_world_message(world);
    cdg_fail(error, code, "%s: %s", where, message[0] != '\0' ? message : cdg_result_text(code));
    cdg_world_destroy(world);
    free(ids);
    return code;
}

// A place in the scene names the rod by its number, in the world by its handle; no rod stays no rod.
static cdg_place place_in_world(cdg_place place, const cdg_rod_id *ids) {
    if (place.rod.index1 > 0) place.rod = ids[place.rod.index1 - 1];
    return place;
}

static cdg_result add_joint(cdg_world *world, const cdg_joint_def *def, const cdg_rod_id *ids) {
    cdg_place *places = calloc(def->place_count > 0 ? def->place_count : 1, sizeof *places);
    if (places == NULL) return CDG_ERROR_MEMORY;
    for (size_t i = 0; i < def->place_count; i++) places[i] = place_in_world(def->places[i], ids);
    cdg_joint_def placed = *def;
    placed.places = places;
    cdg_result result = cdg_world_add_joint(world, &placed, NULL);
    free(places);
    return result;
}

cdg_result cdg_scene_hold_solid(cdg_world *world, const scene_solid *solid, cdg_solid_id id,
                                cdg_solid_support_id *support, cdg_solid_load_id *load) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < solid->support_count && result == CDG_OK; i++) {
        cdg_solid_support_def def = solid->supports[i];
        def.solid = id;
        result = cdg_world_add_solid_support(world, &def, support);
    }
    for (size_t i = 0; i < solid->load_count && result == CDG_OK; i++) {
        cdg_solid_load_def def = solid->loads[i];
        def.solid = id;
        result = cdg_world_add_solid_load(world, &def, load);
    }
    return result;
}

static cdg_result add_solid(cdg_world *world, const scene_solid *solid) {
    cdg_solid_id id;
    cdg_result result = cdg_world_add_solid(world, &solid->def, &id);
    return result == CDG_OK ? cdg_scene_hold_solid(world, solid, id, NULL, NULL) : result;
}

// Whether there is something of the solid where the probe measures.
static cdg_result check_probe(cdg_world *world, cdg_place place) {
    if (place.solid.index1 == 0 || place.kind != CDG_PLACE_POINT) return CDG_OK;
    place.solid = cdg_world_solid_at(world, place.solid.index1 - 1);
    return cdg_place_check_solid(world, &place);
}

static cdg_result add_hand(cdg_world *world, const scene_hand *hand, const cdg_rod_id *ids) {
    cdg_grip_def def = hand->def;
    cdg_grip_id id;
    if (hand->support1 != 0 || hand->obstacle1 != 0) {
        cdg_lead_def lead = {.keys = def.keys, .key_count = def.key_count, .to = def.to};
        if (hand->support1 != 0) lead.support = cdg_world_support_at(world, hand->support1 - 1);
        if (hand->obstacle1 != 0) lead.obstacle = cdg_world_obstacle_at(world, hand->obstacle1 - 1);
        return cdg_world_add_lead(world, &lead);
    }
    if (def.place.rod.index1 != 0) def.place.rod = ids[def.place.rod.index1 - 1];
    if (def.place.solid.index1 != 0) def.place.solid = cdg_world_solid_at(world, def.place.solid.index1 - 1);
    if (def.place.body.index1 != 0) def.place.body = cdg_world_body_at(world, def.place.body.index1 - 1);
    return cdg_world_add_grip(world, &def, &id);
}

cdg_result cdg_scene_build(const cdg_scene *scene, int thread_count, cdg_world **out, cdg_error *error) {
    cdg_error own_error; // for who does not want to know
    if (error == NULL) error = &own_error;
    if (out != NULL) *out = NULL;
    if (scene == NULL) return cdg_fail_null(error, "scene");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_error_clear(error);
    if (!scene->is_usable) {
        return cdg_fail(error, CDG_ERROR_SCENE, "%s has errors and cannot be built; its diagnostics name them",
                        scene->name);
    }
    cdg_result result = cdg_scene_build_unchanged(scene, thread_count, out, error);
    if (result == CDG_OK) result = cdg_scene_plan_changes(scene, thread_count, *out, error);
    if (result == CDG_OK || *out == NULL) return result;
    cdg_world_destroy(*out);
    *out = NULL;
    return result;
}

cdg_result cdg_scene_build_unchanged(const cdg_scene *scene, int thread_count, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = scene->gravity;
    world_def.step = scene->step;
    world_def.thread_count = thread_count;
    world_def.is_unguarded = scene->energy_guard == SCENE_GUARD_OFF;
    cdg_world *world = NULL;
    cdg_result result = cdg_world_create(&world_def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id *ids = calloc(scene->rod_count > 0 ? scene->rod_count : 1, sizeof *ids);
    if (ids == NULL) {
        cdg_world_destroy(world);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its rods", scene->name);
    }
    for (size_t i = 0; i < scene->rod_count; i++) {
        result = cdg_world_add_rod(world, &scene->rods[i], &ids[i]);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->rod_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->joint_count; i++) {
        result = add_joint(world, &scene->joints[i], ids);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->joint_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->support_count; i++) {
        cdg_support_def def = scene->supports[i];
        def.place = place_in_world(def.place, ids);
        result = cdg_world_add_support(world, &def, NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->support_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->body_count; i++) {
        result = cdg_world_add_body(world, &scene->bodies[i], NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->body_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->weld_count; i++) {
        cdg_weld_def def = scene->welds[i];
        def.place = place_in_world(def.place, ids);
        def.body = cdg_world_body_at(world, def.body.index1 - 1);
        result = cdg_world_add_weld(world, &def, NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->weld_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->load_count; i++) {
        cdg_load_def def = scene->loads[i];
        def.place = place_in_world(def.place, ids);
        result = cdg_world_add_load(world, &def, NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->load_marks[i], result, error);
    }
    result = cdg_world_set_contact(world, &scene->contact);
    if (result != CDG_OK) return give_up(scene, world, ids, (scene_mark){0}, result, error);
    for (size_t i = 0; i < scene->obstacle_count; i++) {
        result = cdg_world_add_obstacle(world, &scene->obstacles[i], NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->obstacle_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->solid_count; i++) {
        result = add_solid(world, &scene->solids[i]);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->solid_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->tie_count; i++) {
        cdg_tie_def def = scene->ties[i];
        def.place = place_in_world(def.place, ids);
        def.solid = cdg_world_solid_at(world, def.solid.index1 - 1);
        result = cdg_world_add_tie(world, &def, NULL);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->tie_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->hand_count; i++) {
        result = add_hand(world, &scene->hands[i], ids);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->hand_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->probe_count; i++) {
        result = check_probe(world, scene->probes[i].probe.place);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->probe_marks[i], result, error);
    }
    for (size_t i = 0; i < scene->cut_count; i++) {
        result = cdg_world_plan_cut(world, place_in_world(scene->cuts[i].place, ids), scene->cuts[i].time);
        if (result != CDG_OK) return give_up(scene, world, ids, scene->cut_marks[i], result, error);
    }
    free(ids);
    *out = world;
    return CDG_OK;
}
