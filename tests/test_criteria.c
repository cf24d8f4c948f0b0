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

// Twist counts as bending does by measures that err in it, away from rest for those that measure from there; not by the
// angle, and not where turns are counted.
static void twist_halves_where_it_is_not_measured_exactly(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (int rests = 0; rests < 2; rests++) {
            cdg_rod_def def = adapt_def((adapt_variant)variant, 12);
            def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE};
            def.centerline.line.to = vec3(0.6, 0, 0);
            def.initial_twist = 0.32 / 0.05;
            if (rests) def.rest.twist = def.initial_twist;
            cdg_rod *rod = adapt_build(&def);
            bool is_corde = variant == ADAPT_CORDE || variant == ADAPT_CORDE_CONSTRAINT;
            bool errs = variant == ADAPT_POBD_SINE || variant == ADAPT_POBD_TANGENT || (is_corde && !rests);
            for (size_t j = 0; j < 12; j++)
                assert_int_equal(cdg_adapt_wanted(rod, j), errs ? CDG_ADAPT_SPLIT : CDG_ADAPT_KEEP);
            if (errs) assert_near(cdg_adapt_turn_within(rod, 5), 0.32, 1e-4);
            cdg_rod_destroy(rod);
        }
}

// The turn within the half cell between a clamp's section and the first frame counts, twice: 0.16 rad there are as many
// as 0.32 in a whole one.
static void a_clamp_is_a_reason(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (int inner = 0; inner < 2; inner++) {
            cdg_rod_def def = adapt_def((adapt_variant)variant, 12);
            cdg_rod *rod = adapt_build(&def);
            size_t node = inner ? 5 : 0;
            cdg_quat turn = quat_exp(vec3(0, 0.16, 0));
            cdg_hold hold = {.node = node, .holds_position = true, .frame_hold = CDG_HOLD_FRAME};
            hold.frame = quat_multiply(rod_quat(rod->q, node), turn);
            uint32_t *hold_at = rod->hold_at;
            rod->holds = &hold, rod->hold_count = 1, rod->hold_at = NULL;
            assert_near(cdg_adapt_turn_within(rod, node), 0.32, 1e-4);
            for (size_t j = 0; j < 12; j++) {
                bool is_beside = j == node || (inner && j + 1 == node);
                assert_int_equal(cdg_adapt_wanted(rod, j), is_beside ? CDG_ADAPT_SPLIT : CDG_ADAPT_KEEP);
            }
            cdg_resolution_halve(rod, node);
            hold.frame = quat_multiply(rod_quat(rod->q, node), quat_power(turn, 0.5)); // 0.16: fine enough, not calm
            for (int i = 0; i < 6; i++) cdg_adapt_watch(rod, 0.01);
            assert_int_equal(cdg_adapt_wanted(rod, node), CDG_ADAPT_KEEP);
            hold.frame = rod_quat(rod->q, node);
            for (int i = 0; i < 6; i++) cdg_adapt_watch(rod, 0.01);
            assert_int_equal(cdg_adapt_wanted(rod, node), CDG_ADAPT_MERGE);
            rod->holds = NULL, rod->hold_count = 0, rod->hold_at = hold_at;
            cdg_rod_destroy(rod);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(twist_halves_where_it_is_not_measured_exactly),
                                       cmocka_unit_test(a_clamp_is_a_reason), cmocka_unit_test(turns_and_contact_halve),
                                       cmocka_unit_test(what_was_calm_for_a_time_becomes_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
