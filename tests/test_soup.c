// Cleaning of triangles: welding, doubles, areas, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/soup.h"

static cdg_budget budget = {.limit = 1 << 28};

static void test_loose_corners_become_one(void **state) {
    (void)state;
    cdg_mesh box = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    shape_loosen(&box, 1); // 36 corners
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&box, &budget, &soup, &error), CDG_OK);
    assert_int_equal(soup.point_count, 8);
    assert_true(soup.is_closed && soup.components == 1 && soup.dropped == 0);
    assert_true(fabs(soup.area - 6) < 1e-12);
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&box);
    assert_int_equal(budget.used, 0);
}

static void test_seams_of_rounding_are_closed(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), thin = shape_box(vec3(2, 0, 0), vec3(3, 1, 5e-7));
    shape_loosen(&s, 1);
    cdg_random random = {7};
    for (size_t p = 0; p < s.point_count; p++) s.points[p].x += 1e-7 * random_unit(&random);
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_OK);
    assert_int_equal(soup.point_count, 8);
    assert_true(soup.is_closed && soup.components == 1);
    cdg_soup_free(&soup, &budget);
    assert_int_equal(cdg_soup_build(&thin, &budget, &soup, &error), CDG_OK); // closed: its wall stays
    assert_int_equal(soup.point_count, 8);
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&s);
    cdg_mesh_free(&thin);
}

static void test_useless_triangles_go(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1)), copy = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    shape_flip(&copy, 1, 1);
    shape_join(&s, &copy); // each twice, once turned
    s.triangles[23][1] = s.triangles[23][0];
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_OK);
    assert_int_equal(soup.triangle_count, 12);
    assert_int_equal(soup.dropped, 12);
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&s);
}

static void test_refuses_with_a_sentence(void **state) {
    (void)state;
    cdg_soup soup;
    cdg_error error;
    cdg_mesh none = {0}, s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
    assert_int_equal(cdg_soup_build(&none, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no triangles"));
    s.points[3].y = NAN;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "point 3"));
    s.points[3].y = 1;
    s.triangles[4][1] = 99;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "triangle 4"));
    for (size_t t = 0; t < s.triangle_count; t++) s.triangles[t][0] = s.triangles[t][1] = 2;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "area"));
    assert_int_equal(budget.used, 0);
    cdg_mesh_free(&s);
}

static void test_far_away_and_huge(void **state) {
    (void)state;
    cdg_soup soup;
    cdg_error error;
    cdg_mesh s = shape_box(vec3(1e13, 0, 0), vec3(1e13 + 1, 1, 1));
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    cdg_mesh_free(&s);
    s = shape_box(vec3(-1e200, -1e200, -1e200), vec3(1e200, 1e200, 1e200));
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_ERROR_ARGUMENT);
    cdg_mesh_free(&s);
    assert_int_equal(budget.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loose_corners_become_one), cmocka_unit_test(test_seams_of_rounding_are_closed),
        cmocka_unit_test(test_useless_triangles_go),     cmocka_unit_test(test_refuses_with_a_sentence),
        cmocka_unit_test(test_far_away_and_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
