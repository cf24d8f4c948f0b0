// The distance transform against all pairs of voxels, on one thread and on two.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/distance.h"

static void test_against_all_pairs(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    enum { X = 17, Y = 9, Z = 12, ALL = X * Y * Z };
    const int count[3] = {X, Y, Z};
    static float start[ALL], one[ALL], two[ALL], near[ALL];
    cdg_random random = {3};
    for (int i = 0; i < ALL; i++)
        start[i] = one[i] = two[i] = near[i] = random_unit(&random) < 0.01 ? (float)random_unit(&random) : 1e20F;
    assert_true(cdg_distance_transform(one, count, 100, 1, &budget));
    assert_true(cdg_distance_transform(two, count, 100, 2, &budget)); // thread_count
    assert_true(cdg_distance_transform(near, count, 3, 1, &budget));
    for (int i = 0; i < ALL; i++) {
        double least = 1e20;
        for (int k = 0; k < ALL; k++) {
            double x = i % X - k % X, y = i / X % Y - k / X % Y, z = i / X / Y - k / X / Y;
            least = fmin(least, start[k] + x * x + y * y + z * z);
        }
        assert_true(fabs(one[i] - least) < 1e-3);
        assert_true(one[i] == two[i]);
        assert_true(near[i] == (one[i] <= 9 ? one[i] : 1e20F));
    }
    assert_int_equal(budget.used, 0);
}

static void test_nothing_entered_stays_far(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    const int count[3] = {3, 3, 3};
    float values[27];
    for (int i = 0; i < 27; i++) values[i] = 1e20F;
    assert_true(cdg_distance_transform(values, count, 100, 1, &budget));
    for (int i = 0; i < 27; i++) assert_true(values[i] >= 1e19F);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_pairs),
        cmocka_unit_test(test_nothing_entered_stays_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
