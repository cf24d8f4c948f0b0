// Exact element matrices of neo-Hookean tetrahedra, several at once (see element_matrix in solid_system.c), in single
// precision, for conjugate gradients.
#include "math/simd.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef float simd_light __attribute__((vector_size(4 * CDG_SIMD_DOUBLES)));

typedef struct lanes3 {
    simd_double m[3][3];
} lanes3;

// Gradients of the corners' weights, and the deformation gradient.
SIMD_INLINE lanes3 gradient(const cdg_solid *solid, double *const *x, size_t slot, simd_double g[4][3]) {
    lanes3 f;
    for (int k = 0; k < 3; k++) {
        g[0][k] = (simd_double){0};
        for (int j = 0; j < 3; j++) {
            g[j + 1][k] = simd_load(solid->shape[3 * j + k] + slot);
            g[0][k] -= g[j + 1][k];
        }
    }
    for (int i = 0; i < 3; i++) {
        simd_double origin = simd_gather_uint32(x[i], solid->corner[0] + slot), edge[3];
        for (int j = 0; j < 3; j++) edge[j] = simd_gather_uint32(x[i], solid->corner[j + 1] + slot) - origin;
        for (int k = 0; k < 3; k++) f.m[i][k] = edge[0] * g[1][k] + edge[1] * g[2][k] + edge[2] * g[3][k];
    }
    return f;
}

SIMD_INLINE void apply(const lanes3 *a, simd_double g[3], simd_double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a->m[i][0] * g[0] + a->m[i][1] * g[1] + a->m[i][2] * g[2];
}

// What a pair of corners shares: with F g and (cofactor of F) g of both.
typedef struct element {
    simd_double scale, soft, hard, curl; // times the volume
    simd_double viscous, spread;         // of damping
    simd_double square[3][3];            // F F^T, of damping
    simd_double g[4][3], fg[4][3], cg[4][3];
} element;

SIMD_INLINE void pair_block(const element *it, const lanes3 *f, int a, int b, bool is_damped, simd_light *out) {
    simd_double dot = it->g[a][0] * it->g[b][0] + it->g[a][1] * it->g[b][1] + it->g[a][2] * it->g[b][2], k[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            k[i][j] = it->soft * it->fg[a][i] * it->fg[b][j] + it->hard * it->cg[a][i] * it->cg[b][j];
            if (is_damped)
                k[i][j] += it->viscous * (dot * it->square[i][j] + it->fg[b][i] * it->fg[a][j]) +
                           it->spread * it->fg[a][i] * it->fg[b][j];
            if (i == j) k[i][j] += it->scale * dot;
        }
    if (a != b) { // minus the cross product with curl F (g_a x g_b)
        simd_double edge[3], turn[3];
        for (int i = 0; i < 3; i++)
            edge[i] = it->g[a][(i + 1) % 3] * it->g[b][(i + 2) % 3] - it->g[a][(i + 2) % 3] * it->g[b][(i + 1) % 3];
        apply(f, edge, turn);
        for (int i = 0; i < 3; i++) {
            k[(i + 1) % 3][(i + 2) % 3] += it->curl * turn[i];
            k[(i + 2) % 3][(i + 1) % 3] -= it->curl * turn[i];
        }
    }
    for (int i = 0; i < 9; i++) out[i] = __builtin_convertvector(k[i / 3][i % 3], simd_light);
}

void VARIANT(cdg_neo_hookean_matrices)(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    bool is_damped = solid->def.damping_time > 0 && at->before != NULL;
    bool is_averaged = solid->bulk > 0;
    double rate = solid->def.damping_time * at->rate;
    for (size_t slot = begin; slot < end; slot += SIMD_LANES) {
        element it;
        lanes3 f = gradient(solid, at->x, slot, it.g), cofactor;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                cofactor.m[i][k] = f.m[(i + 1) % 3][(k + 1) % 3] * f.m[(i + 2) % 3][(k + 2) % 3] -
                                   f.m[(i + 1) % 3][(k + 2) % 3] * f.m[(i + 2) % 3][(k + 1) % 3];
        simd_double volume = simd_load(solid->volume + slot), past = simd_broadcast(1);
        simd_double det = f.m[0][0] * cofactor.m[0][0] + f.m[0][1] * cofactor.m[0][1] + f.m[0][2] * cofactor.m[0][2];
        for (int k = 0; k < 9; k++) past += f.m[k / 3][k % 3] * f.m[k / 3][k % 3];
        it.scale = volume * c.mu * (1 - 1 / past), it.soft = volume * 2 * c.mu / (past * past);
        it.hard = volume * c.lambda, it.curl = volume * c.lambda * (det - c.alpha);
        if (is_averaged) { // see nodal_pressure.h
            simd_double sum = simd_gather_uint32(solid->node_pressure, solid->corner[0] + slot);
            for (int k = 1; k < 4; k++) sum += simd_gather_uint32(solid->node_pressure, solid->corner[k] + slot);
            it.curl += 0.25 * volume * sum;
        }
        it.viscous = volume * solid->mu * rate, it.spread = volume * solid->lambda * rate;
        for (int i = 0; i < 9; i++)
            it.square[i / 3][i % 3] =
                f.m[i / 3][0] * f.m[i % 3][0] + f.m[i / 3][1] * f.m[i % 3][1] + f.m[i / 3][2] * f.m[i % 3][2];
        for (int a = 0; a < 4; a++) apply(&f, it.g[a], it.fg[a]), apply(&cofactor, it.g[a], it.cg[a]);
        simd_light block[90], *to = block;
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++, to += 9) pair_block(&it, &f, a, b, is_damped, to);
        for (size_t lane = 0; lane < SIMD_LANES; lane++) {
            float *out = solid->system->light_blocks + 90 * (slot + lane);
            const float *from = (const float *)block + lane;
            for (size_t k = 0; k < 90; k++) out[k] = from[k * SIMD_LANES];
        }
    }
}
