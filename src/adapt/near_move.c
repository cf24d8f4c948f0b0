// What may be in the way of a move: the choice of the variant that suits the processor.
#include "adapt/near_move.h"

#include "base/processor.h"

uint64_t cdg_near_segments(const cdg_near_move *move, double *const x[3], size_t first, size_t count, double other) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_near_segments_avx512(move, x, first, count, other);
    case CDG_LANES_AVX2: return cdg_near_segments_avx2(move, x, first, count, other);
#endif
    default: return cdg_near_segments_base(move, x, first, count, other);
    }
}
