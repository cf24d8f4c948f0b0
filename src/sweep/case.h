// One case of a scene: its text with some values set, run to its end; what its probes said, or why it failed.
#ifndef CDG_SWEEP_CASE_H
#define CDG_SWEEP_CASE_H

#include "scene/scene.h"

// What all cases of a sweep or a fit share. Nothing is copied: it must outlive the cases.
typedef struct cdg_case_source {
    const char *text; // of the scene
    size_t size;
    const char *name;             // stands in messages
    const char *directory;        // of files that the scene names; NULL: none
    const char *const *overrides; // "path=value", as --set
    size_t override_count;
    // Probes ("tip"), or single columns of them ("tip_z"), in the order wanted. None: all of the scene.
    const char *const *probes;
    size_t probe_count;
    bool takes_modes; // natural frequencies that the scene asks for are columns, too (case_modes.h)
} cdg_case_source;

typedef struct cdg_case_def {
    const cdg_case_source *source;
    const char *const *overrides; // of this case: "path=value", after those of the source
    size_t override_count;
    // NULL: nothing is written, and cases may run in several threads at once. Else the run is kept there as by
    // `cordage run`, which replaces what is there, and one case a process may run at a time (HDF5 is not for threads).
    const char *directory;
    int thread_count;          // of the world; 0: all cores
    bool (*go_on)(void *user); // asked after every step or equilibrium; false stops with CDG_ERROR_INTERRUPTED; or NULL
    void *user;
    // Called after each row was kept, in memory only; a failure ends the case. NULL: nobody looks.
    cdg_result (*on_row)(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error);
} cdg_case_def;

typedef struct cdg_case_result {
    cdg_result code;
    char sentence[CDG_MESSAGE_SIZE]; // why the case failed, with place and cure; "" when it did not
    // What makes a case that did not fail doubtful, as the summary of a run says it: a solver that stopped early, turns
    // between elements that are too large, an equilibrium that is unstable. "": nothing.
    char doubt[CDG_MESSAGE_SIZE];
    size_t column_count;
    char **titles; // "tip_x [m]"; NULL when the scene was refused
    // One row an output: of a dynamic case at its times, of a static one at each equilibrium. A case that failed on its
    // way has the rows until then.
    size_t row_count;
    double *times;  // s
    double *series; // row_count times column_count
    // What the case comes to: its last row. Of forces' peaks the largest of all. NULL when the case failed.
    double *values;
    double *rates;        // malloc'ed, by a sweep that wants them (sweep_gradient.h); NULL: none
    double solve_seconds; // of the thread's processor time: steps or equilibria alone, without reading and building
} cdg_case_result;

// Runs the case. Returns result.code. Free the result in any case.
cdg_result cdg_case_run(const cdg_case_def *def, cdg_case_result *out);
void cdg_case_result_free(cdg_case_result *result);

// Reads the scene as a case would and tells the columns, without running anything. `titles` is malloc'ed, each too.
// The error has the first of the scene's errors, with its place.
cdg_result cdg_case_columns(const cdg_case_def *def, char ***titles, size_t *count, cdg_error *error);
void cdg_case_titles_free(char **titles, size_t count);

// Reads the scene with the overrides of source and case; the error has the first of the scene's errors. The caller
// destroys *out.
cdg_result cdg_case_read(const cdg_case_def *def, cdg_scene **out, cdg_error *error);

#endif
