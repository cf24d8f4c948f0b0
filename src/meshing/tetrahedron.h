// Volume and dihedral angles of one tetrahedron.
#ifndef CDG_MESHING_TETRAHEDRON_H
#define CDG_MESHING_TETRAHEDRON_H

#include "math/vec3.h"

// Six times the volume; positive when p[3] is on the side that p[0], p[1], p[2] turn about counter-clockwise.
static inline double tetrahedron_volume6(const cdg_vec3 p[4]) {
    return vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]));
}

// Cosines of the six dihedral angles, at edges 01, 02, 03, 12, 13, 23. Of a flat one some are not numbers.
static inline void tetrahedron_dihedral_cosines(const cdg_vec3 p[4], double out[6]) {
    cdg_vec3 n[4] = {
        // outward, of the face opposite each corner
        vec3_cross(vec3_sub(p[2], p[1]), vec3_sub(p[3], p[1])), vec3_cross(vec3_sub(p[3], p[0]), vec3_sub(p[2], p[0])),
        vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[3], p[0])), vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[1], p[0]))};
    double inverse[4];
    for (int k = 0; k < 4; k++) inverse[k] = 1 / vec3_norm(n[k]);
    static const unsigned char faces[6][2] = {{2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}, {0, 1}};
    for (int e = 0; e < 6; e++) {
        int a = faces[e][0], b = faces[e][1];
        out[e] = -vec3_dot(n[a], n[b]) * inverse[a] * inverse[b];
    }
}

// Whether it has a volume that is more than rounding, and the right sign.
static inline bool tetrahedron_is_solid(const cdg_vec3 p[4]) {
    double longest2 = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            cdg_vec3 d = vec3_sub(p[i], p[k]);
            double length2 = vec3_dot(d, d);
            longest2 = length2 > longest2 ? length2 : longest2;
        }
    return tetrahedron_volume6(p) > 1e-9 * longest2 * sqrt(longest2);
}

// Smallest and largest of them: cosines of the largest and of the smallest angle; -1 and 1 when one is not a number.
static inline void tetrahedron_cosine_range(const cdg_vec3 p[4], double *least, double *most) {
    double cosines[6];
    tetrahedron_dihedral_cosines(p, cosines);
    *least = 1;
    *most = -1;
    for (int e = 0; e < 6; e++) {
        bool is_number = cosines[e] == cosines[e];
        double low = is_number ? cosines[e] : -1, high = is_number ? cosines[e] : 1;
        *least = low < *least ? low : *least; // fmin and fmax are calls
        *most = high > *most ? high : *most;
    }
}

#endif
