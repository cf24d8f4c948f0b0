// One step of the reference model over a whole rod: Newton's method for the discrete Lagrange equations
// (reference/terms.h), then velocities from momenta through the mass matrix.
#ifndef CDG_RODS_REFERENCE_STEP_H
#define CDG_RODS_REFERENCE_STEP_H

#include "math/banded.h"
#include "rods/reference/terms.h"
#include "rods/rod_model.h"

// A held section in this step.
typedef struct reference_anchor {
    size_t hold, node;
    bool is_roll;
    cdg_quat frame[2]; // at start and end
} reference_anchor;

// Unknowns are numbered in blocks of four: position of node i and roll of element i, at block_of(i). In an open rod the
// blocks follow the nodes; in a closed one both ways round alternate (0, N-1, 1, N-2, ...), which keeps the matrix
// banded.
typedef struct reference_step {
    const cdg_rod *rod;
    double step;      // s
    bool is_angle;    // reference_spring
    double numerical; // share added to the damping: 0 conserves, 1/2 takes stresses from the end of the step
    double late;      // share of forces' momentum that the end has: 1/2, or 0 when the step settles
    int iterations;   // at most
    double tolerance; // largest correction, in element lengths and radians, after which a step is done

    double *x0[3], *v0[3], *q0[4], *w0[3]; // at the start; of w0 only the third component is read
    double *x1[3], *v1[3], *q1[4], *w1[3]; // at the end
    double *roll;                          // element_count
    const cdg_rod_loads *loads;            // torque in the frames at the start
    const double *moment[3];               // N m, element_count: the torque in world axes
    bool *is_held;                         // node_count: x1 is given
    bool is_last;                          // ends where the world's step does, not at a part of it
    reference_anchor *anchors;
    size_t anchor_count;
    cdg_vec3 *hold_force, *hold_moment; // for each hold of the rod: N, N m, mean over the step

    // scratch
    cdg_banded matrix;
    cdg_banded_positive mass;
    double *momentum0, *momentum1, *right; // unknown_count
} reference_step;

size_t reference_block_of(const cdg_rod *rod, size_t index);
size_t reference_unknown_count(size_t node_count, bool is_closed);
size_t reference_matrix_width(bool is_closed); // of Newton's matrix
size_t reference_mass_width(bool is_closed);

typedef struct reference_outcome {
    bool is_converged;
    int iterations;
    double correction;
} reference_outcome;

// Finds x1, roll, v1, q1, w1 and the holds' reactions. x1 of held nodes is given; the rest starts from free flight.
// not converged: the step was too long for the motion; nothing at the end is meaningful.
reference_outcome reference_take_step(const reference_step *s);

// For reference/response.c: what a unit of torque about an element's d3 at the start of the step does on the right side
// (its edge's three components, and its roll); and by how much its frame turns about d3 when its edge changes and not
// its roll (1/m).
typedef struct reference_answer {
    double torque[4];
    cdg_vec3 turn;
} reference_answer;
// Newton's matrix at the candidate, factored, with rows of held nodes taken out; the candidate's rolls follow from its
// frames. `answers`: element_count. False when it is singular.
bool reference_linearise(const reference_step *s, reference_answer *answers);

// For tests: momenta of the state at the start; residual and matrix of Newton's method at the candidate.
void reference_start_momentum(const reference_step *s);
void reference_assemble(const reference_step *s);
// Fills `mass` for positions x and frames q: kinetic energy is half of velocity . mass . velocity.
void reference_assemble_mass(const reference_step *s, double *const x[3], double *const q[4]);

#endif
