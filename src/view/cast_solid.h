// The surface of a deformable solid as it is shown: only nodes that lie on it.
#ifndef CDG_VIEW_CAST_SOLID_H
#define CDG_VIEW_CAST_SOLID_H

#include "output/run_looks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cdg_cast_solid {
    char *name;
    uint32_t *nodes; // of the solid, that its points are
    size_t point_count;
    uint32_t (*triangles)[3]; // of points
    size_t triangle_count;
    cdg_look look;
} cdg_cast_solid;

// False: no memory. What there is has to be freed either way.
bool cdg_cast_solid_make(cdg_cast_solid *out, const char *name, size_t node_count, const uint32_t (*surface)[3],
                         size_t surface_count);
void cdg_cast_solid_free(cdg_cast_solid *solid);

#endif
