// Grids in order, samples that repeat, Latin hypercubes with one sample in each part.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/design.h"

#include <math.h>
#include <string.h>

static void parse(const char *text, cdg_vary *out) {
    cdg_error error = {0};
    if (cdg_vary_parse(text, out, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_grid(void **state) {
    (void)state;
    cdg_vary varies[2];
    cdg_design design;
    parse("simulation.model=pobd, der", &varies[0]);
    parse("E: a,b=1:3:3 MPa", &varies[1]);
    assert_int_equal(cdg_design_make(varies, 2, CDG_DESIGN_GRID, 0, 0, &design, NULL), CDG_OK);
    assert_int_equal(design.case_count, 6);
    const double expected[] = {0, 1, 0, 2, 0, 3, 1, 1, 1, 2, 1, 3};
    assert_memory_equal(design.values, expected, sizeof expected);
    size_t count;
    char **overrides = cdg_design_overrides(&design, 4, &count);
    assert_int_equal(count, 3);
    assert_string_equal(overrides[0], "simulation.model=der");
    assert_string_equal(overrides[1], "a=2 MPa");
    assert_string_equal(overrides[2], "b=2 MPa");
    cdg_design_overrides_free(overrides, count);
    cdg_design_free(&design);
    cdg_vary_free(&varies[0]);
    cdg_vary_free(&varies[1]);
}

static void test_latin(void **state) {
    (void)state;
    enum { SAMPLES = 40 };
    cdg_vary varies[3];
    cdg_design design, again, other;
    parse("a=10:20", &varies[0]);
    parse("b=1:1000 (log)", &varies[1]);
    parse("c=x, y", &varies[2]);
    assert_int_equal(cdg_design_make(varies, 3, CDG_DESIGN_LATIN, SAMPLES, 7, &design, NULL), CDG_OK);
    int first[SAMPLES] = {0}, second[SAMPLES] = {0}, words[2] = {0};
    for (size_t c = 0; c < SAMPLES; c++) {
        const double *row = design.values + 3 * c;
        first[(int)floor((row[0] - 10) / 10 * SAMPLES)]++;
        second[(int)floor(log10(row[1]) / 3 * SAMPLES)]++;
        words[(int)row[2]]++;
    }
    for (int i = 0; i < SAMPLES; i++) assert_true(first[i] == 1 && second[i] == 1);
    assert_true(words[0] == SAMPLES / 2);
    cdg_design_make(varies, 3, CDG_DESIGN_LATIN, SAMPLES, 7, &again, NULL);
    cdg_design_make(varies, 3, CDG_DESIGN_LATIN, SAMPLES, 8, &other, NULL);
    assert_memory_equal(design.values, again.values, SAMPLES * 3 * sizeof(double));
    assert_memory_not_equal(design.values, other.values, SAMPLES * 3 * sizeof(double));
    cdg_design_free(&design);
    cdg_design_free(&again);
    cdg_design_free(&other);
    for (int i = 0; i < 3; i++) cdg_vary_free(&varies[i]);
}

static void test_random(void **state) {
    (void)state;
    cdg_vary vary;
    cdg_design design;
    parse("a=-1:1", &vary);
    cdg_design_make(&vary, 1, CDG_DESIGN_RANDOM, 4000, 1, &design, NULL);
    double mean = 0, square = 0;
    for (size_t i = 0; i < 4000; i++) {
        assert_true(design.values[i] >= -1 && design.values[i] < 1);
        mean += design.values[i] / 4000;
        square += design.values[i] * design.values[i] / 4000;
    }
    assert_true(fabs(mean) < 0.04 && fabs(square - 1.0 / 3) < 0.02); // four standard errors
    cdg_design_free(&design);
    cdg_vary_free(&vary);
}

static void expect_refusal(const char *text, cdg_design_kind kind, size_t samples, const char *reason) {
    cdg_vary vary;
    cdg_design design;
    cdg_error error = {0};
    parse(text, &vary);
    assert_int_equal(cdg_design_make(&vary, 1, kind, samples, 0, &design, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, reason) == NULL) fail_msg("'%s' is not about '%s'", error.message, reason);
    cdg_design_free(&design);
    cdg_vary_free(&vary);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("a=1:2", CDG_DESIGN_GRID, 0, "no number of values");
    expect_refusal("a=1:2:5", CDG_DESIGN_LATIN, 10, "so does --samples");
    expect_refusal("a=1:2", CDG_DESIGN_RANDOM, 0, "number of samples");
    cdg_vary many[3];
    cdg_design design;
    for (int i = 0; i < 3; i++) parse("a=1:2:1000", &many[i]);
    assert_int_equal(cdg_design_make(many, 3, CDG_DESIGN_GRID, 0, 0, &design, NULL), CDG_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) cdg_vary_free(&many[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_latin),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
