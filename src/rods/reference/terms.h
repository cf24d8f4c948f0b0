// The terms of the reference model's step (docs/models/reference.md): what one element and one bend-twist spring add
// to the discrete Lagrange equations, with derivatives by the candidate.
//
// A step goes from (x0, frames F0) to (x1, frames F1). An element's coordinates are its edge e = x(next) - x(node) and
// its roll: F1 = P(t0 -> t1) F0 R3(roll), P the smallest rotation between the tangents. The frame is thus carried along
// in time, d3 is the tangent exactly, and there is no pole (the published chart, eq. 35-37, has one).
#ifndef CDG_RODS_REFERENCE_TERMS_H
#define CDG_RODS_REFERENCE_TERMS_H

#include "math/dual.h"

typedef struct reference_motion { // of one element over a step
    cdg_vec3 edge0;               // m, at the start
    cdg_quat frame0;              // at the start; d3 along edge0
    cdg_vec3 edge1;               // m, candidate
    double roll;                  // rad, candidate
} reference_motion;

// The motion with its derivatives by edge1 (variables 0 to 2) and roll (3). _m: in the middle of the step.
typedef struct reference_path {
    double length0;  // |e0|
    cdg_quat frame0; // at the start
    struct reference_path_duals {
        dual length1, length_m; // |e1|, |e_m|
        dual_vec3 edge_m, tangent_m;
        dual_quat frame_m, frame1;
        dual_vec3 d1, d2; // of frame_m
        dual_vec3 change; // e1 - e0
        dual roll;
        dual_vec3 a_01, a_0m, a_m1; // holonomy vectors
    } of;
} reference_path;

void reference_path_make(const reference_motion *motion, reference_path *out);

// An element's own part: rotary inertia, stretch, drag on its spin, outer moment.
typedef struct reference_element {
    double step;              // s
    double late;              // share of forces' momentum that the end has: 1/2, or 0 when the step settles
    double rest_length;       // m
    double inertia[3];        // kg m^2, rest_length x rotary inertia per length
    double stretch_stiffness; // N
    double weight[2];         // of the strains at start and end in the stress: 1/2, 1/2, and damping shifts them
    double drag_rate;         // 1/s
    cdg_vec3 moment;          // N m, world axes
} reference_element;

// A bend-twist spring between two frames: elements, or an element and a section that a support holds.
typedef struct reference_spring {
    double step;         // s
    double late;         // as above
    double stiffness[3]; // N m: 4 B / length; energy 1/2 stiffness (half turn - rest half turn)^2
    double weight[3][2]; // as above, for each component
    cdg_quat rest;
    bool is_angle;    // half turns are measured by angle; else by sine
    bool is_roll;     // only the turn about d3 counts: a support of the roll
    cdg_quat held[2]; // the held section at start and end, where one side is one
} reference_spring;

// Momentum (edge x, y, z in kg m/s; roll in kg m^2/s) that Lagrange's equations require at the start and leave at the
// end of the step. For two elements, the left one first.
typedef struct reference_term {
    double start[8], end[8];
    double start_by[8][8]; // of start by the candidate's edges and rolls
    cdg_vec3 moment;       // spring with a held section: N m, on the rod, world axes, mean over the step
} reference_term;

void reference_element_term(const reference_element *element, const reference_path *path, reference_term *out);
// left or right NULL: that side is the held section.
void reference_spring_term(const reference_spring *spring, const reference_path *left, const reference_path *right,
                           reference_term *out);

// The frame at the end of the step.
cdg_quat reference_end_frame(const reference_motion *motion);
// Half the turn between two frames as the spring measures it.
cdg_vec3 reference_half_turn(const reference_spring *spring, cdg_quat turn);

#endif
