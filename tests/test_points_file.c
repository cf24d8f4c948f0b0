// Points from files: what CSV and OBJ may say, every mistake with its line, round trips, and any bytes at all.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/points_file.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

#define CSV "test_points_file.tmp.csv"
#define OBJ "test_points_file.tmp.OBJ"

static void write_file(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int remove_files(void **state) {
    (void)state;
    remove(CSV);
    remove(OBJ);
    return 0;
}

typedef struct content {
    cdg_vec3 *points;
    size_t count;
    bool is_closed;
} content;

static content read_ok(const char *path, const char *text) {
    content got;
    cdg_error error = {0};
    write_file(path, text, strlen(text));
    if (cdg_points_read(path, &got.points, &got.count, &got.is_closed, &error) != CDG_OK) {
        fail_msg("%s\nin: %s", error.message, text);
    }
    return got;
}

// `digits` spells the x coordinates expected, 0 to 9; y = 2 x, z = -x.
static void expect(const char *path, const char *text, const char *digits, bool is_closed) {
    content got = read_ok(path, text);
    assert_int_equal(got.count, strlen(digits));
    assert_int_equal(got.is_closed, is_closed);
    for (size_t i = 0; i < got.count; i++) {
        double x = digits[i] - '0';
        assert_vec3_near(got.points[i], vec3(x, 2 * x, -x), 0);
    }
    free(got.points);
}

static void refuse(const char *path, const char *text, cdg_result code, const char *message) {
    content got = {0};
    cdg_error error = {0};
    write_file(path, text, strlen(text));
    assert_int_equal(cdg_points_read(path, &got.points, &got.count, &got.is_closed, &error), code);
    if (strstr(error.message, message) == NULL) fail_msg("'%s' does not hold '%s'", error.message, message);
    assert_non_null(strstr(error.message, path));
    assert_null(got.points);
    assert_int_equal(cdg_points_read(path, &got.points, &got.count, &got.is_closed, NULL), code);
}

static void test_csv_forms(void **state) {
    (void)state;
    expect(CSV, "1,2,-1\n2,4,-2\n3,6,-3\n", "123", false);
    expect(CSV, "1,2,-1\n2,4,-2\n3,6,-3", "123", false); // no last line end
    expect(CSV, "x,y,z\n1,2,-1\n2,4,-2\n", "12", false); // header
    expect(CSV, "\"x [m]\";\"y [m]\";\"z [m]\"\n1;2;-1\n2;4;-2\n", "12", false);
    expect(CSV, "\xEF\xBB\xBFx\ty\tz\r\n1\t2\t-1\r\n2\t4\t-2\r\n", "12", false); // byte order mark, tabs, CR LF
    expect(CSV, "1 2 -1\r2 4 -2\r", "12", false);                                // lone CR
    expect(CSV, "# a comment\n\n  \n x y z # header\n1 , 2 , -1 # inline\n#x\n\t2;4;-2\n", "12", false);
    expect(CSV, "1,2,-1,\n2,4,-2,\n", "12", false); // spreadsheets end lines so
    expect(CSV, "+1.0e0,.2e1,-1E+00\n2.,0.4e+1,-200e-2\n", "12", false);
    expect(CSV, "1,2,-1\n2,4,-2\n3,6,-3\n1,2,-1\n", "123", true); // the last point repeats the first: a ring
}

static void test_csv_mistakes(void **state) {
    (void)state;
    refuse(CSV, "", CDG_ERROR_FORMAT, "0 points");
    refuse(CSV, "x,y,z\n", CDG_ERROR_FORMAT, "0 points");
    refuse(CSV, "1,2,3\n", CDG_ERROR_FORMAT, "1 points");
    refuse(CSV, "1,2,3\n4,five,6\n", CDG_ERROR_FORMAT, ":2: 'five' is not a finite number");
    refuse(CSV, "x,y,z\nx,y,z\n1,2,3\n", CDG_ERROR_FORMAT, ":2: 'x'"); // one header only
    refuse(CSV, "1,b,3\n1,2,3\n", CDG_ERROR_FORMAT, ":1: 'b'");        // not a header
    refuse(CSV, "nan,nan,nan\n1,2,3\n2,2,3\n", CDG_ERROR_FORMAT, ":1: 'nan'");
    refuse(CSV, "1,2,3\n\n# x\n1,2,inf\n", CDG_ERROR_FORMAT, ":4: 'inf'");
    refuse(CSV, "1,2,3\n1,2,0x10\n", CDG_ERROR_FORMAT, ":2: '0x10'");
    refuse(CSV, "1,2,3\n1,2,1e999\n", CDG_ERROR_FORMAT, ":2: '1e999'");
    refuse(CSV, "1e999,1e999,1e999\n1,2,3\n2,2,2\n", CDG_ERROR_FORMAT, ":1: '1e999'");
    refuse(CSV, "1,2,3\r1,2,3-4\r", CDG_ERROR_FORMAT, ":2: '3-4'");
    refuse(CSV, "1,2,3\n1,2\n", CDG_ERROR_FORMAT, ":2: 2 values");
    refuse(CSV, "1,2,3\n1,2,3,4\n", CDG_ERROR_FORMAT, ":2: 4 values");
    refuse(CSV, "1,5;2,5;3,5\n", CDG_ERROR_FORMAT, "point");
    refuse(CSV, "1,2,3\n1,,3\n", CDG_ERROR_FORMAT, ":2: a value is missing");
    refuse(CSV, "1,2,3\n,2,3\n", CDG_ERROR_FORMAT, ":2: a value is missing");
    refuse(CSV, "1,2,3\n\n1,2,3\n4,5,6\n", CDG_ERROR_FORMAT, ":3: the same point as its neighbour in line 1");
    refuse(CSV, "1,2,3\n4,5,6\n1,2,3\n", CDG_ERROR_FORMAT, "2 points; a ring");
    refuse(CSV, "1,2,3\n1,2,\x01\xFF\x7F\n", CDG_ERROR_FORMAT,
           ":2: '?"
           "?"
           "?'"); // unprintable bytes are not echoed
}

static void test_obj_forms(void **state) {
    (void)state;
#define V1 "v 1 2 -1\n"
#define V2 "v 2 4 -2\n"
#define V3 "v 3 6 -3\n"
#define V4 "v 4 8 -4\n"
    expect(OBJ, V1 V2 V3, "123", false); // no l: file order
    expect(OBJ, "# x\no rod\n" V1 "vn 0 0 1\nvt 0 0\n" V2 V3 "g a\nusemtl b\nl 3 1 2\ns off\n", "312", false);
    expect(OBJ, V1 V2 V3 "l 1 2 3 1\n", "123", true);
    expect(OBJ, V1 V2 V3 "l -1 -2 -3\n", "321", false);
    expect(OBJ, V1 V2 "l -2 -1\n" V3 "l -2 -1\n", "123", false); // negative numbers count back from where they stand
    expect(OBJ, V1 V2 V3 V4 "l 2 3\nl 1 2\nl 3 4\n", "1234", false); // edges in any order, direction of the first
    expect(OBJ, V1 V2 V3 V4 "l 3 2\nl 1 2\nl 3 4\n", "4321", false); // ... and of either direction
    expect(OBJ, V1 V2 V3 V4 "l 2 3\nl 4 1\nl 4 3\nl 2 1\n", "2341", true);
    expect(OBJ, "l 1 2 3\n" V1 V2 V3, "123", false);                               // named before they are given
    expect(OBJ, V1 V2 V3 "l 1/1 2/2 3/5\n", "123", false);                         // texture coordinates
    expect(OBJ, V1 V2 V3 "l 1 \\\n2 \\\r\n 3\n", "123", false);                    // continued lines
    expect(OBJ, "v 1 2 \\\n-1\nv 2 4 -2 1.0\nv 3 6 -3 0.5 0.5 0.5", "123", false); // weight, colour
    expect(OBJ, V1 "v 9 18 -9\n" V2 V3 "l 1 3 4\n", "123", false);                 // unused vertices do not matter
    expect(OBJ, V1 V2 V3 V1, "123", true);
}

static void test_obj_mistakes(void **state) {
    (void)state;
    refuse(OBJ, "", CDG_ERROR_FORMAT, "0 points");
    refuse(OBJ, V1, CDG_ERROR_FORMAT, "1 points");
    refuse(OBJ, V1 "v 1 2\n", CDG_ERROR_FORMAT, ":2: a v record has 2");
    refuse(OBJ, V1 "v 1 2 z\n", CDG_ERROR_FORMAT, ":2: 'z'");
    refuse(OBJ, V1 "v 1 2 nan\n", CDG_ERROR_FORMAT, ":2: 'nan'");
    refuse(OBJ, V1 V2 "l 1 3\n", CDG_ERROR_FORMAT, ":3: there is no vertex 3");
    refuse(OBJ, V1 V2 "l 0 1\n", CDG_ERROR_FORMAT, ":3: '0'");
    refuse(OBJ, V1 V2 "l 1 -3\n", CDG_ERROR_FORMAT, ":3: '-3'");
    refuse(OBJ, V1 V2 "l 1 99999999999999999999999\n", CDG_ERROR_FORMAT, ":3: '99999999999999999999999'");
    refuse(OBJ, V1 V2 "l 1 2x\n", CDG_ERROR_FORMAT, ":3: '2x'");
    refuse(OBJ, V1 V2 "l 1 -\n", CDG_ERROR_FORMAT, ":3: '-'");
    refuse(OBJ, V1 V2 "l 1 \\x\n", CDG_ERROR_FORMAT, ":3: ''");
    refuse(OBJ, V1 V2 "l 1\n", CDG_ERROR_FORMAT, ":3: an l record needs");
    refuse(OBJ, V1 V2 "l\n", CDG_ERROR_FORMAT, ":3: an l record needs");
    refuse(OBJ, V1 V2 "l 1 1 2\n", CDG_ERROR_FORMAT, ":3: vertex 1 follows itself");
    refuse(OBJ, V1 V2 V3 V4 "l 1 2 3\nl 2 4\n", CDG_ERROR_FORMAT,
           ":6: the line branches or crosses itself at vertex 2");
    refuse(OBJ, V1 V2 V3 V4 "l 1 2\nl 3 4\n", CDG_ERROR_FORMAT, "more than one line");
    refuse(OBJ, V1 V2 V3 V4 "v 5 5 5\nl 1 2 3 1\nl 4 5\n", CDG_ERROR_FORMAT, "more than one line");
    refuse(OBJ, V1 V2 V3 V4 "v 5 5 5\nl 4 5\nl 1 2 3 1\n", CDG_ERROR_FORMAT, "more than one line");
    refuse(OBJ, V1 V2 "l 1 2 1\n", CDG_ERROR_FORMAT, "a ring needs at least 3");
    refuse(OBJ, V1 V2 V2 "l 3 2 1\n", CDG_ERROR_FORMAT, ":2: the same point as its neighbour in line 3");
}

static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    content got = {0};
    cdg_error error = {0};
    assert_int_equal(cdg_points_read("no/such/file.csv", &got.points, &got.count, &got.is_closed, &error),
                     CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "no/such/file.csv"));
    assert_int_equal(cdg_points_read(".", &got.points, &got.count, &got.is_closed, &error), CDG_ERROR_IO);
    write_file(CSV, "1,2,3\n\0,2,3\n", 13); // also what UTF-16 looks like
    assert_int_equal(cdg_points_read(CSV, &got.points, &got.count, &got.is_closed, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "plain text"));
    assert_null(got.points);
}

