// The smooth curve of a rod at one moment, and the material's frame along it: what skins are laid on, and what a rod is
// read by between its nodes.
//
// The spline's parameter is the rest arc length, so that a place is the same piece of material however an element is
// stretched and however finely the rod is divided at the moment. Frames turn at a constant rate, in the material, from
// the middle of one element to the middle of the next (great arcs between unit quaternions), and the rate of the
// outermost cells goes on to the ends. Then each is turned by the smallest rotation that lays d3 on the spline's
// tangent.
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

// Where the nodes are drawn.
static void add_shifts(const cdg_rod_pose *pose, size_t nodes, cdg_vec3 *out) {
    for (size_t i = 0; i < nodes; i++) out[i] = vec3_add(pose->positions[i], pose->beside.shift[i]);
}

static void set_rolls(cdg_rod_curve *rod, const cdg_rod_pose *pose, double *node_roll) {
    size_t elements = rod->element_count;
    for (size_t j = 0; j < elements && pose->beside.roll != NULL; j++)
        rod->frames[j] = quat_multiply(rod->frames[j], quat_exp(vec3(0, 0, pose->beside.roll[j])));
    if (pose->beside.node_roll == NULL) return;
    rod->node_roll = node_roll;
    for (size_t i = 0; i <= elements; i++)
        node_roll[i] = pose->beside.node_roll[i < elements || !pose->is_closed ? i : 0];
}

cdg_result cdg_rod_curve_make(const cdg_rod_pose *pose, cdg_rod_curve *out, cdg_error *error) {
    cdg_result result = check_pose(pose, error);
    if (result != CDG_OK) return result;
    size_t elements = pose->element_count, nodes = elements + (pose->is_closed ? 0 : 1);
    size_t counts[] = {elements + 1, elements,  4 * elements, 3 * (elements + 1),
                       3 * nodes,    2 * nodes, 3 * nodes,    elements + 1};
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
    set_rolls(out, pose, scratch + 5 * nodes);
    set_turns(out, pose, span);
    const cdg_vec3 *points = pose->positions;
    if (pose->beside.shift != NULL) {
        cdg_vec3 *moved = (cdg_vec3 *)(void *)(scratch + 2 * nodes);
        add_shifts(pose, nodes, moved);
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
    cdg_quat frame = quat_multiply(rod->frames[e], quat_exp(turned));
    if (rod->node_roll == NULL) return frame;
    double roll = fabs(2 * u - 1) * rod->node_roll[u < 0.5 ? e : e + 1];
    return quat_multiply(frame, quat_exp(vec3(0, 0, roll)));
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
