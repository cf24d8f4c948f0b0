// run.h5: the HDF5 file of one run.
//
// The number of outputs is known before the first step, so every dataset is allocated once, contiguous, at its full
// size, and the file's structure is never touched again: only numbers are written into place. A process killed at any
// moment therefore leaves a valid file. /time is NaN where nothing has been written yet. A run that ends early is
// packed: rewritten to its true size under a temporary name, then renamed.
#ifndef CDG_OUTPUT_RUN_FILE_H
#define CDG_OUTPUT_RUN_FILE_H

#include "output/checkpoint.h"
#include "output/run_plan.h"
#include "scene/scene.h"

typedef struct cdg_run_file cdg_run_file; // scene, world and plan given to create and reopen must outlive it

// Makes path + ".new" with all its structure and no outputs; they go there until it is installed.
cdg_result cdg_run_file_stage(const char *path, const cdg_scene *scene, const cdg_world *world,
                              const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error);
// Renames it, so that it stands at `path`; what was there is gone.
cdg_result cdg_run_file_install(cdg_run_file *file, cdg_error *error);
// Closes and removes a file that was not installed (NULL is fine).
void cdg_run_file_discard(cdg_run_file *file);
cdg_result cdg_run_file_sync(cdg_run_file *file, cdg_error *error); // waits for the device
// Opens an interrupted run for continuing; `world` is still at its start. Checks version, scene text, overrides,
// shapes, initial state and that there is a whole checkpoint, before anything is changed; a packed file is made
// full-size again.
cdg_result cdg_run_file_reopen(const char *path, const cdg_scene *scene, const cdg_world *world,
                               const cdg_run_plan *plan, cdg_run_file **out, cdg_error *error);

// Writes output number `frame` (data first, its time last); when this returns the kernel has it, so a kill loses
// nothing. Outputs of 4 MB or more are written by a thread beside the next steps, in the same order: a kill loses those
// under way, at most as much as one output has, which a resumed run computes again, and a failure is told by the call
// after it, or when the file is closed. At most every few seconds it also waits for the device. `energy` is the
// world's.
cdg_result cdg_run_file_write_frame(cdg_run_file *file, size_t frame, const cdg_world *world, const cdg_energy *energy,
                                    cdg_error *error);

// How many outputs are in the file, whatever failed.
size_t cdg_run_file_frames(cdg_run_file *file);

// What a static run found out about output `frame`; before it is written, so that an output is never without.
cdg_result cdg_run_file_write_static(cdg_run_file *file, size_t frame, double lowest_eigenvalue, double residual,
                                     cdg_error *error);
// The vibrations of a rod: the scene's number of frequencies (Hz) and shapes.
cdg_result cdg_run_file_write_modes(cdg_run_file *file, size_t rod, const double *frequencies, const cdg_vec3 *shapes,
                                    cdg_error *error);

// Those of a solid.
cdg_result cdg_run_file_write_solid_modes(cdg_run_file *file, size_t solid, const double *frequencies,
                                          const cdg_vec3 *shapes, cdg_error *error);

// Numbers of the run's own that checkpoints hold, and give back when one is read: as many as the scene's peaks have
// (run_peaks.h), or none. They must live as long as the file.
void cdg_run_file_keep(cdg_run_file *file, double *numbers, size_t count);

// Saves what a bit-identical continuation needs; two slots in turn, so one is always whole. `frame` is the last
// output written. cdg_run_file_wants_checkpoint says whether a checkpoint is due: always, unless the state is so
// large that writing it with every output would cost as much as the outputs; then about every second.
bool cdg_run_file_wants_checkpoint(const cdg_run_file *file);
cdg_result cdg_run_file_write_checkpoint(cdg_run_file *file, size_t frame, const cdg_run_tally *tally,
                                         const cdg_world *world, cdg_error *error);

// Of a reopened file: whether it holds a checkpoint. A run killed before its first has none and begins anew.
bool cdg_run_file_has_checkpoint(const cdg_run_file *file);
// Loads the newest whole checkpoint into the world; *frame is the last output before it. Outputs after it, which the
// continuation writes again, are marked as not written.
cdg_result cdg_run_file_read_checkpoint(cdg_run_file *file, cdg_world *world, size_t *frame, cdg_run_tally *tally,
                                        cdg_error *error);
// Time of an output that was written.
cdg_result cdg_run_file_read_time(cdg_run_file *file, size_t frame, double *out, cdg_error *error);

// Waits for the device and closes; the file is gone afterwards in any case (NULL is fine). `should_pack` rewrites the
// file to the outputs written when some are missing; if there is no room for that, or it would copy very much, the
// file stays as it is, which is also valid.
cdg_result cdg_run_file_close(cdg_run_file *file, bool should_pack, cdg_error *error);

#endif
