// Surfaces of bodies: closed, turned outward, of the right volume, with normals that fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "render/body_shape.h"
#include "solid_meshes.h"

static double volume_of(const cdg_body_shape *shape) {
    double sum = 0;
    for (size_t t = 0; t < shape->triangle_count; t++) {
        const uint32_t *c = shape->triangles[t];
        sum += vec3_dot(shape->vertices[c[0]], vec3_cross(shape->vertices[c[1]], shape->vertices[c[2]])) / 6;
    }
    return sum;
}

static void surfaces_bound_their_bodies(void **state) {
    (void)state;
    const double pi = 3.14159265358979;
    cdg_vec3 vertices[8];
    block_vertices(vec3(0.5, 1, 1.5), vertices);
    cdg_body_info infos[] = {
        {.kind = CDG_BODY_SPHERE, .radius = 0.5},
        {.kind = CDG_BODY_BOX, .size = {1, 2, 3}},
        {.kind = CDG_BODY_CAPSULE, .radius = 0.5, .length = 2},
        {.kind = CDG_BODY_CYLINDER, .radius = 0.5, .length = 2},
        {.kind = CDG_BODY_MESH,
         .vertices = vertices,
         .vertex_count = 8,
         .triangles = block_triangles,
         .triangle_count = 12},
    };
    const double volumes[] = {pi / 6, 6, pi / 6 + pi / 2, pi / 2, 6};
    for (int k = 0; k < 5; k++) {
        cdg_body_shape shape;
        cdg_vec3 corners[8];
        assert_int_equal(cdg_body_shape_make(&infos[k], &shape, NULL), CDG_OK);
        assert_near(volume_of(&shape), volumes[k], 0.01 * volumes[k]);
        cdg_body_shape_corners(&infos[k], corners);
        for (size_t i = 0; i < shape.vertex_count; i++) {
            cdg_vec3 v = shape.vertices[i], n = shape.normals[i];
            assert_near(vec3_norm(n), 1, 1e-12);
            assert_true(vec3_dot(n, v) > 0); // all are convex about the origin
            assert_true(fabs(v.x) <= corners[7].x + 1e-12 && fabs(v.y) <= corners[7].y + 1e-12 &&
                        fabs(v.z) <= corners[7].z + 1e-12);
        }
        for (size_t t = 0; t < shape.triangle_count; t++)
            for (int c = 0; c < 3; c++) assert_true(shape.triangles[t][c] < shape.vertex_count);
        cdg_body_shape_free(&shape);
    }
    cdg_body_info none = {.kind = CDG_BODY_KIND_COUNT};
    cdg_body_shape shape;
    assert_int_equal(cdg_body_shape_make(&none, &shape, NULL), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces_bound_their_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
