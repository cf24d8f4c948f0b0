// Equilibria of der rods, their stability, and vibrations about them.
#ifndef CDG_RODS_DER_STATIC_H
#define CDG_RODS_DER_STATIC_H

#include "rods/der/der.h"

typedef struct der_static_options {
    int iterations;      // of Newton, altogether
    double tolerance;    // largest unbalanced force, relative to the largest force in an element or load
    bool leaves_saddles; // an equilibrium that is unstable is pushed along its lowest mode, and another one sought
    // May set the loads anew for the rod's state (loads that follow it); NULL: they stay.
    cdg_rod_reload *reload;
    void *user;
} der_static_options;

der_static_options der_static_options_default(void); // 2000 iterations, 1e-9, leaves saddles

typedef struct der_static_report {
    int iterations, rounds;
    double residual;     // N, largest unbalanced force on a free node
    double force;        // N, what it is compared with
    bool is_stable;      // lowest >= 0 but for rounding; says nothing where torques act, which have no energy
    double lowest;       // rad^2/s^2: the lowest eigenvalue, squared frequency when positive
    der_history history; // residuals after each round, N
    double trace[CDG_HISTORY_SIZE]; // the same, more of them; round i at [i % CDG_HISTORY_SIZE]
} der_static_report;

// Moves the rod's state to an equilibrium under its holds and the loads: x, q, twist; velocities become zero and what
// the holds exert is set. Allocates, so it is not for a time step. On failure the state is the best found, and the
// message has the history.
cdg_result der_find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, const der_static_options *options,
                                der_static_report *report, cdg_error *error);

// The `count` lowest eigenvalues (rad^2/s^2) of stiffness against mass about the state, in rising order, and, unless
// NULL, their shapes: shape m at [m * 4 * node_count], four numbers a node: move of the node (m) and turn of the
// element after it (rad), with unit modal mass. Rigid motions that nothing holds count, too, with eigenvalues about
// zero.
cdg_result der_find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues, double *shapes,
                          cdg_error *error);
// How many eigenvalues are below `shift` (rad^2/s^2): by the signs of a factorisation.
cdg_result der_count_modes_below(cdg_rod *rod, const cdg_rod_loads *loads, double shift, size_t *count,
                                 cdg_error *error);

// Shared with der/path.c. The candidate from the state, with held nodes where they are held; the candidate becomes the
// state.
void der_static_start(cdg_rod *rod);
void der_static_accept(cdg_rod *rod);
// The largest unbalanced force, from an assembled matrix, and the largest force there is, N.
void der_static_measure(const cdg_rod *rod, const cdg_rod_loads *loads, const der_chain *chain, strip *matrix,
                        double *residual, double *force);
// Sets what the holds exert and ends all motion; memory as for an implicit step.
void der_static_finish(cdg_rod *rod, const cdg_rod_loads *loads, void *memory);

extern const struct cdg_rod_path_operations der_path_operations; // der/path.c

#endif
