// The tables of rods: materials, sections, curves, what they are at rest.
#include "scene/scene.h"
#include "scene/schema_rows.h"

#include <stddef.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off
// ---- materials ------------------------------------------------------------------------------------------------------

static const scene_key material_keys[] = {
    {.name = "young_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_POSITIVE, IN(cdg_material, young_modulus),
     .is_required = true, .example = "1 MPa", .also = "E young youngs_modulus elastic_modulus modulus",
     .text = "stiffness against stretching and bending"},
    {.name = "poisson_ratio", QUANTITY(CDG_NUMBER), .range = SCENE_POISSON, IN(cdg_material, poisson_ratio),
     .initial = "0.5", .also = "nu poisson poissons_ratio",
     .text = "how much it thins when stretched; gives the shear modulus"},
    {.name = "shear_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, shear_modulus),
     .initial = "E / (2 (1 + nu))", .also = "G",
     .text = "stiffness against shear and twist, when it is not that of E and nu; 0: none, a millionth of E, for "
             "models without shear"},
    {.name = "stretch_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_POSITIVE, IN(cdg_material, stretch_modulus),
     .initial = "that of `young_modulus`", .also = "E_s stretching_modulus axial_modulus",
     .text = "stiffness against stretching, when bending has another, as in ropes, whose fibres slide; what is above "
             "Young's modulus stiffens shear alike, or taut rods would give way sideways"},
    {.name = "density", QUANTITY(CDG_DENSITY), .range = SCENE_POSITIVE, IN(cdg_material, density), .is_required = true,
     .example = "1100 kg/m^3", .also = "rho mass_density", .text = "mass per volume"},
    {.name = "damping", .type = SCENE_TYPE_SPECIAL, .form = "a time, or a map", .table = &cdg_schema_damping,
     .initial = "0, but for corde under friction", .example = "2 ms", .also = "viscosity",
     .text = "relaxation time of inner friction: stress = stiffness (strain + time * strain rate)"},
};
TABLE(material, "`materials.NAME`", "A material; a rod may also hold one in place.");

static const scene_key damping_keys[] = {
    {.name = "stretch", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, damping_stretch),
     .initial = "0", .text = "of stretching"},
    {.name = "shear", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, damping_shear), .initial = "0",
     .text = "of shearing"},
    {.name = "bend", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, damping_bend), .initial = "0",
     .text = "of bending"},
    {.name = "twist", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, damping_twist), .initial = "0",
     .text = "of twisting"},
    {.name = "gamma_t", .type = SCENE_TYPE_SPECIAL, .form = "a friction", .initial = "0", .example = "20 N s",
     .text = "in place of `stretch`: friction, which over the rod's E A is that time"},
    {.name = "gamma_r", .type = SCENE_TYPE_SPECIAL, .form = "a friction", .initial = "0", .example = "0.5 N m^2 s",
     .text = "in place of `bend` and `twist`: friction, which over the rod's E I and G J are these times"},
};
TABLE(damping, "`damping`", "Relaxation times, each on its own. A rigid motion is never damped by them.");

// ---- rods -----------------------------------------------------------------------------------------------------------

