// Sums of Anderson's mixing (anderson.h), several at once so that none waits for the one before.
#include "math/anderson.h"

#include "math/simd.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

SIMD_INLINE double sum_of(simd_double a) {
    double sum = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) sum += simd_get(&a, lane);
    return sum;
}

static double take(const anderson *a, const double *at, const double *to, double *way_change, double *reach_change) {
    simd_double sum = {0};
    size_t k = 0;
    for (; k + SIMD_LANES <= a->size; k += SIMD_LANES) {
        simd_double reached = simd_load(to + k), way = reached - simd_load(at + k);
        simd_store(way_change + k, way - simd_load(a->way + k));
        simd_store(reach_change + k, reached - simd_load(a->reached + k));
        simd_store(a->way + k, way);
        simd_store(a->reached + k, reached);
        sum += simd_load(a->weight + k) * way * way;
    }
    double length2 = sum_of(sum);
    for (; k < a->size; k++) {
        double way = to[k] - at[k];
        way_change[k] = way - a->way[k];
        reach_change[k] = to[k] - a->reached[k];
        a->way[k] = way;
        a->reached[k] = to[k];
        length2 += a->weight[k] * way * way;
    }
    return length2;
}

static void products(const anderson *a, const double *x, size_t count, double *out) {
    simd_double sum[ANDERSON_MEMORY] = {{0}};
    size_t k = 0;
    for (; k + SIMD_LANES <= a->size; k += SIMD_LANES) {
        simd_double here = simd_load(a->weight + k) * simd_load(x + k);
#pragma GCC unroll 8
        for (size_t i = 0; i < ANDERSON_MEMORY; i++) // so that sums stay in registers
            if (i < count) sum[i] += here * simd_load(a->ways + i * a->size + k);
    }
    for (size_t i = 0; i < count; i++) out[i] = sum_of(sum[i]);
    for (; k < a->size; k++)
        for (size_t i = 0; i < count; i++) out[i] += a->weight[k] * x[k] * a->ways[i * a->size + k];
}

static void subtract(const anderson *a, size_t count, const double *share, double *to) {
    size_t k = 0;
    for (; k + SIMD_LANES <= a->size; k += SIMD_LANES) {
        simd_double sum = simd_load(to + k);
        for (size_t i = 0; i < count; i++) sum -= share[i] * simd_load(a->reaches + i * a->size + k);
        simd_store(to + k, sum);
    }
    for (; k < a->size; k++)
        for (size_t i = 0; i < count; i++) to[k] -= share[i] * a->reaches[i * a->size + k];
}

const anderson_kernels VARIANT(anderson_kernels) = {.take = take, .products = products, .subtract = subtract};
