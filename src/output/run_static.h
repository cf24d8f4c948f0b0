// A static run: equilibria along the scene's loads and motions, one output each; and the vibrations of rods.
#ifndef CDG_OUTPUT_RUN_STATIC_H
#define CDG_OUTPUT_RUN_STATIC_H

#include "output/run_file.h"

#include <cordage/run.h>

// Follows the scene's path in the world, which is at its start. `write` writes an output, after what is static about it
// was put into the file; `go_on` says whether to go on. The report is filled in any case.
typedef struct cdg_run_static {
    cdg_world *world;
    const cdg_scene *scene;
    const cdg_run_plan *plan;
    cdg_result (*write)(void *user, const cdg_equilibrium_report *equilibrium, cdg_error *error);
    bool (*go_on)(void *user, const cdg_path_report *report);
    void *user;
} cdg_run_static;
cdg_result cdg_run_static_follow(const cdg_run_static *run, cdg_path_report *report, cdg_error *error);

// Finds and writes the vibrations of every rod about the world's state.
cdg_result cdg_run_write_modes(cdg_world *world, cdg_run_file *file, size_t mode_count, cdg_error *error);

#endif
