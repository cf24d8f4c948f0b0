// Creases of a box: points move onto its edges and corners, angles stay within bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/creases.h"

typedef struct fixture {
    cdg_budget budget;
    cdg_soup soup;
    cdg_winding winding;
    cdg_inside inside;
} fixture;

static void build(fixture *f, cdg_triangle_mesh s) {
    cdg_error error;
    cdg_inside_facts facts;
    *f = (fixture){.budget = {.limit = 1 << 30}};
    assert_int_equal(cdg_soup_build(&s, &f->budget, &f->soup, &error), CDG_OK);
    assert_true(cdg_winding_build(&f->soup, &f->budget, &f->winding));
    f->inside = (cdg_inside){.rule = CDG_INSIDE_WINDING, .winding = &f->winding};
    assert_true(cdg_inside_survey(&f->soup, &f->winding, 1, &f->budget, &facts));
    f->inside.threshold = facts.threshold;
    cdg_triangle_mesh_free(&s);
}

static void release(fixture *f) {
    cdg_winding_free(&f->winding, &f->budget);
    cdg_soup_free(&f->soup, &f->budget);
    assert_int_equal(f->budget.used, 0);
}

static void fill(fixture *f, double size, double grading, int thread_count, cdg_raw_mesh *out) {
    cdg_stuffing_def def = {&f->inside, f->soup.low, f->soup.high, size, grading, thread_count};
    cdg_progress progress = {0};
    assert_int_equal(cdg_stuffing_fill(&def, &f->budget, &progress, out), CDG_OK);
}

static void test_edges_of_a_box(void **state) {
    (void)state;
    fixture f;
    cdg_raw_mesh mesh;
    cdg_moves moves;
    build(&f, shape_box(vec3(-1, -1, -1), vec3(1, 1, 1)));
    fill(&f, 0.2, 1, 1, &mesh);
    assert_true(cdg_moves_build(&mesh, &f.budget, &moves));
    bool *is_held = cdg_budget_take_zero(&f.budget, mesh.point_count, sizeof *is_held);
    assert_true(cdg_creases_keep(&moves, &f.soup, 0.7, 0.2, cdg_promised_angles, is_held, &f.budget));
    size_t on_edge = 0;
    for (size_t p = 0; p < mesh.point_count; p++) {
        cdg_vec3 q = mesh.points[p];
        int at = (fabs(fabs(q.x) - 1) < 1e-12) + (fabs(fabs(q.y) - 1) < 1e-12) + (fabs(fabs(q.z) - 1) < 1e-12);
        on_edge += at >= 2;
        if (is_held[p]) assert_true(at >= 2);
    }
    assert_true(on_edge > 60); // of 120 edges of that length along the box's
    cdg_tetrahedral_mesh view = {mesh.points, mesh.point_count, mesh.tetrahedra, mesh.tetrahedron_count};
    cdg_mesh_quality quality;
    cdg_mesh_measure(&view, &quality, NULL);
    assert_true(quality.smallest_dihedral >= acos(cdg_promised_angles.most) - 1e-9);
    cdg_budget_give(&f.budget, is_held);
    cdg_moves_free(&moves, &f.budget);
    cdg_raw_mesh_free(&mesh, &f.budget);
    release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_of_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
