// Deformable solids of a run at one output as a VTK file of tetrahedra (.vtu), all of them in one grid.
#ifndef CDG_EXPORT_SOLIDS_VTU_H
#define CDG_EXPORT_SOLIDS_VTU_H

#include "export/vtp.h"
#include "output/run_reader.h"

cdg_result cdg_solids_vtu_make(cdg_vtp *vtu, const cdg_run_reader *reader, size_t output, cdg_error *error);

#endif
