// Closest points of a segment and a triangle, and when moving ones first come within a distance of each other.
#ifndef CDG_CONTACT_SEGMENT_TRIANGLE_H
#define CDG_CONTACT_SEGMENT_TRIANGLE_H

#include "contact/segment_pair.h"

typedef struct cdg_triangle_closest {
    double s;          // parameter on the segment, [0, 1]
    double weights[3]; // of the triangle's corners at the nearest point there: not negative, their sum is 1
    cdg_vec3 between;  // from the point on the triangle to that on the segment; zero when they cross
    double distance2;  // |between|^2
} cdg_triangle_closest;

// Segments and triangles without length or area are fine. When they cross it is the crossing, to rounding.
cdg_triangle_closest cdg_segment_triangle_closest(cdg_vec3 a0, cdg_vec3 a1, const cdg_vec3 corners[3]);

typedef struct cdg_moving_triangle {
    cdg_vec3 from[3], to[3]; // corners at the start and at the end of the step
} cdg_moving_triangle;

// As cdg_segments_meet.
bool cdg_segment_triangle_meet(const cdg_moving_segment *a, const cdg_moving_triangle *b, double separation,
                               double slack, double *time);

#endif
