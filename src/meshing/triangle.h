// The point of a triangle that is nearest to a given one.
#ifndef CDG_MESHING_TRIANGLE_H
#define CDG_MESHING_TRIANGLE_H

#include "math/vec3.h"

static inline cdg_vec3 segment_nearest(cdg_vec3 a, cdg_vec3 b, cdg_vec3 p) {
    cdg_vec3 d = vec3_sub(b, a);
    double length2 = vec3_dot(d, d);
    double t = length2 > 0 ? vec3_dot(vec3_sub(p, a), d) / length2 : 0;
    return vec3_mad(a, fmax(0, fmin(1, t)), d);
}

// Inside of the triangle's prism: its foot; else the nearest of the three sides.
static inline cdg_vec3 triangle_nearest(const cdg_vec3 c[3], cdg_vec3 p) {
    cdg_vec3 n = vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]));
    double n2 = vec3_dot(n, n);
    bool is_inside = n2 > 0;
    for (int k = 0; k < 3 && is_inside; k++) {
        cdg_vec3 side = vec3_sub(c[(k + 1) % 3], c[k]);
        is_inside = vec3_dot(vec3_cross(n, side), vec3_sub(p, c[k])) >= 0;
    }
    if (is_inside) return vec3_mad(p, -vec3_dot(vec3_sub(p, c[0]), n) / n2, n);
    cdg_vec3 best = c[0];
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        cdg_vec3 candidate = segment_nearest(c[k], c[(k + 1) % 3], p), offset = vec3_sub(candidate, p);
        double distance2 = vec3_dot(offset, offset);
        if (distance2 < least) {
            least = distance2;
            best = candidate;
        }
    }
    return best;
}

#endif
