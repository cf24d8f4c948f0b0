// Records of a strip (strip_outward.h): the choice of the instruction set.
#include "math/strip_outward.h"

#include "base/processor.h"

bool strip_outward(const strip *s, double *records) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return strip_outward_avx512(s, records);
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return strip_outward_avx2(s, records);
#endif
    return strip_outward_base(s, records);
}
