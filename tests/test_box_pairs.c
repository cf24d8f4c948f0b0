// Broad phase: tree and grid against comparing all with all, on every instruction set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/box_groups.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>

static cdg_box box_around(cdg_vec3 middle, cdg_vec3 half) {
    return (cdg_box){{middle.x - half.x, middle.y - half.y, middle.z - half.z},
                     {middle.x + half.x, middle.y + half.y, middle.z + half.z}};
}

static cdg_vec3 random_half(cdg_random *random, double size) {
    cdg_vec3 half = random_vec3(random, size);
    return vec3(fabs(half.x), fabs(half.y), fabs(half.z));
}

static bool is_even_sum(const void *user, uint32_t a, uint32_t b) {
    *(size_t *)(uintptr_t)user += 1;
    assert_true(a < b);
    return (a + b) % 2 == 0;
}

// Both methods give what comparing all with all gives, in its order.
static void check_boxes(const cdg_box *boxes, size_t count) {
    cdg_box_finder finders[2] = {{.method = CDG_BROAD_TREE}, {.method = CDG_BROAD_GRID}};
    for (int filtered = 0; filtered < 2; filtered++)
        for (int m = 0; m < 2; m++) {
            cdg_box_finder *finder = &finders[m];
            size_t asked = 0, k = 0, overlaps = 0;
            cdg_error error;
            assert_int_equal(cdg_box_finder_find(finder, boxes, count, filtered ? is_even_sum : NULL, &asked, &error),
                             CDG_OK);
            for (uint32_t a = 0; a < count; a++)
                for (uint32_t b = a + 1; b < count; b++) {
                    if (!cdg_boxes_overlap(&boxes[a], &boxes[b])) continue;
                    overlaps++;
                    if (filtered && (a + b) % 2 != 0) continue;
                    assert_true(k < finder->pair_count);
                    assert_int_equal(finder->pairs[k].a, a);
                    assert_int_equal(finder->pairs[k].b, b);
                    k++;
                }
            assert_int_equal(finder->pair_count, k);
            if (filtered) assert_int_equal(asked, overlaps);
        }
    cdg_box_finder_free(&finders[0]);
    cdg_box_finder_free(&finders[1]);
}

// Of two lots, small ones or such that each with each is too much: the pairs between them.
static void lots_meet_each_other_alone(void **state) {
    (void)state;
    static cdg_box boxes[1200];
    const size_t splits[] = {0, 1, 7, 40, 600, 1199, 1200}, counts[] = {60, 1200};
    cdg_random random = {31};
    for (size_t i = 0; i < 1200; i++) boxes[i] = box_around(random_vec3(&random, 1), random_half(&random, 0.1));
    cdg_box_finder finder = {0};
    for (size_t n = 0; n < 2; n++)
        for (size_t m = 0; m < sizeof splits / sizeof *splits; m++) {
            size_t split = splits[m] < counts[n] ? splits[m] : counts[n], k = 0;
            cdg_error error;
            assert_int_equal(cdg_box_finder_find_between(&finder, boxes, split, counts[n], &error), CDG_OK);
            for (uint32_t a = 0; a < split; a++)
                for (uint32_t b = (uint32_t)split; b < counts[n]; b++) {
                    if (!cdg_boxes_overlap(&boxes[a], &boxes[b])) continue;
                    assert_true(k < finder.pair_count);
                    assert_int_equal(finder.pairs[k].a, a);
                    assert_int_equal(finder.pairs[k].b, b);
                    k++;
                }
            assert_int_equal(finder.pair_count, k);
        }
    cdg_box_finder_free(&finder);
}

enum { MOST = 700 };

static void random_boxes_agree(void **state) {
    (void)state;
    static cdg_box boxes[MOST];
    cdg_random random = {1};
    for (int round = 0; round < 150; round++) {
        size_t count = round < 70 ? (size_t)round : 1 + (size_t)(random_bits(&random) % MOST);
        double size = pow(10, random_in(&random, -3, 0));
        for (size_t i = 0; i < count; i++) boxes[i] = box_around(random_vec3(&random, 1), random_half(&random, size));
        check_boxes(boxes, count);
    }
}

