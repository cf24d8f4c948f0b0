// Where a rod should be finer and where it may be coarser.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"

// An arc that turns by `turn` within an element.
static cdg_rod *arc(double turn) {
    cdg_rod_def def = adapt_def(ADAPT_POBD, 12);
    cdg_vec3 points[ADAPT_ARC_MAX];
    adapt_arc(&def, turn, points);
    return adapt_build(&def);
}

static void turns_and_contact_halve(void **state) {
    (void)state;
    cdg_rod *bent = arc(0.31), *hardly = arc(0.29);
    for (size_t j = 0; j < 12; j++) {
        assert_int_equal(cdg_adapt_wanted(bent, j), CDG_ADAPT_SPLIT);
        assert_int_equal(cdg_adapt_wanted(hardly, j), CDG_ADAPT_KEEP);
    }
    hardly->adapt->touch[4] = 1;
    assert_int_equal(cdg_adapt_wanted(hardly, 4), CDG_ADAPT_SPLIT);
    hardly->adapt->options.contact = CDG_ADAPT_TOUCHED_ON_BOTH;
    assert_int_equal(cdg_adapt_wanted(hardly, 4), CDG_ADAPT_KEEP);
    hardly->adapt->touch[4] = 3;
    assert_int_equal(cdg_adapt_wanted(hardly, 4), CDG_ADAPT_SPLIT);
    hardly->adapt->options.shortest = 0.026;
    assert_int_equal(cdg_adapt_wanted(hardly, 4), CDG_ADAPT_KEEP);
    hardly->adapt->options.shortest = 0.001;
    cdg_resolution_halve(hardly, 4); // neighbours first
    hardly->adapt->touch[4] = 3, hardly->adapt->touch[5] = 0;
    assert_int_equal(cdg_adapt_wanted(hardly, 4), CDG_ADAPT_KEEP);
    assert_int_equal(cdg_adapt_wanted(hardly, 3), CDG_ADAPT_SPLIT);
    cdg_rod_destroy(bent);
    cdg_rod_destroy(hardly);
}

static void what_was_calm_for_a_time_becomes_one(void **state) {
    (void)state;
    cdg_rod *rod = arc(0.15);
    cdg_resolution_halve(rod, 4);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(cdg_adapt_wanted(rod, 4), CDG_ADAPT_KEEP);
        cdg_adapt_watch(rod, 0.01); // 0.075 rad in each half
    }
    assert_int_equal(cdg_adapt_wanted(rod, 4), CDG_ADAPT_MERGE);
    assert_int_equal(cdg_adapt_wanted(rod, 5), CDG_ADAPT_KEEP);
    rod->adapt->touch[5] = 2;
    cdg_adapt_watch(rod, 0.01);
    assert_int_equal(cdg_adapt_wanted(rod, 4), CDG_ADAPT_KEEP);
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_and_contact_halve),
                                       cmocka_unit_test(what_was_calm_for_a_time_becomes_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
