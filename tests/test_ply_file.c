// PLY files: text and both byte orders, other elements and properties, and what is refused.
#define _DEFAULT_SOURCE // strdup
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/polygon_files.h"
#include "near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cdg_result read_bytes(const void *text, size_t size, double scale, cdg_mesh *out, cdg_error *error) {
    cdg_file_bytes bytes = {.data = malloc(size + 1), .size = size};
    assert_non_null(bytes.data);
    memcpy(bytes.data, text, size);
    bytes.data[size] = '\0';
    cdg_result result = cdg_ply_read("a.ply", &bytes, scale, out, error);
    free(bytes.data);
    return result;
}

typedef struct bad_file {
    const char *text, *part;
} bad_file;

static void check_refused(const bad_file *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        cdg_mesh mesh;
        cdg_error error = {0};
        assert_int_equal(read_bytes(cases[i].text, strlen(cases[i].text), 1, &mesh, &error), CDG_ERROR_FORMAT);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("'%s' is not in: %s", cases[i].part, error.message);
        assert_null(mesh.points);
        assert_null(mesh.triangles);
    }
}

static const uint32_t expected[2][3] = {{0, 1, 2}, {0, 2, 3}};

static void check_square(const void *bytes, size_t size) {
    cdg_mesh mesh;
    cdg_error error = {0};
    cdg_result result = read_bytes(bytes, size, 0.5, &mesh, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    assert_int_equal(mesh.point_count, 4);
    assert_int_equal(mesh.triangle_count, 2);
    assert_memory_equal(mesh.triangles, expected, sizeof expected);
    assert_vec3_near(mesh.points[2], vec3(1, 1, -0.5), 0);
    cdg_mesh_free(&mesh);
}

// Faces may stand before corners, places in any order, other things between.
static void text_is_read(void **state) {
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\ncomment by hand\nelement face 1\nproperty uchar red\n"
        "property list uchar int vertex_index\nelement edge 1\nproperty list uchar float weights\n"
        "element vertex 4\nproperty double z\nproperty float nx\nproperty double x\nproperty double y\nend_header\n"
        "255 4 0 1 2 3\n2 0.5 0.5\n0 1 0 0\n0 1 2 0\n-1 1 2 2\n0 1 0 2\n";
    check_square(text, sizeof text - 1);
}

static void pack(unsigned char *out, size_t *used, const void *value, size_t size, bool is_big) {
    const unsigned char *bytes = value;
    for (size_t i = 0; i < size; i++) out[(*used)++] = bytes[is_big ? size - 1 - i : i];
}

static void binary_is_read(void **state) {
    (void)state;
    static const float places[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, -1}, {0, 2, 0}};
    for (int is_big = 0; is_big < 2; is_big++) {
        unsigned char file[1000];
        size_t used =
            (size_t)snprintf((char *)file, sizeof file,
                             "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                             "property float z\nproperty uchar red\nelement face 1\nproperty list ushort short "
                             "vertex_indices\nend_header\n",
                             is_big ? "big" : "little");
        const unsigned char red = 10; // is a line's end, too
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 3; k++) pack(file, &used, &places[i][k], 4, is_big);
            pack(file, &used, &red, 1, is_big);
        }
        const uint16_t count = 4;
        pack(file, &used, &count, 2, is_big);
        for (int16_t i = 0; i < 4; i++) pack(file, &used, &i, 2, is_big);
        check_square(file, used);
        cdg_mesh mesh;
        cdg_error error = {0};
        for (size_t size = 0; size < used; size++) { // cut off anywhere
            assert_int_equal(read_bytes(file, size, 1, &mesh, &error), CDG_ERROR_FORMAT);
            assert_null(mesh.points);
        }
    }
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const bad_file cases[] = {
        {"hello", "begins with ply"},
        {"ply\nformat ascii 1.0\n", "no end_header"},
        {"ply\nformat odd 1.0\nend_header\n", "neither ascii"},
        {"ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n",
         "a.ply:3: a number of elements cannot be 1000000000"},
        {"ply\nproperty float x\nend_header\n", "before the first element"},
        {"ply\nelement vertex 1\nproperty floot x\nend_header\n", "a.ply:3: a property needs a type"},
        {"ply\nelement vertex 1\nproperty float\nend_header\n", "has no name"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
         "no element vertex with x, y and z"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 "
         "0 0\n",
         "a cloud of points"},
        {"ply\nformat ascii 1.0\nelement ghost 9\nend_header\n1 1 1 1 1 1 1 1 1\n", "no properties"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
         "a.ply:13: a face names a corner that is not there (3)"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n",
         "not there (-1)"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
         "no triangles"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3000 0 1 2\n",
         "so many members (3000)"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n",
         "found 'inf'"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n",
         "cut off"}};
    check_refused(cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_read), cmocka_unit_test(binary_is_read),
                                       cmocka_unit_test(bad_files_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
