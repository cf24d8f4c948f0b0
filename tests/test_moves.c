// Guarded moves: as far as angles allow, and never into inversion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/moves.h"
#include "meshing/tetrahedron.h"

// Elements of 3 x 3 x 3 cubes for which a bit is set, five each (see meshing/lattice.c), as the repair gets them.
static void take(cdg_raw_mesh *m, cdg_budget *budget, uint32_t cubes) {
    static const unsigned char own[2][4] = {{1, 2, 4, 7}, {0, 3, 5, 6}};
    *m = (cdg_raw_mesh){0};
    m->points = cdg_budget_take(budget, 64, sizeof *m->points);
    m->tetrahedra = cdg_budget_take(budget, 135, sizeof *m->tetrahedra);
    m->point_count = m->point_capacity = 64;
    m->tetrahedron_capacity = 135;
    for (int p = 0; p < 64; p++) m->points[p] = vec3(p % 4, p / 4 % 4, p / 16);
    for (int c = 0; c < 27; c++) {
        int at[3] = {c % 3, c / 3 % 3, c / 9}, odd = (at[0] + at[1] + at[2]) & 1;
        for (int e = 0; e < 5 && cubes >> c & 1; e++) {
            uint32_t *t = m->tetrahedra[m->tetrahedron_count++];
            cdg_vec3 p[4];
            for (int k = 0; k < 4; k++) {
                int corner = e == 4 ? own[!odd][k] : k == 0 ? own[odd][e] : own[odd][e] ^ (1 << (k - 1));
                t[k] =
                    (uint32_t)((at[2] + (corner >> 2)) * 16 + (at[1] + (corner >> 1 & 1)) * 4 + at[0] + (corner & 1));
                p[k] = m->points[t[k]];
            }
            if (tetrahedron_volume6(p) < 0) {
                uint32_t kept = t[2];
                t[2] = t[3];
                t[3] = kept;
            }
        }
    }
}

static void test_moves_are_guarded(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_moves moves;
    take(&m, &budget, (1u << 27) - 1);
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
