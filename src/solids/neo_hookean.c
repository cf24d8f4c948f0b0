// Stable neo-Hookean material (Smith, de Goes, Kim 2018): defined and finite for every F, inverted too, and at rest
// in every rotation of the rest shape. Eigenvalues of its second derivative are those of their section 4.
#include "math/eigen3.h"
#include "math/polar.h"
#include "solids/solid_model.h"

static double energy(const cdg_solid *solid, const mat3 *f, cdg_quat rotation) {
    (void)rotation;
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    double square = mat3_dot(f, f), excess = mat3_determinant(f) - 1, beyond = 1 - c.alpha;
    // lambda/2 (J - alpha)^2 - lambda/2 (1 - alpha)^2, and the logarithm of (I + 1)/4, without cancellation near rest
    return 0.5 * c.mu * (square - 3) + 0.5 * c.lambda * excess * (excess + 2 * beyond) -
           0.5 * c.mu * log1p(0.25 * (square - 3));
}

static mat3 stress(const cdg_solid *solid, const mat3 *f, cdg_quat rotation) {
    (void)rotation;
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    mat3 cofactor = mat3_cofactor(f);
    double pressure = c.lambda * (mat3_determinant(f) - c.alpha), shear = c.mu * (1 - 1 / (mat3_dot(f, f) + 1));
    return mat3_add(mat3_scale(shear, *f), mat3_scale(pressure, cofactor));
}

// u (e_i e_j^T + sign e_j e_i^T)/sqrt(2) v^T
static mat3 pair_direction(const mat3 *u, const mat3 *v, int i, int j, double sign) {
    mat3 d;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) d.m[r][c] = sqrt(0.5) * (u->m[r][i] * v->m[c][j] + sign * u->m[r][j] * v->m[c][i]);
    return d;
}

static void add(solid_curvature *out, double factor, mat3 direction) {
    if (!(factor > 0)) return;
    out->factor[out->count] = factor;
    out->direction[out->count++] = direction;
}

static void projected(const cdg_solid *solid, const mat3 *f, solid_curvature *out) {
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    mat3 r = mat3_from_quat(polar_rotation(f, quat_identity())), v, s = mat3_multiply(mat3_transpose(r), *f), w;
    double stretch[3], value[3];
    s = mat3_scale(0.5, mat3_add(s, mat3_transpose(s)));
    eigen3(s, stretch, &v);
    mat3 u = mat3_multiply(r, v), a;
    double square = stretch[0] * stretch[0] + stretch[1] * stretch[1] + stretch[2] * stretch[2];
    double shear = c.mu * (1 - 1 / (square + 1)), soft = 2 * c.mu / ((square + 1) * (square + 1));
    double pressure = c.lambda * (stretch[0] * stretch[1] * stretch[2] - c.alpha);
    *out = (solid_curvature){0};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add(out, shear + pressure * stretch[k], pair_direction(&u, &v, i, j, -1)); // twist
        add(out, shear - pressure * stretch[k], pair_direction(&u, &v, i, j, 1));  // flip
        double other[3] = {stretch[1] * stretch[2], stretch[2] * stretch[0], stretch[0] * stretch[1]};
        a.m[k][k] = shear + soft * stretch[k] * stretch[k] + c.lambda * other[k] * other[k];
        a.m[i][j] = a.m[j][i] = soft * stretch[i] * stretch[j] + c.lambda * other[i] * other[j] + pressure * stretch[k];
    }
    eigen3(a, value, &w);
    for (int k = 0; k < 3; k++) {
        mat3 stretched = mat3_multiply(u, mat3_diagonal(w.m[0][k], w.m[1][k], w.m[2][k]));
        add(out, value[k], mat3_multiply(stretched, mat3_transpose(v)));
    }
}

static void curvature(const cdg_solid *solid, const mat3 *f, cdg_quat rotation, bool is_projected,
                      solid_curvature *out) {
    (void)rotation;
    if (is_projected) {
        projected(solid, f, out);
        return;
    }
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    double past = mat3_dot(f, f) + 1;
    out->scale = c.mu * (1 - 1 / past);
    out->curl = c.lambda * (mat3_determinant(f) - c.alpha);
    out->count = 2;
    out->factor[0] = 2 * c.mu / (past * past);
    out->direction[0] = *f;
    out->factor[1] = c.lambda;
    out->direction[1] = mat3_cofactor(f);
}

const cdg_solid_model_table cdg_solid_neo_hookean = {.name = "neo_hookean",
                                                     .energy = energy,
                                                     .stress = stress,
                                                     .curvature = curvature,
                                                     .forces = cdg_neo_hookean_forces,
                                                     .whole_energy = cdg_neo_hookean_whole_energy,
                                                     .matrices = cdg_neo_hookean_matrices};
