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

void cdg_surface_gaps_mark(cdg_watched_pair *pairs, size_t count, const double *x, cdg_gap_limits limits) {
    const cdg_surface_gap_kernels *kernels = choose_kernels();
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && pairs[end].is_edges == pairs[first].is_edges) end++;
        (pairs[first].is_edges ? kernels->edges : kernels->triangles)(pairs + first, end - first, x, limits);
    }
}
