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

// Decisions before the first step.
typedef struct cdg_run_start {
    double step;             // s; 0: static
    const char *step_reason; // why this step: one sentence
    const char *warning;     // what will disappoint about step or times; "" when nothing will
} cdg_run_start;

typedef struct cdg_run_def {
    const cdg_scene *scene;
    // Made if absent. A run that is there is replaced, once the first step has succeeded: not before, so that a scene
    // that is refused costs nothing. A run of an earlier version of the scene is kept as DIRECTORY.before, one of a
    // scene of another name is not replaced (CDG_ERROR_ARGUMENT).
    const char *directory;
    // Continue from the last checkpoint in `directory`. The scene must be the run's own, or that with a later end: the
    // run's overrides, then "simulation.duration=T", and "output.every=..." and "simulation.step=..." as the run has
    // them where the scene leaves those to the duration.
    bool resume;
    // Replaces any run without keeping it; continues a run although files that its scene names, the instruction set or
    // the methods have changed since it began.
    bool force;
    bool start_only;  // writes the first output, as the scene begins, and takes no step: to look at
    int thread_count; // 0: all cores
    // Called after every step; return false to stop cleanly (files stay valid and can be resumed). May be NULL.
    bool (*on_progress)(void *user, const cdg_run_progress *progress);
    // Told what became of a run that was there, and what is doubtful about one that is continued. May be NULL.
    void (*on_note)(void *user, const char *sentence);
    void (*on_start)(void *user, const cdg_run_start *start); // called once, before any file is written; may be NULL
    void *user;                                               // of all three
} cdg_run_def;

// Where the wall time of a dynamic run went, s; of worlds whose steps take microseconds some steps are timed and stand
// for all.
typedef struct cdg_run_times {
    double rods;    // rods, bodies and solids alone
    double contact; // finding contacts and their forces
    double again;   // what is touched once more, with the forces
    double in_vain; // tries at steps that were divided then
    double commit;  // books, energy guard, changes of resolution
    double output;  // outputs and checkpoints
    double rounds;  // how often something was computed again with contact forces, all steps together
    bool has_rods, has_solids;
} cdg_run_times;

typedef struct cdg_run_summary {
    double time, step, wall_seconds;
    uint64_t step_count;
    size_t frame_count;
    double energy_start, energy_end; // total, J
    double worst_residual;           // largest solver residual of any step
    uint64_t halved_step_count;      // steps that a model, or the world for contact, had to halve to find a solution
    uint64_t part_count;             // parts that models divided steps into (cdg_step_report.parts), summed up
    double largest_turn; // rad, largest turn between neighbouring elements against the rest shape, at the end
    // Where the solver stopped too early in some step, and where turns between neighbouring elements make the model's
    // moments wrong by more than 2.5 % at some output: sentences with a cure; "" when all is well.
    char residual_advice[512], turn_advice[512];
    // Where tetrahedra of a solid are inside out at some output, and where the energy guard saw too much for a moment.
    char solid_advice[512], energy_advice[512];
    // Where sections of a taut rod have given way by shear at some output.
    char tilt_advice[512];
    // Of rods that adapt: elements halved, made one again, and splits that were asked for and refused. Where those are
    // more than a few: a sentence with the reasons and a cure.
    uint64_t split_count, merge_count, refused_split_count;
    char adapt_advice[512];
    cdg_run_times times;   // of this process
    char time_advice[256]; // what would make the run quicker; "" for short runs
    bool finished;         // reached the duration
    bool resumed;
    bool is_static;       // the outputs are equilibria, and time is that of loads and supports
    cdg_path_report path; // when static
} cdg_run_summary;

cdg_run_def cdg_run_def_default(void); // no scene and no directory yet; a new run, on all cores, telling nobody

// Runs a scene from its start, or its last checkpoint, to its end. On failure (diverged, disk full, interrupted) what
// was computed up to the last output is kept and readable.
cdg_result cdg_run(const cdg_run_def *def, cdg_run_summary *summary, cdg_error *error);

// The step that cdg_run would take: the scene's, or the one advised for its world, made shorter where outputs would not
// fall on whole steps. A world that the scene was built into and that takes this step goes through the states of the
// run, to the last bit. 0 for static scenes.
cdg_result cdg_run_step(const cdg_scene *scene, cdg_world *world, double *step, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
