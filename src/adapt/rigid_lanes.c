// Rigid motions in lanes: the choice of the variant that suits the processor.
#include "adapt/rigid_lanes.h"

#include "base/processor.h"

void cdg_rigid_sum(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups, cdg_rigid_sums *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: cdg_rigid_sum_avx512(nodes, frames, groups, out); break;
    case CDG_LANES_AVX2: cdg_rigid_sum_avx2(nodes, frames, groups, out); break;
#endif
    default: cdg_rigid_sum_base(nodes, frames, groups, out);
    }
}

double cdg_rigid_move(const cdg_rigid_nodes *nodes, const cdg_rigid_frames *frames, size_t groups, cdg_vec3 u,
                      cdg_vec3 turn, cdg_rigid_change *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_rigid_move_avx512(nodes, frames, groups, u, turn, out);
    case CDG_LANES_AVX2: return cdg_rigid_move_avx2(nodes, frames, groups, u, turn, out);
#endif
    default: return cdg_rigid_move_base(nodes, frames, groups, u, turn, out);
    }
}
