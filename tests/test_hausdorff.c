// Distances between surfaces against closed forms: planes, steps within a face, spheres.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/quat.h"
#include "math/random.h"
#include "meshing/hausdorff.h"
#include "near.h"

#include <stdlib.h>

// ---- surfaces -------------------------------------------------------------------------------------------------------

// rows x columns of a grid over [0, 1]^2, cut into triangles.
static cdg_mesh make_grid(uint32_t rows, uint32_t columns) {
    cdg_mesh mesh = {.point_count = (size_t)(rows + 1) * (columns + 1), .triangle_count = (size_t)2 * rows * columns};
    mesh.points = malloc(mesh.point_count * sizeof *mesh.points);
    mesh.triangles = malloc(mesh.triangle_count * sizeof *mesh.triangles);
    assert_true(mesh.points != NULL && mesh.triangles != NULL);
    size_t t = 0;
    for (uint32_t i = 0; i <= rows; i++)
        for (uint32_t j = 0; j <= columns; j++)
            mesh.points[i * (columns + 1) + j] = vec3((double)j / columns, (double)i / rows, 0);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            uint32_t a = i * (columns + 1) + j, b = a + 1, c = a + columns + 1, d = c + 1;
            const uint32_t both[2][3] = {{a, b, d}, {a, d, c}};
            for (int n = 0; n < 2; n++, t++)
                for (int k = 0; k < 3; k++) mesh.triangles[t][k] = both[n][k];
        }
    return mesh;
}

static void move_all(cdg_mesh *mesh, cdg_vec3 (*map)(cdg_vec3, double), double parameter) {
    for (size_t i = 0; i < mesh->point_count; i++) mesh->points[i] = map(mesh->points[i], parameter);
}

static cdg_vec3 to_sphere(cdg_vec3 p, double radius) { // longitude and latitude
    double angle = 2 * 3.14159265358979323846 * p.x, height = 3.14159265358979323846 * (p.y - 0.5);
    return vec3(radius * cos(angle) * cos(height), radius * sin(angle) * cos(height), radius * sin(height));
}
static cdg_vec3 to_height(cdg_vec3 p, double height) { return vec3(p.x, p.y, height); }

static double measure(const cdg_mesh *from, const cdg_mesh *to, int threads, cdg_hausdorff *out) {
    cdg_error error = {0};
    assert_int_equal(cdg_hausdorff_measure(from, to, threads, NULL, out, &error), CDG_OK);
    assert_true(out->bound >= out->distance);
    return out->distance;
}

// ---- tests ----------------------------------------------------------------------------------------------------------

static void parallel_planes(void **state) {
    (void)state;
    cdg_mesh a = make_grid(7, 5), b = make_grid(3, 11);
    cdg_hausdorff found;
    move_all(&b, to_height, 0.25);
    assert_near(measure(&a, &b, 1, &found), 0.25, 1e-12);
    assert_true(found.bound <= 1.0501 * 0.25);
    assert_near(measure(&b, &a, 1, &found), 0.25, 1e-12);
    assert_near(measure(&a, &a, 1, &found), 0, 1e-14);
    cdg_mesh_free(&a);
    cdg_mesh_free(&b);
}

// The farthest point is within a face, where corners see nothing: a large triangle over a row of spikes' feet, i.e. a
// plane from whose middle the other surface goes down into a pit.
static void the_farthest_point_may_be_within_a_face(void **state) {
    (void)state;
    cdg_mesh plane = make_grid(1, 1), pit = make_grid(40, 40);
    for (size_t i = 0; i < pit.point_count; i++) {
        double x = pit.points[i].x - 0.3, y = pit.points[i].y - 0.6, r = sqrt(x * x + y * y);
        pit.points[i].z = -fmax(0, 0.2 - r); // a cone, whose sides have a slope of 1
    }
    cdg_hausdorff down, up;
    // from the pit to the plane: its depth; from the plane to the pit: the distance of the middle to the cone's side
    assert_near(measure(&pit, &plane, 1, &down), 0.2, 0.006);
    double corner_only = 0;
    assert_true(measure(&plane, &pit, 1, &up) > corner_only + 0.1);
    assert_near(up.distance, 0.2 / sqrt(2), 0.006);
    assert_near(up.at.x, 0.3, 0.02);
    assert_near(up.at.y, 0.6, 0.02);
    assert_true(up.bound <= 1.0501 * up.distance);
    cdg_mesh_free(&plane);
    cdg_mesh_free(&pit);
}

