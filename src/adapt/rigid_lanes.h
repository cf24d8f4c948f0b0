// Nodes and frames that take their share of a rigid motion, one in each lane: how momentum follows from it, and what
// it does to their velocities.
#ifndef CDG_ADAPT_RIGID_LANES_H
#define CDG_ADAPT_RIGID_LANES_H

#include "math/vec3.h"

#include <stdbool.h>
#include <stddef.h>

enum { CDG_RIGID_GROUP = 8, CDG_RIGID_LANES = 3 * CDG_RIGID_GROUP };
typedef double cdg_rigid_lane[CDG_RIGID_LANES];

// A node moves by share (u + turn x arm); a frame spins by the turn, or, if it follows its edge, about d3 by the part
// of it along an axis. Lanes that nobody needs have neither mass nor inertia, and an axis of zero.
typedef struct cdg_rigid_nodes {
    cdg_rigid_lane mass, share, x[3], arm[3], v[3]; // positions and arms from the centre, m
} cdg_rigid_nodes;
typedef struct cdg_rigid_frames {
    bool follows;
    cdg_rigid_lane inertia[3], q[4], w[3], axis[3];
} cdg_rigid_frames;

// Sums over what moves; m, x and r: the mass times share, position and arm of a node.
typedef struct cdg_rigid_sums {
    double mass, along; // m, m x.r
    double x[3], r[3];  // m x, m r
    double turn[3][3];  // angular momentum by turns, less m x.r of nodes
} cdg_rigid_sums;

// What velocities change by.
typedef struct cdg_rigid_change {
    cdg_rigid_lane v[3], w[3];
} cdg_rigid_change;

// Both: of the first `groups` of lanes.
void cdg_rigid_sum(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups, cdg_rigid_sums *out);
// Returns the kinetic energy that is gained, J.
double cdg_rigid_move(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups, cdg_vec3 u,
                      cdg_vec3 turn, cdg_rigid_change *out);

#define CDG_RIGID_DECLARE(suffix)                                                                                      \
    void cdg_rigid_sum##suffix(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups,            \
                               cdg_rigid_sums *out);                                                                   \
    double cdg_rigid_move##suffix(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups,         \
                                  cdg_vec3 u, cdg_vec3 turn, cdg_rigid_change *out);
CDG_RIGID_DECLARE(_base)
CDG_RIGID_DECLARE(_avx2)
CDG_RIGID_DECLARE(_avx512)
#undef CDG_RIGID_DECLARE

#endif
