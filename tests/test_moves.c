// Guarded moves: as far as angles allow, and never into inversion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/moves.h"
#include "meshing/tetrahedron.h"
#include "meshing_fixture.h"

static void test_moves_are_guarded(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_moves moves;
    take_cubes(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_moves_build(&m, &budget, &moves));
    assert_int_equal(moves.face_count, 108);
    uint32_t inner = 21, corner = 0; // (1, 1, 1) and (0, 0, 0)
    assert_false(cdg_moves_is_boundary(&moves, inner));
    assert_true(cdg_moves_is_boundary(&moves, corner));
    assert_true(vec3_dot(cdg_moves_normal(&moves, corner), vec3(-1, -1, -1)) > 1.7);
    cdg_angle_bounds wide = {-0.95, 0.95};
    assert_true(cdg_moves_try(&moves, inner, vec3(1.1, 1, 1), wide) == 1);
    double share = cdg_moves_try(&moves, inner, vec3(3, 1, 1), wide); // through its neighbours
    assert_true(share < 0.5);
    cdg_angle_bounds range = cdg_moves_range(&moves, inner, m.points[inner]);
    assert_true(range.least >= wide.least && range.most <= wide.most);
    assert_true(cdg_moves_range(&moves, inner, vec3(3, 1, 1)).most == 1);
    cdg_moves_free(&moves, &budget);
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

// Three corners on one line: the volume is rounding, a face has no normal, its cosines are not numbers.
static void test_flat_elements_have_the_worst_angles(void **state) {
    (void)state;
    cdg_vec3 p[4] = {vec3(0, 0, 0), vec3(0.1, 0.1, 0.1), vec3(0.3, 0.3, 0.3), vec3(0, 0, 1)};
    double least, most;
    assert_false(tetrahedron_is_solid(p));
    p[2] = vec3(0.2, 0.2, 0.2);
    tetrahedron_cosine_range(p, &least, &most);
    assert_true(least == -1 && most == 1);
    cdg_vec3 sliver[4] = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0.3, 0.3, 1e-12)};
    assert_true(tetrahedron_volume6(sliver) > 0 && !tetrahedron_is_solid(sliver));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_guarded),
        cmocka_unit_test(test_flat_elements_have_the_worst_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
