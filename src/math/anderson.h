// Anderson's mixing (1965): a fixed point x = G(x) from the last few steps. The next point is that combination of what
// G made of the last points whose way G(x) - x would be the shortest if G were linear; of size^2 nothing is kept. The
// memory is given up whenever a way is longer than the one before: G changed, or the combination led astray.
#ifndef CDG_MATH_ANDERSON_H
#define CDG_MATH_ANDERSON_H

#include <stddef.h>

enum { ANDERSON_MEMORY = 8 }; // steps that are kept

typedef struct anderson {
    size_t size;
    const double *weight;                             // of each number, for what counts as short
    double *way, *reached;                            // of the last call: G(x) - x and G(x)
    double *ways, *reaches;                           // how these changed from call to call, ANDERSON_MEMORY of each
    size_t count, next;                               // of those kept, and where the next one goes
    int calls;                                        // since the memory was given up
    double length2;                                   // of the last way
    double product[ANDERSON_MEMORY][ANDERSON_MEMORY]; // between ways' changes
} anderson;

// Doubles of scratch memory.
size_t anderson_scratch(size_t size);
// `weight` is kept, not copied.
anderson anderson_begin(size_t size, const double *weight, double *scratch);
// Forgets all steps: G is another.
void anderson_forget(anderson *a);
// `to` is G(at), and becomes the point to go on from.
void anderson_mix(anderson *a, const double *at, double *to);

// anderson_simd.c
typedef struct anderson_kernels {
    // Way and reached point of a call, with changes to those before in `way_change`, `reach_change`. Returns the way's
    // weighted length, squared.
    double (*take)(const anderson *a, const double *at, const double *to, double *way_change, double *reach_change);
    // Weighted products of x with `count` lists, one after the other.
    void (*products)(const anderson *a, const double *x, size_t count, double *out);
    // to -= sum of share times changes of what was reached.
    void (*subtract)(const anderson *a, size_t count, const double *share, double *to);
} anderson_kernels;
extern const anderson_kernels anderson_kernels_base, anderson_kernels_avx2, anderson_kernels_avx512;

#endif
