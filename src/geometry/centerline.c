// Centrelines: from a description to nodes equally spaced in arc length, and the length itself.
// Lines, arcs, circles and helices have constant speed and are sampled in closed form; splines and knots by quadrature.
#include "base/error.h"
#include "geometry/knot.h"
#include "geometry/points_file.h"
#include "geometry/spline.h"
#include "geometry/tied.h"
#include "math/quat.h"

#include <stdlib.h>

static const double TWO_PI = 6.283185307179586477;

// Neighbouring points nearer than this part of the whole curve count as one: an edge so short has no direction left
// after the rounding of coordinates.
static const double COINCIDENCE = 1e-12;

// Directions nearer to parallel than this (sine of the angle) leave no perpendicular part worth the name.
static const double PARALLEL = 1e-9;

cdg_centerline cdg_centerline_default(void) {
    cdg_centerline curve = {.kind = CDG_CENTERLINE_LINE};
    curve.line.to = vec3(1, 0, 0);
    curve.arc.tangent = vec3(1, 0, 0);
    curve.arc.normal = vec3(0, 0, 1);
    curve.circle.axis = vec3(0, 0, 1);
    curve.helix.axis = vec3(0, 0, 1);
    curve.helix.turns = 1;
    curve.knot.p = 2;
    curve.knot.q = 3;
    curve.knot.axis = vec3(0, 0, 1);
    curve.tied.direction = vec3(1, 0, 0);
    curve.tied.normal = vec3(0, 0, 1);
    return curve;
}

bool cdg_centerline_is_closed(const cdg_centerline *curve) {
    if (curve == NULL) return false;
    switch (curve->kind) {
    case CDG_CENTERLINE_CIRCLE: return true;
    case CDG_CENTERLINE_KNOT: return !(curve->knot.tail > 0);
    case CDG_CENTERLINE_POLYLINE:
    case CDG_CENTERLINE_SPLINE:
    case CDG_CENTERLINE_FILE: return curve->closed;
    case CDG_CENTERLINE_LINE:
    case CDG_CENTERLINE_ARC:
    case CDG_CENTERLINE_HELIX:
    case CDG_CENTERLINE_TIED:
    case CDG_CENTERLINE_KIND_COUNT: break;
    }
    return false;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result check_point(const char *kind, const char *name, cdg_vec3 value, cdg_error *error) {
    if (vec3_is_finite(value)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline %s: %s has a component that is not a finite number", kind,
                    name);
}

static cdg_result check_positive(const char *kind, const char *name, const char *unit, double value, cdg_error *error) {
    if (value > 0 && isfinite(value)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline %s: %s is %g%s; give a finite value greater than 0", kind,
                    name, value, unit);
}

static cdg_result make_direction(const char *kind, const char *name, cdg_vec3 value, cdg_vec3 *out, cdg_error *error) {
    double norm = vec3_norm(value);
    if (!(norm > 0) || !isfinite(norm)) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "centerline %s: %s (%g, %g, %g) has no direction; give a vector of finite length greater than 0", kind,
            name, value.x, value.y, value.z);
    }
    *out = vec3_scale(1 / norm, value);
    return CDG_OK;
}

// The unit part of `value` perpendicular to the unit vector `axis`.
static cdg_result make_perpendicular(const char *kind, const char *name, cdg_vec3 value, const char *axis_name,
                                     cdg_vec3 axis, cdg_vec3 *out, cdg_error *error) {
    cdg_result result = make_direction(kind, name, value, &value, error);
    if (result != CDG_OK) return result;
    cdg_vec3 part = vec3_mad(value, -vec3_dot(value, axis), axis);
    double norm = vec3_norm(part);
    if (!(norm > PARALLEL)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline %s: %s is parallel to %s; choose a direction across it",
                        kind, name, axis_name);
    }
    part = vec3_scale(1 / norm, part);
    // once more: subtraction leaves a part along the axis when the two were nearly parallel
    *out = vec3_normalize(vec3_mad(part, -vec3_dot(part, axis), axis));
    return CDG_OK;
}

// ---- circles and helices --------------------------------------------------------------------------------------------

// A curve of constant speed about an axis: position(f) = base + radius (cos x + sin y) + f rise z, angle = f
// angle_span. Arcs and circles have no rise.
typedef struct turning_curve {
    cdg_vec3 base, x, y, z;
    double radius, angle_span, rise; // m, rad, m
} turning_curve;

