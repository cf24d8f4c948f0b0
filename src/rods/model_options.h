// Options of a rod model as the model itself describes them: what they hold, their defaults, and the keys of a scene
// that set them. Scenes, run files and messages loop over these tables; none of them knows an option.
#ifndef CDG_RODS_MODEL_OPTIONS_H
#define CDG_RODS_MODEL_OPTIONS_H

#include "keys/rows.h"

#include <cordage/rod.h>

enum { CDG_OPTIONS_BYTES_MAX = 1024 }; // of any model

typedef struct cdg_option_fault {
    const char *key; // that is to blame; NULL: the map as a whole
    char text[256];
} cdg_option_fault;

// Whether a map has the key.
typedef bool cdg_option_is_given(const void *map, const char *key);

typedef struct cdg_model_options {
    size_t size; // bytes
    // Of the options in cdg_rod_def; SIZE_MAX: it has no member for them, and cdg_rod_def.options points to them.
    size_t def_offset;
    void (*set_default)(void *options);
    scene_key keys[2];                // the map of options as a key of `simulation`, and of a rod
    const scene_table *const *tables; // what the map holds, then what maps in it hold; ends with NULL
    // After a map was read: sets what follows from which keys were given, and refuses options that do not go together.
    // NULL: all do.
    bool (*settle)(void *options, cdg_option_is_given *is_given, const void *map, cdg_option_fault *fault);
    // Whether a key says nothing beside the others, so that nobody need be told of it; NULL: none.
    bool (*is_idle)(const void *options, const scene_key *key);
} cdg_model_options;

// The two keys of a model whose table is MODEL_table.
#define OPTION_KEYS(model)                                                                                             \
    {                                                                                                                  \
        {.name = #model,                                                                                               \
         .type = SCENE_TYPE_SPECIAL,                                                                                   \
         .table = &model##_table,                                                                                      \
         .text = "options of the " #model " model"},                                                                   \
            {.name = #model,                                                                                           \
             .type = SCENE_TYPE_SPECIAL,                                                                               \
             .table = &model##_table,                                                                                  \
             .initial = "those of `simulation`",                                                                       \
             .text = "options of the " #model " model here"},                                                          \
    }

// Options of a definition's model; NULL: the definition has none, so the model's defaults count.
const void *cdg_rod_def_options(const cdg_rod_def *def);
// The same for the definition's member or, of its own model, pointer. `options` outlive the definition.
void cdg_rod_def_set_options(cdg_rod_def *def, cdg_model model, const void *options);
// Whether options of one model say the same.
bool cdg_options_are_equal(const cdg_model_options *of, const void *a, const void *b);
// The first key whose choice, set by hand, is beyond its list, and that choice; NULL: none.
const scene_key *cdg_options_beyond_list(const cdg_model_options *of, const void *options, int *choice);

#endif
