// Symplectic Euler: forces, velocities, positions, in sub-steps that the stiffest element bears.
#include "base/error.h"
#include "solids/solid_model.h"
#include "solids/volume_floor.h"

#include <string.h>

cdg_result cdg_solid_predict_explicit(cdg_solid *s, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                                      cdg_error *error) {
    const double parts_max = 100000;
    double wanted = ceil(step / cdg_solid_stable_step(s));
    if (!(wanted <= parts_max))
        return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE,
                        "a step of %.3g s would take %.3g explicit sub-steps; use integrator bdf2, or a shorter step",
                        step, wanted);
    int parts = wanted > 1 ? (int)wanted : 1;
    double h = step / parts, pull[3] = {gravity.x, gravity.y, gravity.z};
    for (int k = 0; k < 3; k++) {
        memcpy(s->x_next[k], s->x[k], s->node_count * sizeof(double));
        memcpy(s->v_next[k], s->v[k], s->node_count * sizeof(double));
        memset(s->reaction[k], 0, s->node_count * sizeof(double));
    }
    cdg_solid_at at = {.x = s->x_next, .v = s->def.damping_time > 0 ? s->v_next : NULL};
    double *const *inner = s->inner_force;
    if (s->floor != NULL) cdg_volume_floor_begin(s);
    for (int part = 1; part <= parts; part++) {
        if (part > 1 || !cdg_solid_take_ahead(s)) cdg_solid_forces(s, &at, inner, threads);
        double share = (double)part / parts;
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < s->node_count; i++) {
                double force = inner[k][i] + s->force[k][i] + s->mass[i] * pull[k];
                if (s->is_held[i]) { // along the straight way to its target
                    double there = s->x[k][i] + share * (s->target[k][i] - s->x[k][i]);
                    double speed = (s->target[k][i] - s->x[k][i]) / step;
                    s->reaction[k][i] += (s->mass[i] * (speed - s->v_next[k][i]) / h - force) / parts;
                    s->x_next[k][i] = there, s->v_next[k][i] = speed;
                } else {
                    s->v_next[k][i] += h * force / s->mass[i];
                    s->x_next[k][i] += h * s->v_next[k][i];
                }
            }
        if (s->floor != NULL) cdg_volume_floor_hold(s, h, 1.0 / parts);
    }
    out->parts = parts;
    return CDG_OK;
}
