// Generalised winding numbers of many triangles, fast: a tree whose far nodes are seen as expansions about a point
// (Barill, Dickson, Schmidt, Levin and Jacobson 2018). The same tree finds triangles that cross a segment or are near.
#ifndef CDG_MESHING_WINDING_H
#define CDG_MESHING_WINDING_H

#include "meshing/soup.h"

typedef struct cdg_winding_node {
    cdg_vec3 middle;       // of the area
    double far2;           // beyond this distance, squared, the expansion is good enough
    uint32_t begin, count; // triangles
    uint32_t child;        // the first of two neighbours; 0: leaf
    float low[3], high[3]; // box, rounded outward
    // Moments of the area vector about the middle, of order 0, 1 and 2, as far as a potential sees them
    double dipole[3];
    double trace, form[6];       // of the first moment; symmetric, 00 11 22 01 02 12
    double vector[3], cubic[10]; // of the second: 000 111 222 001 002 110 112 220 221 012
} cdg_winding_node;

typedef struct cdg_winding {
    cdg_winding_node *nodes;
    size_t node_count;
    cdg_vec3 (*corners)[3]; // in the order of the leaves
    uint32_t *source;       // which triangle of the soup
    size_t triangle_count;
} cdg_winding;

bool cdg_winding_build(const cdg_soup *soup, cdg_budget *budget, cdg_winding *out); // false: no memory
void cdg_winding_free(cdg_winding *winding, cdg_budget *budget);

double cdg_winding_at(const cdg_winding *winding, cdg_vec3 point);
double cdg_winding_direct(const cdg_winding *winding, cdg_vec3 point); // the sum over all triangles

// Crossings of the segment from a to b: where (0 to 1) and by how much the winding number changes (+1 or -1). Returns
// how many there are, of which at most `capacity` are written, in order of place.
typedef struct cdg_crossing {
    double position;
    int change;
} cdg_crossing;
size_t cdg_winding_cross(const cdg_winding *winding, cdg_vec3 a, cdg_vec3 b, cdg_crossing *out, size_t capacity);

// Nearest point of all triangles, within `most`; false: none.
bool cdg_winding_nearest(const cdg_winding *winding, cdg_vec3 point, double most, cdg_vec3 *nearest,
                         uint32_t *triangle);

#endif
