// How the things of a run are drawn: colours and surfaces that its scene gives, and good ones for the rest. Pictures
// and exports show the same.
#ifndef CDG_OUTPUT_RUN_LOOKS_H
#define CDG_OUTPUT_RUN_LOOKS_H

#include "math/float3.h"
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

#endif
