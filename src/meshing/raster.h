// The cells of a cubic grid that triangles touch.
#ifndef CDG_MESHING_RASTER_H
#define CDG_MESHING_RASTER_H

#include "math/vec3.h"

typedef struct cdg_raster {
    cdg_vec3 origin;                               // corner of cell (0, 0, 0)
    double cell;                                   // edge, m
    bool (*visit)(void *user, const long cell[3]); // false: stop
    void *user;
} cdg_raster;

// Visits each cell that the triangle touches, some that it nearly does; false when a visit was.
bool cdg_raster_triangle(const cdg_raster *raster, const cdg_vec3 corners[3]);

#endif
