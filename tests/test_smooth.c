// Smoothing: the boundary gets smoother at the same volume.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/smooth.h"
#include "meshing_fixture.h"

static void test_boundary_keeps_its_volume(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_moves moves;
    take_cubes(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_moves_build(&m, &budget, &moves));
    cdg_angle_bounds bounds = {-0.95, 0.97};
    assert_true(cdg_smooth_boundary(&moves, 5, bounds, &budget));
    cdg_mesh_quality quality = raw_quality(&m);
    assert_true(fabs(quality.volume / 27 - 1) < 0.01);
    assert_true(vec3_distance(m.points[0], vec3(1.5, 1.5, 1.5)) < 2.45); // corners are rounded: 2.6 before
    assert_true(quality.smallest_dihedral >= acos(bounds.most) - 1e-9);
    cdg_moves_free(&moves, &budget);
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boundary_keeps_its_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
