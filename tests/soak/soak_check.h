// Runs a random scene and checks what must hold for every scene.
#ifndef CDG_TESTS_SOAK_CHECK_H
#define CDG_TESTS_SOAK_CHECK_H

#include "soak_scene.h"

typedef enum soak_kind {
    SOAK_CLEAN,   // ran to its end, everything held
    SOAK_WILD,    // a wild scene that ended with a sentence, and everything held until then
    SOAK_STOPPED, // a careful scene that ended with a sentence: a weakness of a solver
    SOAK_REFUSED, // the scene was not valid: the generator's mistake, or a combination that is not supported
    SOAK_FAULT,   // something that must hold did not
    SOAK_KIND_COUNT
} soak_kind;

typedef struct soak_outcome {
    soak_kind kind;
    int step_count; // taken, all worlds of the scene together
    char text[1200];
} soak_outcome;

// The first attempt at the scene of a seed in which nothing begins in anything else, unless it is wild.
soak_scene soak_scene_choose(uint64_t seed, const char *directory);

// `directory` holds the files of soak_scene_write_files and is where runs are written. Frees all it allocates.
soak_outcome soak_check(const soak_scene *scene, uint64_t seed, const char *directory);

// Whether two states of `count` doubles are the same to the bit; tells in `out` where not.
bool soak_same_state(const double *a, const double *b, size_t count, const char *what, soak_outcome *out);

#endif
