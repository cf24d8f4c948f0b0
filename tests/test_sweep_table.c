// The table of a sweep: what varied, what came out, what failed.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/sweep_table.h"
#include "sweep_beam.h"

#include <math.h>
#include <stdlib.h>

static void test_table(void **state) {
    (void)state;
    cdg_sweep sweep;
    cdg_sweep_table table;
    sweep_of(beam_text, "simulation.model=der, galpha, der", "tip_z", false, &sweep);
    double value = -0.5;
    cdg_outcome outcomes[3] = {{.index = 0, .is_known = true, .values = &value},
                               {.index = 1, .is_known = true, .has_failed = true, .values = &value, .sentence = "why"},
                               {0}};
    assert_int_equal(cdg_sweep_table_make(&sweep, outcomes, &table, NULL), CDG_OK);
    const cdg_table_file_column *columns = table.file.columns;
    assert_true(table.file.column_count == 5 && table.file.row_count == 3);
    assert_string_equal(columns[1].name, "simulation.model");
    assert_string_equal(columns[1].texts[1], "galpha");
    assert_string_equal(columns[2].name, "tip_z");
    assert_string_equal(columns[2].unit, "m");
    assert_true(columns[2].numbers[0] == -0.5 && isnan(columns[2].numbers[1]) && isnan(columns[2].numbers[2]));
    assert_string_equal(columns[3].texts[0], "done");
    assert_string_equal(columns[3].texts[1], "failed");
    assert_string_equal(columns[3].texts[2], "missing");
    assert_string_equal(columns[4].texts[1], "why");
    cdg_sweep_table_free(&table);
    cdg_sweep_free(&sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
