// Triangles from files that assimp reads: STL, glTF.
#ifndef CDG_MESHING_ASSIMP_FILE_H
#define CDG_MESHING_ASSIMP_FILE_H

#include "base/regular_file.h"

#include <cordage/meshing.h>

// Polygons are cut into triangles, all parts of the file become one mesh. Lengths are multiplied by `scale`. Errors
// name the file, whose bytes are given. Files that it names in turn are opened only when they are regular files of at
// most `most` bytes.
cdg_result cdg_assimp_read(const char *path, const cdg_file_bytes *bytes, uint64_t most, double scale, cdg_mesh *out,
                           cdg_error *error);

#endif
