// Inverses of dense matrices: the choice of the variant that suits the processor.
#include "math/dense_inverse.h"

#include "base/processor.h"

bool dense_invert(double *m, size_t size) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return dense_invert_avx512(m, size);
    case CDG_LANES_AVX2: return dense_invert_avx2(m, size);
#endif
    default: return dense_invert_base(m, size);
    }
}

void dense_multiply(const double *m, size_t size, const double *x, double *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: dense_multiply_avx512(m, size, x, out); return;
    case CDG_LANES_AVX2: dense_multiply_avx2(m, size, x, out); return;
#endif
    default: dense_multiply_base(m, size, x, out);
    }
}
