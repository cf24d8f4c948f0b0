// The settings of a run as JSON: an attribute of run.h5 and a part of summary.json.
#ifndef CDG_OUTPUT_RUN_SETTINGS_H
#define CDG_OUTPUT_RUN_SETTINGS_H

#include "output/json.h"
#include "scene/scene.h"

// Scene name of a model; never NULL.
const char *cdg_run_model_name(cdg_model model);

// What the scene says about the simulation as a whole.
void cdg_run_settings_write(cdg_json *json, const char *key, const cdg_scene *scene);

// What one rod is simulated with.
void cdg_run_settings_write_rod(cdg_json *json, const char *key, const cdg_rod_def *rod);

#endif
