// A triangle mesh that grows while a file is read.
#ifndef CDG_MESHING_TRIANGLE_BUILD_H
#define CDG_MESHING_TRIANGLE_BUILD_H

#include <cordage/meshing.h>

typedef struct cdg_triangle_build {
    double scale;
    cdg_mesh mesh;
    size_t point_capacity, triangle_capacity;
    // the largest corner that a triangle names, and the line it stood in, if any
    size_t largest, largest_line;
} cdg_triangle_build;

// Multiplied by the scale. False: out of memory.
bool cdg_triangle_build_point(cdg_triangle_build *build, cdg_vec3 at);
// The corners of a polygon one by one, `number` counted from 0: from the third on, each adds a triangle of a fan.
// `fan` is the caller's, for each polygon. Points may come later. False: out of memory.
bool cdg_triangle_build_corner(cdg_triangle_build *build, uint32_t fan[3], size_t number, uint32_t corner, size_t line);
// Whether every corner that was named is there.
bool cdg_triangle_build_is_whole(const cdg_triangle_build *build);

#endif
