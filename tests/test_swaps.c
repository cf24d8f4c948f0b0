// Swaps: 2-3 and 3-2 are each other's inverse, 4-4 takes the better diagonal, whole meshes get better and keep their
// volume and boundary.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/faces.h"
#include "meshing/swaps.h"
#include "meshing_fixture.h"

static const cdg_swap_rules strict = {.is_strict = true, .tiny = 1e-12};

static void begin(cdg_budget *budget, const cdg_vec3 *points, size_t point_count, const uint32_t (*elements)[4],
                  size_t count, cdg_raw_mesh *m, cdg_surgery *s) {
    *budget = (cdg_budget){.limit = 1 << 24};
    *m = (cdg_raw_mesh){.points = cdg_budget_take(budget, point_count, sizeof *m->points),
                        .point_count = point_count,
                        .point_capacity = point_count,
                        .tetrahedra = cdg_budget_take(budget, count, sizeof *m->tetrahedra),
                        .tetrahedron_count = count,
                        .tetrahedron_capacity = count};
    memcpy(m->points, points, point_count * sizeof *points);
    memcpy(m->tetrahedra, elements, count * sizeof *elements);
    assert_true(cdg_surgery_begin(m, budget, s));
}

static void finish(cdg_budget *budget, cdg_raw_mesh *m, cdg_surgery *s, size_t expected) {
    double volume = 0;
    for (size_t e = 0; e < m->tetrahedron_count; e++)
        if (!cdg_surgery_is_gone(s, (uint32_t)e)) {
            cdg_vec3 p[4];
            for (int k = 0; k < 4; k++) p[k] = m->points[m->tetrahedra[e][k]];
            volume += tetrahedron_volume6(p) / 6;
        }
    assert_true(cdg_surgery_end(s, NULL));
    if (expected > 0) assert_int_equal(m->tetrahedron_count, expected);
    assert_int_equal(raw_faults(m), 0);
    assert_true(fabs(raw_quality(m).volume - volume) < 1e-12);
    cdg_raw_mesh_free(m, budget);
    assert_int_equal(budget->used, 0);
}

// A double pyramid over a triangle, of height h on either side.
static void make_pyramid(double h, cdg_vec3 out[5]) {
    for (int i = 0; i < 3; i++) out[i] = vec3(cos(2 * mesh_pi * i / 3), sin(2 * mesh_pi * i / 3), 0);
    out[3] = vec3(0, 0, h);
    out[4] = vec3(0, 0, -h);
}

static void test_two_for_three_and_back(void **state) {
    (void)state;
    cdg_budget budget;
    cdg_raw_mesh m;
    cdg_surgery s;
    cdg_vec3 points[5];
    static const uint32_t two[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 4}};
    static const uint32_t three[3][4] = {{0, 1, 3, 4}, {1, 2, 3, 4}, {2, 0, 3, 4}};
    make_pyramid(0.2, points); // flat: two are worse than three
    begin(&budget, points, 5, two, 2, &m, &s);
    assert_true(cdg_swap_face(&s, &strict, 0, 3));
    finish(&budget, &m, &s, 3);
    make_pyramid(2, points); // tall: three are worse than two; orientation of the list as given
    uint32_t turned[3][4];
    for (int t = 0; t < 3; t++) {
        cdg_vec3 p[4];
        for (int k = 0; k < 4; k++) p[k] = points[three[t][k]];
        bool is_positive = tetrahedron_volume6(p) > 0;
        const uint32_t order[4] = {three[t][0], three[t][1], three[t][is_positive ? 2 : 3],
                                   three[t][is_positive ? 3 : 2]};
        memcpy(turned[t], order, sizeof order);
    }
    begin(&budget, points, 5, (const uint32_t(*)[4])turned, 3, &m, &s);
    assert_false(cdg_swap_edge(&s, &strict, 0, 1)); // on the boundary
    assert_true(cdg_swap_edge(&s, &strict, 3, 4));
    finish(&budget, &m, &s, 2);
    make_pyramid(0.2, points);
    begin(&budget, points, 5, (const uint32_t(*)[4])turned, 3, &m, &s);
    assert_false(cdg_swap_edge(&s, &strict, 3, 4)); // would be worse
    finish(&budget, &m, &s, 3);
}

