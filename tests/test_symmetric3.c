// Symmetric matrices: products, bounds and inverses of random positive definite ones, nearly singular ones too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "math/symmetric3.h"
#include "near.h"

static symmetric3 random_matrix(cdg_random *random, double least) {
    symmetric3 a = symmetric3_diagonal(vec3(0, 0, 0));
    cdg_quat q = random_rotation(random);
    a = symmetric3_add_outer(a, random_in(random, 1, 2), quat_d1(q));
    a = symmetric3_add_outer(a, random_in(random, 0.1, 1), quat_d2(q));
    return symmetric3_add_outer(a, least, quat_d3(q));
}

static void test_inverse_undoes_the_product(void **state) {
    (void)state;
    cdg_random random = {1};
    const double least[] = {1, 1e-3, 1e-8}, size[] = {1, 1e-120, 1e120};
    for (int i = 0; i < 300; i++) {
        symmetric3 a = symmetric3_scale(size[i / 3 % 3], random_matrix(&random, least[i % 3]));
        symmetric3 inverse = symmetric3_inverse(a);
        cdg_vec3 v = random_vec3(&random, 1);
        assert_vec3_near(symmetric3_times(inverse, symmetric3_times(a, v)), v, 1e-14 / least[i % 3]);
    }
}

static void test_sums_are_those_of_products(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < 100; i++) {
        symmetric3 a = random_matrix(&random, 0.5), b = random_matrix(&random, 0.2);
        const double list[6] = {a.xx, a.xy, a.xz, a.yy, a.yz, a.zz};
        cdg_vec3 v = random_vec3(&random, 1), n = random_vec3(&random, 1);
        cdg_vec3 sum = vec3_add(symmetric3_times(a, v), symmetric3_times(b, v));
        assert_vec3_near(symmetric3_times(symmetric3_add(symmetric3_from(list), b), v), sum, 1e-14);
        assert_vec3_near(symmetric3_times(symmetric3_add_diagonal(a, 3), v), vec3_mad(symmetric3_times(a, v), 3, v),
                         1e-14);
        assert_vec3_near(symmetric3_times(symmetric3_add_outer(a, 2, n), v),
                         vec3_mad(symmetric3_times(a, v), 2 * vec3_dot(n, v), n), 1e-13);
        // x^T A x <= bound |x|^2, and the trace is the sum over any axes
        assert_true(vec3_dot(v, symmetric3_times(a, v)) <= symmetric3_bound(a) * vec3_dot(v, v) * (1 + 1e-14));
        assert_near(symmetric3_trace(symmetric3_diagonal(v)), v.x + v.y + v.z, 1e-15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_undoes_the_product),
        cmocka_unit_test(test_sums_are_those_of_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
