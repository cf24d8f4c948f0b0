// Meshes of a picture: colours and normals between vertices, and a stripe without a seam.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture_case.h"

#include "math/random.h"

#include <string.h>

static void test_interpolates(void **state) {
    (void)state;
    cdg_random random = {.state = 3};
    cdg_picture_scene *scene = case_boxes(1);
    cdg_picture_mesh *mesh = &scene->meshes[0];
    case_box(mesh, float3_make(-1, -1, -1), float3_make(1, 1, 1), float3_make(0.2F, 0.4F, 0.6F));
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++) mesh->colors[i] = (float)random_unit(&random);
    for (int trial = 0; trial < 200; trial++) {
        uint32_t triangle = (uint32_t)(random_bits(&random) % mesh->triangle_count);
        float u = (float)random_unit(&random), v = (1 - u) * (float)random_unit(&random);
        cdg_surface_point point = cdg_picture_mesh_at(mesh, triangle, u, v);
        const uint32_t *corners = mesh->triangles + 3 * triangle;
        for (int k = 0; k < 3; k++) {
            const float *c = mesh->colors + k;
            float expected = (1 - u - v) * c[3 * corners[0]] + u * c[3 * corners[1]] + v * c[3 * corners[2]];
            assert_float_equal((&point.color.x)[k], expected, 1e-5);
        }
        assert_float_equal(float3_norm(point.normal), 1, 1e-5);
    }
    cdg_picture_scene_destroy(scene);
}

// A triangle from 0.9 of a turn to 0.1 passes 0, never 0.5; so the stripe (up to 1/2) begins at 0.
static void test_stripe_has_no_seam(void **state) {
    (void)state;
    cdg_picture_scene *scene = case_boxes(1);
    cdg_picture_mesh *mesh = &scene->meshes[0];
    case_box(mesh, float3_make(-1, -1, -1), float3_make(1, 1, 1), float3_make(0.5F, 0.5F, 0.5F));
    ASSERT_OK(cdg_picture_mesh_add_stripe(mesh, error));
    mesh->stripe_factor = float3_make(0, 0, 0);
    mesh->stripe_color = float3_make(1, 0, 0);
    const uint32_t *corners = mesh->triangles;
    mesh->around[corners[0]] = 0.9F;
    mesh->around[corners[1]] = 0.1F;
    mesh->around[corners[2]] = 0.9F;
    for (int i = 0; i <= 100; i++) {
        float u = 0.01F * (float)i;
        float red = cdg_picture_mesh_at(mesh, 0, u, 0).color.x;
        if (u < 0.49F) assert_float_equal(red, 0.5, 1e-6);
        if (u > 0.51F) assert_float_equal(red, 1, 1e-6);
    }
    cdg_picture_scene_destroy(scene);
}

// Within half the width of a side it is an edge, elsewhere not; edges that would fill the triangle are paler.
static void test_edges(void **state) {
    (void)state;
    cdg_picture_scene *scene = NULL;
    const size_t vertices = 3, triangles = 1;
    ASSERT_OK(cdg_picture_scene_create(1, &vertices, &triangles, &scene, error));
    cdg_picture_mesh *mesh = &scene->meshes[0];
    static const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    memcpy(mesh->vertices, corners, sizeof corners);
    for (uint32_t k = 0; k < 3; k++) mesh->triangles[k] = k;
    // a place (x, y) has u = x / 4 and v = y / 4
    assert_float_equal(cdg_picture_mesh_edge_share(mesh, 0, 0.25F, 0.25F, 0.1F), 0, 0);
    assert_float_equal(cdg_picture_mesh_edge_share(mesh, 0, 0.25F, 0.012F, 0.1F), 1, 0); // y = 0.048
    assert_float_equal(cdg_picture_mesh_edge_share(mesh, 0, 0.25F, 0.014F, 0.1F), 0, 0); // y = 0.056
    assert_float_equal(cdg_picture_mesh_edge_share(mesh, 0, 0.012F, 0.25F, 0.1F), 1, 0);
    assert_float_equal(cdg_picture_mesh_edge_share(mesh, 0, 0.495F, 0.495F, 0.1F), 1, 0); // 0.028 from the third side
    float pale = cdg_picture_mesh_edge_share(mesh, 0, 0.25F, 0.01F, 2);
    assert_true(pale > 0 && pale < 0.3F);
    cdg_picture_scene_destroy(scene);
}

static void test_empty(void **state) {
    (void)state;
    cdg_picture_scene *scene = NULL;
    ASSERT_OK(cdg_picture_scene_create(0, NULL, NULL, &scene, error));
    assert_int_equal(scene->mesh_count, 0);
    cdg_picture_scene_destroy(scene);
    cdg_picture_scene_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interpolates), cmocka_unit_test(test_stripe_has_no_seam),
                                       cmocka_unit_test(test_edges), cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
