// The table of solid models: what a material answers to a deformation gradient F. Nothing else tells models apart.
#ifndef CDG_SOLIDS_SOLID_MODEL_H
#define CDG_SOLIDS_SOLID_MODEL_H

#include "math/mat3.h"
#include "solids/solid.h"

// The derivative of stress by F, as a quadratic form of dF:
// scale |dF|^2 + curl * (second derivative of det F) + sum of factor (direction : dF)^2.
typedef struct solid_curvature {
    double scale, curl;
    int count;
    double factor[10];
    mat3 direction[10];
} solid_curvature;

struct cdg_solid_model_table {
    const char *name;
    bool keeps_rotation;
    // J/m^3, 0 at rest. `rotation` is that of F (polar.h); models without one do not read it.
    double (*energy)(const cdg_solid *solid, const mat3 *f, cdg_quat rotation);
    mat3 (*stress)(const cdg_solid *solid, const mat3 *f, cdg_quat rotation); // first Piola-Kirchhoff, Pa
    // `is_projected`: negative eigenvalues are left out, so that Newton's method goes downhill. Else exact.
    void (*curvature)(const cdg_solid *solid, const mat3 *f, cdg_quat rotation, bool is_projected,
                      solid_curvature *out);
    // Forces of the groups begin .. end - 1 into solid->slot_force. Returns their energy, J, if `forces_tell_energy`.
    double (*forces)(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);
    bool forces_tell_energy; // it takes hardly any time beside the forces
    // Exact element matrices of the slots begin .. end - 1 (whole groups) into the system's blocks. False: not all of
    // them, and they are to be made one by one, from `curvature`; NULL: always.
    bool (*matrices)(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);
    double (*whole_energy)(const cdg_solid *solid, double *const x[3]); // J: of all tetrahedra
    // NULL but for models that are more than a law of stress. Those without `curvature` have neither implicit steps nor
    // equilibria; those with `predict` have steps of their own.
    cdg_result (*build)(cdg_solid *solid, cdg_error *error); // when everything else is built
    void (*free)(cdg_solid *solid);
    cdg_result (*predict)(cdg_solid *solid, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                          cdg_error *error);
};

const cdg_solid_model_table *cdg_solid_model_get(cdg_solid_model model); // NULL: there is none of that number

extern const cdg_solid_model_table cdg_solid_neo_hookean, cdg_solid_corotational, cdg_solid_shape_matching,
    cdg_solid_mass_spring;

// Stable neo-Hookean constants (Smith et al. 2018, section 3.4) for Lame's of linear elasticity.
typedef struct neo_hookean_constants {
    double mu, lambda, alpha;
} neo_hookean_constants;
static inline neo_hookean_constants neo_hookean_of(double mu, double lambda) {
    neo_hookean_constants c = {4.0 / 3 * mu, lambda + 5.0 / 6 * mu, 0};
    c.alpha = 1 + 0.75 * c.mu / c.lambda;
    return c;
}

static inline double mat3_dot(const mat3 *a, const mat3 *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) sum += a->m[i][k] * b->m[i][k];
    return sum;
}
static inline mat3 mat3_cofactor(const mat3 *f) { // d det f / d f
    const double(*m)[3] = f->m;
    return (mat3){{{m[1][1] * m[2][2] - m[1][2] * m[2][1], m[1][2] * m[2][0] - m[1][0] * m[2][2],
                    m[1][0] * m[2][1] - m[1][1] * m[2][0]},
                   {m[2][1] * m[0][2] - m[2][2] * m[0][1], m[2][2] * m[0][0] - m[2][0] * m[0][2],
                    m[2][0] * m[0][1] - m[2][1] * m[0][0]},
                   {m[0][1] * m[1][2] - m[0][2] * m[1][1], m[0][2] * m[1][0] - m[0][0] * m[1][2],
                    m[0][0] * m[1][1] - m[0][1] * m[1][0]}}};
}
static inline double mat3_determinant(const mat3 *f) {
    mat3 c = mat3_cofactor(f);
    return f->m[0][0] * c.m[0][0] + f->m[0][1] * c.m[0][1] + f->m[0][2] * c.m[0][2];
}

// Deformation gradient of a slot.
static inline mat3 solid_gradient(const cdg_solid *solid, double *const x[3], size_t slot) {
    mat3 f;
    for (int i = 0; i < 3; i++) {
        double origin = x[i][solid->corner[0][slot]], edge[3];
        for (int j = 0; j < 3; j++) edge[j] = x[i][solid->corner[j + 1][slot]] - origin;
        for (int k = 0; k < 3; k++)
            f.m[i][k] = edge[0] * solid->shape[k][slot] + edge[1] * solid->shape[3 + k][slot] +
                        edge[2] * solid->shape[6 + k][slot];
    }
    return f;
}
static inline cdg_quat solid_rotation(const cdg_solid *solid, size_t slot) { // as it was last found
    if (solid->rotation[0] == NULL) return quat_identity();
    return quat(solid->rotation[0][slot], solid->rotation[1][slot], solid->rotation[2][slot], solid->rotation[3][slot]);
}

// The loops of the models, one variant an instruction set (solid_forces_simd.c, solid_system_simd.c).
#define SOLID_FORCES_DECLARE(suffix)                                                                                   \
    double cdg_neo_hookean_forces##suffix(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);         \
    double cdg_corotational_forces##suffix(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);        \
    void cdg_solid_slot_volumes##suffix(const cdg_solid *solid, double *const x[3], size_t begin, size_t end);         \
    double cdg_neo_hookean_whole_energy##suffix(const cdg_solid *solid, double *const x[3]);                           \
    double cdg_corotational_whole_energy##suffix(const cdg_solid *solid, double *const x[3]);                          \
    bool cdg_neo_hookean_matrices##suffix(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);   \
    bool cdg_corotational_matrices##suffix(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end);
SOLID_FORCES_DECLARE()
SOLID_FORCES_DECLARE(_base)
SOLID_FORCES_DECLARE(_avx2)
SOLID_FORCES_DECLARE(_avx512)
#undef SOLID_FORCES_DECLARE

#endif
