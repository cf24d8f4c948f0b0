// Signed distances of obstacles and the points where a segment touches them.
//
// All shapes but meshes are convex, and the signed distance of a convex shape is a convex function, inside too. Along a
// segment it therefore has one lowest stretch, which golden section and bisection find whatever the shape.
#include "contact/obstacle.h"

#include "base/error.h"
#include "contact/point_triangle.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

cdg_obstacle_def cdg_obstacle_def_default(void) {
    cdg_obstacle_def def = {.shape = cdg_shape_default(), .friction = -1};
    def.shape.kind = CDG_SHAPE_PLANE;
    def.shape.radius = 0.1;
    return def;
}

// ---- building -------------------------------------------------------------------------------------------------------

static bool is_size(double a) { return a > 0 && isfinite(a); }

static cdg_result check_shape(const cdg_obstacle_def *def, cdg_error *error) {
    switch (def->shape.kind) {
    case CDG_SHAPE_PLANE:
        if (!(is_size(vec3_norm(def->shape.normal)) && isfinite(def->shape.offset)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "a plane needs a finite normal of some length and an offset");
        return CDG_OK;
    case CDG_SHAPE_BOX:
        if (!(is_size(def->shape.size.x) && is_size(def->shape.size.y) && is_size(def->shape.size.z)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "a box has sides of %g, %g and %g m; they must be positive",
                            def->shape.size.x, def->shape.size.y, def->shape.size.z);
        return CDG_OK;
    case CDG_SHAPE_CAPSULE:
    case CDG_SHAPE_CYLINDER:
        if (!(def->shape.kind == CDG_SHAPE_CAPSULE ? def->shape.length >= 0 && isfinite(def->shape.length)
                                                   : is_size(def->shape.length)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "an obstacle's length is %g m; it must be positive",
                            def->shape.length);
        break;
    case CDG_SHAPE_SPHERE: break;
    case CDG_SHAPE_MESH: return CDG_OK;
    default: break;
    }
    if (!is_size(def->shape.radius))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "an obstacle's radius is %g m; it must be positive",
                        def->shape.radius);
    return CDG_OK;
}

static void find_ball(cdg_obstacle *o) {
    const cdg_obstacle_def *def = &o->def;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE: o->reach = def->shape.radius; return;
    case CDG_SHAPE_BOX: o->reach = 0.5 * vec3_norm(def->shape.size); return;
    case CDG_SHAPE_CAPSULE: o->reach = 0.5 * def->shape.length + def->shape.radius; return;
    case CDG_SHAPE_CYLINDER: o->reach = hypot(0.5 * def->shape.length, def->shape.radius); return;
    case CDG_SHAPE_MESH: {
        const cdg_box *box = &o->mesh.nodes[0].box;
        o->middle = vec3(0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                         0.5 * (box->low[2] + box->high[2]));
        for (size_t i = 0; i < o->mesh.vertex_count; i++)
            o->reach = fmax(o->reach, vec3_distance(o->mesh.vertices[i], o->middle));
        return;
    }
    case CDG_SHAPE_PLANE:
    default: o->reach = HUGE_VAL; return;
    }
}

cdg_result cdg_obstacle_build(const cdg_obstacle_def *def, const char *name, cdg_obstacle *out, cdg_error *error) {
    *out = (cdg_obstacle){0};
    if ((unsigned)def->shape.kind > CDG_SHAPE_MESH)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no obstacle kind number %d", (int)def->shape.kind);
    double norm2 = quat_dot(def->shape.orientation, def->shape.orientation);
    if (!vec3_is_finite(def->shape.position) || !(norm2 > 0 && isfinite(norm2)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "obstacle '%s': position and orientation must be finite", name);
    if (isnan(def->friction) || def->friction > 1e6)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "obstacle '%s': the friction coefficient is %g", name,
                        def->friction);
    cdg_result result = cdg_motion_check(def->motions, def->motion_count, error);
    if (result == CDG_OK) result = check_shape(def, error);
    if (result != CDG_OK) return result;
    cdg_obstacle o = {.def = *def};
    if (def->shape.kind == CDG_SHAPE_MESH) {
        result = cdg_contact_mesh_build(def->shape.mesh.points, def->shape.mesh.point_count,
                                        (const uint32_t(*)[3])def->shape.mesh.triangles, def->shape.mesh.triangle_count,
                                        def->shape.is_surface, &o.mesh, error);
        if (result != CDG_OK) return result;
    }
    size_t length = strlen(name) + 1;
    o.name = malloc(length);
    cdg_motion *motions = def->motion_count > 0 ? malloc(def->motion_count * sizeof *motions) : NULL;
    if (o.name == NULL || (motions == NULL && def->motion_count > 0)) {
        free(motions);
        o.def.motions = NULL;
        cdg_obstacle_free(&o);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for obstacle '%s'", name);
    }
    memcpy(o.name, name, length);
    if (motions != NULL) memcpy(motions, def->motions, def->motion_count * sizeof *motions);
    o.def.motions = motions;
    o.def.name = o.name;
    o.def.shape.orientation = quat_normalize(def->shape.orientation);
    o.def.shape.normal = vec3_normalize(def->shape.normal);
    o.def.shape.mesh = (cdg_mesh){0};
    find_ball(&o);
    *out = o;
    return CDG_OK;
}

void cdg_obstacle_free(cdg_obstacle *obstacle) {
    free(obstacle->name);
    free((void *)(uintptr_t)obstacle->def.motions);
    cdg_contact_mesh_free(&obstacle->mesh);
    *obstacle = (cdg_obstacle){0};
}

cdg_pose cdg_obstacle_pose(const cdg_obstacle *o, double time) {
    return cdg_motion_pose(o->def.motions, o->def.motion_count,
                           (cdg_pose){o->def.shape.position, o->def.shape.orientation}, time);
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static cdg_box box_about(cdg_vec3 middle, cdg_vec3 half) {
    return (cdg_box){{middle.x - half.x, middle.y - half.y, middle.z - half.z},
                     {middle.x + half.x, middle.y + half.y, middle.z + half.z}};
}

// Half widths of a turned box of given half sides.
static cdg_vec3 turned_half(cdg_quat q, cdg_vec3 half) {
    cdg_vec3 x = quat_d1(q), y = quat_d2(q), z = quat_d3(q);
    return vec3(fabs(x.x) * half.x + fabs(y.x) * half.y + fabs(z.x) * half.z,
                fabs(x.y) * half.x + fabs(y.y) * half.y + fabs(z.y) * half.z,
                fabs(x.z) * half.x + fabs(y.z) * half.y + fabs(z.z) * half.z);
}

cdg_box cdg_obstacle_box(const cdg_obstacle *o, const cdg_pose *pose) {
    const cdg_obstacle_def *def = &o->def;
    cdg_vec3 axis = quat_d3(pose->orientation), half = {0, 0, 0};
    double r = def->shape.radius, l = 0.5 * def->shape.length;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE: half = vec3(r, r, r); break;
    case CDG_SHAPE_CAPSULE: half = vec3(r + l * fabs(axis.x), r + l * fabs(axis.y), r + l * fabs(axis.z)); break;
    case CDG_SHAPE_CYLINDER: // a disk reaches r sin(angle to the axis)
        half = vec3(l * fabs(axis.x) + r * sqrt(fmax(0, 1 - axis.x * axis.x)),
                    l * fabs(axis.y) + r * sqrt(fmax(0, 1 - axis.y * axis.y)),
                    l * fabs(axis.z) + r * sqrt(fmax(0, 1 - axis.z * axis.z)));
        break;
    case CDG_SHAPE_BOX: half = turned_half(pose->orientation, vec3_scale(0.5, def->shape.size)); break;
    case CDG_SHAPE_MESH: {
        const cdg_box *box = &o->mesh.nodes[0].box;
        cdg_vec3 own = vec3(0.5 * (box->high[0] - box->low[0]), 0.5 * (box->high[1] - box->low[1]),
                            0.5 * (box->high[2] - box->low[2]));
        cdg_vec3 middle = vec3_add(pose->position, quat_rotate(pose->orientation, o->middle));
        return box_about(middle, turned_half(pose->orientation, own));
    }
    case CDG_SHAPE_PLANE:
    default: half = vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL); break;
    }
    return box_about(pose->position, half);
}

