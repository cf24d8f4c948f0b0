// Places in a solid: where they are, how they turn, and how forces and moments at them act on nodes.
//
// With F = R S the polar decomposition of a tetrahedron's deformation, a small dF turns R by R w, where
// (tr S - S) w is the axial vector of R^T dF. The forces of a moment are those that do its work on that turn.
#include "solids/solid_place.h"

#include "math/polar.h"
#include "math/symmetric3.h"
#include "meshing/triangle.h"
#include "solids/solid_model.h"

// Gradient of a corner's weight in the shape at rest, 1/m.
static cdg_vec3 gradient_of(const cdg_solid *s, size_t slot, int corner) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (int j = 0; j < 3; j++) {
        cdg_vec3 g = vec3(s->shape[3 * j][slot], s->shape[3 * j + 1][slot], s->shape[3 * j + 2][slot]);
        if (corner == j + 1) return g;
        sum = vec3_sub(sum, g);
    }
    return sum;
}

// Weights of a point in a tetrahedron with nodes at x. False: it has no volume.
static bool weigh(const cdg_solid *s, double *const x[3], size_t slot, cdg_vec3 point, double weight[4]) {
    cdg_vec3 corner[4];
    for (int c = 0; c < 4; c++) corner[c] = solid_vec3(x, s->tetrahedra[slot][c]);
    cdg_vec3 a = vec3_sub(corner[1], corner[0]), b = vec3_sub(corner[2], corner[0]), c = vec3_sub(corner[3], corner[0]);
    double volume = vec3_dot(a, vec3_cross(b, c));
    if (!(fabs(volume) > 0)) return false;
    cdg_vec3 away = vec3_sub(point, corner[0]);
    weight[1] = vec3_dot(vec3_cross(b, c), away) / volume;
    weight[2] = vec3_dot(vec3_cross(c, a), away) / volume;
    weight[3] = vec3_dot(vec3_cross(a, b), away) / volume;
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
    return true;
}

// The tetrahedron that a triangle of the surface belongs to.
static uint32_t behind(const cdg_solid *s, const uint32_t triangle[3]) {
    for (uint32_t u = s->first_use[triangle[0]]; u < s->first_use[triangle[0] + 1]; u++) {
        const uint32_t *node = s->tetrahedra[s->use[u] >> 2];
        int found = 0;
        for (int c = 0; c < 4; c++) found += node[c] == triangle[1] || node[c] == triangle[2];
        if (found == 2) return s->use[u] >> 2;
    }
    return 0;
}

double cdg_solid_find_place(const cdg_solid *s, double *const x[3], cdg_vec3 point, solid_place *out) {
    const double slack = 1e-9; // of a tetrahedron: what lies between two belongs to one of them
    for (uint32_t t = 0; t < s->tetrahedron_count; t++) {
        *out = (solid_place){.tetrahedron = t};
        if (!weigh(s, x, t, point, out->weight)) continue;
        if (fmin(fmin(out->weight[0], out->weight[1]), fmin(out->weight[2], out->weight[3])) >= -slack) return 0;
    }
    double least = INFINITY;
    *out = (solid_place){.weight = {1}};
    for (size_t t = 0; t < s->surface_count; t++) {
        const uint32_t *node = s->surface[t];
        cdg_vec3 corner[3] = {solid_vec3(x, node[0]), solid_vec3(x, node[1]), solid_vec3(x, node[2])};
        double distance = vec3_distance(point, triangle_nearest(corner, point)), weight[4];
        uint32_t tetrahedron = behind(s, node);
        if (!(distance < least) || !weigh(s, x, tetrahedron, point, weight)) continue;
        least = distance;
        out->tetrahedron = tetrahedron;
        for (int k = 0; k < 4; k++) out->weight[k] = weight[k];
    }
    return least;
}

cdg_vec3 cdg_solid_place_at(const cdg_solid *s, double *const x[3], const solid_place *place) {
    const uint32_t *node = s->tetrahedra[place->tetrahedron];
    cdg_vec3 sum = vec3_scale(place->weight[0], solid_vec3(x, node[0]));
    for (int c = 1; c < 4; c++) sum = vec3_mad(sum, place->weight[c], solid_vec3(x, node[c]));
    return sum;
}

cdg_quat cdg_solid_place_rotation(const cdg_solid *s, double *const x[3], const solid_place *place, cdg_quat start) {
    mat3 f = solid_gradient(s, x, place->tetrahedron);
    return polar_rotation(&f, start);
}

// (tr S - S)^-1 v, S the symmetric part of R^T F. Flat and inverted tetrahedra have no such inverse: as if they were
// barely not so.
static cdg_vec3 resist(const mat3 *stretch, cdg_vec3 v) {
    const double(*m)[3] = stretch->m;
    double trace = fmax(m[0][0] + m[1][1] + m[2][2], 0.3);
    symmetric3 a = {.xx = trace - m[0][0],
                    .xy = -0.5 * (m[0][1] + m[1][0]),
                    .xz = -0.5 * (m[0][2] + m[2][0]),
                    .yy = trace - m[1][1],
                    .yz = -0.5 * (m[1][2] + m[2][1]),
                    .zz = trace - m[2][2]};
    return symmetric3_times(symmetric3_inverse(a), v);
}

static mat3 stretch_of(const cdg_solid *s, double *const x[3], const solid_place *place, const mat3 *rotation) {
    return mat3_multiply(mat3_transpose(*rotation), solid_gradient(s, x, place->tetrahedron));
}

void cdg_solid_place_forces(const cdg_solid *s, double *const x[3], const solid_place *place, cdg_quat rotation,
                            cdg_vec3 force, cdg_vec3 moment, cdg_vec3 out[4]) {
    mat3 r = mat3_from_quat(rotation), stretch = stretch_of(s, x, place, &r);
    mat3 stress = mat3_multiply(r, mat3_cross(resist(&stretch, quat_rotate_inverse(rotation, moment))));
    for (int c = 0; c < 4; c++)
        out[c] = vec3_mad(mat3_apply(&stress, gradient_of(s, place->tetrahedron, c)), place->weight[c], force);
}

void cdg_solid_place_moves(const cdg_solid *s, double *const x[3], const solid_place *place, cdg_quat rotation,
                           const cdg_vec3 moves[4], cdg_vec3 *move, cdg_vec3 *turn) {
    mat3 r = mat3_from_quat(rotation), stretch = stretch_of(s, x, place, &r), change = mat3_diagonal(0, 0, 0);
    *move = vec3(0, 0, 0);
    for (int c = 0; c < 4; c++) {
        *move = vec3_mad(*move, place->weight[c], moves[c]);
        change = mat3_add(change, mat3_outer(1, moves[c], gradient_of(s, place->tetrahedron, c)));
    }
    mat3 a = mat3_multiply(mat3_transpose(r), change);
    cdg_vec3 axial = vec3(a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1]);
    *turn = quat_rotate(rotation, resist(&stretch, axial));
}

double cdg_solid_place_stress(const cdg_solid *s, double *const x[3], const solid_place *place) {
    return cdg_solid_tetrahedron_stress(s, x, place->tetrahedron);
}
