// Winding numbers by the tree against the direct sum; crossings; nearest points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/triangle.h"
#include "meshing/winding.h"

typedef struct fixture {
    cdg_budget budget;
    cdg_soup soup;
    cdg_winding winding;
} fixture;

static void build(fixture *f, cdg_mesh s) {
    cdg_error error;
    *f = (fixture){.budget = {.limit = 1 << 28}};
    assert_int_equal(cdg_soup_build(&s, &f->budget, &f->soup, &error), CDG_OK);
    assert_true(cdg_winding_build(&f->soup, &f->budget, &f->winding));
    cdg_mesh_free(&s);
}

static void release(fixture *f) {
    cdg_winding_free(&f->winding, &f->budget);
    cdg_soup_free(&f->soup, &f->budget);
    assert_int_equal(f->budget.used, 0);
}

static void test_tree_against_direct_sum(void **state) {
    (void)state;
    fixture f;
    cdg_random random = {4};
    for (int open = 0; open < 2; open++) {
        cdg_mesh s = shape_torus(0.5, 0.2, 53, 27);
        if (open) shape_drop(&s, 0.5, 9);
        build(&f, s);
        double worst = 0;
        for (int i = 0; i < 3000; i++) {
            cdg_vec3 p = random_vec3(&random, 0.8);
            worst = fmax(worst, fabs(cdg_winding_at(&f.winding, p) - cdg_winding_direct(&f.winding, p)));
        }
        assert_true(worst < 0.015); // what is left out: third moments beyond twice the radius
        assert_true(worst > 0);
        release(&f);
    }
}

static void test_whole_numbers_of_closed_surfaces(void **state) {
    (void)state;
    fixture f;
    build(&f, shape_torus(0.5, 0.2, 40, 20));
    assert_true(fabs(cdg_winding_at(&f.winding, vec3(0.5, 0.01, 0)) - 1) < 0.015);
    assert_true(fabs(cdg_winding_at(&f.winding, vec3(0, 0, 0))) < 0.015);
    assert_true(fabs(cdg_winding_at(&f.winding, vec3(9, 9, 9))) < 1e-4);
    release(&f);
}

static void test_crossings_tell_the_change(void **state) {
    (void)state;
    fixture f;
    build(&f, shape_torus(0.5, 0.2, 40, 20));
    cdg_random random = {8};
    size_t met = 0;
    for (int i = 0; i < 2000; i++) {
        cdg_vec3 a = random_vec3(&random, 0.8), b = random_vec3(&random, 0.8);
        cdg_crossing crossings[16];
        size_t count = cdg_winding_cross(&f.winding, a, b, crossings, 16);
        double sum = 0;
        for (size_t k = 0; k < count; k++) {
            sum += crossings[k].change;
            if (k > 0) assert_true(crossings[k].position >= crossings[k - 1].position);
        }
        met += count;
        double change = round(cdg_winding_direct(&f.winding, b)) - round(cdg_winding_direct(&f.winding, a));
        assert_true(sum == change);
    }
    assert_true(met > 500);
    release(&f);
}

static void test_no_line_slips_through_an_edge(void **state) {
    (void)state;
    fixture f;
    build(&f, shape_box(vec3(-1, -1, -1), vec3(1, 1, 1)));
    for (int i = -10; i <= 10; i++) { // along diagonals of faces, and through corners
        cdg_crossing crossings[8];
        double t = i / 10.0;
        assert_int_equal(cdg_winding_cross(&f.winding, vec3(t, t, 0.1), vec3(t, t, 3), crossings, 8) % 2, fabs(t) < 1);
    }
    release(&f);
}

static void test_nearest_point(void **state) {
    (void)state;
    fixture f;
    build(&f, shape_torus(0.5, 0.2, 40, 20));
    cdg_random random = {6};
    for (int i = 0; i < 300; i++) {
        cdg_vec3 p = random_vec3(&random, 1), found;
        double least = HUGE_VAL;
        for (size_t t = 0; t < f.winding.triangle_count; t++)
            least = fmin(least, vec3_distance(triangle_nearest(f.winding.corners[t], p), p));
        uint32_t triangle;
        assert_true(cdg_winding_nearest(&f.winding, p, 10, &found, &triangle));
        assert_true(fabs(vec3_distance(found, p) - least) < 1e-12);
        assert_true(triangle < f.soup.triangle_count);
        assert_false(cdg_winding_nearest(&f.winding, p, 0.99 * least, &found, NULL));
    }
    release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_against_direct_sum),
        cmocka_unit_test(test_whole_numbers_of_closed_surfaces),
        cmocka_unit_test(test_crossings_tell_the_change),
        cmocka_unit_test(test_no_line_slips_through_an_edge),
        cmocka_unit_test(test_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
