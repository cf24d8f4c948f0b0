// Parallel-transported frames along a polyline (the discrete Bishop frame of Bergou et al. 2008, section 4.2.2), as
// quaternions. Each turn is formed in its predecessor's material axes, where the smallest rotation that takes e3 to a
// unit vector b has no third component at all, so that no twist can creep in; and as b is measured from the frame
// itself, rounding errors of the tangent do not add up.
#include "geometry/frames.h"

#include "base/error.h"
#include "math/quat.h"

// Smallest rotation from e3 to the unit vector b.
static cdg_quat smallest_turn(cdg_vec3 b) {
    double sideways = b.x * b.x + b.y * b.y;
    // 1 + b.z without cancellation when b points backwards
    double real = b.z >= 0 ? 1 + b.z : sideways / (1 - b.z);
    // Exactly backwards (what is left sideways is rounding) every half turn is smallest: the one about the frame's own
    // d1 turns with the rod.
    if (sideways < 1e-29 && b.z < 0) return quat(0, 1, 0, 0);
    return quat_normalize(quat(real, -b.y, b.x, 0));
}

static cdg_quat transport(cdg_quat frame, cdg_vec3 tangent) {
    return quat_normalize(quat_multiply(frame, smallest_turn(quat_rotate_inverse(frame, tangent))));
}

static cdg_quat first_frame(cdg_vec3 tangent, const cdg_vec3 *normal) {
    cdg_vec3 d1 = vec3_any_perpendicular(tangent);
    if (normal != NULL) {
        cdg_vec3 wish = vec3_normalize(*normal), part = vec3_mad(wish, -vec3_dot(wish, tangent), tangent);
        // Nearer than this to the tangent the wish is rounding noise and every perpendicular direction is as near to
        // it.
        if (vec3_norm(part) > 1e-12) d1 = vec3_normalize(part);
    }
    d1 = vec3_normalize(vec3_mad(d1, -vec3_dot(d1, tangent), tangent));
    return quat_from_axes(d1, vec3_cross(tangent, d1), tangent);
}

static cdg_quat turn_about_d3(cdg_quat frame, double angle) {
    return quat_multiply(frame, quat(cos(angle / 2), 0, 0, sin(angle / 2)));
}

static cdg_vec3 edge_of(const cdg_vec3 *nodes, size_t element_count, bool is_closed, size_t i) {
    return vec3_sub(nodes[is_closed && i + 1 == element_count ? 0 : i + 1], nodes[i]);
}

cdg_result cdg_frames_from_nodes(const cdg_vec3 *nodes, size_t element_count, bool is_closed, const cdg_vec3 *normal,
                                 double roll, double twist, cdg_quat *out, cdg_error *error) {
    if (element_count == 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "frames need at least one element");
    if (!isfinite(roll) || !isfinite(twist) || (normal != NULL && !vec3_is_finite(*normal))) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "roll, twist and normal of a rod's frames must be finite numbers");
    }
    double length = 0, first_length = 0;
    cdg_vec3 first_tangent = {0};
    for (size_t i = 0; i < element_count; ++i) {
        cdg_vec3 edge = edge_of(nodes, element_count, is_closed, i);
        double edge_length = vec3_norm(edge);
        if (!(edge_length > 0) || !isfinite(edge_length)) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "element %zu has the length %g m between its nodes at (%g, %g, %g); its ends must be two "
                            "different finite places",
                            i, edge_length, nodes[i].x, nodes[i].y, nodes[i].z);
        }
        cdg_vec3 tangent = vec3_scale(1 / edge_length, edge);
        if (i == 0) {
            first_length = edge_length;
            first_tangent = tangent;
            out[0] = first_frame(tangent, normal);
        } else {
            out[i] = transport(out[i - 1], tangent);
        }
        length += edge_length;
    }
    // By how much transport around the loop misses the first frame, in (-pi, pi].
    double closure = 0;
    if (is_closed) {
        cdg_quat miss = quat_relative(out[0], transport(out[element_count - 1], first_tangent));
        if (miss.w < 0) miss = quat_negate(miss);
        closure = 2 * atan2(miss.z, miss.w);
    }
    double start = 0;
    for (size_t i = 0; i < element_count; ++i) {
        double edge_length = vec3_norm(edge_of(nodes, element_count, is_closed, i));
        double middle = start + edge_length / 2;
        double angle = roll + twist * middle - closure * ((middle - first_length / 2) / length);
        out[i] = quat_normalize(turn_about_d3(out[i], angle));
        if (i > 0 && quat_dot(out[i - 1], out[i]) < 0) out[i] = quat_negate(out[i]);
        start += edge_length;
    }
    return CDG_OK;
}
