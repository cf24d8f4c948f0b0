// The tables of the keys `joints` and `structures`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <cordage/structure.h>
#include <stddef.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off
static const scene_key joint_keys[] = {
    {.name = "join", .type = SCENE_TYPE_SPECIAL, .form = "a list of places",
     .example = "[trunk.node(20), branch.start]", .also = "nodes places connect",
     .text = "nodes, two or more, that lie at one point and stay together"},
    {.name = "stiffness", .type = SCENE_TYPE_SPECIAL, .form = "a number, or a map",
     .table = &cdg_schema_joint_stiffness, .initial = "1", .example = "0.5",
     .text = "against turning at the joint: 1 as within a rod, 0 for a hinge; a map gives it about each axis"},
    {.name = "weld", .type = SCENE_TYPE_SPECIAL, .form = "a list of places and, last, a body's or solid's name",
     .example = "[cable.end, disk]", .also = "attach fix glue",
     .text = "holds sections of rods, place and frame, to the body or solid as they are at the start"},
    {.name = "pin", .type = SCENE_TYPE_SPECIAL, .form = "a list of places and, last, a solid's name",
     .example = "[tendon.end, finger]", .also = "tie sew",
     .text = "holds nodes of rods to the solid; sections may turn. A rod's name alone is all of its nodes"},
};
TABLE(joint, "`joints`",
      "Each item is a `join`, which makes nodes of several rods, or of one, a single point (the shape at the start is "
      "its rest shape), a `weld` of rods to a body or a solid, or a `pin` of rods to a solid.");

static const scene_key joint_stiffness_keys[] = {
    {.name = "bend", .type = SCENE_TYPE_SPECIAL, .form = "a moment or `rigid`, or a list of two", .initial = "rigid",
     .example = "[0, rigid]", .text = "N m a radian, about d1 and d2 of the section that the joint names first"},
    {.name = "twist", .type = SCENE_TYPE_SPECIAL, .form = "a moment or `rigid`", .initial = "rigid",
     .example = "0.2 N m", .text = "N m a radian, about its tangent"},
};
TABLE(joint_stiffness, "`stiffness` of a joint",
      "What the joint itself has about the axes of the section that it names first; 0 turns freely. The halves of the "
      "segments that meet there bend and twist as well.");

// ---- structures -----------------------------------------------------------------------------------------------------

static const scene_key structure_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "web", .also = "id", .text = "begins the names of its rods"},
    {.name = "net", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_net, .also = "grid mesh",
     .text = "threads in two directions, joined where they cross"},
    {.name = "truss", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_truss, .also = "girder",
     .text = "two chords with posts and diagonals between them"},
    {.name = "ribbon", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_ribbon, .also = "ladder",
     .text = "two rails joined by struts"},
    {.name = "ring", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_loop, .text = "one closed rod"},
    {.name = "chain", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_chain,
     .text = "rings in a row, each at right angles to the one before"},
    {.name = "spheroid", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_spheroid, .also = "sphere globe",
     .text = "meridians between two poles"},
    {.name = "tree", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_branching, .also = "plant bush",
     .text = "a trunk that branches again and again"},
    {.name = "bend", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_bend, .also = "splice sheet_bend fisherman",
     .text = "two ropes tied together"},
    {.name = "prusik", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_prusik, .also = "hitch",
     .text = "a ring of rope wound around a post, which grips it under load"},
    {.name = "elements", .type = SCENE_TYPE_COUNT, .least = 1, .most = 100000,
     IN(cdg_structure_def, element_count),
     .initial = "4; 40 for a ring, in a chain and for a meridian; for ropes as many as their knots need",
     .also = "element_count segments n resolution", .text = "of each piece: a mesh's side, a bay, a strut, a ring, a "
     "meridian, a branch, a rope"},
    {.name = "adapt", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_adapt,
     .initial = "that of `simulation`", .example = "on", .also = "adaptive refine refinement",
     .text = "ropes of `bend` and `prusik`: whether their elements are halved where they bend and touch"},
    {.name = "origin", VECTOR(CDG_LENGTH), IN(cdg_structure_def, origin), .initial = "[0, 0, 0]",
     .example = "[0, 0, 1 m]", .also = "position corner", .text = "where its own origin is"},
    {.name = "direction", .type = SCENE_TYPE_DIRECTION, IN(cdg_structure_def, direction), .initial = "[1, 0, 0]",
     .example = "[0, 1, 0]", .also = "axis x", .text = "where its own x axis points"},
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(cdg_structure_def, normal), .initial = "[0, 0, 1]",
     .example = "[0, 1, 0]", .also = "up z", .text = "where its own z axis points; y is across both"},
    {.name = "joint_stiffness", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE,
     IN(cdg_structure_def, joint_stiffness), .initial = "1; a chain's rings turn freely",
     .text = "of its joints: 1 as within a rod, 0 for hinges"},
    {.name = "model", .type = SCENE_TYPE_MODEL, .initial = "that of `simulation`",
     .text = "how its rods are simulated"},
    {.name = "material", .type = SCENE_TYPE_SPECIAL, .form = "a name, or a material in place",
     .table = &cdg_schema_material, .initial = "required with `section`", .example = "rubber",
     .text = "what it is made of"},
    {.name = "section", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_section,
     .initial = "this or `stiffness` is required", .example = "{circle: {radius: 2 mm}}",
     .also = "cross_section radius diameter", .text = "cross-section of its rods; of a tree, of the trunk"},
    {.name = "stiffness", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_stiffness,
     .initial = "from material and section", .text = "stiffness and mass given outright"},
    {.name = "damping", .type = SCENE_TYPE_SPECIAL, .form = "a time, or a map", .table = &cdg_schema_damping,
     .initial = "that of the material", .example = "2 ms", .text = "relaxation times of its rods and joints"},
    {.name = "velocity", VECTOR(CDG_SPEED), IN(cdg_structure_def, rod.velocity), .initial = "[0, 0, 0]",
     .example = "[1 m/s, 0, 0]", .text = "of the whole at the start"},
};
MODEL_TABLE(structure, "`structures`",
      "Each item is one of `net`, `truss`, `ribbon`, `ring`, `chain`, `spheroid`, `tree`, `bend`, `prusik`, and "
      "becomes rods and joints. "
      "Its rods are named after it, `web.h3`, and places may name several at once: `web.h*.start`.", SCENE_FOR_ONE_ROD);

