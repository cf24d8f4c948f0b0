// Scenes given where runs belong, and the other way round.
#ifndef CLI_MIX_UP_H
#define CLI_MIX_UP_H

#include <cordage/base.h>

#include <stdbool.h>

// Whether `argument`, where a command wants a run, is something else that is there; then the error says what to do.
bool is_no_run(const char *argument, const char *command, cdg_error *error);
// Whether it is a scene's file by its name, or names an example and no file.
bool names_scene(const char *argument);
// Whether `argument`, where a command wants a scene, is a run or a part of one.
bool is_no_scene(const char *argument, cdg_error *error);
// Whether results could go to this directory: it is one, or can be made.
bool can_hold_run(const char *directory, cdg_error *error);

#endif
