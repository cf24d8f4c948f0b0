// How the things of a run are drawn: colours and surfaces that its scene gives, and good ones for the rest. Pictures
// and exports show the same.
#ifndef CDG_OUTPUT_RUN_LOOKS_H
#define CDG_OUTPUT_RUN_LOOKS_H

#include "math/float3.h"
#include "output/json.h"
#include "output/run_rigids.h"

typedef struct cdg_look {
    float3 color; // linear light
    scene_surface surface;
} cdg_look;

typedef struct cdg_run_looks {
    cdg_look *rods, *rigids, *solids; // of the reader; rigids as in run_rigids.h
} cdg_run_looks;

cdg_result cdg_run_looks_make(const cdg_run_reader *reader, cdg_run_looks *out, cdg_error *error);
void cdg_run_looks_free(cdg_run_looks *looks);

// What a scene says of something of this name, over what it looks like; no scene says nothing.
void cdg_look_lay_over(const cdg_scene *scene, const char *name, cdg_look *look);
float3 cdg_rigid_color(bool is_free); // of what nothing is said of: bodies that forces move, and the others
// For pages: "color", sRGB as "#rrggbb", and "surface" unless it is plastic.
void cdg_look_put(cdg_json *json, const cdg_look *look);

#endif
