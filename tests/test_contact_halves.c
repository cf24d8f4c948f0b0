// Rows of different halves share no point and no element, and a cut is made only where most rows act within a half.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_halves.h"
#include "math/random.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 3000, ELEMENTS = POINTS, ROWS = 4000 };

typedef struct rope {
    cdg_sweep_link links[ROWS];
    uint8_t half_of[ROWS];
    size_t cut[2];
    cdg_sweep_problem problem;
} rope;

static void fill_wide(const void *user, cdg_sweep_batch *batch, cdg_sweep_more *more) {
    (void)user;
    (void)batch;
    (void)more;
}

// A row between element a and one at most `reach` further along; each seventh is with what never moves.
static rope *make_rope(uint32_t reach) {
    rope *it = calloc(1, sizeof *it);
    assert_non_null(it);
    cdg_random random = {7};
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t a = (uint32_t)((uint64_t)i * (POINTS - 4) / ROWS),
                 b = a + 2 + (uint32_t)(random_bits(&random) % reach);
        bool is_still = i % 7 == 0;
        if (b > POINTS - 3) b = POINTS - 3;
        if (b < a + 2) a = b - 2;
        it->links[i] = (cdg_sweep_link){.point = {1 + a, 2 + a, is_still ? 0 : 1 + b, is_still ? 0 : 2 + b},
                                        .element = {a, is_still ? ELEMENTS - 1 : b},
                                        .is_active = i % 3 == 0};
    }
    it->problem =
        (cdg_sweep_problem){.links = it->links, .row_count = ROWS, .point_count = POINTS, .element_count = ELEMENTS};
    return it;
}

static bool choose(rope *it) { return cdg_halves_choose(&it->problem, it->half_of, it->cut); }

static void check_apart(const rope *it, size_t count[3]) {
    memset(count, 0, 3 * sizeof *count);
    for (size_t i = 0; i < ROWS; i++) {
        size_t half = it->half_of[i];
        assert_in_range(half, 0, CDG_BOTH_HALVES);
        count[half]++;
        for (int k = 0; k < 4 && half != CDG_BOTH_HALVES; k++)
            if (it->links[i].point[k] != 0) assert_int_equal(it->links[i].point[k] >= it->cut[0], half);
        for (int k = 0; k < 2 && half != CDG_BOTH_HALVES && it->problem.fill_wide != NULL; k++)
            if (it->links[i].more[k] != 0) assert_int_equal(it->links[i].more[k] >= it->cut[0], half);
        for (int k = 0; k < 2 && half != CDG_BOTH_HALVES; k++)
            if (it->links[i].element[k] != ELEMENTS - 1) assert_int_equal(it->links[i].element[k] >= it->cut[1], half);
    }
}

static void halves_share_nothing(void **state) {
    (void)state;
    rope *it = make_rope(200);
    size_t count[3];
    assert_true(choose(it));
    check_apart(it, count);
    assert_true(count[CDG_BOTH_HALVES] > 0 && count[CDG_BOTH_HALVES] < ROWS / 10);
    assert_in_range(count[0], 0.4 * ROWS, 0.55 * ROWS);
    assert_in_range(count[1], 0.4 * ROWS, 0.55 * ROWS);
    free(it);
}

// Third points of each side count, too, and rows are worth a cut where fewer are.
static void wide_rows_share_nothing(void **state) {
    (void)state;
    rope *it = make_rope(200);
    size_t count[3];
    it->problem.fill_wide = fill_wide;
    for (uint32_t i = 0; i < ROWS; i++) it->links[i].more[i % 2] = 1 + (it->links[i].point[0] + 300) % (POINTS - 1);
    assert_true(choose(it));
    check_apart(it, count);
    assert_true(count[CDG_BOTH_HALVES] > 0 && count[0] > ROWS / 4 && count[1] > ROWS / 4);
    free(it);
}

// Those that push lie in one part of the rope: both halves are to have their share of them.
static void rows_that_push_count_more(void **state) {
    (void)state;
    rope *it = make_rope(200);
    size_t count[3], active[3] = {0};
    for (size_t i = 0; i < ROWS; i++) it->links[i].is_active = i < ROWS / 4;
    assert_true(choose(it));
    check_apart(it, count);
    for (size_t i = 0; i < ROWS; i++) active[it->half_of[i]] += it->links[i].is_active;
    assert_true(count[0] < count[1]);
    assert_true(active[0] > ROWS / 8 && active[1] > ROWS / 64);
    free(it);
}

static void check_refusal(rope *it) {
    assert_false(choose(it));
    assert_int_equal(it->cut[0], POINTS);
    assert_int_equal(it->cut[1], ELEMENTS);
    for (size_t i = 0; i < it->problem.row_count; i++) assert_int_equal(it->half_of[i], CDG_BOTH_HALVES);
    free(it);
}

static void there_may_be_no_halves(void **state) {
    (void)state;
    check_refusal(make_rope(100 * POINTS)); // all over the rope
    rope *few = make_rope(200);
    few->problem.row_count = 1000;
    check_refusal(few);
    rope *wide = make_rope(200); // their third points are at its ends
    wide->problem.fill_wide = fill_wide;
    for (size_t i = 0; i < ROWS; i++) wide->links[i].more[0] = 1, wide->links[i].more[1] = POINTS - 1;
    check_refusal(wide);
    rope *few_wide = make_rope(200);
    few_wide->problem.fill_wide = fill_wide, few_wide->problem.row_count = 900;
    check_refusal(few_wide);
    rope *still = make_rope(200);
    for (size_t i = 0; i < ROWS; i++) memset(still->links[i].point, 0, sizeof still->links[i].point);
    check_refusal(still);
    rope *mixed = make_rope(200); // elements are not in the order of points
    for (size_t i = 0; i < ROWS; i++) mixed->links[i].element[0] = ELEMENTS - 2 - mixed->links[i].element[0];
    check_refusal(mixed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_share_nothing), cmocka_unit_test(rows_that_push_count_more),
        cmocka_unit_test(wide_rows_share_nothing), cmocka_unit_test(there_may_be_no_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
