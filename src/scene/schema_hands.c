// The table of the key `hands`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// clang-format off
static const scene_key hand_keys[] = {
    {.name = "rod", .type = SCENE_TYPE_SPECIAL, .form = "a rod's name",
     .initial = "this, `body`, `solid`, `obstacle` or `support` is required", .example = "cable", .also = "on",
     .text = "which rod is held"},
    {.name = "element", .type = SCENE_TYPE_INTEGER, .least = 0, .most = CDG_SCENE_ELEMENTS_MAX - 1,
     IN(scene_hand, element), .initial = "0", .example = "12", .text = "of the rod, counted from 0"},
    {.name = "fraction", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(scene_hand, def.place.fraction),
     .initial = "0", .example = "0.5", .text = "where on the element, 0 to 1"},
    {.name = "body", .type = SCENE_TYPE_SPECIAL, .form = "a body's name", .example = "ball", .text = "or which body"},
    {.name = "solid", .type = SCENE_TYPE_SPECIAL, .form = "a solid's name", .example = "figure",
     .text = "or which deformable solid: the nodes about `local`"},
    {.name = "local", VECTOR(CDG_LENGTH), IN(scene_hand, def.place.point), .initial = "its origin",
     .example = "[0, 0, 2 cm]", .also = "at point",
     .text = "where on the body, own axes; of a solid, where that place is at the start"},
    {.name = "obstacle", .type = SCENE_TYPE_SPECIAL, .form = "an obstacle's name", .example = "pole",
     .text = "or which obstacle is led: the path has its own positions"},
    {.name = "support", .type = SCENE_TYPE_SPECIAL, .form = "a whole number", .example = "0",
     .text = "or which support, counted from 0: the path has its own positions"},
    {.name = "path", .type = SCENE_TYPE_SPECIAL, .form = "a list of `[time, point]` or `[time, point, twist]`",
     .is_required = true, .example = "[[0 s, [0, 0, 0]], [1 s, [0, 0, 10 cm]]]", .also = "keyframes motion",
     .text = "where the hand is from each time on; it takes hold at the first"},
    {.name = "to", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(scene_hand, def.to), .is_required = true,
     .example = "2 s", .also = "until end release", .text = "when it lets go"},
};
// clang-format on
TABLE(hand, "`hands`",
      "Each item is a hand that holds a place of a rod or a body and pulls it along a path by a spring, or leads an "
      "obstacle or a support, as `cordage view` records them. The duration grows to the end of the last one.");
