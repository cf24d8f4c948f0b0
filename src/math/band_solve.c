// Band systems: clearing, sparse entries, and the choice of the variant that suits the processor.
#include "math/band_solve.h"

#include "base/processor.h"

#include <string.h>

void band_clear(const band_matrix *m) { memset(m->rows, 0, band_doubles(m->size, m->width) * sizeof(double)); }

void band_add_square(const band_matrix *m, const size_t *index, const double *value, size_t count, double c) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            if (index[a] <= index[b]) *band_entry(m, index[a], index[b]) += c * value[a] * value[b];
}

void band_add_run(const band_matrix *m, size_t first, double value[3][BAND_RUN_MAX], size_t count, const double c[3]) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: band_add_run_avx512(m, first, value, count, c); break;
    case CDG_LANES_AVX2: band_add_run_avx2(m, first, value, count, c); break;
#endif
    default: band_add_run_base(m, first, value, count, c);
    }
}

bool band_solve(const band_matrix *m, double *right) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return band_solve_avx512(m, right);
    case CDG_LANES_AVX2: return band_solve_avx2(m, right);
#endif
    default: return band_solve_base(m, right);
    }
}
