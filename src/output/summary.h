// summary.json: how a run went, in one page.
#ifndef CDG_OUTPUT_SUMMARY_H
#define CDG_OUTPUT_SUMMARY_H

#include "output/checkpoint.h"
#include "output/json.h"
#include "output/run_peaks.h"
#include "output/run_plan.h"
#include "scene/scene.h"

#include <cordage/run.h>

// Everything the page tells. Pointers are read only while writing.
typedef struct cdg_summary {
    const cdg_scene *scene;
    const cdg_world *world; // at the time reached
    const cdg_run_plan *plan;
    const cdg_run_tally *tally;
    double wall_seconds;        // of this process
    const cdg_run_times *times; // NULL: not told
    uint64_t steps_here;        // steps made by this process
    size_t frame_count;         // outputs written
    int thread_count;           // as asked; 0: all cores
    bool is_finished, is_resumed;
    const cdg_error *failure;    // NULL: none
    const cdg_path_report *path; // NULL: a dynamic run
    const cdg_run_peaks *peaks;  // NULL: not watched
} cdg_summary;

// The first bytes of every summary: tells our own files from others of the same name.
#define CDG_SUMMARY_SIGNATURE "{\n  \"cordage\": "

void cdg_summary_write_json(cdg_json *json, const cdg_summary *summary);

// Writes the file as a whole or not at all.
cdg_result cdg_summary_write(const char *path, const cdg_summary *summary, cdg_error *error);

#endif
