// Distances that checks of contact rest on, against many sampled places.
#include "validation/plain_distance.h"

#include "math/random.h"
#include "math/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TRIALS = 200, FINE = 120 };

static cdg_vec3 in_triangle(const cdg_vec3 c[3], double a, double b) {
    return vec3_add(vec3_scale(1 - a - b, c[0]), vec3_add(vec3_scale(a, c[1]), vec3_scale(b, c[2])));
}

static void test_points_and_triangles(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < TRIALS; i++) {
        cdg_vec3 corners[3], point = random_vec3(&random, 1);
        for (int k = 0; k < 3; k++) corners[k] = random_vec3(&random, 1);
        double sampled = HUGE_VAL;
        for (int a = 0; a <= FINE; a++)
            for (int b = 0; a + b <= FINE; b++)
                sampled = fmin(sampled, vec3_distance(point, in_triangle(corners, (double)a / FINE, (double)b / FINE)));
        double found = plain_point_triangle(point, corners);
        assert_true(found <= sampled + 1e-12 && found > sampled - 3.0 / FINE);
    }
}

static void test_segments_and_triangles(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < TRIALS; i++) { // through a point of the triangle, or past it
        cdg_vec3 corners[3];
        for (int k = 0; k < 3; k++) corners[k] = random_vec3(&random, 1);
        double a = random_in(&random, 0.05, 0.9), b = random_in(&random, 0.02, 0.95 - a), beside = -0.05;
        cdg_vec3 way = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
        if (b < 0.02 || vec3_norm(way) < 0.05) continue;
        cdg_vec3 in = in_triangle(corners, a, b), out = in_triangle(corners, a, beside);
        assert_true(plain_crosses((cdg_vec3[2]){vec3_add(in, way), vec3_sub(in, way)}, corners));
        assert_false(plain_crosses((cdg_vec3[2]){vec3_add(out, way), vec3_sub(out, way)}, corners));
        assert_false(plain_crosses((cdg_vec3[2]){vec3_mad(in, 2, way), vec3_mad(in, 0.01, way)}, corners));
    }
    const cdg_vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    assert_false(plain_crosses((cdg_vec3[2]){{-1, 0.2, 0}, {1, 0.2, 0}}, flat)); // in its plane
}

static void test_shapes_and_triangles(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_shape shapes[5] = {{.kind = CDG_SHAPE_PLANE, .normal = {0, 0, 1}, .offset = -0.5},
                           {.kind = CDG_SHAPE_SPHERE, .radius = 0.3},
                           {.kind = CDG_SHAPE_CAPSULE, .radius = 0.2, .length = 0.5},
                           {.kind = CDG_SHAPE_BOX, .size = {0.4, 0.6, 0.5}},
                           {.kind = CDG_SHAPE_CYLINDER, .radius = 0.3, .length = 0.4}};
    for (int i = 0; i < TRIALS; i++) {
        cdg_vec3 corners[3];
        double sampled = HUGE_VAL;
        const cdg_shape *shape = &shapes[i % 5];
        for (int k = 0; k < 3; k++) corners[k] = random_vec3(&random, 1);
        for (int a = 0; a <= FINE; a++)
            for (int b = 0; a + b <= FINE; b++)
                sampled = fmin(sampled,
                               plain_shape_distance(shape, in_triangle(corners, (double)a / FINE, (double)b / FINE)));
        double found = plain_shape_triangle(shape, corners);
        assert_true(found <= sampled + 1e-9 && found > sampled - 3.0 / FINE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_and_triangles),
        cmocka_unit_test(test_segments_and_triangles),
        cmocka_unit_test(test_shapes_and_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
