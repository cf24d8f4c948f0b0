// The version of the methods, for those that do not see run files (run_origin.h).
#ifndef CDG_OUTPUT_ALGORITHM_H
#define CDG_OUTPUT_ALGORITHM_H

#include <stdint.h>

uint64_t cdg_algorithm_version(void); // CDG_ALGORITHM_VERSION

#endif
