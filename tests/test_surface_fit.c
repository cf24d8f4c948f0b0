// Fit in the mean: a coarse ball has the volume of the fine surface, within its bounds of angles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/manifold.h"
#include "meshing/surface_fit.h"
#include "meshing_fixture.h"

static double volume_of(const cdg_raw_mesh *m) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh_quality quality;
    cdg_mesh_measure(&view, &quality, NULL);
    assert_true(quality.smallest_dihedral >= acos(cdg_promised_angles.most) - 1e-9);
    assert_true(quality.largest_dihedral <= acos(cdg_promised_angles.least) + 1e-9);
    return quality.volume;
}

static void test_volume_of_a_coarse_ball(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_moves moves;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 60, 120);
    double volume = shape_volume(&s);
    fixture_build(&f, s);
    fixture_fill(&f, 0.4, 1, 1, &mesh);
    assert_true(fabs(volume_of(&mesh) / volume - 1) > 0.03); // chords cut the ball
    assert_true(cdg_moves_build(&mesh, &f.budget, &moves));
    bool *is_held = cdg_budget_take_zero(&f.budget, mesh.point_count, sizeof *is_held);
    uint32_t held = moves.faces[0][0];
    cdg_vec3 place = mesh.points[held];
    is_held[held] = true;
    assert_true(cdg_fit_boundary(&moves, &f.inside, 0.4, cdg_promised_angles, is_held, 2, &f.budget));
    assert_true(fabs(volume_of(&mesh) / volume - 1) < 0.005);
    assert_true(vec3_distance(mesh.points[held], place) == 0);
    cdg_budget_give(&f.budget, is_held);
    cdg_moves_free(&moves, &f.budget);
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume_of_a_coarse_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
