// Chooses the variant of the dampers' solution that suits the processor.
#include "rods/corde/dampers.h"

#include "base/processor.h"

// 42 numbers a step for each of four lanes; closed rods take up to 0.7 of half their elements twice.
size_t corde_dampers_record_doubles(size_t element_count) {
    return 42 * 4 * (element_count / 2 + element_count / 4 + 2);
}

bool corde_dampers_solve(const corde_dampers *d) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return corde_dampers_solve_avx512(d);
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return corde_dampers_solve_avx2(d);
#endif
    return corde_dampers_solve_base(d);
}
