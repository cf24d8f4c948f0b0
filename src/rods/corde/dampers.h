// The dampers of a corde rod as a chain of nodes and frames in world axes, and its solution (corde/dampers_lanes.h).
//
// Whatever the coupling, a rod's inner friction is two kinds of dampers. Element j resists the rate
//   u = v_{j+1} - v_j - w_j x e_j
// at which its nodes move against its frame: along its tangent by `along`, across it by `across` (with the constraint
// coupling nothing moves across: the element is rigid there). The cell at node i resists w_i - w_{i-1} by a symmetric
// matrix, because only the difference of the two spins strains it. A rigid motion has neither.
//
// Coefficients are those of friction times the time that forces act: kg and kg m^2, as masses and inertia.
#ifndef CDG_RODS_CORDE_DAMPERS_H
#define CDG_RODS_CORDE_DAMPERS_H

#include <stdbool.h>
#include <stddef.h>

// Arrays with places for one node and one element more than there are: the shorter end of the elimination idles there.
// On a closed rod the first two entries are there again.
// Symmetric matrices: xx xy xz yy yz zz.
typedef struct corde_dampers {
    size_t element_count;
    bool is_constraint;
    bool is_closed;   // the last element ends at the first node
    double heavy;     // kg, of the rod
    double stiffness; // how much stronger dampers are than inertia: at most h tau omega^2
    // Of nodes, with drag. Held ones: infinite with the constraint coupling, where `right` then is the change of their
    // velocity; 1e20 times `heavy` with the penalty.
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

// ---- corde/dampers.c: parts of it for single numbers ----------------------------------------------------------------

// What is eliminated acts on the near node's v and the next frame's w as 1/2 v.P v + v.D w + 1/2 w.Q w - r.v - s.w.
typedef struct corde_frontier {
    double p[6], d[9], q[6], r[3], s[3]; // D by rows
} corde_frontier;

// What the substitution needs, as corde/dampers_lanes.h lays it out.
typedef struct corde_held_record {
    double cell[21], element[7];
} corde_held_record;

// Constraint coupling: whether a node's velocity is given.
bool corde_dampers_is_held(const corde_dampers *d, size_t node);
// Takes a frontier beyond an element and the cell after it, with `near` the element's held node; side -1: the chain is
// followed from its last element. False when that is singular.
bool corde_dampers_pass_held(const corde_dampers *d, size_t element, size_t near, size_t cell, double side,
                             corde_frontier *f, corde_held_record *out);
// The element at which two ends have met: velocities of its nodes and spin of its frame. False when that is singular.
enum { CORDE_MIDDLE_NEAR = 0, CORDE_MIDDLE_SPIN = 3, CORDE_MIDDLE_FAR = 6 };
bool corde_dampers_solve_middle(const corde_dampers *d, size_t element, const corde_frontier ends[2],
                                double solution[9]);

// How lanes share a rod (corde/dampers_lanes.h). Each pair of lanes, one from either end, takes `steps` elements and
// begins `apart` elements after the pair before it; the last ends in the middle. The first begins at the ends of the
// rod, on a closed one `before` elements before them.
typedef struct corde_dampers_plan {
    size_t half; // elements to be eliminated from either end
    size_t pairs, steps, apart, before;
    size_t back; // steps after which the substitution has forgotten where it began; 0: it must go through all pairs
} corde_dampers_plan;

// For `pairs` pairs of lanes, or one if the rod is too short for more. False: the rod is closed, and not long enough
// for its ends not to feel each other.
bool corde_dampers_make_plan(const corde_dampers *d, size_t pairs, corde_dampers_plan *out);
// How many of at most `lanes` lanes are best.
int corde_dampers_choose_lanes(const corde_dampers *d, int lanes);

// Cold: lanes that begin inside the rod have not come to what they should; two lanes need not.
typedef enum corde_dampers_outcome {
    CORDE_DAMPERS_SOLVED,
    CORDE_DAMPERS_SINGULAR,
    CORDE_DAMPERS_COLD,
} corde_dampers_outcome;

#define CORDE_DAMPERS_DECLARE(suffix)                                                                                  \
    bool corde_dampers_solve##suffix(const corde_dampers *d);                                                          \
    corde_dampers_outcome corde_dampers_solve_in_four##suffix(const corde_dampers *d);                                 \
    corde_dampers_outcome corde_dampers_solve_in_eight##suffix(const corde_dampers *d);
CORDE_DAMPERS_DECLARE(_base)
CORDE_DAMPERS_DECLARE(_avx2)
CORDE_DAMPERS_DECLARE(_avx512)
#undef CORDE_DAMPERS_DECLARE

#endif
