// Points spread evenly over a surface: where strands have their roots.
#ifndef CDG_GEOMETRY_PATCH_H
#define CDG_GEOMETRY_PATCH_H

#include "math/random.h"

#include <cordage/strands.h>

// Refuses surfaces without area, and corners that are not there.
cdg_result cdg_patch_check(const cdg_patch *patch, cdg_error *error);

// `count` points and unit normals, outward. One point alone is the middle of a disc or cap. `jitter` in [0, 1] moves
// points about by up to half their distance. The patch has passed its check.
cdg_result cdg_patch_sample(const cdg_patch *patch, size_t count, double jitter, cdg_random *random, cdg_vec3 *points,
                            cdg_vec3 *normals, cdg_error *error);

// The point that the patch turns about: the disc's or sphere's centre, the middle of a mesh.
cdg_vec3 cdg_patch_center(const cdg_patch *patch);

#endif
