// Packed pictures: unpacked here by the rule that docs/exports.md states, they come back to half a step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "export/html_pack.h"
#include "math/random.h"
#include "meshing/base64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 50, PICTURES = 7, COMPONENTS = 3 };

static double value_at(int picture, int node, int component) {
    return sin(0.1 * node + 0.3 * picture + component) * (1 + component);
}

static void fill(double *values, int picture) {
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < COMPONENTS; k++) values[i * COMPONENTS + k] = value_at(picture, i, k);
}

// One block of one picture; codes of the picture before in `codes`, of this one after.
static const unsigned char *unpack(const unsigned char *at, size_t count, bool has_before, uint16_t *codes) {
    size_t total = COMPONENTS * count;
    for (size_t k = 0; k < COMPONENTS; k++) {
        uint16_t move = 0;
        for (size_t i = k * count; i < (k + 1) * count; i++) {
            unsigned folded = at[i] | (unsigned)at[total + i] << 8;
            move = (uint16_t)(move + ((folded >> 1) ^ (folded & 1 ? 0xffffU : 0)));
            codes[i] = (uint16_t)(move + (has_before ? codes[i] : 0));
        }
    }
    return at + 2 * total;
}

static void pictures_come_back(void **state) {
    (void)state;
    cdg_pack_block block;
    double values[NODES * COMPONENTS];
    assert_true(cdg_pack_block_make(&block, COMPONENTS, NODES, false));
    for (int p = 0; p < PICTURES; p++) fill(values, p), cdg_pack_block_widen(&block, values, NODES);
    cdg_bytes chunk = {0};
    for (int p = 0; p < PICTURES; p++) {
        if (p == 4) cdg_pack_block_restart(&block);
        fill(values, p), cdg_pack_block_put(&block, values, NODES, &chunk);
    }
    assert_false(chunk.has_failed);
    assert_int_equal(chunk.size, 2 * PICTURES * NODES * COMPONENTS);
    uint16_t codes[NODES * COMPONENTS];
    const unsigned char *at = chunk.data;
    for (int p = 0; p < PICTURES; p++) {
        at = unpack(at, NODES, p != 0 && p != 4, codes);
        for (int i = 0; i < NODES; i++)
            for (size_t k = 0; k < COMPONENTS; k++) {
                double step = cdg_pack_block_step(&block, k),
                       back = block.low[k] + (codes[k * NODES + (size_t)i] - 1) * step;
                assert_true(codes[k * NODES + (size_t)i] > 0);
                assert_true(fabs(back - value_at(p, i, (int)k)) <= 0.501 * step);
            }
    }
    cdg_bytes_free(&chunk);
    cdg_pack_block_free(&block);
}

static void what_is_no_number_is_code_0(void **state) {
    (void)state;
    cdg_pack_block block;
    double values[4] = {1, NAN, 3, INFINITY};
    assert_true(cdg_pack_block_make(&block, 1, 4, false));
    cdg_pack_block_widen(&block, values, 4);
    assert_true(block.low[0] == 1 && block.high[0] == 3);
    cdg_bytes chunk = {0};
    cdg_pack_block_put(&block, values, 4, &chunk);
    uint16_t codes[4], move = 0;
    for (int i = 0; i < 4; i++) {
        unsigned folded = chunk.data[i] | (unsigned)chunk.data[4 + i] << 8;
        codes[i] = move = (uint16_t)(move + ((folded >> 1) ^ (folded & 1 ? 0xffffU : 0)));
    }
    const uint16_t expected[4] = {1, 0, 65535, 0};
    assert_memory_equal(codes, expected, sizeof codes);
    cdg_bytes_free(&chunk);
    cdg_pack_block_free(&block);
}

// Constant numbers have no steps; nothing at all has no range.
static void ranges_without_width(void **state) {
    (void)state;
    cdg_pack_block block;
    const double values[3] = {5, 5, 5};
    assert_true(cdg_pack_block_make(&block, 3, 1, false));
    cdg_pack_block_widen(&block, values, 1);
    assert_true(cdg_pack_block_step(&block, 0) == 0);
    cdg_bytes chunk = {0};
    cdg_pack_block_put(&block, values, 1, &chunk);
    assert_int_equal(chunk.size, 6);
    assert_int_equal(chunk.data[0], 2); // code 1
    cdg_bytes_free(&chunk);
    cdg_pack_block_free(&block);
    assert_true(cdg_pack_block_make(&block, 1, 1, false));
    assert_true(cdg_pack_block_step(&block, 0) == 0);
    cdg_pack_block_free(&block);
}

static void ragged_blocks_say_how_many(void **state) {
    (void)state;
    cdg_pack_block block;
    const double values[6] = {0, 0, 0, 1, 2, 3};
    assert_true(cdg_pack_block_make(&block, COMPONENTS, 0, true));
    cdg_pack_block_widen(&block, values, 2);
    cdg_bytes chunk = {0};
    cdg_pack_block_put(&block, values, 2, &chunk);
    cdg_pack_block_put(&block, values, 0, &chunk);
    cdg_pack_block_put(&block, values, 1, &chunk);
    assert_int_equal(chunk.size, 4 + 12 + 4 + 4 + 6);
    uint32_t count;
    memcpy(&count, chunk.data, 4);
    assert_int_equal(count, 2);
    uint16_t codes[6];
    const unsigned char *at = unpack(chunk.data + 4, 2, false, codes);
    assert_true(codes[0] == 1 && codes[1] == 65535);
    memcpy(&count, at + 4, 4);
    assert_int_equal(count, 1);
    cdg_bytes_free(&chunk);
    cdg_pack_block_free(&block);
}

static void chunks_are_deflated(void **state) {
    (void)state;
    cdg_bytes chunk = {0}, text = {0};
    for (int i = 0; i < 5000; i++) cdg_bytes_append(&chunk, &(unsigned char){(unsigned char)(i / 100)}, 1);
    cdg_pack_chunk(&chunk, &text);
    assert_false(text.has_failed);
    assert_true(text.size < 1000 && text.size % 4 == 0);
    size_t size = text.size / 4 * 3 - (text.data[text.size - 1] == '=') - (text.data[text.size - 2] == '=');
    unsigned char packed[1000], back[5000];
    assert_true(cdg_base64_decode((const char *)text.data, text.size, packed, size));
    assert_true(cdg_inflate(packed, size, back, 5000));
    assert_memory_equal(back, chunk.data, 5000);
    chunk.has_failed = true;
    cdg_pack_chunk(&chunk, &text);
    assert_true(text.has_failed);
    cdg_bytes_free(&chunk);
    cdg_bytes_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_back),   cmocka_unit_test(what_is_no_number_is_code_0),
        cmocka_unit_test(ranges_without_width), cmocka_unit_test(ragged_blocks_say_how_many),
        cmocka_unit_test(chunks_are_deflated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
