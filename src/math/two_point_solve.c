// Chooses the kernels of the two-point elimination for this processor (two_point_solve.h).
#include "math/two_point_solve.h"

#include "base/processor.h"

const two_point_kernels *two_point_kernels_get(void) {
#if defined(__x86_64__)
    switch (cdg_processor_lanes()) {
    case CDG_LANES_AVX512: return &two_point_kernels_avx512;
    case CDG_LANES_AVX2: return &two_point_kernels_avx2;
    case CDG_LANES_BASE: break;
    }
#endif
    return &two_point_kernels_base;
}
