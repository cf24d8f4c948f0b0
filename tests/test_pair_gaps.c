// Gaps of many pairs are those of single pairs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/pair_gaps.h"
#include "contact/segment_pair.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

enum { ELEMENTS = 60, PAIRS = 701 };

typedef struct elements {
    double segments[ELEMENTS * CDG_SEGMENT_SIZE], moves[ELEMENTS];
} elements;

static cdg_vec3 end_of(const elements *it, uint32_t e, int k) {
    const double *segment = it->segments + CDG_SEGMENT_SIZE * e;
    return vec3(segment[3 * k], segment[3 * k + 1], segment[3 * k + 2]);
}

static double radius_of(const elements *it, uint32_t e, double s) {
    const double *segment = it->segments + CDG_SEGMENT_SIZE * e;
    return segment[6] + s * (segment[7] - segment[6]);
}

static void check(cdg_gap_kernel *kernel) {
    cdg_random random = {3};
    elements it;
    for (size_t e = 0; e < ELEMENTS; e++) {
        for (size_t k = 0; k < 6; k++) it.segments[CDG_SEGMENT_SIZE * e + k] = random_in(&random, -1, 1);
        for (size_t k = 6; k < 8; k++) it.segments[CDG_SEGMENT_SIZE * e + k] = random_in(&random, 0.01, 0.1);
        for (size_t k = 0; k < 3; k++) { // parallel to an axis, or without length
            if (e % 4 == 1 && k > 0) it.segments[CDG_SEGMENT_SIZE * e + 3 + k] = it.segments[CDG_SEGMENT_SIZE * e + k];
            if (e % 8 == 2) it.segments[CDG_SEGMENT_SIZE * e + 3 + k] = it.segments[CDG_SEGMENT_SIZE * e + k];
        }
        it.moves[e] = e % 10 == 3 ? 1 : 1e-3;
    }
    static cdg_box_pair pairs[PAIRS];
    static double gaps[PAIRS + 1];
    for (size_t count = PAIRS - 20; count <= PAIRS; count++) {
        for (size_t k = 0; k < count; k++)
            pairs[k] = (cdg_box_pair){(uint32_t)(random_bits(&random) % ELEMENTS),
                                      (uint32_t)(random_bits(&random) % ELEMENTS)};
        gaps[count] = 7;
        double deepest = kernel(it.segments, it.moves, pairs, count, 0.25, gaps), expected = 0;
        assert_near(gaps[count], 7, 0); // nothing is written behind the end
        for (size_t k = 0; k < count; k++) {
            uint32_t a = pairs[k].a, b = pairs[k].b;
            cdg_closest closest =
                cdg_segments_closest(end_of(&it, a, 0), end_of(&it, a, 1), end_of(&it, b, 0), end_of(&it, b, 1));
            double sum = radius_of(&it, a, closest.s) + radius_of(&it, b, closest.t);
            double gap = sqrt(closest.distance2) - sum;
            double largest = fmax(radius_of(&it, a, 0), radius_of(&it, a, 1)) + //
                             fmax(radius_of(&it, b, 0), radius_of(&it, b, 1));
            expected = fmax(expected, -gap / largest);
            if (it.moves[a] + it.moves[b] > 0.25 * sum)
                assert_true(gaps[k] == -HUGE_VAL);
            else
                assert_near(gaps[k], gap, 1e-9);
        }
        assert_near(deepest, expected, 1e-9);
    }
}

// Records of near pairs are what the single functions say.
static void check_near(cdg_near_kernel *kernel) {
    cdg_random random = {5};
    elements now, start;
    for (size_t e = 0; e < ELEMENTS; e++)
        for (size_t k = 0; k < CDG_SEGMENT_SIZE; k++) {
            size_t at = CDG_SEGMENT_SIZE * e + k;
            now.segments[at] = k < 6 ? random_in(&random, -1, 1) : random_in(&random, 0.01, 0.1);
            start.segments[at] = k < 6 ? now.segments[at] + random_in(&random, -0.1, 0.1) : now.segments[at];
        }
    static cdg_box_pair pairs[PAIRS];
    static cdg_near_pair records[PAIRS + 1];
    for (size_t count = PAIRS - 20; count <= PAIRS; count++) {
        for (size_t k = 0; k < count; k++)
            pairs[k] = (cdg_box_pair){(uint32_t)(random_bits(&random) % (ELEMENTS / 2)),
                                      (uint32_t)(ELEMENTS / 2 + random_bits(&random) % (ELEMENTS / 2))};
        records[count].bound = 7;
        kernel(now.segments, start.segments, pairs, count, records);
        assert_true(records[count].bound == 7); // nothing is written behind the end
        for (size_t k = 0; k < count; k++) {
            uint32_t a = pairs[k].a, b = pairs[k].b;
            const cdg_near_pair *near = &records[k];
            cdg_closest is =
                cdg_segments_closest(end_of(&now, a, 0), end_of(&now, a, 1), end_of(&now, b, 0), end_of(&now, b, 1));
            cdg_closest was = cdg_segments_closest(end_of(&start, a, 0), end_of(&start, a, 1), end_of(&start, b, 0),
                                                   end_of(&start, b, 1));
            double bound = 0;
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    bound = fmax(bound, vec3_distance(vec3_sub(end_of(&now, a, i), end_of(&start, a, i)),
                                                      vec3_sub(end_of(&now, b, j), end_of(&start, b, j))));
            assert_near(near->s, is.s, 1e-9);
            assert_near(near->t, is.t, 1e-9);
            assert_vec3_near(vec3(near->between[0], near->between[1], near->between[2]), is.between, 1e-9);
            assert_near(near->distance, sqrt(is.distance2), 1e-9);
            assert_near(near->start_gap,
                        sqrt(was.distance2) - radius_of(&start, a, was.s) - radius_of(&start, b, was.t), 1e-9);
            assert_near(near->bound, bound, 1e-12);
        }
    }
}

static void all_kernels_agree(void **state) {
    (void)state;
    check(cdg_gap_kernel_base);
    check_near(cdg_near_kernel_base);
#if defined(__x86_64__)
    if (cdg_processor_lanes() >= CDG_LANES_AVX2) check(cdg_gap_kernel_avx2);
    if (cdg_processor_lanes() >= CDG_LANES_AVX2) check_near(cdg_near_kernel_avx2);
    if (cdg_processor_lanes() >= CDG_LANES_AVX512) check(cdg_gap_kernel_avx512);
    if (cdg_processor_lanes() >= CDG_LANES_AVX512) check_near(cdg_near_kernel_avx512);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_kernels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
