// Moving a skin with its rod: a spline through the nodes, frames between the elements', vertices and normals from both.
//
// The spline's parameter is the rest arc length, so that a station is the same piece of material however an element is
// stretched, and finding it costs nothing. Frames turn at a constant rate, in the material, from the middle of one
// element to the middle of the next (great arcs between unit quaternions), and the rate of the outermost cells goes on
// to the ends. Then each is turned by the smallest rotation that lays d3 on the spline's tangent. Everything is one
// pass over the elements and one over the stations.
#include "geometry/skin.h"

#include "base/error.h"
#include "geometry/spline.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

// The rod at one moment, ready to be asked. All arrays lie in one block.
typedef struct posed_rod {
    size_t element_count;
    double *arc;      // m, element_count + 1: where elements begin, and the rod's end
    cdg_quat *frames; // element_count, unit
    // element_count + 1: rotation vector per length (material frame, 1/m) around the node where element i begins, and
    // the one where the last ends. A closed skin's joint is seen from after it in the first, from before in the last.
    cdg_vec3 *turn;
    cdg_spline spline;
    void *memory;
} posed_rod;

// Where a station is, and how the rod bends, twists and stretches there.
typedef struct placed_station {
    cdg_vec3 position;
    cdg_quat frame;
    cdg_vec3 turn;  // 1/m
    double stretch; // length now per length at rest
} placed_station;

