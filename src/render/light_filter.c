// Samples are dealt over blocks of 16 pixels (sampling.h), so the mean over any box of that size has hardly any noise.
// Means over boxes of 1, 2, 4, 8, 16 and 32 pixels are taken, and each pixel mixes the two that suit its blur best,
// after Mehta et al., Axis-aligned filtering for interactive sampled soft shadows (2012).
#include "render/light_filter.h"

#include "base/error.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = CDG_LIGHT_LEVELS, TILE = 8 }; // blur is spread over tiles

static int minimum(int a, int b) { return a < b ? a : b; }

// ---- how much to smooth ---------------------------------------------------------------------------------------------

typedef struct level_state {
    int width, height, tiles_x, tiles_y;
    const float *blur;
    float *level;
    float *tile_blur, *tile_spread; // narrowest blur in each tile; then over its neighbours
} level_state;

static cdg_result fail_memory(const cdg_light_filter_def *def, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture of %d x %d", def->width, def->height);
}

static void measure_tile(void *user, size_t index, int thread) {
    (void)thread;
    level_state *state = user;
    int left = (int)(index % (size_t)state->tiles_x) * TILE, top = (int)(index / (size_t)state->tiles_x) * TILE;
    float least = INFINITY;
    for (int y = top; y < minimum(top + TILE, state->height); y++)
        for (int x = left; x < minimum(left + TILE, state->width); x++) {
            float blur = state->blur[(size_t)y * (size_t)state->width + (size_t)x];
            if (blur > 0 && blur < least) least = blur;
        }
    state->tile_blur[index] = least;
}

// A tile also follows its neighbours: their light may fall into it.
static void spread_tile(void *user, size_t index, int thread) {
    (void)thread;
    level_state *state = user;
    int column = (int)(index % (size_t)state->tiles_x), row = (int)(index / (size_t)state->tiles_x);
    float least = INFINITY;
    for (int y = row > 0 ? row - 1 : 0; y <= minimum(row + 1, state->tiles_y - 1); y++)
        for (int x = column > 0 ? column - 1 : 0; x <= minimum(column + 1, state->tiles_x - 1); x++)
            least = fminf(least, state->tile_blur[(size_t)y * (size_t)state->tiles_x + (size_t)x]);
    state->tile_spread[index] = isinf(least) ? LEVELS + 1 : fminf(LEVELS, log2f(fmaxf(1, least)));
}

// The wanted size between the middles of tiles, so that no tile's border shows.
static void choose_row(void *user, size_t row, int thread) {
    (void)thread;
    level_state *state = user;
    float place_y = ((float)row + 0.5F) / TILE - 0.5F;
    int low_y = place_y > 0 ? (int)place_y : 0, high_y = minimum(low_y + 1, state->tiles_y - 1);
    float part_y = place_y > 0 ? place_y - (float)low_y : 0;
    for (int x = 0; x < state->width; x++) {
        float place_x = ((float)x + 0.5F) / TILE - 0.5F;
        int low_x = place_x > 0 ? (int)place_x : 0, high_x = minimum(low_x + 1, state->tiles_x - 1);
        float part_x = place_x > 0 ? place_x - (float)low_x : 0;
        const float *upper = state->tile_spread + (size_t)low_y * (size_t)state->tiles_x;
        const float *lower = state->tile_spread + (size_t)high_y * (size_t)state->tiles_x;
        float a = upper[low_x] + part_x * (upper[high_x] - upper[low_x]);
        float b = lower[low_x] + part_x * (lower[high_x] - lower[low_x]);
        state->level[row * (size_t)state->width + (size_t)x] = a + part_y * (b - a);
    }
}

cdg_result cdg_light_filter_levels(const cdg_light_filter_def *def, const float *blur, float *level, cdg_error *error) {
    level_state state = {.width = def->width,
                         .height = def->height,
                         .tiles_x = (def->width + TILE - 1) / TILE,
                         .tiles_y = (def->height + TILE - 1) / TILE,
                         .blur = blur,
                         .level = level};
    size_t tiles = (size_t)state.tiles_x * (size_t)state.tiles_y;
    float *memory = calloc(2 * tiles, sizeof *memory);
    if (!memory) return fail_memory(def, error);
    state.tile_blur = memory;
    state.tile_spread = memory + tiles;
    cdg_parallel_for(tiles, def->threads, measure_tile, &state);
    cdg_parallel_for(tiles, def->threads, spread_tile, &state);
    cdg_parallel_for((size_t)def->height, def->threads, choose_row, &state);
    free(memory);
    return CDG_OK;
}

// ---- smoothing ------------------------------------------------------------------------------------------------------

typedef struct filter_state {
    int width, height;
    int size_x, size_y;          // of the box of this level
    float *sum, *weight;         // weighted light, and weights, of this level
    float *row_sum, *row_weight; // after the pass along rows
    const float *level;          // wanted log2 of the box, each pixel
    float *out;
    int level_index;
    int first_level;              // no pixel wants a smaller box
    int left, right, top, bottom; // the part of the picture in which something is hidden, and a box around it
} filter_state;

// Running sums over a box, as wide to the left as to the right (to a pixel), fewer at the border.
static void box_line(const float *in, float *out, int count, int size) {
    int before = size / 2, after = size - 1 - before;
    float sum = 0;
    for (int i = 0; i < minimum(after, count); i++) sum += in[i];
    for (int i = 0; i < count; i++) {
        if (i + after < count) sum += in[i + after];
        if (i - before - 1 >= 0) sum -= in[i - before - 1];
        out[i] = sum;
    }
}

