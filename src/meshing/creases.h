// Creases of a surface: edges that bend by more than an angle, the patches that they part, and corners where they meet.
#ifndef CDG_MESHING_CREASES_H
#define CDG_MESHING_CREASES_H

#include "meshing/soup.h"

enum { CDG_CORNER_PATCHES = 6 };
#define CDG_NO_PATCH UINT32_MAX

typedef struct cdg_crease_edge {
    uint32_t end[2], patch[2]; // the same patch twice: the crease ends within it
} cdg_crease_edge;

typedef struct cdg_crease_corner { // where creases other than two end, or two that do not part the same patches
    uint32_t point, patch_count, patch[CDG_CORNER_PATCHES]; // more patches than these are left out
} cdg_crease_corner;

typedef struct cdg_creases {
    const cdg_soup *soup;
    uint32_t *patch; // of each triangle
    size_t patch_count;
    bool *is_plane; // of each patch: its points lie in one plane
    cdg_crease_edge *edges;
    size_t edge_count, edge_capacity;
    cdg_crease_corner *corners;
    size_t corner_count, corner_capacity;
    uint32_t *corner_of; // of each point of the soup: which corner it is, or UINT32_MAX
    // edges in cells of a grid, which their boxes touch
    cdg_vec3 low;
    double cell;
    long count[3];
    uint32_t *start, *list;
} cdg_creases;

bool cdg_creases_find(const cdg_soup *soup, double angle, double size, cdg_budget *budget, cdg_creases *out);
void cdg_creases_free(cdg_creases *creases, cdg_budget *budget);

// The nearest point of a crease within reach that has a patch of `a` on one side and one of `b` on the other; NULL: of
// any crease. The edge's number, or UINT32_MAX.
uint32_t cdg_creases_nearest(const cdg_creases *creases, cdg_vec3 from, double reach, const uint32_t *a, int a_count,
                             const uint32_t *b, int b_count, cdg_vec3 *position);

// Corners within reach, each once; at most `capacity`.
int cdg_creases_corners(const cdg_creases *creases, cdg_vec3 from, double reach, uint32_t *out, int capacity);

#endif
