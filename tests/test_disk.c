// Files and directories: whole writes, clear reasons, replacing without a moment of half a file.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "output/disk.h"
#include "run_scene.h"

static void test_join(void **state) {
    (void)state;
    char *path = cdg_disk_join("a/b", "c", "");
    assert_string_equal(path, "a/b/c");
    free(path);
    path = cdg_disk_join("a/", "c", ".new");
    assert_string_equal(path, "a/c.new");
    free(path);
    path = cdg_disk_join("/", "c", "");
    assert_string_equal(path, "/c");
    free(path);
}

static void test_make_directory(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_error error;
    assert_int_equal(cdg_disk_make_directory(run_path(base, "a//b/c/"), &error), CDG_OK);
    assert_int_equal(cdg_disk_make_directory(run_path(base, "a/b/c"), &error), CDG_OK); // again
    assert_true(run_path_exists(base, "a/b/c"));
    run_write_text(base, "file", "x", 1);
    assert_int_equal(cdg_disk_make_directory(run_path(base, "file"), &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "is a file"));
    assert_int_equal(cdg_disk_make_directory(run_path(base, "file/below"), &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "file/below"));
    assert_int_equal(cdg_disk_make_directory("", &error), CDG_ERROR_IO);
    assert_int_equal(cdg_disk_make_directory("/proc/no/such", &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "/proc/no/such"));
    run_directory_remove(base);
}

// Room that is asked for changes nothing that can be seen; what cannot be had is no failure.
static void test_reserve(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], text[8] = "";
    run_directory_make(base);
    run_write_text(base, "file", "abcdefg", 7);
    int descriptor = open(run_path(base, "file"), O_RDWR);
    cdg_disk_reserve(descriptor, 3, 1 << 20);
    cdg_disk_reserve(descriptor, 0, UINT64_MAX);
    cdg_disk_reserve(-1, 0, 1);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), 7);
    assert_int_equal(cdg_disk_read_at(descriptor, "file", text, 7, 0, NULL), CDG_OK);
    assert_string_equal(text, "abcdefg");
    close(descriptor);
    run_directory_remove(base);
}

static void test_singles(void **state) {
    (void)state;
    enum { MOST = 40 };
    char base[RUN_PATH_SIZE];
    float singles[MOST];
    double found[MOST + 1];
    cdg_error error;
    run_directory_make(base);
    for (int i = 0; i < MOST; i++) singles[i] = 0.1f * (float)i - 1;
    run_write_text(base, "file", (const char *)singles, sizeof singles);
    int descriptor = open(run_path(base, "file"), O_RDONLY);
    for (size_t count = 0; count < MOST; count++) {
        found[count] = -7;
        assert_int_equal(cdg_disk_read_singles_at(descriptor, "file", found, count, sizeof(float), &error), CDG_OK);
        for (size_t i = 0; i < count; i++) assert_true(found[i] == (double)singles[i + 1]);
        assert_true(found[count] == -7);
    }
    assert_int_equal(cdg_disk_read_singles_at(descriptor, "file", found, MOST, 4, &error), CDG_ERROR_FORMAT);
    close(descriptor);
    run_directory_remove(base);
}

static void test_lock(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    int first = -1, second = -1;
    cdg_error error;
    assert_int_equal(cdg_disk_lock_directory(base, &first, &error), CDG_OK);
    assert_int_equal(cdg_disk_lock_directory(base, &second, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "another run"));
    assert_int_equal(second, -1);
    close(first);
    assert_int_equal(cdg_disk_lock_directory(base, &second, &error), CDG_OK);
    close(second);
    // a process that dies lets go
    pid_t child = fork();
    if (child == 0) {
        int descriptor;
        _exit(cdg_disk_lock_directory(base, &descriptor, NULL) == CDG_OK ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(cdg_disk_lock_directory(base, &second, &error), CDG_OK);
    close(second);
    assert_int_equal(cdg_disk_lock_directory(run_path(base, "absent"), &second, &error), CDG_ERROR_IO);
    run_directory_remove(base);
}

static void test_read_and_write(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], text[10] = {0};
    run_directory_make(base);
    cdg_error error;
    int descriptor = open(run_path(base, "file"), O_RDWR | O_CREAT, 0666);
    assert_true(descriptor >= 0);
    assert_int_equal(cdg_disk_write_at(descriptor, "file", "hello", 5, 3, &error), CDG_OK);
    assert_int_equal(cdg_disk_read_at(descriptor, "file", text, 8, 0, &error), CDG_OK);
    assert_memory_equal(text, "\0\0\0hello", 8);
    assert_int_equal(cdg_disk_read_at(descriptor, "file", text, 9, 0, &error), CDG_ERROR_FORMAT);
    assert_int_equal(cdg_disk_sync(descriptor, "file", &error), CDG_OK);
    close(descriptor);
    assert_int_equal(cdg_disk_write_at(descriptor, "file", "hello", 5, 3, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "file: "));
    int full = open("/dev/full", O_WRONLY);
    if (full >= 0) {
        assert_int_equal(cdg_disk_write_at(full, "out", "hello", 5, 0, &error), CDG_ERROR_IO);
        assert_string_equal(error.message, "out: cannot write: No space left on device");
        close(full);
    }
    run_directory_remove(base);
}

static void test_write_file(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    cdg_error error;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(cdg_disk_write_file(run_path(base, "a"), "one", 3, true, &error), CDG_OK);
    assert_int_equal(cdg_disk_write_file(run_path(base, "a"), "two!", 4, true, &error), CDG_OK);
    assert_false(run_path_exists(base, "a.new"));
    assert_int_equal(cdg_disk_read_file(run_path(base, "a"), 100, &text, &size, &error), CDG_OK);
    assert_int_equal(size, 4);
    assert_string_equal(text, "two!");
    free(text);
    assert_int_equal(cdg_disk_read_file(run_path(base, "a"), 3, &text, &size, &error), CDG_ERROR_FORMAT);
    assert_null(text);
    assert_int_equal(cdg_disk_read_file(base, 100, &text, &size, &error), CDG_ERROR_IO);
    assert_int_equal(cdg_disk_read_file(run_path(base, "b"), 100, &text, &size, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(cdg_disk_write_file(run_path(base, "no/b"), "x", 1, true, &error), CDG_ERROR_IO);
    // a directory stands in the way: nothing is left behind
    assert_int_equal(mkdir(run_path(base, "c"), 0777), 0);
    assert_int_equal(cdg_disk_write_file(run_path(base, "c"), "x", 1, true, &error), CDG_ERROR_IO);
    assert_false(run_path_exists(base, "c.new"));
    run_directory_remove(base);
}

static void test_clock(void **state) {
    (void)state;
    double before = cdg_disk_clock();
    assert_true(cdg_disk_clock() >= before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),       cmocka_unit_test(test_make_directory), cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_singles),    cmocka_unit_test(test_lock),           cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_write_file), cmocka_unit_test(test_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
