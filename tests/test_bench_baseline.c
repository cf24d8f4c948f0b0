// Comparing with an earlier bench document: what is found, what is refused, and where a regression begins.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench_baseline.h"
#include "run_scene.h"

static const char good[] =
    "{\"cordage\": \"0.1.0\", \"command\": \"bench\", \"processor\": \"A fast one\", \"workloads\": ["
    "{\"name\": \"a\", \"rows\": [{\"label\": \"\", \"unit\": \"ms\", \"median\": 2.5, \"samples\": [1, 2]},"
    "{\"label\": \"x, 10\", \"unit\": \"ns\", \"median\": 1e-3},"
    "{\"label\": \"none\", \"unit\": \"ns\", \"median\": null}]},"
    "{\"name\": \"b\", \"rows\": []}]}";

static cdg_result read_text(const char *text, bench_baseline **out, cdg_error *error) {
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    const char *path = run_path(base, "bench.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    cdg_result result = bench_baseline_read(path, out, error);
    if (result != CDG_OK) assert_non_null(strstr(error->message, path));
    run_directory_remove(base);
    return result;
}

static void test_finds_rows(void **state) {
    (void)state;
    bench_baseline *baseline;
    cdg_error error;
    assert_int_equal(read_text(good, &baseline, &error), CDG_OK);
    assert_string_equal(bench_baseline_processor(baseline), "A fast one");
    double median = 0;
    assert_true(bench_baseline_find(baseline, "a", "", "ms", &median) && median == 2.5);
    assert_true(bench_baseline_find(baseline, "a", "x, 10", "ns", &median) && median == 1e-3);
    assert_false(bench_baseline_find(baseline, "a", "x, 10", "ms", &median)); // another unit says nothing
    assert_false(bench_baseline_find(baseline, "a", "none", "ns", &median));
    assert_false(bench_baseline_find(baseline, "a", "y", "ns", &median));
    assert_false(bench_baseline_find(baseline, "b", "", "ms", &median));
    assert_false(bench_baseline_find(baseline, "c", "", "ms", &median));
    bench_baseline_free(baseline);
    bench_baseline_free(NULL);
}

static void test_refuses_other_documents(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[1, 2]",
                                        "{\"command\": \"bench\"}",
                                        "{\"workloads\": []}",
                                        "{\"command\": \"check\", \"workloads\": []}",
                                        "{\"command\": \"bench\", \"workloads\": 3}",
                                        "\x01\x02"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bench_baseline *baseline;
        cdg_error error = {0};
        assert_int_equal(read_text(texts[i], &baseline, &error), CDG_ERROR_FORMAT);
        assert_null(baseline);
    }
    bench_baseline *baseline;
    cdg_error error = {0};
    assert_int_equal(bench_baseline_read("/nowhere/at/all.json", &baseline, &error), CDG_ERROR_IO);
}

static void test_regressions_begin_at_a_tenth(void **state) {
    (void)state;
    assert_false(bench_is_regression(1.09, 1));
    assert_true(bench_is_regression(1.11, 1));
    assert_false(bench_is_regression(0.5, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_rows),
        cmocka_unit_test(test_refuses_other_documents),
        cmocka_unit_test(test_regressions_begin_at_a_tenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
