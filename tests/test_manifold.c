// Repair of boundaries that touch themselves: every set of cubes becomes a manifold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/manifold.h"
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

static size_t repair(uint32_t cubes, size_t *pieces, double *volume) {
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    take(&m, &budget, cubes);
    assert_true(cdg_manifold_repair(&m, &budget, pieces));
    cdg_tetrahedral_mesh view = {m.points, m.point_count, m.tetrahedra, m.tetrahedron_count};
    cdg_mesh_faults faults;
    cdg_mesh_quality quality;
    assert_int_equal(cdg_mesh_check(&view, &faults, NULL), CDG_OK);
    assert_int_equal(faults.total, faults.unused_point.count);
    assert_int_equal(cdg_mesh_measure(&view, &quality, NULL), CDG_OK);
    *volume = quality.volume;
    size_t count = m.tetrahedron_count;
    cdg_raw_mesh_free(&m, &budget);
    assert_int_equal(budget.used, 0);
    return count;
}

static void test_sound_parts_stay(void **state) {
    (void)state;
    size_t pieces;
    double volume;
    assert_int_equal(repair(1, &pieces, &volume), 5);
    assert_true(pieces == 1 && fabs(volume - 1) < 1e-12);
    assert_int_equal(repair((1u << 27) - 1, &pieces, &volume), 135);
    assert_true(pieces == 1 && fabs(volume - 27) < 1e-12);
}

static void test_cubes_that_touch_are_parted(void **state) {
    (void)state;
    size_t pieces;
    double volume;
    assert_int_equal(repair(1 | 1 << 13, &pieces, &volume), 10); // a corner
    assert_true(pieces == 2 && fabs(volume - 2) < 1e-12);
    assert_int_equal(repair(1 | 1 << 4, &pieces, &volume), 10); // an edge
    assert_true(pieces == 2 && fabs(volume - 2) < 1e-12);
}

static void test_any_set_of_cubes(void **state) {
    (void)state;
    cdg_random random = {12};
    for (int i = 0; i < 300; i++) {
        size_t pieces;
        double volume;
        repair((uint32_t)random_bits(&random) & ((1u << 27) - 1), &pieces, &volume);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_parts_stay),
        cmocka_unit_test(test_cubes_that_touch_are_parted),
        cmocka_unit_test(test_any_set_of_cubes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
