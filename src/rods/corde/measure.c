// Strains, force and energy of one element as corde defines them (corde/terms.h): the rest is that of all models.
#include "rods/corde/corde.h"

#include "math/quat.h"

// E A d/dt of stretching, and of the coupling kappa l (1 - t.d3): -kappa l (dt/dt.d3 + t.(w x d3)).
static double element_power(const cdg_rod *rod, size_t element) {
    size_t at = element * rod->section_stride, next = rod_next_node(rod, element);
    cdg_vec3 e = vec3_sub(rod_vec3(rod->x, next), rod_vec3(rod->x, element));
    cdg_vec3 de = vec3_sub(rod_vec3(rod->v, next), rod_vec3(rod->v, element));
    double norm = vec3_norm(e), l = rod->rest_length[element];
    cdg_vec3 t = vec3_scale(1 / norm, e);
    double along = vec3_dot(t, de),
           power = rod->stretch_stiffness[2][at] * corde_stretch_tension(norm, 1 / norm, l) * along;
    if (corde_is_constraint(rod)) return power;
    cdg_quat q = rod_quat(rod->q, element);
    cdg_vec3 rate = vec3_scale(1 / norm, vec3_mad(de, -along, t));
    cdg_vec3 spin = quat_rotate(q, rod_vec3(rod->w, element)), d3 = quat_d3(q);
    double closing = vec3_dot(rate, d3) + vec3_dot(t, vec3_cross(spin, d3));
    return power - rod->stretch_stiffness[0][at] * l * closing;
}

double corde_strain_power(const cdg_rod *rod) {
    double sum = cdg_rod_turning_power(rod);
    for (size_t j = 0; j < rod->element_count; j++) sum += element_power(rod, j);
    return sum;
}

void corde_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    size_t at = element * rod->section_stride;
    double l = rod->rest_length[element], stiffness = rod->stretch_stiffness[2][at];
    cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, element)), rod_vec3(rod->x, element));
    double norm = vec3_norm(e), stretch = norm / l - 1;
    cdg_quat q = rod_quat(rod->q, element);
    cdg_vec3 t = quat_rotate_inverse(q, vec3_scale(1 / norm, e)); // of frame and tangent: (0, 0, 1) when parallel
    *out = (cdg_element_measure){.strain = vec3(t.x, t.y, stretch),
                                 .stretch_energy = stiffness * corde_stretch_energy(norm, l)};
    cdg_vec3 force = vec3_scale(stiffness * corde_stretch_tension(norm, 1 / norm, l), t);
    if (corde_is_constraint(rod)) {
        // The frame's torques across the tangent stand against the couple of the shear force: n = -(T x t)/|e|. T is
        // the difference of the moments at the element's ends.
        cdg_vec3 torque = vec3(0, 0, 0);
        for (int end = 0; end < 2; end++) {
            cdg_vec3 part = cdg_rod_torque_on(rod, element, end == 1);
            torque = vec3_add(torque, part);
        }
        force = vec3_mad(force, -1 / norm, vec3_cross(torque, t));
    } else {
        double kappa = rod->stretch_stiffness[0][at], cosine = t.z;
        force = vec3_add(force, vec3_scale(-kappa * l / norm, vec3_sub(vec3(0, 0, 1), vec3_scale(cosine, t))));
        cdg_vec3 away = vec3_sub(t, vec3(0, 0, 1)); // not 1 - cosine, which cancels
        out->shear_energy = kappa * l / 2 * vec3_dot(away, away);
    }
    out->force = force;
}
