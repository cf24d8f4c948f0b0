// Keeping creases: boxes that are turned at random come out exactly; angles stay within bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/crease_keep.h"
#include "meshing_fixture.h"

static void keep(fixture *f, double size, cdg_raw_mesh *mesh, cdg_crease_result *out) {
    fixture_fill(f, size, 1, 1, mesh);
    assert_true(cdg_creases_keep(mesh, &f->winding, &f->soup, 0.7, size, cdg_promised_angles, &f->budget, out));
    assert_int_equal(raw_faults(mesh), 0);
    cdg_mesh_quality quality = raw_quality(mesh);
    assert_true(quality.smallest_dihedral >= acos(cdg_promised_angles.most) - 1e-9);
    assert_true(quality.largest_dihedral <= acos(cdg_promised_angles.least) + 1e-9);
}

static void test_boxes_are_exact(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        fixture f;
        cdg_raw_mesh mesh;
        cdg_crease_result result;
        cdg_random random = {seed + 5};
        cdg_quat turn = random_rotation(&random);
        cdg_mesh s = shape_box(vec3(-1, -0.7, -0.5), vec3(1, 0.7, 0.5));
        for (size_t p = 0; p < 8 && seed > 0; p++) s.points[p] = quat_rotate(turn, s.points[p]);
        fixture_build(&f, s);
        keep(&f, 0.2, &mesh, &result);
        assert_int_equal(result.missed, 0);
        assert_true(result.kept > 80);
        assert_true(fabs(raw_quality(&mesh).volume / 2.8 - 1) < 1e-11);
        cdg_budget_give(&f.budget, result.is_held);
        cdg_raw_mesh_free(&mesh, &f.budget);
        fixture_release(&f);
    }
}

// Points on the rim are those of the rim's polygon; without the creases its edge is cut off.
static void test_cylinder(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_crease_result result;
    cdg_mesh s = shape_cylinder(0.6, 1.6, 128);
    double volume = shape_volume(&s);
    fixture_build(&f, s);
    keep(&f, 0.15, &mesh, &result);
    size_t held = 0;
    for (size_t p = 0; p < mesh.point_count; p++) {
        cdg_vec3 q = mesh.points[p];
        if (!result.is_held[p]) continue;
        held++;
        assert_true(fabs(fabs(q.z) - 0.8) < 1e-12);
        assert_true(fabs(hypot(q.x, q.y) - 0.6) < 4e-4);
    }
    assert_int_equal(held, result.kept);
    assert_true(held > 40);
    assert_true(fabs(raw_quality(&mesh).volume / volume - 1) < 0.02);
    cdg_budget_give(&f.budget, result.is_held);
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

static void test_round_bodies_stay(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh, same;
    cdg_crease_result result;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 30, 60));
    keep(&f, 0.3, &mesh, &result);
    fixture_fill(&f, 0.3, 1, 1, &same);
    assert_int_equal(result.kept + result.missed, 0);
    assert_int_equal(same.point_count, mesh.point_count);
    assert_memory_equal(same.points, mesh.points, mesh.point_count * sizeof *mesh.points);
    cdg_budget_give(&f.budget, result.is_held);
    cdg_raw_mesh_free(&mesh, &f.budget);
    cdg_raw_mesh_free(&same, &f.budget);
    fixture_release(&f);
}

static void test_memory_that_ends(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_crease_result result;
    fixture_build(&f, shape_box(vec3(-1, -1, -1), vec3(1, 1, 1)));
    fixture_fill(&f, 0.4, 1, 1, &mesh);
    uint64_t before = f.budget.used;
    for (uint64_t more = 0; more < 400000; more += 20000) {
        cdg_raw_mesh copy = mesh;
        copy.points = cdg_budget_take(&f.budget, mesh.point_count, sizeof *copy.points);
        copy.tetrahedra = cdg_budget_take(&f.budget, mesh.tetrahedron_count, sizeof *copy.tetrahedra);
        copy.point_capacity = mesh.point_count;
        copy.tetrahedron_capacity = mesh.tetrahedron_count;
        memcpy(copy.points, mesh.points, mesh.point_count * sizeof *copy.points);
        memcpy(copy.tetrahedra, mesh.tetrahedra, mesh.tetrahedron_count * sizeof *copy.tetrahedra);
        f.budget.limit = f.budget.used + more;
        bool is_done = cdg_creases_keep(&copy, &f.winding, &f.soup, 0.7, 0.4, cdg_promised_angles, &f.budget, &result);
        f.budget.limit = 1 << 30;
        if (more == 0) assert_false(is_done);
        cdg_budget_give(&f.budget, result.is_held);
        cdg_raw_mesh_free(&copy, &f.budget);
        assert_int_equal(f.budget.used, before);
    }
    cdg_raw_mesh_free(&mesh, &f.budget);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_are_exact),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_round_bodies_stay),
        cmocka_unit_test(test_memory_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
