// Median cut (Heckbert 1982) over cells of 5 bits a channel. libavfilter has the same, but would be one more library of
// forty to load; this is the part of it that a film needs.
#include "render/palette.h"

#include <string.h>

typedef struct color_box {
    size_t first, count; // of `cells`
    uint64_t pixels;
    int low[3], high[3]; // of cells' channels, 0 to 31
} color_box;

static int channel(uint16_t cell, int k) { return cell >> (10 - 5 * k) & 31; }

static uint16_t cell_of(const uint8_t rgb[3]) {
    return (uint16_t)((rgb[0] >> 3) << 10 | (rgb[1] >> 3) << 5 | rgb[2] >> 3);
}

uint8_t cdg_palette_index(const cdg_palette *palette, const uint8_t rgb[3]) { return palette->nearest[cell_of(rgb)]; }

static void measure(const cdg_palette *p, color_box *box) {
    box->pixels = 0;
    for (int k = 0; k < 3; k++) box->low[k] = 31, box->high[k] = 0;
    for (size_t i = box->first; i < box->first + box->count; i++) {
        box->pixels += p->counts[p->cells[i]];
        for (int k = 0; k < 3; k++) {
            int value = channel(p->cells[i], k);
            if (value < box->low[k]) box->low[k] = value;
            if (value > box->high[k]) box->high[k] = value;
        }
    }
}

static int widest(const color_box *box) {
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (box->high[k] - box->low[k] > box->high[best] - box->low[best]) best = k;
    return best;
}

// How much there is to gain by cutting: the root of the pixels, so that thin rods count beside their background.
static double worth(const color_box *box) {
    int k = widest(box), width = box->high[k] - box->low[k];
    double pixels = (double)box->pixels;
    return box->count < 2 ? 0 : (double)(width * width) * (pixels > 1e4 ? 100 + pixels / 1e4 : pixels / 100 + 1);
}

// Cuts where half of the pixels are: the cells up to there come first.
static void cut(cdg_palette *p, color_box *box, color_box *other) {
    int k = widest(box);
    uint64_t pixels = 0;
    int at = box->low[k];
    for (; at < box->high[k] - 1; at++) { // the last value stays on the other side
        for (size_t i = box->first; i < box->first + box->count; i++)
            if (channel(p->cells[i], k) == at) pixels += p->counts[p->cells[i]];
        if (2 * pixels >= box->pixels) break;
    }
    size_t low = box->first, high = box->first + box->count; // cells up to `at` go to the front
    while (low < high) {
        if (channel(p->cells[low], k) <= at) {
            low++;
            continue;
        }
        uint16_t swap = p->cells[--high];
        p->cells[high] = p->cells[low];
        p->cells[low] = swap;
    }
    *other = (color_box){.first = low, .count = box->first + box->count - low};
    box->count = low - box->first;
    measure(p, box);
    measure(p, other);
}

// The mean of all pixels of a box, from their whole bytes.
static void set_means(const uint8_t *rgb, size_t count, cdg_palette *p) {
    uint64_t sums[CDG_PALETTE_SIZE][3] = {{0}}, pixels[CDG_PALETTE_SIZE] = {0};
    for (size_t i = 0; i < count; i++) {
        uint8_t index = cdg_palette_index(p, rgb + 3 * i);
        pixels[index]++;
        for (int k = 0; k < 3; k++) sums[index][k] += rgb[3 * i + (size_t)k];
    }
    for (int i = 0; i < CDG_PALETTE_SIZE; i++)
        for (int k = 0; k < 3; k++)
            if (pixels[i] > 0) p->colors[i][k] = (uint8_t)((sums[i][k] + pixels[i] / 2) / pixels[i]);
}

void cdg_palette_choose(const uint8_t *rgb, size_t count, cdg_palette *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++) out->counts[cell_of(rgb + 3 * i)]++;
    color_box boxes[CDG_PALETTE_SIZE] = {{.first = 0}};
    for (size_t cell = 0; cell < CDG_PALETTE_CELLS; cell++)
        if (out->counts[cell] > 0) out->cells[boxes[0].count++] = (uint16_t)cell;
    measure(out, &boxes[0]);
    size_t box_count = 1;
    for (; box_count < CDG_PALETTE_SIZE; box_count++) {
        size_t best = 0;
        for (size_t i = 1; i < box_count; i++)
            if (worth(&boxes[i]) > worth(&boxes[best])) best = i;
        if (!(worth(&boxes[best]) > 0)) break;
        cut(out, &boxes[best], &boxes[box_count]);
    }
    for (size_t i = 0; i < box_count; i++)
        for (size_t k = boxes[i].first; k < boxes[i].first + boxes[i].count; k++)
            out->nearest[out->cells[k]] = (uint8_t)i;
    set_means(rgb, count, out);
}
