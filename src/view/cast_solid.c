// Surfaces of solids: points numbered anew, in the order in which triangles name them.
#define _POSIX_C_SOURCE 200809L
#include "view/cast_solid.h"

#include <stdlib.h>
#include <string.h>

bool cdg_cast_solid_make(cdg_cast_solid *out, const char *name, size_t node_count, const uint32_t (*surface)[3],
                         size_t surface_count) {
    *out = (cdg_cast_solid){.name = strdup(name != NULL ? name : ""),
                            .nodes = malloc((node_count + 1) * sizeof *out->nodes),
                            .triangles = malloc((surface_count + 1) * sizeof *out->triangles),
                            .triangle_count = surface_count};
    uint32_t *point_of = malloc((node_count + 1) * sizeof *point_of);
    bool is_good = out->name != NULL && out->nodes != NULL && out->triangles != NULL && point_of != NULL;
    for (size_t i = 0; is_good && i < node_count; i++) point_of[i] = UINT32_MAX;
    for (size_t i = 0; is_good && i < surface_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t node = surface[i][k];
            if (point_of[node] == UINT32_MAX) {
                point_of[node] = (uint32_t)out->point_count;
                out->nodes[out->point_count++] = node;
            }
            out->triangles[i][k] = point_of[node];
        }
    free(point_of);
    return is_good;
}

void cdg_cast_solid_free(cdg_cast_solid *solid) {
    free(solid->name);
    free(solid->nodes);
    free(solid->triangles);
    *solid = (cdg_cast_solid){0};
}
