// Torus knots (p, q): p times around the torus' axis, q times through its hole; right-handed when p q > 0.
//
// An opened knot is cut at P = C(0), a point farthest from the axis, and gets two straight tails along -T and +T,
// where T is the tangent at P; pulling them apart tightens the knot. In the torus' own axes x points from the axis to
// P. With B = C(-cut) the knot's end and M the unit vector along x cross T or against it, whichever points away from
// the torus at B, the last tail starts at
//
//     Q = P + height x + side M
//
// and a cubic from B to Q, tangent at both ends, joins them, so that the first derivative is continuous. The first
// tail is the image of the last under the half turn about x, which maps C(t) to C(-t).
//
// Why this is still the same knot. Every point of the torus' outer half lies on the boundary of its convex hull, so
// the tangent plane at B has the whole torus on one side. `height` lifts Q to the other side; the cubic's four control
// points are then all beyond the plane, and so is the cubic. The tails run in the plane x = R + r + height, beyond the
// torus. So nothing passes through the knot, and what replaces the removed arc is an arc outside a convex body. Seen
// along M it crosses itself once (cubic and tail advance along T and rise along x), and an arc with one crossing is
// unknotted. At that crossing the tails are 2 side apart; before it the other tail is straight and `side` away from
// the plane M = 0, near which the cubic begins.
#include "geometry/knot.h"

#include "base/error.h"
#include "math/quat.h"

static const double TWO_PI = 6.283185307179586477;

// Angle from P to B on the torus, the larger of the ways around and through, rad: less than a quarter turn (outer
// half).
static const double CUT_ANGLE = 0.9;
// `side` as a part of B's distance from P along T (keeps the cubic from bending sharply), and its limit as a part of
// the tube's radius, which is also the scale of the knot's own gaps.
static const double SIDE_SLOPE = 0.5, SIDE_LIMIT = 1.0;
// Height beyond what the tangent plane asks for, as a part of `side`.
static const double HEIGHT_MARGIN = 0.25;
// The cubic's speed at its ends, as a part of its chord: a little more than 1 bends least. It is limited so that the
// inner control points keep their order along T.
static const double JOIN_SPEED = 1.15, JOIN_ORDER = 0.95;

enum { WINDING_MAX = 1000 };

static int greatest_common_divisor(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// C(t) and dC/dt in the torus' own axes.
static void torus_point(const cdg_knot *knot, double t, cdg_vec3 *position, cdg_vec3 *derivative) {
    double around = knot->p * t, through = knot->q * t;
    double distance = knot->radius + knot->tube_radius * cos(through);
    double distance_rate = -knot->tube_radius * knot->q * sin(through);
    *position = vec3(distance * cos(around), distance * sin(around), -knot->tube_radius * sin(through));
    *derivative = vec3(distance_rate * cos(around) - knot->p * distance * sin(around),
                       distance_rate * sin(around) + knot->p * distance * cos(around),
                       -knot->tube_radius * knot->q * cos(through));
}

static void open_knot(cdg_knot *knot) {
    int p = knot->p < 0 ? -knot->p : knot->p, q = knot->q < 0 ? -knot->q : knot->q;
    knot->cut = CUT_ANGLE / (p > q ? p : q);

    cdg_vec3 outermost, end, tangent, end_tangent;
    torus_point(knot, 0, &outermost, &tangent);
    torus_point(knot, -knot->cut, &end, &end_tangent);
    tangent = vec3_normalize(tangent);
    end_tangent = vec3_normalize(end_tangent);

    double around = -knot->p * knot->cut, through = -knot->q * knot->cut;
    cdg_vec3 end_normal = vec3(cos(through) * cos(around), cos(through) * sin(around), -sin(through));
    cdg_vec3 sideways = vec3_cross(vec3(1, 0, 0), tangent);
    if (vec3_dot(sideways, end_normal) < 0) sideways = vec3_scale(-1, sideways);

    double back = -vec3_dot(end, tangent);
    double side = fmin(SIDE_SLOPE * back, SIDE_LIMIT * knot->tube_radius);
    cdg_vec3 start = vec3_mad(outermost, side, sideways);
    double missing = vec3_dot(end_normal, vec3_sub(end, start)) / end_normal.x;
    start.x += fmax(missing, 0) + HEIGHT_MARGIN * side;

    double speed =
        fmin(JOIN_SPEED * vec3_distance(start, end), 3 * JOIN_ORDER * back / (1 + vec3_dot(end_tangent, tangent)));
    knot->leave[0] = end;
    knot->leave[1] = vec3_mad(end, speed / 3, end_tangent);
    knot->leave[2] = vec3_mad(start, -speed / 3, tangent);
    knot->leave[3] = start;
    knot->direction = tangent;
}

cdg_result cdg_knot_init(const cdg_centerline *centerline, cdg_knot *out, cdg_error *error) {
    int p = centerline->knot.p, q = centerline->knot.q;
    double radius = centerline->knot.radius, tube_radius = centerline->knot.tube_radius, tail = centerline->knot.tail;
    if (p == 0 || q == 0 || p < -WINDING_MAX || p > WINDING_MAX || q < -WINDING_MAX || q > WINDING_MAX) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline knot: p and q are %d and %d; give whole numbers other than 0, at most %d in size",
                        p, q, WINDING_MAX);
    }
    int divisor = greatest_common_divisor(p < 0 ? -p : p, q < 0 ? -q : q);
    if (divisor != 1) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "centerline knot: p and q are %d and %d, which share the divisor %d and make a link of %d rings, not "
            "one rod; choose numbers without a common divisor, for example 2 and 3 for a trefoil",
            p, q, divisor, divisor);
    }
    if (!(radius > 0) || !isfinite(radius)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline knot: radius is %g m; give a finite length greater than 0", radius);
    }
    if (!(tube_radius > 0) || !(tube_radius < radius)) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "centerline knot: tube_radius is %g m; it must be greater than 0 and less than the radius, %g m, or "
            "the torus has no hole",
            tube_radius, radius);
    }
    if (!(tail >= 0) || !isfinite(tail)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline knot: tail is %g m; give a length, or 0 for a closed knot", tail);
    }
    if (!vec3_is_finite(centerline->knot.center)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "centerline knot: center has a component that is not a finite number");
    }
    cdg_vec3 axis = centerline->knot.axis;
    double axis_length = vec3_norm(axis);
    if (!(axis_length > 0) || !isfinite(axis_length)) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "centerline knot: axis (%g, %g, %g) has no direction; give a vector of finite length greater than 0",
            axis.x, axis.y, axis.z);
    }
    *out = (cdg_knot){.p = p,
                      .q = q,
                      .radius = radius,
                      .tube_radius = tube_radius,
                      .center = centerline->knot.center,
                      .orientation = quat_between(vec3(0, 0, 1), vec3_scale(1 / axis_length, axis)),
                      .tail = tail};
    if (tail > 0) open_knot(out);
    return CDG_OK;
}

