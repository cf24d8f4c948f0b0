// Volume and dihedral angles of elements that are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"

static cdg_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
static uint32_t corners[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 3}};
static cdg_mesh mesh = {
    .points = points, .point_count = 5, .tetrahedra = corners, .tetrahedron_count = 2}; // two on a common face

static void test_corner_of_a_cube(void **state) {
    (void)state;
    cdg_mesh_quality quality;
    cdg_error error;
    assert_int_equal(cdg_mesh_measure(&mesh, &quality, &error), CDG_OK);
    assert_true(fabs(quality.volume - 1.0 / 3) < 1e-15);
    assert_true(fabs(quality.largest_dihedral - mesh_pi / 2) < 1e-12);
    assert_true(fabs(quality.smallest_dihedral - acos(1 / sqrt(3))) < 1e-12);
    assert_int_equal(quality.dihedral_histogram[5], 6); // 54.7 degrees
    assert_int_equal(quality.dihedral_histogram[8] + quality.dihedral_histogram[9], 6);
}

static void test_regular_element(void **state) {
    (void)state;
    cdg_vec3 p[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    uint32_t t[1][4] = {{0, 1, 2, 3}};
    cdg_mesh m = {.points = p, .point_count = 4, .tetrahedra = t, .tetrahedron_count = 1};
    cdg_mesh_quality quality;
    assert_int_equal(cdg_mesh_measure(&m, &quality, NULL), CDG_OK);
    assert_true(fabs(quality.smallest_dihedral - acos(1.0 / 3)) < 1e-12);
    assert_true(fabs(quality.largest_dihedral - acos(1.0 / 3)) < 1e-12);
    t[0][3] = 7;
    cdg_error error;
    assert_int_equal(cdg_mesh_measure(&m, &quality, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corner_of_a_cube),
        cmocka_unit_test(test_regular_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
