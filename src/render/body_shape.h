// The surface of a rigid body as triangles, in its own axes.
#ifndef CDG_RENDER_BODY_SHAPE_H
#define CDG_RENDER_BODY_SHAPE_H

#include <cordage/body.h>

typedef struct cdg_body_shape {   // vertices with different normals at one point are several
    cdg_vec3 *vertices, *normals; // m, unit
    size_t vertex_count;
    uint32_t (*triangles)[3]; // counter-clockwise seen from outside
    size_t triangle_count;
} cdg_body_shape;

cdg_result cdg_body_shape_make(const cdg_body_info *info, cdg_body_shape *out, cdg_error *error);
void cdg_body_shape_free(cdg_body_shape *shape);

// Corners of a box that holds the body, own axes.
void cdg_body_shape_corners(const cdg_body_info *info, cdg_vec3 out[8]);

#endif
