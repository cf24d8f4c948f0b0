// The variants of a scene that `cordage compare` runs: --models A,B and --variant NAME:PATH=VALUE,...
#ifndef CLI_COMPARE_VARIANTS_H
#define CLI_COMPARE_VARIANTS_H

#include "options.h"

typedef struct scene_variant {
    char *name;       // also of its directory
    char *model;      // every rod takes this model; NULL: as the scene and the overrides say
    char **overrides; // "path=value", as for --set
    size_t override_count;
} scene_variant;

typedef struct variant_list {
    scene_variant *items;
    size_t count;
    size_t reference; // the one that others are compared with
} variant_list;

// Complains and returns false when the options are wrong: no two variants, a name twice, an unknown model, no '='.
// Call variant_list_free in either case.
bool variant_list_parse(const command_line *line, variant_list *out);
void variant_list_free(variant_list *list);

#endif
