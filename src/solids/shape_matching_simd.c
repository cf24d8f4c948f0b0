// The loops of shape matching over points, several at once. Halfway positions are in x_next, velocities that the match
// sees in v_next; arrays of nodes have room for whole groups.
#include "math/simd.h"
#include "solids/shape_matching.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_double read(const cdg_shape_matching *m, const double *array, size_t slot) {
    return m->is_whole ? simd_load(array + slot) : simd_gather_uint32(array, m->node + slot);
}

static double total(simd_double a) {
    double sum = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) sum += simd_get(&a, lane);
    return sum;
}

// ---- before and after -----------------------------------------------------------------------------------------------

// The first part of the way, and the share of forces that comes before the match. Held nodes are on their way.
void VARIANT(cdg_matching_begin)(cdg_solid *s, const matching_kick *kick, size_t begin, size_t end) {
    const cdg_shape_matching *m = solid_matching(s);
    double lead = kick->lead, early = kick->early * kick->step, rate = 1 / kick->step;
    for (size_t i = begin; i < end; i += SIMD_LANES) {
        simd_mask is_free = simd_load(m->goal_free + i) > 0;
        simd_double inverse = simd_load(m->inverse_mass + i);
        for (int k = 0; k < 3; k++) {
            simd_double x = simd_load(s->x[k] + i), v = simd_load(s->v[k] + i), target = simd_load(s->target[k] + i);
            simd_double pull = simd_load(s->force[k] + i) * inverse + kick->gravity[k];
            simd_store(s->x_next[k] + i, x + lead * simd_select(is_free, v, (target - x) * rate));
            simd_store(s->v_next[k] + i, simd_select(is_free, v + early * pull, (target - x) * rate));
        }
    }
}

// The rest of forces, what the match gave, the rest of the way.
void VARIANT(cdg_matching_end)(cdg_solid *s, const matching_kick *kick, size_t begin, size_t end) {
    const cdg_shape_matching *m = solid_matching(s);
    double rest = kick->step - kick->lead, late = (1 - kick->early) * kick->step;
    for (size_t i = begin; i < end; i += SIMD_LANES) {
        simd_mask is_free = simd_load(m->goal_free + i) > 0;
        simd_double inverse = simd_load(m->inverse_mass + i);
        for (int k = 0; k < 3; k++) {
            simd_double x = simd_load(s->x_next[k] + i), v = simd_load(s->v_next[k] + i);
            simd_double pull = simd_load(s->force[k] + i) * inverse + kick->gravity[k];
            simd_double speed = simd_select(is_free, v + late * pull + simd_load(m->given[k] + i), v);
            simd_store(s->v_next[k] + i, speed);
            simd_store(s->x_next[k] + i, x + rest * speed);
        }
    }
}

// ---- sums -----------------------------------------------------------------------------------------------------------

SIMD_INLINE void sum_chunk(const cdg_solid *s, size_t chunk, size_t basis_count) {
    const cdg_shape_matching *m = solid_matching(s);
    const matching_chunk *c = &m->chunks[chunk];
    uint32_t first = m->node[m->first_slot[c->cluster]];
    simd_double position[3] = {{0}}, speed[3] = {{0}}, spread[6] = {{0}}, spin[3] = {{0}};
    simd_double shape[MATCHING_BASIS_MAX][3] = {{{0}}}, rate[MATCHING_BASIS_MAX][3] = {{{0}}};
    double from[3], flow[3];
    for (int k = 0; k < 3; k++) from[k] = s->x_next[k][first], flow[k] = s->v_next[k][first];
    for (size_t slot = c->begin; slot < c->end; slot += SIMD_LANES) {
        simd_double w = simd_load(m->weight + slot), q[3], u[3], p[3], f[3];
        for (int k = 0; k < 3; k++) {
            q[k] = read(m, s->x_next[k], slot) - from[k];
            u[k] = read(m, s->v_next[k], slot) - flow[k];
            p[k] = w * q[k], f[k] = w * u[k];
            position[k] += p[k], speed[k] += f[k];
        }
        spread[0] += p[0] * q[0], spread[1] += p[0] * q[1], spread[2] += p[0] * q[2];
        spread[3] += p[1] * q[1], spread[4] += p[1] * q[2], spread[5] += p[2] * q[2];
        for (int k = 0; k < 3; k++) spin[k] += p[(k + 1) % 3] * u[(k + 2) % 3] - p[(k + 2) % 3] * u[(k + 1) % 3];
        for (size_t b = 0; b < basis_count; b++) {
            simd_double phi = simd_load(m->basis[b] + slot);
            for (int k = 0; k < 3; k++) shape[b][k] += p[k] * phi, rate[b][k] += f[k] * phi;
        }
    }
    matching_moments *out = &m->partial[chunk];
    for (int k = 0; k < 3; k++) out->position[k] = total(position[k]), out->speed[k] = total(speed[k]);
    for (int k = 0; k < 3; k++) out->spin[k] = total(spin[k]);
    for (int k = 0; k < 6; k++) out->spread[k] = total(spread[k]);
    for (size_t b = 0; b < basis_count; b++)
        for (int k = 0; k < 3; k++) out->shape[b][k] = total(shape[b][k]), out->rate[b][k] = total(rate[b][k]);
}

void VARIANT(cdg_matching_sum)(const cdg_solid *s, size_t chunk) {
    if (solid_matching(s)->basis_count == 3)
        sum_chunk(s, chunk, 3);
    else
        sum_chunk(s, chunk, MATCHING_BASIS_MAX);
}

// ---- moves ----------------------------------------------------------------------------------------------------------

SIMD_INLINE void move_chunk(const cdg_solid *s, size_t chunk, size_t basis_count) {
    const cdg_shape_matching *m = solid_matching(s);
    const matching_chunk *c = &m->chunks[chunk];
    matching_move move = m->moves[c->cluster];
    for (size_t slot = c->begin; slot < c->end; slot += SIMD_LANES) {
        simd_double q[3], dv[3];
        for (int k = 0; k < 3; k++) {
            q[k] = read(m, s->x_next[k], slot) - move.center[k];
            dv[k] = move.pull * q[k] + move.drag * (read(m, s->v_next[k], slot) - move.speed[k]);
        }
        for (int k = 0; k < 3; k++)
            dv[k] += move.turn[(k + 1) % 3] * q[(k + 2) % 3] - move.turn[(k + 2) % 3] * q[(k + 1) % 3];
        for (size_t b = 0; b < basis_count; b++) {
            simd_double phi = simd_load(m->basis[b] + slot);
            for (int k = 0; k < 3; k++) dv[k] += move.shape[b][k] * phi;
        }
        for (int k = 0; k < 3; k++) simd_store(m->move[k] + slot, dv[k]);
    }
}

void VARIANT(cdg_matching_move)(const cdg_solid *s, size_t chunk) {
    if (solid_matching(s)->basis_count == 3)
        move_chunk(s, chunk, 3);
    else
        move_chunk(s, chunk, MATCHING_BASIS_MAX);
}
