// The nearest point of a triangle to a point, and when a moving point first comes within a distance of a moving
// triangle.
#ifndef CDG_CONTACT_POINT_TRIANGLE_H
#define CDG_CONTACT_POINT_TRIANGLE_H

#include "contact/segment_triangle.h"

typedef struct cdg_point_closest {
    double weights[3]; // of the triangle's corners: not negative, their sum is 1
    cdg_vec3 between;  // from the point on the triangle to the other
    double distance2;  // |between|^2
} cdg_point_closest;

// Triangles without area are fine.
cdg_point_closest cdg_point_triangle_closest(cdg_vec3 point, const cdg_vec3 corners[3]);

// As cdg_segments_meet; the point goes straight from `from` to `to`.
bool cdg_point_triangle_meet(cdg_vec3 from, cdg_vec3 to, const cdg_moving_triangle *triangle, double separation,
                             double slack, double *time);

#endif
