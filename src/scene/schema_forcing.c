// The tables of the keys `supports` and `loads`, and of motions.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off
static const scene_key support_keys[] = {
    {.name = "clamp", .type = SCENE_TYPE_SPECIAL, .form = "a place, or a list of places", .example = "cable.start",
     .also = "fix fixed hold weld", .text = "holds position and frame"},
    {.name = "pin", .type = SCENE_TYPE_SPECIAL, .form = "a place, or a list of places", .example = "cable.start",
     .also = "hinge ball attach", .text = "holds the position only"},
    {.name = "twist", .type = SCENE_TYPE_SPECIAL, .form = "a place, or a list of places", .example = "cable.start",
     .also = "roll", .text = "holds the frame's turn about the centerline only"},
    {.name = "slide", .type = SCENE_TYPE_SPECIAL, .form = "a place, or a list of places", .example = "cable.end",
     .also = "line rail prismatic", .text = "holds the position on a line; model galpha only"},
    {.name = "along", .type = SCENE_TYPE_DIRECTION, IN(cdg_support_def, along), .initial = "required with `slide`",
     .example = "[0, 0, 1]", .also = "axis direction",
     .text = "slide: the line's direction; it moves with the support"},
    {.name = "holds_frame", .type = SCENE_TYPE_SWITCH, IN(cdg_support_def, holds_frame), .initial = "false",
     .also = "frame guided", .text = "slide: the section does not turn either"},
    {.name = "motion", .type = SCENE_TYPE_SPECIAL, .form = "a list of motions", .table = &cdg_schema_motion,
     .initial = "none", .example = "[{move: [0, 0, 1 m], to: 1 s}]", .also = "motions move rotate",
     .text = "how the support moves; parts act in the order given"},
    {.name = "release", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_support_def, release), .initial = "never",
     .example = "2 s", .also = "until to end", .text = "when it lets go"},
};
TABLE(support, "`supports`", "Each item holds one or several nodes: one of `clamp`, `pin`, `twist`, `slide`.");

static const char *const ease_choices[] = {"linear", "smooth", NULL};

static const scene_key motion_keys[] = {
    {.name = "move", .type = SCENE_TYPE_VECTOR, .quantity = CDG_LENGTH, IN(cdg_motion, move),
     .example = "[-0.3 m, 0, 0]",
     .also = "translate", .text = "by this much"},
    {.name = "rotate", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_rotate, .also = "turn", .text = "or a turn"},
    {.name = "from", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_motion, from), .initial = "0",
     .example = "0 s", .also = "start", .text = "when it begins"},
    {.name = "to", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_motion, to), .is_required = true,
     .example = "2 s", .also = "until end", .text = "when it is done; then it stays"},
    {.name = "ease", .type = SCENE_TYPE_CHOICE, .choices = ease_choices, IN(cdg_motion, ease), .initial = "linear",
     .text = "even, or slow at both ends"},
};
TABLE(motion, "`motion`", "Each item is one part of a motion: `move` or `rotate`.");

static const scene_key rotate_keys[] = {
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_motion, axis), .is_required = true, .example = "[1, 0, 0]",
     .text = "of the turn, right-handed"},
    {.name = "angle", QUANTITY(CDG_ANGLE), IN(cdg_motion, angle), .is_required = true, .example = "10 turns",
     .also = "turns", .text = "how far"},
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_motion, center), .initial = "the supported point",
     .example = "[0, 0, 0]", .also = "centre", .text = "a point on the axis"},
};
TABLE(rotate, "`motion.rotate`", "A turn about an axis.");

static const scene_key vortex_keys[] = {
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_vortex, center), .is_required = true, .example = "[0, 0, 1 m]",
     .also = "centre at position origin", .text = "a point of the line about which the air turns, at the start"},
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_vortex, axis), .initial = "[0, 0, 1]", .also = "direction",
     .text = "direction of that line; the air turns about it by the right hand"},
    {.name = "speed", QUANTITY(CDG_SPEED), IN(cdg_vortex, speed), .is_required = true, .example = "8 m/s",
     .also = "strength", .text = "of the air where it is fastest; negative: the other way round"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_vortex, radius), .is_required = true,
     .example = "0.5 m", .also = "core core_radius size", .text = "distance from the line where it is fastest"},
    {.name = "velocity", VECTOR(CDG_SPEED), IN(cdg_vortex, velocity), .initial = "[0, 0, 0]", .also = "drift moves",
     .text = "with which the line moves"},
};
TABLE(vortex, "`vortices`",
      "Each is the flow of Lamb and Oseen about a line: as a solid body near it, as 1/distance far from it. The load's "
      "`ramp`, `keyframes` and times are theirs, too.");

