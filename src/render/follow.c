// Rods, solids, then obstacles and bodies are searched for the name.
#include "render/follow.h"

#include "base/error.h"
#include "geometry/shape_surface.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

// What has a name: points that move, or a shape at a place.
typedef struct named_thing {
    const cdg_vec3 *points; // NULL for a rigid
    size_t count, rigid;
} named_thing;

static cdg_result find(const cdg_run_player *player, const char *name, named_thing *out, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (size_t i = 0; i < reader->rod_count; i++)
        if (strcmp(reader->rods[i].name, name) == 0) {
            *out = (named_thing){.points = player->rods[i].positions, .count = reader->rods[i].node_count};
            return CDG_OK;
        }
    for (size_t i = 0; i < reader->solid_count; i++)
        if (strcmp(reader->solids[i].name, name) == 0) {
            *out = (named_thing){.points = player->solids[i].positions, .count = reader->solids[i].node_count};
            return CDG_OK;
        }
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++) {
        const char *known = cdg_run_rigid_get(reader, i).name;
        if (known == NULL || strcmp(known, name) != 0) continue;
        *out = (named_thing){.rigid = i};
        return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--camera: follow=%s: the run has no rod, body, obstacle or solid of that name; 'cordage info %s' "
                    "lists them",
                    name, reader->directory);
}

static cdg_vec3 mean_of(const cdg_vec3 *points, size_t count) {
    cdg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) sum = vec3_add(sum, points[i]);
    return vec3_scale(1 / (double)count, sum);
}

cdg_result cdg_follow_middle(const cdg_run_player *player, const char *name, cdg_vec3 *out, cdg_error *error) {
    named_thing thing = {.points = NULL};
    cdg_result result = find(player, name, &thing, error);
    if (result != CDG_OK) return result;
    *out = thing.points ? mean_of(thing.points, thing.count) : player->rigids[thing.rigid].position;
    return CDG_OK;
}

cdg_result cdg_follow_fit(const cdg_run_player *player, const char *name, cdg_vec3 offset, cdg_camera_fit *fit,
                          cdg_error *error) {
    named_thing thing = {.points = NULL};
    cdg_result result = find(player, name, &thing, error);
    if (result != CDG_OK) return result;
    cdg_vec3 corners[8];
    if (!thing.points) {
        const cdg_rigid_moment *now = &player->rigids[thing.rigid];
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, thing.rigid);
        cdg_shape_surface_corners(&rigid.shape, corners);
        for (int i = 0; i < 8; i++) corners[i] = vec3_add(now->position, quat_rotate(now->orientation, corners[i]));
        thing.points = corners, thing.count = 8;
    }
    for (size_t i = 0; i < thing.count; i++) {
        cdg_vec3 moved = vec3_add(thing.points[i], offset);
        cdg_camera_fit_add(fit, &moved, 1);
    }
    return CDG_OK;
}
