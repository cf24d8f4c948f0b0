// The two triangular solutions of an iteration of conjugate gradients (solid_gradients.h), with entries in single and
// in double precision.
#include "math/simd.h"
#include "solids/solid_gradients.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

typedef double four __attribute__((vector_size(32)));
typedef double loose_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float light_four __attribute__((vector_size(16), aligned(4), may_alias));

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

#define LOAD(a) (*(const loose_four *)(a))
#define STORE(a, value) (*(loose_four *)(a) = (value))

#define KIND(name) name##_light
#define ENTRY float
#define FIELD light
#define WIDEN(a) __builtin_convertvector(*(const light_four *)(a), four)
#include "solids/solid_gradients_template.h"

#define KIND(name) name##_exact
#define ENTRY double
#define FIELD exact
#define WIDEN(a) LOAD(a)
#include "solids/solid_gradients_template.h"

void VARIANT(cdg_solid_gradients_back)(const cdg_solid_gradients *g, const double *more, double share, double *p,
                                       double *t, size_t begin, size_t end) {
    (g->is_exact ? back_exact : back_light)(g, more, share, p, t, begin, end);
}

double VARIANT(cdg_solid_gradients_forth)(const cdg_solid_gradients *g, const double *p, const double *t, double *w,
                                          size_t begin, size_t end) {
    return (g->is_exact ? forth_exact : forth_light)(g, p, t, w, begin, end);
}