static const scene_key load_keys[] = {
    {.name = "force", VECTOR(CDG_FORCE), IN(cdg_load_def, value), .example = "[0, 0, -1 N]",
     .text = "force at a place"},
    {.name = "moment", VECTOR(CDG_MOMENT), IN(cdg_load_def, value), .example = "[0, 0, 0.2 N m]", .also = "torque",
     .text = "moment at a place"},
    {.name = "line", VECTOR(CDG_LINE_FORCE), IN(cdg_load_def, value), .example = "[0, 0, -3 N/m]",
     .also = "line_load distributed", .text = "force per length all along"},
    {.name = "line_moment", VECTOR(CDG_FORCE), IN(cdg_load_def, value), .example = "[0, 0.1 N m/m, 0]",
     .also = "line_torque line_couple couple", .text = "moment per length all along"},
    {.name = "drag", QUANTITY(CDG_RATE), .range = SCENE_NOT_NEGATIVE, IN(cdg_load_def, drag_rate), .example = "2 1/s",
     .text = "force = -rate * mass * velocity: calms a scene"},
    {.name = "wind", VECTOR(CDG_SPEED), IN(cdg_load_def, value), .example = "[5 m/s, 0, 0]", .also = "air flow",
     .text = "velocity of the air around the rod"},
    {.name = "vortices", .type = SCENE_TYPE_SPECIAL, .form = "a list of vortices", .table = &cdg_schema_vortex,
     .initial = "none", .example = "[{center: [0, 0, 0], speed: 8 m/s, radius: 0.5 m}]", .also = "vortex eddies whirls",
     .text = "of wind: air that turns about lines, in addition"},
    {.name = "at", .type = SCENE_TYPE_SPECIAL, .form = "a place, or a list of places",
     .initial = "required with force and moment", .example = "cable.node(40)", .text = "where force or moment acts"},
    {.name = "on", .type = SCENE_TYPE_SPECIAL, .form = "a rod's name, a list of them, or `all`", .initial = "all",
     .example = "cable", .also = "rod", .text = "which rod line, line_moment, drag or wind acts on"},
    {.name = "fluid_density", QUANTITY(CDG_DENSITY), .range = SCENE_POSITIVE, IN(cdg_load_def, fluid_density),
     .initial = "1.225 kg/m^3", .also = "density air_density", .text = "of wind"},
    {.name = "drag_coefficient", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_load_def, drag_coefficient),
     .initial = "1.2", .text = "of wind across the rod; 1.2 is a circular cylinder's"},
    {.name = "from", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_load_def, from), .initial = "0",
     .example = "1 s", .also = "start", .text = "when it begins"},
    {.name = "to", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_load_def, to), .initial = "never",
     .example = "2 s", .also = "until end", .text = "when it ends"},
    {.name = "ramp", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_load_def, ramp), .initial = "0",
     .example = "0.5 s", .text = "grows from nothing over this time"},
    {.name = "keyframes", .type = SCENE_TYPE_SPECIAL, .form = "a list of `[time, factor]`", .initial = "none",
     .example = "[[0 s, 0], [1 s, 1]]", .also = "keys curve",
     .text = "factor over time, straight between, constant outside"},
    {.name = "follow", .type = SCENE_TYPE_SWITCH, IN(cdg_load_def, follows), .initial = "false",
     .also = "follows local",
     .text = "force, moment, line or line_moment in the rod's own axes d1, d2, d3, turning with it"},
};
TABLE(load, "`loads`", "Each item is one of `force`, `moment`, `line`, `line_moment`, `drag`, `wind`.");
