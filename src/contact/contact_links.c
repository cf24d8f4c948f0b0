// The choice of the instruction set for contact_links.h, and points beyond four.
#include "contact/contact_links.h"

#include "base/processor.h"

const cdg_link_kernels *cdg_link_kernels_choose(void) {
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) return &cdg_link_kernels_avx512;
    if (cdg_processor_lanes() == CDG_LANES_AVX2) return &cdg_link_kernels_avx2;
#endif
    return &cdg_link_kernels_base;
}

void cdg_links_clear(const cdg_link *links, size_t count, double *force, double *torque) {
    for (size_t i = 0; i < count; i++) {
        for (int p = 0; p < 4; p++)
            for (size_t k = 0; k < 3; k++) force[3 * (size_t)links[i].point[p] + k] = 0;
        for (int e = 0; e < 2; e++) torque[links[i].element[e]] = 0;
    }
}

void cdg_link_points_clear(const cdg_link_point *points, size_t count, double *force) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) force[3 * (size_t)points[i].point + k] = 0;
}

void cdg_link_points_spread(const cdg_link_point *points, size_t count, const double *change, double *force) {
    for (size_t i = 0; i < count; i++) {
        const double *c = change + 3 * (size_t)points[i].link;
        double *at = force + 3 * (size_t)points[i].point;
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) at[k] += c[a] * points[i].column[a][k];
    }
}

void cdg_link_points_feel(const cdg_link_point *points, size_t count, const double *move, double *out) {
    for (size_t i = 0; i < count; i++) {
        const double *at = move + 3 * (size_t)points[i].point;
        double *to = out + 3 * (size_t)points[i].link;
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) to[a] += at[k] * points[i].column[a][k];
    }
}
