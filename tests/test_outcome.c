// Outcomes as lines: the same bits come back, and any change of a byte is noticed.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_round_trip(void **state) {
    (void)state;
    double values[] = {0.1, -1e-300, 12345678901234567.0, INFINITY};
    cdg_outcome in = {.index = 41,
                      .is_doubtful = true,
                      .seconds = 0.25,
                      .solve = 0.125,
                      .values = values,
                      .sentence = "two\tparts\nhere"};
    cdg_outcome out;
    size_t size;
    char *line = cdg_outcome_write(&in, 4, &size);
    assert_true(line[size - 1] == '\n');
    assert_int_equal(cdg_outcome_read(line, size - 1, 4, &out), CDG_OUTCOME_READ);
    assert_true(out.index == 41 && out.is_known && out.is_doubtful && !out.has_failed && out.seconds == 0.25 &&
                out.solve == 0.125);
    assert_memory_equal(out.values, values, sizeof values);
    assert_string_equal(out.sentence, "two parts here");
    cdg_outcome_free(&out);
    assert_int_equal(cdg_outcome_read(line, size - 1, 3, &out), CDG_OUTCOME_DAMAGED); // other columns
    free(line);
}

static void test_failed(void **state) {
    (void)state;
    cdg_outcome in = {.index = 7, .has_failed = true, .sentence = "why"}, out;
    size_t size;
    char *line = cdg_outcome_write(&in, 2, &size);
    assert_int_equal(cdg_outcome_read(line, size - 1, 2, &out), CDG_OUTCOME_READ);
    assert_true(out.has_failed && isnan(out.values[0]) && isnan(out.values[1]));
    assert_string_equal(out.sentence, "why");
    cdg_outcome_free(&out);
    free(line);
}

static void test_damage(void **state) {
    (void)state;
    double values[] = {1.5};
    cdg_outcome in = {.index = 3, .values = values}, out;
    size_t size;
    char *line = cdg_outcome_write(&in, 1, &size);
    for (size_t i = 0; i + 1 < size; i++) {
        line[i] ^= 1;
        assert_int_equal(cdg_outcome_read(line, size - 1, 1, &out), CDG_OUTCOME_DAMAGED);
        line[i] ^= 1;
        assert_int_equal(cdg_outcome_read(line, i, 1, &out), CDG_OUTCOME_DAMAGED); // cut short
    }
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_failed),
                                       cmocka_unit_test(test_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
