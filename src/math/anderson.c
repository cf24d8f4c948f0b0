// Anderson's mixing (anderson.h).
#include "math/anderson.h"

#include "base/processor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COUNT_LEAST = 2 };         // changes that are mixed
static const double raise = 1e-8; // of the trace: ways that are nearly alike have no say against rounding

static const anderson_kernels *choose(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return &anderson_kernels_avx512;
    case CDG_LANES_AVX2: return &anderson_kernels_avx2;
#endif
    default: return &anderson_kernels_base;
    }
}

size_t anderson_scratch(size_t size) { return (2 + 2 * ANDERSON_MEMORY) * size; }

anderson anderson_begin(size_t size, const double *weight, double *scratch) {
    return (anderson){.size = size,
                      .weight = weight,
                      .way = scratch,
                      .reached = scratch + size,
                      .ways = scratch + 2 * size,
                      .reaches = scratch + (2 + ANDERSON_MEMORY) * size};
}

void anderson_forget(anderson *a) {
    a->count = a->next = 0;
    a->calls = 0;
}

// Shares of the changes by Cholesky's factors of their products, raised a little. False: they are not to be had.
static bool find_shares(const anderson *a, double *right) {
    double l[ANDERSON_MEMORY][ANDERSON_MEMORY], inverse[ANDERSON_MEMORY], trace = 0;
    for (size_t i = 0; i < a->count; i++) trace += a->product[i][i];
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a->product[i][j] + (i == j ? raise * trace : 0);
            for (size_t k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0)) return false;
            if (i == j) inverse[i] = 1 / sqrt(sum);
            l[i][j] = sum * inverse[j];
        }
    for (size_t i = 0; i < a->count; i++) {
        for (size_t k = 0; k < i; k++) right[i] -= l[i][k] * right[k];
        right[i] *= inverse[i];
    }
    for (size_t i = a->count; i-- > 0;) {
        for (size_t k = i + 1; k < a->count; k++) right[i] -= l[k][i] * right[k];
        right[i] *= inverse[i];
        if (!isfinite(right[i])) return false;
    }
    return true;
}

void anderson_mix(anderson *a, const double *at, double *to) {
    const anderson_kernels *kernels = choose();
    size_t slot = a->next;
    double length2 = kernels->take(a, at, to, a->ways + slot * a->size, a->reaches + slot * a->size);
    bool has_change = a->calls > 0 && length2 <= a->length2;
    a->length2 = length2;
    if (!has_change) {
        anderson_forget(a);
        a->calls = 1;
        return;
    }
    a->calls++;
    a->next = (slot + 1) % ANDERSON_MEMORY;
    if (a->count < ANDERSON_MEMORY) a->count++;
    double own[ANDERSON_MEMORY], share[ANDERSON_MEMORY];
    kernels->products(a, a->ways + slot * a->size, a->count, own);
    for (size_t i = 0; i < a->count; i++) a->product[i][slot] = a->product[slot][i] = own[i];
    if (a->count < COUNT_LEAST) return;
    kernels->products(a, a->way, a->count, share);
    if (find_shares(a, share)) kernels->subtract(a, a->count, share, to);
}
