// The table of the key `looks`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

static const char *const surface_choices[] = {
#define X(NAME, name) name,
    CDG_SURFACE_LIST(X)
#undef X
        NULL};

// clang-format off
static const scene_key look_keys[] = {
    {.name = "of", .type = SCENE_TYPE_TEXT, IN(scene_look, of), .is_required = true, .example = "cable",
     .also = "name rod object", .text = "the name of a rod, structure, body, obstacle or solid"},
    {.name = "color", .type = SCENE_TYPE_TEXT, IN(scene_look, color), .initial = "chosen", .example = "\"#c04020\"",
     .also = "colour", .text = "as in web pages, `\"#rrggbb\"`"},
    {.name = "surface", .type = SCENE_TYPE_CHOICE, .choices = surface_choices, IN(scene_look, surface),
     .initial = "plastic", .example = "rope", .also = "material finish",
     .text = "satin plastic; rope with three strands laid about each other; polished metal; dull rubber"},
};
// clang-format on
TABLE(look, "`looks`",
      "Each item says how something is drawn, in pictures and exports. Simulations take no notice of them.");
