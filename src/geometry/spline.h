// A cubic spline with continuous curvature through points.
#ifndef CDG_GEOMETRY_SPLINE_H
#define CDG_GEOMETRY_SPLINE_H

#include "geometry/arc_length.h"

typedef struct cdg_spline {
    const cdg_vec3 *points; // the caller's
    size_t point_count, piece_count;
    double *span;        // m, piece_count: each piece's stretch of the parameter; cdg_spline_init takes the chords
    cdg_vec3 *curvature; // 1/m, point_count: second derivative at each point
} cdg_spline;

// Natural ends (no curvature), or periodic when closed (then at least three points and the last joins the first by
// itself). Neighbouring points must differ. Free with cdg_spline_free; `points` must stay alive as long.
cdg_result cdg_spline_init(const cdg_vec3 *points, size_t count, bool is_closed, cdg_spline *out, cdg_error *error);
void cdg_spline_free(cdg_spline *spline);

// What holds at the ends. NATURAL: no curvature. FREE: the first two pieces, and the last two, are one cubic ("not a
// knot"), which is as accurate at the ends as between. PERIODIC: the last point is followed by the first.
typedef enum cdg_spline_ends { CDG_SPLINE_NATURAL, CDG_SPLINE_FREE, CDG_SPLINE_PERIODIC } cdg_spline_ends;

// The work of init without its memory, for any spans: all members are the caller's, `curvature` is filled in. `scratch`
// holds 2 point_count numbers. Points may coincide.
void cdg_spline_solve(const cdg_spline *spline, cdg_spline_ends ends, double *scratch);

// Position and derivative with respect to u at u in [0, 1] of a piece.
void cdg_spline_evaluate(const cdg_spline *spline, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative);

cdg_curve cdg_spline_curve(const cdg_spline *spline);

#endif
