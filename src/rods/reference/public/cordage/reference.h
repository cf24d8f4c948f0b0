// Options of the reference model. docs/models/reference.md explains each.
#ifndef CORDAGE_REFERENCE_H
#define CORDAGE_REFERENCE_H

#include <cordage/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cdg_reference_darboux { CDG_REFERENCE_ANGLE, CDG_REFERENCE_SINE } cdg_reference_darboux;

typedef struct cdg_reference_options {
    int iterations;                // of Newton's method, at most, before the step is divided
    double tolerance;              // largest correction in element lengths and radians after which a step is done
    double dissipation;            // 0: none; 1/2: strains as in implicit Euler, for settling
    cdg_reference_darboux darboux; // angle: exact for uniform bending and twist; sine: as the other models
} cdg_reference_options;

cdg_reference_options cdg_reference_options_default(void); // 15 iterations, 1e-9, no dissipation, angle

#ifdef __cplusplus
}
#endif
#endif
