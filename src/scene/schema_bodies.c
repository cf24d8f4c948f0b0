// The part of the schema that describes rigid bodies.
#include "scene/scene.h"
#include "scene/schema_rows.h"

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const scene_key body_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "disk", .also = "id", .text = "how welds and probes refer to it"},
    {.name = "shape", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_body_shape, .is_required = true,
     .example = "{cylinder: {radius: 5 cm, height: 1 cm}}", .also = "geometry form", .text = "what it looks like"},
    {.name = "mass", QUANTITY(CDG_MASS), .range = SCENE_POSITIVE, IN(cdg_body_def, mass),
     .initial = "this or `density` is required", .example = "0.5 kg", .also = "weight", .text = "of the whole body"},
    {.name = "density", QUANTITY(CDG_DENSITY), .range = SCENE_POSITIVE, IN(cdg_body_def, density),
     .initial = "this or `mass` is required", .example = "7800 kg/m^3", .text = "the same everywhere inside"},
    {.name = "inertia", .type = SCENE_TYPE_SPECIAL, .form = "[x, y, z], moments of inertia",
     .initial = "that of the shape", .example = "[1e-3, 1e-3, 2e-3]", .also = "moment_of_inertia",
     .text = "about its own axes through the centre of mass, kg m^2"},
    {.name = "position", VECTOR(CDG_LENGTH), IN(cdg_body_def, shape.position), .initial = "[0, 0, 0]",
     .example = "[1 m, 0, 0]", .also = "center centre at", .text = "where its origin is at the start"},
    {.name = "orientation", .type = SCENE_TYPE_SPECIAL, .form = "a map, or a quaternion [w, x, y, z]",
     .table = &cdg_schema_orientation, .initial = "none", .example = "{axis: [1, 0, 0], angle: 90 deg}",
     .also = "rotation", .text = "how it is turned about its position"},
    {.name = "velocity", VECTOR(CDG_SPEED), IN(cdg_body_def, velocity), .initial = "[0, 0, 0]",
     .example = "[1 m/s, 0, 0]", .text = "of its centre of mass at the start"},
    {.name = "angular_velocity", VECTOR(CDG_ANGULAR_SPEED), IN(cdg_body_def, angular_velocity),
     .initial = "[0, 0, 0]", .example = "[0, 0, 1 turn/s]", .also = "spin", .text = "at the start"},
    {.name = "fixed", .type = SCENE_TYPE_SWITCH, IN(cdg_body_def, is_fixed), .initial = "false", .also = "static",
     .text = "stays where it is, or moves as `motion` says; needs no mass"},
    {.name = "motion", .type = SCENE_TYPE_SPECIAL, .form = "a list of motions", .table = &cdg_schema_motion,
     .initial = "none", .example = "[{move: [0, 0, 1 m], to: 1 s}]", .also = "motions move rotate",
     .text = "of a fixed body, as of a support"},
    {.name = "collides", .type = SCENE_TYPE_SWITCH, IN(scene_body_flags, collides), .initial = "true",
     .also = "collide", .text = "with other bodies, with obstacles, and, where there is contact, with rods"},
    {.name = "friction", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_body_def, friction),
     .initial = "that of `contact`", .example = "0.4", .also = "mu",
     .text = "Coulomb's coefficient; two that touch have the mean of theirs"},
    {.name = "restitution", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_body_def, restitution),
     .initial = "that of `contact`", .example = "0.8", .also = "bounce",
     .text = "share of the speed of approach that is given back; of two that touch the larger counts"},
};
TABLE(body, "`bodies`", "Each item is a rigid body.");

static const scene_key body_shape_keys[] = {
    {.name = "sphere", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_sphere, .example = "{radius: 5 cm}",
     .also = "ball", .text = "a ball about the position"},
    {.name = "box", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_box, .example = "{size: [10 cm, 10 cm, 5 cm]}",
     .also = "block cube", .text = "a block about the position"},
    {.name = "capsule", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_capsule,
     .example = "{radius: 2 cm, length: 20 cm}", .text = "a bar with round ends along z about the position"},
    {.name = "cylinder", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_body_cylinder,
     .example = "{radius: 5 cm, height: 1 cm}", .also = "disk", .text = "with flat ends, along z about the position"},
    {.name = "mesh", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_mesh, .example = "{file: part.stl, scale: 1 mm}",
     .text = "the inside of a closed surface of triangles from a file"},
};
TABLE(body_shape, "`bodies.shape`", "One of the shapes.");

static const scene_key body_cylinder_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, radius),
     .is_required = true, .example = "5 cm", .also = "diameter", .text = "about the axis z"},
    {.name = "height", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, length),
     .is_required = true, .example = "1 cm", .also = "length", .text = "from one flat end to the other"},
};
TABLE(body_cylinder, "`bodies.shape.cylinder`", "A cylinder with flat ends.");

// clang-format on
