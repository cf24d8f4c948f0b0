// OBJ files with triangles: what is read, fans of polygons, and what is said about bad ones.
#define _DEFAULT_SOURCE // strdup
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/polygon_files.h"
#include "near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cdg_result read_text(const char *text, double scale, cdg_mesh *out, cdg_error *error) {
    cdg_file_bytes bytes = {.data = strdup(text), .size = strlen(text)};
    assert_non_null(bytes.data);
    cdg_result result = cdg_obj_read("a.obj", &bytes, scale, out, error);
    free(bytes.data);
    return result;
}

static void test_read(void **state) {
    (void)state;
    cdg_mesh out;
    cdg_error error = {0};
    const char *text = "# a square, with all that may stand around it\r\n"
                       "mtllib x.mtl\nvn 0 0 1\nvt 0 0\n"
                       "v 0 0 0\nv 1e0 0 0 0.5 0.5 0.5\n  v\t1 2 0\nv 0 2 -0\n"
                       "f 1/1/1 2//1 3 4/4 # fan\nf -4 -3 -2\n";
    assert_int_equal(read_text(text, 0.5, &out, &error), CDG_OK);
    assert_int_equal(out.point_count, 4);
    assert_vec3_near(out.points[2], vec3(0.5, 1, 0), 0);
    static const uint32_t expected[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 2}};
    assert_int_equal(out.triangle_count, 3);
    assert_memory_equal(out.triangles, expected, sizeof expected);
    cdg_mesh_free(&out);
    assert_null(out.points);
}

static void test_many(void **state) { // written and read again
    (void)state;
    enum { MANY = 1000 };
    cdg_random random = {4};
    char *text = malloc(MANY * 100), *at = text;
    static cdg_vec3 points[MANY];
    for (int i = 0; i < MANY; i++) {
        points[i] = random_vec3(&random, 10);
        at += sprintf(at, "v %.17g %.17g %.17g\n", points[i].x, points[i].y, points[i].z);
        if (i >= 2) at += sprintf(at, "f %d %d %d\n", i - 1, i, i + 1);
    }
    cdg_mesh out;
    cdg_error error = {0};
    assert_int_equal(read_text(text, 1, &out, &error), CDG_OK);
    assert_int_equal(out.point_count, MANY);
    assert_int_equal(out.triangle_count, MANY - 2);
    assert_memory_equal(out.points, points, sizeof points);
    for (uint32_t i = 0; i + 2 < MANY; i++) assert_int_equal(out.triangles[i][2], i + 2);
    cdg_mesh_free(&out);
    free(text);
}

static void test_bad(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {{"v 0 0\nf 1 1 1\n", ":1: a corner needs three"},
                 {"v 0 0 nan\n", ":1: a corner needs three"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ":4: a face names a corner"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", ":4: a face names a corner"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", ":4: a face names a corner"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2x 3\n", ":4: a face names a corner"},
                 {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", ":4: a face needs at least three"},
                 {"v 0 0 0\n", "no faces"},
                 {"", "no faces"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_mesh out;
        cdg_error error = {0};
        assert_int_equal(read_text(cases[i].text, 1, &out, &error), CDG_ERROR_FORMAT);
        assert_null(out.triangles);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("'%s' is not in: %s", cases[i].part, error.message);
    }
}

static void test_order(void **state) { // faces before their corners, lines that go on, a last line without an end
    (void)state;
    cdg_mesh out;
    cdg_error error = {0};
    assert_int_equal(read_text("f 1 2 \\\n 3\nv 0 0 0\nv 1 \\\r\n0 0\nv 0 1 0", 1, &out, &error), CDG_OK);
    assert_int_equal(out.point_count, 3);
    assert_int_equal(out.triangle_count, 1);
    assert_vec3_near(out.points[2], vec3(0, 1, 0), 0);
    cdg_mesh_free(&out);
    assert_int_equal(read_text("v 0 0 \\\n0\nv 1 0 0\nf 1 2\n", 1, &out, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "a.obj:4:"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_bad), cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
