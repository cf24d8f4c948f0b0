// The progress line: never wider than allowed, important parts first, the bar in proportion.
#include "progress.h"

#include "format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const parts[] = {"1.680/4 s", "ETA 3 s", "12,300 steps/s", "0.84x real time"};

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) found++;
    return found;
}

static void test_width_is_kept(void **state) {
    (void)state;
    for (size_t width = 0; width < 200; width++) {
        for (int is_utf8 = 0; is_utf8 < 2; is_utf8++) {
            for (double fraction = 0; fraction <= 1; fraction += 0.0317) {
                char line[512];
                size_t columns = progress_line(line, sizeof line, fraction, parts, 4, width, is_utf8);
                assert_true(columns <= width);
                assert_int_equal(columns, text_columns(line));
            }
        }
    }
}

static void test_important_parts_first(void **state) {
    (void)state;
    size_t shown_before = 0;
    for (size_t width = 0; width < 200; width++) {
        char line[512];
        size_t shown = 0;
        progress_line(line, sizeof line, 0.5, parts, 4, width, false);
        while (shown < 4 && strstr(line, parts[shown])) shown++;
        for (size_t i = shown; i < 4; i++) assert_null(strstr(line, parts[i]));
        assert_true(shown >= shown_before);
        shown_before = shown;
    }
    assert_int_equal(shown_before, 4);
}

static void test_bar_is_in_proportion(void **state) {
    (void)state;
    char line[512];
    progress_line(line, sizeof line, 0.25, NULL, 0, 100, false); // 40 cells
    assert_int_equal(count(line, "#"), 10);
    assert_int_equal(count(line, "."), 30);
    assert_non_null(strstr(line, " 25 %"));
    progress_line(line, sizeof line, 0.25 + 0.5 / 40, NULL, 0, 100, true);
    assert_int_equal(count(line, "█"), 10);
    assert_int_equal(count(line, "▌"), 1);
    assert_int_equal(count(line, "░"), 29);
    progress_line(line, sizeof line, 1, NULL, 0, 100, true);
    assert_int_equal(count(line, "█"), 40);
    // 100 % only at the end
    progress_line(line, sizeof line, 0.9999, NULL, 0, 100, true);
    assert_non_null(strstr(line, " 99 %"));
}

static void test_odd_fractions_and_sizes(void **state) {
    (void)state;
    char line[512];
    progress_line(line, sizeof line, (double)NAN, NULL, 0, 80, true);
    assert_non_null(strstr(line, "  0 %"));
    progress_line(line, sizeof line, 7, NULL, 0, 80, true);
    assert_non_null(strstr(line, "100 %"));
    for (size_t size = 0; size < 64; size++) { // a short buffer is filled, terminated and never overrun
        char small[65];
        memset(small, 'x', sizeof small);
        progress_line(small, size, 0.5, parts, 4, 80, true);
        if (size > 0) assert_true(strlen(small) < size);
        assert_int_equal(small[size], 'x');
    }
}

// Into a file: nothing in the first seconds, then lines at growing intervals, without bar and carriage returns.
static void test_lines_without_a_terminal(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    progress_bar bar = progress_begin(file, true);
    assert_false(progress_is_due(&bar, 0));
    assert_false(progress_is_due(&bar, 4.9));
    int drawn = 0;
    for (double elapsed = 0; elapsed < 3600; elapsed += 0.5) {
        if (!progress_is_due(&bar, elapsed)) continue;
        progress_draw(&bar, elapsed, elapsed / 3600, parts, 4);
        drawn++;
    }
    progress_clear(&bar);
    assert_in_range(drawn, 60, 75); // some more often at first, then one a minute
    char text[8192] = "";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_null(strchr(text, '\r'));
    assert_int_equal(count(text, "\n"), drawn);
    static const char first[] = "  0 %  1.680/4 s  ETA 3 s  12,300 steps/s  0.84x real time\n";
    assert_memory_equal(text, first, sizeof first - 1);
    fclose(file);
    file = tmpfile();
    bar = progress_begin(file, false);
    assert_false(progress_is_due(&bar, 100));
    progress_draw(&bar, 100, 0.5, parts, 4);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

static void test_at_most_ten_times_a_second(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    progress_bar bar = progress_begin(file, true);
    bar.terminal.is_terminal = true; // as if it were one
    bar.next = 0;
    int drawn = 0;
    for (int i = 0; i < 1000; i++) {
        double elapsed = 0.001 * i;
        if (!progress_is_due(&bar, elapsed)) continue;
        progress_draw(&bar, elapsed, elapsed, parts, 4);
        drawn++;
    }
    assert_true(drawn >= 9 && drawn <= 10);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width_is_kept),
        cmocka_unit_test(test_important_parts_first),
        cmocka_unit_test(test_bar_is_in_proportion),
        cmocka_unit_test(test_odd_fractions_and_sizes),
        cmocka_unit_test(test_lines_without_a_terminal),
        cmocka_unit_test(test_at_most_ten_times_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
