// Distances of segments, triangles and shapes by trying every case (plain_distance.h).
#include "validation/plain_distance.h"

#include "math/vec3.h"

#include <math.h>

static void try_places(const cdg_vec3 a[2], const cdg_vec3 b[2], double s, double t, plain_nearest *best) {
    double distance = vec3_distance(vec3_lerp(a[0], a[1], s), vec3_lerp(b[0], b[1], t));
    if (distance < best->distance) *best = (plain_nearest){distance, s, t};
}

static double foot(cdg_vec3 point, const cdg_vec3 line[2]) {
    cdg_vec3 edge = vec3_sub(line[1], line[0]);
    double along = vec3_dot(vec3_sub(point, line[0]), edge) / vec3_dot(edge, edge);
    return along > 0 ? fmin(along, 1) : 0;
}

// Either within both, where the connection is perpendicular to both, or at one of four ends.
plain_nearest plain_segments(const cdg_vec3 a[2], const cdg_vec3 b[2]) {
    plain_nearest best = {.distance = HUGE_VAL};
    for (int k = 0; k < 2; k++) {
        try_places(a, b, k, foot(a[k], b), &best);
        try_places(a, b, foot(b[k], a), k, &best);
    }
    cdg_vec3 u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), w = vec3_sub(b[0], a[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), determinant = uu * vv - uv * uv;
    double s = (vec3_dot(w, u) * vv - vec3_dot(w, v) * uv) / determinant;
    double t = (vec3_dot(w, u) * uv - vec3_dot(w, v) * uu) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) try_places(a, b, s, t, &best);
    return best;
}

static cdg_vec3 normal_of(const cdg_vec3 corners[3]) {
    return vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
}

// Whether a point of the triangle's plane is in it.
static bool is_over(cdg_vec3 point, const cdg_vec3 corners[3], cdg_vec3 normal) {
    for (int k = 0; k < 3; k++) {
        cdg_vec3 edge = vec3_sub(corners[(k + 1) % 3], corners[k]);
        if (!(vec3_dot(vec3_cross(edge, vec3_sub(point, corners[k])), normal) >= 0)) return false;
    }
    return true;
}

double plain_point_triangle(cdg_vec3 point, const cdg_vec3 corners[3]) {
    cdg_vec3 normal = vec3_normalize(normal_of(corners));
    double height = vec3_dot(normal, vec3_sub(point, corners[0])), best = HUGE_VAL;
    if (vec3_norm(normal) > 0 && is_over(vec3_mad(point, -height, normal), corners, normal)) return fabs(height);
    for (int k = 0; k < 3; k++) {
        const cdg_vec3 edge[2] = {corners[k], corners[(k + 1) % 3]};
        best = fmin(best, vec3_distance(point, vec3_lerp(edge[0], edge[1], foot(point, edge))));
    }
    return best;
}

bool plain_crosses(const cdg_vec3 segment[2], const cdg_vec3 corners[3]) {
    cdg_vec3 normal = normal_of(corners);
    double from = vec3_dot(normal, vec3_sub(segment[0], corners[0]));
    double to = vec3_dot(normal, vec3_sub(segment[1], corners[0]));
    if (!(from * to <= 0) || from == to) return false;
    return is_over(vec3_lerp(segment[0], segment[1], from / (from - to)), corners, normal);
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// Outside of a rectangle or box by these parts, or inside of it by the least of them.
static double beyond(const double *part, int count) {
    double outside = 0, most = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        outside += part[k] > 0 ? part[k] * part[k] : 0;
        most = fmax(most, part[k]);
    }
    return most > 0 ? sqrt(outside) : most;
}

double plain_shape_distance(const cdg_shape *shape, cdg_vec3 p) {
    double across = hypot(p.x, p.y);
    switch (shape->kind) {
    case CDG_SHAPE_PLANE: return vec3_dot(shape->normal, p) - shape->offset;
    case CDG_SHAPE_SPHERE: return vec3_norm(p) - shape->radius;
    case CDG_SHAPE_CAPSULE: return hypot(across, fmax(0, fabs(p.z) - 0.5 * shape->length)) - shape->radius;
    case CDG_SHAPE_BOX: {
        double part[3] = {fabs(p.x) - 0.5 * shape->size.x, fabs(p.y) - 0.5 * shape->size.y,
                          fabs(p.z) - 0.5 * shape->size.z};
        return beyond(part, 3);
    }
    case CDG_SHAPE_CYLINDER: {
        double part[2] = {across - shape->radius, fabs(p.z) - 0.5 * shape->length};
        return beyond(part, 2);
    }
    case CDG_SHAPE_MESH:
    default: break;
    }
    return HUGE_VAL;
}

// Along a line, by thirds.
static double least_on_line(const cdg_shape *shape, cdg_vec3 from, cdg_vec3 to) {
    enum { THIRDS = 45 };
    double low = 0, high = 1, best = fmin(plain_shape_distance(shape, from), plain_shape_distance(shape, to));
    for (int i = 0; i < THIRDS; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        double at_a = plain_shape_distance(shape, vec3_lerp(from, to, a));
        double at_b = plain_shape_distance(shape, vec3_lerp(from, to, b));
        *(at_a < at_b ? &high : &low) = at_a < at_b ? b : a;
        best = fmin(best, fmin(at_a, at_b));
    }
    return best;
}

double plain_shape_triangle(const cdg_shape *shape, const cdg_vec3 corners[3]) {
    enum { THIRDS = 45 };
    double best = HUGE_VAL;
    for (int k = 0; k < 3; k++) best = fmin(best, plain_shape_distance(shape, corners[k]));
    if (shape->kind == CDG_SHAPE_PLANE) return best;
    if (shape->kind == CDG_SHAPE_SPHERE) return plain_point_triangle(vec3(0, 0, 0), corners) - shape->radius;
    double low = 0, high = 1;
    for (int i = 0; i < THIRDS; i++) { // lines from the first corner's two edges, parallel to the opposite one
        double at[2] = {low + (high - low) / 3, high - (high - low) / 3}, least[2];
        for (int k = 0; k < 2; k++)
            least[k] = least_on_line(shape, vec3_lerp(corners[0], corners[1], at[k]),
                                     vec3_lerp(corners[0], corners[2], at[k]));
        *(least[0] < least[1] ? &high : &low) = least[0] < least[1] ? at[1] : at[0];
        best = fmin(best, fmin(least[0], least[1]));
    }
    return best;
}
