// How far one surface is from another: the largest distance of any of its points, corners or not, to the other one.
#ifndef CDG_MESHING_HAUSDORFF_H
#define CDG_MESHING_HAUSDORFF_H

#include "base/patience.h"

#include <cordage/meshing.h>

typedef struct cdg_hausdorff {
    double distance; // m: that of a point that was found, `at`
    double bound;    // m: no point is farther; at most 5 % more, unless the work was cut short
    cdg_vec3 at;
} cdg_hausdorff;

// One-sided, from every point of `from` to the nearest of `to`. Both need triangles with finite coordinates. The same
// for any number of threads. `patience` may be NULL; CDG_ERROR_INTERRUPTED: it is over.
cdg_result cdg_hausdorff_measure(const cdg_mesh *from, const cdg_mesh *to, int thread_count, cdg_patience *patience,
                                 cdg_hausdorff *out, cdg_error *error);

#endif
