// Closest points of two segments, and when two moving segments first come within a distance of each other.
#ifndef CDG_CONTACT_SEGMENT_PAIR_H
#define CDG_CONTACT_SEGMENT_PAIR_H

#include <cordage/base.h>

typedef struct cdg_closest {
    double s, t;      // parameters on the first and the second segment, [0, 1]
    cdg_vec3 between; // from the point on the second to that on the first
    double distance2; // |between|^2
} cdg_closest;

// Segments a0 a1 and b0 b1; points are fine (a0 = a1). Parallel segments that lie beside each other have many nearest
// pairs; then it is the one in the middle of them. The distance is right to a few roundings of the sizes involved, at
// any angle and any distance from the origin.
cdg_closest cdg_segments_closest(cdg_vec3 a0, cdg_vec3 a1, cdg_vec3 b0, cdg_vec3 b1);

// A segment whose ends move along straight lines during a step.
typedef struct cdg_moving_segment {
    cdg_vec3 from[2], to[2]; // ends at the start and at the end of the step
} cdg_moving_segment;

// Whether they come nearer than `separation` during the step. `time` in [0, 1] is then a moment shortly before: at it
// they are farther apart than `separation` by at most `slack` times (distance at the start - separation), or by no more
// than rounding, and they were nowhere nearer until then. Segments that are that near already meet at 0, unless they
// move apart at once and come no nearer, by a tenth, elsewhere or later in the step.
bool cdg_segments_meet(const cdg_moving_segment *a, const cdg_moving_segment *b, double separation, double slack,
                       double *time);

#endif
