// The octree as sets of divided cubes, one a level: a level's set grows from the one below, by neighbours' parents.
#include "meshing/octree.h"

void cdg_octree_free(cdg_octree *tree, cdg_budget *budget) {
    for (int l = 0; l <= CDG_BCC_LEVELS; l++) cdg_key_map_free(&tree->divided[l], budget);
    cdg_key_map_free(&tree->leaves, budget);
}

// Divides the parents (level + 1) of all cubes of `level` within `reach` cubes about `middle`.
static bool divide_parents(cdg_octree *tree, uint64_t middle, int level, int reach, cdg_budget *budget) {
    long first[3], last[3], limit = (1L << (tree->levels - level - 1)) - 1;
    for (int a = 0; a < 3; a++) {
        long index = bcc_coordinate(middle, a) >> (level + 1);
        first[a] = (index - reach) >> 1;
        last[a] = (index + reach) >> 1;
        if (first[a] < 0) first[a] = 0;
        if (last[a] > limit) last[a] = limit;
    }
    for (long z = first[2]; z <= last[2]; z++)
        for (long y = first[1]; y <= last[1]; y++)
            for (long x = first[0]; x <= last[0]; x++) {
                uint64_t key = bcc_key((uint32_t)(2 * x + 1) << (level + 1), (uint32_t)(2 * y + 1) << (level + 1),
                                       (uint32_t)(2 * z + 1) << (level + 1));
                if (cdg_key_map_add(&tree->divided[level + 1], key, budget) == CDG_NO_NUMBER) return false;
            }
    return true;
}

bool cdg_octree_refine_about(cdg_octree *tree, uint64_t cube, cdg_budget *budget) {
    return divide_parents(tree, cube, 0, 1, budget);
}

bool cdg_octree_refine_all(cdg_octree *tree, uint64_t cube, cdg_budget *budget) {
    int level = bcc_level(cube);
    if (level == 0) return divide_parents(tree, cube, 0, 0, budget);
    uint32_t low[3], side = 1u << (level - 1); // cubes of level 1 along an edge
    for (int a = 0; a < 3; a++) low[a] = (bcc_coordinate(cube, a) - (1u << level)) / 4;
    for (uint32_t z = 0; z < side; z++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++) {
                uint64_t key = bcc_key(4 * (low[0] + x) + 2, 4 * (low[1] + y) + 2, 4 * (low[2] + z) + 2);
                if (cdg_key_map_add(&tree->divided[1], key, budget) == CDG_NO_NUMBER) return false;
            }
    return true;
}

static uint64_t child_of(uint64_t middle, int level, int child) { return bcc_corner(middle, level - 1, child); }

static bool list_leaves(cdg_octree *tree, cdg_budget *budget) {
    for (int level = 1; level <= tree->levels; level++)
        for (uint32_t i = 0; i < tree->divided[level].count; i++)
            for (int c = 0; c < 8 && cdg_budget_lasts(budget, i); c++) {
                uint64_t child = child_of(tree->divided[level].keys[i], level, c);
                if (level > 1 && cdg_key_map_find(&tree->divided[level - 1], child) != CDG_NO_NUMBER) continue;
                if (cdg_key_map_add(&tree->leaves, child, budget) == CDG_NO_NUMBER) return false;
            }
    return !cdg_patience_is_over(budget->patience);
}

bool cdg_octree_finish(cdg_octree *tree, int layers, cdg_budget *budget) {
    for (int level = 1; level < tree->levels; level++)
        for (uint32_t i = 0; i < tree->divided[level].count; i++)
            if (!cdg_budget_lasts(budget, i) ||
                !divide_parents(tree, tree->divided[level].keys[i], level, layers, budget))
                return false;
    return list_leaves(tree, budget);
}

// ---- neighbours -----------------------------------------------------------------------------------------------------

static bool is_in_root(const cdg_octree *tree, uint64_t leaf, int level, int side) {
    uint32_t x = bcc_coordinate(leaf, side / 2);
    return side % 2 == 0 ? x + (1u << level) < 2u << tree->levels : x > 1u << level;
}

cdg_octree_relation cdg_octree_beyond(const cdg_octree *tree, uint64_t leaf, int level, int side, uint32_t *number) {
    if (!is_in_root(tree, leaf, level, side)) return CDG_OCTREE_NONE;
    uint64_t same = bcc_neighbour(leaf, level, side);
    *number = cdg_key_map_find(&tree->leaves, same);
    if (*number != CDG_NO_NUMBER) return CDG_OCTREE_SAME;
    *number = cdg_key_map_find(&tree->leaves, bcc_parent(same, level));
    return *number != CDG_NO_NUMBER ? CDG_OCTREE_LARGER : CDG_OCTREE_SMALLER;
}

void cdg_octree_smaller(const cdg_octree *tree, uint64_t leaf, int level, int side, uint32_t out[4]) {
    uint64_t same = bcc_neighbour(leaf, level, side);
    int count = 0;
    for (int c = 0; c < 8; c++)
        if ((c >> side / 2 & 1) == side % 2) // the half that faces the leaf
            out[count++] = cdg_key_map_find(&tree->leaves, child_of(same, level, c));
}
