// The smooth curve of a rod at one moment, and the material's frame along it: what skins are laid on, and what a rod is
// read by between its nodes.
//
// The spline's parameter is the rest arc length, so that a place is the same piece of material however an element is
// stretched and however finely the rod is divided at the moment. Frames turn at a constant rate, in the material, from
// the middle of one element to the middle of the next (great arcs between unit quaternions), and the rate of the
// outermost cells goes on to the ends. Then each is turned by the smallest rotation that lays d3 on the spline's
// tangent.
//
// Nodes of a bent rod lie outside of the curve that they stand for: an element has the direction of the curve at its
// middle, and its whole length, while the chord of that piece of curve is shorter by (k h)^2/24 of it, k the curvature.
// So nodes at distance h are k h^2/24 too far out, and move in when elements are halved. As neighbours that are not
// halved hold them back, and a change moves two of them on either side (adapt/rod_patch.h), they do so by what they
// would with the mean of h^2 over some three of the longer elements around them: that much is taken off for curves for
// any division. On arcs of 0.3 rad an element this leaves half of the move that the curve through the nodes makes.
#include "geometry/rod_curve.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdlib.h>

static cdg_result check_pose(const cdg_rod_pose *pose, cdg_error *error) {
    size_t least = pose->is_closed ? 3 : 1, node_count = pose->element_count + (pose->is_closed ? 0 : 1);
    if (pose->element_count < least) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a rod of %zu elements has no curve: at least %zu",
                        pose->element_count, least);
    }
    for (size_t i = 0; i < node_count; i++) {
        if (!vec3_is_finite(pose->positions[i])) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the position of node %zu is not finite", i);
        }
    }
    for (size_t j = 0; j < pose->element_count; j++) {
        double size = quat_dot(pose->frames[j], pose->frames[j]);
        if (!(size > 0 && isfinite(size))) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the frame of element %zu is not a rotation", j);
        }
        if (!(pose->rest_length[j] > 0 && isfinite(pose->rest_length[j]))) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the rest length of element %zu is %g m; it must be positive", j,
                            pose->rest_length[j]);
        }
    }
    return CDG_OK;
}

static void set_turns(cdg_rod_curve *rod, const cdg_rod_pose *pose, const double *h) {
    size_t last = rod->element_count - 1;
    cdg_quat *q = rod->frames;
    cdg_vec3 *turn = rod->turn;
    for (size_t i = 1; i <= last; i++) {
        turn[i] = vec3_scale(2 / (h[i - 1] + h[i]), quat_log(quat_relative(q[i - 1], q[i])));
    }
    if (pose->is_closed) {
        cdg_quat joint = quat_exp(vec3(0, 0, -pose->closing_turn)), turned = quat_multiply(q[0], joint);
        turn[last + 1] = vec3_scale(2 / (h[last] + h[0]), quat_log(quat_relative(q[last], turned)));
        turn[0] = quat_rotate(joint, turn[last + 1]);
    } else {
        turn[0] = last > 0 ? turn[1] : vec3(0, 0, 0);
        turn[last + 1] = last > 0 ? turn[last] : vec3(0, 0, 0);
    }
}

// ---- curves for any division ----------------------------------------------------------------------------------------

static const double window = 1.6; // of the longest element around a node, to either side
enum { AROUND = 3 };              // elements to either side, among which it is

// An element by its distance from a node: 0 the one after it, -1 the one before; SIZE_MAX: beyond the ends.
static size_t element_from(const cdg_rod_pose *pose, size_t node, ptrdiff_t way) {
    ptrdiff_t count = (ptrdiff_t)pose->element_count, at = (ptrdiff_t)node + way;
    if (pose->is_closed) at = (at % count + count) % count;
    return at >= 0 && at < count ? (size_t)at : SIZE_MAX;
}

// The mean of the elements' squared lengths over the window around a node.
static double mean_square(const cdg_rod_pose *pose, size_t node) {
    double longest = 0, sum = 0, covered = 0;
    for (ptrdiff_t way = -AROUND; way < AROUND; way++) {
        size_t e = element_from(pose, node, way);
        if (e != SIZE_MAX) longest = fmax(longest, pose->rest_length[e]);
    }
    for (int side = 0; side < 2; side++) {
        double left = window * longest;
        for (ptrdiff_t k = 0; left > 0 && (size_t)k < pose->element_count; k++) {
            size_t e = element_from(pose, node, side == 0 ? -1 - k : k);
            if (e == SIZE_MAX) break;
            double length = pose->rest_length[e], part = fmin(left, length);
            sum += part * length * length;
            covered += part;
            left -= part;
        }
    }
    return sum / covered;
}

