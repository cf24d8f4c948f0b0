// Distance of point and triangle, and conservative advancement of moving ones.
//
// Either the point's foot on the plane is inside, or the nearest point is on one of the edges. Each candidate is a true
// point, so a badly determined foot can only be farther than the best.
#include "contact/point_triangle.h"

#include "contact/advance.h"

static double clamp01(double a) { return a > 0 ? (a < 1 ? a : 1) : 0; }

typedef struct situation {
    cdg_vec3 p, edge[2]; // from the first corner
    cdg_point_closest best;
} situation;

static void offer(situation *it, double w1, double w2) {
    cdg_vec3 between = vec3_mad(vec3_mad(it->p, -w1, it->edge[0]), -w2, it->edge[1]);
    double distance2 = vec3_dot(between, between);
    if (!(distance2 < it->best.distance2)) return;
    double w0 = 1 - w1 - w2;
    it->best = (cdg_point_closest){{w0 > 0 ? w0 : 0, w1, w2}, between, distance2};
}

// The point on the edge from `from` along `edge` that is nearest, [0, 1].
static double along(cdg_vec3 p, cdg_vec3 from, cdg_vec3 edge) {
    double square = vec3_dot(edge, edge);
    return square > 0 ? clamp01(vec3_dot(vec3_sub(p, from), edge) / square) : 0;
}

cdg_point_closest cdg_point_triangle_closest(cdg_vec3 point, const cdg_vec3 corners[3]) {
    situation it = {.p = vec3_sub(point, corners[0]),
                    .edge = {vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])},
                    .best = {.weights = {1, 0, 0}, .distance2 = HUGE_VAL}};
    const cdg_vec3 zero = {0, 0, 0};
    cdg_vec3 n = vec3_cross(it.edge[0], it.edge[1]);
    double nn = vec3_dot(n, n);
    if (nn > 0) {
        double w1 = vec3_dot(n, vec3_cross(it.p, it.edge[1])) / nn, w2 = vec3_dot(n, vec3_cross(it.edge[0], it.p)) / nn;
        if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1) offer(&it, w1, w2);
    }
    double first = along(it.p, zero, it.edge[0]), second = along(it.p, zero, it.edge[1]);
    double third = along(it.p, it.edge[0], vec3_sub(it.edge[1], it.edge[0]));
    offer(&it, first, 0);
    offer(&it, 0, second);
    offer(&it, 1 - third, third);
    return it.best;
}

// ---- in motion ------------------------------------------------------------------------------------------------------

// From a time when they are farther apart than `separation` on.
static bool advance(const cdg_corners *a, const cdg_corners *b, double separation, double near_enough, double *time) {
    *time = 0;
    for (int count = 0; count < CDG_ADVANCES_MAX; count++) {
        cdg_corners now_a = corners_at(a, *time), now_b = corners_at(b, *time);
        cdg_point_closest now = cdg_point_triangle_closest(now_a.at[0], now_b.at);
        double distance = sqrt(now.distance2), gap = distance - separation;
        if (gap <= near_enough) return true;
        double target = separation + (1 - CDG_ADVANCE_SHARE) * gap;
        *time += corners_advance(&now_a, &now_b, vec3_scale(1 / distance, now.between), target);
        if (*time >= 1) return false;
    }
    return true;
}

bool cdg_point_triangle_meet(cdg_vec3 from, cdg_vec3 to, const cdg_moving_triangle *triangle, double separation,
                             double slack, double *time) {
    cdg_corners a = {.at = {vec3_sub(from, triangle->from[0])}, .move = {vec3_sub(to, from)}, .count = 1};
    cdg_corners b = {.count = 3};
    for (int k = 0; k < 3; k++) {
        b.at[k] = vec3_sub(triangle->from[k], triangle->from[0]);
        b.move[k] = vec3_sub(triangle->to[k], triangle->from[k]);
    }
    corners_share_motion(&a, &b);
    double rounding = CDG_ADVANCE_ROUNDING * corners_scale(&a, &b);
    cdg_point_closest first = cdg_point_triangle_closest(a.at[0], b.at);
    double distance = sqrt(first.distance2), gap = distance - separation;
    if (gap > rounding) return advance(&a, &b, separation, fmax(slack * gap, rounding), time);

    // That near already: as for segments.
    *time = 0;
    cdg_vec3 move = a.move[0];
    for (int k = 0; k < 3; k++) move = vec3_mad(move, -first.weights[k], b.move[k]);
    if (!(vec3_dot(move, first.between) > 0)) return true;
    double tighter = 0.9 * distance, tighter_time;
    if (!(distance - tighter > rounding)) return true;
    return advance(&a, &b, tighter, rounding, &tighter_time);
}
