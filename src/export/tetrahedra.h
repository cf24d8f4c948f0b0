// Writing tetrahedra, for callers who may want it to stop.
#ifndef CDG_EXPORT_TETRAHEDRA_H
#define CDG_EXPORT_TETRAHEDRA_H

#include "base/patience.h"

#include <cordage/mesh_files.h>

// cdg_mesh_write; CDG_ERROR_INTERRUPTED when patience (may be NULL) is over: nothing is left behind.
cdg_result cdg_tetrahedra_write(const char *path, const cdg_mesh *mesh, cdg_patience *patience, cdg_error *error);

#endif
