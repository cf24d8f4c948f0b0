// Equal spacing along any piecewise smooth curve that can say its position and derivative.
#ifndef CDG_GEOMETRY_ARC_LENGTH_H
#define CDG_GEOMETRY_ARC_LENGTH_H

#include <cordage/geometry.h>

// Pieces follow one another; each runs over u in [0, 1] and is smooth inside. Derivatives are taken with respect to u.
typedef struct cdg_curve {
    const void *context;
    size_t piece_count;
    void (*evaluate)(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative);
} cdg_curve;

cdg_result cdg_curve_length(const cdg_curve *curve, double *out, cdg_error *error);

// Where the nodes of a number of elements lie along a curve: evenly, or as its spacing says.
typedef struct cdg_node_division {
    size_t element_count;
    const cdg_spacing *spacing;
    size_t spacing_count;
} cdg_node_division;

double cdg_node_share(const cdg_node_division *division, size_t node);
cdg_result cdg_curve_divide(const cdg_curve *curve, const cdg_node_division *division, bool is_closed, cdg_vec3 *out,
                            cdg_error *error);

// `out` holds element_count + 1 positions, of which the first and the last are the curve's ends exactly; a closed curve
// has element_count positions and starts at its first piece's beginning.
cdg_result cdg_curve_sample(const cdg_curve *curve, size_t element_count, bool is_closed, cdg_vec3 *out,
                            cdg_error *error);

#endif
