// TetGen's pair: counted from 0 or 1, attributes and markers passed over, and what is refused.
#define _DEFAULT_SOURCE // mkdtemp
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_tetrahedra.h"

static char directory[RUN_PATH_SIZE];

static void pairs_are_read(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        char node[300], ele[200];
        snprintf(node, sizeof node,
                 "# points\n5 3 1 1\n%d 0 0 0 9.5 1\n%d 1 0 0 9.5 1\n%d 0 1 0 9.5 1\n%d 0 0 1 9.5 1\n%d 2 2 2 9 0\n",
                 first, first + 1, first + 2, first + 3, first + 4);
        snprintf(ele, sizeof ele, "2 4 1\n%d %d %d %d %d 1\n%d %d %d %d %d 1\n# end", first, first, first + 1,
                 first + 2, first + 3, first + 1, first + 1, first + 2, first + 3, first + 4);
        run_write_text(directory, "a.ele", ele, strlen(ele));
        cdg_mesh_found found;
        cdg_mesh mesh = read_tetrahedra(directory, "a.node", node, strlen(node), &found);
        assert_int_equal(mesh.point_count, 5);
        assert_int_equal(mesh.tetrahedron_count, 2);
        assert_int_equal(mesh.tetrahedra[1][0], 1);
        assert_int_equal(mesh.tetrahedra[1][3], 4);
        cdg_mesh_free(&mesh);
    }
}

// Ten points a tetrahedron: the corners stand first.
static void curved_tetrahedra_give_their_corners(void **state) {
    (void)state;
    static const char node[] =
        "10 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 0\n6 0 0 0\n7 0 0 0\n8 0 0 0\n9 0 0 0\n10 0 0 0\n";
    static const char ele[] = "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n";
    run_write_text(directory, "q.node", node, sizeof node - 1);
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "q.ele", ele, sizeof ele - 1, &found);
    assert_int_equal(mesh.tetrahedron_count, 1);
    assert_int_equal(found.curved_cells, 1);
    cdg_mesh_free(&mesh);
}

static void both_files_are_needed(void **state) {
    (void)state;
    static const char node[] = "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    cdg_mesh mesh;
    cdg_error error = {0};
    run_write_text(directory, "alone.node", node, sizeof node - 1);
    assert_int_equal(cdg_mesh_read(run_path(directory, "alone.node"), 1, &mesh, NULL, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "alone.ele"));
    assert_int_equal(cdg_mesh_read(run_path(directory, "other.ele"), 1, &mesh, NULL, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "other.node"));
}

static void bad_pairs_are_refused(void **state) {
    (void)state;
    static const bad_tetrahedra points[] = {{"", "expected the number of points"},
                                            {"1000000000 3 0 0\n1 0 0 0\n", "b.node:1: the number of points cannot be"},
                                            {"1 2 0 0\n1 0 0\n        ", "2 dimensions"},
                                            {"2 3 0 0\n1 0 0 0\n3 0 0 1\n", "b.node:3: points are numbered"},
                                            {"1 3 0 0\n5 0 0 0\n", "points are numbered"},
                                            {"1 3 0 0\n1 0 0 inf\n", "found 'inf'"}};
    static const bad_tetrahedra cells[] = {{"1 4 0\n1 1 2 3 5\n", "c.ele:2: a tetrahedron names a point"},
                                           {"1 4 0\n1 0 1 2 3\n", "names a point"},
                                           {"1 5 0\n1 1 2 3 4\n", "not 5"},
                                           {"9 4 0\n1 1 2 3 4\n", "cannot be 9"},
                                           {"0 4 0\n", "no tetrahedra"}};
    run_write_text(directory, "b.ele", "1 4 0\n1 1 2 3 4\n", 16);
    assert_tetrahedra_are_refused(directory, "b.node", points, sizeof points / sizeof *points);
    static const char node[] = "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    run_write_text(directory, "c.node", node, sizeof node - 1);
    assert_tetrahedra_are_refused(directory, "c.ele", cells, sizeof cells / sizeof *cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_read), cmocka_unit_test(curved_tetrahedra_give_their_corners),
        cmocka_unit_test(both_files_are_needed), cmocka_unit_test(bad_pairs_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