static void chains_agree(void **state) {
    (void)state;
    static cdg_box boxes[MOST];
    cdg_random random = {2};
    for (int round = 0; round < 30; round++) {
        cdg_vec3 at = random_vec3(&random, round % 3 == 0 ? 1e6 : 1);
        for (size_t i = 0; i < MOST; i++) { // a random walk, which crosses itself
            cdg_vec3 next = vec3_add(at, random_vec3(&random, 0.1));
            boxes[i] = box_around(vec3_lerp(at, next, 0.5), random_half(&random, 0.1));
            at = next;
        }
        check_boxes(boxes, MOST);
    }
}

static bool is_far_along(const void *user, uint32_t a, uint32_t b) {
    (void)user;
    return b - a > 2;
}

// A walk of thousands of boxes in a small room: threads share out what they compare (cdg_parallel_for).
static void threads_find_the_same(void **state) {
    (void)state;
    enum { LONG = 6000 };
    cdg_box *boxes = malloc(LONG * sizeof *boxes);
    cdg_random random = {6};
    cdg_box_finder finders[3] = {{.method = CDG_BROAD_TREE}, {.threads = 2}, {.threads = 3}};
    cdg_error error;
    assert_non_null(boxes);
    for (int round = 0; round < 4; round++) {
        cdg_vec3 at = {0, 0, 0};
        for (size_t i = 0; i < LONG; i++) {
            cdg_vec3 next = vec3_add(vec3_scale(0.98, at), random_vec3(&random, 0.05));
            boxes[i] = box_around(vec3_lerp(at, next, 0.5), vec3(0.02, 0.02, 0.02));
            at = next;
        }
        for (int m = 0; m < 3; m++) {
            cdg_pair_filter filter = round % 2 == 1 ? is_far_along : NULL;
            finders[m].method = CDG_BROAD_TREE;
            assert_int_equal(cdg_box_finder_find(&finders[m], boxes, LONG, filter, NULL, &error), CDG_OK);
            assert_true(finders[m].pair_count > LONG);
            assert_int_equal(finders[m].pair_count, finders[0].pair_count);
            assert_memory_equal(finders[m].pairs, finders[0].pairs, finders[0].pair_count * sizeof(cdg_box_pair));
        }
    }
    assert_null(finders[0].parts);
    assert_non_null(finders[2].parts);
    for (int m = 0; m < 3; m++) cdg_box_finder_free(&finders[m]);
    free(boxes);
}

static void odd_boxes_agree(void **state) {
    (void)state;
    static cdg_box boxes[MOST];
    cdg_random random = {3};
    const cdg_box everything = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    const cdg_box nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    const cdg_box undefined = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (int round = 0; round < 60; round++) {
        size_t count = 1 + (size_t)(random_bits(&random) % 200);
        for (size_t i = 0; i < count; i++) {
            // on a lattice boxes are flat, equal, or touch in a face, an edge or a corner
            cdg_vec3 middle =
                vec3(floor(random_in(&random, 0, 4)), floor(random_in(&random, 0, 4)), floor(random_in(&random, 0, 4)));
            cdg_vec3 half = vec3(0.5 * floor(random_in(&random, 0, 2)), 0.5 * floor(random_in(&random, 0, 2)),
                                 0.5 * floor(random_in(&random, 0, 2)));
            boxes[i] = box_around(middle, half);
            switch (random_bits(&random) % 24) {
            case 0: boxes[i] = everything; break;
            case 1: boxes[i] = nothing; break;
            case 2: boxes[i] = undefined; break;
            case 3: boxes[i] = box_around(middle, vec3(1e3, 0, 1e3)); break;
            case 4: boxes[i].low[random_bits(&random) % 3] = NAN; break;
            case 5: boxes[i].high[random_bits(&random) % 3] = HUGE_VAL; break;
            case 6: boxes[i] = box_around(middle, vec3(-0.5, 0.5, 0.5)); break; // inside out
            case 7: boxes[i] = box_around(vec3(1e300, -1e300, 0), vec3(1, 1, 1)); break;
            default: break;
            }
        }
        check_boxes(boxes, count);
    }
    for (size_t i = 0; i < 100; i++) boxes[i] = box_around(vec3(3, 3, 3), vec3(0, 0, 0));
    check_boxes(boxes, 100); // all at one point
    for (size_t i = 0; i < 100; i++) boxes[i] = box_around(vec3(1.7e308, 0, i % 2 ? -1.7e308 : 1.7e308), vec3(0, 0, 0));
    check_boxes(boxes, 100);
}

