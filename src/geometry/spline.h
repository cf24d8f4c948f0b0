// A cubic spline with continuous curvature through points.
#ifndef CDG_GEOMETRY_SPLINE_H
#define CDG_GEOMETRY_SPLINE_H

#include "geometry/arc_length.h"

typedef struct cdg_spline {
    const cdg_vec3 *points; // the caller's
    size_t point_count, piece_count;
    double *span;        // m, piece_count: chord of each piece, its stretch of the parameter
    cdg_vec3 *curvature; // 1/m, point_count: second derivative at each point
} cdg_spline;

// Natural ends (no curvature), or periodic when closed (then at least three points and the last joins the first by
// itself). Neighbouring points must differ. Free with cdg_spline_free; `points` must stay alive as long.
cdg_result cdg_spline_init(const cdg_vec3 *points, size_t count, bool is_closed, cdg_spline *out, cdg_error *error);
void cdg_spline_free(cdg_spline *spline);

cdg_curve cdg_spline_curve(const cdg_spline *spline);

#endif
