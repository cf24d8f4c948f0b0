// A tree of boxes over triangles that finds the nearest point of them all.
#ifndef CDG_MESHING_TRIANGLE_TREE_H
#define CDG_MESHING_TRIANGLE_TREE_H

#include "base/patience.h"

#include <cordage/meshing.h>

typedef struct cdg_triangle_tree {
    struct cdg_tree_box *nodes;
    cdg_vec3 (*corners)[3]; // in the order of the leaves
    uint32_t *source;       // which triangle of the mesh each was
    size_t count;
} cdg_triangle_tree;

// False: no memory, or no patience (may be NULL). Triangles without area are fine; coordinates must be finite.
bool cdg_triangle_tree_build(const cdg_mesh *mesh, cdg_patience *patience, cdg_triangle_tree *out);
void cdg_triangle_tree_free(cdg_triangle_tree *tree);

// Distance squared to the nearest triangle, whose place in the tree's order is *leaf. `hint`: a leaf to begin with.
double cdg_triangle_tree_nearest(const cdg_triangle_tree *tree, cdg_vec3 point, uint32_t hint, uint32_t *leaf);

// Distance squared of a point and a triangle.
double cdg_triangle_distance2(const cdg_vec3 corners[3], cdg_vec3 point);

#endif