// Ends stay where they are.
static void take_off(const cdg_rod_pose *pose, cdg_vec3 *out) {
    size_t nodes = pose->element_count + (pose->is_closed ? 0 : 1);
    for (size_t i = 0; i < nodes; i++) {
        size_t before = element_from(pose, i, -1), after = element_from(pose, i, 0);
        out[i] = pose->positions[i];
        if (before == SIZE_MAX || after == SIZE_MAX) continue;
        double a = pose->rest_length[before], b = pose->rest_length[after];
        cdg_vec3 ahead = vec3_sub(pose->positions[after + 1 < nodes ? after + 1 : 0], pose->positions[i]);
        cdg_vec3 behind = vec3_sub(pose->positions[i], pose->positions[before]);
        cdg_vec3 bend = vec3_scale(2 / (a + b), vec3_sub(vec3_scale(1 / b, ahead), vec3_scale(1 / a, behind)));
        out[i] = vec3_mad(out[i], mean_square(pose, i) / 24, bend);
    }
}

cdg_result cdg_rod_curve_make(const cdg_rod_pose *pose, cdg_rod_curve *out, cdg_error *error) {
    cdg_result result = check_pose(pose, error);
    if (result != CDG_OK) return result;
    size_t elements = pose->element_count, nodes = elements + (pose->is_closed ? 0 : 1);
    size_t counts[] = {elements + 1, elements, 4 * elements, 3 * (elements + 1), 3 * nodes, 2 * nodes, 3 * nodes};
    size_t total = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) total += counts[i];
    double *block = malloc(total * sizeof *block);
    if (block == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the pose of %zu elements", elements);
    double *span = block + counts[0];
    *out = (cdg_rod_curve){.element_count = elements, .arc = block, .memory = block};
    out->frames = (cdg_quat *)(void *)(span + counts[1]);
    out->turn = (cdg_vec3 *)(void *)(out->frames + elements);
    cdg_vec3 *curvature = out->turn + elements + 1;
    double *scratch = (double *)(void *)(curvature + nodes);

    out->arc[0] = 0;
    for (size_t j = 0; j < elements; j++) {
        span[j] = pose->rest_length[j];
        out->arc[j + 1] = out->arc[j] + span[j];
        out->frames[j] = quat_normalize(pose->frames[j]);
    }
    set_turns(out, pose, span);
    const cdg_vec3 *points = pose->positions;
    if (pose->is_for_any_division) {
        cdg_vec3 *moved = (cdg_vec3 *)(void *)(scratch + 2 * nodes);
        take_off(pose, moved);
        points = moved;
    }
    out->spline = (cdg_spline){points, nodes, elements, span, curvature};
    cdg_spline_solve(&out->spline, pose->is_closed ? CDG_SPLINE_PERIODIC : CDG_SPLINE_FREE, scratch);
    return CDG_OK;
}

void cdg_rod_curve_free(cdg_rod_curve *curve) {
    free(curve->memory);
    *curve = (cdg_rod_curve){0};
}

size_t cdg_rod_curve_element(const cdg_rod_curve *curve, size_t from, double at) {
    while (from + 1 < curve->element_count && curve->arc[from + 1] <= at) from++;
    return from;
}

static double fraction_at(const cdg_rod_curve *rod, size_t e, double at) {
    return fmin(fmax((at - rod->arc[e]) / rod->spline.span[e], 0), 1);
}

cdg_quat cdg_rod_curve_frame(const cdg_rod_curve *rod, size_t e, double at) {
    double u = fraction_at(rod, e, at);
    if (u == 0.5) return rod->frames[e];
    cdg_vec3 turned = vec3_scale((u - 0.5) * rod->spline.span[e], u < 0.5 ? rod->turn[e] : rod->turn[e + 1]);
    return quat_multiply(rod->frames[e], quat_exp(turned));
}

cdg_rod_point cdg_rod_curve_at(const cdg_rod_curve *rod, size_t e, double at) {
    cdg_rod_point point;
    double u = fraction_at(rod, e, at);
    cdg_vec3 derivative;
    cdg_spline_evaluate(&rod->spline, e, u, &point.position, &derivative);
    double speed = vec3_norm(derivative);
    point.stretch = speed / rod->spline.span[e];
    point.turn = vec3_lerp(rod->turn[e], rod->turn[e + 1], u);
    cdg_quat frame = cdg_rod_curve_frame(rod, e, at);
    // an element that is pressed to nothing has no tangent of its own
    cdg_vec3 tangent = speed > 0 ? vec3_scale(1 / speed, derivative) : quat_d3(frame);
    point.frame = quat_normalize(quat_multiply(quat_between(quat_d3(frame), tangent), frame));
    return point;
}