static cdg_vec3 turning_point(const turning_curve *curve, double fraction) {
    double angle = fraction * curve->angle_span;
    cdg_vec3 point = vec3_mad(curve->base, curve->radius * cos(angle), curve->x);
    return vec3_mad(vec3_mad(point, curve->radius * sin(angle), curve->y), fraction * curve->rise, curve->z);
}

// Axes from an axis and a start direction; a zero start direction means any, and for the axis z it is x.
static cdg_result make_turning_axes(const char *kind, cdg_vec3 axis, cdg_vec3 start_direction, turning_curve *out,
                                    cdg_error *error) {
    cdg_result result = make_direction(kind, "axis", axis, &out->z, error);
    if (result != CDG_OK) return result;
    if (start_direction.x == 0 && start_direction.y == 0 && start_direction.z == 0) {
        start_direction = quat_rotate(quat_between(vec3(0, 0, 1), out->z), vec3(1, 0, 0));
    }
    result = make_perpendicular(kind, "start_direction", start_direction, "axis", out->z, &out->x, error);
    if (result != CDG_OK) return result;
    out->y = vec3_cross(out->z, out->x);
    return CDG_OK;
}

static cdg_result make_arc(const cdg_centerline *curve, turning_curve *out, cdg_error *error) {
    cdg_vec3 tangent, normal;
    cdg_result result = check_point("arc", "start", curve->arc.start, error);
    if (result == CDG_OK) result = check_positive("arc", "radius", " m", curve->arc.radius, error);
    if (result == CDG_OK) result = check_positive("arc", "angle", " rad", curve->arc.angle, error);
    if (result == CDG_OK) result = make_direction("arc", "tangent", curve->arc.tangent, &tangent, error);
    if (result == CDG_OK) {
        result = make_perpendicular("arc", "normal", curve->arc.normal, "tangent", tangent, &normal, error);
    }
    if (result != CDG_OK) return result;
    // the centre lies along the normal, so the start is at -normal from it
    *out = (turning_curve){.base = vec3_mad(curve->arc.start, curve->arc.radius, normal),
                           .x = vec3_scale(-1, normal),
                           .y = tangent,
                           .radius = curve->arc.radius,
                           .angle_span = curve->arc.angle};
    return CDG_OK;
}

static cdg_result make_circle(const cdg_centerline *curve, turning_curve *out, cdg_error *error) {
    *out = (turning_curve){.base = curve->circle.center, .radius = curve->circle.radius, .angle_span = TWO_PI};
    cdg_result result = check_point("circle", "center", curve->circle.center, error);
    if (result == CDG_OK) result = check_positive("circle", "radius", " m", curve->circle.radius, error);
    if (result != CDG_OK) return result;
    return make_turning_axes("circle", curve->circle.axis, curve->circle.start_direction, out, error);
}

static cdg_result make_helix(const cdg_centerline *curve, turning_curve *out, cdg_error *error) {
    double turns = curve->helix.turns, pitch = curve->helix.pitch;
    *out = (turning_curve){.base = curve->helix.base,
                           .radius = curve->helix.radius,
                           .angle_span = (curve->helix.left_handed ? -TWO_PI : TWO_PI) * turns,
                           .rise = pitch * turns};
    cdg_result result = check_point("helix", "base", curve->helix.base, error);
    if (result == CDG_OK) result = check_positive("helix", "radius", " m", curve->helix.radius, error);
    if (result == CDG_OK) result = check_positive("helix", "turns", "", turns, error);
    if (result != CDG_OK) return result;
    if (!(pitch >= 0) || !isfinite(pitch)) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "centerline helix: pitch is %g m; give a finite rise of 0 or more a turn, and for the other way reverse "
            "the axis",
            pitch);
    }
    return make_turning_axes("helix", curve->helix.axis, curve->helix.start_direction, out, error);
}

static cdg_result make_turning(const cdg_centerline *curve, turning_curve *out, cdg_error *error) {
    if (curve->kind == CDG_CENTERLINE_ARC) return make_arc(curve, out, error);
    if (curve->kind == CDG_CENTERLINE_CIRCLE) return make_circle(curve, out, error);
    return make_helix(curve, out, error);
}

