// Obstacles and bodies of an export as triangle meshes with their poses.
#ifndef CDG_EXPORT_SOLIDS_H
#define CDG_EXPORT_SOLIDS_H

#include "export/format.h"
#include "geometry/solid_shape.h"
#include "output/run_solids.h"

typedef struct cdg_export_solid {
    const char *name; // an obstacle and a body may have the same
    bool is_free;     // moved by forces
    bool is_still;    // one pose, at all outputs
    cdg_solid_shape shape;
} cdg_export_solid;

typedef struct cdg_export_solids {
    cdg_export_solid *items;
    size_t count;
} cdg_export_solids;

// Of a plane the part that lies under or beside the rods. A failure leaves nothing to free.
cdg_result cdg_export_solids_make(const cdg_export *export, cdg_export_solids *out, cdg_error *error);
void cdg_export_solids_free(cdg_export_solids *solids);

// Where a solid is at a frame of the export.
cdg_result cdg_export_solid_pose(const cdg_export *export, size_t frame, size_t solid, cdg_vec3 *position,
                                 cdg_quat *orientation, cdg_error *error);

// Grey, sRGB in [0, 1].
void cdg_export_solid_color(const cdg_export_solid *solid, double out[3]);

#endif
