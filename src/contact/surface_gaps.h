// Which of many pairs of surfaces' primitives have to be looked at closer in a candidate, several at once: a vertex and
// a triangle, or two edges, that are nearest where it is theirs to meet. This tells them from the rest before anything
// is known of them but their points; it errs on the side of looking.
#ifndef CDG_CONTACT_SURFACE_GAPS_H
#define CDG_CONTACT_SURFACE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A pair of a vertex and a triangle, or of two edges. Pairs that are neither have no points, and are always looked at.
typedef struct cdg_watched_pair {
    uint32_t pair;     // its number in the list of all
    uint32_t point[4]; // vertex, corners; or the ends of one, of the other
    uint8_t is_edges;
    uint8_t has_limits; // the triangle also stands for edges or corners of its own
    uint8_t is_due;     // to be looked at; those that are so before stay so
    uint8_t is_long;    // its objects move so far towards each other in the step that they may have passed
    double sum;         // m: of thicknesses
} cdg_watched_pair;

// Of the sum of thicknesses: pairs nearer than `deep` are due wherever they are nearest, those nearer than `near` where
// it is theirs to meet.
typedef struct cdg_gap_limits {
    double near, deep;
} cdg_gap_limits;

// `x` has three doubles of each point.
void cdg_surface_gaps_mark(cdg_watched_pair *pairs, size_t count, const double *x, cdg_gap_limits limits);

// `count` pairs of one kind.
typedef void cdg_surface_gap_kernel(cdg_watched_pair *pairs, size_t count, const double *x, cdg_gap_limits limits);
typedef struct cdg_surface_gap_kernels {
    cdg_surface_gap_kernel *edges, *triangles;
} cdg_surface_gap_kernels;
extern const cdg_surface_gap_kernels cdg_surface_gap_kernels_base, cdg_surface_gap_kernels_avx2,
    cdg_surface_gap_kernels_avx512;

#endif