static bool no_growth(cdg_pair_list *list, size_t more) { return list->capacity - list->count >= more; }

static void check_kernels(const cdg_box_kernels *kernels, const cdg_box_group *group, const cdg_box *boxes) {
    cdg_box_pair pairs[CDG_GROUP * CDG_GROUP + CDG_GROUP];
    cdg_pair_list list = {pairs, 0, sizeof pairs / sizeof *pairs, no_growth};
    size_t k = 0;
    assert_true(kernels->compare_ranges(group, 0, CDG_GROUP, 0, CDG_GROUP, &list));
    for (uint32_t i = 0; i < CDG_GROUP; i++)
        for (uint32_t j = i + 1; j < CDG_GROUP; j++) {
            if (!cdg_boxes_overlap(&boxes[i], &boxes[j])) continue;
            assert_true(k < list.count);
            assert_int_equal(pairs[k].a, i);
            assert_int_equal(pairs[k].b, j);
            k++;
        }
    assert_int_equal(k, list.count);
}

// Every instruction set that this processor has.
static void kernels_agree(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int round = 0; round < 2000; round++) {
        cdg_box_group group;
        cdg_box boxes[CDG_GROUP];
        for (size_t i = 0; i < CDG_GROUP; i++) {
            boxes[i] = box_around(random_vec3(&random, 1), random_half(&random, 1));
            for (int k = 0; k < 3; k++) group.low[k][i] = boxes[i].low[k], group.high[k][i] = boxes[i].high[k];
        }
        check_kernels(&cdg_box_kernels_base, &group, boxes);
#if defined(__x86_64__)
        if (cdg_processor_lanes() >= CDG_LANES_AVX2) check_kernels(&cdg_box_kernels_avx2, &group, boxes);
        if (cdg_processor_lanes() >= CDG_LANES_AVX512) check_kernels(&cdg_box_kernels_avx512, &group, boxes);
#endif
    }
}

static void a_finder_can_be_used_again(void **state) {
    (void)state;
    cdg_box_finder finder = {0};
    cdg_error error;
    static cdg_box boxes[MOST];
    cdg_random random = {5};
    for (int round = 0; round < 20; round++) {
        finder.method = round % 2 ? CDG_BROAD_GRID : CDG_BROAD_AUTO;
        size_t count = (size_t)(random_bits(&random) % MOST), expected = 0;
        for (size_t i = 0; i < count; i++) boxes[i] = box_around(random_vec3(&random, 1), random_half(&random, 0.1));
        for (size_t a = 0; a < count; a++)
            for (size_t b = a + 1; b < count; b++) expected += cdg_boxes_overlap(&boxes[a], &boxes[b]);
        assert_int_equal(cdg_box_finder_find(&finder, boxes, count, NULL, NULL, &error), CDG_OK);
        assert_int_equal(finder.pair_count, expected);
    }
    assert_int_equal(cdg_box_finder_find(&finder, NULL, 0, NULL, NULL, &error), CDG_OK);
    assert_int_equal(finder.pair_count, 0);
    assert_int_equal(cdg_box_finder_find(&finder, boxes, SIZE_MAX, NULL, NULL, &error), CDG_ERROR_ARGUMENT);
    cdg_box_finder_free(&finder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lots_meet_each_other_alone),
        cmocka_unit_test(random_boxes_agree),
        cmocka_unit_test(chains_agree),
        cmocka_unit_test(threads_find_the_same),
        cmocka_unit_test(odd_boxes_agree),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(a_finder_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
