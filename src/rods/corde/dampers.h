// The dampers of a corde rod as a chain of nodes and frames in world axes, and its solution (corde/dampers_simd.c).
//
// Whatever the coupling, a rod's inner friction is two kinds of dampers. Element j resists the rate
//   u = v_{j+1} - v_j - w_j x e_j
// at which its nodes move against its frame: along its tangent by `along`, across it by `across` (with the constraint
// coupling nothing moves across: the element is rigid there). The cell at node i resists w_i - w_{i-1} by a symmetric
// matrix, for only the difference of the two spins strains it. A rigid motion has neither.
//
// Coefficients are those of friction times the time that forces act: kg and kg m^2, as masses and inertia.
#ifndef CDG_RODS_CORDE_DAMPERS_H
#define CDG_RODS_CORDE_DAMPERS_H

#include <stdbool.h>
#include <stddef.h>

// Arrays with places for one node and one element more than there are: the shorter end of the elimination idles there.
// Symmetric matrices: xx xy xz yy yz zz.
typedef struct corde_dampers {
    size_t element_count;
    bool is_constraint;
    bool is_closed;   // the last element ends at the first node
    double heavy;     // kg, of the rod
    double stiffness; // how much stronger dampers are than inertia: at most h tau omega^2
    // Of nodes, with drag. Held ones: infinite with the constraint coupling, where `right` then is the velocity's change;
    // 1e20 times `heavy` with the penalty.
    double *mass;
    double *right[3];   // impulse on nodes
    double *tangent[3]; // of elements, unit
    double *length;
    double *along, *across;
    double *inertia[6];            // of frames, and dampers to held sections
    double *moment[3];             // angular impulse on frames
    double *cell[6];               // at node i, between elements i - 1 and i; none at the ends of an open rod
    double *record;                // corde_dampers_record_doubles
    double *velocity[3], *spin[3]; // solution: changes of nodes' velocities and of frames' spins
} corde_dampers;

size_t corde_dampers_record_doubles(size_t element_count);

// Solves (M + h C) dv = right for all unknowns. False when the matrix is not positive definite, or when a closed rod is
// too short for the strength of its dampers to be treated as a chain.
bool corde_dampers_solve(const corde_dampers *d);

#define CORDE_DAMPERS_DECLARE(suffix) bool corde_dampers_solve##suffix(const corde_dampers *d);
CORDE_DAMPERS_DECLARE(_base)
CORDE_DAMPERS_DECLARE(_avx2)
CORDE_DAMPERS_DECLARE(_avx512)
#undef CORDE_DAMPERS_DECLARE

#endif
