// An octree that is fine about given cubes and coarse elsewhere; cubes that share an edge differ by a factor of two at
// most.
#ifndef CDG_MESHING_OCTREE_H
#define CDG_MESHING_OCTREE_H

#include "meshing/bcc.h"
#include "meshing/key_map.h"

typedef struct cdg_octree {
    int levels;
    cdg_key_map divided[CDG_BCC_LEVELS + 1]; // cubes of each level that are divided
    cdg_key_map leaves;                      // middles of those that are not: the level is in the key
} cdg_octree;

void cdg_octree_free(cdg_octree *tree, cdg_budget *budget);

// All cubes of level 0 that touch `cube`, corners included, are to be there. False: no memory.
bool cdg_octree_refine_about(cdg_octree *tree, uint64_t cube, cdg_budget *budget);
// All of a cube of any level is to be divided into cubes of level 0.
bool cdg_octree_refine_all(cdg_octree *tree, uint64_t cube, cdg_budget *budget);
// Divides what must be so that neighbours are balanced, with `layers` cubes of each size beside each other at least,
// and lists the leaves.
bool cdg_octree_finish(cdg_octree *tree, int layers, cdg_budget *budget);

typedef enum cdg_octree_relation {
    CDG_OCTREE_SAME,
    CDG_OCTREE_LARGER,
    CDG_OCTREE_SMALLER,
    CDG_OCTREE_NONE
} cdg_octree_relation;

// What lies beyond a side of a leaf: its number, or with SMALLER nothing (four lie there).
cdg_octree_relation cdg_octree_beyond(const cdg_octree *tree, uint64_t leaf, int level, int side, uint32_t *number);
// The four smaller ones beyond a side.
void cdg_octree_smaller(const cdg_octree *tree, uint64_t leaf, int level, int side, uint32_t out[4]);

#endif
