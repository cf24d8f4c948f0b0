// A tetrahedral mesh that grows while a file is read.
#include "meshing/tetrahedra_build.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>

static cdg_result reserve(cdg_tetrahedra_build *build, void **array, size_t count, size_t more, size_t *capacity,
                          size_t size) {
    if (more > UINT32_MAX || count + more > UINT32_MAX)
        return cdg_fail(build->error, CDG_ERROR_FORMAT, "%s: it has more points or tetrahedra than can be numbered",
                        build->path);
    if (count + more <= *capacity) return CDG_OK;
    void *grown = realloc(*array, (count + more) * size);
    if (grown == NULL)
        return cdg_fail(build->error, CDG_ERROR_MEMORY, "%s: no memory for its %zu points or tetrahedra", build->path,
                        count + more);
    *array = grown;
    *capacity = count + more;
    return CDG_OK;
}

cdg_result cdg_build_reserve_points(cdg_tetrahedra_build *build, size_t count) {
    void *array = build->mesh.points;
    cdg_result result =
        reserve(build, &array, build->mesh.point_count, count, &build->point_capacity, sizeof(cdg_vec3));
    build->mesh.points = array;
    return result;
}

cdg_result cdg_build_reserve_tetrahedra(cdg_tetrahedra_build *build, size_t count) {
    void *array = build->mesh.tetrahedra;
    cdg_result result = reserve(build, &array, build->mesh.tetrahedron_count, count, &build->tetrahedron_capacity,
                                sizeof *build->mesh.tetrahedra);
    build->mesh.tetrahedra = array;
    return result;
}

bool cdg_build_add_point(cdg_tetrahedra_build *build, const double at[3]) {
    cdg_vec3 point = vec3(build->scale * at[0], build->scale * at[1], build->scale * at[2]);
    if (!vec3_is_finite(point)) return false;
    build->mesh.points[build->mesh.point_count++] = point;
    return true;
}

bool cdg_build_add_tetrahedron(cdg_tetrahedra_build *build, const uint64_t corners[4]) {
    uint32_t *out = build->mesh.tetrahedra[build->mesh.tetrahedron_count];
    for (int k = 0; k < 4; k++) {
        if (corners[k] >= build->mesh.point_count) return false;
        out[k] = (uint32_t)corners[k];
    }
    build->mesh.tetrahedron_count++;
    return true;
}

void cdg_build_free(cdg_tetrahedra_build *build) { cdg_mesh_free(&build->mesh); }
