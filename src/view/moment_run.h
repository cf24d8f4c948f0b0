// The state of a world at one moment as a run of a single output, which can be drawn like any other.
#ifndef CDG_VIEW_MOMENT_RUN_H
#define CDG_VIEW_MOMENT_RUN_H

#include "scene/scene.h"

// Makes a new folder for temporary files and writes run.h5 there; `directory` gets its name.
cdg_result cdg_moment_run_write(const cdg_scene *scene, const cdg_world *world, char *directory, size_t size,
                                cdg_error *error);

#endif
