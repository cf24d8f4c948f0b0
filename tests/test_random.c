// The generator: known first values, ranges, uniformity of numbers and rotations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"

enum { DRAWS = 100000 };

// splitmix64's published test values for seed 1234567: the same numbers on every machine.
static void test_known_sequence(void **state) {
    (void)state;
    cdg_random random = {1234567};
    const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                                 16408922859458223821u};
    for (int i = 0; i < 5; i++) assert_true(random_bits(&random) == expected[i]);
}

static void test_seed_repeats(void **state) {
    (void)state;
    cdg_random a = {99}, b = {99}, c = {100};
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t bits = random_bits(&a);
        assert_true(bits == random_bits(&b));
        same += bits == random_bits(&c);
    }
    assert_int_equal(same, 0);
}

static void test_unit_is_uniform(void **state) {
    (void)state;
    cdg_random random = {5};
    int bins[10] = {0};
    double sum = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = random_unit(&random);
        assert_true(u >= 0 && u < 1);
        bins[(int)(10 * u)]++;
        sum += u;
        square += u * u;
    }
    assert_near(sum / DRAWS, 0.5, 5e-3); // five standard deviations of the mean: 5 * 0.289 / sqrt(DRAWS) = 4.6e-3
    assert_near(square / DRAWS, 1.0 / 3, 5e-3);
    for (int i = 0; i < 10; i++) assert_near(bins[i], DRAWS / 10.0, 475); // five standard deviations of a bin
}

static void test_intervals(void **state) {
    (void)state;
    cdg_random random = {6};
    cdg_vec3 low = vec3(1, 1, 1), high = vec3(-1, -1, -1);
    for (int i = 0; i < DRAWS; i++) {
        double x = random_in(&random, -7, -3);
        assert_true(x >= -7 && x < -3);
        cdg_vec3 v = random_vec3(&random, 0.5);
        low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    assert_vec3_near(low, vec3(-0.5, -0.5, -0.5), 1e-3);
    assert_vec3_near(high, vec3(0.5, 0.5, 0.5), 1e-3);
    assert_true(low.x >= -0.5 && high.x < 0.5);
}

// Uniform over rotations: quaternion components have mean square 1/4, and each director is uniform on the
// sphere (mean 0, mean square of each component 1/3); mean rotation angle pi/2 + 2/pi.
static void test_rotations_are_uniform(void **state) {
    (void)state;
    cdg_random random = {7};
    double square[4] = {0}, directors[3][3] = {{0}}, angle = 0;
    cdg_vec3 mean = vec3(0, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        cdg_quat q = random_rotation(&random);
        assert_near(quat_dot(q, q), 1, 1e-15);
        const double component[4] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; k++) square[k] += component[k] * component[k];
        const cdg_vec3 d[3] = {quat_d1(q), quat_d2(q), quat_d3(q)};
        for (int k = 0; k < 3; k++) {
            directors[k][0] += d[k].x * d[k].x;
            directors[k][1] += d[k].y * d[k].y;
            directors[k][2] += d[k].z * d[k].z;
            mean = vec3_add(mean, d[k]);
        }
        angle += vec3_norm(quat_log(q));
    }
    for (int k = 0; k < 4; k++) assert_near(square[k] / DRAWS, 0.25, 5e-3);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) assert_near(directors[k][c] / DRAWS, 1.0 / 3, 6e-3);
    assert_vec3_near(vec3_scale(1.0 / DRAWS, mean), vec3(0, 0, 0), 3e-2);
    assert_near(angle / DRAWS, 1.5707963267948966 + 0.6366197723675814, 1.2e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_sequence),        cmocka_unit_test(test_seed_repeats),
        cmocka_unit_test(test_unit_is_uniform),       cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_rotations_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
