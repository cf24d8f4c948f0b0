// Running a scene to its end: run.h5, probes.csv and summary.json in a directory.
#ifndef CORDAGE_RUN_H
#define CORDAGE_RUN_H

#include <cordage/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_run_progress {
    double time, duration; // s of simulated time
    uint64_t step, step_count;
    size_t frame, frame_count; // outputs written
    double elapsed;            // s of wall clock in this process
    const cdg_step_report *report;
} cdg_run_progress;

typedef struct cdg_run_def {
    const cdg_scene *scene;
    const char *directory; // made if absent; an existing run there is replaced unless resume
    bool resume;           // continue from the last checkpoint in `directory`
    int thread_count;      // 0: all cores
    // Called after every step; return false to stop cleanly (files stay valid and can be resumed). May be NULL.
    bool (*on_progress)(void *user, const cdg_run_progress *progress);
    void *user;
} cdg_run_def;

typedef struct cdg_run_summary {
    double time, step, wall_seconds;
    uint64_t step_count;
    size_t frame_count;
    double energy_start, energy_end; // total, J
    double worst_residual;           // largest solver residual of any step
    uint64_t halved_step_count;      // steps that a model had to halve to find a solution
    uint64_t part_count;             // parts that models divided steps into (cdg_step_report.parts), summed up
    double largest_turn; // rad, largest turn between neighbouring elements against the rest shape, at any output
    bool finished;       // reached the duration
    bool resumed;
    bool is_static;       // the outputs are equilibria, and time is that of loads and supports
    cdg_path_report path; // when static
} cdg_run_summary;

// On failure (diverged, disk full, interrupted) what was computed up to the last output is kept and readable.
cdg_result cdg_run(const cdg_run_def *def, cdg_run_summary *summary, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
