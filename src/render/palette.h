// A picture in 256 colours of its own, for films as GIF.
#ifndef CDG_RENDER_PALETTE_H
#define CDG_RENDER_PALETTE_H

#include <cordage/base.h>

enum { CDG_PALETTE_SIZE = 256, CDG_PALETTE_CELLS = 1 << 15 };

typedef struct cdg_palette {
    uint8_t colors[CDG_PALETTE_SIZE][3];
    uint8_t nearest[CDG_PALETTE_CELLS]; // colour for each cell of 5 bits a channel
    uint32_t counts[CDG_PALETTE_CELLS]; // pixels in each
    uint16_t cells[CDG_PALETTE_CELLS];  // those with pixels, box after box
} cdg_palette;

// Chooses the colours by median cut: the box of colours that spreads widest, weighed by its pixels, is cut at its
// middle until there are enough boxes; each is shown by its mean. `count` pixels of red, green, blue.
void cdg_palette_choose(const uint8_t *rgb, size_t count, cdg_palette *out);
// The colour for a pixel.
uint8_t cdg_palette_index(const cdg_palette *palette, const uint8_t rgb[3]);

#endif
