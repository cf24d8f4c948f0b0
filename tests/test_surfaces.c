// Triangles, edges and vertices of surfaces in one numbering.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/surfaces.h"
#include "math/vec3.h"

// A sheet of n x n squares, each cut in two.
enum { MOST = 9, POINTS = MOST * MOST, TRIANGLES = 2 * (MOST - 1) * (MOST - 1) };
typedef struct sheet {
    double x[3][POINTS];
    double *now[3];
    uint32_t triangles[TRIANGLES][3];
    cdg_proxy proxy;
} sheet;

static void make_sheet(sheet *it, uint32_t n) {
    *it = (sheet){0};
    uint32_t count = 0, row = n + 1;
    for (uint32_t i = 0; i < row * row; i++) it->x[0][i] = i % row, it->x[1][i] = (double)(i / row);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t a = j * row + i, corners[4] = {a, a + 1, a + row, a + row + 1};
            for (int k = 0; k < 3; k++) {
                it->triangles[count][k] = corners[k];
                it->triangles[count + 1][k] = corners[3 - k];
            }
            count += 2;
        }
    for (int k = 0; k < 3; k++) it->now[k] = it->x[k];
    it->proxy = (cdg_proxy){.object = it,
                            .name = "sheet",
                            .point_count = (size_t)row * row,
                            .now = it->now,
                            .triangles = (const uint32_t(*)[3])it->triangles,
                            .triangle_count = count,
                            .thickness = 0.05};
}

static void every_primitive_is_owned_once(void **state) {
    (void)state;
    static sheet sheets[3];
    static const uint32_t sizes[3] = {1, 8, 5};
    cdg_proxy proxies[3];
    static uint32_t point_of[3 * POINTS];
    for (int i = 0; i < 3; i++) {
        make_sheet(&sheets[i], sizes[i]);
        proxies[i] = sheets[i].proxy;
    }
    for (uint32_t i = 0; i < 3 * POINTS; i++) point_of[i] = 1 + i;
    cdg_surfaces it = {0};
    cdg_error error;
    assert_int_equal(cdg_surfaces_build(&it, proxies, 3, point_of, &error), CDG_OK);
    size_t corners = 0, edges = 0;
    for (uint32_t t = 0; t < it.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const cdg_surface_triangle *triangle = &it.triangles[t];
            const cdg_surface_edge *edge = &it.edges[triangle->edge[k]];
            corners += triangle->owns_corner[k];
            edges += triangle->owns_edge[k];
            assert_int_equal(it.vertices[triangle->corner[k]].surface, triangle->surface);
            assert_true(edge->end[0] != triangle->corner[k] && edge->end[1] != triangle->corner[k]);
            for (int m = 1; m < 3; m++) {
                uint32_t corner = triangle->corner[(k + m) % 3];
                assert_true(corner == edge->end[0] || corner == edge->end[1]);
            }
            assert_true(triangle->owns_edge[k] == (edge->triangle == t));
            assert_true(triangle->owns_corner[k] == (it.vertices[triangle->corner[k]].triangle == t));
        }
    for (uint32_t t = 0; t < it.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(it.triangles[t].point[k], it.vertices[it.triangles[t].corner[k]].point);
    for (uint32_t e = 0; e < it.edge_count; e++) {
        const cdg_surface_edge *edge = &it.edges[e];
        const uint32_t *corner = it.triangles[edge->triangle].corner;
        assert_true(edge->opposite == corner[0] || edge->opposite == corner[1] || edge->opposite == corner[2]);
        assert_true(edge->opposite != edge->end[0] && edge->opposite != edge->end[1]);
        for (int k = 0; k < 2; k++) assert_int_equal(edge->point[k], it.vertices[edge->end[k]].point);
        assert_int_equal(edge->point[2], it.vertices[edge->opposite].point);
    }
    assert_int_equal(corners, it.vertex_count);
    assert_int_equal(edges, it.edge_count);
    for (uint32_t i = 0; i < 3; i++) { // Euler: V - E + F = 1
        uint32_t v = it.first_vertex[i + 1] - it.first_vertex[i], e = it.first_edge[i + 1] - it.first_edge[i],
                 f = it.first_triangle[i + 1] - it.first_triangle[i];
        assert_int_equal(v + f, e + 1);
        for (uint32_t n = it.first_edge[i]; n < it.first_edge[i + 1]; n++)
            assert_int_equal(surfaces_of_edge(&it, n), i);
    }
    assert_int_equal(it.vertices[it.first_vertex[1] + 3].point, 1 + 4 + 3);
    assert_true(it.vertices[it.first_vertex[2] + 7].rest.x == 1 && it.vertices[it.first_vertex[2] + 7].rest.y == 1);
    cdg_surfaces_free(&it);
}

static void points_are_found_where_the_object_has_them(void **state) {
    (void)state;
    static sheet one;
    make_sheet(&one, 1);
    static const uint32_t node[4] = {3, 2, 1, 0};
    static const uint32_t point_of[4] = {1, 2, 3, 4};
    one.proxy.node = node;
    cdg_surfaces it = {0};
    cdg_error error;
    assert_int_equal(cdg_surfaces_build(&it, &one.proxy, 1, point_of, &error), CDG_OK);
    assert_true(it.vertices[0].rest.x == 1 && it.vertices[0].rest.y == 1);
    const cdg_vec3 rest[4] = {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}};
    one.proxy.rest = rest;
    assert_int_equal(cdg_surfaces_build(&it, &one.proxy, 1, point_of, &error), CDG_OK);
    assert_true(it.vertices[2].rest.x == 7);
    cdg_surfaces_free(&it);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static sheet one;
    cdg_surfaces it = {0};
    cdg_error error;
    static const uint32_t point_of[4] = {1, 2, 3, 4};
    make_sheet(&one, 1);
    one.triangles[1][2] = 4;
    assert_int_equal(cdg_surfaces_build(&it, &one.proxy, 1, point_of, &error), CDG_ERROR_ARGUMENT);
    one.triangles[1][2] = one.triangles[1][1];
    assert_int_equal(cdg_surfaces_build(&it, &one.proxy, 1, point_of, &error), CDG_ERROR_ARGUMENT);
    make_sheet(&one, 1);
    one.proxy.thickness = 0;
    assert_int_equal(cdg_surfaces_build(&it, &one.proxy, 1, point_of, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_primitive_is_owned_once),
        cmocka_unit_test(points_are_found_where_the_object_has_them),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
