// Short band systems: the choice of the variant that suits the processor.
#include "math/short_band.h"

#include "base/processor.h"

void short_band_clear(short_band *m, size_t size, size_t width) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: short_band_clear_avx512(m, size, width); break;
    case CDG_LANES_AVX2: short_band_clear_avx2(m, size, width); break;
#endif
    default: short_band_clear_base(m, size, width);
    }
}

bool short_band_factor(short_band *m) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return short_band_factor_avx512(m);
    case CDG_LANES_AVX2: return short_band_factor_avx2(m);
#endif
    default: return short_band_factor_base(m);
    }
}

void short_band_solve(const short_band *m, double *right) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: short_band_solve_avx512(m, right); break;
    case CDG_LANES_AVX2: short_band_solve_avx2(m, right); break;
#endif
    default: short_band_solve_base(m, right);
    }
}
