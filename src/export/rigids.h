// Obstacles and bodies of an export as triangle meshes with their poses.
#ifndef CDG_EXPORT_RIGIDS_H
#define CDG_EXPORT_RIGIDS_H

#include "export/format.h"
#include "geometry/shape_surface.h"
#include "output/run_rigids.h"

typedef struct cdg_export_rigid {
    const char *name; // an obstacle and a body may have the same
    bool is_free;     // moved by forces
    bool is_still;    // one pose, at all outputs
    cdg_shape_surface shape;
} cdg_export_rigid;

typedef struct cdg_export_rigids {
    cdg_export_rigid *items;
    size_t count;
} cdg_export_rigids;

// Of a plane the part that lies under or beside the rods and solids. A failure leaves nothing to free.
cdg_result cdg_export_rigids_make(const cdg_export *export, cdg_export_rigids *out, cdg_error *error);
void cdg_export_rigids_free(cdg_export_rigids *rigids);

// Where a rigid is at a frame of the export.
cdg_result cdg_export_rigid_pose(const cdg_export *export, size_t frame, size_t rigid, cdg_vec3 *position,
                                 cdg_quat *orientation, cdg_error *error);

#endif
