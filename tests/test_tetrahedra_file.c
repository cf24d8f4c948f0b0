// Choosing the reader by the name; what is no file, no format or no scale.
#define _DEFAULT_SOURCE // mkdtemp, mkfifo
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_tetrahedra.h"
#include "meshing/triangle_file.h"

static char directory[RUN_PATH_SIZE];

static void strange_files_are_refused(void **state) {
    (void)state;
    cdg_mesh mesh;
    cdg_error error = {0};
    assert_int_equal(cdg_tetrahedra_read("a.stl", 1, &mesh, NULL, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "convert it"));
    assert_int_equal(mkfifo(run_path(directory, "pipe.vtu"), 0600), 0);
    assert_int_equal(cdg_tetrahedra_read(run_path(directory, "pipe.vtu"), 1, &mesh, NULL, &error), CDG_ERROR_IO);
    assert_int_equal(mkfifo(run_path(directory, "pipe.node"), 0600), 0);
    assert_int_equal(cdg_tetrahedra_read(run_path(directory, "pipe.ele"), 1, &mesh, NULL, &error), CDG_ERROR_IO);
    static const bad_tetrahedra empty[] = {{"", "the file is empty"}};
    assert_tetrahedra_are_refused(directory, "a.vtu", empty, 1);
    assert_tetrahedra_are_refused(directory, "a.msh", empty, 1);
    static const double scales[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        assert_int_equal(cdg_tetrahedra_read("a.vtu", scales[i], &mesh, NULL, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(strange_files_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
