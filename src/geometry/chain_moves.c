// The choice of the instruction set for chain_moves.h.
#include "geometry/chain_moves.h"

#include "base/processor.h"

const chain_moves_kernels *chain_moves_choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &chain_moves_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &chain_moves_avx2;
#endif
    return &chain_moves_base;
}
