// Triangle meshes from STL and OBJ files.
#ifndef CDG_MESHING_ASSIMP_FILE_H
#define CDG_MESHING_ASSIMP_FILE_H

#include <cordage/base.h>

typedef struct cdg_mesh_data { // both malloc'ed
    cdg_vec3 *vertices;
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
} cdg_mesh_data;

// Polygons are cut into triangles, all parts of the file become one mesh. Lengths are multiplied by `scale`. Errors
// name the file.
cdg_result cdg_mesh_file_read(const char *path, double scale, cdg_mesh_data *out, cdg_error *error);
void cdg_mesh_data_free(cdg_mesh_data *data);

#endif
