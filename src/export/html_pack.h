// Pictures of a run in few bytes: numbers as 16-bit steps of their range, differences in time and along the rod, bytes
// in planes, deflated in chunks that can be unpacked alone.
#ifndef CDG_EXPORT_HTML_PACK_H
#define CDG_EXPORT_HTML_PACK_H

#include "export/bytes.h"

#include <stdint.h>

enum { CDG_PACK_COMPONENTS_MAX = 8 };

// Numbers of one kind that each picture has, `components` for each of `count` entries.
typedef struct cdg_pack_block {
    size_t components, count;
    bool is_ragged;                      // each picture has its own count, which is written before the entries
    double low[CDG_PACK_COMPONENTS_MAX]; // range over all pictures
    double high[CDG_PACK_COMPONENTS_MAX];
    uint16_t *before; // components * count: codes of the picture before; NULL: ragged
    bool has_before;
} cdg_pack_block;

// A ragged block has count 0. False: out of memory.
bool cdg_pack_block_make(cdg_pack_block *block, size_t components, size_t count, bool is_ragged);
void cdg_pack_block_free(cdg_pack_block *block);

// First all pictures are shown to the block, for the range. What is not finite does not count.
void cdg_pack_block_widen(cdg_pack_block *block, const double *values, size_t count);
// What a step of the code is worth. Code c > 0 stands for low + (c - 1) step; 0 for no number.
double cdg_pack_block_step(const cdg_pack_block *block, size_t component);

// Then appends one picture's numbers. Of a picture that begins a chunk nothing is left out.
void cdg_pack_block_put(cdg_pack_block *block, const double *values, size_t count, cdg_bytes *out);
void cdg_pack_block_restart(cdg_pack_block *block);

// Deflates a chunk and appends it in base64.
void cdg_pack_chunk(const cdg_bytes *chunk, cdg_bytes *out);

#endif