// What is written with 17 digits comes back bit for bit, from both formats and past every growth of the buffers.
static void test_round_trip(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    cdg_random random = {1};
    cdg_vec3 *points = malloc(COUNT * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < COUNT; i++) points[i] = random_vec3(&random, pow(10, random_in(&random, -20, 20)));
    for (int is_obj = 0; is_obj < 2; is_obj++) {
        FILE *file = fopen(is_obj ? OBJ : CSV, "w");
        assert_non_null(file);
        for (int i = 0; i < COUNT; i++) {
            fprintf(file, is_obj ? "v %.17g %.17g %.17g\n" : "%.17g,%.17g,%.17g\n", points[i].x, points[i].y,
                    points[i].z);
        }
        if (is_obj) { // separate edges, last to first
            for (int i = COUNT - 1; i > 0; i--) fprintf(file, "l %d %d\n", i, i + 1);
        }
        assert_int_equal(fclose(file), 0);
        content got;
        assert_int_equal(cdg_points_read(is_obj ? OBJ : CSV, &got.points, &got.count, &got.is_closed, NULL), CDG_OK);
        assert_int_equal(got.count, COUNT);
        assert_false(got.is_closed);
        assert_memory_equal(got.points, points, COUNT * sizeof *points);
        free(got.points);
    }
    free(points);
}