static const scene_key rod_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "cable", .also = "id", .text = "how places refer to the rod"},
    {.name = "model", .type = SCENE_TYPE_MODEL, .initial = "that of `simulation`", .text = "how this rod is simulated"},
    {.name = "material", .type = SCENE_TYPE_SPECIAL, .form = "a name, or a material in place",
     .table = &cdg_schema_material, .initial = "required with `section`", .example = "rubber",
     .text = "what it is made of"},
    {.name = "section", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_section,
     .initial = "this or `stiffness` is required", .example = "{circle: {radius: 2 mm}}",
     .also = "cross_section radius diameter", .text = "cross-section"},
    {.name = "stiffness", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_stiffness,
     .initial = "from material and section",
     .text = "stiffness and mass given outright"},
    {.name = "damping", .type = SCENE_TYPE_SPECIAL, .form = "a time, or a map", .table = &cdg_schema_damping,
     .initial = "that of the material", .example = "2 ms", .text = "relaxation times of this rod"},
    {.name = "centerline", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_centerline, .is_required = true,
     .example = "{line: {from: [0, 0, 0], to: [1 m, 0, 0]}}", .also = "centreline curve shape geometry",
     .text = "where it is at the start"},
    {.name = "closed", .type = SCENE_TYPE_SPECIAL, .form = "`true` or `false`", .initial = "as the centerline",
     .also = "loop ring periodic", .text = "the end is joined to the start; for points and spline"},
    {.name = "elements", .type = SCENE_TYPE_COUNT, .least = 1, .most = CDG_SCENE_ELEMENTS_MAX,
     IN(cdg_rod_def, element_count), .initial = "50; one a segment for points and file", .example = "100",
     .also = "element_count segments n resolution nodes", .text = "number of pieces it is cut into"},
    {.name = "adapt", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_adapt,
     .initial = "that of `simulation`", .example = "on", .also = "adaptive refine refinement",
     .text = "whether its elements are halved where it bends and touches"},
    {.name = "rest", .type = SCENE_TYPE_SPECIAL, .form = "`straight`, `initial` or a map", .table = &cdg_schema_rest,
     .initial = "straight", .example = "straight", .also = "rest_shape", .text = "the shape without forces"},
    {.name = "roll", QUANTITY(CDG_ANGLE), IN(cdg_rod_def, roll), .initial = "0",
     .text = "turns the section about the centerline, at the start"},
    {.name = "twist", QUANTITY(CDG_CURVATURE), IN(cdg_rod_def, initial_twist), .initial = "0",
     .text = "twist at the start, angle per length"},
    {.name = "normal", .type = SCENE_TYPE_SPECIAL, .form = "a direction [x, y, z]", .initial = "chosen for you",
     .example = "[0, 0, 1]", .text = "where the section's first axis d1 points at the rod's start"},
    {.name = "velocity", VECTOR(CDG_SPEED), IN(cdg_rod_def, velocity), .initial = "[0, 0, 0]",
     .example = "[1 m/s, 0, 0]",
     .text = "of the whole rod at the start"},
    {.name = "angular_velocity", VECTOR(CDG_ANGULAR_SPEED), IN(cdg_rod_def, angular_velocity), .initial = "[0, 0, 0]",
     .example = "[0, 0, 1 turn/s]", .text = "about its centre of mass at the start"},
};
MODEL_TABLE(rod, "`rods`", "Each item of the list is a rod.", SCENE_FOR_ONE_ROD);

static const scene_key section_keys[] = {
    {.name = "circle", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_circle, .text = "full circle"},
    {.name = "ellipse", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_ellipse, .text = "full ellipse"},
    {.name = "rectangle", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_rectangle, .also = "box",
     .text = "full rectangle"},
    {.name = "tube", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_tube, .also = "pipe annulus",
     .text = "circle with a hole"},
    {.name = "end", .type = SCENE_TYPE_SPECIAL, .form = "a section of the same kind", .initial = "the same all along",
     .example = "{circle: {radius: 1 mm}}", .also = "taper to",
     .text = "section at the rod's end: sizes change evenly along the rod"},
};
TABLE(section, "`section`", "One of the four kinds, and `end` for a tapered rod.");

static const scene_key circle_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, radius), .is_required = true,
     .example = "2 mm", .also = "r diameter", .text = "half the diameter"},
};
TABLE(circle, "`section.circle`", "A full circle.");

static const scene_key ellipse_keys[] = {
    {.name = "semi_axes", PAIR(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, semi_axis), .is_required = true,
     .example = "[2 mm, 1 mm]", .also = "radii axes", .text = "half widths along d1 and d2"},
};
TABLE(ellipse, "`section.ellipse`", "A full ellipse; d1 and d2 are its axes.");

static const scene_key rectangle_keys[] = {
    {.name = "width", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, side[0]), .is_required = true,
     .example = "10 mm", .text = "full size along d1"},
    {.name = "height", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, side[1]), .is_required = true,
     .example = "1 mm", .also = "thickness", .text = "full size along d2"},
};
TABLE(rectangle, "`section.rectangle`", "A full rectangle; d1 and d2 are along its sides.");

static const scene_key tube_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, radius), .is_required = true,
     .example = "5 mm", .also = "outer_radius", .text = "of the outside"},
    {.name = "inner_radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_section, inner_radius),
     .is_required = true, .example = "4 mm", .text = "of the hole"},
};
TABLE(tube, "`section.tube`", "A circle with a concentric hole.");

