// Eight boxes side by side, and the comparison of one box with eight at once, compiled for each instruction set.
#ifndef CDG_CONTACT_BOX_GROUPS_H
#define CDG_CONTACT_BOX_GROUPS_H

#include "contact/box_pairs.h"

enum { CDG_GROUP = 8, CDG_TREE_LEVELS_MAX = 11 }; // 8^11 boxes are more than there can be

typedef struct cdg_box_group {
    double low[3][CDG_GROUP], high[3][CDG_GROUP]; // entries without a box hold one that overlaps nothing
} cdg_box_group;

// The tree above the leaves. Level 0 holds the boxes of the leaves, sorted in space; level k + 1 those of the groups of
// level k; the last level is one group.
typedef struct cdg_box_tree {
    const cdg_box_group *level[CDG_TREE_LEVELS_MAX];
    int level_count;
    size_t leaf_count;
} cdg_box_tree;

// A list that the kernels write to; grow makes room for `more` entries and returns false when there is no memory.
typedef struct cdg_pair_list {
    cdg_box_pair *pairs;
    size_t count, capacity;
    bool (*grow)(struct cdg_pair_list *list, size_t more);
} cdg_pair_list;

typedef struct cdg_box_kernels {
    // All pairs of leaves whose boxes overlap, each leaf with itself too, as ranks on level 0, a <= b.
    bool (*find_leaves)(const cdg_box_tree *tree, cdg_pair_list *out);
    // Pairs between the boxes of group a and those of its partners (b: ascending numbers of groups, not below a), in
    // ascending order. `groups` and the boxes around them, `bounds`, are indexed by number. Overwrites partners' a.
    bool (*compare_groups)(const cdg_box_group *groups, const cdg_box *bounds, uint32_t a, cdg_box_pair *partners,
                           size_t partner_count, cdg_pair_list *out);
    // Pairs between boxes [a, a_end) and [b, b_end); the same range twice: each pair once. Box i is in group i / 8.
    bool (*compare_ranges)(const cdg_box_group *groups, size_t a, size_t a_end, size_t b, size_t b_end,
                           cdg_pair_list *out);
} cdg_box_kernels;

extern const cdg_box_kernels cdg_box_kernels_base, cdg_box_kernels_avx2, cdg_box_kernels_avx512;

#endif
