// The table of the key `changes`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// clang-format off
static const scene_key change_keys[] = {
    {.name = "at", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(scene_change, time), .is_required = true,
     .example = "1.2 s", .also = "time when from", .text = "when: before the step that begins nearest to it"},
    {.name = "set", .type = SCENE_TYPE_SPECIAL, .form = "a line or a list of lines", .is_required = true,
     .example = "\"contact.friction=0.1\"", .also = "value values",
     .text = "values in the place of those before, as `--set` gives them"},
};
// clang-format on
TABLE(
    change, "`changes`",
    "Each item changes the scene while it runs: materials, sections, friction, gravity, loads and motions may become "
    "others; rods, elements, supports, joints, bodies, obstacles and solids stay as many as they are. The world goes "
    "on from its state, and what the change does to its energy counts as work from outside. The step stays as it is. "
    "What a program has set by hand, as gravity or a load, is the scene's again after a change; forces on nodes stay. "
    "Items stand in the order of their times. The duration grows to the last change. `cordage view` records sliders "
    "so.");
