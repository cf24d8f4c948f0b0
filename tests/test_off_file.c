// OFF files: polygons, colours and comments, and what is refused.
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
    cdg_result result = cdg_off_read("a.off", &bytes, scale, out, error);
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

static void polygons_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "OFF\n# a pyramid\n5 3 0\n0 0 0\n2 0 0\n2 2 0 # here\n\n0 2 0\n1 1 2\n4 0 3 2 1\n3 0 1 4 255 0 0\n3 1 2 4\n",
        "COFF 5 3 0\n0 0 0 1 0 0 1\n2 0 0 1 0 0 1\n2 2 0 1 0 0 1\n0 2 0 1 0 0 1\n1 1 2 1 0 0 1\n4 0 3 2 1\n3 0 1 4\n3 "
        "1 2 4"};
    static const uint32_t expected[4][3] = {{0, 3, 2}, {0, 2, 1}, {0, 1, 4}, {1, 2, 4}};
    for (int i = 0; i < 2; i++) {
        cdg_mesh mesh;
        cdg_error error = {0};
        assert_int_equal(read_bytes(texts[i], strlen(texts[i]), 0.5, &mesh, &error), CDG_OK);
        assert_int_equal(mesh.point_count, 5);
        assert_int_equal(mesh.triangle_count, 4);
        assert_memory_equal(mesh.triangles, expected, sizeof expected);
        assert_vec3_near(mesh.points[4], vec3(0.5, 0.5, 1), 0);
        cdg_mesh_free(&mesh);
    }
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const bad_file cases[] = {
        {"hello", "begins with OFF"},
        {"OFF BINARY\n", "binary OFF"},
        {"4OFF\n1 1 1\n", "three dimensions"},
        {"OFF\n1000000000 1 0\n0 0 0\n", "a.off:2: the number of corners cannot be"},
        {"OFF\n3 1000000000 0\n0 0 0\n1 0 0\n0 1 0\n", "the number of faces cannot be"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.off:6: a face names corner 3; there are 3"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "corner -1"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 x\n3 0 1 2\n", "a.off:5: expected a coordinate, found 'x'"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "no triangles"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n9000 0 1 2\n", "a face's number of corners cannot be 9000"}};
    check_refused(cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(polygons_are_read), cmocka_unit_test(bad_files_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
