// Words that people write in maps where they do not belong, and a sentence that says where they do.
#ifndef CDG_SCENE_MISPLACED_KEYS_H
#define CDG_SCENE_MISPLACED_KEYS_H

#include "keys/key.h"

// NULL: nothing is known about this word here.
const char *cdg_misplaced_key(const scene_table *table, const char *word, size_t length);

#endif
