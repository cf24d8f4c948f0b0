// Material frames along a polyline of nodes, by parallel transport.
#ifndef CDG_GEOMETRY_FRAMES_H
#define CDG_GEOMETRY_FRAMES_H

#include <cordage/base.h>

// Element frames (d3 along each edge) without twist: each is its predecessor turned by the smallest rotation that
// aligns the tangents. The first d1 points as near to `normal` as it can (NULL: some perpendicular direction). Signs
// are chosen so that neighbours have a non-negative dot product. For a closed curve the closure angle (holonomy) is
// spread evenly over the elements, in proportion to arc length, so that the frames close up. Then each frame is turned
// about its tangent by roll + twist * (arc length from the first element's start to its middle). A closed rod's
// `twist` comes on top. node_count = element_count + 1 (open) or element_count (closed). Fails for edges of zero
// length, naming the edge.
cdg_result cdg_frames_from_nodes(const cdg_vec3 *nodes, size_t element_count, bool is_closed, const cdg_vec3 *normal,
                                 double roll, double twist, cdg_quat *out, cdg_error *error);

#endif
