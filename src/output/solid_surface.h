// The surface of a solid of a run: the nodes on it, numbered anew, and the tetrahedron behind each triangle.
#ifndef CDG_OUTPUT_SOLID_SURFACE_H
#define CDG_OUTPUT_SOLID_SURFACE_H

#include "output/run_solids.h"

typedef struct cdg_solid_surface {
    size_t point_count, triangle_count;
    uint32_t *nodes;          // point_count: of the solid
    uint32_t (*triangles)[3]; // points, counter-clockwise from outside
    uint32_t *tetrahedra;     // triangle_count
} cdg_solid_surface;

// Fails with CDG_ERROR_FORMAT where a triangle is not a face of any tetrahedron. A failure leaves nothing to free.
cdg_result cdg_solid_surface_make(const cdg_run_solid_entry *solid, cdg_solid_surface *out, cdg_error *error);
void cdg_solid_surface_free(cdg_solid_surface *surface);

#endif
