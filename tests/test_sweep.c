// A sweep's cases and columns, its fingerprint, and lines of cases that fail.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep_beam.h"

#include <math.h>
#include <stdlib.h>

static void test_cases(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_outcome outcome;
    sweep_of(beam_text, "E: materials.m.young_modulus=1, 2, 4 GPa", "tip_z", false, &sweep);
    assert_true(sweep.job_count == 3 && sweep.job_size == 1 && sweep.readout.column_count == 1);
    double first = 0;
    for (size_t i = 0; i < 3; i++) {
        size_t size;
        char *line = cdg_sweep_do_case(&sweep, i, NULL, NULL, &size);
        assert_int_equal(cdg_outcome_read(line, size - 1, 1, &outcome), CDG_OUTCOME_READ);
        assert_true(outcome.index == i && !outcome.has_failed && outcome.values[0] < 0);
        if (i == 0) first = outcome.values[0];
        assert_true(fabs(outcome.values[0] * (double)(1 << i) / first - 1) < 0.01); // small: nearly linear
        cdg_outcome_free(&outcome);
        free(line);
    }
    cdg_sweep_free(&sweep);
}

// A misspelt material is a new one that no rod has.
static void test_variable_without_use(void **state) {
    (void)state;
    cdg_sweep sweep;
    sweep_of(beam_text, "materials.n={young_modulus: 1 GPa, density: 1000}, {young_modulus: 2 GPa, density: 1000}",
             "tip", false, &sweep);
    if (strstr(sweep.warning, "'n' is not used by any rod") == NULL) fail_msg("'%s'", sweep.warning);
    cdg_sweep_free(&sweep);
    sweep_of(beam_text, "materials.m.young_modulus=1, 2 GPa", "tip", false, &sweep);
    assert_string_equal(sweep.warning, "");
    cdg_sweep_free(&sweep);
}

static void test_failing_case(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_outcome outcome;
    size_t size;
    sweep_of(beam_text, "rods.rod.elements=4, -1, 8", "tip_z", false, &sweep);
    char *line = cdg_sweep_do_case(&sweep, 1, NULL, NULL, &size);
    assert_int_equal(cdg_outcome_read(line, size - 1, 1, &outcome), CDG_OUTCOME_READ);
    assert_true(outcome.has_failed);
    assert_non_null(strstr(outcome.sentence, "rods.rod.elements"));
    cdg_outcome_free(&outcome);
    free(line);
    cdg_sweep_free(&sweep);
}

static uint64_t fingerprint(const char *text, const char *vary, const char *probes) {
    cdg_sweep sweep;
    sweep_of(text, vary, probes, false, &sweep);
    uint64_t out = sweep.fingerprint;
    cdg_sweep_free(&sweep);
    return out;
}

// Metres and metres a second do not belong into one column.
static void test_case_with_other_probes(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_outcome outcome;
    size_t size;
    sweep_of(beam_text, "probes.0={name: tip, position: rod.end}, {name: tip, velocity: rod.end}", "tip:max", false,
             &sweep);
    for (size_t i = 0; i < 2; i++) {
        char *line = cdg_sweep_do_case(&sweep, i, NULL, NULL, &size);
        assert_int_equal(cdg_outcome_read(line, size - 1, sweep.readout.column_count, &outcome), CDG_OUTCOME_READ);
        assert_true(outcome.has_failed == (i == 1));
        if (i == 1) assert_non_null(strstr(outcome.sentence, "probes must be the same"));
        cdg_outcome_free(&outcome);
        free(line);
    }
    cdg_sweep_free(&sweep);
}

static void test_fingerprint(void **state) {
    (void)state;
    uint64_t one = fingerprint(beam_text, "materials.m.young_modulus=1, 2 GPa", "tip_z");
    assert_true(one == fingerprint(beam_text, "materials.m.young_modulus=1,2 GPa", "tip_z"));
    assert_true(one != fingerprint(beam_text, "materials.m.young_modulus=1, 3 GPa", "tip_z"));
    assert_true(one != fingerprint(beam_text, "materials.m.young_modulus=1, 2 MPa", "tip_z"));
    assert_true(one != fingerprint(beam_text, "materials.m.density=1, 2", "tip_z"));
    assert_true(one != fingerprint(beam_text, "materials.m.young_modulus=1, 2 GPa", "tip_z:max"));
    assert_true(one != fingerprint(cord_text, "materials.m.young_modulus=1, 2 GPa", "tip_z"));
}

static void expect_refusal(const char *vary, const char *probes, const char *reason) {
    cdg_error error = {0};
    cdg_sweep sweep = {.source = {.text = beam_text, .size = strlen(beam_text), .name = "scene"}};
    cdg_result result = vary != NULL ? cdg_sweep_vary(&sweep, vary, &error) : CDG_OK;
    if (result == CDG_OK) result = cdg_readout_add(&sweep.readout, probes, &error);
    if (result == CDG_OK) result = cdg_sweep_prepare(&sweep, &error);
    assert_true(result != CDG_OK);
    if (strstr(error.message, reason) == NULL) fail_msg("'%s' is not about '%s'", error.message, reason);
    cdg_sweep_free(&sweep);
}

// A rod by its number and by its name.
static void test_one_place_by_two_paths(void **state) {
    (void)state;
    const char *const seconds[] = {"rods.rod.elements=4, 8", "rods.rod.section.circle.radius=4, 5 mm"};
    for (int k = 0; k < 2; k++) {
        cdg_error error = {0};
        cdg_sweep sweep = {.source = {.text = beam_text, .size = strlen(beam_text), .name = "scene"}};
        assert_int_equal(cdg_sweep_vary(&sweep, "rods.0.elements=5, 6", &error), CDG_OK);
        assert_int_equal(cdg_sweep_vary(&sweep, seconds[k], &error), CDG_OK);
        assert_int_equal(cdg_sweep_prepare(&sweep, &error), k == 0 ? CDG_ERROR_ARGUMENT : CDG_OK);
        if (k == 0) assert_non_null(strstr(error.message, "are the same place"));
        cdg_sweep_free(&sweep);
    }
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal(NULL, "tip", "nothing varies");
    expect_refusal("materials.m.yong_modulus=1, 2 GPa", "tip", "young_modulus"); // not a thousand rows that say so
    expect_refusal("rods.rod.elements=4, 8", "tap", "did you mean 'tip'");
    // names of columns, before any case is done
    expect_refusal("case: rods.rod.elements=4, 8", "tip", "which every table has");
    expect_refusal("tip_z: rods.rod.elements=4, 8", "tip", "there are a variable and a probe's column 'tip_z'");
    expect_refusal("rods.rod.elements=4, 8", "tip,tip_z", "'tip_z' would be in the table twice");
    expect_refusal("rods.rod.elements=4, 8", "tip_z:max,tip_z:max", "'tip_z:max' would be in the table twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),
                                       cmocka_unit_test(test_variable_without_use),
                                       cmocka_unit_test(test_failing_case),
                                       cmocka_unit_test(test_case_with_other_probes),
                                       cmocka_unit_test(test_fingerprint),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_one_place_by_two_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
