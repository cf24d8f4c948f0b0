// Distance of two segments as a small quadratic programme, and conservative advancement of moving ones.
#include "contact/segment_pair.h"

#include "contact/advance.h"

// Not-a-number (0/0 of a segment without length) counts as 0. In this form it is two instructions without a branch.
static inline double clamp01(double a) {
    double b = a > 0 ? a : 0;
    return b < 1 ? b : 1;
}

// |r + s da - t db|^2 is convex in (s, t), so on the unit square it is enough to take the stationary s, clamp it, take
// the best t for it, clamp that, and take the best s for that t. Nothing but the first s can be badly determined. There
// it is written with n = da x db, s = n . (db x r) / |n|^2, and not with scalar products: these lose the square of the
// angle between the segments to rounding, the vector products only the angle itself, and an error of rounding/angle in
// s moves the distance by no more than rounding.
cdg_closest cdg_segments_closest(cdg_vec3 a0, cdg_vec3 a1, cdg_vec3 b0, cdg_vec3 b1) {
    // Below this angle, squared, the vector products are all rounding.
    static const double parallel = 1e-30;
    cdg_vec3 da = vec3_sub(a1, a0), db = vec3_sub(b1, b0), r = vec3_sub(a0, b0);
    double aa = vec3_dot(da, da), bb = vec3_dot(db, db), ab = vec3_dot(da, db);
    double ar = vec3_dot(da, r), br = vec3_dot(db, r);
    cdg_vec3 n = vec3_cross(da, db);
    double nn = vec3_dot(n, n), inverse_aa = 1 / aa, inverse_bb = 1 / bb;
    // Parallel: the middle of what they have beside each other, so that rounding does not choose between its ends.
    double beside = 0.5 * (clamp01(-ar * inverse_aa) + clamp01((ab - ar) * inverse_aa));
    double crossing = clamp01(vec3_dot(n, vec3_cross(db, r)) / nn);
    double s = nn > parallel * aa * bb ? crossing : beside;
    double t = clamp01((ab * s + br) * inverse_bb);
    s = clamp01((ab * t - ar) * inverse_aa);
    cdg_vec3 between = vec3_sub(vec3_mad(r, s, da), vec3_scale(t, db));
    return (cdg_closest){s, t, between, vec3_dot(between, between)};
}

// ---- in motion ------------------------------------------------------------------------------------------------------

static cdg_corners corners_of(const cdg_moving_segment *segment, cdg_vec3 origin) {
    cdg_corners corners = {.count = 2};
    for (int k = 0; k < 2; k++) {
        corners.at[k] = vec3_sub(segment->from[k], origin);
        corners.move[k] = vec3_sub(segment->to[k], segment->from[k]);
    }
    return corners;
}

static cdg_closest closest_of(const cdg_corners *a, const cdg_corners *b) {
    return cdg_segments_closest(a->at[0], a->at[1], b->at[0], b->at[1]);
}

// From a time when they are farther apart than `separation` on.
static bool advance(const cdg_corners *a, const cdg_corners *b, double separation, double near_enough, double *time) {
    *time = 0;
    for (int count = 0; count < CDG_ADVANCES_MAX; count++) {
        cdg_corners now_a = corners_at(a, *time), now_b = corners_at(b, *time);
        cdg_closest now = closest_of(&now_a, &now_b);
        double distance = sqrt(now.distance2), gap = distance - separation;
        if (gap <= near_enough) return true;
        double target = separation + (1 - CDG_ADVANCE_SHARE) * gap;
        *time += corners_advance(&now_a, &now_b, vec3_scale(1 / distance, now.between), target);
        if (*time >= 1) return false;
    }
    return true;
}

bool cdg_segments_meet(const cdg_moving_segment *a, const cdg_moving_segment *b, double separation, double slack,
                       double *time) {
    cdg_corners start_a = corners_of(a, b->from[0]), start_b = corners_of(b, b->from[0]);
    corners_share_motion(&start_a, &start_b);
    double rounding = CDG_ADVANCE_ROUNDING * corners_scale(&start_a, &start_b);
    cdg_closest first = closest_of(&start_a, &start_b);
    double distance = sqrt(first.distance2), gap = distance - separation;
    if (gap > rounding) return advance(&start_a, &start_b, separation, fmax(slack * gap, rounding), time);

    // That near already. Moving apart where they are nearest is not enough, because they may come nearer elsewhere.
    *time = 0;
    cdg_vec3 move_a = vec3_lerp(start_a.move[0], start_a.move[1], first.s);
    cdg_vec3 move_b = vec3_lerp(start_b.move[0], start_b.move[1], first.t);
    if (!(vec3_dot(vec3_sub(move_a, move_b), first.between) > 0)) return true;
    double tighter = 0.9 * distance, tighter_time;
    if (!(distance - tighter > rounding)) return true;
    return advance(&start_a, &start_b, tighter, rounding, &tighter_time);
}
