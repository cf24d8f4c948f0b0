// Shorthands for rows of tables of keys; for the files that hold such tables only.
#ifndef CDG_KEYS_ROWS_H
#define CDG_KEYS_ROWS_H

#include "keys/key.h"

#define QUANTITY(kind) .type = SCENE_TYPE_QUANTITY, .quantity = kind
#define VECTOR(kind) .type = SCENE_TYPE_VECTOR, .quantity = kind
#define PAIR(kind) .type = SCENE_TYPE_PAIR, .quantity = kind
#define TRIPLE(kind) .type = SCENE_TYPE_TRIPLE, .quantity = kind
#define IN(structure, member) .offset = offsetof(structure, member)
// From ID_keys to ID_table.
#define KEY_TABLE(id, title_, text_)                                                                                   \
    static const scene_table id##_table = {                                                                            \
        .name = #id, .title = title_, .text = text_, .keys = id##_keys, .count = sizeof id##_keys / sizeof *id##_keys}

#endif
