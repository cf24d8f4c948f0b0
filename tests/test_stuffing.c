// Isosurface stuffing: graded and uniform, whole faces, positive volumes, angles, the same for any threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/stuffing.h"
#include "meshing_fixture.h"

static void check(const cdg_raw_mesh *m, double volume) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh_faults faults;
    cdg_mesh_quality quality;
    assert_int_equal(cdg_mesh_check(&view, &faults, NULL), CDG_OK);
    assert_int_equal(faults.total, 0);
    assert_int_equal(cdg_mesh_measure(&view, &quality, NULL), CDG_OK);
    assert_true(quality.smallest_dihedral > 11.7 * mesh_pi / 180 && quality.largest_dihedral < 160.9 * mesh_pi / 180);
    assert_true(fabs(quality.volume / volume - 1) < 0.03);
}

static void test_graded_meshes_are_smaller(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh uniform, half, graded;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 40, 80));
    fixture_fill(&f, 0.1, 0, 1, &uniform);
    fixture_fill(&f, 0.1, 0.5, 1, &half);
    fixture_fill(&f, 0.1, 1, 1, &graded);
    check(&uniform, 4 * mesh_pi / 3);
    check(&half, 4 * mesh_pi / 3);
    check(&graded, 4 * mesh_pi / 3);
    assert_true(graded.tetrahedron_count <= half.tetrahedron_count);
    assert_true(3 * half.tetrahedron_count < 2 * uniform.tetrahedron_count + half.tetrahedron_count);
    cdg_raw_mesh_free(&uniform, &f.budget);
    cdg_raw_mesh_free(&half, &f.budget);
    cdg_raw_mesh_free(&graded, &f.budget);
    fixture_release(&f);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh one, two;
    cdg_mesh s = shape_torus(0.5, 0.2, 40, 20);
    shape_drop(&s, 0.3, 5);
    fixture_build(&f, s);
    fixture_fill(&f, 0.08, 1, 1, &one);
    fixture_fill(&f, 0.08, 1, 3, &two);
    assert_int_equal(one.tetrahedron_count, two.tetrahedron_count);
    assert_memory_equal(one.tetrahedra, two.tetrahedra, one.tetrahedron_count * sizeof *one.tetrahedra);
    assert_memory_equal(one.points, two.points, one.point_count * sizeof *one.points);
    cdg_raw_mesh_free(&one, &f.budget);
    cdg_raw_mesh_free(&two, &f.budget);
    fixture_release(&f);
}

static void test_limit_is_kept(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 20, 40));
    f.budget.limit = f.budget.used + 300000;
    cdg_stuffing_def def = {&f.inside, f.soup.low, f.soup.high, 0.05, 1, 1};
    cdg_progress progress = {0};
    assert_int_equal(cdg_stuffing_fill(&def, &f.budget, &progress, &mesh), CDG_ERROR_MEMORY);
    assert_null(mesh.points);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graded_meshes_are_smaller),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
