// Energies of elements and cells with their derivatives (rod_patch_terms.h): the choice of the variant that suits the
// processor, and what is done once.
#include "adapt/rod_patch_terms.h"

#include "base/processor.h"
#include "math/quat.h"
#include "rods/frame_angle.h"

void cdg_edges_evaluate(const cdg_edge_laws *laws, const cdg_patch_quats *q, const cdg_patch_vectors *edge,
                        cdg_patch_order order, cdg_edge_terms *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: cdg_edges_evaluate_avx512(laws, q, edge, order, out); break;
    case CDG_LANES_AVX2: cdg_edges_evaluate_avx2(laws, q, edge, order, out); break;
#endif
    default: cdg_edges_evaluate_base(laws, q, edge, order, out);
    }
}

void cdg_cells_evaluate(const cdg_cell_laws *laws, const cdg_patch_quats *left, const cdg_patch_quats *right,
                        cdg_patch_order order, cdg_cell_terms *out) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: cdg_cells_evaluate_avx512(laws, left, right, order, out); break;
    case CDG_LANES_AVX2: cdg_cells_evaluate_avx2(laws, left, right, order, out); break;
#endif
    default: cdg_cells_evaluate_base(laws, left, right, order, out);
    }
}

cdg_vec3 cdg_cell_half_strain(cdg_cell_kind kind, cdg_quat rest) {
    double scale = kind == CDG_CELL_SINE ? 1 : kind == CDG_CELL_TANGENT ? 1 / rest.w : pobd_angle_scale(rest.w);
    return vec3_scale(scale, quat_imaginary(rest));
}

void cdg_edge_law_clear(cdg_edge_laws *laws, size_t lane) {
    laws->length[lane] = 1;
    for (int k = 0; k < 3; k++) laws->stiffness[k][lane] = 0;
}

void cdg_cell_law_clear(cdg_cell_laws *laws, size_t lane) {
    for (int k = 0; k < 3; k++) laws->stiffness[k][lane] = laws->rest_half[k][lane] = 0;
    for (int k = 0; k < 4; k++) laws->rest[k][lane] = k == 0;
    laws->near[lane] = 0;
}
