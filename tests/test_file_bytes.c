// Whole files: bytes as they are, limits, and everything that is no regular file.
#define _DEFAULT_SOURCE // mkdtemp, mkfifo
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file_bytes.h"
#include "run_scene.h"

static char directory[RUN_PATH_SIZE];

static void bytes_are_read(void **state) {
    (void)state;
    static const char text[] = "a\0b\n\xff";
    run_write_text(directory, "some", text, sizeof text - 1);
    cdg_file_bytes bytes;
    cdg_error error = {0};
    assert_int_equal(cdg_file_bytes_read(run_path(directory, "some"), 5, &bytes, &error), CDG_OK);
    assert_int_equal(bytes.size, 5);
    assert_memory_equal(bytes.data, text, sizeof text); // with the zero behind
    cdg_file_bytes_free(&bytes);
    assert_null(bytes.data);
    assert_int_equal(cdg_file_bytes_read(run_path(directory, "some"), 4, &bytes, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "at most"));
    assert_null(bytes.data);
    run_write_text(directory, "nothing", "", 0);
    assert_int_equal(cdg_file_bytes_read(run_path(directory, "nothing"), 0, &bytes, &error), CDG_OK);
    assert_int_equal(bytes.size, 0);
    assert_string_equal(bytes.data, "");
    cdg_file_bytes_free(&bytes);
}

// None of these may make the reader wait.
static void only_files_are_read(void **state) {
    (void)state;
    char pipe_path[RUN_PATH_SIZE];
    snprintf(pipe_path, sizeof pipe_path, "%s", run_path(directory, "pipe"));
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const struct {
        const char *path, *part;
    } cases[] = {{pipe_path, "pipe or a device"},
                 {"/dev/zero", "pipe or a device"},
                 {directory, "this is a directory"},
                 {"no_such_file", "cannot open: No such file"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_file_bytes bytes;
        cdg_error error = {0};
        assert_int_equal(cdg_file_bytes_read(cases[i].path, 1000, &bytes, &error), CDG_ERROR_IO);
        assert_non_null(strstr(error.message, cases[i].part));
        assert_non_null(strstr(error.message, cases[i].path));
        assert_null(bytes.data);
    }
    unlink(pipe_path);
}

// A file of holes takes no room on the disk, and its size is told before memory is spent.
static void large_files_are_refused(void **state) {
    (void)state;
    run_write_text(directory, "large", "", 0);
    if (truncate(run_path(directory, "large"), (off_t)1 << 42) != 0) skip();
    cdg_file_bytes bytes;
    cdg_error error = {0};
    assert_int_equal(cdg_file_bytes_read(run_path(directory, "large"), 1 << 30, &bytes, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "4.398e+06 MB"));
    unlink(run_path(directory, "large"));
}

static void extensions_are_told(void **state) {
    (void)state;
    assert_true(cdg_path_ends_with("a/b.STL", ".stl"));
    assert_false(cdg_path_ends_with("a/b.stlx", ".stl"));
    assert_false(cdg_path_ends_with("tl", ".stl"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_read), cmocka_unit_test(only_files_are_read),
                                       cmocka_unit_test(large_files_are_refused),
                                       cmocka_unit_test(extensions_are_told)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
