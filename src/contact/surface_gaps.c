// Runs of pairs of one kind, for the kernels (surface_gaps.h).
#include "contact/surface_gaps.h"

#include "base/processor.h"

static const cdg_surface_gap_kernels *choose_kernels(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &cdg_surface_gap_kernels_avx512;
    case CDG_LANES_AVX2: return &cdg_surface_gap_kernels_avx2;
#endif
    default: return &cdg_surface_gap_kernels_base;
    }
}

static bool is_alike(const cdg_kept_pair *a, const cdg_kept_pair *b) {
    return a->has_points == b->has_points && a->is_edges == b->is_edges;
}

static void run(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x, cdg_gap_limits limits,
                cdg_pair_nearest *found) {
    const cdg_surface_gap_kernels *kernels = choose_kernels();
    for (size_t first = 0, end = 0; first < count; first = end) {
        const cdg_kept_pair *pair = &pairs[which[first]];
        while (end < count && is_alike(&pairs[which[end]], pair)) end++;
        if (!pair->has_points) continue;
        (pair->is_edges ? kernels->edges : kernels->triangles)(pairs, which + first, end - first, x, limits,
                                                               found != NULL ? found + first : NULL);
    }
}

void cdg_surface_gaps_mark(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x,
                           cdg_gap_limits limits, cdg_pair_nearest *found) {
    run(pairs, which, count, x, limits, found);
}

void cdg_surface_gaps_measure(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x) {
    run(pairs, which, count, x, (cdg_gap_limits){0, 0}, NULL);
}
