// Loads on a chain of elements answered outwards (outward.h), for both kinds of chains.
#include "math/outward.h"
#include "math/row8.h"

#include <math.h>
#include <stdbool.h>

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE double size_of(const double v[3]) { return larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2])); }

INLINE bool is_in(const outward_range ranges[2], size_t index) {
    return (index >= ranges[0].first && index < ranges[0].end) || (index >= ranges[1].first && index < ranges[1].end);
}

INLINE void put(double *const to[3], size_t index, const double x[3]) {
    to[0][index] = x[0], to[1][index] = x[1], to[2][index] = x[2];
}
INLINE void add(double *const to[3], size_t index, const double x[3]) {
    to[0][index] += x[0], to[1][index] += x[1], to[2][index] += x[2];
}

#define KIND(name) JOIN(thick_, name)
#define TURNS 3
#define WIDTH 6
#define RECORD OUTWARD_THICK
#define LEFT OUTWARD_THICK_LEFT
#define RIGHT OUTWARD_THICK_RIGHT
#define CORE OUTWARD_THICK_CORE
#define LEVER OUTWARD_THICK_LEVER
#include "math/outward_template.h"

#define KIND(name) JOIN(thin_, name)
#define TURNS 1
#define WIDTH 7
#define RECORD OUTWARD_THIN
#define LEFT OUTWARD_THIN_LEFT
#define RIGHT OUTWARD_THIN_RIGHT
#define CORE OUTWARD_THIN_CORE
#include "math/outward_template.h"

outward_answer VARIANT(outward_push_thick)(const outward_push *push, size_t first_element, size_t last_element,
                                           double *const move[3], double *turn) {
    return thick_answer(push, first_element, last_element, move, turn);
}

outward_answer VARIANT(outward_push_thin)(const outward_push *push, size_t first_element, size_t last_element,
                                          double *const move[3], double *turn) {
    return thin_answer(push, first_element, last_element, move, turn);
}
