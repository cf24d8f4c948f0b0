// Triangles made fit for the mesher: coinciding points made one, useless triangles dropped, orientations made to agree.
#ifndef CDG_MESHING_SOUP_H
#define CDG_MESHING_SOUP_H

#include "meshing/budget.h"

#include <cordage/meshing.h>

typedef struct cdg_soup {
    cdg_vec3 *points; // relative to `origin`
    size_t point_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
    uint32_t *mate; // of each half-edge (3 triangle + corner, to the next corner); CDG_NO_MATE or CDG_MANY_MATES
    cdg_vec3 origin, low, high; // the box is relative to `origin`, which is its middle
    double area;
    size_t dropped, flipped, components;
    size_t one_sided;       // components that cannot be oriented
    size_t doubled;         // closed components that are another once more, the other way around
    double open_share;      // of all half-edges, those without a mate
    double undecided_share; // of the area, whose orientation the triangles themselves do not tell: guessed, or none
    bool is_closed;         // each edge between two triangles that agree
} cdg_soup;

#define CDG_NO_MATE UINT32_MAX
#define CDG_MANY_MATES (UINT32_MAX - 1)

// Copies. Fails on points that are not finite, corners that are not there, and when nothing is left.
cdg_result cdg_soup_build(const cdg_mesh *surface, cdg_budget *budget, cdg_soup *out, cdg_error *error);
void cdg_soup_free(cdg_soup *soup, cdg_budget *budget);
void cdg_soup_flip(cdg_soup *soup); // all of it

static inline cdg_vec3 cdg_soup_corner(const cdg_soup *soup, size_t triangle, int corner) {
    return soup->points[soup->triangles[triangle][corner]];
}

#endif