cdg_box cdg_obstacle_swept_box(const cdg_obstacle *o, const cdg_pose *from, const cdg_pose *to) {
    cdg_box start = cdg_obstacle_box(o, from), end = cdg_obstacle_box(o, to);
    // A point at distance d from the centre of a turn leaves its chord by at most d (1 - cos(angle/2)).
    double angle = vec3_norm(quat_log(quat_relative(from->orientation, to->orientation)));
    double most = vec3_norm(o->middle) + o->reach, bulge = most < HUGE_VAL ? most * (1 - cos(0.5 * angle)) : 0;
    for (int k = 0; k < 3; k++) {
        start.low[k] = fmin(start.low[k], end.low[k]) - bulge;
        start.high[k] = fmax(start.high[k], end.high[k]) + bulge;
    }
    return start;
}

// ---- distance -------------------------------------------------------------------------------------------------------

// Along `between` when that has a direction, else `otherwise`.
static cdg_distance distance_along(cdg_vec3 between, double less, cdg_vec3 otherwise) {
    double norm = vec3_norm(between);
    return (cdg_distance){norm - less, norm > 0 ? vec3_scale(1 / norm, between) : otherwise};
}

static double clamp(double a, double most) { return a > most ? most : a < -most ? -most : a; }

static cdg_distance box_distance(cdg_vec3 half, cdg_vec3 p) {
    cdg_vec3 outside = vec3(p.x - clamp(p.x, half.x), p.y - clamp(p.y, half.y), p.z - clamp(p.z, half.z));
    double to[3] = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    int side = to[0] >= to[1] && to[0] >= to[2] ? 0 : to[1] >= to[2] ? 1 : 2;
    cdg_vec3 face = side == 0   ? vec3(p.x < 0 ? -1 : 1, 0, 0)
                    : side == 1 ? vec3(0, p.y < 0 ? -1 : 1, 0)
                                : vec3(0, 0, p.z < 0 ? -1 : 1);
    if (to[side] > 0) return distance_along(outside, 0, face);
    return (cdg_distance){to[side], face};
}

