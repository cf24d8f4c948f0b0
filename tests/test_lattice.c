// The lattice of five tetrahedra a cube: whole faces, its angles, density.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/lattice.h"
#include "meshing_fixture.h"

static double fill(fixture *f, double size, double density, int thread_count, cdg_raw_mesh *out) {
    cdg_lattice_def def = {&f->inside, f->soup.low, f->soup.high, size, density, thread_count};
    cdg_progress progress = {0};
    assert_int_equal(cdg_lattice_fill(&def, &f->budget, &progress, out), CDG_OK);
    cdg_mesh view = {.points = out->points,
                     .point_count = out->point_count,
                     .tetrahedra = out->tetrahedra,
                     .tetrahedron_count = out->tetrahedron_count};
    cdg_mesh_faults faults;
    cdg_mesh_quality quality;
    assert_int_equal(cdg_mesh_check(&view, &faults, NULL), CDG_OK);
    assert_int_equal(faults.overfull_face.count + faults.folded_face.count + faults.inverted.count, 0);
    cdg_mesh_measure(&view, &quality, NULL);
    assert_true(fabs(quality.smallest_dihedral - acos(1 / sqrt(3))) < 1e-6);
    assert_true(fabs(quality.largest_dihedral - mesh_pi / 2) < 1e-6);
    return quality.volume;
}

static void test_volume_and_density(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh half, few, two;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 30, 60));
    double volume = fill(&f, 0.2, 0.5, 1, &half), more = fill(&f, 0.2, 0.1, 1, &few);
    assert_true(fabs(volume / (4 * mesh_pi / 3) - 1) < 0.03);
    assert_true(more > 1.05 * volume);
    fill(&f, 0.2, 0.5, 2, &two); // thread_count
    assert_memory_equal(half.tetrahedra, two.tetrahedra, half.tetrahedron_count * sizeof *half.tetrahedra);
    cdg_raw_mesh_free(&half, &f.budget);
    cdg_raw_mesh_free(&few, &f.budget);
    cdg_raw_mesh_free(&two, &f.budget);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume_and_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
