// Natural frequencies as columns of a case, after those of its probes: "beam_mode_1 [Hz]", of every rod as many as the
// scene's `modes` says.
#ifndef CDG_SWEEP_CASE_MODES_H
#define CDG_SWEEP_CASE_MODES_H

#include "scene/scene.h"

size_t cdg_case_modes_count(const cdg_scene *scene); // columns
void cdg_case_modes_title(const cdg_scene *scene, size_t column, char *out, size_t size);
// "modes" names all columns, "beam_modes" those of a rod, "beam_mode_1" one.
bool cdg_case_modes_is_named(const cdg_scene *scene, size_t column, const char *name);

// About the world's state, one number a column, Hz; negative: a motion that grows.
cdg_result cdg_case_modes_find(const cdg_scene *scene, cdg_world *world, double *out, cdg_error *error);
// The same from the run in a folder.
cdg_result cdg_case_modes_read(const cdg_scene *scene, const char *directory, double *out, cdg_error *error);

#endif
