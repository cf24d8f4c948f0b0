// Rods that nothing holds, and welds whose body is far away: what a scene says by leaving something out.
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdint.h>
#include <stdlib.h>

// Joined rods hang on each other: the first rod of the group that each belongs to.
static size_t group_of(size_t *parents, size_t rod) {
    while (parents[rod] != rod) rod = parents[rod] = parents[parents[rod]];
    return rod;
}

static void join_groups(const cdg_scene *scene, size_t *parents) {
    for (size_t i = 0; i < scene->rod_count; i++) parents[i] = i;
    for (size_t i = 0; i < scene->joint_count; i++)
        for (size_t k = 1; k < scene->joints[i].place_count; k++) {
            size_t a = group_of(parents, scene->joints[i].places[0].rod.index1 - 1);
            size_t b = group_of(parents, scene->joints[i].places[k].rod.index1 - 1);
            parents[b] = a;
        }
}

static void mark_held(const cdg_scene *scene, size_t *parents, bool *is_held) {
    for (size_t i = 0; i < scene->support_count; i++) {
        bool holds = scene->supports[i].kind != CDG_SUPPORT_TWIST;
        if (holds) is_held[group_of(parents, scene->supports[i].place.rod.index1 - 1)] = true;
    }
    for (size_t i = 0; i < scene->weld_count; i++)
        is_held[group_of(parents, scene->welds[i].place.rod.index1 - 1)] = true;
    for (size_t i = 0; i < scene->tie_count; i++)
        is_held[group_of(parents, scene->ties[i].place.rod.index1 - 1)] = true;
    for (size_t i = 0; i < scene->hand_count; i++)
        if (scene->hands[i].def.place.rod.index1 > 0)
            is_held[group_of(parents, scene->hands[i].def.place.rod.index1 - 1)] = true;
}

// Marks the first rod of each group that something holds; false: no memory.
static bool find_held(const cdg_scene *scene, size_t **parents, bool **is_held) {
    *parents = malloc(scene->rod_count * sizeof **parents);
    *is_held = calloc(scene->rod_count, sizeof **is_held);
    if (*parents == NULL || *is_held == NULL) return false;
    join_groups(scene, *parents);
    mark_held(scene, *parents, *is_held);
    return true;
}

static bool falls(const cdg_scene *scene) { return vec3_norm(scene->gravity) > 0 && scene->rod_count > 0; }

// Nothing to fall upon, or to hang on.
static bool is_empty_space(const cdg_scene *scene, const bool *is_held) {
    if (scene->contact.choice == CDG_CONTACT_OFF) return true;
    for (size_t i = 0; i < scene->rod_count; i++)
        if (is_held[i]) return false; // a rod may lie on one that is held
    return scene->obstacle_count == 0 && scene->body_count == 0 && scene->solid_count == 0;
}

size_t cdg_scene_falling_rod(const cdg_scene *scene) {
    size_t *parents = NULL, found = SIZE_MAX;
    bool *is_held = NULL;
    if (falls(scene) && find_held(scene, &parents, &is_held) && is_empty_space(scene, is_held))
        for (size_t i = 0; i < scene->rod_count && found == SIZE_MAX; i++)
            if (group_of(parents, i) == i && !is_held[i]) found = i;
    free(parents);
    free(is_held);
    return found;
}

static void check_equilibrium(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    size_t *parents = NULL;
    bool *is_held = NULL;
    if (scene->mode == SCENE_STATIC && falls(scene) && find_held(scene, &parents, &is_held))
        for (size_t i = 0; i < scene->rod_count; i++) {
            if (group_of(parents, i) != i || is_held[i]) continue;
            scene_node here = {.mark = scene->rod_marks[i]};
            const char *name = scene->rods[i].name;
            cdg_reader_fault(reader, &here,
                             "nothing holds rod '%s', and gravity pulls it: there is no equilibrium; add a support, "
                             "for example 'supports: [{clamp: %s.start}]', or turn gravity off: 'gravity: [0, 0, 0]'",
                             name, name);
        }
    free(parents);
    free(is_held);
}

static double reach_of(const cdg_body_def *body) {
    switch (body->shape.kind) {
    case CDG_SHAPE_BOX: return 0.5 * vec3_norm(body->shape.size);
    case CDG_SHAPE_SPHERE: return body->shape.radius;
    case CDG_SHAPE_CAPSULE: return 0.5 * body->shape.length + body->shape.radius;
    case CDG_SHAPE_CYLINDER: return hypot(0.5 * body->shape.length, body->shape.radius);
    default: return INFINITY; // a mesh may be anywhere about its origin
    }
}

// The weld is rigid whatever is between the two, so one that is far away is a mistake in a position.
static void check_weld(scene_reader *reader, size_t index) {
    const cdg_scene *scene = reader->scene;
    const cdg_weld_def *weld = &scene->welds[index];
    const cdg_body_def *body = &scene->bodies[weld->body.index1 - 1];
    const cdg_rod_def *rod = &scene->rods[weld->place.rod.index1 - 1];
    enum { NODES_MAX = 20000 };
    double reach = reach_of(body);
    if (rod->element_count > NODES_MAX || !(reach < INFINITY)) return;
    cdg_vec3 *nodes = cdg_storage_allocate(reader->storage, rod->element_count + 1, sizeof *nodes);
    cdg_error error;
    if (nodes == NULL || cdg_centerline_sample(&rod->centerline, rod->element_count, nodes, &error) != CDG_OK) return;
    double distance = vec3_distance(nodes[weld->place.index], body->shape.position);
    if (distance <= 2 * reach + 2 * cdg_section_radius(rod)) return;
    scene_node here = {.mark = scene->weld_marks[index]};
    cdg_vec3 at = nodes[weld->place.index];
    cdg_reader_warn(reader, &here,
                    "node %zu of rod '%s', at (%g, %g, %g) m, is welded to body '%s', whose position (%g, %g, %g) m is "
                    "%.3g m away: a rigid arm joins them; move the body to the rod's end",
                    weld->place.index, rod->name, at.x, at.y, at.z, body->name, body->shape.position.x,
                    body->shape.position.y, body->shape.position.z, distance);
}

void cdg_check_held(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->weld_count; i++) check_weld(reader, i);
    check_equilibrium(reader);
}
