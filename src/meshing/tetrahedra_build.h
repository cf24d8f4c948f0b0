// A tetrahedral mesh that grows while a file is read, and the readers of the formats.
#ifndef CDG_MESHING_TETRAHEDRA_BUILD_H
#define CDG_MESHING_TETRAHEDRA_BUILD_H

#include "base/regular_file.h"

#include <cordage/mesh_files.h>

typedef struct cdg_tetrahedra_build {
    const char *path;
    double scale;
    cdg_mesh mesh;
    size_t point_capacity, tetrahedron_capacity;
    cdg_mesh_found found;
    cdg_error *error;
} cdg_tetrahedra_build;

// Room for `count` more. CDG_ERROR_FORMAT: more than can be numbered.
cdg_result cdg_build_reserve_points(cdg_tetrahedra_build *build, size_t count);
cdg_result cdg_build_reserve_tetrahedra(cdg_tetrahedra_build *build, size_t count);
// Into room that was reserved. False: not finite after scaling; a corner beyond the points.
bool cdg_build_add_point(cdg_tetrahedra_build *build, const double at[3]);
bool cdg_build_add_tetrahedron(cdg_tetrahedra_build *build, const uint64_t corners[4]);
void cdg_build_free(cdg_tetrahedra_build *build);

cdg_result cdg_medit_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes);
cdg_result cdg_gmsh_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes);
cdg_result cdg_vtu_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes);
// The path is that of either file; each may have `most` bytes.
cdg_result cdg_tetgen_read(cdg_tetrahedra_build *build, uint64_t most);

#endif
