// Adding what a scene holds to a world that is there, and what it says about running; for programs that build by parts.
#include "base/error.h"
#include "scene/scene.h"

#include <stdlib.h>

typedef struct extension {
    const cdg_scene *scene;
    cdg_world *world;
    cdg_rod_id *rods;    // of each rod of the scene
    cdg_body_id *bodies; // of each body
    const cdg_rod_id *known;
    size_t known_count, known_bodies;
    cdg_scene_added added;
    cdg_error error; // of what was taken back again
} extension;

static cdg_place place_in_world(const extension *e, cdg_place place) {
    if (place.rod.index1 > 0) place.rod = e->rods[place.rod.index1 - 1];
    return place;
}

static cdg_result add_rods(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->rod_count && result == CDG_OK; i++) {
        if (i < e->known_count) {
            e->rods[i] = e->known[i];
            continue;
        }
        result = cdg_world_add_rod(e->world, &e->scene->rods[i], &e->rods[i]);
        if (result == CDG_OK) e->added.rod = e->rods[i], e->added.rod_count++;
    }
    return result;
}

static cdg_result add_joints(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->joint_count && result == CDG_OK; i++) {
        cdg_joint_def def = e->scene->joints[i];
        cdg_place *places = calloc(def.place_count > 0 ? def.place_count : 1, sizeof *places);
        if (places == NULL) return CDG_ERROR_MEMORY;
        for (size_t k = 0; k < def.place_count; k++) places[k] = place_in_world(e, def.places[k]);
        def.places = places;
        result = cdg_world_add_joint(e->world, &def, &e->added.joint);
        free(places);
    }
    return result;
}

static cdg_result add_supports(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->support_count && result == CDG_OK; i++) {
        cdg_support_def def = e->scene->supports[i];
        def.place = place_in_world(e, def.place);
        result = cdg_world_add_support(e->world, &def, &e->added.support);
        if (result == CDG_OK) e->added.support_count++;
        e->added.support_place = def.place;
    }
    return result;
}

static cdg_result add_bodies(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->body_count && result == CDG_OK; i++) {
        if (i < e->known_bodies) {
            e->bodies[i] = cdg_world_find_body(e->world, e->scene->bodies[i].name);
            continue;
        }
        result = cdg_world_add_body(e->world, &e->scene->bodies[i], &e->bodies[i]);
        if (result == CDG_OK) e->added.body = e->bodies[i];
    }
    for (size_t i = 0; i < e->scene->weld_count && result == CDG_OK; i++) {
        cdg_weld_def def = e->scene->welds[i];
        def.place = place_in_world(e, def.place);
        def.body = e->bodies[def.body.index1 - 1];
        result = cdg_world_add_weld(e->world, &def, &e->added.weld);
    }
    return result;
}

static cdg_result add_ties(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->tie_count && result == CDG_OK; i++) {
        cdg_tie_def def = e->scene->ties[i];
        def.place = place_in_world(e, def.place);
        def.solid = cdg_world_find_solid(e->world, e->scene->solids[def.solid.index1 - 1].def.name);
        result = cdg_world_add_tie(e->world, &def, &e->added.tie);
    }
    return result;
}

// A solid whose supports or loads cannot be added is not added.
static cdg_result add_solids(extension *e) {
    cdg_result result = CDG_OK;
    cdg_scene_added *added = &e->added;
    for (size_t i = 0; i < e->scene->solid_count && result == CDG_OK; i++) {
        const scene_solid *solid = &e->scene->solids[i];
        result = cdg_world_add_solid(e->world, &solid->def, &added->solid);
        if (result != CDG_OK) return result;
        result = cdg_scene_hold_solid(e->world, solid, added->solid, &added->solid_support, &added->solid_load);
        if (result == CDG_OK) continue;
        (void)cdg_fail(&e->error, result, "%s", cdg_world_message(e->world)); // removing clears the world's
        (void)cdg_world_remove_solid(e->world, added->solid);
    }
    return result;
}

static cdg_result add_loads(extension *e) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < e->scene->load_count && result == CDG_OK; i++) {
        cdg_load_def def = e->scene->loads[i];
        def.place = place_in_world(e, def.place);
        result = cdg_world_add_load(e->world, &def, &e->added.load);
        e->added.load_place = def.place;
    }
    return result;
}

static cdg_result add_obstacles(extension *e) {
    bool is_default = e->scene->contact.choice == CDG_CONTACT_DEFAULT;
    cdg_result result = is_default ? CDG_OK : cdg_world_set_contact(e->world, &e->scene->contact);
    for (size_t i = 0; i < e->scene->obstacle_count && result == CDG_OK; i++)
        result = cdg_world_add_obstacle(e->world, &e->scene->obstacles[i], &e->added.obstacle);
    return result;
}

