// Where places of a rod are after it was cut, and what its parts will be.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cut_case.h"

// The place of a rod as it was made, wherever it is since; and back.
static void finds_places(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    cdg_rod_id a = cut(s.world, s.rope, 10, NULL), b = cut(s.world, a, 6, NULL);
    cut(s.world, s.ring, 5, NULL);
    cdg_rod_id c = cut(s.world, s.ring, 20, NULL); // node 1 of the ring, as it was made
    const struct {
        cdg_rod_id rod, now;
        size_t node, place;
    } cases[] = {{s.rope, s.rope, 0, 0},  {s.rope, s.rope, 10, 10}, {s.rope, a, 11, 1},     {s.rope, a, 16, 6},
                 {s.rope, b, 17, 1},      {s.rope, b, 24, 8},       {s.ring, s.ring, 6, 1}, {s.ring, s.ring, 23, 18},
                 {s.ring, s.ring, 0, 19}, {s.ring, s.ring, 1, 20},  {s.ring, c, 2, 1},      {s.ring, c, 5, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_place now = cdg_cuts_place_now(s.world, node_of(cases[i].rod, cases[i].node));
        assert_int_equal(now.rod.index1, cases[i].now.index1);
        assert_int_equal(now.index, cases[i].place);
        cdg_place then = cdg_cuts_place_then(s.world, now);
        assert_int_equal(then.rod.index1, cases[i].rod.index1);
        assert_int_equal(then.index, cases[i].node);
    }
    cdg_world_destroy(s.world);
}

// What there will be is what there is once the plans are carried out: parts, order and names.
static void foretells(void **state) {
    (void)state;
    stage s = make(CDG_MODEL_POBD, 1);
    plan(s.world, s.rope, 17, 0.03);
    plan(s.world, s.ring, 5, 0.01);
    plan(s.world, s.rope, 10, 0.02);
    plan(s.world, s.ring, 2, 0.01);
    cdg_cut_leaf *leaves;
    size_t count;
    assert_true(cdg_cuts_leaves(s.world, &leaves, &count));
    for (size_t i = 0; i < count; i++) { // of the whole rods, as they are
        cdg_cut_span span = cdg_cuts_span(s.world, &leaves[i].part);
        assert_int_equal(span.rod.index1 - 1, leaves[i].part.root);
        assert_int_equal(span.first_node, leaves[i].part.first);
        assert_int_equal(span.node_count, leaves[i].part.count + 1);
    }
    run(s.world, 25);
    assert_int_equal(cdg_world_rod_count(s.world), count);
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        cdg_rod_info info;
        cdg_cut_part part = cdg_cuts_part_of(s.world, (uint32_t)i);
        assert_int_equal(cdg_rod_get_info(s.world, cdg_world_rod_at(s.world, i), &info), CDG_OK);
        if (leaves[i].name != NULL) assert_string_equal(info.name, leaves[i].name);
        assert_int_equal(part.root, leaves[i].part.root);
        assert_int_equal(part.first, leaves[i].part.first);
        assert_int_equal(part.count, leaves[i].part.count);
        cdg_cut_span span = cdg_cuts_span(s.world, &leaves[i].part);
        assert_int_equal(span.rod.index1, cdg_world_rod_at(s.world, i).index1);
        assert_int_equal(span.first_node, 0);
        assert_int_equal(span.node_count, info.node_count);
    }
    free(leaves);
    cdg_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_places),
        cmocka_unit_test(foretells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
