// Co-rotational linear elasticity (Mueller and Gross 2004, as chapter 5 of the thesis uses it): small strains in axes
// that turn with the element, R of F = R S. With R from the polar decomposition its forces have the energy
// mu |F - R|^2 + lambda/2 tr(S - I)^2.
#include "math/eigen3.h"
#include "math/polar.h"
#include "solids/solid_model.h"

static double energy(const cdg_solid *solid, const mat3 *f, cdg_quat rotation) {
    mat3 r = mat3_from_quat(polar_rotation(f, rotation)), d = mat3_add(*f, mat3_scale(-1, r));
    double trace = mat3_dot(&r, &d);
    return solid->mu * mat3_dot(&d, &d) + 0.5 * solid->lambda * trace * trace;
}

static mat3 stress(const cdg_solid *solid, const mat3 *f, cdg_quat rotation) {
    mat3 r = mat3_from_quat(polar_rotation(f, rotation)), d = mat3_add(*f, mat3_scale(-1, r));
    return mat3_add(mat3_scale(2 * solid->mu, d), mat3_scale(solid->lambda * mat3_dot(&r, &d), r));
}

static void curvature(const cdg_solid *solid, const mat3 *f, cdg_quat rotation, bool is_projected,
                      solid_curvature *out) {
    mat3 r = mat3_from_quat(polar_rotation(f, rotation)), v, s = mat3_multiply(mat3_transpose(r), *f);
    double stretch[3];
    s = mat3_scale(0.5, mat3_add(s, mat3_transpose(s)));
    eigen3(s, stretch, &v);
    mat3 u = mat3_multiply(r, v);
    double trace = stretch[0] + stretch[1] + stretch[2] - 3;
    out->scale = 2 * solid->mu;
    out->curl = 0;
    out->count = 4;
    out->factor[0] = solid->lambda;
    out->direction[0] = r;
    for (int k = 0; k < 3; k++) { // as R turns
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double sum = fmax(stretch[i] + stretch[j], 1e-6), factor = 2 * (solid->lambda * trace - 2 * solid->mu) / sum;
        out->factor[k + 1] = is_projected ? fmax(factor, -2 * solid->mu) : factor;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                out->direction[k + 1].m[a][b] = sqrt(0.5) * (u.m[a][i] * v.m[b][j] - u.m[a][j] * v.m[b][i]);
    }
}

const cdg_solid_model_table cdg_solid_corotational = {.name = "corotational",
                                                      .keeps_rotation = true,
                                                      .energy = energy,
                                                      .stress = stress,
                                                      .curvature = curvature,
                                                      .forces = cdg_corotational_forces,
                                                      .whole_energy = cdg_corotational_whole_energy};
