// The Gauss-Seidel solver of pobd, one function per instruction set; pobd_solve_gauss_seidel chooses. Tests force
// one.
#ifndef CDG_RODS_POBD_GAUSS_SEIDEL_H
#define CDG_RODS_POBD_GAUSS_SEIDEL_H

#include "rods/pobd/problem.h"

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

// ---- a solve in parts, for rods of a net, which take turns, and to keep the multipliers -----------------------------

// Where the solver keeps a point or a frame meanwhile: component k at first[k * stride]. Frames, w first, are sqrt(2)
// times unit, but for the last corrections.
typedef double pobd_lane __attribute__((may_alias)); // part of a vector
typedef struct pobd_spot {
    pobd_lane *first;
    size_t stride;
} pobd_spot;

// The parts by one variant. `scratch` has the bytes of pobd_gauss_seidel_scratch_size and solve_size more, is 64-byte
// aligned and keeps the solve; the problem must live as long.
typedef struct pobd_gauss_seidel_parts {
    size_t (*solve_size)(void); // multiple of 64
    void (*begin)(const pobd_problem *problem, void *scratch);
    void (*iterate)(void *scratch, bool is_last);
    void (*end)(void *scratch, pobd_outcome *outcome); // sets the correction; the problem's x and q are the solution
    pobd_spot (*node)(void *scratch, size_t node);
    pobd_spot (*frame)(void *scratch, size_t element);
    // After the end, as long as the scratch is kept (pobd_multipliers).
    cdg_vec3 (*stretch)(const void *scratch, size_t element);
    cdg_vec3 (*turn)(const void *scratch, size_t anchor, bool is_right);
} pobd_gauss_seidel_parts;

pobd_gauss_seidel_parts pobd_gauss_seidel_parts_of(pobd_gauss_seidel_variant variant);
pobd_gauss_seidel_parts pobd_gauss_seidel_best_parts(void); // those of pobd_solve_gauss_seidel

// pobd/gauss_seidel_simd.c
#define POBD_GAUSS_SEIDEL_DECLARE(suffix)                                                                              \
    size_t pobd_gauss_seidel_scratch_size_##suffix(size_t element_count, bool is_uniform, bool has_spare,              \
                                                   size_t anchor_count);                                               \
    void pobd_solve_gauss_seidel_##suffix(const pobd_problem *problem, void *scratch, pobd_outcome *outcome);          \
    size_t pobd_gauss_seidel_solve_size_##suffix(void);                                                                \
    void pobd_gauss_seidel_begin_##suffix(const pobd_problem *problem, void *scratch);                                 \
    void pobd_gauss_seidel_iterate_##suffix(void *scratch, bool is_last);                                              \
    void pobd_gauss_seidel_end_##suffix(void *scratch, pobd_outcome *outcome);                                         \
    pobd_spot pobd_gauss_seidel_node_##suffix(void *scratch, size_t node);                                             \
    pobd_spot pobd_gauss_seidel_frame_##suffix(void *scratch, size_t element);                                         \
    cdg_vec3 pobd_gauss_seidel_stretch_##suffix(const void *scratch, size_t element);                                  \
    cdg_vec3 pobd_gauss_seidel_turn_##suffix(const void *scratch, size_t anchor, bool is_right);
POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_DECLARE)
#undef POBD_GAUSS_SEIDEL_DECLARE

#endif
