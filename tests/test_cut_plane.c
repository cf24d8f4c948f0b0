// Planes that cut: what users write, and which side goes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "render/cut_plane.h"

#include <string.h>

static void texts_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        cdg_vec3 normal;
        bool has_offset;
        double offset;
    } cases[] = {{"x", {1, 0, 0}, false, 0},         {"-y", {0, -1, 0}, false, 0},
                 {"z=2cm", {0, 0, 1}, true, 0.02},   {"-z=-1", {0, 0, -1}, true, -1},
                 {"3,0,4", {0.6, 0, 0.8}, false, 0}, {"0,2,0=5 mm", {0, 1, 0}, true, 0.005}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_cut_plane plane;
        cdg_error error = {0};
        assert_int_equal(cdg_cut_plane_parse(cases[i].text, &plane, &error), CDG_OK);
        assert_vec3_near(plane.normal, cases[i].normal, 1e-15);
        assert_int_equal(plane.has_offset, cases[i].has_offset);
        assert_near(plane.offset, cases[i].offset, 1e-15);
    }
    static const char *const bad[] = {"",    "w",     "xy",      "x=",      "x=3kg", "x=abc",
                                      "1,2", "0,0,0", "1,2,3,4", "1,nan,0", "z 2cm"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cdg_cut_plane plane;
        cdg_error error = {0};
        assert_int_equal(cdg_cut_plane_parse(bad[i], &plane, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "z=2cm"));
    }
}

static void the_side_of_the_normal_goes(void **state) {
    (void)state;
    cdg_cut_plane plane = {.normal = {1, 0, 0}};
    cdg_vec3 middle = {5, 0, 0};
    assert_true(cdg_cut_plane_removes(&plane, middle, vec3(5.1, 3, 3)));
    assert_false(cdg_cut_plane_removes(&plane, middle, vec3(4.9, 3, 3)));
    plane.has_offset = true, plane.offset = -1;
    assert_true(cdg_cut_plane_removes(&plane, middle, vec3(4.9, 3, 3)));
    assert_false(cdg_cut_plane_removes(&plane, middle, vec3(-2, 3, 3)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_read), cmocka_unit_test(the_side_of_the_normal_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
