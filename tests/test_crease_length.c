// Length of creases: none is missed where they are kept, nearly all where they are not, and what is kept is told apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/crease_keep.h"
#include "meshing_fixture.h"

static void test_box(void **state) {
    (void)state;
    static const double size = 0.2, angle = 0.7;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_creases creases;
    cdg_crease_length without;
    cdg_crease_result kept;
    cdg_random random = {5};
    cdg_quat turn = random_rotation(&random);
    cdg_mesh s = shape_box(vec3(-1, -0.7, -0.5), vec3(1, 0.7, 0.5));
    for (size_t p = 0; p < 8; p++) s.points[p] = quat_rotate(turn, s.points[p]);
    fixture_build(&f, s);
    fixture_fill(&f, size, 1, 1, &mesh);
    assert_true(cdg_creases_find(&f.soup, angle, size, &f.budget, &creases));
    assert_true(cdg_crease_length_measure(&creases, &mesh, size, &f.budget, &without));
    assert_true(fabs(without.all - 4 * (2 + 1.4 + 1)) < 1e-12);
    assert_true(without.missed > 0.5 * without.all && without.missed <= without.all);
    cdg_creases_free(&creases, &f.budget);
    assert_true(cdg_creases_keep(&mesh, &f.winding, &f.soup, angle, size, cdg_promised_angles, &f.budget, &kept));
    assert_true(fabs(kept.length.all - without.all) < 1e-12);
    assert_true(kept.length.missed == 0);
    assert_false(kept.is_cut_short);
    cdg_budget_give(&f.budget, kept.is_held);
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

// Of a sphere there are none.
static void test_none(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_creases creases;
    cdg_crease_length length;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 24, 48));
    fixture_fill(&f, 0.3, 1, 1, &mesh);
    assert_true(cdg_creases_find(&f.soup, 0.7, 0.3, &f.budget, &creases));
    assert_true(cdg_crease_length_measure(&creases, &mesh, 0.3, &f.budget, &length));
    assert_true(length.all == 0 && length.missed == 0);
    cdg_creases_free(&creases, &f.budget);
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

// Of a rough one there are more than the work is worth; what is not kept is told.
static void test_rough_surfaces_end(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_crease_result result;
    cdg_random random = {3};
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 30, 60);
    for (size_t p = 0; p < s.point_count; p++)
        s.points[p] = vec3_scale(1 + 0.08 * (random_unit(&random) - 0.5), s.points[p]);
    fixture_build(&f, s);
    fixture_fill(&f, 0.15, 1, 1, &mesh);
    assert_true(cdg_creases_keep(&mesh, &f.winding, &f.soup, 0.3, 0.15, cdg_promised_angles, &f.budget, &result));
    assert_true(result.is_cut_short);
    assert_true(result.missed > 100 && result.length.missed > 1 && result.length.missed < result.length.all);
    assert_int_equal(raw_faults(&mesh), 0);
    cdg_budget_give(&f.budget, result.is_held);
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_rough_surfaces_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
