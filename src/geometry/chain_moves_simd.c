// Bounds of how far chains have moved (chain_moves.h), several nodes at once.
#include "geometry/chain_moves.h"
#include "math/simd.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

// Largest and least moves of nodes, lane by lane.
typedef struct extent {
    simd_double low[3], high[3];
} extent;

// Edges i to i + SIMD_LANES - 1 and their first nodes. Lanes whose ends move apart by too much.
SIMD_INLINE simd_mask measure_some(const chain_moves *c, size_t i, double share, extent *box) {
    simd_double before = {0}, after = {0};
    for (int k = 0; k < 3; k++) {
        simd_double at = simd_load(c->at[k] + i), at_end = simd_load(c->at[k] + i + 1);
        simd_double a = simd_load(c->from[k] + i) - at, b = simd_load(c->to[k] + i) - at;
        simd_double more_a = (simd_load(c->from[k] + i + 1) - at_end) - a;
        simd_double more_b = (simd_load(c->to[k] + i + 1) - at_end) - b;
        box->high[k] = simd_max(simd_max(a, b), box->high[k]);
        box->low[k] = simd_min(simd_min(a, b), box->low[k]);
        before += more_a * more_a;
        after += more_b * more_b;
    }
    simd_double most = share * simd_load(c->length + i);
    most *= most;
    return ~((simd_mask)(before <= most) & (simd_mask)(after <= most));
}

static void grow(double low[3], double high[3], const chain_moves *c, size_t i) {
    for (int k = 0; k < 3; k++) {
        double a = c->from[k][i] - c->at[k][i], b = c->to[k][i] - c->at[k][i];
        double larger = a > b ? a : b, smaller = a < b ? a : b;
        high[k] = larger > high[k] ? larger : high[k];
        low[k] = smaller < low[k] ? smaller : low[k];
    }
}

static int keeps_edge(const chain_moves *c, size_t i, double share) {
    double before = 0, after = 0, most = share * c->length[i];
    for (int k = 0; k < 3; k++) {
        double a = (c->from[k][i + 1] - c->at[k][i + 1]) - (c->from[k][i] - c->at[k][i]);
        double b = (c->to[k][i + 1] - c->at[k][i + 1]) - (c->to[k][i] - c->at[k][i]);
        before += a * a;
        after += b * b;
    }
    return before <= most * most && after <= most * most;
}

static int measure_few(const chain_moves *c, double share, double low[3], double high[3]) {
    for (size_t i = 0; i < c->node_count; i++) {
        grow(low, high, c, i);
        if (i + 1 < c->node_count && !keeps_edge(c, i, share)) return 0;
    }
    return 1;
}

// The least of the lanes of eight vectors.
SIMD_INLINE void least_of_lanes(simd_double all[8], double out[8]) {
    for (int first = 0; first < 8; first += SIMD_LANES) {
        simd_transpose(&all[first]);
        simd_double least = all[first];
        for (int i = 1; i < SIMD_LANES; i++) least = simd_min(all[first + i], least);
        simd_store(out + first, least);
    }
}

static int measure(const chain_moves *c, double share, double low[3], double high[3]) {
    size_t edges = c->node_count - 1;
    if (edges < SIMD_LANES) return measure_few(c, share, low, high);
    extent box;
    grow(low, high, c, edges); // the last node begins no edge
    for (int k = 0; k < 3; k++) box.low[k] = simd_broadcast(low[k]), box.high[k] = simd_broadcast(high[k]);
    for (size_t i = 0; i < edges; i += SIMD_LANES) {
        size_t at = i + SIMD_LANES <= edges ? i : edges - SIMD_LANES; // those left, and some again
        if (simd_any(measure_some(c, at, share, &box))) return 0;
    }
    simd_double all[8] = {box.low[0], box.low[1], box.low[2], -box.high[0], -box.high[1], -box.high[2]};
    double least[8];
    least_of_lanes(all, least);
    for (int k = 0; k < 3; k++) low[k] = least[k], high[k] = -least[3 + k];
    return 1;
}

const chain_moves_kernels VARIANT(chain_moves) = {measure};
