// The run that stands where a new one is to go: whether it may be replaced, and keeping it beside.
#ifndef CDG_OUTPUT_OLD_RUN_H
#define CDG_OUTPUT_OLD_RUN_H

#include "scene/scene.h"

// The files of a run, in the order in which a new run takes their places.
enum { CDG_RUN_FILE_COUNT = 3 };
extern const char *const cdg_run_file_names[CDG_RUN_FILE_COUNT];

typedef enum cdg_old_run {
    CDG_OLD_RUN_NONE,   // nothing is there, or nothing that holds an output
    CDG_OLD_RUN_SAME,   // a run of the very scene: same text, overrides and files
    CDG_OLD_RUN_EDITED, // a run of an earlier version of the scene file, or one that cannot be read
    CDG_OLD_RUN_OTHER   // a run of a scene file of another name
} cdg_old_run;

// The files of a run, where they exist, are regular ones; CDG_ERROR_IO names one that is not.
cdg_result cdg_old_run_check(const char *directory, cdg_error *error);
// ... and a run made them, so that they may be replaced; else CDG_ERROR_ARGUMENT.
cdg_result cdg_old_run_check_own(const char *directory, cdg_error *error);

// Brings to an end what a process did not that died while its run took the place of another, and removes what one left
// that died before: afterwards the directory holds the old run or the new one, whole.
cdg_result cdg_old_run_settle(const char *directory, cdg_error *error);

// What is there. `described` gets its scene's name and number of outputs.
cdg_old_run cdg_old_run_find(const char *directory, const cdg_scene *scene, char *described, size_t size);

// Makes the run in `directory` stand in DIRECTORY.before, too, in place of the run that may be there. *place is
// malloc'ed: that directory's name.
cdg_result cdg_old_run_keep(const char *directory, char **where, cdg_error *error);

#endif
