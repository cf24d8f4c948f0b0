// A sweep from YAML, as on the command line; mistakes with their place.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/sweep_file.h"

#include <string.h>

static void test_file(void **state) {
    (void)state;
    static const char text[] = "# a comment\nsweep: 1\nscene: beam.yaml\nvary:\n"
                               "  rods.beam.elements: 10, 20\n"
                               "  sizes: {path: [a.b, a.c], values: [1, 2, 3]}\n"
                               "  materials.m.young_modulus: \"1:10:5 GPa (log)\"\n"
                               "probes: [tip, tip_z:max]\nset: {simulation.model: der}\n"
                               "samples: 20\nmethod: random\nseed: 5\nlanes: true\noutput: there\n";
    cdg_sweep_file file;
    cdg_error error = {0};
    assert_true(cdg_sweep_file_is_one(text, strlen(text)));
    assert_false(cdg_sweep_file_is_one("cordage: 1\nsweep: 1\n", 20));
    assert_false(cdg_sweep_file_is_one("", 0));
    if (cdg_sweep_file_parse(text, strlen(text), "s.yaml", &file, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_string_equal(file.scene, "beam.yaml");
    assert_int_equal(file.vary_count, 3);
    assert_string_equal(file.varies[0], "rods.beam.elements=10, 20");
    assert_string_equal(file.varies[1], "sizes: a.b, a.c=1, 2, 3");
    assert_string_equal(file.varies[2], "materials.m.young_modulus=1:10:5 GPa (log)");
    for (size_t i = 0; i < 3; i++) {
        cdg_vary vary;
        if (cdg_vary_parse(file.varies[i], &vary, &error) != CDG_OK) fail_msg("%s", error.message);
        cdg_vary_free(&vary);
    }
    assert_string_equal(file.probes[0], "tip, tip_z:max");
    assert_string_equal(file.overrides[0], "simulation.model=der");
    assert_string_equal(file.output, "there");
    assert_true(file.has_samples && file.samples == 20 && file.kind == CDG_DESIGN_RANDOM && file.seed == 5 &&
                file.wants_lanes);
    cdg_sweep_file_free(&file);
}

static void expect_refusal(const char *text, const char *reason) {
    cdg_sweep_file file;
    cdg_error error = {0};
    assert_int_equal(cdg_sweep_file_parse(text, strlen(text), "s.yaml", &file, &error), CDG_ERROR_SCENE);
    if (strstr(error.message, reason) == NULL) fail_msg("'%s' is not about '%s'", error.message, reason);
    cdg_sweep_file_free(&file);
}

static void test_refusals(void **state) {
    (void)state;
    expect_refusal("sweep: 1\nvary: {a: 1}\n", "names no scene");
    expect_refusal("sweep: 2\nscene: a\n", "s.yaml:1:8: error: this version");
    expect_refusal("sweep: 1\nscene: a\nvari: {a: 1}\n", "did you mean 'vary'");
    expect_refusal("sweep: 1\nscene: a\nvary: {a: {path: b}}\n", "NAME: {path: PATH");
    expect_refusal("sweep: 1\nscene: a\nmethod: latina\n", "grid, latin or random");
    expect_refusal("sweep: 1\nscene: a\nsamples: many\n", "whole number");
    expect_refusal("sweep: 1\nscene: [a\n", "s.yaml:");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
