// Torus knots, closed or opened with two straight tails.
#ifndef CDG_GEOMETRY_KNOT_H
#define CDG_GEOMETRY_KNOT_H

#include "geometry/arc_length.h"
#include <cordage/geometry.h>

typedef struct cdg_knot {
    int p, q;
    double radius, tube_radius; // m
    cdg_vec3 center;
    cdg_quat orientation; // turns the z axis into the torus' axis
    double tail;          // m; 0: closed
    // Opened knots only, in the torus' own axes: the knot keeps the parameters cut ... 2 pi - cut; `leave` are the
    // Bezier points from the knot's end to the beginning of the last tail, which goes on along `direction`.
    double cut;
    cdg_vec3 leave[4], direction;
} cdg_knot;

// Checks the description and prepares the curve. The result may be copied; it owns nothing.
cdg_result cdg_knot_init(const cdg_centerline *centerline, cdg_knot *out, cdg_error *error);

// A view of the knot for arc length; valid while the knot is.
cdg_curve cdg_knot_curve(const cdg_knot *knot);

#endif
