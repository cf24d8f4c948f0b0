// A directory for a run that is looked at once and then gone.
#ifndef CLI_TEMPORARY_RUN_H
#define CLI_TEMPORARY_RUN_H

#include <cordage/base.h>

enum { TEMPORARY_PATH_SIZE = 300 };

// Makes it below TMPDIR and writes its path.
cdg_result temporary_run_begin(char directory[TEMPORARY_PATH_SIZE], cdg_error *error);
// Removes the run in it, a "picture.png", and the directory; NULL or "": nothing.
void temporary_run_end(const char *directory);

#endif
