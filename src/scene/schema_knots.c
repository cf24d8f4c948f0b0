// The scene language as tables: knots in ropes.
#include "scene/schema_rows.h"

#include <cordage/structure.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const knot_choices[] = {
#define KNOT_NAME(id, name, text) name,
    CDG_TIED_LIST(KNOT_NAME)
#undef KNOT_NAME
    NULL};

static const scene_key tied_keys[] = {
    {.name = "knot", .type = SCENE_TYPE_CHOICE, .choices = knot_choices, .hint = "a reef knot is 'square'",
     IN(cdg_centerline, tied.knot),
     .is_required = true, .example = "overhand", .also = "type name kind",
     .text = "what is tied; one of two strands is tied with both parts of one rope, which a loop joins"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, tied.radius),
     .initial = "that of the rod's section", .example = "5 mm", .also = "rope_radius",
     .text = "of the rope; the knot's size follows from it"},
    {.name = "clearance", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_centerline, tied.clearance),
     .initial = "0", .example = "2 mm", .also = "gap slack",
     .text = "between strands where they are nearest; the knot grows with it"},
    {.name = "tail", PAIR(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_centerline, tied.tail), .initial = "0",
     .example = "[20 cm, 5 cm]", .also = "tails ends",
     .text = "straight rope beyond the knot at the start and at the end"},
    {.name = "loop", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, tied.loop),
     .initial = "small and round", .example = "1 m",
     .text = "knots of two strands: rope between them"},
    {.name = "through", .type = SCENE_TYPE_SPECIAL, .form = "a list of points `[x, y, z]`", .also = "around via",
     .example = "[[0, 1 m, 0], [1 m, 1 m, 0]]",
     .text = "instead of a round loop: where the rope goes from one strand to the other"},
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_centerline, tied.center), .initial = "[0, 0, 0]",
     .example = "[0, 0, 0]", .also = "centre position origin", .text = "middle of the knot"},
    {.name = "direction", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, tied.direction), .initial = "[1, 0, 0]",
     .example = "[0, 0, 1]", .also = "axis pull", .text = "along which it is pulled"},
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, tied.normal), .initial = "[0, 0, 1]",
     .example = "[0, 1, 0]", .also = "up", .text = "across the flat knot"},
};
TABLE(tied, "`centerline.tied`",
      "A knot tied in a rope, with two straight tails, ready to be pulled. [knots.md](knots.md) shows each.");

static const scene_key bend_keys[] = {
    {.name = "knot", .type = SCENE_TYPE_CHOICE, .choices = knot_choices, .hint = "a reef knot is 'square'",
     IN(cdg_structure_def, bend.knot),
     .is_required = true, .example = "square", .also = "type name kind", .text = "one of two strands"},
    {.name = "clearance", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_structure_def, bend.clearance),
     .initial = "0", .example = "2 mm", .also = "gap slack", .text = "between strands where they are nearest"},
    {.name = "standing", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_structure_def, bend.standing),
     .initial = "0", .example = "50 cm", .also = "length",
     .text = "straight rope at each start, which carries the load"},
    {.name = "tail", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_structure_def, bend.tail),
     .initial = "0", .example = "5 cm", .also = "tails ends", .text = "straight rope at each end, which is free"},
    {.name = "ratio", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_structure_def, bend.ratio),
     .initial = "1", .example = "0.6", .also = "second", .text = "size of the second rope's section over the first's"},
};
TABLE(bend, "`structures.bend`",
      "Two ropes `a` and `b`, tied together at the origin; `a` stands along its own -x, `b` along x.");

static const scene_key prusik_keys[] = {
    {.name = "post_radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, prusik.post_radius),
     .is_required = true, .example = "1 cm", .text = "of what it is wound around, as thick as the rope or thicker"},
    {.name = "post_length", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE,
     IN(cdg_structure_def, prusik.post_length), .initial = "0: none, an obstacle is there", .example = "50 cm",
     .text = "makes a straight rod `post` of the same material"},
    {.name = "wraps", .type = SCENE_TYPE_COUNT, .least = 1, .most = 20, IN(cdg_structure_def, prusik.wraps),
     .initial = "3", .also = "turns", .text = "turns on each side"},
    {.name = "loop", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, prusik.loop),
     .is_required = true, .example = "30 cm", .also = "length drop", .text = "how far the ring hangs from the post"},
    {.name = "clearance", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_structure_def, prusik.clearance),
     .initial = "0", .example = "2 mm", .also = "gap slack", .text = "between strands, and from the post"},
};
TABLE(prusik, "`structures.prusik`",
      "A closed rope `loop` around a post along its own x through the origin; it hangs along -z.");
