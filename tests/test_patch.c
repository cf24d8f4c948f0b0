// Points on patches: on the surface, outward normals, evenly spread, the same for the same seed; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/patch.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 2000 };
static const double pi = 3.141592653589793;

static void sample(const cdg_patch *patch, size_t count, double jitter, uint64_t seed, cdg_vec3 *points,
                   cdg_vec3 *normals) {
    cdg_random random = {seed};
    cdg_error error = {0};
    assert_int_equal(cdg_patch_check(patch, &error), CDG_OK);
    assert_int_equal(cdg_patch_sample(patch, count, jitter, &random, points, normals, &error), CDG_OK);
}

// For a random disc or cap: on the surface, within the rim, normals as they should be, and the share of points within
// any smaller rim is the share of its area.
static void test_round(void **state) {
    (void)state;
    static cdg_vec3 points[COUNT], normals[COUNT];
    cdg_random random = {11};
    for (int round = 0; round < 40; round++) {
        bool is_cap = round % 2 == 1;
        cdg_patch patch = {.kind = is_cap ? CDG_PATCH_CAP : CDG_PATCH_DISC,
                           .center = random_vec3(&random, 2),
                           .axis = random_vec3(&random, 3),
                           .radius = random_in(&random, 0.1, 2),
                           .angle = random_in(&random, 0.1, pi)};
        cdg_vec3 axis = vec3_normalize(patch.axis);
        sample(&patch, COUNT, round % 3 == 0 ? 0 : 0.8, (uint64_t)round, points, normals);
        size_t inner = 0;
        double part = random_in(&random, 0.3, 0.8); // of the rim's radius or angle
        for (size_t i = 0; i < COUNT; i++) {
            cdg_vec3 away = vec3_sub(points[i], patch.center);
            double along = vec3_dot(away, axis), across = vec3_norm(vec3_mad(away, -along, axis));
            assert_near(vec3_norm(normals[i]), 1, 1e-12);
            if (is_cap) {
                assert_near(vec3_norm(away), patch.radius, 1e-12);
                assert_vec3_near(normals[i], vec3_scale(1 / patch.radius, away), 1e-12);
                double angle = atan2(across, along);
                assert_true(angle <= patch.angle + 1e-9);
                inner += angle < part * patch.angle;
            } else {
                assert_near(along, 0, 1e-12);
                assert_vec3_near(normals[i], axis, 1e-12);
                assert_true(across <= patch.radius * (1 + 1e-12));
                inner += across < part * patch.radius;
            }
        }
        double area = is_cap ? (1 - cos(part * patch.angle)) / (1 - cos(patch.angle)) : part * part;
        assert_near((double)inner / COUNT, area, 0.003);
    }
}

// No two of the points are much nearer to each other than an even spread has them.
static void test_even(void **state) {
    (void)state;
    static cdg_vec3 points[COUNT], normals[COUNT];
    cdg_patch patch = {.kind = CDG_PATCH_DISC, .axis = {0, 0, 1}, .radius = 1};
    sample(&patch, COUNT, 0, 1, points, normals);
    double nearest = 10;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < i; k++) nearest = fmin(nearest, vec3_distance(points[i], points[k]));
    assert_true(nearest > 0.7 * sqrt(pi / COUNT)); // of a square with a point's area; random points: a fiftieth
}

static void test_middle(void **state) {
    (void)state;
    cdg_vec3 point, normal;
    cdg_patch patch = {.kind = CDG_PATCH_CAP, .center = {1, 2, 3}, .axis = {0, 0, -2}, .radius = 0.5, .angle = 1};
    sample(&patch, 1, 0, 5, &point, &normal);
    assert_vec3_near(point, vec3(1, 2, 2.5), 1e-12);
    patch.kind = CDG_PATCH_DISC;
    sample(&patch, 1, 0.8, 5, &point, &normal);
    assert_vec3_near(point, vec3(1, 2, 3), 1e-12);
    assert_vec3_near(normal, vec3(0, 0, -1), 1e-12);
    assert_vec3_near(cdg_patch_center(&patch), vec3(1, 2, 3), 0);
}

// Two triangles of areas 1 and 3 that meet at a right angle.
static const cdg_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, -3}};
static const uint32_t faces[][3] = {{0, 1, 2}, {0, 2, 3}};

static void test_mesh(void **state) {
    (void)state;
    static cdg_vec3 points[COUNT], normals[COUNT], again[COUNT];
    cdg_patch patch = {
        .kind = CDG_PATCH_MESH, .vertices = corners, .vertex_count = 4, .triangles = faces, .triangle_count = 2};
    sample(&patch, COUNT, 0, 3, points, normals);
    size_t first = 0;
    for (size_t i = 0; i < COUNT; i++) {
        cdg_vec3 p = points[i];
        bool is_first = fabs(p.z) < 1e-12;
        if (is_first)
            assert_true(p.x >= 0 && p.y >= 0 && p.x + p.y / 2 <= 1 + 1e-12);
        else
            assert_true(fabs(p.x) < 1e-12 && p.y >= 0 && p.z <= 0 && p.y / 2 - p.z / 3 <= 1 + 1e-12);
        first += is_first;
        assert_near(vec3_norm(normals[i]), 1, 1e-12);
        assert_true(vec3_dot(normals[i], is_first ? vec3(0, 0, 1) : vec3(-1, 0, 0)) > 0); // outward
    }
    assert_near((double)first / COUNT, 0.25, 1.0 / COUNT);
    sample(&patch, COUNT, 0, 3, again, normals);
    assert_memory_equal(points, again, sizeof points);
    sample(&patch, COUNT, 0, 4, again, normals);
    assert_memory_not_equal(points, again, sizeof points);
    assert_vec3_near(cdg_patch_center(&patch), vec3(0.25, 0.5, -0.75), 1e-15);
}

static void refused(cdg_patch patch, const char *part) {
    cdg_error error = {0};
    assert_int_equal(cdg_patch_check(&patch, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in: %s", part, error.message);
}

static void test_refused(void **state) {
    (void)state;
    cdg_patch good = {.kind = CDG_PATCH_CAP, .axis = {0, 0, 1}, .radius = 1, .angle = 1}, patch = good;
    patch.radius = 0;
    refused(patch, "radius is 0");
    patch = good, patch.axis = vec3(0, 0, 0);
    refused(patch, "axis");
    patch = good, patch.center.x = NAN;
    refused(patch, "center");
    patch = good, patch.angle = 4;
    refused(patch, "angle is 4");
    static const uint32_t flat[][3] = {{0, 1, 1}}, missing[][3] = {{0, 1, 4}};
    patch = (cdg_patch){.kind = CDG_PATCH_MESH, .vertices = corners, .vertex_count = 4, .triangle_count = 1};
    patch.triangles = flat;
    refused(patch, "area of 0");
    patch.triangles = missing;
    refused(patch, "corner 4");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round), cmocka_unit_test(test_even),
                                       cmocka_unit_test(test_middle), cmocka_unit_test(test_mesh),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
