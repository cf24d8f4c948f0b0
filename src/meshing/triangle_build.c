// A triangle mesh that grows while a file is read; polygons are cut into fans.
#include "meshing/triangle_build.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// Room for one more in an array from malloc; false: there is none.
static bool grow(void **array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t larger = *capacity > 0 ? 2 * *capacity : 256;
    void *grown = realloc(*array, larger * size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = larger;
    return true;
}

bool cdg_triangle_build_point(cdg_triangle_build *build, cdg_vec3 at) {
    void *points = build->mesh.points;
    bool has_room = grow(&points, build->mesh.point_count, &build->point_capacity, sizeof(cdg_vec3));
    build->mesh.points = points;
    if (has_room) build->mesh.points[build->mesh.point_count++] = vec3_scale(build->scale, at);
    return has_room;
}

static bool add_triangle(cdg_triangle_build *build, const uint32_t corner[3]) {
    void *triangles = build->mesh.triangles;
    bool has_room =
        grow(&triangles, build->mesh.triangle_count, &build->triangle_capacity, sizeof *build->mesh.triangles);
    build->mesh.triangles = triangles;
    if (has_room) memcpy(build->mesh.triangles[build->mesh.triangle_count++], corner, 3 * sizeof *corner);
    return has_room;
}

bool cdg_triangle_build_corner(cdg_triangle_build *build, uint32_t fan[3], size_t number, uint32_t corner,
                               size_t line) {
    if (corner > build->largest) build->largest = corner, build->largest_line = line;
    fan[number < 2 ? number : 2] = corner;
    if (number < 2) return true;
    bool is_added = add_triangle(build, fan);
    fan[1] = corner;
    return is_added;
}

bool cdg_triangle_build_is_whole(const cdg_triangle_build *build) {
    return build->mesh.triangle_count == 0 || build->largest < build->mesh.point_count;
}
