// Tetrahedra written as every format and read again: the same bits. A failure leaves what was there.
#define _DEFAULT_SOURCE // mkdtemp
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "tetrahedra_case.h"

#include <cordage/mesh_files.h>

static char directory[RUN_PATH_SIZE];

static void formats_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"a.vtu", "a.msh", "a.msh2", "a.node", "b.ele", "a.mesh", "A.VTU"};
    for (uint32_t side = 1; side < 20; side += 9) {
        cdg_mesh mesh = tetrahedra_block(side, 0.1), back;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            cdg_error error = {0};
            cdg_mesh_found found;
            assert_int_equal(cdg_mesh_write(run_path(directory, names[i]), &mesh, &error), CDG_OK);
            cdg_result result = cdg_mesh_read(run_path(directory, names[i]), 1, &back, &found, &error);
            assert_string_equal(error.message, "");
            assert_int_equal(result, CDG_OK);
            assert_same_tetrahedra(&mesh, &back);
            assert_int_equal(found.other_cells + found.curved_cells, 0);
            cdg_mesh_free(&back);
        }
        cdg_mesh_free(&mesh);
    }
}

static void lengths_are_scaled(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(1, 0), back;
    cdg_error error = {0};
    assert_int_equal(cdg_mesh_write(run_path(directory, "s.msh"), &mesh, &error), CDG_OK);
    assert_int_equal(cdg_mesh_read(run_path(directory, "s.msh"), 0.25, &back, NULL, &error), CDG_OK);
    assert_true(back.points[7].x == 0.25 && back.points[7].z == 0.25);
    cdg_mesh_free(&mesh);
    cdg_mesh_free(&back);
}

static void wrong_meshes_are_not_written(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(1, 0);
    cdg_error error = {0};
    mesh.tetrahedra[2][3] = 8;
    assert_int_equal(cdg_mesh_write(run_path(directory, "w.mesh"), &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "tetrahedron 2 names point 8"));
    mesh.tetrahedra[2][3] = 0;
    mesh.points[5].y = NAN;
    assert_int_equal(cdg_mesh_write(run_path(directory, "w.mesh"), &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "point 5"));
    assert_false(run_path_exists(directory, "w.mesh"));
    mesh.points[5].y = 0;
    assert_int_equal(cdg_mesh_write(run_path(directory, "w.step"), &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, ".vtu"));
    cdg_mesh_free(&mesh);
}

// Of a pair of files neither may stay when the other cannot be written.
static void pairs_are_there_both_or_not_at_all(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(1, 0);
    cdg_error error = {0};
    assert_int_equal(mkdir(run_path(directory, "p.ele"), 0700), 0);
    assert_int_equal(cdg_mesh_write(run_path(directory, "p.node"), &mesh, &error), CDG_ERROR_IO);
    assert_false(run_path_exists(directory, "p.node"));
    cdg_mesh_free(&mesh);
}

static void full_disks_are_noticed(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    cdg_mesh mesh = tetrahedra_block(8, 0);
    cdg_error error = {0};
    static const char *const names[] = {"f.msh", "f.vtu"};
    for (int i = 0; i < 2; i++) {
        unlink(run_path(directory, names[i]));
        assert_int_equal(symlink("/dev/full", run_path(directory, names[i])), 0);
        assert_int_equal(cdg_mesh_write(run_path(directory, names[i]), &mesh, &error), CDG_ERROR_IO);
        assert_non_null(strstr(error.message, "cannot write"));
        unlink(run_path(directory, names[i]));
    }
    cdg_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formats_come_back), cmocka_unit_test(lengths_are_scaled),
                                       cmocka_unit_test(wrong_meshes_are_not_written),
                                       cmocka_unit_test(pairs_are_there_both_or_not_at_all),
                                       cmocka_unit_test(full_disks_are_noticed)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
