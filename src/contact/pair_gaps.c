// Gaps of many pairs of elements (pair_gaps.h): elements side by side in memory, for the kernels.
#include "contact/pair_gaps.h"

#include "base/processor.h"
#include "math/vec3.h"

#include <stdlib.h>

void cdg_pair_gaps_free(cdg_pair_gaps *gaps) {
    free(gaps->segments);
    free(gaps->moves);
    free(gaps->gaps);
    *gaps = (cdg_pair_gaps){0};
}

static cdg_gap_kernel *choose_kernel(void) {
    switch (cdg_processor_lanes()) {
#if defined(__x86_64__)
    case CDG_LANES_AVX512: return cdg_gap_kernel_avx512;
    case CDG_LANES_AVX2: return cdg_gap_kernel_avx2;
#endif
    default: return cdg_gap_kernel_base;
    }
}

static bool reserve(cdg_pair_gaps *it, size_t element_count, size_t pair_count) {
    if (element_count > it->element_capacity) {
        free(it->segments);
        free(it->moves);
        it->element_capacity = 0;
        it->segments = aligned_alloc(64, element_count * CDG_SEGMENT_SIZE * sizeof *it->segments);
        it->moves = malloc(element_count * sizeof *it->moves);
        if (it->segments == NULL || it->moves == NULL) return false;
        it->element_capacity = element_count;
    }
    if (pair_count > it->pair_capacity) {
        size_t capacity = pair_count + pair_count / 2;
        free(it->gaps);
        it->pair_capacity = 0;
        it->gaps = malloc(capacity * sizeof *it->gaps);
        if (it->gaps == NULL) return false;
        it->pair_capacity = capacity;
    }
    return true;
}

bool cdg_pair_gaps_find(cdg_pair_gaps *out, const cdg_pieces *p, const cdg_box_pair *pairs, size_t pair_count,
                        double most) {
    if (!reserve(out, p->element_count, pair_count)) return false;
    out->longest = 0;
    for (size_t e = 0; e < p->element_count; e++) {
        uint32_t i = p->ends[e][0], k = p->ends[e][1];
        cdg_vec3 from = p->next[i], to = p->next[k];
        const double segment[] = {from.x, from.y, from.z, to.x, to.y, to.z, p->radius[e][0], p->radius[e][1]};
        for (int c = 0; c < CDG_SEGMENT_SIZE; c++) out->segments[CDG_SEGMENT_SIZE * e + (size_t)c] = segment[c];
        out->moves[e] = fmax(vec3_distance(p->start[i], from), vec3_distance(p->start[k], to));
        double share = 0.5 * out->moves[e] / fmax(p->radius[e][0], p->radius[e][1]);
        if (share > out->longest) out->longest = share;
    }
    out->deepest = choose_kernel()(out->segments, out->moves, pairs, pair_count, most, out->gaps);
    return true;
}
