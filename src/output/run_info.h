// What is in a run directory, in numbers: for `cordage info DIR`. Works during a run and after a crash.
#ifndef CDG_OUTPUT_RUN_INFO_H
#define CDG_OUTPUT_RUN_INFO_H

#include "output/json.h"

#include <cordage/world.h>

typedef struct cdg_run_info_rod {
    char *name, *model;
    bool is_closed;
    size_t node_count, element_count;
    double length, mass; // m, kg
    size_t set;          // whose datasets it is in (run_sets.h), from 1; 0: it has its own
    // Its resolution changes (run_ragged.h): the counts above are those of the last output written, 0 while there is
    // none; these are over all of them.
    bool adapts;
    size_t node_first, node_least, node_most, node_capacity; // the first: of the first output
    double node_mean;
} cdg_run_info_rod;

typedef struct cdg_run_info {
    char *version, *title, *model, *scene_name, *scene_text, *overrides, *settings, *step_reason;
    double step, output_every, end_time; // s
    uint64_t steps_per_output;
    size_t frame_count, frames_planned;  // outputs written and planned
    bool is_finished;                    // all planned outputs are there; else it runs still or was interrupted
    double time_start, time_end;         // s, of the outputs written; NaN: none
    cdg_energy energy_start, energy_end; // J, at the first and the last output written; NaN: none
    cdg_run_info_rod *rods;              // in order of creation
    size_t rod_count, set_count;
    bool has_contacts;                           // there was contact
    double contacts_end, contacts_most, deepest; // at the last output, most at any; deepest penetration, in radii
    // bytes; `run_used` is what run.h5 takes on the disk, less than its size while outputs are missing
    uint64_t run_size, run_used, probes_size, summary_size;
} cdg_run_info;

// A run is named by its directory or by the run file itself. Finds both, malloc'ed; CDG_ERROR_IO: there is no file.
cdg_result cdg_run_info_locate(const char *run, char **directory, char **path, cdg_error *error);

// Reads DIR/run.h5. CDG_ERROR_IO: it cannot be opened; CDG_ERROR_FORMAT: it is not a run of cordage, or damaged.
// `directory` may also be the run file itself.
cdg_result cdg_run_info_read(const char *directory, cdg_run_info *out, cdg_error *error);
void cdg_run_info_free(cdg_run_info *info);

// The same as JSON, without the scene's text.
void cdg_run_info_write_json(cdg_json *json, const char *key, const cdg_run_info *info);

#endif
