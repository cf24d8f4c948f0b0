// The one reader of triangles: the same block in every format, and files that announce what they do not hold.
#define _DEFAULT_SOURCE // mkdtemp, mkfifo
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/contact_mesh.h"
#include "meshing/triangle_file.h"
#include "near.h"
#include "run_scene.h"

static char directory[RUN_PATH_SIZE];

// assimp itself loses a kilobyte when it gives up a file; the leak sanitizer, where there is one, is not to count that.
void __lsan_disable(void) __attribute__((weak)); // NOLINT(bugprone-reserved-identifier)
void __lsan_enable(void) __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)

static cdg_result read_named(const char *name, double scale, cdg_mesh *out, cdg_error *error) {
    if (__lsan_disable != NULL) __lsan_disable();
    cdg_result result = cdg_triangles_read(run_path(directory, name), scale, out, error);
    if (__lsan_enable != NULL) __lsan_enable();
    return result;
}

// A block of 2 x 4 x 6, whatever the file: closed, with eight corners once those that coincide are one.
static void check_block(const char *name, const void *data, size_t size, double scale) {
    run_write_text(directory, name, data, size);
    cdg_mesh read;
    cdg_error error = {0};
    cdg_contact_mesh mesh;
    cdg_result result = read_named(name, scale, &read, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    assert_int_equal(read.triangle_count, 12);
    assert_int_equal(cdg_contact_mesh_build(read.points, read.point_count, (const uint32_t(*)[3])read.triangles,
                                            read.triangle_count, false, &mesh, &error),
                     CDG_OK);
    assert_int_equal(mesh.vertex_count, 8);
    assert_near(cdg_contact_mesh_point(&mesh, vec3(0, 0, 0), HUGE_VAL).distance, -scale, 1e-6 * scale);
    assert_near(cdg_contact_mesh_point(&mesh, vec3(0, 0, 4 * scale), HUGE_VAL).distance, scale, 1e-6 * scale);
    cdg_contact_mesh_free(&mesh);
    cdg_mesh_free(&read);
}

static void blocks_are_read(void **state) {
    (void)state;
    cdg_vec3 v[8];
    block_vertices(vec3(1, 2, 3), v);
    char stl[8192], obj[2048] = "", off[2048], ply[2048];
    unsigned char binary[84 + 12 * 50] = {0};
    size_t used = (size_t)snprintf(stl, sizeof stl, "solid block\n");
    size_t obj_used = 0, off_used = (size_t)snprintf(off, sizeof off, "OFF\n# a block\n8 12 0\n");
    size_t ply_used = (size_t)snprintf(ply, sizeof ply,
                                       "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
                                       "property float z\nelement face 12\nproperty list uchar int vertex_indices\n"
                                       "end_header\n");
    for (int i = 0; i < 8; i++) {
        obj_used += (size_t)snprintf(obj + obj_used, sizeof obj - obj_used, "v %g %g %g\n", v[i].x, v[i].y, v[i].z);
        off_used += (size_t)snprintf(off + off_used, sizeof off - off_used, "%g %g %g\n", v[i].x, v[i].y, v[i].z);
        ply_used += (size_t)snprintf(ply + ply_used, sizeof ply - ply_used, "%g %g %g\n", v[i].x, v[i].y, v[i].z);
    }
    binary[80] = 12;
    for (int t = 0; t < 12; t++) {
        const uint32_t *c = block_triangles[t];
        used += (size_t)snprintf(stl + used, sizeof stl - used, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            float at[3] = {(float)v[c[k]].x, (float)v[c[k]].y, (float)v[c[k]].z};
            memcpy(&binary[84 + 50 * t + 12 + 12 * k], at, sizeof at);
            used += (size_t)snprintf(stl + used, sizeof stl - used, "vertex %g %g %g\n", (double)at[0], (double)at[1],
                                     (double)at[2]);
        }
        used += (size_t)snprintf(stl + used, sizeof stl - used, "endloop\nendfacet\n");
        obj_used +=
            (size_t)snprintf(obj + obj_used, sizeof obj - obj_used, "f %u %u %u\n", c[0] + 1, c[1] + 1, c[2] + 1);
        off_used += (size_t)snprintf(off + off_used, sizeof off - off_used, "3 %u %u %u\n", c[0], c[1], c[2]);
        ply_used += (size_t)snprintf(ply + ply_used, sizeof ply - ply_used, "3 %u %u %u\n", c[0], c[1], c[2]);
    }
    used += (size_t)snprintf(stl + used, sizeof stl - used, "endsolid block\n");
    check_block("text.stl", stl, used, 1);
    check_block("binary.STL", binary, sizeof binary, 1e-3);
    check_block("block.obj", obj, obj_used, 2);
    check_block("block.off", off, off_used, 1);
    check_block("block.ply", ply, ply_used, 1e-3);
}

// Buffers of a glTF file lie beside it; they are found there.
static void gltf_is_read_with_its_buffer(void **state) {
    (void)state;
    float corners[24];
    uint16_t indices[36];
    cdg_vec3 v[8];
    char buffer[sizeof corners + sizeof indices];
    block_vertices(vec3(1, 2, 3), v);
    for (int i = 0; i < 8; i++) {
        const float at[3] = {(float)v[i].x, (float)v[i].y, (float)v[i].z};
        memcpy(&corners[3 * i], at, sizeof at);
    }
    for (int i = 0; i < 36; i++) indices[i] = (uint16_t)block_triangles[i / 3][i % 3];
    memcpy(buffer, corners, sizeof corners);
    memcpy(buffer + sizeof corners, indices, sizeof indices);
    run_write_text(directory, "block.bin", buffer, sizeof buffer);
    static const char text[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}],"
        "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],"
        "\"buffers\": [{\"uri\": \"block.bin\", \"byteLength\": 168}],"
        "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 96},"
        "{\"buffer\": 0, \"byteOffset\": 96, \"byteLength\": 72}],"
        "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC3\","
        "\"min\": [-1, -2, -3], \"max\": [1, 2, 3]},"
        "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 36, \"type\": \"SCALAR\"}]}";
    check_block("block.gltf", text, sizeof text - 1, 1);
}

