// Baseline for comparison only: position-based elastic rods with ghost points (Umetani, Schmidt and Stam, 2014).
//
// Each edge p0 p1 has a ghost point g beside its middle; edge and ghost point make the edge's material frame. Four
// constraints an element: edge length, ghost point on the edge's perpendicular bisector, ghost point at its distance
// from the edge's middle, and, between neighbouring edges, bending and twisting of the frames.
#ifndef CDG_BENCH_BASELINE_PBER_H
#define CDG_BENCH_BASELINE_PBER_H

#include <cordage/base.h>

typedef struct baseline_pber {
    // free to change after init
    int iterations;
    double step;         // s
    double damping;      // fraction of the velocity lost in a step
    double stiffness[3]; // in [0, 1]: bending about d1, d2, twisting; part of the error removed in one projection
    cdg_vec3 gravity;    // m/s^2, on ghost points too: a free rod falls as one body

    size_t element_count;
    double edge_length, ghost_distance; // m, at rest
    cdg_vec3 *rest_darboux; // 1/m, element_count; entry j between elements j and j + 1 (the last is not used)
    // Points and ghost points in one array: p0 .. p_n, then g0 .. g_(n-1).
    cdg_vec3 *position;   // m, 2 element_count + 1
    cdg_vec3 *velocity;   // m/s
    cdg_vec3 *predicted;  // m
    double *inverse_mass; // 1 or, where held, 0
} baseline_pber;

// A straight rod from the origin along x, ghost points above it (z), its first edge and ghost point held. false: no
// memory. At least two elements.
bool baseline_pber_init(baseline_pber *rod, size_t element_count, double length);
void baseline_pber_destroy(baseline_pber *rod);
void baseline_pber_step(baseline_pber *rod);

// ---- constraints, with gradients, open to tests ---------------------------------------------------------------------

// Material frame of an edge: d3 along it, d2 perpendicular to edge and ghost point, d1 towards the ghost point.
typedef struct pber_frame {
    cdg_vec3 d[3];
} pber_frame;
pber_frame baseline_pber_frame(cdg_vec3 p0, cdg_vec3 p1, cdg_vec3 ghost);

// Points of a bending-twisting constraint: two edges p0 p1 and p1 p2 and their ghost points.
enum { PBER_P0, PBER_P1, PBER_P2, PBER_GHOST0, PBER_GHOST1, PBER_POINTS };

// Modified Darboux vector between the frames of two edges whose middles are `length` apart: for a relative rotation by
// angle a about the unit axis n it is (2 / length) tan(a / 2) n. gradient[i][k] is that of component i by point k.
cdg_vec3 baseline_pber_darboux(const cdg_vec3 p[PBER_POINTS], double length, cdg_vec3 gradient[3][PBER_POINTS]);

// Gradients by p0, p1 and ghost.
double baseline_pber_bisector(const cdg_vec3 p[3], cdg_vec3 gradient[3]); // m^2: (ghost - middle) . edge
double baseline_pber_distance(const cdg_vec3 p[3], cdg_vec3 gradient[3]); // m: |ghost - middle|

#endif
