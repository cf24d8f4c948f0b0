// Meshes that enclose space: signed distance against blocks and balls, nearest triangles against all, what encloses
// nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/contact_mesh.h"
#include "math/random.h"
#include "near.h"

#include <string.h>

static double block_distance(cdg_vec3 half, cdg_vec3 p) {
    double d[3] = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    double inside = fmax(d[0], fmax(d[1], d[2]));
    if (inside <= 0) return inside;
    return sqrt(fmax(d[0], 0) * fmax(d[0], 0) + fmax(d[1], 0) * fmax(d[1], 0) + fmax(d[2], 0) * fmax(d[2], 0));
}

static void a_block_has_its_distance(void **state) {
    (void)state;
    cdg_random random = {1};
    const cdg_vec3 half = {0.5, 0.3, 0.7};
    for (int turned = 0; turned < 2; turned++) { // also given inside out
        cdg_vec3 vertices[8];
        uint32_t triangles[12][3];
        block_vertices(half, vertices);
        memcpy(triangles, block_triangles, sizeof triangles);
        for (int t = 0; t < 12 && turned; t++)
            triangles[t][0] = block_triangles[t][1], triangles[t][1] = block_triangles[t][0];
        cdg_contact_mesh mesh;
        cdg_error error;
        assert_int_equal(cdg_contact_mesh_build(vertices, 8, (const uint32_t(*)[3])triangles, 12, false, &mesh, &error),
                         CDG_OK);
        for (int i = 0; i < 20000; i++) {
            cdg_vec3 p = random_vec3(&random, 1.2);
            if (i % 4 == 0)
                p = vec3(0.5 * floor(2 * p.x + 0.5), 0.3 * floor(2 * p.y), 0.7 * floor(2 * p.z)); // special places
            cdg_contact_mesh_near near = cdg_contact_mesh_point(&mesh, p, HUGE_VAL);
            assert_near(near.distance, block_distance(half, p), 1e-14);
            assert_near(vec3_norm(near.normal), 1, 1e-14);
            // following the normal by the distance leads to the surface
            cdg_vec3 foot = vec3_mad(p, -near.distance, near.normal);
            assert_near(block_distance(half, foot), 0, 1e-14);
        }
        cdg_contact_mesh_free(&mesh);
    }
}

static void a_ball_has_its_distance(void **state) {
    (void)state;
    static cdg_vec3 vertices[BALL_VERTICES];
    static uint32_t triangles[BALL_TRIANGLES][3];
    ball_mesh(1, vertices, triangles);
    cdg_contact_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_contact_mesh_build(vertices, BALL_VERTICES, (const uint32_t(*)[3])triangles, BALL_TRIANGLES,
                                            false, &mesh, &error),
                     CDG_OK);
    cdg_random random = {2};
    for (int i = 0; i < 3000; i++) {
        cdg_vec3 p = random_vec3(&random, 1.5);
        double most = i % 3 == 0 ? 0.2 : HUGE_VAL;
        cdg_contact_mesh_near near = cdg_contact_mesh_point(&mesh, p, most);
        double expected = vec3_norm(p) - 1, facets = 0.01; // a chord of 1/48 turn is off by 0.2 %, of rings 0.9 %
        if (near.distance == HUGE_VAL) {
            assert_true(fabs(expected) > most - facets);
            continue;
        }
        assert_near(near.distance, expected, facets);
        assert_true((near.distance < 0) == (vec3_dot(near.normal, p) > 0 && near.distance < 0));
    }
    cdg_contact_mesh_free(&mesh);
}

// Edges and corners so sharp that the normal of one face alone would tell the wrong side.
static void sharp_solids_have_their_inside(void **state) {
    (void)state;
    const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    cdg_random random = {7};
    for (int round = 0; round < 200; round++) {
        cdg_vec3 v[4];
        for (int k = 0; k < 4; k++) {
            v[k] = random_vec3(&random, 1);
            v[k].z *= 0.2;
        }
        cdg_contact_mesh mesh;
        cdg_error error;
        assert_int_equal(cdg_contact_mesh_build(v, 4, faces, 4, false, &mesh, &error), CDG_OK);
        for (int i = 0; i < 200; i++) {
            cdg_vec3 p =
                vec3(random_in(&random, -1.2, 1.2), random_in(&random, -1.2, 1.2), random_in(&random, -0.4, 0.4));
            bool is_inside = true; // on the inner side of all four faces
            for (int f = 0; f < 4; f++) {
                cdg_vec3 a = v[faces[f][0]], n = vec3_cross(vec3_sub(v[faces[f][1]], a), vec3_sub(v[faces[f][2]], a));
                cdg_vec3 opposite = v[6 - faces[f][0] - faces[f][1] - faces[f][2]];
                is_inside = is_inside && vec3_dot(n, vec3_sub(p, a)) * vec3_dot(n, vec3_sub(opposite, a)) > 0;
            }
            cdg_contact_mesh_near near = cdg_contact_mesh_point(&mesh, p, HUGE_VAL);
            if (fabs(near.distance) > 1e-9) assert_int_equal(near.distance < 0, is_inside);
        }
        cdg_contact_mesh_free(&mesh);
    }
}

