// The two passes of a sphere tree over its points, several at once.
#include "math/simd.h"
#include "solids/sphere_tree.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

static double total(simd_double a) {
    double sum = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) sum += simd_get(&a, lane);
    return sum;
}

// Functions of points that fill up are zero. Positions are taken from the first point's, which the centre then is from.
SIMD_INLINE void sum(cdg_sphere_tree *t, size_t basis_count) {
    simd_double fit[SPHERE_TREE_BASIS_MAX][3] = {{{0}}}, position[3] = {{0}};
    double from[3] = {t->x[0][0], t->x[1][0], t->x[2][0]};
    for (size_t i = 0; i < t->room; i += SIMD_LANES) {
        simd_double q[3];
        for (int k = 0; k < 3; k++) q[k] = simd_load(t->x[k] + i) - from[k], position[k] += q[k];
        for (size_t b = 0; b < basis_count; b++) {
            simd_double phi = simd_load(t->basis[b] + i);
            for (int k = 0; k < 3; k++) fit[b][k] += q[k] * phi;
        }
    }
    for (size_t b = 0; b < basis_count; b++)
        for (int k = 0; k < 3; k++) t->fit[b][k] = total(fit[b][k]);
    double count = (double)t->point_count; // those that fill up are the first point again
    t->center = (cdg_vec3){from[0] + total(position[0]) / count, from[1] + total(position[1]) / count,
                           from[2] + total(position[2]) / count};
}

void VARIANT(cdg_sphere_tree_sum)(cdg_sphere_tree *t) {
    if (t->basis_count == 3)
        sum(t, 3);
    else
        sum(t, SPHERE_TREE_BASIS_MAX);
}

SIMD_INLINE void leave(cdg_sphere_tree *t, size_t basis_count) {
    double center[3] = {t->center.x, t->center.y, t->center.z};
    for (size_t i = 0; i < t->room; i += SIMD_LANES) {
        simd_double q[3];
        for (int k = 0; k < 3; k++) q[k] = simd_load(t->x[k] + i) - center[k];
        for (size_t b = 0; b < basis_count; b++) {
            simd_double phi = simd_load(t->basis[b] + i);
            for (int k = 0; k < 3; k++) q[k] -= t->fit[b][k] * phi;
        }
        simd_store(t->away2 + i, q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    }
}

void VARIANT(cdg_sphere_tree_leave)(cdg_sphere_tree *t) {
    if (t->basis_count == 3)
        leave(t, 3);
    else
        leave(t, SPHERE_TREE_BASIS_MAX);
}