// ---- points ---------------------------------------------------------------------------------------------------------

// Control points of a polyline, spline or file; `owned` is what must be freed.
typedef struct point_list {
    const cdg_vec3 *points;
    size_t count;
    bool is_closed;
    cdg_vec3 *owned;
    double length; // m, of the polygon
} point_list;

static const char *point_kind_text(cdg_centerline_kind kind) {
    return kind == CDG_CENTERLINE_SPLINE ? "spline" : kind == CDG_CENTERLINE_FILE ? "file" : "points";
}

static double polygon_edge(const point_list *list, size_t i) {
    return vec3_distance(list->points[i], list->points[i + 1 < list->count ? i + 1 : 0]);
}

static cdg_result check_points(const char *kind, point_list *list, cdg_error *error) {
    size_t least = list->is_closed ? 3 : 2;
    if (list->count < least || list->points == NULL) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline %s: %zu points; %s curve needs at least %zu", kind,
                        list->count, list->is_closed ? "a closed" : "an open", least);
    }
    for (size_t i = 0; i < list->count; ++i) {
        if (!vec3_is_finite(list->points[i])) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "centerline %s: point %zu (counted from 1) has a coordinate that is not a finite number",
                            kind, i + 1);
        }
    }
    size_t edge_count = list->is_closed ? list->count : list->count - 1;
    list->length = 0;
    for (size_t i = 0; i < edge_count; ++i) list->length += polygon_edge(list, i);
    if (!isfinite(list->length)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline %s: the points are too far apart to measure; scale them down", kind);
    }
    for (size_t i = 0; i < edge_count; ++i) {
        if (polygon_edge(list, i) > COINCIDENCE * list->length) continue;
        if (i + 1 == list->count) {
            return cdg_fail(
                error, CDG_ERROR_ARGUMENT,
                "centerline %s: the last point repeats the first; leave it out, a closed curve returns by itself",
                kind);
        }
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline %s: points %zu and %zu (counted from 1) coincide; remove one of them", kind, i + 1,
                        i + 2);
    }
    return CDG_OK;
}

static cdg_result make_points(const cdg_centerline *curve, point_list *out, cdg_error *error) {
    *out = (point_list){curve->points.points, curve->points.count, curve->closed, NULL, 0};
    if (curve->kind == CDG_CENTERLINE_FILE && curve->points.count == 0) {
        if (curve->file.path == NULL || curve->file.path[0] == '\0') {
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "centerline file: no file is named; give the path of a CSV or OBJ file");
        }
        bool is_closed = false;
        cdg_result result = cdg_points_read(curve->file.path, &out->owned, &out->count, &is_closed, error);
        if (result != CDG_OK) return result;
        out->points = out->owned;
        out->is_closed = is_closed || curve->closed;
    }
    cdg_result result = check_points(point_kind_text(curve->kind), out, error);
    if (result != CDG_OK) free(out->owned);
    return result;
}

static void sample_polyline(const point_list *list, const cdg_node_division *division, cdg_vec3 *out) {
    size_t edge_count = list->is_closed ? list->count : list->count - 1, element_count = division->element_count;
    if (element_count == edge_count && division->spacing_count == 0) {
        for (size_t i = 0; i < list->count; ++i) out[i] = list->points[i];
        return;
    }
    size_t edge = 0;
    double start = 0, length = polygon_edge(list, 0);
    out[0] = list->points[0];
    for (size_t i = 1; i < element_count; ++i) {
        double target = list->length * cdg_node_share(division, i);
        while (target > start + length && edge + 1 < edge_count) {
            start += length;
            length = polygon_edge(list, ++edge);
        }
        double fraction = fmin((target - start) / length, 1);
        out[i] = vec3_lerp(list->points[edge], list->points[edge + 1 < list->count ? edge + 1 : 0], fraction);
    }
    if (!list->is_closed) out[element_count] = list->points[list->count - 1];
}

