// Points numbered anew: each once, with what it had, and all forgotten at the next start.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_local.h"
#include "math/vec3.h"

enum { POINTS = 9 };

static void points_are_numbered_as_they_come(void **state) {
    (void)state;
    double give[POINTS];
    cdg_vec3 force[POINTS];
    cdg_pieces pieces = {.give = give, .force_before = force, .point_count = POINTS, .point_capacity = POINTS};
    for (int i = 0; i < POINTS; i++) give[i] = 10 * i, force[i] = vec3(i, 2 * i, 0);
    cdg_local_points local = {0};
    for (int times = 0; times < 2; times++) {
        assert_true(cdg_local_points_start(&local, &pieces));
        assert_int_equal(local.count, 1); // the still point
        assert_int_equal(cdg_local_points_number(&local, &pieces, CDG_STILL_POINT), 0);
        static const uint32_t order[2][5] = {{7, 3, 7, 8, 3}, {3, 7, 8, 3, 7}};
        static const uint32_t expected[2][5] = {{1, 2, 1, 3, 2}, {1, 2, 3, 1, 2}};
        for (int i = 0; i < 5; i++)
            assert_int_equal(cdg_local_points_number(&local, &pieces, order[times][i]), expected[times][i]);
        assert_int_equal(local.count, 4);
        for (size_t n = 1; n < local.count; n++) {
            assert_true(local.give[n] == give[local.point[n]]);
            assert_true(local.force_before[n].y == force[local.point[n]].y);
        }
    }
    cdg_local_points_free(&local);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_numbered_as_they_come)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
