// What tests of strands look at beside the public API.
#ifndef CDG_NETS_STRANDS_BUILD_H
#define CDG_NETS_STRANDS_BUILD_H

#include <cordage/strands.h>

// Which guides a fibre with this root follows, and how much of each; `guides` are the guides' roots.
void cdg_strands_weigh(const cdg_vec3 *guides, size_t guide_count, cdg_vec3 root, double clump,
                       uint32_t chosen[CDG_FIBER_GUIDES], double weights[CDG_FIBER_GUIDES]);

#endif
