// Meshes are freed and left empty; default options are the ones that the header names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"

static void test_free_leaves_empty(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    cdg_mesh_free(&s);
    assert_true(s.points == NULL && s.triangle_count == 0);
    cdg_mesh_free(&s);
    cdg_mesh_free(NULL);
    cdg_mesh mesh = {.points = calloc(1, sizeof *mesh.points), .point_count = 1};
    cdg_mesh_free(&mesh);
    assert_true(mesh.points == NULL && mesh.point_count == 0);
    cdg_mesh_free(NULL);
    cdg_embedding_free(NULL);
}

static void test_defaults(void **state) {
    (void)state;
    cdg_mesher_options o = cdg_mesher_options_default();
    assert_int_equal(o.mesher, CDG_MESHER_STUFFING);
    assert_true(o.size == 0 && o.grading == 1 && o.density == 0.5 && !o.improve && o.progress == NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_leaves_empty),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
