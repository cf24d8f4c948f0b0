// Creases of a box and of a cylinder: patches, edges, corners.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/creases.h"
#include "meshing_fixture.h"

static void test_box(void **state) {
    (void)state;
    fixture f;
    cdg_creases c;
    cdg_vec3 place;
    fixture_build(&f, shape_box(vec3(-1, -1, -1), vec3(1, 1, 1)));
    assert_true(cdg_creases_find(&f.soup, 0.7, 0.2, &f.budget, &c));
    assert_int_equal(c.patch_count, 6);
    assert_int_equal(c.edge_count, 12);
    assert_int_equal(c.corner_count, 8);
    for (size_t i = 0; i < 6; i++) assert_true(c.is_plane[i]);
    for (size_t i = 0; i < 8; i++) assert_int_equal(c.corners[i].patch_count, 3);
    uint32_t edge = cdg_creases_nearest(&c, vec3(0.9, 0.95, 0.3), 0.2, NULL, 0, NULL, 0, &place);
    assert_true(edge != UINT32_MAX && vec3_distance(place, vec3(1, 1, 0.3)) < 1e-12);
    const uint32_t *patch = c.edges[edge].patch;
    assert_int_equal(cdg_creases_nearest(&c, vec3(0.9, 0.95, 0.3), 0.2, patch, 1, patch + 1, 1, &place), edge);
    assert_int_equal(cdg_creases_nearest(&c, vec3(0.9, 0.95, 0.3), 0.2, patch, 1, patch, 1, &place), UINT32_MAX);
    assert_int_equal(cdg_creases_nearest(&c, vec3(0.9, 0.95, 0.3), 0.05, NULL, 0, NULL, 0, &place), UINT32_MAX);
    uint32_t corners[4];
    assert_int_equal(cdg_creases_corners(&c, vec3(0.9, 0.95, 0.97), 0.2, corners, 4), 1);
    assert_int_equal(cdg_creases_corners(&c, vec3(0.9, 0.95, 0.3), 0.2, corners, 4), 0);
    cdg_creases_free(&c, &f.budget);
    fixture_release(&f);
}

static void test_cylinder(void **state) {
    (void)state;
    fixture f;
    cdg_creases c;
    fixture_build(&f, shape_cylinder(0.6, 1.6, 64));
    assert_true(cdg_creases_find(&f.soup, 0.7, 0.2, &f.budget, &c));
    assert_int_equal(c.patch_count, 3);
    assert_int_equal(c.edge_count, 2 * 64);
    assert_int_equal(c.corner_count, 0);
    assert_int_equal(c.is_plane[0] + c.is_plane[1] + c.is_plane[2], 2);
    cdg_creases_free(&c, &f.budget);
    fixture_release(&f);
}

static void test_no_creases(void **state) {
    (void)state;
    fixture f;
    cdg_creases c;
    cdg_vec3 place;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 30, 60));
    assert_true(cdg_creases_find(&f.soup, 0.7, 0.2, &f.budget, &c));
    assert_int_equal(c.patch_count, 1);
    assert_int_equal(c.edge_count, 0);
    assert_int_equal(cdg_creases_nearest(&c, vec3(0, 0, 0), 3, NULL, 0, NULL, 0, &place), UINT32_MAX);
    cdg_creases_free(&c, &f.budget);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_no_creases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
