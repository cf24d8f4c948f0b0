// Which points are inside of a shape.
#ifndef CDG_GEOMETRY_SHAPE_INSIDE_H
#define CDG_GEOMETRY_SHAPE_INSIDE_H

#include <cordage/shape.h>

// Whether a point is in a shape or on its surface, but for rounding: what lies outside by a 1e12th of the shape's size
// and distance from the origin counts as on it. Of a mesh, whether its triangles wind around the point; nothing is
// within a surface.
bool cdg_shape_contains(const cdg_shape *shape, cdg_vec3 point);

#endif
