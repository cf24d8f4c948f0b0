// Interleaving: every number in its place for all lengths and numbers of arrays, on every instruction set, and nothing
// written beyond; single precision as the compiler has it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "math/interleave.h"
#include "math/random.h"

#include <math.h>
#include <string.h>

enum { MOST = 70 };

static const interleave_kernels *kernels_of(int lanes) {
#if defined(__x86_64__)
    if (lanes == CDG_LANES_AVX512) return &interleave_kernels_avx512;
    if (lanes == CDG_LANES_AVX2) return &interleave_kernels_avx2;
#endif
    (void)lanes;
    return &interleave_kernels_base;
}

static void each_number_has_its_place(void **state) {
    (void)state;
    double numbers[INTERLEAVE_MAX][MOST], out[INTERLEAVE_MAX * MOST + 1];
    const double *from[INTERLEAVE_MAX];
    for (int k = 0; k < INTERLEAVE_MAX; k++) {
        from[k] = numbers[k];
        for (int i = 0; i < MOST; i++) numbers[k][i] = 100 * k + i;
    }
    for (int lanes = 0; lanes <= (int)cdg_processor_widest(); lanes++)
        for (size_t components = 1; components <= INTERLEAVE_MAX; components++)
            for (size_t count = 0; count <= MOST; count++) {
                for (size_t i = 0; i <= INTERLEAVE_MAX * MOST; i++) out[i] = -1;
                kernels_of(lanes)->interleave(from, components, count, out);
                for (size_t i = 0; i < count * components; i++)
                    assert_true(out[i] == numbers[i % components][i / components]);
                assert_true(out[count * components] == -1);
            }
    cdg_interleave(from, 3, 2, out);
    assert_true(out[0] == 0 && out[1] == 100 && out[2] == 200 && out[3] == 1);
}

static void numbers_of_single_precision(void **state) {
    (void)state;
    double from[MOST];
    float out[MOST + 1];
    cdg_random random = {5};
    for (int i = 0; i < MOST; i++) from[i] = random_in(&random, -1, 1) * pow(10, random_in(&random, -46, 46));
    from[0] = NAN, from[1] = INFINITY, from[2] = -0.0, from[3] = 1e300, from[4] = 1 + 0x1p-24;
    for (int lanes = 0; lanes <= (int)cdg_processor_widest(); lanes++)
        for (size_t count = 0; count <= MOST; count++) {
            for (size_t i = 0; i <= MOST; i++) out[i] = -1;
            kernels_of(lanes)->narrow(from, count, out);
            for (size_t i = 0; i < count; i++) {
                float right = (float)from[i];
                assert_memory_equal(&out[i], &right, sizeof right);
            }
            assert_true(out[count] == -1);
        }
    cdg_narrow(from, 5, out);
    assert_true(isnan(out[0]) && isinf(out[3]) && signbit(out[2]) && out[4] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_number_has_its_place),
                                       cmocka_unit_test(numbers_of_single_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
