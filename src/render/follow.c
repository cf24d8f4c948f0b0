// Rods, solids, then obstacles and bodies are searched for the name.
#include "render/follow.h"

#include "base/error.h"
#include "math/vec3.h"

#include <string.h>

static cdg_vec3 mean_of(const cdg_vec3 *points, size_t count) {
    cdg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) sum = vec3_add(sum, points[i]);
    return vec3_scale(1 / (double)count, sum);
}

cdg_result cdg_follow_middle(const cdg_run_player *player, const char *name, cdg_vec3 *out, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (size_t i = 0; i < reader->rod_count; i++)
        if (strcmp(reader->rods[i].name, name) == 0) {
            *out = mean_of(player->rods[i].positions, reader->rods[i].node_count);
            return CDG_OK;
        }
    for (size_t i = 0; i < reader->solid_count; i++)
        if (strcmp(reader->solids[i].name, name) == 0) {
            *out = mean_of(player->solids[i].positions, reader->solids[i].node_count);
            return CDG_OK;
        }
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++) {
        const char *known = cdg_run_rigid_get(reader, i).name;
        if (known == NULL || strcmp(known, name) != 0) continue;
        *out = player->rigids[i].position;
        return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--camera: follow=%s: the run has no rod, body, obstacle or solid of that name; 'cordage info %s' "
                    "lists them",
                    name, reader->directory);
}
