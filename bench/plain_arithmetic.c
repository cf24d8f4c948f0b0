// The plain loop of multiply-adds that figures are compared with. Intrinsics, for a compiler would decide else what
// is measured: enough sums at a time to hide how long one takes (4 cycles, two a cycle), few enough for the registers.
#include "bench/plain_arithmetic.h"

#include "bench/cases.h"

#include <immintrin.h>

enum { SUMS = 12, ROUNDS = 4096 };

typedef struct arithmetic {
    double sum; // is read at the end, so that nothing can be left out
    double factor, term;
} arithmetic;

__attribute__((target("avx512f"))) static cdg_result run_avx512(void *user) {
    arithmetic *a = user;
    const __m512d factor = _mm512_set1_pd(a->factor), term = _mm512_set1_pd(a->term);
    __m512d sums[SUMS];
    for (int k = 0; k < SUMS; k++) sums[k] = _mm512_set1_pd(k);
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < SUMS; k++) sums[k] = _mm512_fmadd_pd(sums[k], factor, term);
    for (int k = 1; k < SUMS; k++) sums[0] = _mm512_add_pd(sums[0], sums[k]);
    double lanes[8];
    _mm512_storeu_pd(lanes, sums[0]);
    a->sum += lanes[0];
    return CDG_OK;
}

__attribute__((target("avx2,fma"))) static cdg_result run_avx2(void *user) {
    arithmetic *a = user;
    const __m256d factor = _mm256_set1_pd(a->factor), term = _mm256_set1_pd(a->term);
    __m256d sums[SUMS];
    for (int k = 0; k < SUMS; k++) sums[k] = _mm256_set1_pd(k);
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < SUMS; k++) sums[k] = _mm256_fmadd_pd(sums[k], factor, term);
    for (int k = 1; k < SUMS; k++) sums[0] = _mm256_add_pd(sums[0], sums[k]);
    double lanes[4];
    _mm256_storeu_pd(lanes, sums[0]);
    a->sum += lanes[0];
    return CDG_OK;
}

static cdg_result run_sse2(void *user) {
    arithmetic *a = user;
    const __m128d factor = _mm_set1_pd(a->factor), term = _mm_set1_pd(a->term);
    __m128d sums[SUMS];
    for (int k = 0; k < SUMS; k++) sums[k] = _mm_set1_pd(k);
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < SUMS; k++) sums[k] = _mm_add_pd(_mm_mul_pd(sums[k], factor), term);
    for (int k = 1; k < SUMS; k++) sums[0] = _mm_add_pd(sums[0], sums[k]);
    double lanes[2];
    _mm_storeu_pd(lanes, sums[0]);
    a->sum += lanes[0];
    return CDG_OK;
}

double plain_arithmetic_seconds(double operations) {
    cdg_result (*run)(void *) = run_sse2;
    double lanes = 2, least = 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) run = run_avx2, lanes = 4;
    if (__builtin_cpu_supports("avx512f")) run = run_avx512, lanes = 8;
    arithmetic a = {.factor = 0.999, .term = 1e-3};
    for (int i = 0; i < 5; i++) { // the least: other work on the machine only makes it longer
        cdg_result result;
        double seconds = bench_time(run, &a, 2e-3, &result);
        if (i == 0 || seconds < least) least = seconds;
    }
    return a.sum > 0 ? least * operations / (2.0 * SUMS * ROUNDS * lanes) : 0;
}
