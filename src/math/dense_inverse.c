// Inverses of dense matrices: the choice of the variant that suits the processor.
#include "math/dense_inverse.h"

#include "base/processor.h"

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias)); // two numbers in a row, anywhere

// d times two columns.
static void scale_pair(double *rows, size_t size, double d[DENSE_PANEL][DENSE_PANEL]) {
    pair old[DENSE_PANEL];
    for (size_t l = 0; l < DENSE_PANEL; l++) old[l] = *(const pair *)(rows + l * size);
    for (size_t k = 0; k < DENSE_PANEL; k++) {
        pair sum = d[k][0] * old[0];
        for (size_t l = 1; l < DENSE_PANEL; l++) sum += d[k][l] * old[l];
        *(pair *)(rows + k * size) = sum;
    }
}

static void scale_one(double *rows, size_t size, double d[DENSE_PANEL][DENSE_PANEL]) {
    double old[DENSE_PANEL];
    for (size_t l = 0; l < DENSE_PANEL; l++) old[l] = rows[l * size];
    for (size_t k = 0; k < DENSE_PANEL; k++) {
        double sum = d[k][0] * old[0];
        for (size_t l = 1; l < DENSE_PANEL; l++) sum += d[k][l] * old[l];
        rows[k * size] = sum;
    }
}

void dense_scale_panel(double *m, size_t size, size_t first, double d[DENSE_PANEL][DENSE_PANEL]) {
    double *rows = m + first * size;
    size_t j = 0;
    for (; j + 2 <= size; j += 2) scale_pair(rows + j, size, d);
    if (j < size) scale_one(rows + j, size, d);
    for (size_t k = 0; k < DENSE_PANEL; k++)
        for (size_t l = 0; l < DENSE_PANEL; l++) rows[k * size + first + l] = d[k][l];
}

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
