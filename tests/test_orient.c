// Orientation: flipped faces turn back, cavities stay, what is inside out is turned.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/orient.h"

static cdg_budget budget = {.limit = 1 << 28};

static double soup_volume(const cdg_soup *soup) {
    double sum = 0;
    for (size_t t = 0; t < soup->triangle_count; t++)
        sum += vec3_dot(cdg_soup_corner(soup, t, 0),
                        vec3_cross(cdg_soup_corner(soup, t, 1), cdg_soup_corner(soup, t, 2))) /
               6;
    return sum;
}

static void check_mates(const cdg_soup *soup) {
    for (uint32_t h = 0; h < 3 * soup->triangle_count; h++) {
        uint32_t mate = soup->mate[h];
        if (mate >= CDG_MANY_MATES) continue;
        assert_int_equal(soup->mate[mate], h);
        assert_int_equal(soup->triangles[h / 3][h % 3], soup->triangles[mate / 3][(mate + 1) % 3]);
        assert_int_equal(soup->triangles[h / 3][(h + 1) % 3], soup->triangles[mate / 3][mate % 3]);
    }
}

static void expect(cdg_mesh s, double volume, size_t components, bool is_closed) {
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_OK);
    assert_true(fabs(soup_volume(&soup) - volume) < 1e-9);
    assert_int_equal(soup.components, components);
    assert_int_equal(soup.is_closed, is_closed);
    if (is_closed) check_mates(&soup);
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&s);
}

static void test_flipped_faces_turn_back(void **state) {
    (void)state;
    cdg_mesh s = shape_torus(2, 1, 30, 20);
    double volume = shape_volume(&s);
    shape_flip(&s, 0.5, 3);
    expect(s, volume, 1, true);
}

static void test_inside_out_is_turned(void **state) {
    (void)state;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 10, 20), other = shape_sphere(1, vec3(5, 0, 0), 10, 20);
    double volume = 2 * shape_volume(&s);
    shape_flip(&other, 1, 3);
    shape_join(&s, &other);
    expect(s, volume, 2, true);
}

// Once more, the other way around and a little smaller: no wall that anybody meant.
static void test_doubled_surfaces_are_no_cavities(void **state) {
    (void)state;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 10, 20), inner = shape_sphere(0.9999, vec3(0, 0, 0), 10, 20);
    double volume = shape_volume(&s) + shape_volume(&inner);
    shape_flip(&inner, 1, 3);
    shape_join(&s, &inner);
    expect(s, volume, 2, true);
}

static void test_cavities_stay(void **state) {
    (void)state;
    for (int flipped = 0; flipped < 2; flipped++) {
        cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 10, 20), inner = shape_sphere(0.5, vec3(0, 0, 0), 10, 20);
        double volume = shape_volume(&s) - shape_volume(&inner);
        shape_flip(&inner, flipped ? 0.5 : 1, 3); // also when it must be found out
        shape_join(&s, &inner);
        expect(s, volume, 2, true);
    }
}

// All faces inside out, those of the cavity too: both are turned.
static void test_cavities_of_inside_out_shells_stay(void **state) {
    (void)state;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 10, 20), inner = shape_sphere(0.5, vec3(0, 0, 0), 10, 20);
    double volume = shape_volume(&s) - shape_volume(&inner);
    shape_flip(&s, 1, 3);
    shape_join(&s, &inner);
    expect(s, volume, 2, true);
}

static void test_many_cavities_stay(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(-1, -1, -1), vec3(9, 9, 9));
    for (int i = 0; i < 343; i++) {
        cdg_vec3 at = vec3(i % 7 + 0.5, i / 7 % 7 + 0.5, i / 49 + 0.5);
        cdg_mesh hole = shape_box(at, vec3_add(at, vec3(0.5, 0.5, 0.5)));
        shape_flip(&hole, 1, 3);
        shape_join(&s, &hole);
    }
    expect(s, 1000 - 343 * 0.125, 344, true);
}

// What holds a cavity may itself have a hole, or be inside out and have one.
static void test_cavities_of_open_shells_stay(void **state) {
    (void)state;
    for (int flipped = 0; flipped < 2; flipped++) {
        cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 20, 40), inner = shape_sphere(0.5, vec3(0, 0, 0), 10, 20);
        shape_flip(flipped ? &s : &inner, 1, 3);
        s.triangle_count -= 1;
        double volume = shape_volume(&s) + shape_volume(&inner);
        shape_join(&s, &inner);
        expect(s, volume, 2, false);
    }
}

// A part in a cavity that points the way the cavity does would have a winding number of -1.
static void test_parts_in_cavities_are_turned(void **state) {
    (void)state;
    cdg_mesh s = shape_box(vec3(-3, -3, -3), vec3(3, 3, 3)), hole = shape_box(vec3(-2, -2, -2), vec3(2, 2, 2));
    cdg_mesh core = shape_box(vec3(-1, -1, -1), vec3(1, 1, 1));
    shape_flip(&hole, 1, 3);
    shape_flip(&core, 1, 3);
    shape_join(&s, &hole);
    shape_join(&s, &core);
    expect(s, 216 - 64 + 8, 3, true);
}

static void test_strips_without_sides_are_told(void **state) {
    (void)state;
    enum { N = 21 };
    cdg_mesh s = shape_begin(2 * N, 2 * N); // a Moebius strip
    for (int i = 0; i < N; i++) {
        double a = 2 * mesh_pi * i / N, r = 0.3;
        for (int k = -1; k < 2; k += 2)
            shape_point(&s,
                        vec3((1 + k * r * cos(a / 2)) * cos(a), (1 + k * r * cos(a / 2)) * sin(a), k * r * sin(a / 2)));
        size_t p = 2 * (size_t)i, q = i + 1 < N ? p + 2 : 1, u = i + 1 < N ? p + 3 : 0;
        shape_triangle(&s, p, q, u);
        shape_triangle(&s, p, u, p + 1);
    }
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&s, &budget, &soup, &error), CDG_OK);
    assert_true(soup.undecided_share > 0.99 && soup.one_sided == 1);
    assert_false(soup.is_closed);
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&s);
    assert_int_equal(budget.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flipped_faces_turn_back),
        cmocka_unit_test(test_inside_out_is_turned),
        cmocka_unit_test(test_doubled_surfaces_are_no_cavities),
        cmocka_unit_test(test_cavities_stay),
        cmocka_unit_test(test_cavities_of_inside_out_shells_stay),
        cmocka_unit_test(test_many_cavities_stay),
        cmocka_unit_test(test_cavities_of_open_shells_stay),
        cmocka_unit_test(test_parts_in_cavities_are_turned),
        cmocka_unit_test(test_strips_without_sides_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
