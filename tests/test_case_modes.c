// Natural frequencies as columns of cases: those of theory, the same in memory as in a folder, chosen by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "sweep/case.h"
#include "sweep/case_modes.h"

#include <math.h>

#define TEXT(mode)                                                                                                     \
    "cordage: 1\n"                                                                                                     \
    "simulation: {" mode ", model: der, gravity: [0, 0, 0], modes: 4}\n"                                               \
    "materials: {m: {young_modulus: 70 GPa, density: 2700}}\n"                                                         \
    "rods:\n"                                                                                                          \
    "  - {name: strip, material: m, section: {rectangle: {width: 4 mm, height: 2 mm}}, elements: 40,\n"                \
    "     centerline: {line: {to: [0.3, 0, 0]}}}\n"                                                                    \
    "  - {name: long, material: m, section: {rectangle: {width: 4 mm, height: 2 mm}}, elements: 40,\n"                 \
    "     centerline: {line: {from: [0, 1, 0], to: [0.6, 1, 0]}}}\n"                                                   \
    "supports: [{clamp: strip.start}, {clamp: long.start}]\n"                                                          \
    "probes: [{name: tip, position: strip.end}]\n"

static const char static_text[] = TEXT("mode: static");
static const char dynamic_text[] = TEXT("step: 1 ms, duration: 2 ms");

static cdg_case_result run_case(const char *text, const char *directory, const char *const *probes, size_t count,
                                bool takes_modes) {
    cdg_case_source source = {.text = text,
                              .size = strlen(text),
                              .name = "case",
                              .probes = probes,
                              .probe_count = count,
                              .takes_modes = takes_modes};
    cdg_case_def def = {.source = &source, .thread_count = 1, .directory = directory};
    cdg_case_result result;
    if (cdg_case_run(&def, &result) != CDG_OK) fail_msg("%s", result.sentence);
    return result;
}

// Euler and Bernoulli: f = (beta l)^2/(2 pi l^2) sqrt(E I/(rho A)), I/A = h^2/12.
static double theory(double length, double height, double beta) {
    return beta * beta / (2 * 3.14159265358979 * length * length) * sqrt(70e9 * height * height / 12 / 2700);
}

static void test_theory(void **state) {
    (void)state;
    cdg_case_result result = run_case(static_text, NULL, NULL, 0, true);
    assert_int_equal(result.column_count, 3 + 2 * 4);
    assert_string_equal(result.titles[3], "strip_mode_1 [Hz]");
    assert_string_equal(result.titles[10], "long_mode_4 [Hz]");
    double first = 1.8751040687;
    assert_true(fabs(result.values[3] / theory(0.3, 2e-3, first) - 1) < 0.01);
    assert_true(fabs(result.values[4] / theory(0.3, 4e-3, first) - 1) < 0.01);
    assert_true(fabs(result.values[7] / theory(0.6, 2e-3, first) - 1) < 0.01);
    assert_true(fabs(result.values[9] / theory(0.6, 2e-3, 4.6940911) - 1) < 0.01);
    for (size_t i = 3; i < 11; i++) // in every row
        assert_true(result.series[i] == result.values[i]);
    cdg_case_result_free(&result);
}

static void expect_same_in_folder(const char *text) {
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_case_result memory = run_case(text, NULL, NULL, 0, true), folder = run_case(text, base, NULL, 0, true);
    assert_int_equal(memory.column_count, folder.column_count);
    assert_int_equal(memory.row_count, folder.row_count);
    assert_memory_equal(memory.values, folder.values, memory.column_count * sizeof(double));
    assert_memory_equal(memory.series, folder.series, memory.row_count * memory.column_count * sizeof(double));
    cdg_case_result_free(&memory);
    cdg_case_result_free(&folder);
    run_directory_remove(base);
}

static void test_folder(void **state) {
    (void)state;
    expect_same_in_folder(static_text);
    expect_same_in_folder(dynamic_text);
}

static void test_names(void **state) {
    (void)state;
    const char *const names[] = {"long_modes", "tip_z", "strip_mode_2"};
    cdg_case_result all = run_case(static_text, NULL, NULL, 0, true);
    cdg_case_result some = run_case(static_text, NULL, names, 3, true);
    assert_int_equal(some.column_count, 6);
    assert_memory_equal(some.values, all.values + 7, 4 * sizeof(double));
    assert_true(some.values[4] == all.values[2] && some.values[5] == all.values[4]);
    cdg_case_result_free(&some);
    const char *const every[] = {"modes"};
    some = run_case(static_text, NULL, every, 1, true);
    assert_int_equal(some.column_count, 8);
    assert_memory_equal(some.values, all.values + 3, 8 * sizeof(double));
    cdg_case_result_free(&some);
    some = run_case(static_text, NULL, NULL, 0, false); // fits do not ask for them
    assert_int_equal(some.column_count, 3);
    cdg_case_result_free(&some);
    cdg_case_result_free(&all);
}

static void test_refusal(void **state) {
    (void)state;
    const char *const names[] = {"strip_mode_5"};
    cdg_case_source source = {.text = static_text,
                              .size = strlen(static_text),
                              .name = "case",
                              .probes = names,
                              .probe_count = 1,
                              .takes_modes = true};
    cdg_case_def def = {.source = &source, .thread_count = 1};
    cdg_case_result result;
    assert_int_not_equal(cdg_case_run(&def, &result), CDG_OK);
    assert_non_null(strstr(result.sentence, "strip_mode_5"));
    cdg_case_result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_theory), cmocka_unit_test(test_folder),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
