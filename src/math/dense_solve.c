// Dense systems: the choice of the variant that suits the processor.
#include "math/dense_solve.h"

#include "base/processor.h"

bool dense_solve(double *m, size_t size, double *right) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return dense_solve_avx512(m, size, right);
    case CDG_LANES_AVX2: return dense_solve_avx2(m, size, right);
#endif
    default: return dense_solve_base(m, size, right);
    }
}
