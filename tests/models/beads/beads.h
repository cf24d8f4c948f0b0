// Options of the beads model.
#ifndef CDG_TESTS_MODELS_BEADS_H
#define CDG_TESTS_MODELS_BEADS_H

#include "rods/model_options.h"
#include "rods/rod_model.h"

typedef enum cdg_beads_law { CDG_BEADS_LINEAR, CDG_BEADS_SLACK } cdg_beads_law;

typedef struct cdg_beads_options {
    double softness;   // divides the stretching stiffness
    cdg_beads_law law; // linear: springs push as well as pull; slack: they only pull
} cdg_beads_options;

extern const cdg_rod_model cdg_beads_model;

#endif
