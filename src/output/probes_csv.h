// probes.csv: one line for each output, one column for each number that a probe measures.
#ifndef CDG_OUTPUT_PROBES_CSV_H
#define CDG_OUTPUT_PROBES_CSV_H

#include "output/run_peaks.h"
#include "scene/scene.h"

typedef struct cdg_probes_csv cdg_probes_csv;

// Makes path + ".new" with the heading "time [s],tip_x [m],..."; lines go there until it is installed. The scene must
// outlive the file.
cdg_result cdg_probes_csv_stage(const char *path, const cdg_scene *scene, const cdg_world *world, cdg_probes_csv **out,
                                cdg_error *error);
// Renames it, so that it stands at `path`; what was there is gone.
cdg_result cdg_probes_csv_install(cdg_probes_csv *file, cdg_error *error);
// Closes and removes a file that was not installed (NULL is fine).
void cdg_probes_csv_discard(cdg_probes_csv *file);
cdg_result cdg_probes_csv_sync(cdg_probes_csv *file, cdg_error *error); // waits for the device
// Opens the file of an interrupted run and cuts it after its first `line_count` outputs, the last of which must be at
// `time`. A file that lacks them, or has other columns, is refused and left as it is.
cdg_result cdg_probes_csv_reopen(const char *path, const cdg_scene *scene, const cdg_world *world, size_t line_count,
                                 double time, cdg_probes_csv **out, cdg_error *error);
// Forces get a column with their peak since the line before: `peaks` are those of this scene and must live as long as
// the file. Without them the peak is what there is at the output.
void cdg_probes_csv_set_peaks(cdg_probes_csv *file, const cdg_run_peaks *peaks);
// Measures all probes and writes their line in one go.
cdg_result cdg_probes_csv_write(cdg_probes_csv *file, const cdg_world *world, cdg_error *error);
// Waits for the device and closes (NULL is fine).
cdg_result cdg_probes_csv_close(cdg_probes_csv *file, cdg_error *error);

#endif