// An octahedron whose inner diagonal is the long one of three.
static void test_four_for_four(void **state) {
    (void)state;
    cdg_budget budget;
    cdg_raw_mesh m;
    cdg_surgery s;
    const cdg_vec3 points[6] = {vec3(3, 0, 0), vec3(-3, 0, 0), vec3(0, 1, 0),
                                vec3(0, 0, 1), vec3(0, -1, 0), vec3(0, 0, -1)};
    uint32_t four[4][4];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t order[4] = {1, 0, 2 + i, 2 + (i + 1) % 4};
        memcpy(four[i], order, sizeof order);
    }
    begin(&budget, points, 6, (const uint32_t(*)[4])four, 4, &m, &s);
    assert_true(cdg_swap_edge(&s, &strict, 0, 1));
    for (uint32_t e = 0; e < m.tetrahedron_count; e++)
        assert_true(cdg_surgery_is_gone(&s, e) || !(cdg_surgery_has(&s, e, 0) && cdg_surgery_has(&s, e, 1)));
    finish(&budget, &m, &s, 4);
}

static void test_contraction_and_moves_inside(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 24};
    cdg_raw_mesh m;
    cdg_surgery s;
    take_cubes(&m, &budget, (1u << 27) - 1);
    m.points[21] = vec3(1.04, 1.02, 1.95); // next to (1, 1, 2)
    assert_true(cdg_surgery_begin(&m, &budget, &s));
    assert_true(cdg_move_better(&s, &strict, 21));
    assert_false(cdg_move_better(&s, &strict, 0)); // on the boundary
    cdg_surgery_move(&s, 21, vec3(1.001, 1.002, 1.995));
    assert_false(cdg_contract_edge(&s, &strict, 0, 1));
    assert_true(cdg_contract_edge(&s, &strict, 21, 37));
    finish(&budget, &m, &s, 0);
}

static double boundary_area(const cdg_raw_mesh *m) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh boundary;
    assert_int_equal(cdg_mesh_boundary(&view, &boundary, NULL, NULL), CDG_OK);
    double sum = 0;
    for (size_t t = 0; t < boundary.triangle_count; t++) {
        const uint32_t *c = boundary.triangles[t];
        cdg_vec3 a = boundary.points[c[0]];
        sum += 0.5 * vec3_norm(vec3_cross(vec3_sub(boundary.points[c[1]], a), vec3_sub(boundary.points[c[2]], a)));
    }
    cdg_mesh_free(&boundary);
    return sum;
}

static void test_whole_meshes_get_better(void **state) {
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        fixture f;
        cdg_raw_mesh mesh;
        cdg_surgery s;
        fixture_build(&f, shape == 0   ? shape_sphere(1, vec3(0, 0, 0), 30, 60)
                          : shape == 1 ? shape_torus(1, 0.4, 60, 30)
                                       : shape_box(vec3(-1, -0.7, -0.5), vec3(1, 0.7, 0.5)));
        fixture_fill(&f, 0.2, 1, 1, &mesh);
        cdg_mesh_quality before = raw_quality(&mesh);
        double area = boundary_area(&mesh);
        assert_true(cdg_surgery_begin(&mesh, &f.budget, &s));
        cdg_swap_rules rules = {.is_strict = true, .tiny = 1e-12};
        cdg_mesh_improve(&s, &rules, 0.8, 4);
        assert_true(cdg_surgery_end(&s, NULL));
        cdg_mesh_quality after = raw_quality(&mesh);
        assert_int_equal(raw_faults(&mesh), 0);
        assert_true(fabs(after.volume / before.volume - 1) < 1e-12);
        assert_true(fabs(boundary_area(&mesh) / area - 1) < 1e-12);
        assert_true(after.smallest_dihedral >= before.smallest_dihedral);
        assert_true(after.largest_dihedral <= before.largest_dihedral);
        size_t small[2] = {0, 0}; // angles below 30 degrees
        for (int b = 0; b < 3; b++) {
            small[0] += before.dihedral_histogram[b];
            small[1] += after.dihedral_histogram[b];
        }
        assert_true(2 * small[1] < small[0]);
        cdg_raw_mesh_free(&mesh, &f.budget);
        fixture_release(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_for_three_and_back),
        cmocka_unit_test(test_four_for_four),
        cmocka_unit_test(test_contraction_and_moves_inside),
        cmocka_unit_test(test_whole_meshes_get_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
