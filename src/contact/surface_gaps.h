// Distances of many pairs of surfaces' primitives, several at once: a vertex and a triangle, or two edges. And which of
// them have to be looked at closer in a candidate: those that are nearest where it is theirs to meet. This tells them
// from the rest before anything is known of them but their points; it errs on the side of looking.
#ifndef CDG_CONTACT_SURFACE_GAPS_H
#define CDG_CONTACT_SURFACE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A pair that is kept from step to step (surface_near.h), with what has to be known of it at hand.
typedef struct cdg_kept_pair {
    uint32_t point[4];  // vertex, corners; or the ends of one, of the other; with a chain or a shape those of the first
    uint32_t object[2]; // of the pieces' objects, then of shapes
    uint32_t couple;    // of these two objects
    bool has_points;    // of both; else it is with a chain or a shape, and is always looked at
    bool is_edges;
    // Which of its limits the triangle also stands for: bit k that opposite its corner k, bit 3 + k that corner.
    uint8_t limits;
    bool is_due;     // to be looked at; those that are so before stay so
    bool is_long;    // its objects move so far towards each other in the step that they may have passed
    bool was_listed; // has become a contact in this step, or may have before pairs were found
    bool is_contact; // was one when it was last looked at, in this step
    bool has_start;  // distance and sum of thicknesses at the start of the step are there
    double sum;      // m: of thicknesses, between surfaces
    double start_distance, start_sum;
} cdg_kept_pair;

// Of the sum of thicknesses: pairs nearer than `deep` are due wherever they are nearest, those nearer than `near` where
// it is theirs to meet.
typedef struct cdg_gap_limits {
    double near, deep;
} cdg_gap_limits;

// Where a pair is nearest: of two edges how far along each, [0, 1]; of a triangle the weights of its second and third
// corner.
typedef struct cdg_pair_nearest {
    double first, second;
    double between[3]; // m: from the second primitive to the first
    double distance;
} cdg_pair_nearest;

// Of a triangle: a weight below this is none.
static const double surface_gaps_limit = 1e-9;
// Whether a point on a triangle with such limits, or at one of them, is this triangle's.
static inline bool surface_gaps_is_own(uint8_t limits, const double w[3]) {
    int zeros = 0, zero = 0, corner = 0;
    for (int k = 0; k < 3; k++) {
        if (w[k] < surface_gaps_limit)
            zeros++, zero = k;
        else
            corner = k;
    }
    return zeros == 0 || (limits >> (zeros == 1 ? zero : 3 + corner) & 1) != 0;
}

// Of the numbered pairs; `x` has three doubles of each point. `found` is filled, in the order of the numbers, for
// pairs with points that are due.
void cdg_surface_gaps_mark(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x,
                           cdg_gap_limits limits, cdg_pair_nearest *found);
// `start_distance` of those that have points.
void cdg_surface_gaps_measure(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x);

// Of numbered pairs of one kind. `found` NULL: distances are wanted, and limits not read.
typedef void cdg_surface_gap_kernel(cdg_kept_pair *pairs, const uint32_t *which, size_t count, const double *x,
                                    cdg_gap_limits limits, cdg_pair_nearest *found);
typedef struct cdg_surface_gap_kernels {
    cdg_surface_gap_kernel *edges, *triangles;
} cdg_surface_gap_kernels;
extern const cdg_surface_gap_kernels cdg_surface_gap_kernels_base, cdg_surface_gap_kernels_avx2,
    cdg_surface_gap_kernels_avx512;

#endif
