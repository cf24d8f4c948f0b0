// Which nodes a support holds follows from where they are at the start, as in the world (world/solid_forcing.c).
#include "render/held_faces.h"

#include "base/error.h"
#include "geometry/shape_inside.h"
#include "math/quat.h"
#include "output/run_scene.h"
#include "scene/scene.h"

#include <stdlib.h>

static cdg_vec3 start_of(const cdg_solid_def *def, size_t node) {
    return vec3_add(def->position, quat_rotate(def->orientation, vec3_scale(def->scale, def->mesh.points[node])));
}

// s; 0: no support holds this node.
static double node_until(const scene_solid *solid, size_t node) {
    double until = 0;
    for (size_t i = 0; i < solid->support_count; i++) {
        const cdg_solid_support_def *support = &solid->supports[i];
        if (support->region == NULL || cdg_shape_contains(support->region, start_of(&solid->def, node)))
            until = fmax(until, support->release > 0 ? support->release : INFINITY);
    }
    return until;
}

static bool find_faces(const scene_solid *solid, const cdg_run_solid_entry *entry, double **out) {
    double *until = calloc(entry->surface_count + 1, sizeof *until);
    if (until == NULL) return false;
    double most = 0;
    for (size_t t = 0; t < entry->surface_count; t++) {
        until[t] = INFINITY;
        for (int k = 0; k < 3; k++) until[t] = fmin(until[t], node_until(solid, entry->surface[t][k]));
        most = fmax(most, until[t]);
    }
    *out = until;
    if (most > 0) return true;
    free(until);
    *out = NULL;
    return true;
}

cdg_result cdg_held_faces_make(const cdg_run_reader *reader, cdg_held_faces *out, cdg_error *error) {
    *out = (cdg_held_faces){.until = NULL};
    cdg_scene *scene = reader->solid_count > 0 ? cdg_run_reader_scene(reader) : NULL;
    if (scene == NULL) return CDG_OK;
    out->until = calloc(reader->solid_count, sizeof *out->until);
    bool is_good = out->until != NULL;
    if (is_good) out->solid_count = reader->solid_count;
    for (size_t i = 0; is_good && i < reader->solid_count && i < scene->solid_count; i++) {
        const scene_solid *solid = &scene->solids[i];
        if (solid->support_count > 0 && solid->def.mesh.point_count == reader->solids[i].node_count)
            is_good = find_faces(solid, &reader->solids[i], &out->until[i]);
    }
    cdg_scene_destroy(scene);
    return is_good ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for supports of solids");
}

void cdg_held_faces_free(cdg_held_faces *held) {
    for (size_t i = 0; i < held->solid_count; i++) free(held->until[i]);
    free(held->until);
    *held = (cdg_held_faces){.until = NULL};
}

void cdg_held_faces_color(const cdg_held_faces *held, size_t solid, double time, float3 free, cdg_picture_mesh *mesh) {
    static const float slate[3] = {0.060F, 0.075F, 0.100F}; // that of marks on rods
    if (solid >= held->solid_count || held->until[solid] == NULL) return;
    const float given[3] = {free.x, free.y, free.z};
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (held->until[solid][t] <= 0) continue;
        const float *color = time < held->until[solid][t] ? slate : given;
        for (size_t k = 0; k < 9; k++) mesh->colors[9 * t + k] = color[k % 3];
    }
}