#define SIZE(member, lengths)                                                                                          \
    {.name = "size", PAIR(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, member), .is_required = true,    \
     .example = lengths, .text = "along its own x and y"}
#define BAYS(member, number)                                                                                           \
    {.name = "bays", .type = SCENE_TYPE_COUNT, .least = 1, .most = 10000, IN(cdg_structure_def, member),               \
     .initial = number, .also = "cells count", .text = "pieces between one cross-piece and the next"}

static const scene_key net_keys[] = {
    SIZE(net.size, "[1 m, 1 m]"),
    {.name = "threads", .type = SCENE_TYPE_SPECIAL, .form = "a whole number from 2 to 10000, or a list of two",
     .initial = "5", .example = "[10, 10]", .also = "count", .text = "how many run along x, and how many along y"},
};
TABLE(net, "`structures.net`",
      "Rods `h0`, `h1`, ... along x and `v0`, `v1`, ... along y, with its origin at a corner.");

static const scene_key truss_keys[] = {
    SIZE(truss.size, "[11 m, 2 m]"),
    BAYS(truss.bays, "4"),
    {.name = "diagonals", .type = SCENE_TYPE_SWITCH, IN(cdg_structure_def, truss.has_diagonals), .initial = "true",
     .text = "one in each bay, up and down in turn"},
};
TABLE(truss, "`structures.truss`", "Rods `lower` and `upper`, posts `p0`, `p1`, ..., diagonals `d0`, `d1`, ...");

static const scene_key ribbon_keys[] = {
    SIZE(ribbon.size, "[4 m, 20 cm]"),
    BAYS(ribbon.bays, "20"),
};
TABLE(ribbon, "`structures.ribbon`", "Rods `left` and `right`, and struts `s0`, `s1`, ... between them.");

static const scene_key loop_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, ring.radius),
     .is_required = true, .example = "10 cm", .text = "around its own z axis"},
};
TABLE(loop, "`structures.ring`", "One closed rod, which has the structure's name.");

static const scene_key chain_keys[] = {
    {.name = "links", .type = SCENE_TYPE_COUNT, .least = 1, .most = 10000, IN(cdg_structure_def, chain.links),
     .initial = "6", .also = "rings count", .text = "how many rings"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, chain.radius),
     .is_required = true, .example = "5 cm", .text = "of a ring"},
    {.name = "loose", .type = SCENE_TYPE_SWITCH, IN(cdg_structure_def, chain.is_loose), .initial = "false",
     .text = "one ring through the other, not joined: contact must hold them together"},
    {.name = "pitch", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, chain.pitch),
     .initial = "one and a half radii", .example = "8 cm", .also = "spacing",
     .text = "loose: from one ring to the next"},
};
TABLE(chain, "`structures.chain`", "Rings `r0`, `r1`, ... along x, joined where they touch so that they turn freely.");

static const scene_key spheroid_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, spheroid.radius),
     .is_required = true, .example = "50 cm", .text = "half-way between the poles"},
    {.name = "height", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, spheroid.height),
     .is_required = true, .example = "1 m", .text = "from pole to pole, along its own z axis"},
    {.name = "meridians", .type = SCENE_TYPE_COUNT, .least = 1, .most = 10000,
     IN(cdg_structure_def, spheroid.meridians), .initial = "4", .also = "rods count", .text = "how many"},
};
TABLE(spheroid, "`structures.spheroid`", "Meridians `m0`, `m1`, ... from the lower pole, its origin, to the upper.");

static const scene_key branching_keys[] = {
    {.name = "length", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_structure_def, tree.length),
     .is_required = true, .example = "1 m", .also = "height", .text = "of the trunk"},
    {.name = "levels", .type = SCENE_TYPE_COUNT, .least = 0, .most = 32, IN(cdg_structure_def, tree.levels),
     .initial = "3", .also = "depth", .text = "how often it branches"},
    {.name = "branches", .type = SCENE_TYPE_COUNT, .least = 1, .most = 1000, IN(cdg_structure_def, tree.branches),
     .initial = "3", .text = "into how many"},
    {.name = "angle", QUANTITY(CDG_ANGLE), IN(cdg_structure_def, tree.angle), .initial = "0.6", .example = "35 deg",
     .also = "spread", .text = "between a branch and what it grows from, somewhat varied"},
    {.name = "shrink", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_structure_def, tree.shrink),
     .initial = "0.7", .text = "length of a branch over that of what it grows from, somewhat varied"},
    {.name = "taper", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_structure_def, tree.taper),
     .initial = "0.7", .text = "the same for the sizes of the section"},
    {.name = "seed", .type = SCENE_TYPE_SPECIAL, .form = "a whole number from 0 to 1000000000", .initial = "1",
     .text = "the same seed gives the same tree"},
};
TABLE(branching, "`structures.tree`",
      "Rods `trunk`, along z from its origin, and `b0`, `b1`, ..., each before those that grow from it.");
