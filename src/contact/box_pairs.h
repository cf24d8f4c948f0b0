// Broad phase: which of many axis-aligned boxes overlap. Two methods that give the same pairs in the same order.
//
// `tree` is a tree of boxes with eight children a node, made anew each time: consecutive boxes, which on a rod follow
// each other in space as in memory, share a leaf, and leaves are sorted along a space-filling curve. `grid` sorts boxes
// into equal cells. The tree is the faster on a coiled rope (bench contact_broad_phase). It wants neighbours in
// memory to be neighbours in space; where they are not, as in a heap of pieces, and sizes are alike, the grid is
// chosen.
#ifndef CDG_CONTACT_BOX_PAIRS_H
#define CDG_CONTACT_BOX_PAIRS_H

#include <cordage/base.h>

typedef struct cdg_box {
    double low[3], high[3]; // m
} cdg_box;

typedef struct cdg_box_pair {
    uint32_t a, b; // a < b
} cdg_box_pair;

typedef enum cdg_broad_phase { CDG_BROAD_AUTO, CDG_BROAD_TREE, CDG_BROAD_GRID } cdg_broad_phase;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_box_finder {
    cdg_broad_phase method; // automatic: by order and size of the boxes
    int threads;            // that share a search out and ask the filter at once; less than 2: none
    cdg_box_pair *pairs;    // of the last search, in ascending order of a, then b
    size_t pair_count, pair_capacity;
    // private to the search
    struct cdg_box_group *groups; // boxes, and the tree's nodes
    size_t group_capacity;
    uint32_t *numbers;
    size_t number_capacity;
    uint64_t *keys;
    size_t key_capacity;
    cdg_box_pair *sorting;
    size_t sorting_capacity;
    struct cdg_box_part *parts; // NULL: they were not needed yet
} cdg_box_finder;

void cdg_box_finder_free(cdg_box_finder *finder);

// Which pairs are of interest, asked before they are kept; NULL: all.
typedef bool (*cdg_pair_filter)(const void *user, uint32_t a, uint32_t b);

// Boxes that touch overlap. A box with a corner that is not a number overlaps nothing.
cdg_result cdg_box_finder_find(cdg_box_finder *finder, const cdg_box *boxes, size_t count, cdg_pair_filter filter,
                               const void *user, cdg_error *error);

// The same, of pairs between the first `split` boxes and the others alone.
cdg_result cdg_box_finder_find_between(cdg_box_finder *finder, const cdg_box *boxes, size_t split, size_t count,
                                       cdg_error *error);

static inline bool cdg_boxes_overlap(const cdg_box *a, const cdg_box *b) {
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

#endif