static void nearest_triangles_agree_with_all(void **state) {
    (void)state;
    static cdg_vec3 vertices[300];
    static uint32_t triangles[100][3];
    cdg_random random = {3};
    for (size_t i = 0; i < 300; i++) {
        vertices[i] = vec3_add(random_vec3(&random, 0.3), i % 3 == 0 ? random_vec3(&random, 1) : vertices[i - i % 3]);
        triangles[i / 3][i % 3] = (uint32_t)i;
    }
    cdg_contact_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_contact_mesh_build(vertices, 300, (const uint32_t(*)[3])triangles, 100, true, &mesh, &error),
                     CDG_OK);
    for (int i = 0; i < 3000; i++) {
        cdg_vec3 a = random_vec3(&random, 1.5), b = vec3_add(a, random_vec3(&random, 0.5));
        double best = HUGE_VAL, most = i % 2 == 0 ? HUGE_VAL : random_in(&random, 0, 0.5);
        for (int t = 0; t < 100; t++) best = fmin(best, cdg_segment_triangle_closest(a, b, &vertices[3 * t]).distance2);
        cdg_triangle_closest found = {0};
        uint32_t triangle = 0;
        bool is_found = cdg_contact_mesh_segment(&mesh, a, b, most, &found, &triangle);
        assert_int_equal(is_found, sqrt(best) <= most);
        if (is_found) assert_near(sqrt(found.distance2), sqrt(best), 1e-15);
        // no inside: never negative
        assert_true(cdg_contact_mesh_point(&mesh, a, HUGE_VAL).distance >= 0);
    }
    cdg_contact_mesh_free(&mesh);
}

static void what_is_no_solid_is_refused(void **state) {
    (void)state;
    cdg_vec3 vertices[9];
    uint32_t triangles[13][3];
    cdg_contact_mesh mesh;
    cdg_error error;
    block_vertices(vec3(1, 1, 1), vertices);
    vertices[8] = vec3(3, 3, 3);
    memcpy(triangles, block_triangles, sizeof block_triangles);
    const uint32_t(*given)[3] = (const uint32_t(*)[3])triangles;
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 11, false, &mesh, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "open"));
    assert_non_null(strstr(error.message, "(1, 1, -1)")); // an edge of the missing triangle
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 11, true, &mesh, &error),
                     CDG_OK); // a surface may be open
    cdg_contact_mesh_free(&mesh);
    triangles[12][0] = 0, triangles[12][1] = 1, triangles[12][2] = 8; // a fin
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 13, false, &mesh, &error), CDG_ERROR_FORMAT);
    triangles[3][0] = 5, triangles[3][1] = 6, triangles[3][2] = 7; // one face turned
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 12, false, &mesh, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "not oriented"));
    triangles[3][0] = 99;
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 12, false, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 0, false, &mesh, &error), CDG_ERROR_ARGUMENT);
    triangles[3][0] = 5;
    vertices[2].x = NAN;
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 12, false, &mesh, &error), CDG_ERROR_ARGUMENT);
    for (int i = 0; i < 9; i++) vertices[i] = vec3(1, 1, 1);
    assert_int_equal(cdg_contact_mesh_build(vertices, 9, given, 12, false, &mesh, &error), CDG_ERROR_FORMAT);
}

static void corners_given_twice_become_one(void **state) {
    (void)state;
    cdg_vec3 eight[8], vertices[36];
    uint32_t triangles[12][3];
    block_vertices(vec3(1, 2, 3), eight);
    for (uint32_t t = 0; t < 12; t++)
        for (uint32_t k = 0; k < 3; k++) {
            vertices[3 * t + k] = eight[block_triangles[t][k]];
            triangles[t][k] = 3 * t + k;
        }
    cdg_contact_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_contact_mesh_build(vertices, 36, (const uint32_t(*)[3])triangles, 12, false, &mesh, &error),
                     CDG_OK);
    assert_int_equal(mesh.vertex_count, 8);
    assert_near(cdg_contact_mesh_point(&mesh, vec3(0.5, 0, 0), HUGE_VAL).distance, -0.5, 1e-15);
    cdg_contact_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_has_its_distance),         cmocka_unit_test(a_ball_has_its_distance),
        cmocka_unit_test(nearest_triangles_agree_with_all), cmocka_unit_test(what_is_no_solid_is_refused),
        cmocka_unit_test(corners_given_twice_become_one),   cmocka_unit_test(sharp_solids_have_their_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