static const scene_key stiffness_keys[] = {
    {.name = "stretch", QUANTITY(CDG_FORCE), .range = SCENE_POSITIVE, IN(cdg_stiffness, stretch), .is_required = true,
     .example = "12 kN", .also = "EA axial", .text = "E A"},
    {.name = "shear", PAIR(CDG_FORCE), .range = SCENE_POSITIVE, IN(cdg_stiffness, shear), .initial = "that of stretch",
     .example = "[4 kN, 4 kN]", .also = "GA", .text = "G A k along d1 and d2"},
    {.name = "bend", PAIR(CDG_BENDING), .range = SCENE_POSITIVE, IN(cdg_stiffness, bend), .is_required = true,
     .example = "[1.3 N m^2, 1.3 N m^2]", .also = "EI bending", .text = "E I about d1 and d2"},
    {.name = "twist", QUANTITY(CDG_BENDING), .range = SCENE_POSITIVE, IN(cdg_stiffness, twist), .is_required = true,
     .example = "0.79 N m^2", .also = "GJ torsion", .text = "G J"},
    {.name = "mass", QUANTITY(CDG_LINE_MASS), .range = SCENE_POSITIVE, IN(cdg_stiffness, mass), .is_required = true,
     .example = "13.8 g/m", .also = "line_density", .text = "mass per length"},
    {.name = "inertia", TRIPLE(CDG_LINE_INERTIA), .range = SCENE_POSITIVE, IN(cdg_stiffness, inertia),
     .initial = "from mass, bend and stretch", .example = "[1e-8 kg m, 1e-8 kg m, 2e-8 kg m]",
     .text = "rotary inertia per length about d1, d2, d3"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_stiffness, radius),
     .initial = "from bend and stretch", .example = "2 mm", .text = "for wind and pictures"},
};
TABLE(stiffness, "`stiffness`", "Stiffness and mass per length, when they are known better than material and section.");

// ---- curves ---------------------------------------------------------------------------------------------------------

static const scene_key centerline_keys[] = {
    {.name = "line", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_line, .also = "straight segment",
     .text = "straight"},
    {.name = "arc", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_arc, .text = "part of a circle"},
    {.name = "circle", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_ring, .also = "ring loop",
     .text = "a closed ring"},
    {.name = "helix", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_helix, .also = "spiral coil spring",
     .text = "a coil"},
    {.name = "points", .type = SCENE_TYPE_SPECIAL, .form = "a list of points `[x, y, z]`",
     .also = "polyline nodes vertices",
     .example = "[[0, 0, 0], [1 m, 0, 0], [1 m, 1 m, 0]]", .text = "straight from point to point"},
    {.name = "spline", .type = SCENE_TYPE_SPECIAL, .form = "a list of points `[x, y, z]`", .also = "curve bezier",
     .example = "[[0, 0, 0], [1 m, 0, 0], [1 m, 1 m, 0]]", .text = "smooth through the points"},
    {.name = "file", .type = SCENE_TYPE_SPECIAL, .form = "the name of a CSV or OBJ file", .example = "curve.csv",
     .also = "csv obj path", .text = "points from a file, relative to the scene's directory"},
    {.name = "knot", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_knot, .also = "trefoil torus",
     .text = "a torus knot"},
    {.name = "tied", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_tied,
     .also = "overhand figure_eight bowline square reef granny bow shoelace", .text = "a knot tied in a rope"},
};
TABLE(centerline, "`centerline`", "One of these curves.");

static const scene_key line_keys[] = {
    {.name = "from", VECTOR(CDG_LENGTH), IN(cdg_centerline, line.from), .initial = "[0, 0, 0]", .example = "[0, 0, 0]",
     .also = "start begin", .text = "first end"},
    {.name = "to", VECTOR(CDG_LENGTH), IN(cdg_centerline, line.to), .is_required = true, .example = "[1 m, 0, 0]",
     .also = "end", .text = "other end"},
};
TABLE(line, "`centerline.line`", "A straight line.");

static const scene_key arc_keys[] = {
    {.name = "start", VECTOR(CDG_LENGTH), IN(cdg_centerline, arc.start), .initial = "[0, 0, 0]", .example = "[0, 0, 0]",
     .also = "from", .text = "where it begins"},
    {.name = "tangent", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, arc.tangent), .initial = "[1, 0, 0]",
     .example = "[1, 0, 0]", .also = "direction", .text = "where it heads at its start"},
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, arc.normal), .initial = "[0, 0, 1]",
     .example = "[0, 0, 1]", .text = "to which side it turns"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, arc.radius),
     .is_required = true,
     .example = "20 cm", .text = "of its circle"},
    {.name = "angle", QUANTITY(CDG_ANGLE), .range = SCENE_POSITIVE, IN(cdg_centerline, arc.angle), .is_required = true,
     .example = "90 deg", .text = "how far it turns"},
};
TABLE(arc, "`centerline.arc`", "Part of a circle, by start, heading and turn.");

