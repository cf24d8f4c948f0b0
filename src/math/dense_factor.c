// Factors of dense matrices (dense_factor.h): the matrix made up to whole blocks, and the choice of the variant.
#include "math/dense_factor.h"

#include "base/processor.h"

#include <string.h>

static bool eliminate(float *factor, size_t row, float *packed) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return dense_factor_eliminate_avx512(factor, row, packed);
    case CDG_LANES_AVX2: return dense_factor_eliminate_avx2(factor, row, packed);
#endif
    default: return dense_factor_eliminate_base(factor, row, packed);
    }
}

bool dense_factor_make(const double *m, size_t size, const double *more, float *factor) {
    size_t row = dense_factor_row(size);
    for (size_t i = 0; i < size; i++) {
        float *to = factor + i * row;
        for (size_t j = 0; j < i; j++) to[j] = (float)m[i * size + j];
        to[i] = (float)(m[i * size + i] + more[i]);
    }
    for (size_t i = size; i < row; i++) {
        memset(factor + i * row, 0, row * sizeof *factor);
        factor[i * row + i] = 1;
    }
    return eliminate(factor, row, factor + row * row);
}

void dense_factor_solve(const float *factor, size_t size, float *x) {
    size_t row = dense_factor_row(size);
    for (size_t i = size; i < row; i++) x[i] = 0;
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: dense_factor_solve_avx512(factor + row * row, row, x); return;
    case CDG_LANES_AVX2: dense_factor_solve_avx2(factor + row * row, row, x); return;
#endif
    default: dense_factor_solve_base(factor + row * row, row, x);
    }
}
