// Medit's .mesh: sections in any order, others passed over, and what is refused.
#define _DEFAULT_SOURCE // mkdtemp
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_tetrahedra.h"

static char directory[RUN_PATH_SIZE];

static void sections_are_read(void **state) {
    (void)state;
    static const char text[] =
        "MeshVersionFormatted 1\n# by hand\nDimension\n3\nVertices 5\n0 0 0 1 1 0 0 1 0 1 0 1\n0 0 1 1\n"
        "2 2 2 0\nTriangles\n2\n1 2 3 0\n1 2 4 0\nRequiredVertices 1\n1\nTetrahedra\n1\n1 2 3 4 7\nEnd\n";
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "a.mesh", text, sizeof text - 1, &found);
    assert_int_equal(mesh.point_count, 5); // one of no tetrahedron is kept
    assert_int_equal(mesh.tetrahedron_count, 1);
    assert_int_equal(mesh.tetrahedra[0][3], 3);
    assert_int_equal(found.other_cells, 2);
    cdg_mesh_free(&mesh);
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const bad_tetrahedra cases[] = {
        {"", "empty"},
        {"hello", "begins with MeshVersionFormatted"},
        {"MeshVersionFormatted x", "b.mesh:1: expected the version"},
        {"MeshVersionFormatted 2\nDimension 2\n", "2 dimensions"},
        {"MeshVersionFormatted 2\nVertices\n1000000000\n0 0 0 1\n",
         "b.mesh:3: the number of vertices cannot be 1000000000"},
        {"MeshVersionFormatted 2\nVertices\n-4\n", "cannot be -4"},
        {"MeshVersionFormatted 2\nVertices\n1\n0 0 nan 0\n", "b.mesh:4: expected a coordinate, found 'nan'"},
        {"MeshVersionFormatted 2\nVertices\n2\n0 0 0 1\n0.000 0.000 0.000", "cut off"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\nTetrahedra\n1\n1 2 3 5 "
         "0\n",
         "b.mesh:11: a tetrahedron names a vertex"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\nTetrahedra\n1\n0 1 2 3 "
         "0\n",
         "b.mesh:11: a tetrahedron names a vertex"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\nTetrahedra\n1\n1 2 3 "
         "-4 0\n",
         "names a vertex"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\nTetrahedra\n1\n1 2 3 "
         "4.5 0\n",
         "found '4.5'"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\nTetrahedra\n0\nEnd\n",
         "there are no tetrahedra"},
        {"MeshVersionFormatted 2\n12 Vertices\n", "expected a keyword"},
        {"MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 "
         "1\nTetrahedra\n4000000000\n1 2 3 4 0\n",
         "cannot be 4000000000"}};
    assert_tetrahedra_are_refused(directory, "b.mesh", cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sections_are_read), cmocka_unit_test(bad_files_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
