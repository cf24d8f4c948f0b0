// Repair of boundaries that touch themselves: every set of cubes becomes a manifold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/manifold.h"
#include "meshing/tetrahedron.h"
#include "meshing_fixture.h"

static size_t repair(uint32_t cubes, size_t *pieces, double *volume) {
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    take_cubes(&m, &budget, cubes);
    assert_true(cdg_manifold_repair(&m, &budget, pieces));
    cdg_mesh view = {.points = m.points,
                     .point_count = m.point_count,
                     .tetrahedra = m.tetrahedra,
                     .tetrahedron_count = m.tetrahedron_count};
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
