// The surface of an obstacle or a rigid body as triangles, in its own axes.
#ifndef CDG_GEOMETRY_SHAPE_SURFACE_H
#define CDG_GEOMETRY_SHAPE_SURFACE_H

#include <cordage/shape.h>

typedef struct cdg_shape_surface { // vertices with different normals at one point are several
    cdg_vec3 *vertices, *normals;  // m, unit
    size_t vertex_count;
    uint32_t (*triangles)[3]; // counter-clockwise seen from outside
    size_t triangle_count;
} cdg_shape_surface;

// The part of a plane that is shown: a square about the point that is nearest to `middle`, 2 `reach` wide. Own axes, m.
typedef struct cdg_plane_part {
    cdg_vec3 middle;
    double reach;
} cdg_plane_part;

// `part` is only read of planes.
cdg_result cdg_shape_surface_make(const cdg_shape *shape, const cdg_plane_part *part, cdg_shape_surface *out,
                                  cdg_error *error);
void cdg_shape_surface_free(cdg_shape_surface *shape);

// Corners of a box that holds the shape, own axes. Planes have none: all are at the origin.
void cdg_shape_surface_corners(const cdg_shape *shape, cdg_vec3 out[8]);

#endif
