// Forces of tetrahedra, several at once: deformation gradient, stress, forces on the four corners.
#include "solids/solid_lanes.h"

#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_double read(const double *from) {
    simd_double value;
    memcpy(&value, from, sizeof value);
    return value;
}
SIMD_INLINE void put(double *to, simd_double value) { memcpy(to, &value, sizeof value); }

SIMD_INLINE lanes3 gradient(const cdg_solid *solid, double *const *x, const lanes3 *shape, size_t slot) {
    lanes3 f;
    for (int i = 0; i < 3; i++) {
        simd_double origin = simd_gather_uint32(x[i], solid->corner[0] + slot), edge[3];
        for (int j = 0; j < 3; j++) edge[j] = simd_gather_uint32(x[i], solid->corner[j + 1] + slot) - origin;
        for (int k = 0; k < 3; k++)
            f.m[i][k] = edge[0] * shape->m[0][k] + edge[1] * shape->m[1][k] + edge[2] * shape->m[2][k];
    }
    return f;
}

SIMD_INLINE simd_double dot(const lanes3 *a, const lanes3 *b) {
    simd_double sum = a->m[0][0] * b->m[0][0];
    for (int k = 1; k < 9; k++) sum += a->m[k / 3][k % 3] * b->m[k / 3][k % 3];
    return sum;
}

// `density` becomes the energy of strain per volume, where it comes with the stress; else 0.
SIMD_INLINE lanes3 neo_hookean_stress(const cdg_solid *solid, const lanes3 *f, size_t slot, simd_double *density) {
    (void)slot;
    *density = simd_broadcast(0);
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    lanes3 cof = cofactor(f), p;
    simd_double det = f->m[0][0] * cof.m[0][0] + f->m[0][1] * cof.m[0][1] + f->m[0][2] * cof.m[0][2];
    simd_double shear = c.mu - c.mu / (dot(f, f) + 1), pressure = c.lambda * (det - c.alpha);
    for (int k = 0; k < 9; k++) p.m[k / 3][k % 3] = shear * f->m[k / 3][k % 3] + pressure * cof.m[k / 3][k % 3];
    return p;
}

SIMD_INLINE lanes3 corotational_stress(const cdg_solid *solid, const lanes3 *f, size_t slot, simd_double *density) {
    simd_double q[4], square = {0};
    find_rotations(solid, f, slot, q);
    for (int k = 0; k < 4; k++) put(solid->turned[k] + slot, q[k]);
    lanes3 r = matrix_of(q), p;
    simd_double stretch = dot(&r, f) - 3, trace = solid->lambda * stretch;
    for (int k = 0; k < 9; k++) {
        simd_double turned = r.m[k / 3][k % 3], off = f->m[k / 3][k % 3] - turned;
        p.m[k / 3][k % 3] = 2 * solid->mu * off + trace * turned;
        square += off * off;
    }
    *density = solid->mu * square + 0.5 * trace * stretch;
    return p;
}

// E = (F^T F - I)/2 up to a constant that differences do not have.
SIMD_INLINE lanes3 strain(const lanes3 *f, const lanes3 *g) { // sym(f^T g)/2
    lanes3 e;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            e.m[i][k] = 0.25 * (f->m[0][i] * g->m[0][k] + f->m[1][i] * g->m[1][k] + f->m[2][i] * g->m[2][k] +
                                f->m[0][k] * g->m[0][i] + f->m[1][k] * g->m[1][i] + f->m[2][k] * g->m[2][i]);
            e.m[k][i] = e.m[i][k];
        }
    return e;
}

