// Fibres that follow guides (<cordage/strands.h>): the one formula, for poses and for their rates.
#ifndef CDG_GEOMETRY_FIBERS_H
#define CDG_GEOMETRY_FIBERS_H

#include "math/mat3.h"
#include "math/quat.h"

#include <cordage/strands.h>

// A guide at one of its nodes. Positions of fibres are linear in these twelve numbers, so their rates of change go
// through the same formula.
typedef struct cdg_guide_node {
    cdg_vec3 position;
    mat3 axes; // columns d1, d2, d3
} cdg_guide_node;

// Of a guide of node_count nodes from its nodes' positions and its elements' frames.
void cdg_guide_set(const cdg_vec3 *positions, const cdg_quat *frames, size_t node_count, cdg_guide_node *out);
// Its rates from velocities of nodes and angular velocities of elements, these in the material frame.
void cdg_guide_set_rates(const cdg_guide_node *guide, const cdg_quat *frames, const cdg_vec3 *velocities,
                         const cdg_vec3 *angular_velocities, size_t node_count, cdg_guide_node *out);

// The ways from the guides' first nodes to a fibre's root, seen from their first frames; `guides` are guide_count *
// node_count nodes at the start.
void cdg_fiber_root(const cdg_fibers *fibers, size_t fiber, const cdg_guide_node *guides,
                    cdg_vec3 out[CDG_FIBER_GUIDES]);
// Positions (or velocities, from rates) of a fibre's nodes; out has room for node_count.
void cdg_fiber_place(const cdg_fibers *fibers, size_t fiber, const cdg_vec3 root[CDG_FIBER_GUIDES],
                     const cdg_guide_node *guides, cdg_vec3 *out);
// How much of a fibre's last element is left, in (0, 1].
double cdg_fiber_last_share(const cdg_fibers *fibers, size_t fiber);

#endif
