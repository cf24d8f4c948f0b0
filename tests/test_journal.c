// The journal: whatever moment it is cut at, whole lines count and the rest is gone.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "sweep/journal.h"

static void append(cdg_journal *journal, size_t index) {
    double value = 0.1 * (double)index;
    cdg_outcome outcome = {.index = index, .values = &value};
    size_t size;
    char *line = cdg_outcome_write(&outcome, 1, &size);
    assert_int_equal(cdg_journal_append(journal, line, size, NULL), CDG_OK);
    free(line);
}

static size_t known(const cdg_journal_def *def, size_t *damaged, bool should_append) {
    cdg_outcome outcomes[4] = {0};
    cdg_journal *journal = NULL;
    cdg_error error = {0};
    if (cdg_journal_open(def, outcomes, damaged, &journal, &error) != CDG_OK) fail_msg("%s", error.message);
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        count += outcomes[i].is_known;
        if (outcomes[i].is_known) assert_true(outcomes[i].index == i && outcomes[i].values[0] == 0.1 * (double)i);
        cdg_outcome_free(&outcomes[i]);
    }
    if (should_append) append(journal, 3);
    assert_int_equal(cdg_journal_close(journal, NULL), CDG_OK);
    return count;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_true(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

static void test_cut_anywhere(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 16];
    run_directory_make(base);
    snprintf(path, sizeof path, "%s/journal.txt", base);
    cdg_journal_def def = {.path = path, .fingerprint = 77, .case_count = 4, .column_count = 1};
    cdg_journal *journal = NULL;
    assert_int_equal(cdg_journal_create(&def, &journal, NULL), CDG_OK);
    for (size_t i = 0; i < 3; i++) append(journal, i);
    cdg_journal_close(journal, NULL);
    size_t size = 0, damaged, ends[4] = {0}, lines = 0;
    char *text = run_read_text(base, "journal.txt", &size);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') ends[lines++] = i + 1;
    assert_int_equal(lines, 4);
    for (size_t cut = ends[0]; cut <= size; cut++) {
        write_bytes(path, text, cut);
        size_t whole = 0;
        while (whole < 3 && ends[whole + 1] <= cut) whole++;
        assert_int_equal(known(&def, &damaged, true), whole);
        assert_int_equal(damaged, 0);
        assert_int_equal(known(&def, &damaged, false), whole + 1); // what came after the cut is readable
    }
    text[ends[1] + 3] ^= 4; // a byte of the second case is lost: only that case is
    write_bytes(path, text, size);
    assert_int_equal(known(&def, &damaged, false), 2);
    assert_int_equal(damaged, 1);
    free(text);
    run_directory_remove(base);
}

static void test_other_sweep(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 16];
    run_directory_make(base);
    snprintf(path, sizeof path, "%s/journal.txt", base);
    cdg_journal_def def = {.path = path, .fingerprint = 77, .case_count = 4, .column_count = 1};
    cdg_journal *journal = NULL;
    cdg_outcome outcomes[4] = {0};
    size_t damaged;
    cdg_error error = {0};
    assert_int_equal(cdg_journal_create(&def, &journal, NULL), CDG_OK);
    cdg_journal_close(journal, NULL);
    def.fingerprint = 78;
    assert_int_equal(cdg_journal_open(&def, outcomes, &damaged, &journal, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "another sweep"));
    write_bytes(path, "something else altogether, and long enough\n", 43);
    assert_int_equal(cdg_journal_open(&def, outcomes, &damaged, &journal, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "not the journal"));
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cut_anywhere), cmocka_unit_test(test_other_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