static cdg_result fail_by_world(const cdg_world *world, cdg_result result, cdg_error *error) {
    const char *message = cdg_world_message(world);
    return cdg_fail(error, result, "%s", message[0] != '\0' ? message : cdg_result_text(result));
}

cdg_result cdg_scene_extend(const cdg_scene *scene, const cdg_rod_id *known, size_t known_count, size_t known_bodies,
                            cdg_world *world, cdg_scene_added *added, cdg_error *error) {
    if (added != NULL) *added = (cdg_scene_added){0};
    if (scene == NULL) return cdg_fail_null(error, "scene");
    if (world == NULL) return cdg_fail_null(error, "world");
    if (known == NULL && known_count > 0) return cdg_fail_null(error, "known");
    if (!scene->is_usable)
        return cdg_fail(error, CDG_ERROR_SCENE, "%s has errors and cannot be added; its diagnostics name them",
                        scene->name);
    extension e = {.scene = scene,
                   .world = world,
                   .rods = calloc(scene->rod_count + 1, sizeof *e.rods),
                   .bodies = calloc(scene->body_count + 1, sizeof *e.bodies),
                   .known = known,
                   .known_count = known_count,
                   .known_bodies = known_bodies};
    cdg_result (*const parts[])(extension *) = {add_rods,  add_joints, add_supports, add_bodies,
                                                add_loads, add_solids, add_ties,     add_obstacles};
    cdg_result result = e.rods != NULL && e.bodies != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == CDG_OK; i++) result = parts[i](&e);
    free(e.rods);
    free(e.bodies);
    if (added != NULL) *added = e.added;
    if (result == CDG_OK) return CDG_OK;
    if (e.error.message[0] != '\0') return cdg_fail(error, result, "%s", e.error.message);
    return fail_by_world(world, result, error);
}

cdg_result cdg_scene_extend_solid(const cdg_scene *scene, cdg_world *world, cdg_solid_id solid, cdg_scene_added *added,
                                  cdg_error *error) {
    cdg_scene_added made = {.solid = solid};
    if (added != NULL) *added = made;
    if (scene == NULL) return cdg_fail_null(error, "scene");
    if (world == NULL) return cdg_fail_null(error, "world");
    if (!scene->is_usable || scene->solid_count == 0)
        return cdg_fail(error, CDG_ERROR_SCENE, "%s has errors or no solid, and cannot be added", scene->name);
    cdg_result result = cdg_scene_hold_solid(world, &scene->solids[0], solid, &made.solid_support, &made.solid_load);
    if (added != NULL) *added = made;
    return result == CDG_OK ? CDG_OK : fail_by_world(world, result, error);
}

cdg_result cdg_scene_get_times(const cdg_scene *scene, cdg_scene_times *out) {
    if (scene == NULL || out == NULL || !scene->is_usable) return CDG_ERROR_ARGUMENT;
    *out = (cdg_scene_times){.duration = scene->duration,
                             .step = scene->step,
                             .output_every = scene->output_every,
                             .is_static = scene->mode == SCENE_STATIC};
    return CDG_OK;
}

size_t cdg_scene_probe_count(const cdg_scene *scene) {
    return scene != NULL && scene->is_usable ? scene->probe_count : 0;
}

typedef struct known_rods {
    const cdg_rod_id *rods;
    size_t count;
} known_rods;

static cdg_rod_id rod_in_world(const cdg_scene *scene, const cdg_world *world, known_rods known, cdg_rod_id rod) {
    if (rod.index1 == 0) return rod;
    if (rod.index1 <= known.count) return known.rods[rod.index1 - 1];
    return cdg_world_find_rod(world, scene->rods[rod.index1 - 1].name);
}

cdg_result cdg_scene_probe(const cdg_scene *scene, const cdg_world *world, const cdg_rod_id *known, size_t known_count,
                           size_t index, const char **name, cdg_probe *out) {
    if (world == NULL || out == NULL || index >= cdg_scene_probe_count(scene)) return CDG_ERROR_ARGUMENT;
    if (known == NULL && known_count > 0) return CDG_ERROR_ARGUMENT;
    known_rods rods = {known, known_count};
    *out = scene->probes[index].probe;
    if (name != NULL) *name = scene->probes[index].name;
    out->place.rod = rod_in_world(scene, world, rods, out->place.rod);
    out->other = rod_in_world(scene, world, rods, out->other);
    if (out->place.solid.index1 > 0)
        out->place.solid = cdg_world_find_solid(world, scene->solids[out->place.solid.index1 - 1].def.name);
    if (out->place.body.index1 > 0)
        out->place.body = cdg_world_find_body(world, scene->bodies[out->place.body.index1 - 1].name);
    return CDG_OK;
}
