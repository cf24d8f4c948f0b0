// The part of a rod that a change of resolution is about: which elements, and that its state goes back to the bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt/rod_part.h"
#include "adapt_case.h"

#include <stdlib.h>
#include <string.h>

static cdg_rod *build(bool is_ring, size_t elements) {
    cdg_rod_def def = adapt_def(ADAPT_POBD, elements);
    if (is_ring) {
        def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_CIRCLE};
        def.centerline.circle.radius = 0.1;
        def.centerline.circle.axis = vec3(0, 0, 1);
        def.centerline.circle.start_direction = vec3(1, 0, 0);
        def.centerline.closed = true;
        def.adapt.levels = 1;
    }
    return adapt_build(&def);
}

static void sides_end_at_ends_and_holds(void **state) {
    (void)state;
    cdg_rod *rod = build(false, 12);
    const size_t before[] = {0, 1, 2, 2}, next[] = {2, 2, 1, 0}, at[] = {0, 1, 10, 11};
    for (int k = 0; k < 4; k++) {
        cdg_part_sides sides = cdg_part_choose_sides(rod, at[k], at[k]);
        assert_int_equal(sides.before, before[k]);
        assert_int_equal(sides.next, next[k]);
    }
    cdg_hold holds[2] = {{.node = 5, .holds_position = true}, {.node = 8, .slides = true, .along = {1, 0, 0}}};
    rod->holds = holds, rod->hold_count = 2;
    uint32_t *hold_at = rod->hold_at;
    rod->hold_at = NULL;
    cdg_part_sides sides = cdg_part_choose_sides(rod, 6, 6); // nodes 6 and 7: one neighbour each, up to what is held
    assert_int_equal(sides.before, 1);
    assert_int_equal(sides.next, 1);
    sides = cdg_part_choose_sides(rod, 5, 5);
    assert_int_equal(sides.before, 0);
    assert_int_equal(sides.next, 2);
    rod->holds = NULL, rod->hold_count = 0, rod->hold_at = hold_at;
    cdg_rod_destroy(rod);
}

static void parts_go_round_the_seam(void **state) {
    (void)state;
    cdg_rod *rod = build(true, 6); // made fine: twelve
    assert_int_equal(rod->element_count, 12);
    cdg_part_sides sides = cdg_part_choose_sides(rod, 0, 1);
    cdg_rod_part part = cdg_part_beside(rod, 0, sides, true);
    const size_t elements[] = {10, 11, 0, 1, 2, 3};
    assert_int_equal(part.count, 6);
    for (size_t k = 0; k < 6; k++) assert_int_equal(part.element[k], elements[k]);
    assert_int_equal(part.node[6], 4);
    assert_int_equal(part.fresh, 3);
    assert_int_equal(part.node[part.fresh], 1);
    part = cdg_part_beside(rod, 11, sides, false);
    assert_int_equal(part.node[part.count], 2);
    cdg_rod_destroy(rod);
    for (size_t elements_of_ring = 3; elements_of_ring < 9; elements_of_ring++) { // what stays is two elements at least
        rod = build(true, elements_of_ring);
        while (cdg_resolution_are_halves(rod, 0)) cdg_resolution_join(rod, 0);
        for (size_t j = 1; j < rod->element_count; j++)
            if (cdg_resolution_are_halves(rod, j)) cdg_resolution_join(rod, j);
        sides = cdg_part_choose_sides(rod, 1, 1);
        part = cdg_part_beside(rod, 1, sides, false);
        assert_true(part.count + 2 <= rod->element_count || part.count == 1);
        cdg_rod_destroy(rod);
    }
}

static void states_go_back_to_the_bit(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {17};
        cdg_rod_def def = adapt_def((adapt_variant)variant, 12);
        cdg_vec3 points[ADAPT_ARC_MAX];
        adapt_arc(&def, 0.2, points);
        cdg_rod *rod = adapt_build(&def);
        adapt_shake(rod, &random, 1);
        double *kept = malloc(rod->memory_size);
        memcpy(kept, rod->memory, rod->memory_size);
        cdg_part_sides sides = cdg_part_choose_sides(rod, 5, 5);
        cdg_rod_part part = cdg_part_beside(rod, 5, sides, false);
        cdg_part_state was;
        cdg_part_keep(rod, &part, &was);
        for (size_t k = 0; k <= part.count; k++) {
            rod_set_vec3(rod->x, part.node[k], random_vector(&random, 1));
            rod_set_vec3(rod->v, part.node[k], random_vector(&random, 1));
            rod->node_mass[part.node[k]] *= 2;
        }
        for (size_t k = 0; k < part.count; k++) {
            rod_set_quat(rod->q, part.element[k], random_rotation(&random));
            rod_set_vec3(rod->w, part.element[k], random_vector(&random, 1));
        }
        assert_memory_not_equal(kept, rod->memory, rod->memory_size);
        cdg_part_put_back(rod, &part, &was);
        assert_memory_equal(kept, rod->memory, rod->memory_size);
        free(kept);
        cdg_rod_destroy(rod);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides_end_at_ends_and_holds),
                                       cmocka_unit_test(parts_go_round_the_seam),
                                       cmocka_unit_test(states_go_back_to_the_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
