// Files that somebody named: regular ones are read whole, everything else is refused at once and never waited for.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/regular_file.h"
#include "geometry/points_file.h"
#include "output/whole_file.h"
#include "run_scene.h"

#include <cordage/mesh_files.h>

#include <fcntl.h>

static int set_up(void **state) {
    static char base[RUN_PATH_SIZE];
    run_directory_make(base);
    alarm(1000); // a wait ends the test
    *state = base;
    return 0;
}

static int tear_down(void **state) {
    alarm(0);
    run_directory_remove(*state);
    return 0;
}

static void test_reading(void **state) {
    const char *base = *state;
    char *text = NULL;
    size_t size = 1;
    cdg_error error;
    for (size_t length = 0; length < 70000; length = 3 * length + 1) {
        char *bytes = malloc(length + 1);
        for (size_t i = 0; i < length; i++) bytes[i] = (char)(i * 7);
        run_write_text(base, "a", bytes, length);
        assert_int_equal(cdg_regular_file_read(run_path(base, "a"), length, &text, &size, &error), CDG_OK);
        assert_int_equal(size, length);
        assert_memory_equal(text, bytes, length);
        assert_int_equal(text[length], 0);
        free(text);
        assert_int_equal(cdg_stream_read(run_path(base, "a"), length, &text, &size, &error), CDG_OK);
        assert_int_equal(size, length);
        free(text);
        free(bytes);
        if (length == 0) continue;
        assert_int_equal(cdg_regular_file_read(run_path(base, "a"), length - 1, &text, &size, &error),
                         CDG_ERROR_FORMAT);
        assert_null(text);
        assert_int_equal(cdg_stream_read(run_path(base, "a"), length - 1, &text, &size, &error), CDG_ERROR_FORMAT);
        assert_null(text);
    }
    assert_int_equal(cdg_regular_file_read(run_path(base, "none"), 9, &text, &size, &error), CDG_ERROR_IO);
    assert_int_equal(cdg_regular_file_check(run_path(base, "a"), SIZE_MAX, NULL), CDG_OK);
}

static void test_what_is_no_file(void **state) {
    const char *base = *state;
    assert_int_equal(mkfifo(run_path(base, "pipe"), 0666), 0);
    const char *const paths[] = {run_path(base, "pipe"), "/dev/zero", base};
    const char *const words[] = {"a pipe", "a device", "a directory"};
    for (int i = 0; i < 3; i++) {
        char *text = NULL;
        size_t size;
        cdg_error error;
        assert_int_equal(cdg_regular_file_read(paths[i], SIZE_MAX, &text, &size, &error), CDG_ERROR_IO);
        assert_non_null(strstr(error.message, words[i]));
        assert_int_equal(cdg_regular_file_check_target(paths[i], &error), CDG_ERROR_IO);
        assert_non_null(strstr(error.message, words[i]));
    }
    assert_int_equal(cdg_regular_file_check_target(run_path(base, "none"), NULL), CDG_OK);
}

// A file of holes takes no room on the disk, and its size is told before memory is spent.
static void test_large_files(void **state) {
    const char *base = *state;
    char *text;
    size_t size;
    cdg_error error;
    run_write_text(base, "large", "", 0);
    if (truncate(run_path(base, "large"), (off_t)1 << 42) != 0) skip();
    assert_int_equal(cdg_regular_file_read(run_path(base, "large"), 1 << 30, &text, &size, &error), CDG_ERROR_FORMAT);
    assert_null(text);
    assert_non_null(strstr(error.message, "4.398e+06 MB; at most"));
}

static void test_extensions(void **state) {
    (void)state;
    assert_true(cdg_path_ends_with("a/b.STL", ".stl"));
    assert_false(cdg_path_ends_with("a/b.stlx", ".stl"));
    assert_false(cdg_path_ends_with("tl", ".stl"));
    assert_false(cdg_path_ends_with(NULL, ".stl"));
}

// Files of the kernel have a size of 0 and bytes all the same.
static void test_unknown_size(void **state) {
    (void)state;
    char *text;
    size_t size;
    cdg_error error;
    assert_int_equal(cdg_regular_file_read("/proc/self/status", 1 << 20, &text, &size, &error), CDG_OK);
    assert_true(size > 100 && strlen(text) == size);
    free(text);
}

static void test_streams(void **state) {
    (void)state;
    char *text = NULL, name[40];
    size_t size;
    cdg_error error;
    assert_int_equal(cdg_stream_read("/dev/zero", 100000, &text, &size, &error), CDG_ERROR_FORMAT); // without end
    assert_int_equal(cdg_stream_read("/dev", 100000, &text, &size, &error), CDG_ERROR_IO);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "cordage: 1\n", 11), 11);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(cdg_stream_read(name, 100, &text, &size, &error), CDG_OK);
    assert_string_equal(text, "cordage: 1\n");
    free(text);
    close(ends[0]);
}

// Everything that reads a file whose name a scene gives.
static void test_readers_do_not_wait(void **state) {
    const char *base = *state;
    assert_int_equal(mkfifo(run_path(base, "a.obj"), 0666), 0);
    const char *const paths[] = {run_path(base, "a.obj"), "/dev/zero"};
    cdg_error error;
    for (int i = 0; i < 2; i++) {
        cdg_mesh mesh;
        assert_int_equal(cdg_mesh_read(paths[i], 1, &mesh, NULL, &error), i == 0 ? CDG_ERROR_IO : CDG_ERROR_FORMAT);
        cdg_vec3 *points;
        size_t count;
        bool is_closed;
        assert_int_equal(cdg_points_read(paths[i], &points, &count, &is_closed, &error), CDG_ERROR_IO);
    }
    cdg_whole_file whole; // a pipe that nobody reads from
    assert_int_equal(cdg_whole_file_begin(paths[0], &whole, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "nobody reads"));
    assert_int_equal(cdg_whole_file_begin_named(paths[0], &whole, &error), CDG_ERROR_IO);
}

// The materials that an OBJ file names are not looked for.
static void test_material_libraries(void **state) {
    const char *base = *state;
    assert_int_equal(mkfifo(run_path(base, "pipe.mtl"), 0666), 0);
    const char text[] = "mtllib pipe.mtl\nmtllib /dev/zero\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
    run_write_text(base, "mesh.obj", text, strlen(text));
    char here[RUN_PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(base), 0);
    cdg_mesh mesh;
    cdg_error error;
    cdg_result result = cdg_mesh_read("mesh.obj", 1, &mesh, NULL, &error);
    assert_int_equal(chdir(here), 0);
    if (result != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(mesh.triangle_count, 1);
    cdg_mesh_free(&mesh);
}

static void test_hash(void **state) {
    (void)state;
    // published values of FNV-1a
    assert_true(cdg_bytes_hash(0, "", 0) == 0xCBF29CE484222325u);
    assert_true(cdg_bytes_hash(0, "a", 1) == 0xAF63DC4C8601EC8Cu);
    assert_true(cdg_bytes_hash(0, "foobar", 6) == 0x85944171F73967E8u);
    assert_true(cdg_bytes_hash(cdg_bytes_hash(0, "foo", 3), "bar", 3) == 0x85944171F73967E8u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_readers_do_not_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_material_libraries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_files, set_up, tear_down),
        cmocka_unit_test(test_unknown_size),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
