// Shorthands for the rows of the scene language's tables; for the files that hold such tables only.
#ifndef CDG_SCENE_SCHEMA_ROWS_H
#define CDG_SCENE_SCHEMA_ROWS_H

#include "keys/rows.h"
#include "scene/schema.h"

#define LATER(word)                                                                                                    \
    { .name = word, .type = SCENE_TYPE_LATER }
#define TABLE(id, title_, text_) MODEL_TABLE(id, title_, text_, SCENE_NO_MODEL_KEYS)
// One that has maps of options of rod models, too.
#define MODEL_TABLE(id, title_, text_, model_keys_)                                                                    \
    const scene_table cdg_schema_##id = {.name = #id,                                                                  \
                                         .title = title_,                                                              \
                                         .text = text_,                                                                \
                                         .keys = id##_keys,                                                            \
                                         .count = sizeof id##_keys / sizeof *id##_keys,                                \
                                         .model_keys = model_keys_}

#endif
