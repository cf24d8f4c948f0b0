// Triangles from the bytes of OBJ, PLY and OFF files. Lengths are multiplied by `scale`; polygons are cut into fans.
// Errors name the file and, where it has lines, the line. The bytes may be changed.
#ifndef CDG_MESHING_POLYGON_FILES_H
#define CDG_MESHING_POLYGON_FILES_H

#include "base/regular_file.h"

#include <cordage/meshing.h>

// v and f records; all else is passed over.
cdg_result cdg_obj_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error);
// Text or binary of either byte order; elements and properties beyond corners and faces are passed over.
cdg_result cdg_ply_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error);
// Text, with or without colours, normals and textures.
cdg_result cdg_off_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error);

#endif
