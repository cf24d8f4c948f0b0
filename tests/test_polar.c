// The nearest rotation: against products of known ones, mirrored matrices, half turns, bad starts.
#include "solid_case.h"

#include "math/polar.h"

static mat3 draw_matrix(cdg_random *random, double size) {
    mat3 m;
    for (int k = 0; k < 9; k++) m.m[k / 3][k % 3] = random_in(random, -size, size);
    return m;
}

static double trace_with(const mat3 *f, cdg_quat q) {
    mat3 r = mat3_from_quat(q);
    return mat3_dot(&r, f);
}

static void test_rotation_of_a_product(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < 2000; i++) {
        cdg_quat q = random_rotation(&random), axes = random_rotation(&random);
        mat3 v = mat3_from_quat(axes), r = mat3_from_quat(q);
        mat3 s = mat3_diagonal(random_in(&random, 0.2, 3), random_in(&random, 0.2, 3), random_in(&random, 0.2, 3));
        s = mat3_multiply(mat3_multiply(v, s), mat3_transpose(v));
        mat3 f = mat3_multiply(r, s);
        assert_rotation_near(polar_rotation(&f, random_rotation(&random)), q, 1e-12);
        assert_rotation_near(polar_rotation(&f, q), q, 1e-13);
    }
}

// Whatever the start, no rotation near by or at random gives a larger trace.
static void test_no_rotation_is_nearer(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < 2000; i++) {
        mat3 f = draw_matrix(&random, 1); // half of them mirrored
        cdg_quat q = polar_rotation(&f, random_rotation(&random));
        double best = trace_with(&f, q);
        assert_near(quat_dot(q, q), 1, 1e-14);
        for (int k = 0; k < 20; k++) {
            cdg_quat other = k < 10 ? random_rotation(&random) : quat_multiply(q, quat_exp(random_vec3(&random, 1e-3)));
            assert_true(trace_with(&f, other) <= best + 1e-12);
        }
    }
}

static void test_degenerate_matrices_give_some_rotation(void **state) {
    (void)state;
    mat3 zero = mat3_diagonal(0, 0, 0), flat = mat3_diagonal(1, 1, 0), mirror = mat3_diagonal(1, 1, -1);
    mat3 half = mat3_diagonal(-1, -1, 1);
    cdg_quat q = polar_rotation(&zero, quat_identity());
    assert_near(quat_dot(q, q), 1, 1e-12);
    assert_rotation_near(polar_rotation(&flat, quat_identity()), quat_identity(), 1e-12);
    assert_near(trace_with(&mirror, polar_rotation(&mirror, quat_identity())), 1, 1e-12);
    assert_rotation_near(polar_rotation(&half, quat_identity()), quat(0, 0, 0, 1), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation_of_a_product),
        cmocka_unit_test(test_no_rotation_is_nearer),
        cmocka_unit_test(test_degenerate_matrices_give_some_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
