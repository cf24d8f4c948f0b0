// Chooses the variant of pobd's time integration that suits the processor.
#include "rods/pobd/motion.h"

#include "base/processor.h"

void pobd_predict(const cdg_rod *rod, pobd_scheme s, const cdg_rod_loads *loads, const pobd_inertia *inertia,
                  const pobd_targets *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: pobd_predict_avx512(rod, s, loads, inertia, out); break;
    case CDG_LANES_AVX2: pobd_predict_avx2(rod, s, loads, inertia, out); break;
#endif
    default: pobd_predict_base(rod, s, loads, inertia, out);
    }
}

bool pobd_finish(const cdg_rod *rod, pobd_scheme s) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return pobd_finish_avx512(rod, s);
    case CDG_LANES_AVX2: return pobd_finish_avx2(rod, s);
#endif
    default: return pobd_finish_base(rod, s);
    }
}