static cdg_distance cylinder_distance(double radius, double half, cdg_vec3 p) {
    double rho = hypot(p.x, p.y), around = rho - radius, above = fabs(p.z) - half;
    cdg_vec3 radial = rho > 0 ? vec3(p.x / rho, p.y / rho, 0) : vec3(1, 0, 0), up = vec3(0, 0, p.z < 0 ? -1 : 1);
    if (around <= 0 && above <= 0) return around > above ? (cdg_distance){around, radial} : (cdg_distance){above, up};
    cdg_vec3 outside = vec3_add(vec3_scale(fmax(around, 0), radial), vec3_scale(fmax(above, 0), up));
    return distance_along(outside, 0, around > above ? radial : up);
}

// In the obstacle's own axes. Meshes: no farther than `most`.
static cdg_distance own_distance(const cdg_obstacle *o, cdg_vec3 p, double most) {
    const cdg_obstacle_def *def = &o->def;
    switch (def->shape.kind) {
    case CDG_SHAPE_PLANE: return (cdg_distance){vec3_dot(def->shape.normal, p) - def->shape.offset, def->shape.normal};
    case CDG_SHAPE_SPHERE: return distance_along(p, def->shape.radius, vec3(0, 0, 1));
    case CDG_SHAPE_CAPSULE:
        return distance_along(vec3(p.x, p.y, p.z - clamp(p.z, 0.5 * def->shape.length)), def->shape.radius,
                              vec3(1, 0, 0));
    case CDG_SHAPE_BOX: return box_distance(vec3_scale(0.5, def->shape.size), p);
    case CDG_SHAPE_CYLINDER: return cylinder_distance(def->shape.radius, 0.5 * def->shape.length, p);
    case CDG_SHAPE_MESH: {
        cdg_contact_mesh_near near = cdg_contact_mesh_point(&o->mesh, p, most);
        return (cdg_distance){near.distance, near.normal};
    }
    default: break;
    }
    return (cdg_distance){HUGE_VAL, vec3(0, 0, 1)};
}

