// Shorthands for the rows of the scene language's tables; for the files that hold such tables only.
#ifndef CDG_SCENE_SCHEMA_ROWS_H
#define CDG_SCENE_SCHEMA_ROWS_H

#include "scene/schema.h"

#define QUANTITY(kind) .type = SCENE_TYPE_QUANTITY, .quantity = kind
#define VECTOR(kind) .type = SCENE_TYPE_VECTOR, .quantity = kind
#define PAIR(kind) .type = SCENE_TYPE_PAIR, .quantity = kind
#define TRIPLE(kind) .type = SCENE_TYPE_TRIPLE, .quantity = kind
#define IN(structure, member) .offset = offsetof(structure, member)
#define LATER(word)                                                                                                    \
    { .name = word, .type = SCENE_TYPE_LATER }
#define TABLE(id, title_, text_)                                                                                       \
    const scene_table cdg_schema_##id = {                                                                              \
        .name = #id, .title = title_, .text = text_, .keys = id##_keys, .count = sizeof id##_keys / sizeof *id##_keys}

#endif
