// The body-centred cubic lattice: corners and middles of cubes. Coordinates count half cubes, so that corners are even
// and middles odd; those of larger cubes (octree) are multiples of larger powers of two.
#ifndef CDG_MESHING_BCC_H
#define CDG_MESHING_BCC_H

#include "math/vec3.h"

#include <stdint.h>

enum {
    CDG_BCC_BITS = 21,   // of a coordinate
    CDG_BCC_LEVELS = 20, // cubes of the root's side: 2^20 at most
    CDG_BCC_EDGES = 14,  // of a vertex: six along the axes, eight along diagonals
    CDG_BCC_LONG_EDGES = 6,
};

typedef struct cdg_bcc { // where the lattice lies
    cdg_vec3 origin;
    double half; // half of a cube's edge, m
    int levels;  // the root cube has 2^levels cubes along each edge
} cdg_bcc;

static inline uint64_t bcc_key(uint32_t x, uint32_t y, uint32_t z) {
    return (uint64_t)x | (uint64_t)y << CDG_BCC_BITS | (uint64_t)z << 2 * CDG_BCC_BITS;
}
static inline uint32_t bcc_coordinate(uint64_t key, int axis) {
    return (uint32_t)(key >> axis * CDG_BCC_BITS) & ((1u << CDG_BCC_BITS) - 1);
}
static inline cdg_vec3 bcc_point(const cdg_bcc *lattice, uint64_t key) {
    return vec3(lattice->origin.x + lattice->half * bcc_coordinate(key, 0),
                lattice->origin.y + lattice->half * bcc_coordinate(key, 1),
                lattice->origin.z + lattice->half * bcc_coordinate(key, 2));
}

// Steps along the 14 edges as differences of keys: +x, -x, +y, -y, +z, -z by 2, then (+-1, +-1, +-1), bit k of the
// number less 6 telling whether axis k is positive. Keys must not be at the rim.
static inline uint64_t bcc_step(int edge) {
    if (edge < CDG_BCC_LONG_EDGES) {
        uint64_t step = (uint64_t)2 << (edge / 2) * CDG_BCC_BITS;
        return edge % 2 == 0 ? step : (uint64_t)0 - step;
    }
    uint64_t sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t step = (uint64_t)1 << axis * CDG_BCC_BITS;
        sum += (edge - CDG_BCC_LONG_EDGES) >> axis & 1 ? step : (uint64_t)0 - step;
    }
    return sum;
}
static inline int bcc_opposite(int edge) {
    return edge < CDG_BCC_LONG_EDGES ? edge ^ 1 : CDG_BCC_LONG_EDGES + (7 - (edge - CDG_BCC_LONG_EDGES));
}

// Corner number `corner` (bit k: positive along axis k) of the cube of the given level about `middle`.
static inline uint64_t bcc_corner(uint64_t middle, int level, int corner) {
    uint64_t sum = middle;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t step = (uint64_t)1 << (level + axis * CDG_BCC_BITS);
        sum += corner >> axis & 1 ? step : (uint64_t)0 - step;
    }
    return sum;
}
// Middle of the neighbour of the same size; side as the first six edges.
static inline uint64_t bcc_neighbour(uint64_t middle, int level, int side) {
    uint64_t step = (uint64_t)2 << (level + side / 2 * CDG_BCC_BITS);
    return side % 2 == 0 ? middle + step : middle - step;
}
static inline int bcc_level(uint64_t middle) { // of a cube's middle: trailing zeros of its coordinates
    int level = 0;
    for (uint32_t x = bcc_coordinate(middle, 0); (x & 1) == 0 && level < CDG_BCC_LEVELS; x >>= 1) level++;
    return level;
}
static inline uint64_t bcc_parent(uint64_t middle, int level) { // middle of the cube twice as large that holds it
    uint64_t sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t index = bcc_coordinate(middle, axis) >> (level + 2);
        sum |= (uint64_t)((2 * index + 1) << (level + 1)) << axis * CDG_BCC_BITS;
    }
    return sum;
}
#endif
