// Smoothing: the boundary gets smoother at the same volume; the inside gets better, never worse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/smooth.h"
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

static cdg_mesh_quality measure(const cdg_raw_mesh *m) {
    cdg_tetrahedral_mesh view = {m->points, m->point_count, m->tetrahedra, m->tetrahedron_count};
    cdg_mesh_quality quality;
    cdg_mesh_measure(&view, &quality, NULL);
    return quality;
}

static void test_boundary_keeps_its_volume(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_moves moves;
    take(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_moves_build(&m, &budget, &moves));
    cdg_angle_bounds bounds = {-0.95, 0.97};
    assert_true(cdg_smooth_boundary(&moves, 5, bounds, &budget));
    cdg_mesh_quality quality = measure(&m);
    assert_true(fabs(quality.volume / 27 - 1) < 0.01);
    assert_true(vec3_distance(m.points[0], vec3(1.5, 1.5, 1.5)) < 2.45); // corners are rounded: 2.6 before
    assert_true(quality.smallest_dihedral >= acos(bounds.most) - 1e-9);
    cdg_moves_free(&moves, &budget);
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
}

static void test_inside_gets_better(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_moves moves;
    take(&m, &budget, (1u << 27) - 1);
    assert_true(cdg_moves_build(&m, &budget, &moves));
    m.points[21] = vec3(1.45, 1.3, 0.7);
    double before = measure(&m).smallest_dihedral;
    cdg_smooth_inside(&moves, 3);
    assert_true(measure(&m).smallest_dihedral > before + 0.1);
    assert_true(fabs(measure(&m).volume - 27) < 1e-12);
    cdg_moves_free(&moves, &budget);
    cdg_raw_mesh_free(&m, &budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boundary_keeps_its_volume),
        cmocka_unit_test(test_inside_gets_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
