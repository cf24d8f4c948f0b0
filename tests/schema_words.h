// Rows of the scene language's tables, by their words.
#ifndef CDG_TESTS_SCHEMA_WORDS_H
#define CDG_TESTS_SCHEMA_WORDS_H

#include "scene/scene.h"
#include "scene_text.h"

static inline const scene_key *key_of(const scene_table *table, const char *name) {
    const scene_key *key = cdg_schema_find(table, name, strlen(name));
    assert_non_null(key);
    return key;
}

#endif
