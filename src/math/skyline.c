// The choice of the instruction set for skyline.h, and its layout.
#include "math/skyline.h"

#include "base/processor.h"

static const skyline_kernels *choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &skyline_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &skyline_kernels_avx2;
#endif
    return &skyline_kernels_base;
}

size_t skyline_lay_out(const uint32_t *left, size_t count, size_t *start) {
    size_t end = 0;
    for (size_t g = 0; g < count / 4; g++) {
        start[g] = end;
        end += 16 * (g - left[g] + 1);
    }
    return end;
}

void skyline_factor(const skyline *s, const double *least) { choose()->factor(s, least); }
void skyline_solve(const skyline *s, double *x) { choose()->solve(s, x); }
