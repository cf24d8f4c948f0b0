// Rigids of a run: its obstacles, then its bodies; what pictures and exports show beside rods.
#ifndef CDG_OUTPUT_RUN_RIGIDS_H
#define CDG_OUTPUT_RUN_RIGIDS_H

#include "output/run_reader.h"

typedef struct cdg_run_rigid {
    const char *name; // as the shape, valid as long as the reader
    cdg_shape shape;  // at the start
    bool is_free;     // a body that forces move
    bool is_still;    // never moves
} cdg_run_rigid;

size_t cdg_run_rigid_count(const cdg_run_reader *reader);
cdg_run_rigid cdg_run_rigid_get(const cdg_run_reader *reader, size_t rigid);
// Where it is at one output. CDG_ERROR_FORMAT: the file is damaged, what it says is no pose.
cdg_result cdg_run_rigid_pose(const cdg_run_reader *reader, size_t frame, size_t rigid, cdg_vec3 *position,
                              cdg_quat *orientation, cdg_error *error);

#endif
