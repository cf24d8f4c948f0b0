// Exact element matrices of tetrahedra, several at once (see element_matrix in solid_system.c).
#include "solids/solid_lanes.h"
#include "solids/solid_system.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

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

enum { TERMS_MAX = 4 };

// What a pair of corners shares: scale g.g, and the sum of factor times outer products of what the terms make of g.
typedef struct element {
    lanes3 f;
    simd_double volume, scale, curl; // all times the volume
    simd_double factor[TERMS_MAX], along[TERMS_MAX][4][3];
    simd_double viscous, spread; // of damping
    simd_double square[3][3];    // F F^T, of damping
    simd_double g[4][3], fg[4][3];
} element;

// See add_damping in solid_system.c.
SIMD_INLINE void add_damping(const cdg_solid *solid, const cdg_solid_at *at, element *it) {
    const lanes3 *f = &it->f;
    double rate = solid->def.damping_time * at->rate;
    it->viscous = it->volume * solid->mu * rate, it->spread = it->volume * solid->lambda * rate;
    for (int i = 0; i < 9; i++)
        it->square[i / 3][i % 3] =
            f->m[i / 3][0] * f->m[i % 3][0] + f->m[i / 3][1] * f->m[i % 3][1] + f->m[i / 3][2] * f->m[i % 3][2];
}

SIMD_INLINE void pair_block(const element *it, int a, int b, int terms, bool has_curl, bool is_damped,
                            simd_double *out) {
    simd_double dot = it->g[a][0] * it->g[b][0] + it->g[a][1] * it->g[b][1] + it->g[a][2] * it->g[b][2], k[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            k[i][j] = i == j ? it->scale * dot : (simd_double){0};
            for (int t = 0; t < terms; t++) k[i][j] += it->factor[t] * it->along[t][a][i] * it->along[t][b][j];
            if (is_damped)
                k[i][j] += it->viscous * (dot * it->square[i][j] + it->fg[b][i] * it->fg[a][j]) +
                           it->spread * it->fg[a][i] * it->fg[b][j];
        }
    if (has_curl && a != b) { // minus the cross product with curl F (g_a x g_b)
        simd_double edge[3], turn[3];
        for (int i = 0; i < 3; i++)
            edge[i] = it->g[a][(i + 1) % 3] * it->g[b][(i + 2) % 3] - it->g[a][(i + 2) % 3] * it->g[b][(i + 1) % 3];
        apply(&it->f, edge, turn);
        for (int i = 0; i < 3; i++) {
            k[(i + 1) % 3][(i + 2) % 3] += it->curl * turn[i];
            k[(i + 2) % 3][(i + 1) % 3] -= it->curl * turn[i];
        }
    }
    for (int i = 0; i < 9; i++) out[i] = k[i / 3][i % 3];
}

// Of each lane's tetrahedron, in the precision that the solver takes.
SIMD_INLINE void put_blocks(cdg_solid_system *m, size_t slot, const simd_double *block) {
    bool is_light = cdg_solid_system_is_light(m);
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        const double *from = (const double *)block + lane;
        float *light = is_light ? m->light_blocks + 90 * (slot + lane) : NULL;
        double *out = is_light ? NULL : m->blocks + 90 * (slot + lane);
        for (size_t k = 0; k < 90 && is_light; k++) light[k] = (float)from[k * SIMD_LANES];
        for (size_t k = 0; k < 90 && !is_light; k++) out[k] = from[k * SIMD_LANES];
    }
}

// Once the law's part is there: the rest, and all pairs of corners.
SIMD_INLINE void give_blocks(const cdg_solid *solid, const cdg_solid_at *at, size_t slot, element *it, int terms,
                             bool has_curl) {
    bool is_damped = solid->def.damping_time > 0 && at->before != NULL;
    if (solid->bulk > 0) { // see nodal_pressure.h
        simd_double sum = simd_gather_uint32(solid->node_pressure, solid->corner[0] + slot);
        for (int k = 1; k < 4; k++) sum += simd_gather_uint32(solid->node_pressure, solid->corner[k] + slot);
        it->curl += 0.25 * it->volume * sum;
        has_curl = true;
    }
    for (int a = 0; a < 4; a++) apply(&it->f, it->g[a], it->fg[a]);
    if (is_damped) add_damping(solid, at, it);
    simd_double block[90], *to = block;
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++, to += 9) pair_block(it, a, b, terms, has_curl, is_damped, to);
    put_blocks(solid->system, slot, block);
}

