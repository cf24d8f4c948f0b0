// What tests of strands look at beside the public API.
#ifndef CDG_NETS_STRANDS_BUILD_H
#define CDG_NETS_STRANDS_BUILD_H

#include <cordage/strands.h>

typedef struct cdg_guide_root {
    cdg_vec3 at;
    uint32_t guide;
} cdg_guide_root;

// Guides' roots by x, as weigh needs them; `out` has room for `count`.
void cdg_strands_sort(const cdg_vec3 *roots, size_t count, cdg_guide_root *out);

// Which guides a fibre with this root follows, and how much of each; `guides` as sorted.
void cdg_strands_weigh(const cdg_guide_root *guides, size_t guide_count, cdg_vec3 root, double clump,
                       uint32_t chosen[CDG_FIBER_GUIDES], double weights[CDG_FIBER_GUIDES]);

#endif
