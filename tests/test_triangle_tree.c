// Nearest triangles: the tree against looking at all, and distances at a triangle against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/triangle_tree.h"
#include "near.h"

#include <stdlib.h>

static void distances_are_right(void **state) {
    (void)state;
    const cdg_vec3 c[3] = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
    const struct {
        cdg_vec3 point;
        double distance2;
    } cases[] = {{{1, 1, 2}, 4}, {{1, 1, 0}, 0},         {{-3, -4, 0}, 25}, {{1, -2, 0}, 4},
                 {{5, 0, 1}, 5}, {{3, 4, 0}, 2.4 * 2.4}, {{0, 6, 0}, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(cdg_triangle_distance2(c, cases[i].point), cases[i].distance2, 1e-14);
    const cdg_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, dot[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assert_near(cdg_triangle_distance2(line, vec3(1, 2, 0)), 4, 1e-14); // without area
    assert_near(cdg_triangle_distance2(dot, vec3(1, 1, 3)), 4, 1e-14);
}

static void the_tree_finds_the_nearest(void **state) {
    (void)state;
    enum { MANY = 700 };
    static cdg_vec3 points[3 * MANY];
    static uint32_t triangles[MANY][3];
    cdg_random random = {11};
    for (uint32_t count = 1; count <= MANY; count = 3 * count + 1) {
        for (uint32_t i = 0; i < count; i++) {
            cdg_vec3 middle = random_vec3(&random, 1);
            if (i % 5 == 4) middle = points[3 * i - 3]; // some in the same place
            for (uint32_t k = 0; k < 3; k++) {
                points[3 * i + k] = vec3_add(middle, random_vec3(&random, i % 7 == 0 ? 0 : 0.2));
                triangles[i][k] = 3 * i + k;
            }
        }
        cdg_mesh mesh = {points, 3 * (size_t)count, triangles, count};
        cdg_triangle_tree tree;
        assert_true(cdg_triangle_tree_build(&mesh, NULL, &tree));
        for (int n = 0; n < 300; n++) {
            cdg_vec3 point = random_vec3(&random, 2);
            double least = HUGE_VAL;
            for (uint32_t i = 0; i < count; i++) {
                const cdg_vec3 c[3] = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
                least = fmin(least, cdg_triangle_distance2(c, point));
            }
            uint32_t leaf = UINT32_MAX;
            double found = cdg_triangle_tree_nearest(&tree, point, (uint32_t)n, &leaf);
            assert_true(found == least);
            assert_true(leaf < count && tree.source[leaf] < count);
            assert_true(cdg_triangle_distance2(tree.corners[leaf], point) == least);
        }
        cdg_triangle_tree_free(&tree);
    }
    cdg_mesh none = {0};
    cdg_triangle_tree tree;
    assert_false(cdg_triangle_tree_build(&none, NULL, &tree));
}

// Many triangles with the same centroid must not make the tree deep.
static void equal_triangles_are_fine(void **state) {
    (void)state;
    enum { MANY = 5000 };
    cdg_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static uint32_t triangles[MANY][3];
    for (int i = 0; i < MANY; i++)
        for (uint32_t k = 0; k < 3; k++) triangles[i][k] = k;
    cdg_mesh mesh = {points, 3, triangles, MANY};
    cdg_triangle_tree tree;
    uint32_t leaf;
    assert_true(cdg_triangle_tree_build(&mesh, NULL, &tree));
    assert_near(cdg_triangle_tree_nearest(&tree, vec3(0.2, 0.2, 3), 0, &leaf), 9, 1e-12);
    cdg_triangle_tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_are_right),
                                       cmocka_unit_test(the_tree_finds_the_nearest),
                                       cmocka_unit_test(equal_triangles_are_fine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
