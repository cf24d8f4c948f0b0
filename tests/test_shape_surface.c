// Surfaces of shapes: closed, turned outward, of the right volume, with normals that fit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "geometry/shape_surface.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"

static double volume_of(const cdg_shape_surface *shape) {
    double sum = 0;
    for (size_t t = 0; t < shape->triangle_count; t++) {
        const uint32_t *c = shape->triangles[t];
        sum += vec3_dot(shape->vertices[c[0]], vec3_cross(shape->vertices[c[1]], shape->vertices[c[2]])) / 6;
    }
    return sum;
}

static void surfaces_bound_their_shapes(void **state) {
    (void)state;
    const double pi = 3.14159265358979;
    cdg_vec3 vertices[8];
    block_vertices(vec3(0.5, 1, 1.5), vertices);
    cdg_shape infos[] = {
        {.kind = CDG_SHAPE_SPHERE, .radius = 0.5},
        {.kind = CDG_SHAPE_BOX, .size = {1, 2, 3}},
        {.kind = CDG_SHAPE_CAPSULE, .radius = 0.5, .length = 2},
        {.kind = CDG_SHAPE_CYLINDER, .radius = 0.5, .length = 2},
        {.kind = CDG_SHAPE_MESH,
         .mesh.points = vertices,
         .mesh.point_count = 8,
         .mesh.triangles = block_triangles,
         .mesh.triangle_count = 12},
    };
    const double volumes[] = {pi / 6, 6, pi / 6 + pi / 2, pi / 2, 6};
    for (int k = 0; k < 5; k++) {
        cdg_shape_surface shape;
        cdg_vec3 corners[8];
        assert_int_equal(cdg_shape_surface_make(&infos[k], NULL, &shape, NULL), CDG_OK);
        assert_near(volume_of(&shape), volumes[k], 0.01 * volumes[k]);
        cdg_shape_surface_corners(&infos[k], corners);
        for (size_t i = 0; i < shape.vertex_count; i++) {
            cdg_vec3 v = shape.vertices[i], n = shape.normals[i];
            assert_near(vec3_norm(n), 1, 1e-12);
            assert_true(vec3_dot(n, v) > 0); // all are convex about the origin
            assert_true(fabs(v.x) <= corners[7].x + 1e-12 && fabs(v.y) <= corners[7].y + 1e-12 &&
                        fabs(v.z) <= corners[7].z + 1e-12);
        }
        for (size_t t = 0; t < shape.triangle_count; t++)
            for (int c = 0; c < 3; c++) assert_true(shape.triangles[t][c] < shape.vertex_count);
        cdg_shape_surface_free(&shape);
    }
    cdg_shape none = {.kind = CDG_SHAPE_KIND_COUNT};
    cdg_shape_surface shape;
    assert_int_equal(cdg_shape_surface_make(&none, NULL, &shape, NULL), CDG_ERROR_ARGUMENT);
}

// A square on the plane, about the point nearest to the middle, seen from outside.
static void planes_are_shown_in_part(void **state) {
    (void)state;
    cdg_random random = {.state = 11};
    for (int trial = 0; trial < 50; trial++) {
        cdg_shape plane = {.kind = CDG_SHAPE_PLANE, .normal = quat_d3(random_rotation(&random))};
        plane.offset = random_in(&random, -2, 2);
        cdg_plane_part part = {random_vec3(&random, 1), 0.7};
        cdg_shape_surface shape;
        assert_int_equal(cdg_shape_surface_make(&plane, &part, &shape, NULL), CDG_OK);
        cdg_vec3 nearest = vec3_mad(part.middle, plane.offset - vec3_dot(part.middle, plane.normal), plane.normal);
        double area = 0;
        for (size_t i = 0; i < shape.vertex_count; i++) {
            assert_near(vec3_dot(shape.vertices[i], plane.normal), plane.offset, 1e-12);
            assert_near(vec3_distance(shape.vertices[i], nearest), 0.7 * sqrt(2), 1e-12);
            assert_vec3_near(shape.normals[i], plane.normal, 1e-12);
        }
        for (size_t t = 0; t < shape.triangle_count; t++) {
            cdg_vec3 a = shape.vertices[shape.triangles[t][0]];
            area += 0.5 * vec3_dot(plane.normal, vec3_cross(vec3_sub(shape.vertices[shape.triangles[t][1]], a),
                                                            vec3_sub(shape.vertices[shape.triangles[t][2]], a)));
        }
        assert_near(area, 1.96, 1e-12);
        cdg_shape_surface_free(&shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces_bound_their_shapes),
                                       cmocka_unit_test(planes_are_shown_in_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
