// Energy of one element and of one cell of any model that adapts, with first and second derivatives by turns of frames
// and changes of edges.
//
// A frame turns by q <- q exp(theta), material axes. An element's energy is a function F of its edge in material axes,
// y = R^T e. To second order, with u = R^T (change of e), y becomes y + u - theta x y - theta x u +
// theta x (theta x y)/2.
//
// A cell's energy is 1/2 sum_k K_k s_k^2, where the half strain s is a function of the turn p = conj(q_l) q_r as a
// quaternion, which becomes p + (p theta_r - theta_l p)/2 - (|theta_l|^2 + |theta_r|^2) p/8 - theta_l p theta_r/4.
// What s is, rod_measure.c tells: v and v/w, the angle by frame_angle.h, corde's turn from rest, der's kappa and twist.
#ifndef CDG_ADAPT_PATCH_TERMS_H
#define CDG_ADAPT_PATCH_TERMS_H

#include "rods/rod_model.h"

// ---- elements -------------------------------------------------------------------------------------------------------

typedef struct cdg_edge_term {
    double energy;
    double force[3];        // dF/dy
    double stiffness[3][3]; // d2F/dy2
} cdg_edge_term;

typedef struct cdg_edge_law {
    cdg_edge_kind kind;
    double length;       // m, at rest
    double stiffness[3]; // N: shear d1, d2 (coupling), stretch
} cdg_edge_law;

void cdg_edge_evaluate(const cdg_edge_law *law, const double y[3], cdg_edge_term *out);

// ---- cells ----------------------------------------------------------------------------------------------------------

typedef enum cdg_cell_kind {
    CDG_CELL_SINE,
    CDG_CELL_TANGENT,
    CDG_CELL_ANGLE,
    CDG_CELL_FROM_REST,
    CDG_CELL_CURL,      // der: kappa, and twist with whole turns
    CDG_CELL_CURL_ANGLE // the same with the angle along kappa
} cdg_cell_kind;

typedef struct cdg_cell_law {
    cdg_cell_kind kind;
    double stiffness[3]; // N m: 4 B over the cell's length
    cdg_quat rest;       // the turn at rest
    double rest_half[3]; // half the strain at rest, of kinds that measure it (curl)
    double near;         // rad: the twist, of kinds that count it
} cdg_cell_law;

typedef struct cdg_cell_term {
    double energy;
    double torque[6]; // by theta_l, then theta_r, N m
    double stiffness[6][6];
    double strain[3]; // half of it
} cdg_cell_term;

void cdg_cell_evaluate(const cdg_cell_law *law, cdg_quat left, cdg_quat right, cdg_cell_term *out);

#endif
