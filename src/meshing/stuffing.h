// Isosurface stuffing (Labelle and Shewchuk 2007): a body-centred lattice, fine at the surface and coarse inside, whose
// tetrahedra are cut at the surface.
#ifndef CDG_MESHING_STUFFING_H
#define CDG_MESHING_STUFFING_H

#include "meshing/cut.h"
#include "meshing/octree.h"
#include "meshing/progress.h"

typedef struct cdg_raw_mesh { // the mesher's own, in counted memory
    cdg_vec3 *points;
    size_t point_count, point_capacity;
    uint32_t (*tetrahedra)[4];
    size_t tetrahedron_count, tetrahedron_capacity;
} cdg_raw_mesh;

void cdg_raw_mesh_free(cdg_raw_mesh *mesh, cdg_budget *budget);

typedef struct cdg_stuffing_def {
    const cdg_inside *inside;
    cdg_vec3 low, high; // box of the surface
    double size, grading;
    int thread_count;
} cdg_stuffing_def;

// CDG_ERROR_MEMORY, or CDG_ERROR_INTERRUPTED; the caller has the sentence.
cdg_result cdg_stuffing_fill(const cdg_stuffing_def *def, cdg_budget *budget, cdg_progress *progress,
                             cdg_raw_mesh *out);

#endif
