// Mesh files: STL as text and binary, OBJ with polygons, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/mesh.h"
#include "meshing/assimp_file.h"
#include "near.h"
#include "solid_meshes.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_file(const char *name, const void *data, size_t size) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static void check_block(const char *name, double scale) {
    cdg_mesh_data data;
    cdg_error error = {0};
    cdg_mesh mesh;
    cdg_result result = cdg_mesh_file_read(name, scale, &data, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    assert_int_equal(data.triangle_count, 12);
    assert_int_equal(cdg_mesh_build(data.vertices, data.vertex_count, (const uint32_t(*)[3])data.triangles,
                                    data.triangle_count, false, &mesh, &error),
                     CDG_OK);
    assert_int_equal(mesh.vertex_count, 8);
    assert_near(cdg_mesh_point(&mesh, vec3(0, 0, 0), HUGE_VAL).distance, -scale, 1e-6 * scale);
    assert_near(cdg_mesh_point(&mesh, vec3(0, 0, 4 * scale), HUGE_VAL).distance, scale, 1e-6 * scale);
    cdg_mesh_free(&mesh);
    cdg_mesh_data_free(&data);
    unlink(name);
}

static void stl_is_read(void **state) {
    (void)state;
    cdg_vec3 v[8];
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "solid block\n");
    unsigned char binary[84 + 12 * 50] = {0};
    block_vertices(vec3(1, 2, 3), v);
    binary[80] = 12;
    for (int t = 0; t < 12; t++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            cdg_vec3 p = v[block_triangles[t][k]];
            float at[3] = {(float)p.x, (float)p.y, (float)p.z};
            memcpy(&binary[84 + 50 * t + 12 + 12 * k], at, sizeof at);
            used += (size_t)snprintf(text + used, sizeof text - used, "vertex %g %g %g\n", p.x, p.y, p.z);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "endloop\nendfacet\n");
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "endsolid block\n");
    write_file("mesh_file_text.stl", text, used);
    check_block("mesh_file_text.stl", 1);
    write_file("mesh_file_binary.STL", binary, sizeof binary);
    check_block("mesh_file_binary.STL", 1e-3);
}

static void obj_is_read(void **state) {
    (void)state;
    const char *text = "o block\nv -1 -2 -3\nv 1 -2 -3\nv -1 2 -3\nv 1 2 -3\nv -1 -2 3\nv 1 -2 3\nv -1 2 3\nv 1 2 3\n"
                       "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    write_file("mesh_file.obj", text, strlen(text));
    check_block("mesh_file.obj", 2);
}

// assimp itself loses a kilobyte when it gives up a file; the leak sanitizer, where there is one, is not to count that.
void __lsan_disable(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)
void __lsan_enable(void) __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

static void bad_files_are_refused(void **state) {
    (void)state;
    if (__lsan_disable != NULL) __lsan_disable();
    cdg_mesh_data data;
    cdg_error error;
    assert_int_equal(cdg_mesh_file_read("no_such_file.stl", 1, &data, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "no_such_file.stl"));
    assert_int_equal(cdg_mesh_file_read("file.ply", 1, &data, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, ".stl"));
    const char *const texts[] = {"", "this is no mesh", "solid\nfacet normal 0 0 0\nouter loop\nvertex 1 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_file("mesh_file_bad.stl", texts[i], strlen(texts[i]));
        assert_int_equal(cdg_mesh_file_read("mesh_file_bad.stl", 1, &data, &error), CDG_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "mesh_file_bad.stl"));
    }
    unlink("mesh_file_bad.stl");
    write_file("mesh_file_bad.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", 23);
    assert_int_equal(cdg_mesh_file_read("mesh_file_bad.obj", 1, &data, &error), CDG_ERROR_FORMAT);
    unlink("mesh_file_bad.obj");
    if (__lsan_enable != NULL) __lsan_enable();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stl_is_read),
        cmocka_unit_test(obj_is_read),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
