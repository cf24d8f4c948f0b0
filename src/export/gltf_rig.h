// A rod's skin bound to joints at its nodes, for formats that animate meshes by moving joints.
//
// Bound pose: the rod lies along z with its sections across, its nodes at *half* their rest arc length. Between two
// nodes at distance L a vertex at z = L u/2 follows their joints with weights w = 1 - 3 u^2 + 2 u^3 and 1 - w. Joints
// stand at the nodes with d3 along the tangent, so the centreline between nodes x0, x1 with tangents d, d' becomes
//     w (x0 + L u/2 d) + (1 - w) (x1 - L (1 - u)/2 d'),
// which has the tangents of the joints at both ends (w' = 0 there), so it is smooth across nodes, and in the middle
// bulges by L (d - d')/8: the sagitta of an arc. A bound pose of full length would bulge twice as far. On a straight
// rod this is the fraction t = (u + 3 u^2 - 2 u^3)/2 of the element, so a ring at t is bound with the u that solves
// this. Rings at nodes are placed exactly.
#ifndef CDG_EXPORT_GLTF_RIG_H
#define CDG_EXPORT_GLTF_RIG_H

#include "geometry/skin.h"
#include "output/run_reader.h"

enum { CDG_GLTF_JOINTS_MAX = 65535 }; // joints are 16-bit numbers in glTF

typedef struct cdg_gltf_rig {
    cdg_skin *skin;
    const cdg_run_rod *rod;
    // One a node; a closed rod's first node has a second joint at the end, which moves as the first one does. Its bound
    // pose holds the turn by which the skin is joined there (cdg_skin.closing_turn).
    size_t joint_count;
    float *positions;            // 3 vertex_count, m, in the bound pose
    uint16_t *joints;            // 4 vertex_count; unused ones are 0
    float *weights;              // 4 vertex_count
    float *inverse_bind;         // 16 joint_count, by columns
    size_t *station;             // node_count: the skin's station at each node
    cdg_vec3 *station_positions; // scratch, station_count
    cdg_quat *turns;             // scratch, station_count
} cdg_gltf_rig;

// Vertices of the skin that a rod will get, about: without its ends.
double cdg_gltf_rig_vertices(const cdg_run_rod *rod);

// `frames` are those of the elements at some moment, best a late one; only closed rods need them.
cdg_result cdg_gltf_rig_create(const cdg_run_rod *rod, const cdg_quat *frames, cdg_gltf_rig *out, cdg_error *error);
void cdg_gltf_rig_free(cdg_gltf_rig *rig); // fine when zero, or twice

// The frames of the joints at the nodes (node_count), for a pose of the rod; they stand at the nodes' positions.
cdg_result cdg_gltf_rig_pose(cdg_gltf_rig *rig, const cdg_vec3 *positions, const cdg_quat *frames, cdg_quat *out,
                             cdg_error *error);

#endif