static cdg_vec3 to_own(const cdg_pose *pose, cdg_vec3 p) {
    return quat_rotate_inverse(pose->orientation, vec3_sub(p, pose->position));
}

cdg_distance cdg_obstacle_distance(const cdg_obstacle *o, const cdg_pose *pose, cdg_vec3 point) {
    cdg_distance own = own_distance(o, to_own(pose, point), HUGE_VAL);
    return (cdg_distance){own.value, quat_rotate(pose->orientation, own.normal)};
}

// ---- contacts -------------------------------------------------------------------------------------------------------

typedef struct piece {
    const cdg_obstacle *obstacle;
    cdg_vec3 a0, a1; // in the obstacle's own axes
} piece;

static double value_at(const piece *it, double s) {
    return own_distance(it->obstacle, vec3_lerp(it->a0, it->a1, s), HUGE_VAL).value;
}

// Lowest point between two others, of a function that is convex between them.
static double lowest_between(const piece *it, double low, double high) {
    const double share = 0.3819660112501051;
    double left = low + share * (high - low), right = high - share * (high - low);
    double left_value = value_at(it, left), right_value = value_at(it, right);
    for (int i = 0; i < 36; i++) { // to 3e-8: a distance is then right to 1e-15 of the length where it is round
        if (left_value <= right_value) {
            high = right, right = left, right_value = left_value;
            left = low + share * (high - low);
            left_value = value_at(it, left);
        } else {
            low = left, left = right, left_value = right_value;
            right = high - share * (high - low);
            right_value = value_at(it, right);
        }
    }
    return 0.5 * (low + high);
}

// Lowest point of the whole segment.
static double lowest_of(const piece *it) {
    const cdg_vec3 edge = vec3_sub(it->a1, it->a0);
    double square = vec3_dot(edge, edge);
    if (it->obstacle->def.shape.kind == CDG_SHAPE_SPHERE)
        return square > 0 ? fmin(1, fmax(0, -vec3_dot(edge, it->a0) / square)) : 0;
    return lowest_between(it, 0, 1);
}

// Where, going from a point below `level` towards one above, the level is reached.
static double reach_level(const piece *it, double below, double above, double level) {
    if (value_at(it, above) <= level) return above;
    for (int i = 0; i < 30; i++) {
        double middle = 0.5 * (below + above);
        if (value_at(it, middle) <= level)
            below = middle;
        else
            above = middle;
    }
    return below;
}

// A mesh is not convex: the deepest of some points, then as if it were convex between that one's neighbours. The point
// nearest to the surface is one of them, so that what is outside is right whatever the shape.
static double mesh_lowest(const piece *it, double nearest) {
    enum { SAMPLES = 8 };
    double best = nearest, value = value_at(it, nearest);
    for (int i = 0; i <= SAMPLES; i++) {
        double s = (double)i / SAMPLES, here = value_at(it, s);
        if (here < value) best = s, value = here;
    }
    if (!(value < 0)) return best;
    double refined = lowest_between(it, fmax(0, best - 1.0 / SAMPLES), fmin(1, best + 1.0 / SAMPLES));
    return value_at(it, refined) < value ? refined : best;
}

