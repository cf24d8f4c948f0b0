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

// As R turns: with w the axial vector of R^T dF - dF^T R and H = tr(S) - S, of eigenvalues s_i + s_j, it adds
// (lambda tr(S - I) - 2 mu) w . H^-1 w, and the rows of the inverse of H's Cholesky factor are what to square. Spares
// the eigenvectors. False: H is not well positive definite, and its eigenvalues are to be looked at.
static bool turn_plainly(const mat3 *r, const mat3 *s, double factor, solid_curvature *out) {
    const double least = 0.1; // a sum of two stretches
    double trace = s->m[0][0] + s->m[1][1] + s->m[2][2], l00 = trace - s->m[0][0];
    if (!(l00 > least)) return false;
    l00 = sqrt(l00);
    double l10 = -s->m[1][0] / l00, l20 = -s->m[2][0] / l00, l11 = trace - s->m[1][1] - l10 * l10;
    if (!(l11 > least)) return false;
    l11 = sqrt(l11);
    double l21 = (-s->m[2][1] - l20 * l10) / l11, l22 = trace - s->m[2][2] - l20 * l20 - l21 * l21;
    if (!(l22 > least)) return false;
    l22 = sqrt(l22);
    double row[3][3] = {{1 / l00, 0, 0}, {-l10 / (l00 * l11), 1 / l11, 0}, {0, -l21 / (l11 * l22), 1 / l22}};
    row[2][0] = -(l20 * row[0][0] + l21 * row[1][0]) / l22;
    for (int k = 0; k < 3; k++) {
        const double *m = row[k];
        out->factor[k + 1] = factor;
        out->direction[k + 1] = mat3_multiply(*r, (mat3){{{0, m[2], -m[1]}, {-m[2], 0, m[0]}, {m[1], -m[0], 0}}});
    }
    return true;
}

static void curvature(const cdg_solid *solid, const mat3 *f, cdg_quat rotation, bool is_projected,
                      solid_curvature *out) {
    mat3 r = mat3_from_quat(polar_rotation(f, rotation)), v, s = mat3_multiply(mat3_transpose(r), *f);
    double stretch[3], spread = solid->lambda * (s.m[0][0] + s.m[1][1] + s.m[2][2] - 3) - 2 * solid->mu;
    s = mat3_scale(0.5, mat3_add(s, mat3_transpose(s)));
    out->scale = 2 * solid->mu, out->curl = 0, out->count = 4;
    out->factor[0] = solid->lambda, out->direction[0] = r;
    if (!is_projected && turn_plainly(&r, &s, spread, out)) return;
    eigen3(s, stretch, &v);
    mat3 u = mat3_multiply(r, v);
    double trace = stretch[0] + stretch[1] + stretch[2] - 3;
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
                                                      .forces_tell_energy = true,
                                                      .whole_energy = cdg_corotational_whole_energy,
                                                      .matrices = cdg_corotational_matrices};
