// The ray tracer against a plain search over all triangles (Moeller and Trumbore 1997), one ray and packets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture_case.h"

#include "math/random.h"

enum { TRIANGLES = 60 };

static cdg_picture_scene *random_scene(cdg_random *random) {
    size_t vertices = 3 * TRIANGLES, triangles = TRIANGLES;
    cdg_picture_scene *scene = NULL;
    ASSERT_OK(cdg_picture_scene_create(1, &vertices, &triangles, &scene, error));
    cdg_picture_mesh *mesh = &scene->meshes[0];
    for (size_t t = 0; t < TRIANGLES; t++) {
        cdg_vec3 center = random_vec3(random, 0.8);
        for (size_t k = 0; k < 3; k++) {
            cdg_vec3 p = vec3_add(center, random_vec3(random, 0.2));
            mesh->vertices[9 * t + 3 * k] = (float)p.x;
            mesh->vertices[9 * t + 3 * k + 1] = (float)p.y;
            mesh->vertices[9 * t + 3 * k + 2] = (float)p.z;
            mesh->triangles[3 * t + k] = (uint32_t)(3 * t + k);
        }
    }
    return scene;
}

// Distance, INFINITY when missed. `edge` becomes the smallest distance to an edge in barycentric coordinates.
static double search(const cdg_picture_mesh *mesh, const cdg_ray *ray, size_t *which, double *edge) {
    double nearest = INFINITY;
    *edge = 1;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        cdg_vec3 p[3];
        for (size_t k = 0; k < 3; k++) {
            const float *v = mesh->vertices + 3 * mesh->triangles[3 * t + k];
            p[k] = vec3(v[0], v[1], v[2]);
        }
        cdg_vec3 d = vec3(ray->along.x, ray->along.y, ray->along.z), o = vec3(ray->from.x, ray->from.y, ray->from.z);
        cdg_vec3 a = vec3_sub(p[1], p[0]), b = vec3_sub(p[2], p[0]), h = vec3_cross(d, b), s = vec3_sub(o, p[0]);
        double determinant = vec3_dot(a, h);
        if (fabs(determinant) < 1e-12) continue;
        cdg_vec3 q = vec3_cross(s, a);
        double u = vec3_dot(s, h) / determinant, v = vec3_dot(d, q) / determinant, t_hit = vec3_dot(b, q) / determinant;
        *edge = fmin(*edge, fmin(fmin(fabs(u), fabs(v)), fabs(1 - u - v)));
        if (u >= 0 && v >= 0 && u + v <= 1 && t_hit > ray->near && t_hit < ray->far && t_hit < nearest)
            nearest = t_hit, *which = t;
    }
    return nearest;
}

static void test_against_search(void **state) {
    (void)state;
    cdg_random random = {.state = 21};
    cdg_picture_scene *scene = random_scene(&random);
    cdg_ray_tracer *tracer = NULL;
    ASSERT_OK(cdg_ray_tracer_create(&tracer, error));
    ASSERT_OK(cdg_ray_tracer_set_scene(tracer, scene, error));
    int met = 0, compared = 0;
    for (int trial = 0; trial < 500; trial++) {
        cdg_ray rays[CDG_RAY_PACKET];
        cdg_ray_hit hits[CDG_RAY_PACKET];
        size_t count = 1 + random_bits(&random) % CDG_RAY_PACKET;
        for (size_t i = 0; i < count; i++) {
            cdg_vec3 from = random_vec3(&random, 1.5), to = random_vec3(&random, 0.7);
            rays[i] = (cdg_ray){.from = float3_from(from), .along = float3_from(vec3_sub(to, from)), .far = 4};
        }
        cdg_ray_tracer_meet_packet(tracer, rays, count, hits);
        for (size_t i = 0; i < count; i++) {
            size_t which = 0;
            double edge, distance = search(&scene->meshes[0], &rays[i], &which, &edge);
            if (edge < 1e-4) continue; // rounding may decide either way
            cdg_ray_hit one = cdg_ray_tracer_meet(tracer, &rays[i]);
            assert_int_equal(one.mesh, isinf(distance) ? CDG_NO_MESH : 0);
            assert_int_equal(hits[i].mesh, one.mesh);
            compared++;
            if (one.mesh == CDG_NO_MESH) continue;
            met++;
            assert_int_equal(one.triangle, which);
            assert_int_equal(hits[i].triangle, which);
            assert_float_equal(one.distance, distance, 1e-4);
            assert_float_equal(hits[i].distance, distance, 1e-4);
        }
    }
    assert_true(met > 200 && compared > met + 100);
    // The same tracer with another scene.
    cdg_picture_scene *empty = NULL;
    ASSERT_OK(cdg_picture_scene_create(0, NULL, NULL, &empty, error));
    ASSERT_OK(cdg_ray_tracer_set_scene(tracer, empty, error));
    cdg_ray ray = {.from = float3_make(0, 0, 2), .along = float3_make(0, 0, -1), .far = INFINITY};
    assert_int_equal(cdg_ray_tracer_meet(tracer, &ray).mesh, CDG_NO_MESH);
    cdg_ray_tracer_destroy(tracer);
    cdg_picture_scene_destroy(empty);
    cdg_picture_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
