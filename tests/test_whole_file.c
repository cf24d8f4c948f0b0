// Files that are there whole or not at all: nothing else is left behind, whatever fails.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "math/random.h"
#include "output/whole_file.h"
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
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(directory);
    return count;
}

static void must_write(const char *path, const void *bytes, size_t size) {
    cdg_error error;
    if (cdg_whole_file_write(path, bytes, size, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void expect_text(const char *base, const char *name, const char *text) {
    size_t size;
    char *got = run_read_text(base, name, &size);
    assert_int_equal(size, strlen(text));
    assert_string_equal(got, text);
    free(got);
}

static void test_round_trip(void **state) {
    const char *base = *state;
    cdg_random random = {1};
    static char bytes[100000];
    for (int i = 0; i < 20; i++) {
        size_t size = i == 0 ? 0 : random_bits(&random) % sizeof bytes, got_size;
        for (size_t k = 0; k < size; k++) bytes[k] = (char)random_bits(&random);
        must_write(run_path(base, "data.bin"), bytes, size);
        char *got = run_read_text(base, "data.bin", &got_size);
        assert_int_equal(got_size, size);
        assert_memory_equal(got, bytes, size);
        free(got);
        assert_int_equal(entry_count(base), 1);
    }
}

static void test_old_file_stays_until_the_end(void **state) {
    const char *base = *state;
    cdg_error error;
    cdg_whole_file file, other;
    must_write(run_path(base, "a.txt"), "old", 3);
    assert_int_equal(cdg_whole_file_begin(run_path(base, "a.txt"), &file, &error), CDG_OK);
    assert_int_equal(cdg_whole_file_begin(run_path(base, "a.txt"), &other, &error),
                     CDG_OK); // do not disturb each other
    fputs("new", file.stream);
    fflush(file.stream);
    fputs("other", other.stream);
    expect_text(base, "a.txt", "old");
    cdg_whole_file_abandon(&other);
    cdg_whole_file_abandon(&other); // again is harmless
    expect_text(base, "a.txt", "old");
    assert_int_equal(cdg_whole_file_end(&file, &error), CDG_OK);
    expect_text(base, "a.txt", "new");
    assert_int_equal(entry_count(base), 1);
    cdg_whole_file_abandon(&file);
    expect_text(base, "a.txt", "new");
}

static void test_named(void **state) {
    const char *base = *state;
    static const struct {
        const char *name, *extension;
    } cases[] = {{"film.mp4", ".mp4"}, {"a.b.webm", ".webm"}, {"plain", ""}, {".hidden", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cdg_error error;
        cdg_whole_file file;
        assert_int_equal(cdg_whole_file_begin_named(run_path(base, cases[i].name), &file, &error), CDG_OK);
        assert_null(file.stream);
        size_t length = strlen(file.temporary_path), extension = strlen(cases[i].extension);
        assert_string_equal(file.temporary_path + length - extension, cases[i].extension);
        assert_int_equal(strncmp(file.temporary_path, base, strlen(base)), 0);
        FILE *stream = fopen(file.temporary_path, "wb");
        assert_non_null(stream);
        fputs("frames", stream);
        fclose(stream);
        assert_false(run_path_exists(base, cases[i].name));
        assert_int_equal(cdg_whole_file_end(&file, &error), CDG_OK);
        expect_text(base, cases[i].name, "frames");
        assert_int_equal(entry_count(base), i + 1);
    }
}

static void test_long_names(void **state) {
    const char *base = *state;
    char name[256];
    memset(name, 'x', 255);
    name[255] = '\0';
    must_write(run_path(base, name), "a", 1);
    memcpy(name + 251, ".obj", 4);
    must_write(run_path(base, name), "a", 1);
    assert_int_equal(entry_count(base), 2);
}

static void expect_failure(const char *path, const char *part) {
    cdg_error error = {0};
    cdg_whole_file file;
    assert_int_equal(cdg_whole_file_begin(path, &file, &error), CDG_ERROR_IO);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is missing in: %s", part, error.message);
    assert_null(file.stream);
    assert_null(file.path);
    cdg_whole_file_abandon(&file);
    assert_int_equal(cdg_whole_file_begin_named(path, &file, &error), CDG_ERROR_IO);
    assert_int_equal(cdg_whole_file_write(path, "a", 1, &error), CDG_ERROR_IO);
}

static void test_bad_places(void **state) {
    const char *base = *state;
    must_write(run_path(base, "file"), "a", 1);
    expect_failure("", "empty name");
    expect_failure(base, "is a directory");
    expect_failure(run_path(base, "new/"), "is a directory");
    expect_failure(run_path(base, "absent/a.txt"), "directory does not exist");
    expect_failure(run_path(base, "file/a.txt"), "directory does not exist");
    assert_int_equal(entry_count(base), 1);
}

static void test_links_and_devices(void **state) {
    const char *base = *state;
    struct stat status;
    must_write(run_path(base, "target"), "a", 1);
    assert_int_equal(symlink("target", run_path(base, "link")), 0);
    must_write(run_path(base, "link"), "through", 7);
    expect_text(base, "target", "through");
    assert_int_equal(lstat(run_path(base, "link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));

    must_write("/dev/null", "a", 1);
    cdg_whole_file file;
    assert_int_equal(cdg_whole_file_begin_named("/dev/null", &file, NULL), CDG_OK);
    assert_string_equal(file.temporary_path, "/dev/null");
    cdg_whole_file_abandon(&file);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));

    assert_int_equal(mkfifo(run_path(base, "pipe"), 0600), 0);
    int reader = open(run_path(base, "pipe"), O_RDONLY | O_NONBLOCK);
    must_write(run_path(base, "pipe"), "flow", 4);
    char got[8] = {0};
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_string_equal(got, "flow");
    close(reader);
    assert_int_equal(entry_count(base), 3);
}

// A limit on the size of files stands in for a full disk.
static void test_full_disk(void **state) {
    const char *base = *state;
    must_write(run_path(base, "a.bin"), "old", 3);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 10000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    static const char zeros[100000];
    cdg_error error = {0};
    cdg_result at_once = cdg_whole_file_write(run_path(base, "a.bin"), zeros, sizeof zeros, &error);
    cdg_result at_end = cdg_whole_file_write(run_path(base, "a.bin"), zeros, 10001, &error);
    cdg_whole_file file;
    cdg_result begun = cdg_whole_file_begin(run_path(base, "a.bin"), &file, &error);
    for (int i = 0; i < 10 && begun == CDG_OK; i++) fwrite(zeros, 1, 5000, file.stream); // fails long before the end
    cdg_result in_pieces = cdg_whole_file_end(&file, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(begun, CDG_OK);
    assert_int_equal(at_once, CDG_ERROR_IO);
    assert_int_equal(at_end, CDG_ERROR_IO);
    assert_int_equal(in_pieces, CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "cannot write"));
    expect_text(base, "a.bin", "old");
    assert_int_equal(entry_count(base), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_file_stays_until_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links_and_devices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
