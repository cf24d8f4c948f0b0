// The table of the key `controls`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// clang-format off
static const scene_key control_keys[] = {
    {.name = "path", .type = SCENE_TYPE_TEXT, IN(scene_control, path), .is_required = true,
     .example = "materials.rubber.young_modulus", .also = "set key", .text = "what it sets, as `--set` does"},
    {.name = "label", .type = SCENE_TYPE_TEXT, IN(scene_control, label), .initial = "the path", .example = "stiffness",
     .also = "name title", .text = "what the page calls it"},
    {.name = "unit", .type = SCENE_TYPE_TEXT, IN(scene_control, unit), .initial = "none", .example = "MPa",
     .text = "of the three numbers"},
    {.name = "min", QUANTITY(CDG_NUMBER), IN(scene_control, least), .is_required = true, .example = "0.1",
     .also = "minimum from", .text = "smallest value"},
    {.name = "max", QUANTITY(CDG_NUMBER), IN(scene_control, most), .is_required = true, .example = "10",
     .also = "maximum to", .text = "largest value"},
    {.name = "value", QUANTITY(CDG_NUMBER), IN(scene_control, value), .is_required = true, .example = "1",
     .also = "initial start", .text = "where it stands at first: what the scene says there"},
};
// clang-format on
TABLE(control, "`controls`", "Each item is a slider in the page of `cordage view`. Runs take no notice of them.");
