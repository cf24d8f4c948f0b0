// Interleaving (interleave.h): the choice of instructions.
#include "math/interleave.h"

#include "base/processor.h"

static const interleave_kernels *choose(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &interleave_kernels_avx512;
    case CDG_LANES_AVX2: return &interleave_kernels_avx2;
#endif
    default: return &interleave_kernels_base;
    }
}

void cdg_interleave(const double *const *from, size_t components, size_t count, double *to) {
    choose()->interleave(from, components, count, to);
}

void cdg_narrow(const double *from, size_t count, float *to) { choose()->narrow(from, count, to); }
