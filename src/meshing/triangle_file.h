// Files of triangles and of tetrahedra: what they may hold at most, what their heads announce, and their readers.
#ifndef CDG_MESHING_TRIANGLE_FILE_H
#define CDG_MESHING_TRIANGLE_FILE_H

#include "base/regular_file.h"

#include <cordage/mesh_files.h>

#define CDG_MESH_FILE_BYTES_MAX ((uint64_t)4 << 30)

// Refuses files whose head announces more corners and faces than their bytes can hold: libraries reserve memory first
// and look later.
cdg_result cdg_triangle_file_check_head(const char *path, const cdg_file_bytes *bytes, cdg_error *error);

// As cdg_mesh_read, of one kind alone: a file of another kind is refused.
cdg_result cdg_triangles_read(const char *path, double scale, cdg_mesh *out, cdg_error *error);
cdg_result cdg_tetrahedra_read(const char *path, double scale, cdg_mesh *out, cdg_mesh_found *found, cdg_error *error);

#endif
