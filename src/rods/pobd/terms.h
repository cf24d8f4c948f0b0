// The terms of the pobd objective for single elements, nodes and anchors, in plain doubles.
#ifndef CDG_RODS_POBD_TERMS_H
#define CDG_RODS_POBD_TERMS_H

#include "rods/pobd/problem.h"

// N/m, stands for a held node's infinite weight: beyond any stiffness, and its cube is still a finite double.
#define POBD_HELD_WEIGHT 1e40

#define REAL double
#define BLOCK(name) block_##name

static inline double block_load(const double *array, size_t index, size_t stride) { return array[index * stride]; }
static inline double block_select_less(double a, double b, double x, double y) { return a < b ? x : y; }

#include "math/block3_template.h"
// its vectors and matrices serve
#include "rods/pobd/terms_template.h"

#undef REAL
#undef BLOCK

static inline block_rotation block_from_quat(cdg_quat q) { return (block_rotation){q.w, q.x, q.y, q.z}; }

// The half cell of an anchor: the element right of it is `right` of the term, the one left of it `left`; the section
// itself is prescribed. The other side's derivatives are of no use.
static inline block_bend_term block_anchor_at(const pobd_problem *problem, const pobd_anchor *anchor, size_t element,
                                              bool is_right, bool is_exact) {
    block_rotation section = block_from_quat(anchor->frame);
    block_rotation q = block_load_rotation((const double *const *)problem->q, element);
    block_rotation turn = is_right ? block_relative(section, q) : block_relative(q, section);
    block_vector stiffness = {anchor->stiffness[0], anchor->stiffness[1], anchor->stiffness[2]};
    return block_bend(turn, block_from_quat(anchor->rest_half), stiffness, pobd_measure(problem), is_exact);
}

// SIZE_MAX where there is none.
static inline size_t pobd_left_element(const pobd_problem *problem, size_t node) {
    return node > 0 ? node - 1 : problem->is_closed ? problem->element_count - 1 : SIZE_MAX;
}
static inline size_t pobd_right_element(const pobd_problem *problem, size_t node) {
    return node < problem->element_count ? node : SIZE_MAX;
}
static inline size_t pobd_next_node(const pobd_problem *problem, size_t element) {
    return element + 1 < problem->node_count ? element + 1 : 0;
}

#endif
