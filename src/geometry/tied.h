// Knots that are tied in ropes: splines through the points of a table, with straight tails.
#ifndef CDG_GEOMETRY_TIED_H
#define CDG_GEOMETRY_TIED_H

#include "geometry/spline.h"

#include <cordage/geometry.h>

typedef struct cdg_tied {
    cdg_vec3 *points; // in the world's axes, of the spline
    cdg_spline spline;
    double tail[2];      // m
    cdg_vec3 outward[2]; // unit directions of the tails, away from the knot
    double unit;         // m, 2 radius + clearance: what the table is measured in
} cdg_tied;

// How many strands a knot has: 1 or 2.
int cdg_tied_strand_count(cdg_tied_knot knot);
const char *cdg_tied_name(cdg_tied_knot knot);

// Checks the description and prepares the curve; free with cdg_tied_free.
cdg_result cdg_tied_init(const cdg_centerline *centerline, cdg_tied *out, cdg_error *error);
void cdg_tied_free(cdg_tied *tied);

// A view of the rope for arc length; valid while the knot is.
cdg_curve cdg_tied_curve(const cdg_tied *tied);

// As many elements as keep the strands of a polygon a unit apart, for a rope of this length.
size_t cdg_tied_least_elements(const cdg_tied *tied, double length);

#endif