static void filter_row(void *user, size_t row, int thread) {
    (void)thread;
    filter_state *state = user;
    size_t first = ((size_t)state->top + row) * (size_t)state->width + (size_t)state->left;
    box_line(state->sum + first, state->row_sum + first, state->right - state->left, state->size_x);
    box_line(state->weight + first, state->row_weight + first, state->right - state->left, state->size_x);
}

// Columns a strip at a time, row by row, so that memory is read in order.
enum { STRIP = 64 };
static void filter_strip(void *user, size_t strip, int thread) {
    (void)thread;
    filter_state *state = user;
    int left = state->left + (int)strip * STRIP, columns = minimum(STRIP, state->right - left);
    int before = state->size_y / 2, after = state->size_y - 1 - before;
    float sum[STRIP] = {0}, weight[STRIP] = {0};
    for (int y = state->top - after; y < state->bottom; y++) {
        if (y + after < state->bottom) {
            size_t enter = (size_t)(y + after) * (size_t)state->width + (size_t)left;
            for (int x = 0; x < columns; x++) {
                sum[x] += state->row_sum[enter + (size_t)x];
                weight[x] += state->row_weight[enter + (size_t)x];
            }
        }
        if (y < state->top) continue;
        if (y - before - 1 >= state->top) {
            size_t leave = (size_t)(y - before - 1) * (size_t)state->width + (size_t)left;
            for (int x = 0; x < columns; x++) {
                sum[x] -= state->row_sum[leave + (size_t)x];
                weight[x] -= state->row_weight[leave + (size_t)x];
            }
        }
        size_t at = (size_t)y * (size_t)state->width + (size_t)left;
        for (int x = 0; x < columns; x++) {
            // Each level takes part by how near its size is to the one wanted.
            float level = fminf(LEVELS, state->level[at + (size_t)x]),
                  part = 1 - fabsf(level - (float)state->level_index);
            if (part > 0) state->out[at + (size_t)x] += part * (weight[x] > 1e-3F ? sum[x] / weight[x] : 1);
        }
    }
}

// Finds the part of the picture to smooth; false: nothing is hidden anywhere.
static bool find_part(filter_state *state, const float *seen) {
    enum { MARGIN = 2 << LEVELS }; // both passes' boxes
    state->left = state->width, state->right = 0, state->top = state->height, state->bottom = 0;
    for (int y = 0; y < state->height; y++)
        for (int x = 0; x < state->width; x++) {
            if (!(seen[(size_t)y * (size_t)state->width + (size_t)x] < 1)) continue;
            if (x < state->left) state->left = x;
            if (x >= state->right) state->right = x + 1;
            if (y < state->top) state->top = y;
            state->bottom = y + 1;
        }
    if (state->right == 0) return false;
    state->left = state->left > MARGIN ? state->left - MARGIN : 0;
    state->top = state->top > MARGIN ? state->top - MARGIN : 0;
    state->right = minimum(state->width, state->right + MARGIN);
    state->bottom = minimum(state->height, state->bottom + MARGIN);
    float least = LEVELS;
    for (int y = state->top; y < state->bottom; y++)
        for (int x = state->left; x < state->right; x++)
            least = fminf(least, state->level[(size_t)y * (size_t)state->width + (size_t)x]);
    state->first_level = least > 0 ? (int)least : 0;
    return true;
}

static void filter_levels(const cdg_light_filter_def *def, filter_state *state) {
    size_t rows = (size_t)(state->bottom - state->top);
    size_t strips = (size_t)(state->right - state->left + STRIP - 1) / STRIP;
    for (int level = state->first_level; level <= LEVELS; level++) {
        state->level_index = level;
        state->size_x = 1 << level;
        int size_y = (int)lround(def->foreshortening * state->size_x);
        state->size_y = size_y < 1 ? 1 : size_y > state->size_x ? state->size_x : size_y;
        cdg_parallel_for(rows, def->threads, filter_row, state);
        cdg_parallel_for(strips, def->threads, filter_strip, state);
    }
}

cdg_result cdg_light_filter(const cdg_light_filter_def *def, float *seen, const float *weight, const float *level,
                            cdg_error *error) {
    filter_state state = {.width = def->width, .height = def->height, .level = level};
    if (!find_part(&state, seen)) return CDG_OK;
    size_t count = (size_t)def->width * (size_t)def->height;
    float *memory = calloc(5 * count, sizeof *memory);
    if (!memory) return fail_memory(def, error);
    state.sum = memory;
    state.weight = memory + count;
    state.row_sum = memory + 2 * count;
    state.row_weight = memory + 3 * count;
    state.out = memory + 4 * count;
    for (size_t i = 0; i < count; i++) {
        state.weight[i] = weight[i];
        state.sum[i] = weight[i] * seen[i];
    }
    // Once to take the noise away, once more to take away the box's corners.
    filter_levels(def, &state);
    for (size_t i = 0; i < count; i++) state.sum[i] = weight[i] * state.out[i];
    memset(state.out, 0, count * sizeof *state.out);
    filter_levels(def, &state);
    size_t length = (size_t)(state.right - state.left) * sizeof *seen;
    for (int y = state.top; y < state.bottom; y++) {
        size_t first = (size_t)y * (size_t)state.width + (size_t)state.left;
        memcpy(seen + first, state.out + first, length);
    }
    free(memory);
    return CDG_OK;
}
