// Chooses the variant of corde's loops that suits the processor.
#include "rods/corde/kernels.h"

#include "base/processor.h"

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

void corde_cells(const cdg_rod *rod, const corde_state *at, size_t begin, size_t end, const corde_work *work) {
    CHOOSE(corde_cells, rod, at, begin, end, work);
}

bool corde_penalty_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                            size_t end, const corde_work *work) {
    return CHOOSE(corde_penalty_elements, rod, s, loads, begin, end, work);
}

void corde_penalty_forces(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                          size_t end, const corde_work *work) {
    CHOOSE(corde_penalty_forces, rod, s, loads, begin, end, work);
}

bool corde_penalty_frames(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                          size_t end, const corde_work *work) {
    return CHOOSE(corde_penalty_frames, rod, s, loads, begin, end, work);
}

void corde_constraint_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                               size_t end, const corde_work *work) {
    CHOOSE(corde_constraint_elements, rod, s, loads, begin, end, work);
}

void corde_constraint_spin(const corde_substep *s, size_t begin, size_t end, const corde_work *work) {
    CHOOSE(corde_constraint_spin, s, begin, end, work);
}

bool corde_constraint_frames(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                             const corde_work *work) {
    return CHOOSE(corde_constraint_frames, rod, s, begin, end, work);
}

bool corde_nodes(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin, size_t end,
                 const corde_work *work) {
    return CHOOSE(corde_nodes, rod, s, loads, begin, end, work);
}

void corde_kick_nodes(const cdg_rod *rod, const corde_substep *s, double drift, size_t begin, size_t end,
                      const corde_work *work) {
    CHOOSE(corde_kick_nodes, rod, s, drift, begin, end, work);
}
