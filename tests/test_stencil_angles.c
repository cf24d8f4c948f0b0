// The proof of angles: it holds for the mesher's thresholds, is nearly sharp, and does not hold for others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/stencil.h"
#include "validation/stencil_angles.h"

static const double degree = 3.14159265358979323846 / 180;

static void test_bounds_hold(void **state) {
    (void)state;
    stencil_proof small = stencil_prove(stencil_near_long, stencil_near_short, 11.77 * degree, 164.8 * degree);
    stencil_proof large = stencil_prove(stencil_near_long, stencil_near_short, 10.7 * degree, 160.9 * degree);
    assert_int_equal(small.open, 0);
    assert_int_equal(large.open, 0);
    // three corners on the surface, each drawn along one of 14 edges, make the most
    assert_int_equal(small.cases, large.cases);
    assert_true(small.cases > 14000 && small.boxes > small.cases);
    assert_true(small.smallest > 11.77 * degree && small.smallest < 11.79 * degree); // it is nearly met
}

static void test_no_more_than_holds_is_proven(void **state) {
    (void)state;
    assert_true(stencil_prove(stencil_near_long, stencil_near_short, 11.79 * degree, 164.8 * degree).open > 0);
    assert_true(stencil_prove(stencil_near_long, stencil_near_short, 10.7 * degree, 160.7 * degree).open > 0);
    assert_true(stencil_prove(0.25, 0.412, 10.7 * degree, 164.8 * degree).open > 0); // thresholds matter
    assert_true(stencil_prove(0.1, 0.1, 10.7 * degree, 164.8 * degree).open > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_no_more_than_holds_is_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
