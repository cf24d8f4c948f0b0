// Folders that are there whole or not at all; foreign files in them are never lost.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/whole_folder.h"
#include "run_scene.h"

static int set_up(void **state) {
    static char base[RUN_PATH_SIZE];
    run_directory_make(base);
    *state = base;
    return 0;
}

static int tear_down(void **state) {
    run_directory_remove(*state);
    return 0;
}

static size_t entry_count(const char *path) {
    DIR *directory = opendir(path);
    assert_non_null(directory);
    size_t count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) count++;
    closedir(directory);
    return count - 2;
}

static cdg_whole_folder begin(const char *path) {
    cdg_whole_folder folder;
    cdg_error error;
    if (cdg_whole_folder_begin(path, ".vtp", &folder, &error) != CDG_OK) fail_msg("%s", error.message);
    return folder;
}

static void end(cdg_whole_folder *folder) {
    cdg_error error;
    if (cdg_whole_folder_end(folder, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_new_and_replaced(void **state) {
    const char *base = *state, *path = run_path(base, "series");
    cdg_whole_folder folder = begin(path);
    run_write_text(folder.temporary_path, "a.vtp", "a", 1);
    run_write_text(folder.temporary_path, "b.vtp", "b", 1);
    assert_false(run_path_exists(base, "series"));
    end(&folder);
    cdg_whole_folder_abandon(&folder); // fine after end
    assert_true(run_path_exists(base, "series/a.vtp"));
    assert_int_equal(entry_count(base), 1);

    folder = begin(run_path(base, "series"));
    run_write_text(folder.temporary_path, "c.vtp", "c", 1);
    assert_true(run_path_exists(base, "series/a.vtp")); // the old one until the end
    end(&folder);
    assert_true(run_path_exists(base, "series/c.vtp"));
    assert_int_equal(entry_count(run_path(base, "series")), 1);
    assert_int_equal(entry_count(base), 1);
}

static void test_abandoned(void **state) {
    const char *base = *state;
    cdg_whole_folder folder = begin(run_path(base, "series"));
    run_write_text(folder.temporary_path, "a.vtp", "a", 1);
    cdg_whole_folder_abandon(&folder);
    assert_int_equal(entry_count(base), 0);
    cdg_whole_folder_abandon(&folder);

    cdg_whole_folder one = begin(run_path(base, "series")), two = begin(run_path(base, "series"));
    assert_string_not_equal(one.temporary_path, two.temporary_path);
    run_write_text(one.temporary_path, "a.vtp", "one", 3);
    cdg_whole_folder_abandon(&two);
    end(&one);
    assert_int_equal(entry_count(base), 1);
}

static void expect_refusal(const char *path, const char *word) {
    cdg_whole_folder folder;
    cdg_error error;
    assert_int_equal(cdg_whole_folder_begin(path, ".vtp", &folder, &error), CDG_ERROR_IO);
    if (strstr(error.message, word) == NULL) fail_msg("'%s' is not in: %s", word, error.message);
    cdg_whole_folder_abandon(&folder);
}

static void test_refused(void **state) {
    const char *base = *state;
    mkdir(run_path(base, "series"), 0777);
    run_write_text(base, "series/notes.txt", "precious", 8);
    run_write_text(base, "series/a.vtp", "a", 1);
    expect_refusal(run_path(base, "series"), "notes.txt");
    assert_true(run_path_exists(base, "series/notes.txt"));
    assert_int_equal(entry_count(run_path(base, "series")), 2);

    mkdir(run_path(base, "nest"), 0777);
    mkdir(run_path(base, "nest/x.vtp"), 0777); // a folder with the right name
    expect_refusal(run_path(base, "nest"), "x.vtp");
    run_write_text(base, "file", "", 0);
    expect_refusal(run_path(base, "file"), "something else");
    expect_refusal(run_path(base, "absent/series"), "does not exist");
    expect_refusal(run_path(base, "file/series"), "cannot write");
    assert_int_equal(entry_count(base), 3);
}

static void test_filled_meanwhile(void **state) {
    const char *base = *state;
    cdg_error error;
    cdg_whole_folder folder = begin(run_path(base, "series"));
    run_write_text(folder.temporary_path, "a.vtp", "a", 1);
    mkdir(run_path(base, "series"), 0777);
    run_write_text(base, "series/notes.txt", "precious", 8);
    assert_int_equal(cdg_whole_folder_end(&folder, &error), CDG_ERROR_IO);
    assert_true(run_path_exists(base, "series/notes.txt"));
    assert_int_equal(entry_count(base), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_new_and_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandoned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_filled_meanwhile, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
