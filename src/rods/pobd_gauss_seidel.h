// The Gauss-Seidel solver of pobd, one function per instruction set; pobd_solve_gauss_seidel chooses. Tests force
// one.
#ifndef CDG_RODS_POBD_GAUSS_SEIDEL_H
#define CDG_RODS_POBD_GAUSS_SEIDEL_H

#include "rods/pobd_problem.h"

// The one list of variants: X(suffix of its functions). Slowest first.
#if defined(__x86_64__)
#define POBD_GAUSS_SEIDEL_LIST(X) X(base) X(avx2) X(avx512)
#else
#define POBD_GAUSS_SEIDEL_LIST(X) X(base)
#endif

typedef enum pobd_gauss_seidel_variant {
#define POBD_GAUSS_SEIDEL_ENUM(suffix) POBD_GAUSS_SEIDEL_##suffix,
    POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_ENUM)
#undef POBD_GAUSS_SEIDEL_ENUM
        POBD_GAUSS_SEIDEL_COUNT
} pobd_gauss_seidel_variant;

// Whether this machine can run the variant.
bool pobd_gauss_seidel_has(pobd_gauss_seidel_variant variant);

// pobd_solve_gauss_seidel by the given variant, which the machine must have.
void pobd_solve_gauss_seidel_by(pobd_gauss_seidel_variant variant, const pobd_problem *problem, void *scratch,
                                pobd_outcome *outcome);

// pobd_gauss_seidel_simd.c
#define POBD_GAUSS_SEIDEL_DECLARE(suffix)                                                                              \
    size_t pobd_gauss_seidel_scratch_size_##suffix(size_t element_count, bool is_uniform, bool has_spare,              \
                                                   size_t anchor_count);                                               \
    void pobd_solve_gauss_seidel_##suffix(const pobd_problem *problem, void *scratch, pobd_outcome *outcome);
POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_DECLARE)
#undef POBD_GAUSS_SEIDEL_DECLARE

#endif
