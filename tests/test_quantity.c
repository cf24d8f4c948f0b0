// Quantities for programs: as in scenes, and refused with the same sentences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

#include <cordage/scene.h>

static double must_read(const char *text, const char *unit) {
    double out;
    cdg_error error = {0};
    if (cdg_quantity_read(text, unit, &out, &error) != CDG_OK) fail_msg("%s: %s", text, error.message);
    return out;
}

static void numbers_become_si(void **state) {
    (void)state;
    assert_near(must_read("2 mm", "m"), 2e-3, 1e-18);
    assert_near(must_read("1.3 N m^2", "N m^2"), 1.3, 0);
    assert_near(must_read("1 turn", "rad"), 6.283185307179586, 1e-15);
    assert_near(must_read("7", "Pa"), 7, 0);
    assert_near(must_read("50 %", "1"), 0.5, 0);
}

static void other_dimensions_are_refused(void **state) {
    (void)state;
    const struct {
        const char *text, *unit, *part;
    } cases[] = {{"2 kg", "m", "is a mass"},
                 {"2 mmm", "m", "did you mean"},
                 {"fast", "m/s", "number"},
                 {"1 m", "furlong", "SI units"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double out;
        cdg_error error = {0};
        assert_int_equal(cdg_quantity_read(cases[i].text, cases[i].unit, &out, &error), CDG_ERROR_ARGUMENT);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("%s", error.message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_become_si),
                                       cmocka_unit_test(other_dimensions_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
