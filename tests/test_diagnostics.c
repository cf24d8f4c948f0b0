// Diagnostics: order, limit, format, quoting.
#include "scene_text.h"

#include "math/random.h"

static void test_file_order_and_overrides_first(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(0);
    scene_diagnostics d = {.storage = storage};
    cdg_diagnostics_add(&d, CDG_FAULT, (scene_mark){.line = 5, .column = 2}, "c");
    cdg_diagnostics_add(&d, CDG_WARNING, (scene_mark){.line = 5, .column = 1}, "b %d", 7);
    cdg_diagnostics_add(&d, CDG_FAULT, (scene_mark){.override = "x.y"}, "a");
    cdg_diagnostics_add(&d, CDG_FAULT, (scene_mark){.line = 5, .column = 2}, "d");
    cdg_diagnostics_finish(&d);
    static const char *const expected[] = {"--set x.y: error: a", "f:5:1: warning: b 7", "f:5:2: error: c",
                                           "f:5:2: error: d"};
    assert_int_equal(d.count, 4);
    assert_int_equal(d.fault_count, 3);
    for (size_t i = 0; i < 4; i++) {
        char line[80];
        assert_int_equal(cdg_diagnostic_format(&d.items[i], "f", line, sizeof line), strlen(expected[i]));
        assert_string_equal(line, expected[i]);
        for (size_t size = 1; size < 15; size++) { // cut short at any size
            assert_int_equal(cdg_diagnostic_format(&d.items[i], "f", line, size), strlen(expected[i]));
            assert_int_equal(strlen(line), size - 1);
            assert_memory_equal(line, expected[i], size - 1);
        }
        assert_int_equal(cdg_diagnostic_format(&d.items[i], "f", NULL, 0), strlen(expected[i]));
    }
    cdg_storage_destroy(storage);
}

static void test_random_order_is_sorted(void **state) {
    (void)state;
    cdg_random random = {3};
    scene_storage *storage = cdg_storage_create(0);
    scene_diagnostics d = {.storage = storage};
    for (int i = 0; i < 150; i++) {
        scene_mark mark = {.line = (int)random_in(&random, 1, 20), .column = (int)random_in(&random, 1, 9)};
        cdg_diagnostics_add(&d, CDG_FAULT, mark, "%d", i);
    }
    cdg_diagnostics_finish(&d);
    for (size_t i = 1; i < d.count; i++) {
        scene_mark a = d.items[i - 1].mark, b = d.items[i].mark;
        assert_true(a.line < b.line || (a.line == b.line && a.column <= b.column));
        if (a.line == b.line && a.column == b.column) assert_true(atoi(d.items[i - 1].text) < atoi(d.items[i].text));
    }
    cdg_storage_destroy(storage);
}

static void test_more_than_the_limit_are_counted(void **state) {
    (void)state;
    scene_storage *storage = cdg_storage_create(0);
    scene_diagnostics d = {.storage = storage};
    for (int i = 0; i < CDG_DIAGNOSTICS_MAX + 17; i++) {
        assert_int_equal(cdg_diagnostics_are_full(&d), i >= CDG_DIAGNOSTICS_MAX);
        cdg_diagnostics_add(&d, CDG_FAULT, (scene_mark){.line = 1 + i, .column = 1}, "x");
    }
    cdg_diagnostics_finish(&d);
    assert_int_equal(d.fault_count, CDG_DIAGNOSTICS_MAX + 17);
    assert_int_equal(d.count, CDG_DIAGNOSTICS_MAX + 1);
    assert_string_equal(d.items[d.count - 1].text, "and 17 more like these; mend the first ones and check again");
    cdg_storage_destroy(storage);
}

static void test_quotes_are_short_clean_and_whole_characters(void **state) {
    (void)state;
    char out[CDG_QUOTE_SIZE];
    assert_string_equal(cdg_quote(out, "2 mm", 4), "'2 mm'");
    assert_string_equal(cdg_quote(out, "", 0), "''");
    assert_string_equal(cdg_quote(out, "a\nb\x1b[0m", 7), "'a b [0m'");
    char text[400];
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 <= sizeof text; i += 3) memcpy(text + i, "\xE2\x82\xAC", 3); // euro signs
        cdg_quote(out, text, sizeof text - 3);
        size_t length = strlen(out);
        assert_true(length < CDG_QUOTE_SIZE);
        assert_string_equal(out + length - 4, "...'");
        assert_int_equal((length - 5 - shift) % 3, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_order_and_overrides_first),
        cmocka_unit_test(test_random_order_is_sorted),
        cmocka_unit_test(test_more_than_the_limit_are_counted),
        cmocka_unit_test(test_quotes_are_short_clean_and_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
