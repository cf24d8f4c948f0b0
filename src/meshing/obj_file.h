// Triangles from an OBJ file: surfaces that strands grow on.
#ifndef CDG_MESHING_OBJ_FILE_H
#define CDG_MESHING_OBJ_FILE_H

#include <cordage/base.h>

typedef struct cdg_triangles { // both malloc'ed
    cdg_vec3 *vertices;
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
} cdg_triangles;

// v and f records; polygons are cut into fans, all else is passed over. Lengths are multiplied by `scale`. Errors name
// file and line.
cdg_result cdg_triangles_read(const char *path, double scale, cdg_triangles *out, cdg_error *error);
void cdg_triangles_free(cdg_triangles *triangles);

#endif
