// Baseline for comparison only: a strand in classic position-based dynamics (Mueller, Heidelberger, Hennix and
// Ratcliff, "Position based dynamics", 2007): particles, distance constraints, line-line bending constraints; no
// twist.
#ifndef CDG_BENCH_BASELINE_PBD_STRAND_H
#define CDG_BENCH_BASELINE_PBD_STRAND_H

#include <cordage/base.h>

typedef struct baseline_pbd_strand {
    // free to change after init
    int iterations;
    double step;              // s
    double damping;           // fraction of the velocity lost in a step
    double stretch_stiffness; // in [0, 1]: part of the error removed in a step of one iteration
    double bend_stiffness;    // in [0, 1]
    cdg_vec3 gravity;         // m/s^2

    size_t element_count;
    double edge_length;   // m, at rest
    double rest_angle;    // rad, between neighbouring edges
    cdg_vec3 *position;   // m, element_count + 1
    cdg_vec3 *velocity;   // m/s
    cdg_vec3 *predicted;  // m
    double *inverse_mass; // 1 or, where held, 0
} baseline_pbd_strand;

// A straight strand from the origin along x, its first edge held. false: no memory. At least two elements.
bool baseline_pbd_strand_init(baseline_pbd_strand *strand, size_t element_count, double length);
void baseline_pbd_strand_destroy(baseline_pbd_strand *strand);
void baseline_pbd_strand_step(baseline_pbd_strand *strand);

// The angle between the edges p0 p1 and p1 p2 and its gradient with respect to the three points. Where the edges are
// parallel the gradient has no direction and is set to zero.
double baseline_pbd_strand_angle(const cdg_vec3 p[3], cdg_vec3 gradient[3]);

#endif
