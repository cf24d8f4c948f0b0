// A code is predicted by the entry before it and the move of that entry since the picture before: neighbours on a rod
// move alike. What is left is small, with its sign in the last bit, so high bytes are mostly 0.
#include "export/html_pack.h"

#include "base/deflate.h"
#include "meshing/base64.h"

#include <math.h>
#include <stdlib.h>

static const double code_count = 65535; // beside 0

bool cdg_pack_block_make(cdg_pack_block *block, size_t components, size_t count, bool is_ragged) {
    *block = (cdg_pack_block){.components = components, .count = count, .is_ragged = is_ragged};
    for (size_t k = 0; k < components; k++) block->low[k] = INFINITY, block->high[k] = -INFINITY;
    if (is_ragged) return true;
    block->before = calloc(components * count + 1, sizeof *block->before);
    return block->before != NULL;
}

void cdg_pack_block_free(cdg_pack_block *block) {
    free(block->before);
    *block = (cdg_pack_block){0};
}

void cdg_pack_block_widen(cdg_pack_block *block, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < block->components; k++) {
            double value = values[i * block->components + k];
            if (!isfinite(value)) continue;
            block->low[k] = fmin(block->low[k], value);
            block->high[k] = fmax(block->high[k], value);
        }
    }
}

double cdg_pack_block_step(const cdg_pack_block *block, size_t component) {
    double range = block->high[component] - block->low[component];
    return range > 0 ? range / (code_count - 1) : 0;
}

static uint16_t code_of(const cdg_pack_block *block, size_t component, double value) {
    double step = cdg_pack_block_step(block, component);
    if (!isfinite(value)) return 0;
    if (!(step > 0)) return 1;
    double level = 1 + round((value - block->low[component]) / step);
    return (uint16_t)fmax(1, fmin(code_count, level));
}

// 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
static uint16_t fold(uint16_t difference) {
    return (uint16_t)((unsigned)difference << 1 ^ (difference >> 15 ? 0xffffU : 0));
}

void cdg_pack_block_put(cdg_pack_block *block, const double *values, size_t count, cdg_bytes *out) {
    size_t total = block->components * count;
    uint32_t count32 = (uint32_t)count;
    if (block->is_ragged) cdg_bytes_append(out, &count32, sizeof count32);
    uint16_t *codes = malloc((total + 1) * sizeof *codes);
    unsigned char *planes = malloc(2 * total + 1);
    out->has_failed |= codes == NULL || planes == NULL;
    for (size_t k = 0; !out->has_failed && k < block->components; k++) {
        uint16_t predicted = 0;
        for (size_t i = 0; i < count; i++) {
            size_t index = k * count + i;
            uint16_t code = code_of(block, k, values[i * block->components + k]);
            uint16_t old = block->has_before ? block->before[index] : 0;
            uint16_t move = (uint16_t)(code - old), left = fold((uint16_t)(move - predicted));
            predicted = move;
            codes[index] = code;
            planes[index] = (unsigned char)(left & 255);
            planes[total + index] = (unsigned char)(left >> 8);
        }
    }
    if (!out->has_failed) cdg_bytes_append(out, planes, 2 * total);
    for (size_t i = 0; !out->has_failed && !block->is_ragged && i < total; i++) block->before[i] = codes[i];
    block->has_before = !block->is_ragged;
    free(codes);
    free(planes);
}

void cdg_pack_block_restart(cdg_pack_block *block) { block->has_before = false; }

void cdg_pack_chunk(const cdg_bytes *chunk, cdg_bytes *out) {
    size_t size = cdg_deflate_bound(chunk->size), length = 0;
    unsigned char *packed = malloc(size);
    char *letters = NULL;
    bool is_done = packed != NULL && !chunk->has_failed && cdg_deflate(chunk->data, chunk->size, 9, packed, &size);
    if (is_done) {
        length = cdg_base64_length(size);
        letters = malloc(length);
        is_done = letters != NULL;
    }
    if (is_done) {
        cdg_base64_encode(packed, size, letters);
        cdg_bytes_append(out, letters, length);
    }
    out->has_failed |= !is_done;
    free(packed);
    free(letters);
}