// How far, from the lowest point towards an end, the segment lies along the surface: to the end itself when that is
// near and over the same face, else while it is as deep as at the lowest point. On a round surface that is nowhere.
static double end_of_rest(const piece *it, double lowest, double end, double within, double radius) {
    cdg_distance here = own_distance(it->obstacle, vec3_lerp(it->a0, it->a1, lowest), HUGE_VAL);
    cdg_distance there = own_distance(it->obstacle, vec3_lerp(it->a0, it->a1, end), HUGE_VAL);
    if (there.value < within && vec3_dot(here.normal, there.normal) > 1 - 1e-9) return end;
    return reach_level(it, lowest, end, here.value + 1e-5 * radius);
}

// The deepest point, and how far from the surface it is; false: nothing is nearer than `within`.
static bool find_lowest(const piece *it, double length, double within, double *lowest, double *value) {
    const cdg_obstacle *o = it->obstacle;
    if (o->def.shape.kind == CDG_SHAPE_MESH) {
        cdg_triangle_closest nearest;
        uint32_t triangle;
        if (!cdg_contact_mesh_segment(&o->mesh, it->a0, it->a1, within, &nearest, &triangle) &&
            !(value_at(it, 0.5) < 0)) // deep inside nothing is near either
            return false;
        double start =
            cdg_contact_mesh_segment(&o->mesh, it->a0, it->a1, HUGE_VAL, &nearest, &triangle) ? nearest.s : 0.5;
        *lowest = mesh_lowest(it, start);
        *value = value_at(it, *lowest);
    } else {
        if (value_at(it, 0.5) - 0.5 * length >= within) return false; // too far, whatever the direction
        double end_value[2] = {value_at(it, 0), value_at(it, 1)};
        *lowest = o->def.shape.kind == CDG_SHAPE_PLANE ? (end_value[0] <= end_value[1] ? 0 : 1) : lowest_of(it);
        *value = value_at(it, *lowest);
        for (int k = 0; k < 2; k++)
            if (end_value[k] <= *value) *lowest = k, *value = end_value[k];
    }
    return *value < within;
}

bool cdg_obstacle_gap(const cdg_obstacle *o, const cdg_pose *pose, cdg_vec3 a0, cdg_vec3 a1, double radius,
                      double margin, double *gap) {
    piece it = {o, to_own(pose, a0), to_own(pose, a1)};
    double lowest, value;
    cdg_triangle_closest nearest;
    uint32_t triangle;
    if (o->def.shape.kind == CDG_SHAPE_MESH &&
        cdg_contact_mesh_segment(&o->mesh, it.a0, it.a1, radius + margin, &nearest, &triangle)) {
        // What lies outside where the surface is nearest, and not in it, lies outside all along.
        *gap = value_at(&it, nearest.s) - radius;
        if (*gap > -(1 - 1e-6) * radius) return *gap < margin;
    }
    if (!find_lowest(&it, vec3_distance(a0, a1), radius + margin, &lowest, &value)) return false;
    *gap = value - radius;
    return true;
}

// ---- lowest points of points, segments and triangles ----------------------------------------------------------------

typedef struct face {
    const cdg_obstacle *obstacle;
    cdg_vec3 corner[3]; // own axes
    int count;
} face;

static cdg_vec3 face_at(const face *it, const double w[3]) {
    cdg_vec3 sum = vec3_scale(w[0], it->corner[0]);
    for (int k = 1; k < it->count; k++) sum = vec3_mad(sum, w[k], it->corner[k]);
    return sum;
}

// A convex function is nowhere below any of its tangents. Whether these say that a corner is lowest, or that all is
// farther than `within`; the lowest corner is taken.
static bool is_told_by_corners(const face *it, double within, double w[3], bool *is_near) {
    double least = HUGE_VAL, bound;
    int lowest = 0;
    for (int k = 0; k < it->count; k++) {
        double value = own_distance(it->obstacle, it->corner[k], HUGE_VAL).value;
        if (value < least) least = value, lowest = k;
    }
    for (int k = 0; k < 3; k++) w[k] = k == lowest;
    *is_near = least < within;
    if (it->count == 1) return true;
    double share[3] = {1.0 / it->count, 1.0 / it->count, 1.0 / it->count};
    cdg_vec3 middle = face_at(it, share);
    cdg_distance there = own_distance(it->obstacle, middle, HUGE_VAL);
    bound = HUGE_VAL;
    for (int k = 0; k < it->count; k++)
        bound = fmin(bound, there.value + vec3_dot(there.normal, vec3_sub(it->corner[k], middle)));
    if (bound >= within) {
        *is_near = false;
        return true;
    }
    return bound >= least - 1e-12 * (fabs(least) + vec3_distance(it->corner[0], it->corner[1]));
}

