// A mesh that grows: room, scale, and what does not go in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/tetrahedra_build.h"

#include <math.h>
#include <string.h>

static void meshes_grow(void **state) {
    (void)state;
    cdg_error error = {0};
    cdg_tetrahedra_build build = {.path = "a.mesh", .scale = 0.5, .error = &error};
    assert_int_equal(cdg_build_reserve_points(&build, 2), CDG_OK);
    assert_true(cdg_build_add_point(&build, (const double[3]){2, 4, 6}));
    assert_false(cdg_build_add_point(&build, (const double[3]){0, NAN, 0}));
    assert_int_equal(build.mesh.point_count, 1);
    assert_true(build.mesh.points[0].z == 3);
    assert_int_equal(cdg_build_reserve_points(&build, 3), CDG_OK);
    for (int i = 0; i < 3; i++) assert_true(cdg_build_add_point(&build, (const double[3]){i, 0, 0}));
    assert_int_equal(cdg_build_reserve_tetrahedra(&build, 1), CDG_OK);
    assert_false(cdg_build_add_tetrahedron(&build, (const uint64_t[4]){0, 1, 2, 4}));
    assert_false(
        cdg_build_add_tetrahedron(&build, (const uint64_t[4]){0, 1, 2, (uint64_t)1 << 32})); // not cut to 32 bits
    assert_true(cdg_build_add_tetrahedron(&build, (const uint64_t[4]){0, 1, 2, 3}));
    assert_int_equal(build.mesh.tetrahedron_count, 1);
    assert_int_equal(cdg_build_reserve_points(&build, (size_t)1 << 32), CDG_ERROR_FORMAT);
    assert_int_equal(cdg_build_reserve_tetrahedra(&build, SIZE_MAX), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "a.mesh"));
    cdg_build_free(&build);
    assert_null(build.mesh.points);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshes_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
