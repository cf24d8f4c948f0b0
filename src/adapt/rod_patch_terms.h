// Energy of elements and cells of any model that adapts, with first and second derivatives by turns of frames and
// changes of edges: one in each lane, as a part of a rod has fewer than there are lanes.
//
// A frame turns by q <- q exp(theta), material axes. An element's energy is a function F of its edge in material axes,
// y = R^T e. To second order, with u = R^T (change of e), y becomes y + u - theta x y - theta x u +
// theta x (theta x y)/2.
//
// A cell's energy is 1/2 sum_k K_k s_k^2, where the half strain s is a function of the turn p = conj(q_l) q_r as a
// quaternion. With R that of p, p becomes p exp(phi), phi = theta_r - R^T theta_l - (R^T theta_l) x theta_r/2 to second
// order, and p exp(phi) = p + p phi/2 - |phi|^2 p/8.
// What s is, rod_measure.c tells: v and v/w, the angle by frame_angle.h, corde's turn from rest, der's kappa and twist.
#ifndef CDG_ADAPT_PATCH_TERMS_H
#define CDG_ADAPT_PATCH_TERMS_H

#include "rods/rod_model.h"

enum { CDG_PATCH_LANES = 8 };
typedef double cdg_patch_lane[CDG_PATCH_LANES];
typedef struct cdg_patch_vectors {
    cdg_patch_lane of[3];
} cdg_patch_vectors;
typedef struct cdg_patch_quats {
    cdg_patch_lane of[4]; // w, x, y, z
} cdg_patch_quats;

// Which derivatives are asked for. CLIPPED: second ones that leave out that an edge which is pressed wants to give way.
typedef enum cdg_patch_order { CDG_PATCH_FIRST, CDG_PATCH_SECOND, CDG_PATCH_CLIPPED } cdg_patch_order;

// Symmetric matrices: xx xy xz yy yz zz; others by rows.

// ---- elements -------------------------------------------------------------------------------------------------------

typedef struct cdg_edge_laws {
    cdg_edge_kind kind;
    bool follows;                // frames lie along their edges: nothing is asked by turns
    cdg_patch_lane length;       // m, at rest
    cdg_patch_lane stiffness[3]; // N: shear d1, d2 (coupling), stretch
} cdg_edge_laws;

typedef struct cdg_edge_terms {
    cdg_patch_lane energy;
    cdg_patch_lane axes[3][3]; // d1, d2, d3
    cdg_patch_lane length;     // of the edge, m
    cdg_patch_lane force[3];   // by the edge, world axes
    cdg_patch_lane edge[6];    // by the edge twice
    cdg_patch_lane torque[3];  // by theta
    cdg_patch_lane mixed[9];   // by theta (rows) and the edge
    cdg_patch_lane turn[6];    // by theta twice
} cdg_edge_terms;

void cdg_edges_evaluate(const cdg_edge_laws *laws, const cdg_patch_quats *q, const cdg_patch_vectors *edge,
                        cdg_patch_order order, cdg_edge_terms *out);

// ---- cells ----------------------------------------------------------------------------------------------------------

typedef enum cdg_cell_kind {
    CDG_CELL_SINE,
    CDG_CELL_TANGENT,
    CDG_CELL_ANGLE,
    CDG_CELL_FROM_REST,
    CDG_CELL_CURL,      // der: kappa, and twist with whole turns
    CDG_CELL_CURL_ANGLE // the same with the angle along kappa
} cdg_cell_kind;

typedef struct cdg_cell_laws {
    cdg_cell_kind kind;
    cdg_patch_lane stiffness[3]; // N m: 4 B over the cell's length
    cdg_patch_lane rest[4];      // the turn at rest; the first three kinds need its sign, the fourth all of it
    cdg_patch_lane rest_half[3]; // half the strain at rest; not of FROM_REST
    cdg_patch_lane near;         // rad: the twist, of kinds that count it
} cdg_cell_laws;

typedef struct cdg_cell_terms {
    cdg_patch_lane energy;
    cdg_patch_lane left[3], right[3];            // torques, by theta_l and theta_r, N m
    cdg_patch_lane left_left[6], right_right[6]; // second derivatives
    cdg_patch_lane left_right[9];                // rows by theta_l
} cdg_cell_terms;

void cdg_cells_evaluate(const cdg_cell_laws *laws, const cdg_patch_quats *left, const cdg_patch_quats *right,
                        cdg_patch_order order, cdg_cell_terms *out);

// Half the strain of a turn at rest, of the first three kinds.
cdg_vec3 cdg_cell_half_strain(cdg_cell_kind kind, cdg_quat rest);

// A law without stiffness for a lane that nobody needs, and an entry for it.
void cdg_edge_law_clear(cdg_edge_laws *laws, size_t lane);
void cdg_cell_law_clear(cdg_cell_laws *laws, size_t lane);

// rod_patch_terms_simd.c
#define CDG_PATCH_DECLARE(suffix)                                                                                      \
    void cdg_edges_evaluate##suffix(const cdg_edge_laws *laws, const cdg_patch_quats *q,                               \
                                    const cdg_patch_vectors *edge, cdg_patch_order order, cdg_edge_terms *out);        \
    void cdg_cells_evaluate##suffix(const cdg_cell_laws *laws, const cdg_patch_quats *left,                            \
                                    const cdg_patch_quats *right, cdg_patch_order order, cdg_cell_terms *out);
CDG_PATCH_DECLARE(_base)
CDG_PATCH_DECLARE(_avx2)
CDG_PATCH_DECLARE(_avx512)
#undef CDG_PATCH_DECLARE

#endif
