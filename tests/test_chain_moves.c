// How far chains have moved: as plain loops have it, for each instruction set and any number of nodes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "geometry/chain_moves.h"
#include "math/random.h"

#include <math.h>

enum { NODES = 41 };

static double from[3][NODES], to[3][NODES], at[3][NODES], length[NODES];

static chain_moves make(size_t first, size_t end) {
    chain_moves chain = {.length = length + first, .node_count = end - first};
    for (int k = 0; k < 3; k++)
        chain.from[k] = from[k] + first, chain.to[k] = to[k] + first, chain.at[k] = at[k] + first;
    return chain;
}

static void fill(void) {
    cdg_random random = {3};
    for (int i = 0; i < NODES; i++) {
        for (int k = 0; k < 3; k++) {
            at[k][i] = i * (k == 0) + random_in(&random, -1, 1);
            from[k][i] = at[k][i] + 0.5 + random_in(&random, -0.1, 0.1);
            to[k][i] = from[k][i] + random_in(&random, -0.1, 0.1);
        }
        length[i] = 1 + 0.01 * i;
    }
}

static void check_boxes(const chain_moves_kernels *kernels) {
    fill();
    for (size_t first = 0; first < NODES; first++)
        for (size_t end = first + 1; end <= NODES; end++) {
            chain_moves chain = make(first, end);
            double low[3] = {HUGE_VAL, HUGE_VAL, 0.45}, high[3] = {-HUGE_VAL, -HUGE_VAL, 0.55};
            double least[3] = {HUGE_VAL, HUGE_VAL, 0.45}, most[3] = {-HUGE_VAL, -HUGE_VAL, 0.55};
            assert_true(kernels->measure(&chain, 1, low, high));
            for (int k = 0; k < 3; k++) {
                for (size_t i = first; i < end; i++) {
                    least[k] = fmin(least[k], fmin(from[k][i] - at[k][i], to[k][i] - at[k][i]));
                    most[k] = fmax(most[k], fmax(from[k][i] - at[k][i], to[k][i] - at[k][i]));
                }
                assert_true(low[k] == least[k] && high[k] == most[k]);
            }
        }
}

// An edge whose ends move apart is noticed anywhere and at any time, by the share of its own length; a chain that moves
// as one is not.
static void check_edges(const chain_moves_kernels *kernels) {
    double low[3] = {0}, high[3] = {0};
    for (size_t count = 2; count <= NODES; count++)
        for (size_t bad = 0; bad < count; bad++)
            for (int kind = 0; kind < 4; kind++) {
                fill();
                for (int i = 0; i < NODES; i++)
                    for (int k = 0; k < 3; k++) from[k][i] = at[k][i] + 2, to[k][i] = at[k][i] - 3;
                chain_moves whole = make(0, count);
                assert_true(kernels->measure(&whole, 1e-12, low, high));
                double most = 0.3 * length[bad > 0 && bad + 1 == count ? bad - 1 : bad];
                if (bad > 0 && length[bad - 1] * 0.3 < most) most = 0.3 * length[bad - 1];
                if (kind == 0) from[bad % 3][bad] += 0.999 * most;
                if (kind == 1) from[bad % 3][bad] += 1.001 * most;
                if (kind == 2) to[bad % 3][bad] -= 1.001 * most;
                if (kind == 3) to[bad % 3][bad] = NAN;
                assert_int_equal(kernels->measure(&whole, 0.3, low, high), kind == 0);
            }
}

static void bounds_are_plain(void **state) {
    (void)state;
    const chain_moves_kernels *all[3] = {&chain_moves_base, chain_moves_choose(), &chain_moves_base};
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) all[2] = &chain_moves_avx2;
#endif
    for (int i = 0; i < 3; i++) {
        check_boxes(all[i]);
        check_edges(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
