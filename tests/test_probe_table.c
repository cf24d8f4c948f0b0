// probes.csv read back: what was written comes back, an unfinished line is not counted, damage is named by its line.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/number.h"
#include "output/probe_table.h"

static cdg_result parse(const char *text, cdg_probe_table *out, cdg_error *error) {
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    strcpy(copy, text);
    cdg_result result = cdg_probe_table_parse(copy, strlen(text), "probes.csv", out, error);
    free(copy);
    return result;
}

static void test_headings(void **state) {
    (void)state;
    cdg_probe_table table;
    cdg_error error = {0};
    assert_int_equal(
        parse("time [s],tip_x [m],\"a,\"\"b\"\" [N*m]\",plain\n0,1,2,3\r\n1,-4e-3,nan,-inf\n", &table, &error), CDG_OK);
    assert_int_equal(table.column_count, 4);
    assert_int_equal(table.row_count, 2);
    static const char *const names[] = {"time", "tip_x", "a,\"b\"", "plain"}, *const units[] = {"s", "m", "N*m", "1"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(table.columns[i].name, names[i]);
        assert_string_equal(table.columns[i].unit, units[i]);
    }
    assert_true(table.columns[1].values[1] == -4e-3);
    assert_true(isnan(table.columns[2].values[1]) && table.columns[3].values[1] == -INFINITY);
    cdg_probe_table_free(&table);
    cdg_probe_table_free(&table);
}

static void test_round_trip(void **state) {
    (void)state;
    enum { ROWS = 50, COLUMNS = 5 };
    double values[ROWS][COLUMNS];
    char *text = malloc((size_t)ROWS * COLUMNS * CDG_NUMBER_SIZE + 100);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "time [s],a [m],b [N],c [1],d [rad/m]\n");
    cdg_random random = {9};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            values[i][j] = random_in(&random, -1, 1) * pow(10, random_in(&random, -200, 200));
            length += cdg_number_exact(values[i][j], text + length);
            text[length++] = j + 1 < COLUMNS ? ',' : '\n';
        }
    }
    text[length] = '\0';
    for (size_t cut = 0; cut < 2; cut++) { // the last line without its end is not counted
        cdg_probe_table table;
        cdg_error error = {0};
        char saved = text[length - cut * 3];
        text[length - cut * 3] = '\0';
        assert_int_equal(parse(text, &table, &error), CDG_OK);
        text[length - cut * 3] = saved;
        assert_int_equal(table.row_count, ROWS - cut);
        for (size_t i = 0; i < table.row_count; i++)
            for (size_t j = 0; j < COLUMNS; j++) assert_true(table.columns[j].values[i] == values[i][j]);
        cdg_probe_table_free(&table);
    }
    free(text);
}

static void expect_refused(const char *text, const char *part) {
    cdg_probe_table table;
    cdg_error error = {0};
    assert_int_equal(parse(text, &table, &error), CDG_ERROR_FORMAT);
    assert_int_equal(table.column_count, 0);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' lacks '%s'", error.message, part);
}

static void test_damage(void **state) {
    (void)state;
    expect_refused("", "no heading");
    expect_refused("time [s],a [m]", "no heading");
    expect_refused("a [m],b [m]\n1,2\n", "not the time");
    expect_refused("time [s],a [m]\n0,1\n1\n", "probes.csv:3: expected 2 numbers");
    expect_refused("time [s],a [m]\n0,1,2\n", "probes.csv:2: expected 2 numbers");
    expect_refused("time [s],a [m]\n0,oops\n", "probes.csv:2: 'oops' is not a number");
    expect_refused("time [s],a [m]\n0,\n", "is not a number");
    cdg_probe_table table;
    cdg_error error = {0};
    char binary[] = "time\0\n";
    assert_int_equal(cdg_probe_table_parse(binary, sizeof binary - 1, "p", &table, &error), CDG_ERROR_FORMAT);
    assert_int_equal(cdg_probe_table_read("/no/such/file.csv", &table, &error), CDG_ERROR_IO);
}

// Random bytes never crash it.
static void test_noise(void **state) {
    (void)state;
    cdg_random random = {21};
    for (int round = 0; round < 3000; round++) {
        char text[80] = "time [s],a [m]\n";
        static const char letters[] = "0123456789,,,..\n\n\"[]e+-nainf \r";
        for (size_t i = round % 2 ? 15 : 4; i < 79; i++) text[i] = letters[random_bits(&random) % (sizeof letters - 1)];
        cdg_probe_table table;
        cdg_error error = {0};
        if (parse(text, &table, &error) == CDG_OK) cdg_probe_table_free(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headings), cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_damage), cmocka_unit_test(test_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
