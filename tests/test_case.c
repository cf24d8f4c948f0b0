// One case: the same numbers in memory as in a folder, static and dynamic; failures come as sentences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "sweep/case.h"

#include <math.h>

#define ROD                                                                                                            \
    "materials: {m: {young_modulus: 1 GPa, density: 1200}}\n"                                                          \
    "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.2, 0, 0]}}, "       \
    "elements: 6}]\n"                                                                                                  \
    "supports: [{clamp: rod.start}]\n"                                                                                 \
    "probes: [{name: tip, position: rod.end}, {name: hold, reaction: rod.start}]\n"

static const char dynamic_text[] = "cordage: 1\n"
                                   "simulation: {model: pobd, step: 1 ms, duration: 60 ms, gravity: [0, 0, 0]}\n"
                                   "output: {every: 20 ms}\n"
                                   "loads: [{force: [3, 0, 0], at: rod.end, from: 26 ms, to: 30 ms}]\n" ROD;
static const char static_text[] = "cordage: 1\n"
                                  "simulation: {mode: static, model: der, gravity: [0, 0, 0]}\n"
                                  "loads: [{force: [0, 0, -0.1 N], at: rod.end}]\n" ROD;

static cdg_case_source source_of(const char *text) {
    return (cdg_case_source){.text = text, .size = strlen(text), .name = "case"};
}

// In a folder and in memory, bit for bit.
static void expect_same_in_folder(const char *text) {
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_case_source source = source_of(text);
    const char *const overrides[] = {"materials.m.young_modulus=2 GPa"};
    cdg_case_def def = {.source = &source, .overrides = overrides, .override_count = 1, .thread_count = 1};
    cdg_case_result memory, folder;
    if (cdg_case_run(&def, &memory) != CDG_OK) fail_msg("%s", memory.sentence);
    def.directory = base;
    if (cdg_case_run(&def, &folder) != CDG_OK) fail_msg("%s", folder.sentence);
    assert_int_equal(memory.column_count, 10);
    assert_string_equal(memory.titles[0], "tip_x [m]");
    assert_string_equal(memory.titles[9], "hold_peak [N]");
    assert_int_equal(memory.row_count, folder.row_count);
    assert_memory_equal(memory.times, folder.times, memory.row_count * sizeof(double));
    assert_memory_equal(memory.series, folder.series, memory.row_count * 10 * sizeof(double));
    assert_memory_equal(memory.values, folder.values, 10 * sizeof(double));
    cdg_case_result_free(&memory);
    cdg_case_result_free(&folder);
    run_directory_remove(base);
}

static void test_memory_and_folder(void **state) {
    (void)state;
    expect_same_in_folder(dynamic_text);
    expect_same_in_folder(static_text);
}

// A cantilever's tip: F L^3 / (3 E I), and half of that with twice the modulus.
static void test_overrides_count(void **state) {
    (void)state;
    cdg_case_source source = source_of(static_text);
    const char *const probes[] = {"tip_z"};
    source.probes = probes, source.probe_count = 1;
    double inertia = 3.14159265358979 / 4 * pow(5e-3, 4), expected = 0.1 * pow(0.2, 3) / (3 * 1e9 * inertia);
    for (int factor = 1; factor <= 2; factor++) {
        const char *const overrides[] = {factor == 1 ? "materials.m.young_modulus=1 GPa"
                                                     : "materials.m.young_modulus=2 GPa",
                                         "rods.rod.elements=30"};
        cdg_case_def def = {.source = &source, .overrides = overrides, .override_count = 2, .thread_count = 1};
        cdg_case_result result;
        if (cdg_case_run(&def, &result) != CDG_OK) fail_msg("%s", result.sentence);
        assert_int_equal(result.column_count, 1);
        assert_true(fabs(-result.values[0] * factor / expected - 1) < 0.003);
        assert_true(result.solve_seconds > 0);
        cdg_case_result_free(&result);
    }
}

static void test_largest_peak(void **state) {
    (void)state;
    cdg_case_source source = source_of(dynamic_text);
    const char *const probes[] = {"hold_peak"};
    source.probes = probes, source.probe_count = 1;
    cdg_case_def def = {.source = &source, .thread_count = 1};
    cdg_case_result result;
    assert_int_equal(cdg_case_run(&def, &result), CDG_OK);
    double largest = 0;
    for (size_t i = 0; i < result.row_count; i++) largest = fmax(largest, result.series[i]);
    assert_true(result.row_count == 4 && result.values[0] == largest && largest > result.series[3]);
    cdg_case_result_free(&result);
}

static void test_failures_are_sentences(void **state) {
    (void)state;
    cdg_case_source source = source_of(static_text);
    const char *const bad[] = {"rods.rod.elements=-3"}, *const unknown[] = {"tipp"};
    cdg_case_def def = {.source = &source, .overrides = bad, .override_count = 1, .thread_count = 1};
    cdg_case_result result;
    assert_int_equal(cdg_case_run(&def, &result), CDG_ERROR_SCENE);
    assert_non_null(strstr(result.sentence, "rods.rod.elements"));
    assert_true(result.values == NULL && result.row_count == 0);
    cdg_case_result_free(&result);

    source.probes = unknown, source.probe_count = 1, def.override_count = 0;
    assert_int_equal(cdg_case_run(&def, &result), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(result.sentence, "did you mean 'tip'"));
    cdg_case_result_free(&result);
}

static bool count_down(void *user) { return --*(int *)user > 0; }

static void test_stops_on_request(void **state) {
    (void)state;
    cdg_case_source source = source_of(dynamic_text);
    int left = 30;
    cdg_case_def def = {.source = &source, .thread_count = 1, .go_on = count_down, .user = &left};
    cdg_case_result result;
    assert_int_equal(cdg_case_run(&def, &result), CDG_ERROR_INTERRUPTED);
    assert_true(result.row_count == 2 && result.values == NULL);
    cdg_case_result_free(&result);
}

static void test_columns(void **state) {
    (void)state;
    cdg_case_source source = source_of(static_text);
    const char *const probes[] = {"hold_mx", "tip"};
    source.probes = probes, source.probe_count = 2;
    cdg_case_def def = {.source = &source};
    char **titles;
    size_t count;
    cdg_error error = {0};
    assert_int_equal(cdg_case_columns(&def, &titles, &count, &error), CDG_OK);
    assert_int_equal(count, 4);
    assert_string_equal(titles[0], "hold_mx [N*m]");
    assert_string_equal(titles[3], "tip_z [m]");
    cdg_case_titles_free(titles, count);
    const char *const bad[] = {"simulation.model=derr"};
    def.overrides = bad, def.override_count = 1;
    assert_int_equal(cdg_case_columns(&def, &titles, &count, &error), CDG_ERROR_SCENE);
    assert_non_null(strstr(error.message, "derr"));
    assert_null(titles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_and_folder), cmocka_unit_test(test_overrides_count),
        cmocka_unit_test(test_largest_peak),      cmocka_unit_test(test_failures_are_sentences),
        cmocka_unit_test(test_stops_on_request),  cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
