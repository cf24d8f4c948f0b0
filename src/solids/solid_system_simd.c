// Products with the matrix of a solid's implicit step, the inner loop of conjugate gradients: a column of a block at a
// time. The fourth lane takes what comes next in memory and is not used.
#include "math/simd.h"
#include "solids/solid_system.h"

typedef double four __attribute__((vector_size(32)));
typedef float loose_four __attribute__((vector_size(16), aligned(4), may_alias));

#define WIDEN(a) __builtin_convertvector(*(const loose_four *)(a), four)

#define NAMED(name, suffix) NAMED_(name, suffix)
#define NAMED_(name, suffix) name##suffix

double NAMED(cdg_solid_multiply_rows, CDG_SIMD_SUFFIX)(const cdg_solid_system *m, const bool *is_held, size_t begin,
                                                       size_t end) {
    double dot = 0;
    for (size_t i = begin; i < end; i++) {
        four sum = {0, 0, 0, 0}, more = {0, 0, 0, 0};
        for (uint32_t e = m->first[i]; e < m->first[i + 1] && !is_held[i]; e++) {
            const float *a = m->light + 9 * (size_t)e;
            const double *p = m->direction + 3 * (size_t)m->column[e];
            sum += p[0] * WIDEN(a);
            more += p[1] * WIDEN(a + 3);
            sum += p[2] * WIDEN(a + 6);
        }
        sum += more;
        for (size_t k = 0; k < 3; k++) {
            m->product[3 * i + k] = sum[k];
            dot += sum[k] * m->direction[3 * i + k];
        }
    }
    return dot;
}
