// Chooses the loops of der's explicit step (der/loops.h) that suit the processor.
#include "rods/der/loops.h"

#include "base/processor.h"

const der_loops *der_choose_loops(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &der_loops_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &der_loops_avx2;
#endif
    return &der_loops_base;
}