// The lowest point on the line across a triangle, beside the edge from its first to its third corner, at the share t of
// the way to the second. It is a convex function of t.
static double lowest_across(const face *it, double t, double *s) {
    piece line = {it->obstacle, vec3_lerp(it->corner[0], it->corner[1], t), vec3_lerp(it->corner[2], it->corner[1], t)};
    *s = lowest_between(&line, 0, 1);
    double value = value_at(&line, *s);
    for (int k = 0; k < 2; k++)
        if (value_at(&line, k) <= value) *s = k, value = value_at(&line, *s);
    return value;
}

static void lowest_of_triangle(const face *it, double w[3]) {
    const double share = 0.3819660112501051;
    double low = 0, high = 1, left = share, right = 1 - share, s;
    double left_value = lowest_across(it, left, &s), right_value = lowest_across(it, right, &s);
    for (int i = 0; i < 32; i++) {
        if (left_value <= right_value) {
            high = right, right = left, right_value = left_value;
            left = low + share * (high - low);
            left_value = lowest_across(it, left, &s);
        } else {
            low = left, left = right, left_value = right_value;
            right = high - share * (high - low);
            right_value = lowest_across(it, right, &s);
        }
    }
    double t = 0.5 * (low + high);
    (void)lowest_across(it, t, &s);
    w[0] = (1 - s) * (1 - t), w[1] = t, w[2] = s * (1 - t);
}

// The nearest point of a triangle that is outside, by going to and fro between both nearest points, until the tangent
// plane says that no other is lower, or all is farther than `within` (*is_near). False: it is not found so.
static bool approach_triangle(const face *it, double within, double w[3], bool *is_near) {
    enum { TIMES_MAX = 60 };
    double size = vec3_distance(it->corner[0], it->corner[1]) + vec3_distance(it->corner[0], it->corner[2]);
    for (int i = 0; i < TIMES_MAX; i++) {
        cdg_vec3 at = face_at(it, w);
        cdg_distance here = own_distance(it->obstacle, at, HUGE_VAL);
        if (!(here.value > 0)) return false;
        double bound = HUGE_VAL;
        for (int k = 0; k < 3; k++)
            bound = fmin(bound, here.value + vec3_dot(here.normal, vec3_sub(it->corner[k], at)));
        *is_near = bound < within;
        if (!*is_near || here.value - bound < 1e-9 * size) return true;
        cdg_point_closest next = cdg_point_triangle_closest(vec3_mad(at, -here.value, here.normal), it->corner);
        for (int k = 0; k < 3; k++) w[k] = next.weights[k];
    }
    return false;
}

// The nearest point of a triangle to a ball's centre or a capsule's axis.
static void lowest_to_axis(const face *it, double half, double w[3]) {
    cdg_triangle_closest near = cdg_segment_triangle_closest(vec3(0, 0, -half), vec3(0, 0, half), it->corner);
    for (int k = 0; k < 3; k++) w[k] = near.weights[k];
}

