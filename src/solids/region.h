// Which points are in a region of a solid.
#ifndef CDG_SOLIDS_REGION_H
#define CDG_SOLIDS_REGION_H

#include "math/vec3.h"

#include <cordage/solid.h>

static inline bool cdg_region_has(const cdg_region *region, cdg_vec3 x) {
    switch (region->kind) {
    case CDG_REGION_ALL: return true;
    case CDG_REGION_BOX:
        return x.x >= region->low.x && x.x <= region->high.x && x.y >= region->low.y && x.y <= region->high.y &&
               x.z >= region->low.z && x.z <= region->high.z;
    case CDG_REGION_SPHERE: return vec3_distance(x, region->point) <= region->radius;
    case CDG_REGION_PLANE: {
        double far = fabs(region->point.x) + fabs(region->point.y) + fabs(region->point.z) + vec3_norm(x);
        return vec3_dot(vec3_sub(x, region->point), region->normal) >= -1e-12 * far * vec3_norm(region->normal);
    }
    case CDG_REGION_KIND_COUNT: break;
    }
    return false;
}

#endif
