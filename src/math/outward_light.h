// Loads everywhere on a stretch of an open chain, answered there alone, in single precision: for solvers that ask
// hundreds of times for what changes of loads do and look at the exact answer (outward.h) in the end. Records are
// packed for it: half as long, and without what torques about one axis do not need, so that less memory is read.
#ifndef CDG_MATH_OUTWARD_LIGHT_H
#define CDG_MATH_OUTWARD_LIGHT_H

#include "math/outward.h"

// Offsets in an element's light record, floats. Matrices stand column after column. The core has four columns, of loads
// on x_j and of a torque; its rows are x_j, t_j, x_{j+1}.
enum {
    OUTWARD_LIGHT_THICK_LEFT = 0,
    OUTWARD_LIGHT_THICK_RIGHT = 36,
    OUTWARD_LIGHT_THICK_CORE = 72,
    OUTWARD_LIGHT_THICK_LEVER = 108,
    OUTWARD_LIGHT_THICK = 112,
    OUTWARD_LIGHT_THIN_LEFT = 0,
    OUTWARD_LIGHT_THIN_RIGHT = 28,
    OUTWARD_LIGHT_THIN_CORE = 56,
    OUTWARD_LIGHT_THIN = 88,
    OUTWARD_LIGHT_PASSES = 16, // floats of working memory an element
};

typedef struct outward_light_push {
    const double *records; // outward.h
    const float *light;    // made of them
    float *passes;         // working memory, of all elements
    outward_range nodes;   // where loads are, and answers wanted; two elements at least
    double *const *force;  // 3, of all nodes
    const double *torque;  // of all elements
} outward_light_push;

// Light records of elements first to end - 1, where they belong among those of all elements.
void outward_lighten_thick(const double *records, outward_range elements, float *light);
void outward_lighten_thin(const double *records, outward_range elements, float *light);

// Moves of the nodes and turns of the elements between them, but for parts in a million or so.
void outward_light_thick(const outward_light_push *push, double *const move[3], double *turn);
void outward_light_thin(const outward_light_push *push, double *const move[3], double *turn);

// outward_light_simd.c
#define OUTWARD_LIGHT_DECLARE(suffix)                                                                                  \
    void outward_light_thick##suffix(const outward_light_push *push, double *const move[3], double *turn);             \
    void outward_light_thin##suffix(const outward_light_push *push, double *const move[3], double *turn);
OUTWARD_LIGHT_DECLARE(_base)
OUTWARD_LIGHT_DECLARE(_avx2)
OUTWARD_LIGHT_DECLARE(_avx512)
#undef OUTWARD_LIGHT_DECLARE

#endif
