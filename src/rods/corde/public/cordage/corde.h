// Options of the corde model. docs/models/corde.md explains each.
#ifndef CORDAGE_CORDE_H
#define CORDAGE_CORDE_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cdg_corde_coupling { CDG_CORDE_PENALTY, CDG_CORDE_CONSTRAINT } cdg_corde_coupling;

typedef struct cdg_corde_options {
    cdg_corde_coupling coupling; // of frames to tangents: by a spring as the paper, or exactly
    double penalty;              // N, the spring's stiffness (penalty); 0: the stretching stiffness E A
    double inertia_factor;       // multiplies the rotary inertia about d1 and d2 (penalty), > 0
    int substeps;                // of the frames in a step (penalty); 0: as many as stability needs
} cdg_corde_options;

cdg_corde_options cdg_corde_options_default(void); // penalty of E A, inertia factor 1, sub-steps as needed

#ifdef __cplusplus
}
#endif
#endif
