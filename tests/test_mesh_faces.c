// Faces that a picture shows: the boundary of what is left, and which part of it the cut has laid open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "render/mesh_faces.h"
#include "tetrahedra_case.h"

// Sum of the area vectors: zero for a closed surface. Volume: of what it encloses.
static cdg_vec3 sum_of_areas(const cdg_mesh_faces *faces, double *volume) {
    cdg_vec3 sum = vec3(0, 0, 0);
    *volume = 0;
    for (size_t i = 0; i < faces->outer_count + faces->inner_count; i++) {
        const cdg_vec3 *c = faces->corners[i];
        cdg_vec3 area = vec3_scale(0.5, vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
        sum = vec3_add(sum, area);
        *volume += vec3_dot(c[0], area) / 3;
    }
    return sum;
}

static void whole_meshes_show_their_boundary(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(4, 0);
    cdg_mesh_faces faces;
    cdg_error error = {0};
    double volume;
    assert_int_equal(cdg_mesh_faces_of_tetrahedra(&mesh, NULL, &faces, &error), CDG_OK);
    assert_int_equal(faces.outer_count, 6 * 16 * 2);
    assert_int_equal(faces.inner_count, 0);
    assert_int_equal(faces.hidden_count, 0);
    assert_vec3_near(faces.high, vec3(4, 4, 4), 0);
    assert_vec3_near(sum_of_areas(&faces, &volume), vec3(0, 0, 0), 1e-12);
    assert_near(volume, 64, 1e-10);
    cdg_mesh_faces_free(&faces);
    cdg_mesh_free(&mesh);
}

// What is left is closed, and its volume is that of the elements that are not hidden.
static void cut_meshes_are_closed(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(4, 0);
    const cdg_cut_plane planes[] = {{.normal = {1, 0, 0}},
                                    {.normal = {0, 0.6, -0.8}, .has_offset = true, .offset = 0.1}};
    for (int i = 0; i < 2; i++) {
        cdg_mesh_faces faces;
        cdg_error error = {0};
        double volume;
        assert_int_equal(cdg_mesh_faces_of_tetrahedra(&mesh, &planes[i], &faces, &error), CDG_OK);
        assert_true(faces.inner_count > 0 && faces.outer_count > 0 && faces.hidden_count > 0);
        assert_vec3_near(sum_of_areas(&faces, &volume), vec3(0, 0, 0), 1e-12);
        assert_near(volume, (double)(mesh.tetrahedron_count - faces.hidden_count) / 6, 1e-10);
        cdg_mesh_faces_free(&faces);
    }
    cdg_cut_plane all = {.normal = {1, 0, 0}, .has_offset = true, .offset = -5};
    cdg_mesh_faces faces;
    cdg_error error = {0};
    assert_int_equal(cdg_mesh_faces_of_tetrahedra(&mesh, &all, &faces, &error), CDG_OK);
    assert_int_equal(faces.outer_count + faces.inner_count, 0);
    assert_int_equal(faces.hidden_count, mesh.tetrahedron_count);
    cdg_mesh_faces_free(&faces);
    cdg_mesh_free(&mesh);
}

static void triangles_are_left_out(void **state) {
    (void)state;
    cdg_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 0, 0}, {4, 0, 0}, {3, 1, 0}};
    uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
    cdg_mesh mesh = {points, 6, triangles, 2};
    cdg_cut_plane cut = {.normal = {-1, 0, 0}};
    cdg_mesh_faces faces;
    cdg_error error = {0};
    assert_int_equal(cdg_mesh_faces_of_triangles(&mesh, &cut, &faces, &error), CDG_OK);
    assert_int_equal(faces.outer_count, 1);
    assert_int_equal(faces.hidden_count, 1);
    assert_vec3_near(faces.corners[0][0], points[3], 0);
    cdg_mesh_faces_free(&faces);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_meshes_show_their_boundary),
                                       cmocka_unit_test(cut_meshes_are_closed),
                                       cmocka_unit_test(triangles_are_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
