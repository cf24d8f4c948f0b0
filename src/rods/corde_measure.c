// Strains, force and energy of one element as corde defines them (corde_terms.h): the rest is that of all models.
#include "rods/corde.h"

#include "math/quat.h"

void corde_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out) {
    size_t at = element * rod->section_stride;
    double l = rod->rest_length[element], stiffness = rod->stretch_stiffness[2][at];
    cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, element)), rod_vec3(rod->x, element));
    double norm = vec3_norm(e), stretch = norm / l - 1;
    cdg_quat q = rod_quat(rod->q, element);
    cdg_vec3 t = quat_rotate_inverse(q, vec3_scale(1 / norm, e)); // of frame and tangent: (0, 0, 1) when parallel
    *out = (cdg_element_measure){.strain = vec3(t.x, t.y, stretch),
                                 .stretch_energy = stiffness * stretch * stretch * l / 2};
    cdg_vec3 force = vec3_scale(stiffness * stretch, t);
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
