// Columns of rates in a sweep: those of neighbouring cases' differences, with words among what varies, and sentences
// where there are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "sweep/sweep.h"

static const char text[] = "cordage: 1\n"
                           "simulation: {mode: static, model: der}\n"
                           "materials: {m: {young_modulus: 1 MPa, density: 1000}}\n"
                           "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: "
                           "[0.2, 0, 0]}}, elements: 8}]\n"
                           "supports: [{clamp: rod.start}]\n"
                           "probes: [{name: tip, position: rod.end}, {name: hold, reaction: rod.start}]\n";

static cdg_sweep sweep_of(const char *const *varies, size_t count, const char *probes) {
    cdg_sweep sweep = {.source = {.text = text, .size = strlen(text), .name = "sweep"}, .wants_gradient = true};
    for (size_t i = 0; i < count; i++) assert_int_equal(cdg_sweep_vary(&sweep, varies[i], NULL), CDG_OK);
    assert_int_equal(cdg_readout_add(&sweep.readout, probes, NULL), CDG_OK);
    return sweep;
}

static void test_columns(void **state) {
    (void)state;
    const char *const varies[] = {"E: materials.m.young_modulus=1.98, 2, 2.02 MPa",
                                  "model: simulation.model=der, galpha"};
    cdg_sweep sweep = sweep_of(varies, 2, "tip_z, hold, tip_x:max");
    cdg_error error = {0};
    if (cdg_sweep_prepare(&sweep, &error) != CDG_OK) fail_msg("%s", error.message);
    // tip_z, six of the reaction and its peak, a summary; rates of the first seven.
    size_t columns = sweep.readout.column_count;
    assert_int_equal(columns, 1 + 7 + 1 + 7);
    assert_string_equal(sweep.readout.titles[9], "tip_z_per_E [m/MPa]");
    assert_string_equal(sweep.readout.titles[15], "hold_mz_per_E [N*m/MPa]");
    cdg_outcome outcomes[6];
    for (size_t i = 0; i < 6; i++) {
        size_t size;
        char *line = cdg_sweep_do_case(&sweep, i, NULL, NULL, &size);
        assert_non_null(line);
        assert_int_equal(cdg_outcome_read(line, size - 1, columns, &outcomes[i]), CDG_OUTCOME_READ);
        if (outcomes[i].has_failed) fail_msg("%s", outcomes[i].sentence);
        free(line);
    }
    for (size_t model = 0; model < 2; model++) {
        double difference = (outcomes[4 + model].values[0] - outcomes[model].values[0]) / 0.04;
        double rate = outcomes[2 + model].values[9];
        assert_true(rate > 1e-3); // a stiffer rod hangs higher
        assert_near(rate / difference, 1, 1e-3);
    }
    for (size_t i = 0; i < 6; i++) cdg_outcome_free(&outcomes[i]);
    cdg_sweep_free(&sweep);
}

static void expect_refusal(const char *vary, const char *probes, const char *set, char *runs, const char *part) {
    cdg_sweep sweep = sweep_of(&vary, 1, probes);
    cdg_error error = {0};
    sweep.source.overrides = &set;
    sweep.source.override_count = set != NULL;
    sweep.runs = runs;
    assert_int_equal(cdg_sweep_prepare(&sweep, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' without '%s'", error.message, part);
    cdg_sweep_free(&sweep);
}

static void test_refusals(void **state) {
    (void)state;
    const char *young = "materials.m.young_modulus=1, 2 MPa";
    expect_refusal("simulation.model=der, galpha", "tip", NULL, NULL, "nothing has a rate");
    expect_refusal(young, "tip_z:max", NULL, NULL, "nothing has a rate");
    expect_refusal(young, "tip", "simulation={model: der, duration: 1 s}", NULL, "rates of equilibria");
    char *runs = malloc(5);
    memcpy(runs, "runs", 5);
    expect_refusal(young, "tip", NULL, runs, "do not go together");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