bool VARIANT(cdg_neo_hookean_matrices)(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    neo_hookean_constants c = neo_hookean_of(solid->mu, solid->lambda);
    for (size_t slot = begin; slot < end; slot += SIMD_LANES) {
        element it = {.f = gradient(solid, at->x, slot, it.g), .volume = simd_load(solid->volume + slot)};
        const lanes3 *f = &it.f;
        lanes3 cof = cofactor(f);
        simd_double past = simd_broadcast(1);
        simd_double det = f->m[0][0] * cof.m[0][0] + f->m[0][1] * cof.m[0][1] + f->m[0][2] * cof.m[0][2];
        for (int k = 0; k < 9; k++) past += f->m[k / 3][k % 3] * f->m[k / 3][k % 3];
        it.scale = it.volume * c.mu * (1 - 1 / past), it.curl = it.volume * c.lambda * (det - c.alpha);
        it.factor[0] = it.volume * 2 * c.mu / (past * past), it.factor[1] = it.volume * c.lambda;
        for (int a = 0; a < 4; a++) apply(f, it.g[a], it.along[0][a]), apply(&cof, it.g[a], it.along[1][a]);
        give_blocks(solid, at, slot, &it, 2, true);
    }
    return true;
}

// The rows of the inverse of the Cholesky factor of tr(S) - S, see turn_plainly in corotational.c. Returns the lanes
// where that is not well positive definite.
SIMD_INLINE simd_mask find_turns(const lanes3 *s, simd_double row[3][3]) {
    const double least = 0.1;
    simd_double trace = s->m[0][0] + s->m[1][1] + s->m[2][2], zero = {0}, one = simd_broadcast(1);
    simd_double square = trace - s->m[0][0];
    simd_mask is_good = square > least;
    simd_double l00 = simd_sqrt(simd_select(is_good, square, one));
    simd_double l10 = -s->m[1][0] / l00, l20 = -s->m[2][0] / l00;
    square = trace - s->m[1][1] - l10 * l10;
    is_good &= square > least;
    simd_double l11 = simd_sqrt(simd_select(is_good, square, one)), l21 = (-s->m[2][1] - l20 * l10) / l11;
    square = trace - s->m[2][2] - l20 * l20 - l21 * l21;
    is_good &= square > least;
    simd_double l22 = simd_sqrt(simd_select(is_good, square, one));
    row[0][0] = 1 / l00, row[0][1] = zero, row[0][2] = zero;
    row[1][0] = -l10 / (l00 * l11), row[1][1] = 1 / l11, row[1][2] = zero;
    row[2][0] = -(l20 * row[0][0] + l21 * row[1][0]) / l22, row[2][1] = -l21 / (l11 * l22), row[2][2] = 1 / l22;
    return ~is_good;
}

bool VARIANT(cdg_corotational_matrices)(const cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    for (size_t slot = begin; slot < end; slot += SIMD_LANES) {
        element it = {.f = gradient(solid, at->x, slot, it.g), .volume = simd_load(solid->volume + slot)};
        simd_double q[4], row[3][3];
        find_rotations(solid, &it.f, slot, q);
        lanes3 r = matrix_of(q), s;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                s.m[i][k] = r.m[0][i] * it.f.m[0][k] + r.m[1][i] * it.f.m[1][k] + r.m[2][i] * it.f.m[2][k];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++) s.m[i][k] = s.m[k][i] = 0.5 * (s.m[i][k] + s.m[k][i]);
        if (simd_any(find_turns(&s, row) & (it.volume > 0))) return false;
        it.scale = 2 * solid->mu * it.volume, it.factor[0] = solid->lambda * it.volume, it.curl = (simd_double){0};
        for (int a = 0; a < 4; a++) apply(&r, it.g[a], it.along[0][a]);
        simd_double turning = it.volume * (solid->lambda * (s.m[0][0] + s.m[1][1] + s.m[2][2] - 3) - 2 * solid->mu);
        for (int t = 0; t < 3; t++) {
            it.factor[t + 1] = turning;
            for (int a = 0; a < 4; a++) {
                simd_double turned[3];
                for (int i = 0; i < 3; i++)
                    turned[i] = row[t][(i + 2) % 3] * it.g[a][(i + 1) % 3] - row[t][(i + 1) % 3] * it.g[a][(i + 2) % 3];
                apply(&r, turned, it.along[t + 1][a]);
            }
        }
        give_blocks(solid, at, slot, &it, 4, false);
    }
    return true;
}
