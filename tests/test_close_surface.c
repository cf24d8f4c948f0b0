// Closing surfaces: closed ones stay, open ones get an inside, and nothing is made of nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/close_surface.h"
#include "contact/contact_mesh.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

static cdg_mesh make_block(size_t triangle_count) {
    cdg_mesh mesh = {malloc(8 * sizeof(cdg_vec3)), 8, malloc(12 * sizeof *mesh.triangles), triangle_count};
    block_vertices(vec3(1, 2, 3), mesh.points);
    memcpy(mesh.triangles, block_triangles, 12 * sizeof *mesh.triangles);
    return mesh;
}

static void closed_surfaces_stay(void **state) {
    (void)state;
    cdg_mesh mesh = make_block(12), copy = make_block(12);
    cdg_closed_surface closed;
    cdg_error error = {0};
    assert_int_equal(cdg_surface_close(&mesh, 0, &closed, &error), CDG_OK);
    assert_true(closed.was_closed);
    assert_int_equal(mesh.triangle_count, 12);
    assert_memory_equal(mesh.points, copy.points, 8 * sizeof *mesh.points);
    cdg_mesh_free(&mesh);
    cdg_mesh_free(&copy);
}

// One triangle of twelve is missing: where it was, the new surface is about as far out as a winding number of one half.
static void open_surfaces_are_closed(void **state) {
    (void)state;
    cdg_mesh mesh = make_block(11);
    cdg_closed_surface closed;
    cdg_error error = {0};
    cdg_contact_mesh built;
    assert_int_equal(cdg_surface_close(&mesh, 0, &closed, &error), CDG_OK);
    assert_false(closed.was_closed);
    assert_true(mesh.triangle_count > 1000);
    assert_int_equal(cdg_contact_mesh_build(mesh.points, mesh.point_count, (const uint32_t(*)[3])mesh.triangles,
                                            mesh.triangle_count, false, &built, &error),
                     CDG_OK);
    assert_near(cdg_contact_mesh_point(&built, vec3(0, 0, 0), HUGE_VAL).distance, -1, 0.15);
    assert_near(cdg_contact_mesh_point(&built, vec3(0, 0, -4), HUGE_VAL).distance, 1, 0.1);
    cdg_contact_mesh_free(&built);
    cdg_mesh_free(&mesh);
}

static void nothing_is_refused(void **state) {
    (void)state;
    cdg_mesh mesh = make_block(1); // one triangle
    cdg_closed_surface closed;
    cdg_error error = {0};
    assert_int_not_equal(cdg_surface_close(&mesh, 0, &closed, &error), CDG_OK);
    assert_string_not_equal(error.message, "");
    assert_int_equal(mesh.triangle_count, 1); // as it was
    mesh.triangle_count = 0;
    assert_int_not_equal(cdg_surface_close(&mesh, 0, &closed, &error), CDG_OK);
    cdg_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_surfaces_stay),
                                       cmocka_unit_test(open_surfaces_are_closed),
                                       cmocka_unit_test(nothing_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
