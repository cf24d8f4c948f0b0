// What cannot change unless curves pass through each other: linking numbers and a knot invariant.
#ifndef CDG_GEOMETRY_TOPOLOGY_H
#define CDG_GEOMETRY_TOPOLOGY_H

#include <cordage/base.h>

// How often two closed polygons wind around each other, signed (Gauss). Exact, unless they touch: then
// CDG_ERROR_NO_CONVERGENCE.
cdg_result cdg_linking_number(const cdg_vec3 *a, size_t a_count, const cdg_vec3 *b, size_t b_count, long *out,
                              cdg_error *error);

// How often a polygon winds around itself: Gauss' integral over all pairs of its edges, as seen from all sides in the
// mean, in turns. Not whole, and 0 in a plane. With the turns of its frames about it, the sum of a closed one is whole.
double cdg_writhe(const cdg_vec3 *points, size_t count, bool is_closed);

// Determinant of the knot that a polygon forms: |Alexander polynomial at -1|. Always odd; 1 for no knot (and some rare
// knots), 3 for the trefoil, 5 for the figure-eight, 9 for square and granny. An open line is closed far away, by
// rays from its ends away from its middle.
cdg_result cdg_knot_determinant(const cdg_vec3 *points, size_t count, bool is_closed, uint64_t *out, cdg_error *error);

#endif
