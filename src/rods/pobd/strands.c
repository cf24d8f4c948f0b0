// Chooses the variant of the team solver that suits the processor.
#include "rods/pobd/strands.h"

#include "base/processor.h"

size_t pobd_strands_most(void) {
    switch (cdg_processor_lanes()) {
    case CDG_LANES_AVX512: return 8;
    case CDG_LANES_AVX2: return 4;
    default: return 2;
    }
}

size_t pobd_strands_scratch_size(size_t element_count) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return pobd_strands_scratch_size_avx512(element_count);
    case CDG_LANES_AVX2: return pobd_strands_scratch_size_avx2(element_count);
#endif
    default: return pobd_strands_scratch_size_base(element_count);
    }
}

bool pobd_solve_strands(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations, const cdg_soon *soon,
                        void *scratch) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return pobd_solve_strands_avx512(strands, count, scheme, iterations, soon, scratch);
    case CDG_LANES_AVX2: return pobd_solve_strands_avx2(strands, count, scheme, iterations, soon, scratch);
#endif
    default: return pobd_solve_strands_base(strands, count, scheme, iterations, soon, scratch);
    }
}

bool pobd_advance_strands(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations, uint64_t steps,
                          bool is_final, const cdg_soon *soon, void *scratch, uint64_t *taken) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512:
        return pobd_advance_strands_avx512(strands, count, scheme, iterations, steps, is_final, soon, scratch, taken);
    case CDG_LANES_AVX2:
        return pobd_advance_strands_avx2(strands, count, scheme, iterations, steps, is_final, soon, scratch, taken);
#endif
    default:
        return pobd_advance_strands_base(strands, count, scheme, iterations, steps, is_final, soon, scratch, taken);
    }
}