// A program that speaks German reads the same numbers.
static void test_locale_does_not_matter(void **state) {
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, names[i]) == NULL; i++) continue;
    expect(CSV, "1.0,2.0,-1.0\n2.0,4.0,-2.0\n", "12", false);
    setlocale(LC_ALL, "C");
}

// Any bytes give points or an error, never a crash; run under the address sanitizer this is worth most.
static void test_any_bytes(void **state) {
    (void)state;
    cdg_random random = {2};
    const char *seeds[] = {"x,y,z\n1,2,-1\n2;4;-2 # c\r\n3 6 -3\n", V1 V2 V3 "l 1 2/3 -1 \\\n 1\n# end\nl 2 3\n"};
    const char pieces[] = "0123456789+-.eE,;# \t\r\n\\/vlxnaif\"\x80\xFF\x01";
    for (int round = 0; round < rounds(4000); round++) {
        char text[128];
        const char *path = round % 2 ? OBJ : CSV;
        size_t size = strlen(seeds[round % 2]);
        memcpy(text, seeds[round % 2], size);
        int changes = 1 + (int)(random_unit(&random) * 8);
        if (round % 7 == 0) size = (size_t)(random_unit(&random) * 100), changes = (int)size;
        for (int i = 0; i < changes && size > 0; i++) {
            size_t place = (size_t)(random_unit(&random) * (double)size);
            if (round % 7 == 0) place = (size_t)i;
            double choice = random_unit(&random);
            char piece = pieces[(size_t)(random_unit(&random) * (double)(sizeof pieces - 1))];
            if (choice < 0.6 || round % 7 == 0) {
                text[place] = piece;
            } else if (choice < 0.8 && size + 1 < sizeof text) {
                memmove(text + place + 1, text + place, size - place);
                text[place] = piece;
                ++size;
            } else {
                memmove(text + place, text + place + 1, size - place - 1);
                --size;
            }
        }
        write_file(path, text, size);
        content got = {0};
        cdg_error error = {0};
        cdg_result result = cdg_points_read(path, &got.points, &got.count, &got.is_closed, &error);
        if (result == CDG_OK) {
            assert_true(got.count >= (got.is_closed ? 3 : 2));
            for (size_t i = 0; i < got.count; i++) assert_true(vec3_is_finite(got.points[i]));
            free(got.points);
        } else {
            assert_int_equal(result, CDG_ERROR_FORMAT);
            assert_non_null(strstr(error.message, path));
            for (const char *c = error.message; *c != '\0'; c++) assert_true(*c >= ' ' && *c <= '~');
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_forms),
        cmocka_unit_test(test_csv_mistakes),
        cmocka_unit_test(test_obj_forms),
        cmocka_unit_test(test_obj_mistakes),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_locale_does_not_matter),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
