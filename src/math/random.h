// A small seeded generator (splitmix64), so that tests and seeded scenes repeat on every machine.
#ifndef CDG_MATH_RANDOM_H
#define CDG_MATH_RANDOM_H

#include "math/quat.h"

typedef struct cdg_random {
    uint64_t state;
} cdg_random;

static inline uint64_t random_bits(cdg_random *random) {
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline double random_unit(cdg_random *random) { return (double)(random_bits(random) >> 11) * 0x1p-53; } // [0, 1)
static inline double random_in(cdg_random *random, double low, double high) {
    return low + (high - low) * random_unit(random);
}
static inline cdg_vec3 random_vec3(cdg_random *random, double size) { // each component in [-size, size)
    double x = random_in(random, -size, size), y = random_in(random, -size, size), z = random_in(random, -size, size);
    return vec3(x, y, z);
}
static inline cdg_quat random_rotation(cdg_random *random) { // uniform over rotations (Shoemake 1992)
    double a = random_unit(random), b = 6.283185307179586 * random_unit(random),
           c = 6.283185307179586 * random_unit(random);
    return quat(sqrt(a) * cos(c), sqrt(1 - a) * sin(b), sqrt(1 - a) * cos(b), sqrt(a) * sin(c));
}

#endif
