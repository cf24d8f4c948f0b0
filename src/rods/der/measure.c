// Stretching and section force of one element of a der rod: tension along the edge, and across it the shear force that
// balances the bending and twisting of its neighbours (there is no shearing strain).
#include "rods/der/der.h"
#include "rods/der/options.h"

// Twist is exact, bending is measured by the tangent of its half unless the angle is asked for.
double der_moment_error(const cdg_rod *rod, cdg_quat turn, cdg_quat rest) {
    if (der_options(rod)->curvature == CDG_DER_ANGLE) return 0;
    double bend = 2 * atan2(hypot(turn.x, turn.y), hypot(turn.w, turn.z));
    double rest_bend = 2 * atan2(hypot(rest.x, rest.y), hypot(rest.w, rest.z));
    if (fabs(bend - rest_bend) < 0.1) return 0; // hardly a moment; small beside that of the twist, if that is large
    return cdg_tangent_moment_error(bend, rest_bend);
}

static der_section section_of(const cdg_rod *rod, size_t j) {
    cdg_quat q = rod_quat(rod->q, j);
    cdg_vec3 d1 = quat_d1(q), d2 = quat_d2(q), t = quat_d3(q);
    double length = vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, rod_next_node(rod, j)));
    return (der_section){{d1.x, d1.y, d1.z}, {d2.x, d2.y, d2.z}, {t.x, t.y, t.z}, 1 / length};
}

// Derivative of one spring's energy by the edge of the element, which is its right or left one; `other` is the frame on
// the spring's other side.
static cdg_vec3 pull(const cdg_rod *rod, size_t element, bool is_right, cdg_quat other, const der_material *m,
                     double near) {
    cdg_quat q = rod_quat(rod->q, element);
    double own[4] = {q.w, q.x, q.y, q.z}, beside[4] = {other.w, other.x, other.y, other.z};
    der_section section = section_of(rod, element), still = section; // only this element's derivative is used
    der_strain strain = is_right ? der_measure(beside, own, near) : der_measure(own, beside, near);
    der_stress stress = der_respond(&strain, m, der_options(rod)->curvature == CDG_DER_ANGLE);
    der_gradient g;
    der_differentiate(&strain, &stress, is_right ? &still : &section, is_right ? &section : &still, &g);
    const double *force = is_right ? g.right : g.left;
    return vec3(force[0], force[1], force[2]);
}

void der_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    size_t ends[2] = {element, rod_next_node(rod, element)}, at = element * rod->section_stride;
    double length = vec3_distance(rod_vec3(rod->x, ends[0]), rod_vec3(rod->x, ends[1]));
    double strain = length / rod->rest_length[element] - 1, tension = rod->stretch_stiffness[2][at] * strain;
    bool is_fixed = der_options(rod)->constraint != CDG_DER_CONSTRAINT_NONE;
    // What is left of the constraint's tolerance is no strain; what gave way between supports is (der/explicit.c).
    if (is_fixed && fabs(strain) < 1e-6) strain = 0;
    double energy = rod->rest_length[element] / 2 * rod->stretch_stiffness[2][at] * strain * strain;
    if (is_fixed) tension = rod->tension[element];
    cdg_quat q = rod_quat(rod->q, element);
    cdg_vec3 force = vec3_scale(tension, quat_d3(q));
    for (int end = 0; end < 2; end++) {
        size_t node = ends[end], beside = end == 0 ? rod_left_element(rod, node) : rod_right_element(rod, node);
        const cdg_hold *held = rod_hold_at(rod, node);
        if (held != NULL && held->frame_hold == CDG_HOLD_NO_FRAME) held = NULL;
        bool is_roll = held != NULL && held->frame_hold == CDG_HOLD_ROLL;
        if (beside != SIZE_MAX && (held == NULL || is_roll)) {
            der_material m = der_material_of(rod, node, rod_cell_length(rod, node), rod_vec3(rod->rest_curl, node));
            if (is_roll) m.twist = 0;
            force = vec3_add(force, pull(rod, element, end == 0, rod_quat(rod->q, beside), &m, rod->twist[node]));
        }
        if (held != NULL) {
            double half = rod->rest_length[element] / 2;
            der_material m = der_material_of(rod, node, half, der_half_rest(rod, node, element));
            if (is_roll) m.bend[0] = m.bend[1] = 0;
            force =
                vec3_add(force, pull(rod, element, end == 0, held->frame, &m, cdg_rod_half_twist(rod, node, element)));
        }
    }
    *out = (cdg_element_measure){
        .strain = vec3(0, 0, strain), .force = quat_rotate_inverse(q, force), .stretch_energy = energy};
}
