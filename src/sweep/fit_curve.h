// The smooth curve through a rod's nodes, the point of it that is nearest to a measured one, and interpolation in rows.
#ifndef CDG_SWEEP_FIT_CURVE_H
#define CDG_SWEEP_FIT_CURVE_H

#include <cordage/base.h>

// A place on the curve as a mean of four nodes.
typedef struct cdg_curve_foot {
    size_t nodes[4];
    double weights[4];
    cdg_vec3 at, tangent; // m; unit length, in the axes that count
    bool is_end;          // an end of an open curve: the nearest point may lie before or beyond
} cdg_curve_foot;

// The nearest place of the curve through `count` >= 2 nodes (cubics with slopes from the neighbours), where only the
// axes with is_seen count: a photograph does not show how far away a point is.
cdg_curve_foot cdg_curve_foot_find(const cdg_vec3 *nodes, size_t count, bool is_closed, const bool is_seen[3],
                                   cdg_vec3 point);

// The curve at a place: 0 at the first node, 1 at the second, and so on.
cdg_vec3 cdg_curve_at(const cdg_vec3 *nodes, size_t count, bool is_closed, double along);

// Weights of the rows at[first] ... at[first + *used - 1] whose mean is the value at `where`: a cubic through the four
// nearest, or what there is. `at` rises; beyond its ends, its last pair goes on straight.
size_t cdg_row_weights(const double *at, size_t count, double where, double weights[4], size_t *used);

#endif
