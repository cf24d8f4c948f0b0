// Distance of segment and triangle by comparing all candidates, and conservative advancement of moving ones.
//
// Either the segment crosses the triangle, or one of its ends is nearest to a point inside, or the nearest point is on
// one of the edges. Each candidate is a true pair of points, so a badly determined one (thin triangles, segments in the
// triangle's plane) can only be farther than the best, and then one on an edge is as near to rounding.
#include "contact/segment_triangle.h"

#include "contact/advance.h"

static double clamp01(double a) { return a > 0 ? (a < 1 ? a : 1) : 0; }

typedef struct situation {
    cdg_vec3 r, da; // the segment from the triangle's first corner on: r + s da
    cdg_vec3 edge[2];
    cdg_triangle_closest best;
} situation;

static void offer(situation *it, double s, double w1, double w2) {
    cdg_vec3 on_triangle = vec3_add(vec3_scale(w1, it->edge[0]), vec3_scale(w2, it->edge[1]));
    cdg_vec3 between = vec3_sub(vec3_mad(it->r, s, it->da), on_triangle);
    double distance2 = vec3_dot(between, between);
    if (!(distance2 < it->best.distance2)) return;
    it->best = (cdg_triangle_closest){s, {1 - w1 - w2, w1, w2}, between, distance2};
    if (it->best.weights[0] < 0) it->best.weights[0] = 0; // by rounding
}

// The foot of a point of the segment on the triangle's plane, when it is inside.
static void offer_foot(situation *it, double s, cdg_vec3 n, double nn) {
    cdg_vec3 p = vec3_mad(it->r, s, it->da);
    double w1 = vec3_dot(n, vec3_cross(p, it->edge[1])) / nn, w2 = vec3_dot(n, vec3_cross(it->edge[0], p)) / nn;
    if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1) offer(it, s, w1, w2);
}

cdg_triangle_closest cdg_segment_triangle_closest(cdg_vec3 a0, cdg_vec3 a1, const cdg_vec3 corners[3]) {
    situation it = {.r = vec3_sub(a0, corners[0]),
                    .da = vec3_sub(a1, a0),
                    .edge = {vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])},
                    .best = {.weights = {1, 0, 0}, .distance2 = HUGE_VAL}};
    const cdg_vec3 zero = {0, 0, 0}, end = vec3_add(it.r, it.da);
    cdg_closest first = cdg_segments_closest(it.r, end, zero, it.edge[0]);
    cdg_closest second = cdg_segments_closest(it.r, end, zero, it.edge[1]);
    cdg_closest third = cdg_segments_closest(it.r, end, it.edge[0], it.edge[1]);
    offer(&it, first.s, first.t, 0);
    offer(&it, second.s, 0, second.t);
    offer(&it, third.s, 1 - third.t, third.t);
    cdg_vec3 n = vec3_cross(it.edge[0], it.edge[1]);
    double nn = vec3_dot(n, n);
    if (!(nn > 0)) return it.best;
    offer_foot(&it, 0, n, nn);
    offer_foot(&it, 1, n, nn);
    double height[2] = {vec3_dot(n, it.r), vec3_dot(n, end)};
    if ((height[0] > 0) != (height[1] > 0)) offer_foot(&it, clamp01(height[0] / (height[0] - height[1])), n, nn);
    return it.best;
}

// ---- in motion ------------------------------------------------------------------------------------------------------

static cdg_triangle_closest closest_of(const cdg_corners *a, const cdg_corners *b) {
    return cdg_segment_triangle_closest(a->at[0], a->at[1], b->at);
}

// From a time when they are farther apart than `separation` on.
static bool advance(const cdg_corners *a, const cdg_corners *b, double separation, double near_enough, double *time) {
    *time = 0;
    for (int count = 0; count < CDG_ADVANCES_MAX; count++) {
        cdg_corners now_a = corners_at(a, *time), now_b = corners_at(b, *time);
        cdg_triangle_closest now = closest_of(&now_a, &now_b);
        double distance = sqrt(now.distance2), gap = distance - separation;
        if (gap <= near_enough) return true;
        double target = separation + (1 - CDG_ADVANCE_SHARE) * gap;
        *time += corners_advance(&now_a, &now_b, vec3_scale(1 / distance, now.between), target);
        if (*time >= 1) return false;
    }
    return true;
}

bool cdg_segment_triangle_meet(const cdg_moving_segment *a, const cdg_moving_triangle *b, double separation,
                               double slack, double *time) {
    cdg_corners start_a = {.count = 2}, start_b = {.count = 3};
    for (int k = 0; k < 2; k++) {
        start_a.at[k] = vec3_sub(a->from[k], b->from[0]);
        start_a.move[k] = vec3_sub(a->to[k], a->from[k]);
    }
    for (int k = 0; k < 3; k++) {
        start_b.at[k] = vec3_sub(b->from[k], b->from[0]);
        start_b.move[k] = vec3_sub(b->to[k], b->from[k]);
    }
    corners_share_motion(&start_a, &start_b);
    double rounding = CDG_ADVANCE_ROUNDING * corners_scale(&start_a, &start_b);
    cdg_triangle_closest first = closest_of(&start_a, &start_b);
    double distance = sqrt(first.distance2), gap = distance - separation;
    if (gap > rounding) return advance(&start_a, &start_b, separation, fmax(slack * gap, rounding), time);

    *time = 0;
    cdg_vec3 move = vec3_lerp(start_a.move[0], start_a.move[1], first.s);
    for (int k = 0; k < 3; k++) move = vec3_mad(move, -first.weights[k], start_b.move[k]);
    if (!(vec3_dot(move, first.between) > 0)) return true;
    double tighter = 0.9 * distance, tighter_time;
    if (!(distance - tighter > rounding)) return true;
    return advance(&start_a, &start_b, tighter, rounding, &tighter_time);
}
