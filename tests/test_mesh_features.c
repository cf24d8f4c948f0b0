// Cones of edges and corners: what is nearest to them is told by what of the surface lies round them alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/contact_mesh.h"
#include "math/random.h"
#include "near.h"

static cdg_contact_mesh build(const cdg_vec3 *vertices, size_t count, const uint32_t (*triangles)[3],
                              size_t triangle_count) {
    cdg_contact_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_contact_mesh_build(vertices, count, triangles, triangle_count, true, &mesh, &error), CDG_OK);
    return mesh;
}

static uint32_t edge_between(const cdg_contact_mesh *mesh, cdg_vec3 a, cdg_vec3 b) {
    for (uint32_t e = 0; e < mesh->features.edge_count; e++) {
        cdg_vec3 one = mesh->vertices[mesh->features.edges[e].corner[0]];
        cdg_vec3 other = mesh->vertices[mesh->features.edges[e].corner[1]];
        if ((vec3_distance(one, a) == 0 && vec3_distance(other, b) == 0) ||
            (vec3_distance(one, b) == 0 && vec3_distance(other, a) == 0))
            return e;
    }
    fail();
    return 0;
}

static uint32_t corner_at(const cdg_contact_mesh *mesh, cdg_vec3 a) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (vec3_distance(mesh->vertices[i], a) == 0) return i;
    fail();
    return 0;
}

// Each edge is one triangle's to look at, each corner too, and an edge knows all of its triangles.
static void features_are_listed_once(void **state) {
    (void)state;
    static cdg_vec3 vertices[BALL_VERTICES];
    static uint32_t triangles[BALL_TRIANGLES][3];
    ball_mesh(1, vertices, triangles);
    cdg_contact_mesh mesh = build(vertices, BALL_VERTICES, (const uint32_t(*)[3])triangles, BALL_TRIANGLES);
    const cdg_mesh_features *f = &mesh.features;
    assert_int_equal(f->edge_count, BALL_TRIANGLES / 2 * 3);
    size_t edges = 0, corners = 0;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            edges += f->edge_of[t][k] != CDG_NO_EDGE;
            corners += f->corners_of[t] >> k & 1;
        }
    assert_int_equal(edges, f->edge_count);
    assert_int_equal(corners, BALL_VERTICES);
    assert_int_equal(f->first_neighbour[BALL_VERTICES], 2 * f->edge_count);
    for (size_t e = 0; e < f->edge_count; e++) {
        assert_int_equal(f->edges[e].wing_count, 2);
        cdg_vec3 along =
            vec3_normalize(vec3_sub(mesh.vertices[f->edges[e].corner[1]], mesh.vertices[f->edges[e].corner[0]]));
        for (int w = 0; w < 2; w++) {
            cdg_vec3 wing = f->wings[f->edges[e].first_wing + (uint32_t)w];
            assert_near(vec3_norm(wing), 1, 1e-12);
            assert_near(vec3_dot(wing, along), 0, 1e-12);
        }
    }
    cdg_contact_mesh_free(&mesh);
}

// A roof of two slopes, seen from above and from below; the edge of one triangle's border; a flat edge.
static void edges_count_where_the_surface_is_convex(void **state) {
    (void)state;
    const double slopes[] = {0.5, 1e-3, 0, -0.5};
    for (int i = 0; i < 4; i++) {
        const cdg_vec3 v[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0.5, -slopes[i]}, {-1, 0.5, -slopes[i]}};
        const uint32_t triangles[2][3] = {{0, 2, 1}, {0, 1, 3}};
        cdg_contact_mesh mesh = build(v, 4, triangles, 2);
        uint32_t ridge = edge_between(&mesh, v[0], v[1]);
        const cdg_mesh_features *f = &mesh.features;
        assert_int_equal(cdg_mesh_edge_is_nearest(f, ridge, vec3(0, 0, 0.1)), slopes[i] > 0);
        assert_int_equal(cdg_mesh_edge_is_nearest(f, ridge, vec3(0, 0, -0.1)), slopes[i] < 0);
        // beyond its cone a slope is nearer, but a little is forgiven, where the roof is steep enough
        double edge = atan(fabs(slopes[i])), side = slopes[i] < 0 ? -0.1 : 0.1;
        double allowed = fmin(2 * sin(edge), 0.05);
        for (int k = -1; k <= 1; k += 2) {
            double angle = edge + k * 0.1 * allowed + allowed;
            bool is_near = cdg_mesh_edge_is_nearest(f, ridge, vec3(side * sin(angle), 0, side * cos(angle)));
            assert_int_equal(is_near, k < 0 && slopes[i] != 0);
        }
        uint32_t border = edge_between(&mesh, v[0], v[2]);
        cdg_vec3 out = vec3_normalize(vec3_cross(vec3_sub(v[2], v[0]), vec3(0, 0, 1)));
        out = vec3(out.x, out.y, 0);
        if (out.y > 0) out = vec3_scale(-1, out);
        assert_true(cdg_mesh_edge_is_nearest(f, border, out));
        assert_false(cdg_mesh_edge_is_nearest(f, border, vec3_scale(-1, out)));
        cdg_contact_mesh_free(&mesh);
    }
}

// Corners of a block from all sides, against the distance of a block.
static void corners_count_where_all_falls_away(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_vec3 vertices[8];
    block_vertices(vec3(1, 1, 1), vertices);
    cdg_contact_mesh mesh = build(vertices, 8, (const uint32_t(*)[3])block_triangles, 12);
    uint32_t corner = corner_at(&mesh, vec3(1, 1, 1));
    assert_true(mesh.features.sharpness[corner] > 0.04);
    int nearest = 0, rest = 0;
    for (int i = 0; i < 4000; i++) {
        cdg_vec3 way = vec3_normalize(random_vec3(&random, 1));
        double least = fmin(way.x, fmin(way.y, way.z));
        if (least > -0.06 && least < 1e-6) continue; // what is forgiven
        bool is_nearest = cdg_mesh_corner_is_nearest(&mesh.features, mesh.vertices, corner, way);
        assert_int_equal(is_nearest, least > 0);
        nearest += is_nearest, rest += !is_nearest;
    }
    assert_true(nearest > 200 && rest > 1000);
    cdg_contact_mesh_free(&mesh);
    // a saddle's corner is nearest to nothing
    const cdg_vec3 saddle[5] = {{0, 0, 0}, {1, 0, 0.3}, {0, 1, -0.3}, {-1, 0, 0.3}, {0, -1, -0.3}};
    const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    mesh = build(saddle, 5, triangles, 4);
    corner = corner_at(&mesh, saddle[0]);
    assert_true(mesh.features.sharpness[corner] == 0);
    for (int i = 0; i < 4000; i++)
        assert_false(cdg_mesh_corner_is_nearest(&mesh.features, mesh.vertices, corner, random_vec3(&random, 1)));
    cdg_contact_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_listed_once),
        cmocka_unit_test(edges_count_where_the_surface_is_convex),
        cmocka_unit_test(corners_count_where_all_falls_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
