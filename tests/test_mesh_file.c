// Meshes from files of either kind: the name tells what comes out.
#define _DEFAULT_SOURCE // mkdtemp
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"

#include <cordage/mesh_files.h>

static char directory[RUN_PATH_SIZE];

static void formats_are_told(void **state) {
    (void)state;
    static const struct {
        const char *name;
        cdg_mesh_format format;
        bool has_triangles, has_tetrahedra;
    } cases[] = {{"a/b.Stl", CDG_MESH_STL, true, false},         {"b.OBJ", CDG_MESH_OBJ, true, false},
                 {"b.ply", CDG_MESH_PLY, true, false},           {"b.off", CDG_MESH_OFF, true, false},
                 {"b.gltf", CDG_MESH_GLTF, true, false},         {"b.glb", CDG_MESH_GLB, true, false},
                 {"a.vtu", CDG_MESH_VTU, false, true},           {"a.MSH", CDG_MESH_MSH, false, true},
                 {"a.msh2", CDG_MESH_MSH2, false, true},         {"a.node", CDG_MESH_NODE, false, true},
                 {"a.1.ele", CDG_MESH_ELE, false, true},         {"a.mesh", CDG_MESH_MEDIT, false, true},
                 {"a.txt", CDG_MESH_FORMAT_COUNT, false, false}, {"stl", CDG_MESH_FORMAT_COUNT, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_mesh_format format = cdg_mesh_format_of(cases[i].name);
        assert_int_equal(format, cases[i].format);
        assert_int_equal(cdg_mesh_format_has_triangles(format), cases[i].has_triangles);
        assert_int_equal(cdg_mesh_format_has_tetrahedra(format), cases[i].has_tetrahedra);
    }
}

static void either_kind_is_read(void **state) {
    (void)state;
    cdg_mesh mesh, back;
    cdg_mesh_found found = {.other_cells = 7, .curved_cells = 7};
    cdg_error error = {0};
    static const char text[] = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    run_write_text(directory, "t.obj", text, sizeof text - 1);
    assert_int_equal(cdg_mesh_read(run_path(directory, "t.obj"), 0.5, &mesh, &found, &error), CDG_OK);
    assert_true(mesh.point_count == 4 && mesh.triangle_count == 4 && mesh.tetrahedron_count == 0);
    assert_true(mesh.points[3].z == 1 && found.other_cells == 0 && found.curved_cells == 0);
    uint32_t one[1][4] = {{0, 1, 2, 3}};
    cdg_mesh solid = {.points = mesh.points, .point_count = 4, .tetrahedra = one, .tetrahedron_count = 1};
    assert_int_equal(cdg_mesh_write(run_path(directory, "t.msh"), &solid, &error), CDG_OK);
    assert_int_equal(cdg_mesh_read(run_path(directory, "t.msh"), 1, &back, NULL, &error), CDG_OK);
    assert_true(back.point_count == 4 && back.triangle_count == 0 && back.tetrahedron_count == 1);
    assert_true(back.points[3].z == 1 && back.tetrahedra[0][3] == 3);
    cdg_mesh_free(&mesh);
    cdg_mesh_free(&back);
    assert_true(back.points == NULL && back.tetrahedra == NULL && back.point_count == 0);
}

static void others_are_refused(void **state) {
    (void)state;
    cdg_mesh mesh = {.point_count = 1};
    cdg_error error = {0};
    assert_int_equal(cdg_mesh_read("a.step", 1, &mesh, NULL, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, ".stl"));
    assert_non_null(strstr(error.message, ".vtu"));
    assert_true(mesh.point_count == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formats_are_told), cmocka_unit_test(either_kind_is_read),
                                       cmocka_unit_test(others_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
