// Thresholds of damaged surfaces, and where the surface passes between two points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/inside.h"

typedef struct fixture {
    cdg_budget budget;
    cdg_soup soup;
    cdg_winding winding;
    cdg_inside inside;
    double outward;
} fixture;

static void build(fixture *f, cdg_mesh s) {
    cdg_error error;
    *f = (fixture){.budget = {.limit = 1 << 28}};
    assert_int_equal(cdg_soup_build(&s, &f->budget, &f->soup, &error), CDG_OK);
    assert_true(cdg_winding_build(&f->soup, &f->budget, &f->winding));
    f->inside = (cdg_inside){.rule = CDG_INSIDE_WINDING, .winding = &f->winding};
    cdg_inside_facts facts;
    assert_true(cdg_inside_survey(&f->soup, &f->winding, 1, &f->budget, &facts));
    f->inside.threshold = facts.threshold;
    f->outward = facts.outward_share;
    cdg_mesh_free(&s);
}

static void release(fixture *f) {
    cdg_winding_free(&f->winding, &f->budget);
    cdg_soup_free(&f->soup, &f->budget);
    assert_int_equal(f->budget.used, 0);
}

static void test_threshold_falls_with_what_is_missing(void **state) {
    (void)state;
    const double gone[3] = {0, 0.25, 0.5};
    for (int i = 0; i < 3; i++) {
        fixture f;
        cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 30, 60);
        if (gone[i] > 0) shape_drop(&s, gone[i], 11);
        build(&f, s);
        assert_true(fabs(f.inside.threshold - 0.5 * (1 - gone[i])) < 0.06);
        assert_true(f.outward > 0.8 * (1 - gone[i]));
        assert_true(cdg_inside_value(&f.inside, vec3(0.1, 0.2, 0.3)) > 0.15);
        assert_true(cdg_inside_value(&f.inside, vec3(1.5, 0.2, 0.3)) < -0.15);
        release(&f);
    }
}

static void test_random_orientation_is_seen(void **state) {
    (void)state;
    fixture f;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 30, 60);
    shape_flip(&s, 0.5, 2);
    shape_loosen(&s, 0.9);
    build(&f, s);
    assert_true(fabs(f.outward) < 0.15);
    release(&f);
}

static void test_cut_lies_on_the_triangle(void **state) {
    (void)state;
    fixture f;
    build(&f, shape_box(vec3(-1, -1, -1), vec3(1, 1, 1)));
    cdg_random random = {5};
    for (int i = 0; i < 200; i++) {
        cdg_vec3 a = random_vec3(&random, 0.9), b = vec3(random_in(&random, 1.1, 1.4), 0.9 * a.y, 0.9 * a.z);
        double place = cdg_inside_cut(&f.inside, a, cdg_inside_value(&f.inside, a), b, cdg_inside_value(&f.inside, b));
        assert_true(fabs(vec3_lerp(a, b, place).x - 1) < 1e-12);
        double back = cdg_inside_cut(&f.inside, b, cdg_inside_value(&f.inside, b), a, cdg_inside_value(&f.inside, a));
        assert_true(fabs(back - (1 - place)) < 1e-12);
    }
    release(&f);
}

static void test_cut_across_a_hole(void **state) {
    (void)state;
    fixture f;
    cdg_mesh s = shape_box(vec3(-1, -1, -1), vec3(1, 1, 1));
    s.triangle_count -= 2; // without its side at x = 1
    build(&f, s);
    cdg_vec3 a = vec3(0, 0, 0), b = vec3(3, 0, 0);
    double place = cdg_inside_cut(&f.inside, a, cdg_inside_value(&f.inside, a), b, cdg_inside_value(&f.inside, b));
    assert_true(fabs(cdg_inside_value(&f.inside, vec3_lerp(a, b, place))) < 2e-3);
    assert_true(fabs(3 * place - 1) < 0.35);
    release(&f);
}

// Faces along the axes: the own share of each triangle is one half, not rounding's choice.
static void test_boxes_that_are_inside_out_look_inward(void **state) {
    (void)state;
    for (int flipped = 0; flipped < 2; flipped++) {
        fixture f;
        cdg_mesh s = shape_box(vec3(0, 0, 0), vec3(1, 1, 1));
        shape_flip(&s, flipped, 1);
        s.triangle_count--; // open, so that it stays as given
        build(&f, s);
        assert_true(flipped ? f.outward < -0.7 : f.outward > 0.7);
        release(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_that_are_inside_out_look_inward),
        cmocka_unit_test(test_threshold_falls_with_what_is_missing),
        cmocka_unit_test(test_random_orientation_is_seen),
        cmocka_unit_test(test_cut_lies_on_the_triangle),
        cmocka_unit_test(test_cut_across_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
