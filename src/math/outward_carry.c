// The choice of the instruction set for outward_carry.h.
#include "math/outward_carry.h"

#include "base/processor.h"

const outward_carry_kernels *outward_carry_kernels_choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &outward_carry_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &outward_carry_kernels_avx2;
#endif
    return &outward_carry_kernels_base;
}
