// Embedding: points are given back, move with the mesh, and those outside take the nearest element.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"

static void test_points_come_back_and_follow(void **state) {
    (void)state;
    cdg_mesh s = shape_torus(0.5, 0.2, 60, 30);
    cdg_mesher_options options = cdg_mesher_options_default();
    options.size = 0.15;
    cdg_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_mesh_fill(&s, &options, &mesh, NULL, &error), CDG_OK);
    cdg_embedding one, two;
    assert_int_equal(cdg_mesh_embed(&mesh, s.points, s.point_count, 1, &one, &error), CDG_OK);
    assert_int_equal(cdg_mesh_embed(&mesh, s.points, s.point_count, 2, &two, &error), CDG_OK); // thread_count
    assert_memory_equal(one.weight, two.weight, one.point_count * sizeof *one.weight);
    assert_memory_equal(one.tetrahedron, two.tetrahedron, one.point_count * sizeof *one.tetrahedron);
    assert_true(one.outside_count > 0 && one.farthest < 0.05);
    cdg_vec3 *out = malloc(s.point_count * sizeof *out);
    cdg_embedding_positions(&one, &mesh, mesh.points, out);
    for (size_t p = 0; p < s.point_count; p++) assert_true(vec3_distance(out[p], s.points[p]) < 1e-12);
    for (size_t p = 0; p < mesh.point_count; p++) { // an affine motion
        cdg_vec3 q = mesh.points[p];
        mesh.points[p] = vec3(2 * q.x + q.y, q.y - 1, q.z + 0.5 * q.x);
    }
    cdg_embedding_positions(&one, &mesh, mesh.points, out);
    for (size_t p = 0; p < s.point_count; p++) {
        cdg_vec3 q = s.points[p];
        assert_true(vec3_distance(out[p], vec3(2 * q.x + q.y, q.y - 1, q.z + 0.5 * q.x)) < 1e-11);
    }
    free(out);
    cdg_embedding_free(&one);
    cdg_embedding_free(&two);
    cdg_mesh_free(&mesh);
    cdg_mesh_free(&s);
}

static void test_far_points_and_refusals(void **state) {
    (void)state;
    cdg_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, far[1] = {{0, 0, 11}}, bad[1] = {{NAN, 0, 0}};
    uint32_t t[1][4] = {{0, 1, 2, 3}};
    cdg_mesh mesh = {.points = p, .point_count = 4, .tetrahedra = t, .tetrahedron_count = 1}, none = {0};
    cdg_embedding e;
    cdg_error error;
    assert_int_equal(cdg_mesh_embed(&mesh, far, 1, 1, &e, &error), CDG_OK);
    assert_true(e.outside_count == 1 && fabs(e.farthest - 10) < 1e-12);
    cdg_embedding_free(&e);
    assert_int_equal(cdg_mesh_embed(&mesh, bad, 1, 1, &e, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_mesh_embed(&none, far, 1, 1, &e, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_come_back_and_follow),
        cmocka_unit_test(test_far_points_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
