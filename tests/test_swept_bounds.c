// Bounds of moving chains: as plain loops have them, for each instruction set and any stretch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "geometry/swept_bounds.h"
#include "math/random.h"

#include <math.h>

enum { NODES = 41 };

static double from[3][NODES], to[3][NODES], rest_length[NODES];

static swept_chain make(size_t first, size_t end) {
    swept_chain chain = {.rest_length = rest_length, .first = first, .end = end};
    for (int k = 0; k < 3; k++) chain.from[k] = from[k], chain.to[k] = to[k];
    return chain;
}

static void fill(void) {
    cdg_random random = {3};
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < 3; k++) from[k][i] = i * (k == 0) + random_in(&random, -0.1, 0.1);
        for (int k = 0; k < 3; k++) to[k][i] = from[k][i] + random_in(&random, -0.1, 0.1);
        rest_length[i] = 1;
    }
}

static void check_boxes(const swept_kernels *kernels) {
    fill();
    for (size_t first = 0; first < NODES; first++)
        for (size_t end = first + 1; end <= NODES; end++) {
            swept_chain chain = make(first, end);
            double low[3] = {HUGE_VAL, HUGE_VAL, 0.05}, high[3] = {-HUGE_VAL, -HUGE_VAL, 0.06};
            double least[3] = {HUGE_VAL, HUGE_VAL, 0.05}, most[3] = {-HUGE_VAL, -HUGE_VAL, 0.06};
            kernels->grow_box(&chain, low, high);
            for (int k = 0; k < 3; k++) {
                for (size_t i = first; i < end; i++) {
                    least[k] = fmin(least[k], fmin(from[k][i], to[k][i]));
                    most[k] = fmax(most[k], fmax(from[k][i], to[k][i]));
                }
                assert_true(low[k] == least[k] && high[k] == most[k]);
            }
        }
}

// One edge that does not go along, wherever and whenever, is seen; those beyond the stretch are not.
static void check_straightness(const swept_kernels *kernels) {
    const double axis[3] = {1, 0, 0};
    fill();
    swept_chain whole = make(0, NODES);
    assert_true(kernels->goes_along(&whole, axis, 0.5));
    assert_false(kernels->goes_along(&whole, axis, 1.2));
    for (size_t bad = 0; bad + 1 < NODES; bad++)
        for (int kind = 0; kind < 3; kind++) {
            fill();
            if (kind == 0) from[0][bad + 1] = from[0][bad] + 0.4, from[0][bad] -= 0.05;
            if (kind == 1) to[0][bad + 1] = to[0][bad] + 0.4;
            if (kind == 2) to[1][bad] = NAN;
            assert_false(kernels->goes_along(&whole, axis, 0.5));
            swept_chain before = make(0, bad + (kind == 2 ? 0 : 1)), after = make(bad + 1, NODES);
            if (before.end > 0) assert_true(kernels->goes_along(&before, axis, 0.3));
            assert_true(kernels->goes_along(&after, axis, 0.3));
        }
}

static void bounds_are_plain(void **state) {
    (void)state;
    const swept_kernels *all[3] = {&swept_kernels_base, swept_kernels_choose(), &swept_kernels_base};
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) all[2] = &swept_kernels_avx2;
#endif
    for (int i = 0; i < 3; i++) {
        check_boxes(all[i]);
        check_straightness(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
