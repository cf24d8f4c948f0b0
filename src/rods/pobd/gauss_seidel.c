// Chooses, at run time, the variant of the Gauss-Seidel solver that suits the processor. The solver itself, compiled
// once for each instruction set, is pobd/gauss_seidel_simd.c.
#include "rods/pobd/gauss_seidel.h"

#include "base/processor.h"

// The variants stand in the order of cdg_lanes.
bool pobd_gauss_seidel_has(pobd_gauss_seidel_variant variant) { return (int)variant <= (int)cdg_processor_lanes(); }

// One size for all variants: what a caller allocates does not depend on the machine.
size_t pobd_gauss_seidel_scratch_size(size_t element_count, bool is_uniform, bool has_spare, size_t anchor_count) {
    size_t size = 0;
#define POBD_GAUSS_SEIDEL_SIZE(suffix)                                                                                 \
    do {                                                                                                               \
        size_t needed = pobd_gauss_seidel_scratch_size_##suffix(element_count, is_uniform, has_spare, anchor_count);   \
        if (needed > size) size = needed;                                                                              \
    } while (0);
    POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_SIZE)
#undef POBD_GAUSS_SEIDEL_SIZE
    return size;
}

void pobd_solve_gauss_seidel_by(pobd_gauss_seidel_variant variant, const pobd_problem *problem, void *scratch,
                                pobd_outcome *outcome) {
    switch (variant) {
#define POBD_GAUSS_SEIDEL_CASE(suffix)                                                                                 \
    case POBD_GAUSS_SEIDEL_##suffix: pobd_solve_gauss_seidel_##suffix(problem, scratch, outcome); break;
        POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_CASE)
#undef POBD_GAUSS_SEIDEL_CASE
    default: break;
    }
}

static pobd_gauss_seidel_variant best_variant(void) {
    pobd_gauss_seidel_variant variant = POBD_GAUSS_SEIDEL_COUNT - 1;
    while (variant > POBD_GAUSS_SEIDEL_base && !pobd_gauss_seidel_has(variant)) variant--;
    return variant;
}

void pobd_solve_gauss_seidel(const pobd_problem *problem, void *scratch, pobd_outcome *outcome) {
    pobd_solve_gauss_seidel_by(best_variant(), problem, scratch, outcome);
}

pobd_gauss_seidel_parts pobd_gauss_seidel_parts_of(pobd_gauss_seidel_variant variant) {
    static const pobd_gauss_seidel_parts parts[] = {
#define POBD_GAUSS_SEIDEL_PARTS(suffix)                                                                                \
    {pobd_gauss_seidel_solve_size_##suffix, pobd_gauss_seidel_begin_##suffix, pobd_gauss_seidel_iterate_##suffix,      \
     pobd_gauss_seidel_end_##suffix,        pobd_gauss_seidel_node_##suffix,  pobd_gauss_seidel_frame_##suffix,        \
     pobd_gauss_seidel_stretch_##suffix,    pobd_gauss_seidel_turn_##suffix},
        POBD_GAUSS_SEIDEL_LIST(POBD_GAUSS_SEIDEL_PARTS)
#undef POBD_GAUSS_SEIDEL_PARTS
    };
    return parts[variant];
}

pobd_gauss_seidel_parts pobd_gauss_seidel_best_parts(void) { return pobd_gauss_seidel_parts_of(best_variant()); }
