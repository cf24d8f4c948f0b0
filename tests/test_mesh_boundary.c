// The boundary: closed, outward, with the volume of the mesh.
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

static void test_boundary_holds_the_volume(void **state) {
    (void)state;
    cdg_mesh boundary;
    uint32_t *source;
    cdg_error error;
    assert_int_equal(cdg_mesh_boundary(&mesh, &boundary, &source, &error), CDG_OK);
    assert_int_equal(boundary.triangle_count, 6);
    assert_int_equal(boundary.point_count, 5);
    assert_true(fabs(shape_volume(&boundary) - 1.0 / 3) < 1e-15);
    for (size_t p = 0; p < 5; p++) assert_true(vec3_distance(boundary.points[p], points[source[p]]) == 0);
    free(source);
    cdg_mesh_free(&boundary);
}

static void test_refuses_points_that_are_not_there(void **state) {
    (void)state;
    uint32_t wrong[1][4] = {{0, 1, 2, 9}};
    cdg_mesh m = {.points = points, .point_count = 5, .tetrahedra = wrong, .tetrahedron_count = 1};
    cdg_mesh boundary;
    cdg_error error;
    assert_int_equal(cdg_mesh_boundary(&m, &boundary, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_null(boundary.points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boundary_holds_the_volume),
        cmocka_unit_test(test_refuses_points_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
