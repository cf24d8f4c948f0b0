// Passages of the surface along many parallel lines at once: rows of voxels of which each line has one in each row.
#ifndef CDG_MESHING_PASSAGES_H
#define CDG_MESHING_PASSAGES_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_FAR_VOXEL = 255 };

typedef struct cdg_passage_rows {
    int width, length, slant;      // columns; rows; by how many columns, -1 to 1, a line moves from row to row
    ptrdiff_t stride;              // between rows
    const unsigned char *nearness; // of the first row; CDG_FAR_VOXEL: far
    unsigned char *votes;          // gets twice the vote for inside
    unsigned char *abstentions;    // gets one where the line does not vote
} cdg_passage_rows;

// A line that is near the surface passes it once, at the nearest voxel, unless it meets triangles (nearness of at most
// `met`), leaves them by more than voxels blur (at least `left`), and meets some again. Lines with an odd number of
// passages abstain.
void cdg_passages_vote(const cdg_passage_rows *rows, int met, int left, unsigned char *scratch);
size_t cdg_passages_scratch(int width, int length); // bytes

#endif
