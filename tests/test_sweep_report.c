// What a sweep leaves: tables, charts and a page that needs nothing from outside; problems once each.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "sweep/sweep_report.h"
#include "sweep_beam.h"

static void test_files(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    cdg_sweep sweep;
    cdg_sweep_files files = {0};
    cdg_error error = {0};
    run_directory_make(base);
    sweep_of(beam_text, "rods.rod.elements=4, 8, 16, 32", "tip_z", false, &sweep);
    double values[] = {-1, -2, -3, -4};
    cdg_outcome outcomes[4] = {
        {.index = 0, .is_known = true, .values = &values[0]},
        {.index = 1, .is_known = true, .values = &values[1], .is_doubtful = true, .sentence = "a doubt"},
        {.index = 2, .is_known = true, .values = &values[2], .has_failed = true, .sentence = "a <reason>"},
        {.index = 3, .is_known = true, .values = &values[3], .has_failed = true, .sentence = "a <reason>"}};
    cdg_sweep_progress progress = {.case_count = 4, .done = 4, .failed = 2, .doubtful = 1};
    cdg_sweep_problem problems[3];
    assert_int_equal(cdg_sweep_problems(outcomes, 4, problems, 3), 2);
    assert_true(problems[0].first == 1 && !problems[0].has_failed && problems[1].first == 2 && problems[1].count == 2);
    if (cdg_sweep_report_write(&sweep, outcomes, &progress, base, &files, &error) != CDG_OK)
        fail_msg("%s", error.message);
    assert_int_equal(files.count, 5); // no heat map
    char *page = run_read_text(base, "report.html", NULL), *table = run_read_text(base, "table.csv", NULL);
    assert_non_null(strstr(page, "a &lt;reason&gt;"));
    assert_non_null(strstr(page, "2 cases failed, from case 2 on"));
    assert_null(strstr(page, "http:"));
    assert_non_null(strstr(table, "1,8,-2,doubtful,a doubt\n2,16,,failed,a <reason>\n"));
    free(page);
    free(table);
    cdg_sweep_files_free(&files);
    cdg_sweep_free(&sweep);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