static const scene_key ring_keys[] = {
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_centerline, circle.center), .initial = "[0, 0, 0]",
     .example = "[0, 0, 0]", .also = "centre", .text = "middle"},
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, circle.axis), .initial = "[0, 0, 1]",
     .example = "[0, 0, 1]", .also = "normal", .text = "it turns right-handed about this"},
    {.name = "start_direction", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, circle.start_direction),
     .initial = "one perpendicular to the axis", .example = "[1, 0, 0]", .text = "from the center to the first node"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, circle.radius),
     .is_required = true, .example = "20 cm", .also = "diameter", .text = "of the ring"},
};
TABLE(ring, "`centerline.circle`", "A closed ring.");

static const scene_key helix_keys[] = {
    {.name = "base", VECTOR(CDG_LENGTH), IN(cdg_centerline, helix.base), .initial = "[0, 0, 0]", .example = "[0, 0, 0]",
     .also = "start center from", .text = "where its axis begins"},
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, helix.axis), .initial = "[0, 0, 1]",
     .example = "[0, 0, 1]", .text = "the way it winds along"},
    {.name = "start_direction", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, helix.start_direction),
     .initial = "one perpendicular to the axis", .example = "[1, 0, 0]", .text = "from the base to the first node"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, helix.radius),
     .is_required = true, .example = "2 cm", .text = "of the coil"},
    {.name = "pitch", QUANTITY(CDG_LENGTH), IN(cdg_centerline, helix.pitch), .is_required = true, .example = "1 cm",
     .text = "rise in one turn"},
    {.name = "turns", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_centerline, helix.turns),
     .is_required = true,
     .example = "5", .also = "angle revolutions windings", .text = "number of turns, not only whole ones"},
    {.name = "left_handed", .type = SCENE_TYPE_SWITCH, IN(cdg_centerline, helix.left_handed), .initial = "false",
     .also = "handedness", .text = "winds the other way"},
};
TABLE(helix, "`centerline.helix`", "A coil about an axis.");

static const scene_key knot_keys[] = {
    {.name = "type", .type = SCENE_TYPE_SPECIAL, .form = "`trefoil`, `cinquefoil` or `septafoil`",
     .initial = "trefoil", .example = "trefoil", .also = "name kind", .text = "a knot by its name"},
    {.name = "torus", .type = SCENE_TYPE_SPECIAL, .form = "`[p, q]`, whole numbers", .example = "[2, 3]",
     .text = "instead of type: p times around the axis, q times through the hole"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, knot.radius),
     .is_required = true,
     .example = "10 cm", .text = "of the circle inside the torus"},
    {.name = "tube_radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, knot.tube_radius),
     .is_required = true, .example = "4 cm", .text = "of the torus itself"},
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_centerline, knot.center), .initial = "[0, 0, 0]",
     .example = "[0, 0, 0]",
     .also = "centre", .text = "middle"},
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_centerline, knot.axis), .initial = "[0, 0, 1]",
     .example = "[0, 0, 1]", .text = "axis of the torus"},
    {.name = "tail", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_centerline, knot.tail),
     .initial = "0: closed", .example = "20 cm", .also = "tails",
     .text = "opens the knot and gives it two straight ends"},
};
TABLE(knot, "`centerline.knot`", "A knot on a torus: closed, or open with two straight tails.");

static const scene_key rest_keys[] = {
    {.name = "curvature", PAIR(CDG_CURVATURE), IN(cdg_rest, curvature), .initial = "0", .example = "[3 1/m, 0]",
     .also = "kappa", .text = "about d1 and d2, the same all along"},
    {.name = "twist", QUANTITY(CDG_CURVATURE), IN(cdg_rest, twist), .initial = "0", .example = "2 rad/m",
     .text = "angle per length"},
    {.name = "centerline", .type = SCENE_TYPE_SPECIAL, .form = "a centerline, instead of the two above",
     .example = "{helix: {radius: 2 cm, pitch: 1 cm, turns: 5}}", .also = "centreline",
     .text = "a curve it would lie in"},
    {.name = "roll", QUANTITY(CDG_ANGLE), IN(cdg_rest, roll), .initial = "0",
     .text = "with centerline: turns the section about that curve at its start"},
};
TABLE(rest, "`rest`", "The shape without forces, when it is neither `straight` nor `initial`.");
