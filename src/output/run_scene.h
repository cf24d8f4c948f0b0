// The scene that a run was made from, as its file tells.
#ifndef CDG_OUTPUT_RUN_SCENE_H
#define CDG_OUTPUT_RUN_SCENE_H

#include "output/run_reader.h"

// Text and overrides are kept in the run file; they are parsed again. NULL: it can no longer be read, as one that
// refers to files which are gone. Destroyed with cdg_scene_destroy.
cdg_scene *cdg_run_reader_scene(const cdg_run_reader *reader);

#endif
