// What a run is made with besides its scene's text: files that the scene names, instruction set, methods.
#ifndef CDG_OUTPUT_RUN_ORIGIN_H
#define CDG_OUTPUT_RUN_ORIGIN_H

#include "output/hdf5_file.h"
#include "scene/scene.h"

// Counts up whenever a change of the methods changes the bits of some result (tests/cli/test_instructions.py notices):
// a run that was begun before such a change cannot be continued as if it had not happened.
enum { CDG_ALGORITHM_VERSION = 20 };

// Attributes of the run file.
bool cdg_run_origin_put(hid_t file, const cdg_scene *scene);

// Compares the run at `path` with what there is now. `changes` gets a clause for each difference, "" when there is
// none, or when the scene's text, its overrides or the version differ, which others look at. *is_known is false for a
// run that does not tell.
cdg_result cdg_run_origin_compare(const char *path, const cdg_scene *scene, char changes[CDG_MESSAGE_SIZE],
                                  bool *is_known, cdg_error *error);

#endif
