// The report of validation: everything is in the page, what failed says so, text is escaped, pictures are PNG.
#define _XOPEN_SOURCE 700 // P_tmpdir
#include "output/disk.h"
#include "validate_results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const validation_case good = {.name = "good",
                                     .shows = "a < b & c",
                                     .source = "s",
                                     .spoiler = "bend=2",
                                     .others = "no"},
                             bad = {.name = "bad", .shows = "d", .source = "s", .spoiler = "bend=2", .others = "no"};

static void add_picture(validation_context *context) {
    cdg_world_def world_def = cdg_world_def_default();
    cdg_rod_def def = cdg_rod_def_default();
    cdg_world *world = NULL;
    cdg_error error;
    def.element_count = 8;
    assert_int_equal(cdg_world_create(&world_def, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_OK);
    context->wants_pictures = true;
    validation_add_picture(context, "a rod", world);
    cdg_world_destroy(world);
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) count++;
    return count;
}

static void test_page(void **state) {
    (void)state;
    const double x[] = {0, 1, 2}, y[] = {0, 1, 4};
    case_result cases[2] = {{.item = &good, .context = validation_context_default(), .pass = true},
                            {.item = &bad, .context = validation_context_default()}};
    validate_results results = {.cases = cases, .count = 2, .failed = 1, .rows = 4};
    validation_under(&cases[0].context, VALIDATION_GALPHA);
    validation_add_relative(&cases[0].context, "row <1>", "m", 1.004, 1, 0.01);
    validation_add_order(&cases[0].context, "order", 1.75, 2, 0.5);
    validation_add_information(&cases[0].context, "time", "ms", 3);
    validation_cite(&cases[0].context, VALIDATION_SEED_000_12, "0.21 ms \"then\"");
    validation_begin_chart(&cases[0].context, "chart", "x", "m", "y", "m");
    validation_add_curve(&cases[0].context, "ours", x, y, 3);
    validation_add_reference_curve(&cases[0].context, "theirs", x, y, 3);
    add_picture(&cases[0].context);
    validation_add_limit(&cases[1].context, "too large", "J", 3, 2);
    assert_true(fabs(worst_share(&cases[0].context) - 0.5) < 1e-9); // the order's: 0.25 of 0.5
    assert_true(fabs(worst_share(&cases[1].context) - 1.5) < 1e-9);
    assert_true(fabs(observed_order(&cases[0].context, VALIDATION_GALPHA) - 1.75) < 1e-9);
    assert_true(isnan(observed_order(&cases[0].context, VALIDATION_CORDE)));

    const char *base = getenv("TMPDIR");
    char path[300], *text = NULL;
    size_t size = 0;
    cdg_error error;
    snprintf(path, sizeof path, "%.200s/cordage-report-%ld.html", base != NULL ? base : P_tmpdir, (long)getpid());
    assert_int_equal(validate_results_html(&results, path, &error), CDG_OK);
    assert_int_equal(cdg_disk_read_file(path, 1 << 26, &text, &size, &error), CDG_OK);
    unlink(path);
    assert_null(strstr(text, "http:"));
    assert_null(strstr(text, "https:"));
    assert_int_equal(count_of(text, "src="), count_of(text, "src=\"data:image/"));
    assert_int_equal(count_of(text, "data:image/svg+xml;base64,"), 1);
    assert_int_equal(count_of(text, "data:image/png;base64,iVBOR"), 1);
    assert_non_null(strstr(text, "1 of 2 cases passed"));
    assert_non_null(strstr(text, "a &lt; b &amp; c"));
    assert_non_null(strstr(text, "row &lt;1&gt;"));
    assert_null(strstr(text, "row <1>"));
    assert_non_null(strstr(text, "pass 0.5"));
    assert_non_null(strstr(text, "FAIL 1.5"));
    assert_non_null(strstr(text, "000 figure 12"));
    assert_non_null(strstr(text, "corde: no"));
    assert_int_equal(count_of(text, "<tr>"), count_of(text, "</tr>"));
    assert_int_equal(count_of(text, "<td"), count_of(text, "</td>"));
    free(text);
    snprintf(path, sizeof path, "%.200s/no/such/directory/report.html", base != NULL ? base : P_tmpdir);
    assert_int_equal(validate_results_html(&results, path, &error), CDG_ERROR_IO);
    for (int i = 0; i < 2; i++) validation_context_free(&cases[i].context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