// A coarse sphere within a fine one: its sagitta. One-sided distances differ when one surface has more.
static void spheres(void **state) {
    (void)state;
    cdg_mesh fine = make_grid(96, 192), coarse = make_grid(12, 24), large = make_grid(24, 48);
    cdg_hausdorff found;
    move_all(&fine, to_sphere, 1);
    move_all(&coarse, to_sphere, 1);
    move_all(&large, to_sphere, 1.5);
    // the middle of the largest triangle, at the equator: sides of 15 degrees, circumradius known from its corners
    double step = 3.14159265358979323846 / 12;
    cdg_vec3 a = to_sphere(vec3(0, 0.5, 0), 1), b = to_sphere(vec3(1.0 / 24, 0.5, 0), 1),
             c = to_sphere(vec3(1.0 / 24, 0.5 + 1.0 / 12, 0), 1);
    cdg_vec3 n = vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    double sagitta = 1 - vec3_dot(n, a);
    assert_true(sagitta > 0.8 * step * step / 4);
    double distance = measure(&coarse, &fine, 2, &found);
    assert_near(distance, sagitta, 0.06 * sagitta); // the fine one has a sagitta, too
    assert_near(measure(&large, &fine, 2, &found), 0.5, 6e-4);
    cdg_mesh_free(&fine);
    cdg_mesh_free(&coarse);
    cdg_mesh_free(&large);
}

static void a_missing_part_is_seen_one_way_only(void **state) {
    (void)state;
    cdg_mesh whole = make_grid(20, 20), part = make_grid(20, 20);
    part.triangle_count /= 2; // the rows below one half
    cdg_hausdorff found;
    assert_near(measure(&part, &whole, 1, &found), 0, 1e-14);
    assert_near(measure(&whole, &part, 1, &found), 0.5, 1e-12);
    cdg_mesh_free(&whole);
    cdg_mesh_free(&part);
}

// Random soups: no sample that anyone takes is farther than the bound, or farther than found by more than 5 %.
static void no_sample_is_beyond_the_bound(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int round = 0; round < 20; round++) {
        cdg_mesh a = make_grid(3, 4), b = make_grid(4, 3);
        for (size_t i = 0; i < a.point_count; i++) a.points[i] = vec3_add(a.points[i], random_vec3(&random, 0.2));
        for (size_t i = 0; i < b.point_count; i++) b.points[i] = vec3_add(b.points[i], random_vec3(&random, 0.2));
        cdg_hausdorff found, other;
        measure(&a, &b, 1, &found);
        assert_true(found.bound <= 1.05 * found.distance + 1e-11);
        for (int n = 0; n < 500; n++) {
            const uint32_t *t = a.triangles[(size_t)(random_unit(&random) * (double)a.triangle_count)];
            double u = random_unit(&random), v = random_unit(&random);
            if (u + v > 1) u = 1 - u, v = 1 - v;
            cdg_vec3 corner = vec3_add(vec3_scale(1 - u - v, a.points[t[0]]),
                                       vec3_add(vec3_scale(u, a.points[t[1]]), vec3_scale(v, a.points[t[2]])));
            cdg_mesh dot = {&corner, 1, (uint32_t[1][3]){{0, 0, 0}}, 1};
            assert_true(measure(&dot, &b, 1, &other) <= found.bound + 1e-12);
        }
        cdg_mesh_free(&a);
        cdg_mesh_free(&b);
    }
}

static void threads_do_not_matter(void **state) {
    (void)state;
    cdg_mesh a = make_grid(60, 60), b = make_grid(50, 50);
    cdg_random random = {9};
    for (size_t i = 0; i < a.point_count; i++) a.points[i] = vec3_add(a.points[i], random_vec3(&random, 0.01));
    cdg_hausdorff one, four;
    int thread_count = 4;
    measure(&a, &b, 1, &one);
    measure(&a, &b, thread_count, &four);
    assert_memory_equal(&one, &four, sizeof one);
    cdg_mesh_free(&a);
    cdg_mesh_free(&b);
    cdg_mesh none = {0};
    cdg_error error = {0};
    assert_int_equal(cdg_hausdorff_measure(&none, &none, 1, NULL, &one, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parallel_planes),
                                       cmocka_unit_test(the_farthest_point_may_be_within_a_face),
                                       cmocka_unit_test(spheres),
                                       cmocka_unit_test(a_missing_part_is_seen_one_way_only),
                                       cmocka_unit_test(no_sample_is_beyond_the_bound),
                                       cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
