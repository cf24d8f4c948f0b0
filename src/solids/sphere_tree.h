// Trees of spheres around the points of something that deforms (appendix B of the thesis; balanced after O'Sullivan and
// Dingliana 1999). A sphere encloses its points, not its children's spheres. When points move, spheres are not measured
// again: positions are fitted by functions of the rest positions, linear or quadratic (as in shape_matching.h), the fit
// carries centres along, its norms bound how far it spreads points, and the largest distance of a sphere's points from
// their fits is added. The thesis takes that distance over points that collided, which bounds nothing; here it is that
// of all points of the sphere, found in the pass over points that the fit needs anyhow. Centre and radius of a
// sphere are found when a search first asks for them.
#ifndef CDG_SOLIDS_SPHERE_TREE_H
#define CDG_SOLIDS_SPHERE_TREE_H

#include <cordage/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPHERE_TREE_BASIS_MAX = 9, SPHERE_TREE_LEAF = 4, SPHERE_TREE_GROUP = 8 };

typedef struct cdg_sphere {
    cdg_vec3 center;
    double radius;
} cdg_sphere;

// What a search looks at, in one line of the cache.
typedef struct sphere_node {
    cdg_sphere sphere; // of the move with this stamp
    uint64_t stamp;
    uint32_t first, count; // of the points in the tree's order
    uint32_t child;        // the first of two; 0: a leaf
    uint32_t level;        // of the root 0
} sphere_node;

typedef struct sphere_rest {
    double spread;                        // m: at rest, of positions from the centre's
    double bend;                          // of quadratic functions from the centre's
    double middle[SPHERE_TREE_BASIS_MAX]; // functions at the centre
} sphere_rest;

typedef struct sphere_range {
    uint32_t first, count, child;
} sphere_range;

typedef struct cdg_sphere_tree {
    size_t point_count, room, node_count; // room: whole groups of points
    int basis_count;                      // 3 or 9
    bool is_flat;                         // rest positions in a plane: spreads are of functions, not positions
    uint32_t *index;                      // point_count: which point of the caller's
    double *basis[SPHERE_TREE_BASIS_MAX]; // room
    double *x[3];                         // room: present positions
    double *away2;                        // room, m^2: distances from the fits, squared
    double frame[3][3];                   // inverse of what makes rest positions of linear functions
    sphere_node *nodes;
    sphere_rest *rests;   // node_count
    sphere_range *ranges; // node_count: the same in little memory, for the pass over all
    double *residual;     // node_count, m: at most, of its points from their fits now
    // of the last move
    cdg_vec3 center;
    double fit[SPHERE_TREE_BASIS_MAX][3];
    double linear_norm, quadratic_norm;
    uint64_t stamp, updates; // spheres that searches asked for since the tree was built
    void *block;
} cdg_sphere_tree;

// Of `count` points (at least one) at rest. `is_quadratic`: fits may bend.
cdg_result cdg_sphere_tree_build(cdg_sphere_tree *out, const cdg_vec3 *rest, size_t count, bool is_quadratic,
                                 cdg_error *error);
void cdg_sphere_tree_free(cdg_sphere_tree *tree);

// Points are here now: position k of the caller's points in x[0 .. 2][at[k]], at NULL: x[0 .. 2][k].
void cdg_sphere_tree_move(cdg_sphere_tree *tree, double *const x[3], const uint32_t *at);
cdg_sphere cdg_sphere_tree_get(cdg_sphere_tree *tree, size_t node);
// All spheres down to a level: searches to that level then only read, and may share the tree among threads.
void cdg_sphere_tree_refresh(cdg_sphere_tree *tree, uint32_t level);

// Pairs of spheres of two trees that overlap, at a level or where leaves come before it.
typedef struct sphere_pair {
    uint32_t a, b;
} sphere_pair;
typedef struct sphere_pairs { // keeps its memory from call to call; zero is a good start
    sphere_pair *pairs, *stack;
    size_t count, capacity, stack_capacity;
} sphere_pairs;
// Adds to `out`. False: no memory.
bool cdg_sphere_trees_meet(cdg_sphere_tree *a, cdg_sphere_tree *b, uint32_t level, sphere_pairs *out);
void cdg_sphere_pairs_free(sphere_pairs *pairs);

// A ball around points that is nearly the smallest: as weights of its centre. `weights` may be NULL.
cdg_sphere cdg_sphere_around(double *const x[3], size_t first, size_t count, double *weights);

// sphere_tree_simd.c: sums of positions with functions (and of positions), then distances from the fit.
#define SPHERE_TREE_DECLARE(suffix)                                                                                    \
    void cdg_sphere_tree_sum##suffix(cdg_sphere_tree *tree);                                                           \
    void cdg_sphere_tree_leave##suffix(cdg_sphere_tree *tree);
SPHERE_TREE_DECLARE(_base)
SPHERE_TREE_DECLARE(_avx2)
SPHERE_TREE_DECLARE(_avx512)
#undef SPHERE_TREE_DECLARE

#endif