static cdg_result sample_points(const cdg_centerline *curve, const cdg_node_division *division, cdg_vec3 *out,
                                cdg_error *error) {
    point_list list;
    cdg_result result = make_points(curve, &list, error);
    if (result != CDG_OK) return result;
    if (list.is_closed != curve->closed) {
        // `out` has room for an open curve, as cdg_centerline_is_closed told the caller
        result =
            cdg_fail(error, CDG_ERROR_ARGUMENT,
                     "centerline file: the points of %s form a ring; mark the centerline as closed", curve->file.path);
    } else if (curve->kind == CDG_CENTERLINE_SPLINE) {
        cdg_spline spline;
        result = cdg_spline_init(list.points, list.count, list.is_closed, &spline, error);
        if (result == CDG_OK) {
            cdg_curve view = cdg_spline_curve(&spline);
            result = cdg_curve_divide(&view, division, list.is_closed, out, error);
            cdg_spline_free(&spline);
        }
    } else {
        sample_polyline(&list, division, out);
    }
    free(list.owned);
    return result;
}

static cdg_result measure_points(const cdg_centerline *curve, double *out, cdg_error *error) {
    point_list list;
    cdg_result result = make_points(curve, &list, error);
    if (result != CDG_OK) return result;
    if (curve->kind == CDG_CENTERLINE_SPLINE) {
        cdg_spline spline;
        result = cdg_spline_init(list.points, list.count, list.is_closed, &spline, error);
        if (result == CDG_OK) {
            cdg_curve view = cdg_spline_curve(&spline);
            result = cdg_curve_length(&view, out, error);
            cdg_spline_free(&spline);
        }
    } else {
        *out = list.length;
    }
    free(list.owned);
    return result;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

static cdg_result check_line(const cdg_centerline *curve, double *length, cdg_error *error) {
    cdg_vec3 from = curve->line.from, to = curve->line.to;
    cdg_result result = check_point("line", "from", from, error);
    if (result == CDG_OK) result = check_point("line", "to", to, error);
    if (result != CDG_OK) return result;
    *length = vec3_distance(from, to);
    if (!isfinite(*length)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline line: 'from' and 'to' are too far apart to measure");
    }
    if (!(*length > COINCIDENCE * fmax(vec3_norm(from), vec3_norm(to)))) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline line: 'from' and 'to' are the same place (%g, %g, %g); move one of them", from.x,
                        from.y, from.z);
    }
    return CDG_OK;
}

// ---- tied knots -----------------------------------------------------------------------------------------------------

// Length and fewest elements, and nodes when `out` is not NULL.
static cdg_result use_tied(const cdg_centerline *curve, const cdg_node_division *division, cdg_vec3 *out,
                           double *length, size_t *least, cdg_error *error) {
    cdg_tied tied;
    cdg_result result = cdg_tied_init(curve, &tied, error);
    if (result != CDG_OK) return result;
    cdg_curve view = cdg_tied_curve(&tied);
    result = cdg_curve_length(&view, length, error);
    if (result == CDG_OK) *least = cdg_tied_least_elements(&tied, *length);
    if (result == CDG_OK && out != NULL) {
        if (division->element_count < *least) {
            result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                              "centerline tied: %zu elements are too few for a %s in %g m of rope, whose strands would "
                              "come too near; use at least %zu, or shorter tails",
                              division->element_count, cdg_tied_name(curve->tied.knot), *length, *least);
        } else {
            result = cdg_curve_divide(&view, division, false, out, error);
        }
    }
    cdg_tied_free(&tied);
    return result;
}

// ---- the public functions -------------------------------------------------------------------------------------------

static cdg_result unknown_kind(const cdg_centerline *curve, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline: there is no kind number %d; use one of cdg_centerline_kind",
                    (int)curve->kind);
}

static cdg_result check_spacing(const cdg_centerline *curve, cdg_error *error) {
    if (curve->spacing_count > 0 && curve->spacing == NULL) return cdg_fail_null(error, "spacing");
    cdg_spacing before = {0, 0};
    for (size_t i = 0; i <= curve->spacing_count; i++) {
        cdg_spacing at = i < curve->spacing_count ? curve->spacing[i] : (cdg_spacing){1, 1};
        if (!(at.even > before.even && at.at > before.at)) // also for what is not a number
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "centerline: spacing wants shares between 0 and 1 in rising order; point %zu (counted from "
                            "1) is not beyond the one before it",
                            i < curve->spacing_count ? i + 1 : i);
        before = at;
    }
    return CDG_OK;
}

