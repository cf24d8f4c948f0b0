// Gravity as a run's own scene has it: which way is up in pictures of it.
#ifndef CDG_OUTPUT_RUN_GRAVITY_H
#define CDG_OUTPUT_RUN_GRAVITY_H

#include "output/run_reader.h"

// m/s^2. A scene that can no longer be read, as one that refers to files which are gone, is not worth a failure: then
// it is that of the earth along -z.
cdg_vec3 cdg_run_reader_gravity(const cdg_run_reader *reader);

#endif
