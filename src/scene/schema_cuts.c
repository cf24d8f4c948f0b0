// The table of the key `cuts`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// clang-format off
static const scene_key cut_keys[] = {
    {.name = "cut", .type = SCENE_TYPE_SPECIAL, .form = "a node", .is_required = true, .example = "rope.node(12)",
     .also = "rod place node",
     .text = "where: a node between two elements of the rod as it is defined, whatever was cut before"},
    {.name = "at", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(scene_cut, time), .is_required = true,
     .example = "1.2 s", .also = "time from", .text = "when: in the first step that begins then or later"},
};
// clang-format on
TABLE(cut, "`cuts`",
      "Each item cuts a rod in two, or opens a ring. Supports, loads, probes and hands stay at their places in the "
      "material; what is at the cut itself stays with the part before it. The second part is a rod NAME.2, then "
      "NAME.3, ...: a run holds the parts from its start on, and before the cut they are where the whole rod is. The "
      "duration grows to the last cut.");
