// Numbers of several arrays one after the other: the first of each, then the second of each, as files and pictures
// hold vectors. And numbers in single precision.
#ifndef CDG_MATH_INTERLEAVE_H
#define CDG_MATH_INTERLEAVE_H

#include <stddef.h>

enum { INTERLEAVE_MAX = 4 };

// to[i * components + k] = from[k][i] for `count` numbers of 1 to INTERLEAVE_MAX arrays.
void cdg_interleave(const double *const *from, size_t components, size_t count, double *to);
// Each number as the nearest of single precision; what is too large for it is infinite.
void cdg_narrow(const double *from, size_t count, float *to);

// What interleave_simd.c holds, for each instruction set.
typedef struct interleave_kernels {
    void (*interleave)(const double *const *from, size_t components, size_t count, double *to);
    void (*narrow)(const double *from, size_t count, float *to);
} interleave_kernels;
extern const interleave_kernels interleave_kernels_base, interleave_kernels_avx2, interleave_kernels_avx512;

#endif
