// Vectors of doubles, here with the two lanes that every machine has; the solvers' tests cover wider ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CDG_SIMD_DOUBLES 2
#include "math/random.h"
#include "math/simd.h"
#include "near.h"

static void test_lanes(void **unused) {
    (void)unused;
    simd_double a = {1, 2}, b = {3, 4};
    assert_true(simd_get(&a, 1) == 2);
    simd_lanes(&a)[1] = 5;
    assert_true(a[0] == 1 && a[1] == 5);
    simd_double spread = simd_broadcast(-0.0);
    assert_true(spread[1] == 0 && signbit(spread[1]));
    simd_double up = simd_shift_up(b, 7), down = simd_shift_down(b, 8);
    assert_true(up[0] == 7 && up[1] == 3);
    assert_true(down[0] == 4 && down[1] == 8);
    const double array[] = {10, 11, 12, 13};
    simd_double gathered = simd_gather(array, (const size_t[]){3, 1});
    assert_true(gathered[0] == 13 && gathered[1] == 11);
}

static void test_masks(void **unused) {
    (void)unused;
    simd_double a = {1, 2}, b = {3, NAN};
    for (uint32_t bits = 0; bits < 4; bits++) {
        simd_mask mask = simd_mask_without(bits);
        simd_double kept = simd_keep(mask, b), chosen = simd_select(mask, a, b);
        for (uint32_t lane = 0; lane < 2; lane++) {
            bool is_on = (bits >> lane & 1) == 0;
            assert_true(mask[lane] == (is_on ? -1 : 0));
            assert_true(is_on ? isnan(kept[lane]) == isnan(b[lane]) : kept[lane] == 0);
            assert_true(is_on ? chosen[lane] == a[lane] : isnan(chosen[lane]) == isnan(b[lane]));
        }
    }
    simd_double larger = simd_max(a, (simd_double){-1, 2.5}), last = simd_max(b, a);
    assert_true(larger[0] == 1 && larger[1] == 2.5);
    assert_true(last[0] == 3 && last[1] == 2); // where one is not a number: the second
    simd_double smaller = simd_min(a, (simd_double){-1, 2.5});
    assert_true(smaller[0] == -1 && smaller[1] == 2);
    simd_double given = simd_with_sign((simd_double){-3, 4}, (simd_double){0.0, -0.0});
    assert_true(given[0] == 3 && given[1] == -4);
}

static void test_parts(void **unused) {
    (void)unused;
    for (size_t count = 0; count <= 3; count++) {
        const double array[2] = {3, 4};
        double copy[2] = {-1, -2};
        simd_part part = simd_part_of(count);
        simd_double read = simd_load_part(array, part, (simd_double){7, 8});
        simd_store_part(copy, part, (simd_double){5, 6});
        for (size_t lane = 0; lane < 2; lane++) {
            bool is_in = lane < count;
            assert_true(read[lane] == (is_in ? array[lane] : 7 + (double)lane));
            assert_true(copy[lane] == (is_in ? 5 + (double)lane : -1 - (double)lane));
        }
    }
    for (uint32_t bits = 0; bits < 4; bits++) assert_true(simd_any(simd_mask_without(bits)) == (bits != 3));
}

static void test_arithmetic(void **unused) {
    (void)unused;
    cdg_random random = {1};
    for (int round = 0; round < 1000; round++) {
        double a = exp(random_in(&random, -600, 600));
        simd_double root = simd_sqrt(simd_broadcast(a)), inverse = simd_inverse_sqrt(simd_broadcast(a));
        assert_near(root[1] / sqrt(a), 1, 1e-15);
        assert_near(inverse[0] * sqrt(a), 1, 1e-12);
        simd_double scale = simd_unit_scale(simd_broadcast(a));
        assert_near(scale[0] * sqrt(a), 1, 4e-16);
        simd_double direct = simd_root(simd_broadcast(a)), over_a = simd_inverse(simd_broadcast(a));
        assert_near(direct[1] / sqrt(a), 1, 1e-15);
        assert_near(over_a[1] * a, 1, 4e-16);
        assert_near(simd_near_inverse(simd_broadcast(a))[0] * a, 1, 1e-12);
        double factor = random_in(&random, 0.5, 2);
        assert_near(simd_near_quotient(simd_broadcast(factor), simd_broadcast(a))[1] * a / factor, 1, 1e-12);
        simd_double over = simd_over_sqrt(factor, simd_broadcast(a));
        assert_near(over[1] * sqrt(a) / factor, 1, 1e-12);
        cdg_vec3 u = random_vec3(&random, 1), v = random_vec3(&random, 1);
        simd_vec3 c = simd_cross((simd_vec3){simd_broadcast(u.x), simd_broadcast(u.y), simd_broadcast(u.z)},
                                 (simd_vec3){simd_broadcast(v.x), simd_broadcast(v.y), simd_broadcast(v.z)});
        assert_vec3_near(vec3(c.x[1], c.y[1], c.z[1]), vec3_cross(u, v), 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
