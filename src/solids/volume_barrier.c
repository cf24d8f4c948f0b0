#include "solids/volume_barrier.h"

volume_barrier cdg_volume_barrier_at(const cdg_solid *s, double volume_share) {
    double below = s->def.volume_barrier, u = volume_share / below;
    if (!(volume_share < below)) return (volume_barrier){0, 0, 0};
    if (!(volume_share > 0)) return (volume_barrier){HUGE_VAL, 0, 0};
    double stiffness = s->lambda + s->bulk + 2 * s->mu, left = 1 - u, depth = -log(u);
    return (volume_barrier){.energy = stiffness * below * below * left * left * depth,
                            .slope = -stiffness * below * left * (2 * depth + left / u),
                            .bend = stiffness * (2 * depth + 4 * left / u + left * left / (u * u))};
}

double cdg_volume_barrier_energy(const cdg_solid *s, double *const x[3]) {
    double sum = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, x, t);
        double share = mat3_determinant(&f);
        if (share < s->def.volume_barrier) sum += s->volume[t] * cdg_volume_barrier_at(s, share).energy;
    }
    return sum;
}

static void push_slot(cdg_solid *s, size_t slot, const mat3 *f, double share) {
    double pressure = -s->volume[slot] * cdg_volume_barrier_at(s, share).slope;
    mat3 cofactor = mat3_cofactor(f);
    double *to = s->slot_force + slot / SOLID_GROUP * (12 * SOLID_GROUP) + slot % SOLID_GROUP;
    for (int j = 1; j < 4; j++) {
        cdg_vec3 g = vec3(s->shape[3 * j - 3][slot], s->shape[3 * j - 2][slot], s->shape[3 * j - 1][slot]);
        cdg_vec3 along = mat3_apply(&cofactor, g);
        const double force[3] = {pressure * along.x, pressure * along.y, pressure * along.z};
        for (int k = 0; k < 3; k++) {
            to[(3 * j + k) * SOLID_GROUP] += force[k];
            to[k * SOLID_GROUP] -= force[k];
        }
    }
}

void cdg_volume_barrier_push(cdg_solid *s, double *const x[3], size_t begin, size_t end) {
    for (size_t slot = begin * SOLID_GROUP; slot < end * SOLID_GROUP; slot++) {
        if (!(s->volume[slot] > 0)) continue;
        mat3 f = solid_gradient(s, x, slot);
        double share = mat3_determinant(&f);
        if (share < s->def.volume_barrier) push_slot(s, slot, &f, share);
    }
}

void cdg_volume_barrier_bend(const cdg_solid *s, const mat3 *f, bool is_projected, solid_curvature *out) {
    double share = mat3_determinant(f);
    if (!(share < s->def.volume_barrier)) return;
    volume_barrier barrier = cdg_volume_barrier_at(s, share);
    if (!is_projected) out->curl += barrier.slope;
    out->factor[out->count] = barrier.bend;
    out->direction[out->count++] = mat3_cofactor(f);
}
