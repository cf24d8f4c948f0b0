// Forces of a candidate, found together with its energy, which the energy guard needs in every step with contact. The
// next step, which begins at that candidate, takes them over instead of finding them again. They are the same to the
// bit, because they come from the same rotations, which stay as they are until then, as snapshots hold them.
#include "solids/nodal_pressure.h"
#include "solids/solid_model.h"
#include "solids/volume_barrier.h"

#include <string.h>

bool cdg_solid_may_look_ahead(const cdg_solid *s) {
    return !solid_is_implicit(s) && s->model->forces_tell_energy && s->model->keeps_rotation;
}

static bool is_damped(const cdg_solid *s) { return s->def.damping_time > 0; }

double cdg_solid_look_ahead(cdg_solid *s) {
    if (!cdg_solid_may_look_ahead(s)) return cdg_solid_elastic_energy(s, s->x_next);
    cdg_solid_at at = {.x = s->x_next, .v = is_damped(s) ? s->v_next : NULL};
    for (int k = 0; k < 4; k++) s->turned[k] = s->ahead.rotation[k];
    cdg_solid_forces(s, &at, s->inner_force, 1);
    for (int k = 0; k < 4; k++) s->turned[k] = s->rotation[k];
    for (int k = 0; k < 3; k++) {
        memcpy(s->ahead.x[k], s->x_next[k], s->node_count * sizeof(double));
        if (is_damped(s)) memcpy(s->ahead.v[k], s->v_next[k], s->node_count * sizeof(double));
    }
    s->ahead.is_there = true;
    double sum = 0;
    for (size_t i = 0; i < solid_part_count(s); i++) sum += s->part_energy[i];
    if (s->def.volume_barrier > 0) sum += cdg_volume_barrier_energy(s, s->x_next);
    return s->bulk > 0 ? sum + cdg_nodal_pressure_energy(s, s->x_next) : sum;
}

// Whether the state is that candidate: it may have been dropped, or another state loaded or set.
static bool is_here(const cdg_solid *s) {
    size_t bytes = s->node_count * sizeof(double);
    for (int k = 0; k < 3; k++) {
        if (memcmp(s->ahead.x[k], s->x[k], bytes) != 0) return false;
        if (is_damped(s) && memcmp(s->ahead.v[k], s->v[k], bytes) != 0) return false;
    }
    return true;
}

bool cdg_solid_take_ahead(cdg_solid *s) {
    if (!s->ahead.is_there) return false;
    s->ahead.is_there = false;
    if (!is_here(s)) return false;
    for (int k = 0; k < 4; k++) {
        double *rotation = s->rotation[k];
        s->turned[k] = s->rotation[k] = s->ahead.rotation[k];
        s->ahead.rotation[k] = rotation;
    }
    return true;
}
