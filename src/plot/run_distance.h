// How far a rod is from the same rod in another run of the scene.
#ifndef CDG_PLOT_RUN_DISTANCE_H
#define CDG_PLOT_RUN_DISTANCE_H

#include "output/run_reader.h"

// For each output of `run`: the largest distance, over all nodes of its rod, to the same place on the rod of `other` at
// the same time, m. Where nodes or times differ the other is interpolated between its own, along the arc length at rest
// as a part of the whole. NaN at times that the other did not come to, or not both closed or both open.
cdg_result cdg_run_distance(const cdg_run_reader *run, size_t rod, const cdg_run_reader *other, size_t other_rod,
                            double *out, cdg_error *error);

// The rod of that name; SIZE_MAX when there is none.
size_t cdg_run_find_rod(const cdg_run_reader *run, const char *name);

#endif
