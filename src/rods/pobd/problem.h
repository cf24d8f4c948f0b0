// The minimisation that one pobd step poses, handed to either solver.
//
//   minimise  sum_i  1/2 node_weight_i |x_i - x_target_i|^2  +  sum_j  1/2 phi_j^T diag(frame_weight_j) phi_j
//           + sum_j  1/2 l_j Gamma_j^T diag(S_j) Gamma_j  +  sum_i  1/2 (v_i - s_i v0_i)^T diag(K_i) (v_i - s_i v0_i)
//
//   Gamma_j = R(q_j)^T (x_{j+1} - x_j)/l_j - e3 - gamma0_j   stretch and shear in the material frame (paper eq. 21, 31)
//   v_i     = Im(conj(q_left) q_right)                       half the turn over the cell (eq. 32); tangent: Im/Re
//   s_i     = sign that brings s v0 (with its real part) nearer to the current turn, so q and -q are the same
//   phi_j   = 2 Im(conj(q_target_j) q_j)                     turn away from the inertial target
//
// Implicit Euler and BDF2 both have this form: node_weight = m (1 + drag h)/h^2 with h the effective step. Kelvin-Voigt
// damping is in S, K, gamma0 and v0. Frames are perturbed in the material frame: q <- q exp(theta).
#ifndef CDG_RODS_POBD_PROBLEM_H
#define CDG_RODS_POBD_PROBLEM_H

#include "rods/rod.h"

// A node whose section orientation is prescribed: the node's own term is replaced by one over each adjacent half cell,
// with turn conj(frame) q_right (right side) and conj(q_left) frame (left side).
typedef struct pobd_anchor {
    size_t node;
    cdg_quat frame;
    double stiffness[3]; // K of each half cell (all three for FRAME; ROLL: {0, 0, K3})
    cdg_quat rest_half;  // rest turn over each half cell (w first), damping included
    int side;            // 0: both half cells, as far as there are two; -1: only the left one; 1: only the right one
} pobd_anchor;

// Gauss-Seidel: strains that the multipliers of constraints stand for. What sweeps have done to nodes and frames is by
// these; strains of the solution differ from them by what the sweeps leave over.
typedef struct pobd_multipliers {
    const void *solve;                                                 // NULL: none, forces are by strains
    cdg_vec3 (*stretch)(const void *solve, size_t element);            // Gamma + gamma0
    cdg_vec3 (*turn)(const void *solve, size_t anchor, bool is_right); // v, of the half cell on that side of an anchor
} pobd_multipliers;

typedef struct pobd_problem {
    size_t node_count, element_count;
    bool is_closed;
    bool is_tangent; // Darboux vector of the appendix (eq. 30, 41)
    bool is_angle;   // that of the angle (frame_angle.h); neither: the sine

    // unknowns: first guess in, solution out; held nodes already where they are held
    double *x[3]; // node_count
    double *q[4]; // element_count, unit

    const double *x_target[3]; // m, node_count
    const double *q_target[4]; // element_count
    const double *node_weight; // N/m, node_count; INFINITY: held, must not move
    // N m; element_count, or 1 entry
    const double *frame_weight[3];
    bool has_one_frame_weight; // entry 0 serves all elements, and there are no others
    // direct only: external torque in the material frame, N m, element_count; NULL: none. It adds -torque . phi.
    // (Turning the target by torque/weight instead would clip it: a frame turns by no more than half a turn, and the
    // weight of a thin rod's frame is tiny.)
    const double *torque[3];

    const double *rest_length; // m, element_count
    // Section arrays: entry i at [i * stride]; stride 0: uniform.
    size_t stretch_stride, bend_stride;
    const double *stretch_stiffness[3]; // S, N (shear d1, shear d2, stretch)
    const double *bend_stiffness[3]; // K = 4 B / cell length, N m; 0 at free ends and at anchored nodes (so an anchor
                                     // at an inner node makes bend_stride 1; the ends of an open rod have no K)
    const double *rest_strain[3];    // gamma0, element_count; NULL: zero
    const double *rest_turn[4];      // w0, v0: node_count; one entry if has_one_turn
    // Known to hold, so that a solver need not look: all rest lengths and frame weights are the same; all rest turns
    // of nodes with two elements are.
    bool has_equal_elements, has_equal_turns;
    bool has_one_turn; // has_equal_turns, the ends too

    const pobd_anchor *anchors;
    size_t anchor_count;

    // gauss_seidel only: paper stiffness. Factors in [0, 1] replace compliance; weights are then 1.
    bool is_paper;
    double paper_stretch[3], paper_bend[3];
    // gauss_seidel only: long-range attachments: node i may be at most reach_i from x[attachment_i]; NULL: off.
    const double *attachment_reach; // m, node_count; INFINITY: free
    const size_t *attachment_node;  // node_count
    cdg_vec3 *attachment_pull; // N, node_count, in as zero: with which attached nodes were pulled to this one; NULL: no

    // direct only: memory that is free during the solve, for the correction: node_count + 1 and element_count + 1
    // doubles each; NULL: none
    double *spare_x[3], *spare_t[3];
    // gauss_seidel only: memory that is free for use once x and q have been read, 64-byte aligned, or NULL
    double *spare;
    size_t spare_count;

    pobd_multipliers multipliers; // of the solution, set once there is one
    bool is_joined;               // to other rods, which give it momentum, too

    int iterations;
    double tolerance; // m and rad*m: stop when the largest node correction is below (direct); 0: never
} pobd_problem;

static inline cdg_pobd_darboux pobd_measure(const pobd_problem *problem) {
    return problem->is_tangent ? CDG_POBD_TANGENT : problem->is_angle ? CDG_POBD_ANGLE : CDG_POBD_SINE;
}

typedef struct pobd_outcome {
    int iterations;
    double correction; // m, largest node correction in the last iteration
    double stretch;    // gauss_seidel: what is left of stretch and shear, by which elements are too long; strain
} pobd_outcome;

// The largest stretch that sweeps may leave, of an element and of the rod as a whole, relative to its length: with more
// the step has failed. (Rods in examples, and in tests that check results, stay below 0.03 as a whole.)
#define POBD_GROSS_STRETCH 0.5

// pobd/objective.c: value and gradient of the above (tests, line search, reactions). Gradient arrays may be NULL.
// gradient_theta is with respect to theta of q <- q exp(theta) at theta = 0.
double pobd_objective(const pobd_problem *problem, double *const gradient_x[3], double *const gradient_theta[3]);

// pobd/direct.c
size_t pobd_direct_scratch_size(size_t element_count, bool is_closed, bool has_spare); // bytes
cdg_result pobd_solve_direct(const pobd_problem *problem, void *scratch, pobd_outcome *outcome, cdg_error *error);

// pobd/gauss_seidel.c
// Bytes; less when the problem comes with spare memory of POBD_SPARE_FOR(element_count) doubles or more.
size_t pobd_gauss_seidel_scratch_size(size_t element_count, bool is_uniform, bool has_spare, size_t anchor_count);
#define POBD_SPARE_FOR(element_count) (3 * ((element_count) + 64))
void pobd_solve_gauss_seidel(const pobd_problem *problem, void *scratch, pobd_outcome *outcome);

#endif
