// The choice of the instruction set for contact_links.h.
#include "contact/contact_links.h"

#include "base/processor.h"

const cdg_link_kernels *cdg_link_kernels_choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &cdg_link_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &cdg_link_kernels_avx2;
#endif
    return &cdg_link_kernels_base;
}