bool cdg_obstacle_lowest(const cdg_obstacle *o, const cdg_pose *pose, const cdg_vec3 *corners, int count, double within,
                         double w[3], cdg_distance *out) {
    face it = {.obstacle = o, .count = count};
    for (int k = 0; k < count; k++) it.corner[k] = to_own(pose, corners[k]);
    bool is_near = false, is_mesh = o->def.shape.kind == CDG_SHAPE_MESH;
    if (is_mesh && count == 3) return false;
    bool is_told = !(is_mesh && count == 2) && is_told_by_corners(&it, within, w, &is_near);
    if (!is_told && count == 2) {
        piece line = {o, it.corner[0], it.corner[1]};
        double s = 0, value;
        is_near = find_lowest(&line, vec3_distance(corners[0], corners[1]), within, &s, &value);
        w[0] = 1 - s, w[1] = s, w[2] = 0;
    } else if (!is_told) {
        if (o->def.shape.kind == CDG_SHAPE_SPHERE || o->def.shape.kind == CDG_SHAPE_CAPSULE)
            lowest_to_axis(&it, o->def.shape.kind == CDG_SHAPE_CAPSULE ? 0.5 * o->def.shape.length : 0, w);
        else if (!approach_triangle(&it, within, w, &is_near))
            lowest_of_triangle(&it, w);
        else if (!is_near)
            return false;
        is_near = true;
    }
    if (!is_near) return false;
    cdg_distance own = own_distance(o, face_at(&it, w), HUGE_VAL);
    *out = (cdg_distance){own.value, quat_rotate(pose->orientation, own.normal)};
    return own.value < within;
}

// Of a mesh; negative: the segment goes through it or lies inside, where the way out is the nearest one.
static int mesh_contacts(const piece *it, const cdg_pose *pose, double within, double radius,
                         cdg_obstacle_contact out[CDG_OBSTACLE_CONTACTS_MAX]) {
    const cdg_contact_mesh *mesh = &it->obstacle->mesh;
    cdg_mesh_near_points near;
    cdg_contact_mesh_near_points(mesh, it->a0, it->a1, within, radius, &near);
    bool may_be_inside = near.count == 0 && !mesh->is_surface && value_at(it, 0.5) < 0;
    if (near.is_through || may_be_inside) return -1;
    for (int i = 0; i < near.count; i++) {
        const cdg_mesh_near_point *point = &near.list[i];
        cdg_vec3 on_surface = vec3_sub(vec3_lerp(it->a0, it->a1, point->s), point->between);
        cdg_vec3 normal = vec3_scale(1 / point->distance, point->between);
        out[i] = (cdg_obstacle_contact){point->s, point->distance - radius, quat_rotate(pose->orientation, normal),
                                        vec3_add(pose->position, quat_rotate(pose->orientation, on_surface))};
    }
    return near.count;
}

int cdg_obstacle_contacts(const cdg_obstacle *o, const cdg_pose *pose, cdg_vec3 a0, cdg_vec3 a1, double radius,
                          double margin, cdg_obstacle_contact out[CDG_OBSTACLE_CONTACTS_MAX]) {
    piece it = {o, to_own(pose, a0), to_own(pose, a1)};
    int found = o->def.shape.kind == CDG_SHAPE_MESH ? mesh_contacts(&it, pose, radius + margin, radius, out) : -1;
    if (found >= 0) return found;
    double length = vec3_distance(a0, a1), within = radius + margin, lowest, value;
    if (!find_lowest(&it, length, within, &lowest, &value)) return 0;
    double first = end_of_rest(&it, lowest, 0, within, radius), second = end_of_rest(&it, lowest, 1, within, radius);
    // Nearer than a quarter of the radius to each other two points hold no better than one.
    bool has_two = (second - first) * length > 0.25 * radius;
    if (!has_two) first = lowest;
    int count = 0;
    for (int k = 0; k < (has_two ? 2 : 1); k++) {
        double s = k == 0 ? first : second;
        cdg_distance own = own_distance(o, vec3_lerp(it.a0, it.a1, s), HUGE_VAL);
        cdg_vec3 normal = quat_rotate(pose->orientation, own.normal);
        cdg_vec3 on_line = vec3_lerp(a0, a1, s);
        out[count++] = (cdg_obstacle_contact){s, own.value - radius, normal, vec3_mad(on_line, -own.value, normal)};
    }
    return count;
}
