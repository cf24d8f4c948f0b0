// A picture as the page gets it: a header and blocks of 32-bit numbers (docs/view-protocol.md), built in memory that is
// used again.
#ifndef CDG_VIEW_PICTURE_MESSAGE_H
#define CDG_VIEW_PICTURE_MESSAGE_H

#include "view/board.h"

#include <cordage/base.h>

typedef enum cdg_block {
    CDG_BLOCK_POSITIONS = 1,
    CDG_BLOCK_FRAMES,
    CDG_BLOCK_VALUES,
    CDG_BLOCK_CONTACTS,
    CDG_BLOCK_BODIES,
    CDG_BLOCK_OBSTACLES,
    CDG_BLOCK_HANDS,
    CDG_BLOCK_SOLIDS,
    CDG_BLOCK_RANGE
} cdg_block;

typedef struct cdg_picture_draft {
    unsigned char *bytes;
    size_t size, capacity;
    uint32_t index, block_count;
    bool has_failed; // no memory
} cdg_picture_draft;

void cdg_draft_begin(cdg_picture_draft *draft, uint32_t epoch, uint32_t index, double time);
// Appends a block of `count` numbers, which the caller fills; NULL: no memory, and the picture will be left out. The
// address is good until the next block.
float *cdg_draft_block(cdg_picture_draft *draft, cdg_block id, size_t count);
void cdg_draft_vectors(cdg_picture_draft *draft, cdg_block id, const cdg_vec3 *vectors, size_t count);
cdg_message *cdg_draft_finish(cdg_picture_draft *draft); // NULL: no memory
void cdg_draft_free(cdg_picture_draft *draft);

float *cdg_put_vec3(float *to, cdg_vec3 v);                              // returns where to go on
float *cdg_put_pose(float *to, cdg_vec3 position, cdg_quat orientation); // 7 numbers

#endif
