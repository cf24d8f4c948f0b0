// USD text: structure, time codes, and every point to the bit of a float.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

// The samples of an attribute of the rod-th prim; points behind its opening brace.
static const char *find_samples(const char *text, size_t rod, const char *attribute) {
    for (size_t i = 0; i <= rod; i++) {
        text = strstr(text, "def BasisCurves");
        assert_non_null(text);
        text += 10;
    }
    char key[100];
    snprintf(key, sizeof key, "%s.timeSamples = {\n", attribute);
    text = strstr(text, key);
    assert_non_null(text);
    return text + strlen(key);
}

static void check_vectors(const char *text, const cdg_export *export, size_t rod, const char *attribute,
                          cdg_field field, double rate) {
    char *next = (char *)find_samples(text, rod, attribute);
    for (size_t frame = 0; frame < cdg_export_frame_count(export); frame++) {
        double *values = export_field(export, frame, rod, field);
        double code = strtod(next, &next);
        assert_true(fabs(code / rate - cdg_export_time(export, frame)) < 1e-12);
        assert_memory_equal(next, ": [", 3);
        next += 3;
        for (size_t i = 0; i < export->reader->rods[rod].node_count; i++) {
            for (size_t k = 0; k < 3; k++) {
                next += strspn(next, "(), ");
                float got = strtof(next, &next), wanted = (float)values[3 * i + k];
                assert_memory_equal(&got, &wanted, sizeof got);
            }
        }
        assert_memory_equal(next, ")],\n", 4);
        next += 4;
        free(values);
    }
    assert_memory_equal(next + strspn(next, " "), "}\n", 2);
}

static size_t count_of(const char *text, char c) {
    size_t count = 0;
    for (; *text != '\0'; text++) count += *text == c;
    return count;
}

static void test_points(void **state) {
    export_case *c = *state;
    for (size_t every = 1; every <= 12; every += 11) {
        cdg_export_def def = cdg_export_def_default();
        def.every = every;
        cdg_export *export = export_write(c, "some-name.usda", def);
        char *text = run_read_text(c->base, "some-name.usda", NULL);
        double rate = every == 1 ? 200 : 200.0 / 12; // outputs every 5 ms
        for (size_t rod = 0; rod < 2; rod++) {
            check_vectors(text, export, rod, "points", CDG_FIELD_positions, rate);
            check_vectors(text, export, rod, "velocities", CDG_FIELD_velocities, rate);
            find_samples(text, rod, "primvars:d1");
            find_samples(text, rod, "extent");
        }
        const char *const parts[] = {"#usda 1.0\n(",
                                     "defaultPrim = \"some_name\"",
                                     "upAxis = \"Z\"",
                                     "metersPerUnit = 1",
                                     "wrap = \"pinned\"",
                                     "wrap = \"periodic\"",
                                     "curveVertexCounts = [11]",
                                     "curveVertexCounts = [12]",
                                     "doc = \"A cable and a ring\"",
                                     "startTimeCode = 0",
                                     every == 1 ? "timeCodesPerSecond = 200\n" : "timeCodesPerSecond = 16.6",
                                     every == 1 ? "endTimeCode = 12\n" : "endTimeCode = 1\n"};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_text(text, parts[i]);
        assert_null(strstr(text, "normals")); // both rods are round
        assert_int_equal(count_of(text, '('), count_of(text, ')'));
        assert_int_equal(count_of(text, '['), count_of(text, ']'));
        assert_int_equal(count_of(text, '{'), count_of(text, '}'));
        assert_string_equal(cdg_export_main_file(export, 0), run_path(c->base, "some-name.usda"));
        assert_true(cdg_export_bytes(export) == (double)strlen(text));
        free(text);
        cdg_export_close(export);
        assert_int_equal(entry_count(c->base), 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {export_test(test_points)};
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
