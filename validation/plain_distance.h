// Distances found by trying every case, for checks of contact that share no code with the search for contacts.
#ifndef VALIDATION_PLAIN_DISTANCE_H
#define VALIDATION_PLAIN_DISTANCE_H

#include <cordage/cordage.h>

typedef struct plain_nearest {
    double distance, s, t; // s, t: along the first and the second, 0 to 1
} plain_nearest;

plain_nearest plain_segments(const cdg_vec3 a[2], const cdg_vec3 b[2]);
double plain_point_triangle(cdg_vec3 point, const cdg_vec3 corners[3]);
// Whether the segment passes through the triangle; false when both lie in one plane.
bool plain_crosses(const cdg_vec3 segment[2], const cdg_vec3 corners[3]);

// From the surface of a shape, in its own axes; negative inside. Not of meshes: infinite.
double plain_shape_distance(const cdg_shape *shape, cdg_vec3 at);
// The least of that over a triangle: it is convex there.
double plain_shape_triangle(const cdg_shape *shape, const cdg_vec3 corners[3]);

#endif
