// The tables of the keys `contact` and `obstacles`.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off
static const char *const response_choices[] = {
#define RESPONSE_CHOICE(id, name, text) name,
    CDG_RESPONSE_LIST(RESPONSE_CHOICE)
#undef RESPONSE_CHOICE
    NULL};

static const scene_key contact_keys[] = {
    {.name = "friction", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_contact_def, friction),
     .initial = "0", .example = "0.3", .also = "mu friction_coefficient",
     .text = "Coulomb's coefficient between rods, and of obstacles and bodies without their own"},
    {.name = "restitution", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_contact_def, restitution),
     .initial = "0", .also = "bounce", .text = "share of the speed of approach that is given back"},
    {.name = "shock_propagation", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_contact_def, shock_height),
     .initial = "off", .example = "5 mm", .also = "shock_height",
     .text = "height over which masses fall by a factor of e while contacts are solved for: high stacks of `pobd` "
             "with `gauss_seidel`, explicit `der` or undamped `corde` rods come to rest in fewer sweeps; forces "
             "between rods are then smaller than they are"},
    {.name = "response", .type = SCENE_TYPE_CHOICE, .choices = response_choices, IN(cdg_contact_def, response),
     .initial = "solved",
     .text = "how forces are found: `solved` for together, until nothing lies in anything, or by the formula of a "
             "`paper`, once a step, for comparison: explicit solids and obstacles alone, and overlaps remain"},
    {.name = "separate", .type = SCENE_TYPE_SWITCH, IN(cdg_contact_def, separates), .initial = "false",
     .text = "rods that lie in each other at the start are pushed apart gently instead of refused"},
};
TABLE(contact, "`contact`", "How rods touch.");

static const scene_key obstacle_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .initial = "`obstacle_1`, ...",
     .example = "floor", .also = "id", .text = "its name in messages and in run.h5"},
    {.name = "plane", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_plane,
     .example = "{normal: [0, 0, 1], offset: 0}", .also = "floor ground halfspace", .text = "all below a plane"},
    {.name = "sphere", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_sphere, .example = "{radius: 5 cm}",
     .also = "ball", .text = "a ball about the position"},
    {.name = "box", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_box, .example = "{size: [1 m, 1 m, 10 cm]}",
     .also = "block cube", .text = "a block about the position"},
    {.name = "capsule", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_capsule,
     .example = "{radius: 2 cm, length: 20 cm}", .text = "a bar with round ends along z about the position"},
    {.name = "cylinder", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_cylinder,
     .example = "{radius: 2 cm, length: 20 cm}", .also = "pole disk",
     .text = "with flat ends, along z about the position"},
    {.name = "mesh", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_mesh, .example = "{file: part.stl, scale: 1 mm}",
     .text = "a closed surface of triangles from a file"},
    {.name = "position", VECTOR(CDG_LENGTH), IN(cdg_obstacle_def, shape.position), .initial = "[0, 0, 0]",
     .example = "[0, 0, 20 cm]", .also = "center centre at", .text = "where its origin is"},
    {.name = "orientation", .type = SCENE_TYPE_SPECIAL, .form = "a map, or a quaternion [w, x, y, z]",
     .table = &cdg_schema_orientation, .initial = "none", .example = "{axis: [1, 0, 0], angle: 90 deg}",
     .also = "rotation", .text = "how it is turned about its position"},
    {.name = "friction", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_obstacle_def, friction),
     .initial = "that of `contact`", .example = "0.4", .also = "mu", .text = "Coulomb's coefficient of rods on it"},
    {.name = "motion", .type = SCENE_TYPE_SPECIAL, .form = "a list of motions", .table = &cdg_schema_motion,
     .initial = "none", .example = "[{move: [0, 0, 1 m], to: 1 s}]", .also = "motions move rotate",
     .text = "how it moves, as a support does"},
};
TABLE(obstacle, "`obstacles`",
      "Each item is one of `plane`, `sphere`, `box`, `capsule`, `cylinder`, `mesh`, in its place and moving or not.");

static const scene_key plane_keys[] = {
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(cdg_shape, normal), .is_required = true,
     .example = "[0, 0, 1]", .text = "points out of the solid side"},
    {.name = "offset", QUANTITY(CDG_LENGTH), IN(cdg_shape, offset), .initial = "0", .example = "-1 cm",
     .also = "height distance", .text = "how far along the normal from the position the plane is"},
};
TABLE(plane, "`obstacles.plane`", "A plane; it fills the half space below it.");

static const scene_key sphere_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, radius),
     .is_required = true, .example = "5 cm", .also = "diameter", .text = "of the ball"},
};
TABLE(sphere, "`obstacles.sphere`", "A ball.");

static const scene_key box_keys[] = {
    {.name = "size", VECTOR(CDG_LENGTH), IN(cdg_shape, size), .is_required = true,
     .example = "[1 m, 1 m, 10 cm]", .also = "sides extent", .text = "whole lengths of the sides"},
};
TABLE(box, "`obstacles.box`", "A block.");

#define RADIUS_AND_LENGTH(least, meaning)                                                                              \
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, radius),                    \
     .is_required = true, .example = "2 cm", .also = "diameter", .text = "about the axis z"},                          \
    {.name = "length", QUANTITY(CDG_LENGTH), .range = least, IN(cdg_shape, length), .is_required = true,        \
     .example = "20 cm", .also = "height", .text = meaning}
static const scene_key capsule_keys[] = {
    RADIUS_AND_LENGTH(SCENE_NOT_NEGATIVE, "between the centres of the round ends"),
};
TABLE(capsule, "`obstacles.capsule`", "A bar with round ends.");

static const scene_key cylinder_keys[] = {
    RADIUS_AND_LENGTH(SCENE_POSITIVE, "from one flat end to the other"),
};
#undef RADIUS_AND_LENGTH
TABLE(cylinder, "`obstacles.cylinder`", "A cylinder with flat ends.");

static const scene_key mesh_keys[] = {
    {.name = "file", .type = SCENE_TYPE_TEXT, IN(scene_mesh_source, file), .is_required = true, .example = "part.stl",
     .also = "path", .text = "an STL, OBJ, PLY, OFF or glTF file, relative to the scene"},
    {.name = "scale", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(scene_mesh_source, scale), .initial = "1 m",
     .example = "1 mm", .also = "unit units", .text = "what one unit of the file is"},
    {.name = "surface", .type = SCENE_TYPE_SWITCH, IN(scene_mesh_source, is_surface), .initial = "false",
     .also = "open", .text = "it may be open: it has two sides and no inside"},
    {.name = "repair", .type = SCENE_TYPE_SWITCH, IN(scene_mesh_source, is_repaired), .initial = "false",
     .also = "close fix", .text = "close it where it has holes or crosses itself, as `cordage mesh` does"},
    {.name = "repair_size", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(scene_mesh_source, repair_size),
     .initial = "a 48th of its longest side", .example = "2 mm", .also = "repair_length",
     .text = "how fine the repaired surface is"},
};
TABLE(mesh, "`obstacles.mesh`", "A closed surface of triangles, or an open one.");

static const scene_key orientation_keys[] = {
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_motion, axis), .is_required = true, .example = "[1, 0, 0]",
     .text = "of the turn, right-handed"},
    {.name = "angle", QUANTITY(CDG_ANGLE), IN(cdg_motion, angle), .is_required = true, .example = "90 deg",
     .text = "how far"},
};
TABLE(orientation, "`obstacles.orientation`", "A turn about an axis.");
