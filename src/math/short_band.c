// Short band systems: clearing, substitution, and the choice of the variant that suits the processor.
#include "math/short_band.h"

#include "base/processor.h"

#include <string.h>

// Rows from as far before the diagonal as vectors reach (short_band_simd.c) to as far beyond.
void short_band_clear(short_band *m, size_t size, size_t width) {
    m->size = size, m->width = width;
    for (size_t i = 0; i < size; i++) {
        size_t from = i > width ? (i - width) / 4 * 4 : 0, to = (i + 1) / 4 * 4 + (width + 3) / 4 * 4 + 4;
        for (size_t j = from; j < to; j += 4) memset(&m->rows[i][j], 0, 4 * sizeof(double));
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