cdg_result cdg_centerline_sample(const cdg_centerline *curve, size_t element_count, cdg_vec3 *out, cdg_error *error) {
    if (curve == NULL) return cdg_fail_null(error, "curve");
    if (out == NULL) return cdg_fail_null(error, "out");
    bool is_closed = cdg_centerline_is_closed(curve);
    if (element_count < (is_closed ? 3 : 1)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "centerline: %zu elements; %s rod needs at least %d", element_count,
                        is_closed ? "a closed" : "an open", is_closed ? 3 : 1);
    }
    cdg_node_division division = {element_count, curve->spacing, curve->spacing_count};
    cdg_result result = check_spacing(curve, error);
    if (result != CDG_OK) return result;
    switch (curve->kind) {
    case CDG_CENTERLINE_LINE: {
        double length;
        result = check_line(curve, &length, error);
        if (result != CDG_OK) return result;
        for (size_t i = 0; i < element_count; ++i) {
            out[i] = vec3_lerp(curve->line.from, curve->line.to, cdg_node_share(&division, i));
        }
        out[element_count] = curve->line.to;
        return CDG_OK;
    }
    case CDG_CENTERLINE_ARC:
    case CDG_CENTERLINE_CIRCLE:
    case CDG_CENTERLINE_HELIX: {
        turning_curve turning;
        result = make_turning(curve, &turning, error);
        if (result != CDG_OK) return result;
        size_t node_count = is_closed ? element_count : element_count + 1;
        for (size_t i = 0; i < node_count; ++i) out[i] = turning_point(&turning, cdg_node_share(&division, i));
        return CDG_OK;
    }
    case CDG_CENTERLINE_POLYLINE:
    case CDG_CENTERLINE_SPLINE:
    case CDG_CENTERLINE_FILE: return sample_points(curve, &division, out, error);
    case CDG_CENTERLINE_KNOT: {
        cdg_knot knot;
        result = cdg_knot_init(curve, &knot, error);
        if (result != CDG_OK) return result;
        cdg_curve view = cdg_knot_curve(&knot);
        return cdg_curve_divide(&view, &division, is_closed, out, error);
    }
    case CDG_CENTERLINE_TIED: {
        double length;
        size_t least;
        return use_tied(curve, &division, out, &length, &least, error);
    }
    case CDG_CENTERLINE_KIND_COUNT: break;
    }
    return unknown_kind(curve, error);
}

cdg_result cdg_centerline_length(const cdg_centerline *curve, double *out, cdg_error *error) {
    if (curve == NULL) return cdg_fail_null(error, "curve");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_result result;
    switch (curve->kind) {
    case CDG_CENTERLINE_LINE: {
        double length;
        result = check_line(curve, &length, error);
        if (result == CDG_OK) *out = length;
        return result;
    }
    case CDG_CENTERLINE_ARC:
    case CDG_CENTERLINE_CIRCLE:
    case CDG_CENTERLINE_HELIX: {
        turning_curve turning;
        result = make_turning(curve, &turning, error);
        if (result == CDG_OK) *out = hypot(turning.radius * turning.angle_span, turning.rise);
        return result;
    }
    case CDG_CENTERLINE_POLYLINE:
    case CDG_CENTERLINE_SPLINE:
    case CDG_CENTERLINE_FILE: return measure_points(curve, out, error);
    case CDG_CENTERLINE_KNOT: {
        cdg_knot knot;
        result = cdg_knot_init(curve, &knot, error);
        if (result != CDG_OK) return result;
        cdg_curve view = cdg_knot_curve(&knot);
        return cdg_curve_length(&view, out, error);
    }
    case CDG_CENTERLINE_TIED: {
        size_t least;
        return use_tied(curve, NULL, NULL, out, &least, error);
    }
    case CDG_CENTERLINE_KIND_COUNT: break;
    }
    return unknown_kind(curve, error);
}

cdg_result cdg_centerline_least_elements(const cdg_centerline *curve, size_t *out, cdg_error *error) {
    if (curve == NULL) return cdg_fail_null(error, "curve");
    if (out == NULL) return cdg_fail_null(error, "out");
    double length;
    if (curve->kind == CDG_CENTERLINE_TIED) return use_tied(curve, NULL, NULL, &length, out, error);
    *out = cdg_centerline_is_closed(curve) ? 3 : 1;
    return CDG_OK;
}
