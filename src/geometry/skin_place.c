// Moving a skin with its rod: a spline through the nodes, frames between the elements', vertices and normals from both.
//
// Everything is one pass over the elements and one over the stations (rod_curve.h).
#include "geometry/skin.h"

#include "geometry/rod_curve.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

static cdg_result pose_rod(const cdg_skin *skin, const cdg_skin_pose *pose, cdg_rod_curve *out, cdg_error *error) {
    const cdg_rod_pose rod = {.is_closed = skin->is_closed,
                              .element_count = pose->element_count,
                              .rest_length = pose->rest_length,
                              .positions = pose->positions,
                              .frames = pose->frames,
                              .closing_turn = skin->closing_turn,
                              .beside = pose->beside};
    return cdg_rod_curve_make(&rod, out, error);
}

cdg_result cdg_skin_place_stations(const cdg_skin *skin, const cdg_skin_pose *pose, cdg_vec3 *positions,
                                   cdg_quat *frames, cdg_error *error) {
    cdg_rod_curve rod;
    cdg_result result = pose_rod(skin, pose, &rod, error);
    if (result != CDG_OK) return result;
    double length = rod.arc[rod.element_count];
    size_t e = 0;
    for (size_t s = 0; s < skin->station_count; s++) {
        double at = skin->station[s] * length;
        e = cdg_rod_curve_element(&rod, e, at);
        cdg_rod_point point = cdg_rod_curve_at(&rod, e, at);
        if (positions != NULL) positions[s] = point.position;
        if (frames == NULL) continue;
        // of the two signs of a rotation the one nearer to the station before, for those who interpolate
        frames[s] = s > 0 && quat_dot(frames[s - 1], point.frame) < 0 ? quat_negate(point.frame) : point.frame;
    }
    cdg_rod_curve_free(&rod);
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
static cdg_vec3 leaning_normal(const cdg_rod_point *point, const float *p, const float *n) {
    double along = point->stretch + point->turn.x * p[1] - point->turn.y * p[0];
    double least = fmax(0.1 * point->stretch, 1e-3);
    double lean = n[2] - point->turn.z * ((double)n[1] * p[0] - (double)n[0] * p[1]);
    return vec3_normalize(vec3(n[0], n[1], lean / fmax(along, least)));
}

cdg_result cdg_skin_place(const cdg_skin *skin, const cdg_skin_pose *pose, float *vertices, float *normals,
                          cdg_error *error) {
    cdg_rod_curve rod;
    cdg_result result = pose_rod(skin, pose, &rod, error);
    if (result != CDG_OK) return result;
    double length = rod.arc[rod.element_count];
    size_t e = 0;
    cdg_rod_point first = {0}, point = {0};
    for (size_t s = 0; s < skin->station_count; s++) {
        double at = skin->station[s] * length;
        e = cdg_rod_curve_element(&rod, e, at);
        point = cdg_rod_curve_at(&rod, e, at);
        if (s == 0) first = point;
        axes frame = axes_of(point.frame);
        for (size_t i = s * skin->ring_size; i < (s + 1) * skin->ring_size; i++) {
            const float *p = skin->local + 3 * i;
            put(vertices + 3 * i, vec3_add(point.position, turn_out(&frame, p[0], p[1], p[2])));
            if (normals == NULL) continue;
            cdg_vec3 n = leaning_normal(&point, p, skin->local_normal + 3 * i);
            put(normals + 3 * i, turn_out(&frame, n.x, n.y, n.z));
        }
    }
    // caps move as a whole with the first or the last station
    axes start = axes_of(first.frame), end = axes_of(point.frame);
    for (size_t i = skin->station_count * skin->ring_size; i < skin->vertex_count; i++) {
        bool is_start = skin->station_of[i] == 0;
        const axes *frame = is_start ? &start : &end;
        const float *p = skin->local + 3 * i, *n = skin->local_normal + 3 * i;
        cdg_vec3 origin = is_start ? first.position : point.position;
        put(vertices + 3 * i, vec3_add(origin, turn_out(frame, p[0], p[1], p[2])));
        if (normals != NULL) put(normals + 3 * i, turn_out(frame, n[0], n[1], n[2]));
    }
    cdg_rod_curve_free(&rod);
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
