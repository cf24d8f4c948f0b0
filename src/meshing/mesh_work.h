// The public work on meshes, for callers who may want it to stop: CDG_ERROR_INTERRUPTED when patience (may be NULL) is
// over.
#ifndef CDG_MESHING_MESH_WORK_H
#define CDG_MESHING_MESH_WORK_H

#include "base/patience.h"

#include <cordage/meshing.h>

cdg_result cdg_mesh_check_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh_faults *out,
                                    cdg_error *error);
cdg_result cdg_mesh_boundary_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh *out,
                                       uint32_t **source_points, cdg_error *error);
cdg_result cdg_mesh_measure_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh_quality *out,
                                      cdg_error *error);

// The sentence when there is no memory, or no patience.
cdg_result cdg_mesh_work_fail(const cdg_patience *patience, const char *what, cdg_error *error);

#endif
