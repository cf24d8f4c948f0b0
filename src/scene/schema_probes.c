// The table of the key `probes`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off
static const scene_key probe_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "tip", .text = "begins the columns' titles"},
#define PROBE_FORM(id)                                                                                                 \
    ((id) == CDG_PROBE_ENERGY                                ? "a rod's, body's or solid's name, or `all`"             \
     : (id) == CDG_PROBE_CONTACTS                            ? "a rod's or solid's name, or `all`"                     \
     : (id) == CDG_PROBE_VOLUME                              ? "a solid's name"                                        \
     : (id) == CDG_PROBE_STRESS                              ? "a solid's name, or a point of one"                     \
     : (id) == CDG_PROBE_REACTION                            ? "a place, or a solid's name"                            \
     : (id) == CDG_PROBE_CONTACT_FORCE                       ? "a rod's or solid's name"                               \
     : (id) == CDG_PROBE_POSITION || (id) == CDG_PROBE_VELOCITY                                                        \
         ? "a place, a body's or solid's name, or a point of one"                                                  \
     : (id) == CDG_PROBE_LINKING                             ? "a list of the names of two closed rods"                \
     : (id) == CDG_PROBE_LENGTH || (id) == CDG_PROBE_KNOT ||                                                           \
               (id) == CDG_PROBE_WRITHE || (id) == CDG_PROBE_BEND_RADIUS ||                                            \
               (id) == CDG_PROBE_TENSION_RANGE || (id) == CDG_PROBE_MOMENT_RANGE             ? "a rod's name"          \
     : (id) == CDG_PROBE_FRAME || (id) == CDG_PROBE_ANGULAR_VELOCITY ? "a place, or a body's name"                     \
                                                             : "a place")
#define PROBE_EXAMPLE(id)                                                                                              \
    ((id) == CDG_PROBE_LINKING                                                               ? "[ring_1, ring_2]"      \
     : (id) == CDG_PROBE_VOLUME                                                              ? "ball"                  \
     : (id) == CDG_PROBE_STRESS                                          ? "{solid: ball, at: [0, 0, 1 cm]}"           \
     : (id) == CDG_PROBE_ENERGY || (id) == CDG_PROBE_LENGTH || (id) == CDG_PROBE_KNOT ||                               \
               (id) == CDG_PROBE_CONTACTS || (id) == CDG_PROBE_CONTACT_FORCE ||                                        \
               (id) == CDG_PROBE_WRITHE || (id) == CDG_PROBE_BEND_RADIUS ||                                            \
               (id) == CDG_PROBE_TENSION_RANGE || (id) == CDG_PROBE_MOMENT_RANGE             ? "cable"                 \
                                                                                             : "cable.end")
#define PROBE_ROW(id, word, meaning, columns)                                                                          \
    {.name = word, .type = SCENE_TYPE_SPECIAL, .form = PROBE_FORM(id), .example = PROBE_EXAMPLE(id),              \
     .table = (id) == CDG_PROBE_STRESS ? &cdg_schema_probe_place : NULL,                                               \
     .also = (id) == CDG_PROBE_LINKING ? "linking_number linking link"                                                 \
             : (id) == CDG_PROBE_CONTACT_FORCE ? "contact_force"                                                       \
             : (id) == CDG_PROBE_BEND_RADIUS ? "bend_radius radius_of_curvature"                                       \
             : (id) == CDG_PROBE_TENSION_RANGE ? "tension_range max_tension"                                           \
             : (id) == CDG_PROBE_MOMENT_RANGE ? "moment_range max_moment" : NULL, .text = meaning},
    CDG_PROBE_LIST(PROBE_ROW)
#undef PROBE_ROW
#undef PROBE_EXAMPLE
#undef PROBE_FORM
};
TABLE(probe, "`probes`", "Each item measures one thing at every output.");

static const scene_key probe_place_keys[] = {
    {.name = "solid", .type = SCENE_TYPE_SPECIAL, .form = "a solid's name", .initial = "this or `body` is required",
     .example = "ball", .text = "of which solid"},
    {.name = "body", .type = SCENE_TYPE_SPECIAL, .form = "a body's name", .example = "crate",
     .text = "or of which body, for `position` and `velocity`"},
    {.name = "at", VECTOR(CDG_LENGTH), IN(cdg_probe, place.point), .is_required = true, .example = "[0, 0, 1 cm]",
     .also = "point position local",
     .text = "of a solid, where the point is at the start; of a body, in its own axes. It goes with the material"},
};
TABLE(probe_place, "`probes.stress`", "A point of a solid, for `stress`, `position` and `velocity`, or of a body.");
