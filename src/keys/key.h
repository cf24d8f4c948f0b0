// A key of the scene language as data: type, dimension, bounds, default and meaning. Tables of keys describe what maps
// hold; whoever owns what a map fills owns its table, so a rod model has that of its options.
#ifndef CDG_KEYS_KEY_H
#define CDG_KEYS_KEY_H

#include "keys/quantity.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum scene_type {
    SCENE_TYPE_QUANTITY,  // double
    SCENE_TYPE_VECTOR,    // cdg_vec3: three quantities
    SCENE_TYPE_DIRECTION, // cdg_vec3: three plain numbers, not all zero
    SCENE_TYPE_PAIR,      // double[2]; one value stands for both
    SCENE_TYPE_TRIPLE,    // double[3]; one value stands for all
    SCENE_TYPE_COUNT,     // size_t
    SCENE_TYPE_INTEGER,   // int
    SCENE_TYPE_SWITCH,    // bool
    SCENE_TYPE_CHOICE,    // an enum as wide as int
    SCENE_TYPE_TEXT,      // const char *, owned by the scene
    SCENE_TYPE_VARIANT,   // bool: the second of two words; it may stand as a map {word: ...} by the key's table
    SCENE_TYPE_MODEL,     // a rod model's name; read by the code for its table
    SCENE_TYPE_SPECIAL,   // read by the code for its table
    SCENE_TYPE_LATER      // promised for a later version
} scene_type;

typedef enum scene_range {
    SCENE_ANY,
    SCENE_POSITIVE,
    SCENE_NOT_NEGATIVE,
    SCENE_FRACTION, // 0 to 1
    SCENE_HALF,     // 0 to 0.5
    SCENE_POISSON   // above -1, at most 0.5
} scene_range;

typedef struct scene_key {
    const char *name;
    scene_type type;
    cdg_quantity quantity;
    scene_range range;
    int least, most;                 // COUNT, INTEGER
    size_t offset;                   // in the structure that the table fills
    const char *const *choices;      // CHOICE: ends with NULL, in the order of the enum
    const struct scene_table *table; // SPECIAL: what the map there holds, for the reference
    bool is_required;
    bool is_automatic;   // QUANTITY, INTEGER: may be the word `auto`, which is 0
    const char *hint;    // VARIANT, CHOICE: what somebody may have meant who wrote something else
    const char *form;    // SPECIAL: what may stand there
    const char *initial; // the default as one would write it, or in words; NULL: none
    const char *example; // a whole value
    const char *also;    // words that mean this key elsewhere, separated by spaces
    const char *text;    // what it is
} scene_key;

// Maps of options of rod models, one key for each model.
typedef enum scene_model_keys {
    SCENE_NO_MODEL_KEYS,
    SCENE_FOR_ALL_RODS, // in `simulation`
    SCENE_FOR_ONE_ROD   // in a rod, a structure, strands: instead of those of `simulation`
} scene_model_keys;

typedef struct scene_table {
    const char *name;  // "material": how messages call it
    const char *title; // heading in the reference: "materials.NAME"
    const char *text;
    const scene_key *keys;
    size_t count;
    scene_model_keys model_keys; // besides those above, one for each rod model
} scene_table;

#endif