// One tail and its cubic, from the knot (distance 0) outwards: pieces 0 (cubic) and 1 (tail).
static void leave_point(const cdg_knot *knot, int piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    const cdg_vec3 *b = knot->leave;
    if (piece == 1) {
        *position = vec3_mad(b[3], u * knot->tail, knot->direction);
        *derivative = vec3_scale(knot->tail, knot->direction);
        return;
    }
    double v = 1 - u;
    cdg_vec3 first = vec3_mad(vec3_scale(v * v * v, b[0]), 3 * u * v * v, b[1]);
    *position = vec3_mad(vec3_mad(first, 3 * u * u * v, b[2]), u * u * u, b[3]);
    cdg_vec3 slope = vec3_mad(vec3_scale(3 * v * v, vec3_sub(b[1], b[0])), 6 * u * v, vec3_sub(b[2], b[1]));
    *derivative = vec3_mad(slope, 3 * u * u, vec3_sub(b[3], b[2]));
}

// Pieces: the knot itself in |q| parts, each once through the hole; when opened, tail and cubic before and after it.
static void knot_point(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    const cdg_knot *knot = context;
    size_t part_count = (size_t)(knot->q < 0 ? -knot->q : knot->q), before = knot->tail > 0 ? 2 : 0;
    if (piece < before) {
        leave_point(knot, 1 - (int)piece, 1 - u, position, derivative);
        *position = vec3(position->x, -position->y, -position->z);
        *derivative = vec3(-derivative->x, derivative->y, derivative->z);
    } else if (piece >= before + part_count) {
        leave_point(knot, (int)(piece - before - part_count), u, position, derivative);
    } else {
        double span = TWO_PI - 2 * knot->cut;
        double t = knot->cut + span * (((double)(piece - before) + u) / (double)part_count);
        torus_point(knot, t, position, derivative);
        *derivative = vec3_scale(span / (double)part_count, *derivative);
    }
    *position = vec3_add(knot->center, quat_rotate(knot->orientation, *position));
    *derivative = quat_rotate(knot->orientation, *derivative);
}

cdg_curve cdg_knot_curve(const cdg_knot *knot) {
    size_t part_count = (size_t)(knot->q < 0 ? -knot->q : knot->q);
    return (cdg_curve){knot, part_count + (knot->tail > 0 ? 4 : 0), knot_point};
}
