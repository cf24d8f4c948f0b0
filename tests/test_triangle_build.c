// A triangle mesh that grows: fans of polygons, scale, and corners that come later.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "meshing/triangle_build.h"

static void fans_are_made(void **state) {
    (void)state;
    cdg_triangle_build build = {.scale = 2};
    uint32_t fan[3];
    for (uint32_t i = 0; i < 5; i++) assert_true(cdg_triangle_build_corner(&build, fan, i, 10 + i, i));
    static const uint32_t expected[3][3] = {{10, 11, 12}, {10, 12, 13}, {10, 13, 14}};
    assert_int_equal(build.mesh.triangle_count, 3);
    assert_memory_equal(build.mesh.triangles, expected, sizeof expected);
    assert_int_equal(build.largest, 14);
    assert_int_equal(build.largest_line, 4);
    assert_false(cdg_triangle_build_is_whole(&build));
    for (int i = 0; i < 1000; i++) assert_true(cdg_triangle_build_point(&build, vec3(i, 0, 1)));
    assert_true(cdg_triangle_build_is_whole(&build));
    assert_int_equal(build.mesh.point_count, 1000);
    assert_true(build.mesh.points[999].x == 1998 && build.mesh.points[999].z == 2);
    cdg_mesh_free(&build.mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fans_are_made)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