// Kelvin-Voigt: F (2 mu E' + lambda tr E') times the damping time. Rigid motion has no E'.
SIMD_INLINE void add_damping(const cdg_solid *solid, const cdg_solid_at *at, const lanes3 *f, const lanes3 *shape,
                             size_t slot, lanes3 *p) {
    lanes3 rate;
    if (at->v != NULL) {
        lanes3 fdot = gradient(solid, at->v, shape, slot);
        rate = strain(f, &fdot);
        for (int k = 0; k < 9; k++) rate.m[k / 3][k % 3] *= 2;
    } else {
        lanes3 old = gradient(solid, at->before, shape, slot), before = strain(&old, &old);
        rate = strain(f, f);
        for (int k = 0; k < 9; k++) rate.m[k / 3][k % 3] = at->rate * (rate.m[k / 3][k % 3] - before.m[k / 3][k % 3]);
    }
    double mu = 2 * solid->mu * solid->def.damping_time, lambda = solid->lambda * solid->def.damping_time;
    simd_double trace = lambda * (rate.m[0][0] + rate.m[1][1] + rate.m[2][2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            p->m[i][k] += mu * (f->m[i][0] * rate.m[0][k] + f->m[i][1] * rate.m[1][k] + f->m[i][2] * rate.m[2][k]) +
                          trace * f->m[i][k];
}

// The mean of the pressures at the corners, which acts on the cofactor of F.
SIMD_INLINE void add_nodal_pressure(const cdg_solid *solid, const lanes3 *f, size_t slot, lanes3 *p) {
    simd_double sum = simd_gather_uint32(solid->node_pressure, solid->corner[0] + slot);
    for (int c = 1; c < 4; c++) sum += simd_gather_uint32(solid->node_pressure, solid->corner[c] + slot);
    lanes3 cof = cofactor(f);
    sum *= 0.25;
    for (int k = 0; k < 9; k++) p->m[k / 3][k % 3] += sum * cof.m[k / 3][k % 3];
}

// Present volumes of the groups begin .. end - 1 into slot_volume.
void VARIANT(cdg_solid_slot_volumes)(const cdg_solid *solid, double *const x[3], size_t begin, size_t end) {
    for (size_t slot = begin * SOLID_GROUP; slot < end * SOLID_GROUP; slot += SIMD_LANES) {
        lanes3 edge;
        for (int i = 0; i < 3; i++) {
            simd_double origin = simd_gather_uint32(x[i], solid->corner[0] + slot);
            for (int j = 0; j < 3; j++) edge.m[j][i] = simd_gather_uint32(x[i], solid->corner[j + 1] + slot) - origin;
        }
        lanes3 cof = cofactor(&edge);
        simd_double det = edge.m[0][0] * cof.m[0][0] + edge.m[0][1] * cof.m[0][1] + edge.m[0][2] * cof.m[0][2];
        put(solid->slot_volume + slot, det * (1.0 / 6));
    }
}

// Slots that no tetrahedron has add nothing.
SIMD_INLINE double sum_of_lanes(simd_double a) {
    double sum = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) sum += simd_get(&a, lane);
    return sum;
}

#define DEFINE_FORCES(name, stress)                                                                                    \
    double VARIANT(name)(cdg_solid * solid, const cdg_solid_at *at, size_t begin, size_t end) {                        \
        simd_double energy = {0};                                                                                      \
        bool is_damped = solid->def.damping_time > 0 && (at->v != NULL || at->before != NULL);                         \
        bool is_averaged = solid->bulk > 0;                                                                            \
        for (size_t slot = begin * SOLID_GROUP; slot < end * SOLID_GROUP; slot += SIMD_LANES) {                        \
            lanes3 shape;                                                                                              \
            for (int k = 0; k < 9; k++) shape.m[k / 3][k % 3] = read(solid->shape[k] + slot);                          \
            simd_double density, volume = read(solid->volume + slot);                                                  \
            lanes3 f = gradient(solid, at->x, &shape, slot), p = stress(solid, &f, slot, &density);                    \
            energy += simd_select(volume > 0, volume * density, simd_broadcast(0));                                    \
            if (is_averaged) add_nodal_pressure(solid, &f, slot, &p);                                                  \
            if (is_damped) add_damping(solid, at, &f, &shape, slot, &p);                                               \
            give_forces(solid, &p, &shape, slot);                                                                      \
        }                                                                                                              \
        return sum_of_lanes(energy);                                                                                   \
    }

SIMD_INLINE void give_forces(cdg_solid *solid, const lanes3 *p, const lanes3 *shape, size_t slot) {
    simd_double volume = -read(solid->volume + slot);
    double *to = solid->slot_force + slot / SOLID_GROUP * (12 * SOLID_GROUP) + slot % SOLID_GROUP;
    for (int i = 0; i < 3; i++) {
        simd_double sum = {0};
        for (int j = 0; j < 3; j++) {
            simd_double force =
                volume * (p->m[i][0] * shape->m[j][0] + p->m[i][1] * shape->m[j][1] + p->m[i][2] * shape->m[j][2]);
            sum -= force;
            put(to + (3 * (j + 1) + i) * SOLID_GROUP, force);
        }
        put(to + i * SOLID_GROUP, sum);
    }
}

DEFINE_FORCES(cdg_neo_hookean_forces, neo_hookean_stress)
DEFINE_FORCES(cdg_corotational_forces, corotational_stress)

// ---- energy ---------------------------------------------------------------------------------------------------------

// The laws are those of corotational.c and neo_hookean.c.
SIMD_INLINE simd_double corotational_energy(const cdg_solid *solid, const lanes3 *f, size_t slot) {
    simd_double q[4];
    find_rotations(solid, f, slot, q);
    lanes3 r = matrix_of(q), d;
    for (int k = 0; k < 9; k++) d.m[k / 3][k % 3] = f->m[k / 3][k % 3] - r.m[k / 3][k % 3];
    simd_double trace = dot(&r, &d);
    return solid->mu * dot(&d, &d) + 0.5 * solid->lambda * trace * trace;
}

SIMD_INLINE simd_double neo_hookean_energy(const cdg_solid *solid, const lanes3 *f, size_t slot) {
    (void)slot;
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    lanes3 cof = cofactor(f);
    simd_double excess = f->m[0][0] * cof.m[0][0] + f->m[0][1] * cof.m[0][1] + f->m[0][2] * cof.m[0][2] - 1;
    simd_double square = dot(f, f) - 3, logarithm;
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        simd_lanes(&logarithm)[lane] = log1p(0.25 * simd_get(&square, lane));
    return 0.5 * c.mu * square + 0.5 * c.lambda * excess * (excess + 2 * (1 - c.alpha)) - 0.5 * c.mu * logarithm;
}

// Slots that no tetrahedron has add nothing.
#define DEFINE_ENERGY(name, density)                                                                                   \
    double VARIANT(name)(const cdg_solid *solid, double *const x[3]) {                                                 \
        simd_double sum = {0}, zero = {0};                                                                             \
        for (size_t slot = 0; slot < solid->slot_count; slot += SIMD_LANES) {                                          \
            lanes3 shape;                                                                                              \
            for (int k = 0; k < 9; k++) shape.m[k / 3][k % 3] = read(solid->shape[k] + slot);                          \
            lanes3 f = gradient(solid, x, &shape, slot);                                                               \
            simd_double volume = read(solid->volume + slot);                                                           \
            sum += simd_select(volume > 0, volume * density(solid, &f, slot), zero);                                   \
        }                                                                                                              \
        return sum_of_lanes(sum);                                                                                      \
    }

DEFINE_ENERGY(cdg_neo_hookean_whole_energy, neo_hookean_energy)
DEFINE_ENERGY(cdg_corotational_whole_energy, corotational_energy)
