// The binary file of glTF: its frame, and the numbers of the animation to the bit of a float.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

static uint32_t word(const char *data, size_t offset) {
    uint32_t value;
    memcpy(&value, data + offset, sizeof value);
    return value;
}

// Checks header and chunks; *binary is where the second chunk's data begin.
static char *read_glb(const export_case *c, const char *name, char **json, const char **binary, size_t *binary_size) {
    size_t size;
    char *data = run_read_text(c->base, name, &size);
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(word(data, 4), 2);
    assert_int_equal(word(data, 8), size);
    size_t json_size = word(data, 12);
    assert_int_equal(json_size % 4, 0);
    assert_memory_equal(data + 16, "JSON", 4);
    *json = calloc(json_size + 1, 1);
    assert_non_null(*json);
    memcpy(*json, data + 20, json_size);
    *binary_size = word(data, 20 + json_size);
    assert_memory_equal(data + 24 + json_size, "BIN", 4);
    *binary = data + 28 + json_size;
    assert_int_equal(28 + json_size + *binary_size, size);
    char length[60];
    snprintf(length, sizeof length, "\"buffers\":[{\"byteLength\":%zu}]", *binary_size);
    expect_text(*json, length);
    return data;
}

static float number(const char *binary, size_t index) {
    float value;
    memcpy(&value, binary + 4 * index, sizeof value);
    return value;
}

static void test_animation(void **state) {
    export_case *c = *state;
    cdg_export *export = export_write(c, "a.glb", cdg_export_def_default());
    char *json;
    const char *binary;
    size_t size, frames = 13;
    char *data = read_glb(c, "a.glb", &json, &binary, &size);
    assert_true(cdg_export_bytes(export) == (double)size + 28 + (double)strlen(json));
    // The animation stands last: translations and rotations of the first rod, then of the second.
    size_t numbers = 0;
    for (size_t rod = 0; rod < 2; rod++) numbers += 7 * frames * export->reader->rods[rod].node_count;
    const char *next = binary + size - 4 * numbers;
    const char *times = next - 4 * frames;
    for (size_t i = 0; i < frames; i++) assert_true(number(times, i) == (float)cdg_export_time(export, i));
    for (size_t rod = 0; rod < 2; rod++) {
        size_t nodes = export->reader->rods[rod].node_count;
        for (size_t frame = 0; frame < frames; frame++) {
            double *positions = export_field(export, frame, rod, CDG_FIELD_positions);
            for (size_t i = 0; i < nodes; i++) {
                for (size_t k = 0; k < 3; k++) {
                    assert_true(number(next, 3 * (i * frames + frame) + k) == (float)positions[3 * i + k]);
                }
            }
            free(positions);
        }
        const char *rotations = next + 4 * 3 * nodes * frames;
        for (size_t i = 0; i < nodes * frames; i++) {
            double norm = 0, dot = 0;
            for (size_t k = 0; k < 4; k++) {
                float value = number(rotations, 4 * i + k);
                norm += (double)value * value;
                if (i % frames > 0) dot += (double)value * number(rotations, 4 * (i - 1) + k);
            }
            assert_true(fabs(norm - 1) < 1e-6);
            if (i % frames > 0) assert_true(dot > 0); // neighbours in time are on one side
        }
        next = rotations + 4 * 4 * nodes * frames;
    }
    assert_ptr_equal(next, binary + size);
    expect_text(json, "\"title\":\"A cable and a ring\"");
    expect_text(json, "\"matrix\":[1,0,0,0, 0,0,-1,0, 0,1,0,0, 0,0,0,1]");
    expect_text(json, "\"name\":\"ring_12\""); // the second joint of the ring's first node
    assert_null(strstr(json, "COLOR_0"));
    free(json);
    free(data);
    cdg_export_close(export);
}

static void test_single_frame_and_stripe(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    def.first = def.last = 12;
    def.has_stripe = true;
    cdg_export_close(export_write(c, "a.glb", def));
    char *json;
    const char *binary;
    size_t size;
    char *data = read_glb(c, "a.glb", &json, &binary, &size);
    assert_null(strstr(json, "animations"));
    expect_text(json, "COLOR_0");
    expect_text(json, "\"baseColorFactor\":[1,1,1,1]"); // the vertices have the colours
    free(json);
    free(data);
    assert_int_equal(entry_count(c->base), 1);
}

static void expect_failure(const export_case *c, cdg_export *export, cdg_result code, const char *part) {
    cdg_error error;
    assert_int_equal(cdg_export_write(export, &error), code);
    expect_text(error.message, part);
    cdg_export_close(export);
    assert_int_equal(entry_count(c->base), 0);
}

static void test_what_glb_cannot_hold(void **state) {
    export_case *c = *state;
    cdg_export *export = export_open(c, "a.glb", cdg_export_def_default());
    export->reader->play[7] = export->reader->play[6] * (1 + 1e-12); // the same as a float
    expect_failure(c, export, CDG_ERROR_UNSUPPORTED, "outputs 6 and 7");
}

int main(void) {
    const struct CMUnitTest tests[] = {export_test(test_animation), export_test(test_single_frame_and_stripe),
                                       export_test(test_what_glb_cannot_hold)};
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