static void bad_files_are_refused(void **state) {
    (void)state;
    char billion_stl[200] = "binary";
    billion_stl[80] = 0, billion_stl[81] = (char)0xca, billion_stl[82] = (char)0x9a, billion_stl[83] = 0x3b;
    static const char nan_ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                  "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                                  "end_header\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n";
    const struct {
        const char *name, *text;
        size_t size;
        const char *part;
    } cases[] = {
        {"a.stl", "", 0, "the file is empty"},
        {"a.obj", "", 0, "the file is empty"},
        {"a.stl", "this is no mesh", 15, "a.stl"},
        {"a.stl", "solid\nfacet normal 0 0 0\nouter loop\nvertex 1 2\n", 48, "a.stl"},
        {"a.stl", billion_stl, sizeof billion_stl, "announces 1000000000 triangles"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n", 76,
         "a.ply:3: a number of elements cannot be 1000000000"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex -5\nproperty float x\nend_header\n", 68, "cannot be -5"},
        {"a.off", "OFF\n1000000000 1000000000 0\n", 28, "a.off:2: the number of corners cannot be 1000000000"},
        {"a.gltf", "{\"asset\": 1, \"accessors\": [{\"count\": 99999999999}]}", 51, "announces 99999999999"},
        {"a.ply", nan_ply, sizeof nan_ply - 1, "a.ply:11: expected a number, found 'nan'"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", 22, "no faces"},
        {"a.obj", "v 0 0 0\nv 1 0 inf\n", 18, "a.obj:2:"},
        {"a.gltf", "{\"a\": 1}", 8, "no glTF 2"},
        {"a.gltf", "ply\nformat ascii 1.0\n", 21, "no glTF 2"},
        {"a.glb", "glTF\1\0\0\0\0\0\0\0", 12, "no glTF 2"},
        {"a.step", "ISO-10303-21;", 13, "convert it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_write_text(directory, cases[i].name, cases[i].text, cases[i].size);
        cdg_mesh mesh;
        cdg_error error = {0};
        assert_int_equal(read_named(cases[i].name, 1, &mesh, &error), CDG_ERROR_FORMAT);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("'%s' is not in: %s", cases[i].part, error.message);
        assert_non_null(strstr(error.message, cases[i].name));
        assert_null(mesh.points);
        assert_null(mesh.triangles);
    }
    cdg_mesh mesh;
    cdg_error error = {0};
    assert_int_equal(read_named("none.obj", 1, &mesh, &error), CDG_ERROR_IO);
    assert_int_equal(mkfifo(run_path(directory, "pipe.stl"), 0600), 0);
    assert_int_equal(read_named("pipe.stl", 1, &mesh, &error), CDG_ERROR_IO);
    assert_int_equal(read_named("block.obj", 0, &mesh, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(read_named("block.obj", NAN, &mesh, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_read),
                                       cmocka_unit_test(gltf_is_read_with_its_buffer),
                                       cmocka_unit_test(bad_files_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
