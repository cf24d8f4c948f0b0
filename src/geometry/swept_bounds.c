// The choice of the instruction set for swept_bounds.h.
#include "geometry/swept_bounds.h"

#include "base/processor.h"

const swept_kernels *swept_kernels_choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &swept_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &swept_kernels_avx2;
#endif
    return &swept_kernels_base;
}