static cdg_result check_pose(const cdg_skin *skin, const cdg_skin_pose *pose, cdg_error *error) {
    size_t least = skin->is_closed ? 3 : 1, node_count = pose->element_count + (skin->is_closed ? 0 : 1);
    if (pose->element_count < least) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a rod of %zu elements cannot carry a skin: at least %zu",
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

static void set_turns(posed_rod *rod, const cdg_skin *skin, const double *h) {
    size_t last = rod->element_count - 1;
    cdg_quat *q = rod->frames;
    cdg_vec3 *turn = rod->turn;
    for (size_t i = 1; i <= last; i++) {
        turn[i] = vec3_scale(2 / (h[i - 1] + h[i]), quat_log(quat_relative(q[i - 1], q[i])));
    }
    if (skin->is_closed) {
        cdg_quat joint = quat_exp(vec3(0, 0, -skin->closing_turn)), turned = quat_multiply(q[0], joint);
        turn[last + 1] = vec3_scale(2 / (h[last] + h[0]), quat_log(quat_relative(q[last], turned)));
        turn[0] = quat_rotate(joint, turn[last + 1]);
    } else {
        turn[0] = last > 0 ? turn[1] : vec3(0, 0, 0);
        turn[last + 1] = last > 0 ? turn[last] : vec3(0, 0, 0);
    }
}

static cdg_result pose_rod(const cdg_skin *skin, const cdg_skin_pose *pose, posed_rod *out, cdg_error *error) {
    cdg_result result = check_pose(skin, pose, error);
    if (result != CDG_OK) return result;
    size_t elements = pose->element_count, nodes = elements + (skin->is_closed ? 0 : 1);
    size_t counts[] = {elements + 1, elements, 4 * elements, 3 * (elements + 1), 3 * nodes, 2 * nodes}, total = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) total += counts[i];
    double *block = malloc(total * sizeof *block);
    if (block == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the pose of %zu elements", elements);
    double *span = block + counts[0];
    *out = (posed_rod){.element_count = elements, .arc = block, .memory = block};
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
    set_turns(out, skin, span);
    out->spline = (cdg_spline){pose->positions, nodes, elements, span, curvature};
    cdg_spline_solve(&out->spline, skin->is_closed ? CDG_SPLINE_PERIODIC : CDG_SPLINE_FREE, scratch);
    return CDG_OK;
}

// Stations come in order, so the element is found by going on from the last one's.
static size_t find_element(const double *arc, size_t element_count, size_t from, double at) {
    while (from + 1 < element_count && arc[from + 1] <= at) from++;
    return from;
}

static placed_station place_station(const posed_rod *rod, size_t e, double at) {
    placed_station place;
    double h = rod->spline.span[e], u = fmin(fmax((at - rod->arc[e]) / h, 0), 1);
    cdg_vec3 derivative;
    cdg_spline_evaluate(&rod->spline, e, u, &place.position, &derivative);
    double speed = vec3_norm(derivative);
    place.stretch = speed / h;
    place.turn = vec3_lerp(rod->turn[e], rod->turn[e + 1], u);
    cdg_vec3 turned = vec3_scale((u - 0.5) * h, u < 0.5 ? rod->turn[e] : rod->turn[e + 1]);
    cdg_quat frame = quat_multiply(rod->frames[e], quat_exp(turned));
    // an element that is pressed to nothing has no tangent of its own
    cdg_vec3 tangent = speed > 0 ? vec3_scale(1 / speed, derivative) : quat_d3(frame);
    place.frame = quat_normalize(quat_multiply(quat_between(quat_d3(frame), tangent), frame));
    return place;
}

cdg_result cdg_skin_place_stations(const cdg_skin *skin, const cdg_skin_pose *pose, cdg_vec3 *positions,
                                   cdg_quat *frames, cdg_error *error) {
    posed_rod rod;
    cdg_result result = pose_rod(skin, pose, &rod, error);
    if (result != CDG_OK) return result;
    double length = rod.arc[rod.element_count];
    size_t e = 0;
    for (size_t s = 0; s < skin->station_count; s++) {
        double at = skin->station[s] * length;
        e = find_element(rod.arc, rod.element_count, e, at);
        placed_station place = place_station(&rod, e, at);
        if (positions != NULL) positions[s] = place.position;
        if (frames == NULL) continue;
        // of the two signs of a rotation the one nearer to the station before, for those who interpolate
        frames[s] = s > 0 && quat_dot(frames[s - 1], place.frame) < 0 ? quat_negate(place.frame) : place.frame;
    }
    free(rod.memory);
    return CDG_OK;
}

// ---- vertices -------------------------------------------------------------------------------------------------------

typedef struct axes {
    cdg_vec3 d1, d2, d3;
} axes;

static axes axes_of(cdg_quat q) { return (axes){quat_d1(q), quat_d2(q), quat_d3(q)}; }

static cdg_vec3 turn_out(const axes *a, double x, double y, double z) {
    return vec3_mad(vec3_mad(vec3_scale(x, a->d1), y, a->d2), z, a->d3);
}

static void put(float *out, cdg_vec3 v) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

// A bent and twisted rod's surface leans otherwise than the straight one's. With p the vertex in the section, W the
// turn of the frames per length and g the stretch, the surface runs along the rod in the direction
//
//     g d3 + W x p + p' = (p1' - W3 p2, p2' + W3 p1, g + W1 p2 - W2 p1)
//
// in the frame, and the normal must be perpendicular to it and, in the section, to the outline: (n1, n2) stays and n3
// follows. The stored n3 is -(n1 p1' + n2 p2'), from the taper. Where the rod curls up tighter than it is thick the
// third component passes through zero; a tenth of its value in the axis keeps normals outward there.
static cdg_vec3 leaning_normal(const placed_station *place, const float *p, const float *n) {
    double along = place->stretch + place->turn.x * p[1] - place->turn.y * p[0];
    double least = fmax(0.1 * place->stretch, 1e-3);
    double lean = n[2] - place->turn.z * ((double)n[1] * p[0] - (double)n[0] * p[1]);
    return vec3_normalize(vec3(n[0], n[1], lean / fmax(along, least)));
}

cdg_result cdg_skin_place(const cdg_skin *skin, const cdg_skin_pose *pose, float *vertices, float *normals,
                          cdg_error *error) {
    posed_rod rod;
    cdg_result result = pose_rod(skin, pose, &rod, error);
    if (result != CDG_OK) return result;
    double length = rod.arc[rod.element_count];
    size_t e = 0;
    placed_station first = {0}, place = {0};
    for (size_t s = 0; s < skin->station_count; s++) {
        double at = skin->station[s] * length;
        e = find_element(rod.arc, rod.element_count, e, at);
        place = place_station(&rod, e, at);
        if (s == 0) first = place;
        axes frame = axes_of(place.frame);
        for (size_t i = s * skin->ring_size; i < (s + 1) * skin->ring_size; i++) {
            const float *p = skin->local + 3 * i;
            put(vertices + 3 * i, vec3_add(place.position, turn_out(&frame, p[0], p[1], p[2])));
            if (normals == NULL) continue;
            cdg_vec3 n = leaning_normal(&place, p, skin->local_normal + 3 * i);
            put(normals + 3 * i, turn_out(&frame, n.x, n.y, n.z));
        }
    }
    // caps move as a whole with the first or the last station
    axes start = axes_of(first.frame), end = axes_of(place.frame);
    for (size_t i = skin->station_count * skin->ring_size; i < skin->vertex_count; i++) {
        bool is_start = skin->station_of[i] == 0;
        const axes *frame = is_start ? &start : &end;
        const float *p = skin->local + 3 * i, *n = skin->local_normal + 3 * i;
        cdg_vec3 origin = is_start ? first.position : place.position;
        put(vertices + 3 * i, vec3_add(origin, turn_out(frame, p[0], p[1], p[2])));
        if (normals != NULL) put(normals + 3 * i, turn_out(frame, n[0], n[1], n[2]));
    }
    free(rod.memory);
    return CDG_OK;
}

// ---- values ---------------------------------------------------------------------------------------------------------

void cdg_skin_spread(const cdg_skin *skin, const cdg_skin_pose *pose, const double *values, bool per_element,
                     double *out) {
    size_t count = pose->element_count, e = 0;
    const double *h = pose->rest_length;
    double length = 0, begin = 0; // of element e
    for (size_t j = 0; j < count; j++) length += h[j];
    for (size_t s = 0; s < skin->station_count; s++) {
        double at = skin->station[s] * length;
        while (e + 1 < count && begin + h[e] <= at) begin += h[e++];
        double u = fmin(fmax((at - begin) / h[e], 0), 1);
        size_t before = e > 0 ? e - 1 : skin->is_closed ? count - 1 : 0;
        size_t after = e + 1 < count ? e + 1 : skin->is_closed ? 0 : e;
        if (!per_element) {
            size_t end = skin->is_closed ? after : e + 1;
            out[s] = (1 - u) * values[e] + u * values[end];
        } else if (u < 0.5) {
            double fraction = (0.5 - u) * h[e] / (0.5 * (h[before] + h[e]));
            out[s] = (1 - fraction) * values[e] + fraction * values[before];
        } else {
            double fraction = (u - 0.5) * h[e] / (0.5 * (h[e] + h[after]));
            out[s] = (1 - fraction) * values[e] + fraction * values[after];
        }
    }
}
