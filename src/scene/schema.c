// The scene language as tables, and looking keys up in them.
#include "scene/schema.h"
#include "rods/model_options.h"
#include "rods/rod_model.h"

#include "scene/misplaced_keys.h"
#include "scene/scene.h"
#include "scene/schema_rows.h"
#include "scene/suggest.h"

#include <cordage/structure.h>

#include <stdio.h>
#include <string.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

// ---- the whole scene ------------------------------------------------------------------------------------------------

static const scene_key scene_keys[] = {
    {.name = "cordage", .type = SCENE_TYPE_SPECIAL, .form = "`1`", .is_required = true, .example = "1",
     .also = "version", .text = "version of the scene format"},
    {.name = "title", .type = SCENE_TYPE_TEXT, IN(cdg_scene, title), .initial = "none", .also = "description name",
     .text = "one line that says what is shown"},
    {.name = "simulation", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_simulation, .is_required = true,
     .example = "{duration: 4 s}", .text = "model, step, duration, gravity"},
    {.name = "output", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_output,
     .text = "how often results are written"},
    {.name = "materials", .type = SCENE_TYPE_SPECIAL, .form = "a map from names to materials",
     .table = &cdg_schema_material, .example = "{rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}",
     .text = "materials that rods refer to by name"},
    {.name = "rods", .type = SCENE_TYPE_SPECIAL, .form = "a list of rods", .table = &cdg_schema_rod,
     .initial = "these, `structures` or `strands` are required", .example = "[{name: cable, ...}]", .text = "the rods"},
    {.name = "structures", .type = SCENE_TYPE_SPECIAL, .form = "a list of structures", .table = &cdg_schema_structure,
     .also = "nets", .text = "nets, trusses, trees and the like, which are made of rods and joints"},
    {.name = "strands", .type = SCENE_TYPE_SPECIAL, .form = "a list of strands", .table = &cdg_schema_strands,
     .also = "hair hairs tress", .text = "hair: guides that are simulated and fibres between them"},
    {.name = "joints", .type = SCENE_TYPE_SPECIAL, .form = "a list of joints", .table = &cdg_schema_joint,
     .also = "joins", .text = "nodes of rods that are one point"},
    {.name = "supports", .type = SCENE_TYPE_SPECIAL, .form = "a list of supports", .table = &cdg_schema_support,
     .also = "constraints boundary_conditions", .text = "what holds the rods, and how that moves"},
    {.name = "loads", .type = SCENE_TYPE_SPECIAL, .form = "a list of loads", .table = &cdg_schema_load,
     .also = "forces",
     .text = "forces, moments, drag, wind"},
    {.name = "contact", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_contact,
     .initial = "on, but for equilibria", .example = "{friction: 0.3}", .also = "collision collisions",
     .text = "contact of rods with each other, themselves, obstacles and bodies"},
    {.name = "obstacles", .type = SCENE_TYPE_SPECIAL, .form = "a list of obstacles", .table = &cdg_schema_obstacle,
     .also = "colliders floor ground", .text = "solid things that rods touch, at rest or moving"},
    {.name = "probes", .type = SCENE_TYPE_SPECIAL, .form = "a list of probes", .table = &cdg_schema_probe,
     .text = "what to measure; columns of probes.csv"},
    {.name = "solids", .type = SCENE_TYPE_SPECIAL, .form = "a list of solids", .table = &cdg_schema_solid,
     .also = "deformables soft_bodies", .text = "deformable solids, meshes of tetrahedra"},
    {.name = "bodies", .type = SCENE_TYPE_SPECIAL, .form = "a list of bodies", .table = &cdg_schema_body,
     .also = "rigid_bodies", .text = "rigid bodies: they fall, collide, and carry ends of rods (`weld` in `joints`)"},
    {.name = "hands", .type = SCENE_TYPE_SPECIAL, .form = "a list of hands", .table = &cdg_schema_hand,
     .also = "grips pulls", .text = "hands that pull, as `cordage view` records them"},
    {.name = "cuts", .type = SCENE_TYPE_SPECIAL, .form = "a list of cuts", .table = &cdg_schema_cut,
     .also = "scissors", .text = "where and when rods are cut in two"},
    {.name = "changes", .type = SCENE_TYPE_SPECIAL, .form = "a list of changes", .table = &cdg_schema_change,
     .also = "events schedule", .text = "values that become others while the scene runs"},
    {.name = "controls", .type = SCENE_TYPE_SPECIAL, .form = "a list of controls", .table = &cdg_schema_control,
     .also = "sliders", .text = "sliders of `cordage view`"},
    {.name = "looks", .type = SCENE_TYPE_SPECIAL, .form = "a list of looks", .table = &cdg_schema_look,
     .also = "colors colours appearance", .text = "colours and surfaces in pictures and exports"},
    {.name = "set", .type = SCENE_TYPE_SPECIAL, .form = "a list of lines", .example = "['contact.friction=0.3']",
     .also = "overrides",
     .text = "values in the place of those of this text, as `--set` gives them, and before it; recordings have what a "
             "session was given"},
};
TABLE(scene, "The scene", "The top of the file.");

static const char *const mode_choices[] = {"dynamic", "static", NULL};

static const char *const guard_choices[] = {"on", "off", NULL};

static const scene_key simulation_keys[] = {
    {.name = "model", .type = SCENE_TYPE_MODEL, .initial = "pobd",
     .text = "how rods are simulated; a rod may name its own"},
    {.name = "step", .type = SCENE_TYPE_SPECIAL, .form = "`auto` or a time", .initial = "auto", .example = "1 ms",
     .also = "dt time_step timestep",
      .text = "time step; auto takes what `cordage check` recommends for models, loads, motions and contact"},
    {.name = "duration", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_scene, duration),
     .initial = "required; static: when the last motion or load has come to its end",
     .example = "4 s", .also = "time end t_end end_time total_time length",
     .text = "how long to simulate; static: up to which time supports and loads are followed"},
    {.name = "mode", .type = SCENE_TYPE_CHOICE, .choices = mode_choices, IN(cdg_scene, mode), .initial = "dynamic",
     .text = "how rods move in time, or their equilibria (models `der` and `galpha`)"},
    {.name = "static", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_static, .also = "statics",
     .text = "how equilibria are found"},
    {.name = "modes", .type = SCENE_TYPE_COUNT, .least = 0, .most = 1000, IN(cdg_scene, mode_count), .initial = "0",
     .example = "4", .also = "eigenmodes frequencies vibrations",
     .text = "natural frequencies and shapes of each rod and solid: about the equilibrium, or dynamic about the start"},
    {.name = "energy_guard", .type = SCENE_TYPE_CHOICE, .choices = guard_choices, IN(cdg_scene, energy_guard),
     .initial = "on", .also = "guard",
     .text = "whether a step in which energy comes from nowhere is divided, and then stops the run"},
    {.name = "adapt", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_adapt,
     .initial = "off", .example = "on", .also = "adaptive refine refinement",
     .text = "whether the elements of `rods` are halved where rods bend and touch"},
    {.name = "gravity", VECTOR(CDG_ACCELERATION), IN(cdg_scene, gravity), .initial = "[0, 0, -9.81]",
     .example = "[0, 0, -9.81]", .also = "g", .text = "acceleration of everything that falls"},
};
MODEL_TABLE(simulation, "`simulation`", "What is simulated, and how.", SCENE_FOR_ALL_RODS);

static const char *const path_choices[] = {
#define PATH_NAME(id, name, text) name,
    CDG_PATH_LIST(PATH_NAME)
#undef PATH_NAME
    NULL};

static const scene_key static_keys[] = {
    {.name = "path", .type = SCENE_TYPE_CHOICE, .choices = path_choices, IN(scene_statics, path), .initial = "stable",
     .text = "stable equilibria at rising times, with jumps where a load has a limit; or every equilibrium by arc "
             "length, through limits, where time turns back"},
    {.name = "steps", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 1000000, IN(scene_statics, steps),
     .initial = "1000", .text = "steps at most; each is an output, none is longer than `output.every`"},
    {.name = "limits", .type = SCENE_TYPE_INTEGER, .least = 0, .most = 1000000, IN(scene_statics, limits),
     .initial = "0", .text = "arc_length: the path ends after so many limits of the load; 0: at the duration only"},
    {.name = "imperfection", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(scene_statics, imperfection),
     .initial = "0", .example = "1e-3",
     .text = "random side forces, as a share of bending stiffness over length squared, that let a perfect rod choose"},
    {.name = "seed", .type = SCENE_TYPE_INTEGER, .least = 0, .most = 2147483647, IN(scene_statics, seed),
     .initial = "0", .text = "of the side forces"},
};
TABLE(static, "`simulation.static`",
      "How equilibria are found with `mode: static`. Time is then only a parameter of loads and supports.");

static const scene_key output_keys[] = {
    {.name = "every", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_scene, output_every),
     .initial = "a fiftieth of the duration", .example = "20 ms", .also = "interval dt",
     .text = "time between two outputs"},
    {.name = "fields", .type = SCENE_TYPE_SPECIAL, .form = "`all`, or a list of fields of rods", .initial = "`all`",
     .example = "[velocities, tension]", .also = "quantities variables field",
     .text = "what is written of rods beside positions and frames, which always are: velocities, angular_velocities, "
             "tension, forces, moment, strains, curvature, twist; `[]`: nothing else. A long list of strands is "
             "written four times as fast without them"},
};
TABLE(output, "`output`", "What is written to the run's files.");

// ---- materials ------------------------------------------------------------------------------------------------------

static const scene_key material_keys[] = {
    {.name = "young_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_POSITIVE, IN(cdg_material, young_modulus),
     .is_required = true, .example = "1 MPa", .also = "E young youngs_modulus elastic_modulus modulus",
     .text = "stiffness against stretching"},
    {.name = "poisson_ratio", QUANTITY(CDG_NUMBER), .range = SCENE_POISSON, IN(cdg_material, poisson_ratio),
     .initial = "0.5", .also = "nu poisson poissons_ratio",
     .text = "how much it thins when stretched; gives the shear modulus"},
    {.name = "shear_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_NOT_NEGATIVE, IN(cdg_material, shear_modulus),
     .initial = "E / (2 (1 + nu))", .also = "G",
     .text = "stiffness against shear and twist, when it is not that of E and nu; 0: none, a millionth of E, for "
             "models without shear"},
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

// ---- supports, loads, probes ----------------------------------------------------------------------------------------

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

static const scene_key load_keys[] = {
    {.name = "force", VECTOR(CDG_FORCE), IN(cdg_load_def, value), .example = "[0, 0, -1 N]",
     .text = "force at a place"},
    {.name = "moment", VECTOR(CDG_MOMENT), IN(cdg_load_def, value), .example = "[0, 0, 0.2 N m]", .also = "torque",
     .text = "moment at a place"},
    {.name = "line", VECTOR(CDG_LINE_FORCE), IN(cdg_load_def, value), .example = "[0, 0, -3 N/m]",
     .also = "line_load distributed", .text = "force per length all along"},
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
     .example = "cable", .also = "rod", .text = "which rod line, drag or wind acts on"},
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
     .text = "force, moment or line in the rod's own axes d1, d2, d3, turning with it"},
};
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

TABLE(load, "`loads`", "Each item is one of `force`, `moment`, `line`, `drag`, `wind`.");

// ---- obstacles ------------------------------------------------------------------------------------------------------

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
TABLE(plane, "`obstacles.plane`", "A plane; what lies below it is solid.");

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

// ---- probes ---------------------------------------------------------------------------------------------------------

static const scene_key probe_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "tip", .text = "begins the columns' titles"},
#define PROBE_FORM(id)                                                                                                 \
    ((id) == CDG_PROBE_ENERGY                                ? "a rod's, body's or solid's name, or `all`"             \
     : (id) == CDG_PROBE_CONTACTS                            ? "a rod's or solid's name, or `all`"                     \
     : (id) == CDG_PROBE_VOLUME                              ? "a solid's name"                                        \
     : (id) == CDG_PROBE_STRESS                              ? "a solid's name, or a place in one"                     \
     : (id) == CDG_PROBE_REACTION                            ? "a place, or a solid's name"                            \
     : (id) == CDG_PROBE_CONTACT_FORCE                       ? "a rod's or solid's name"                               \
     : (id) == CDG_PROBE_POSITION || (id) == CDG_PROBE_VELOCITY                                                        \
         ? "a place, a body's or solid's name, or a place in a solid"                                                  \
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
    {.name = "solid", .type = SCENE_TYPE_SPECIAL, .form = "a solid's name", .is_required = true, .example = "ball",
     .text = "whose"},
    {.name = "at", VECTOR(CDG_LENGTH), IN(cdg_probe, at), .is_required = true, .example = "[0, 0, 1 cm]",
     .also = "point position", .text = "where the place is at the start; it goes with the material"},
};
TABLE(probe_place, "`probes.stress`", "A place in a solid, for `stress`, `position` and `velocity`.");

// clang-format on

// ---- looking up -----------------------------------------------------------------------------------------------------

size_t cdg_schema_count(const scene_table *table) {
    size_t models = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && table->model_keys != SCENE_NO_MODEL_KEYS; i++)
        models += cdg_rod_model_get((cdg_model)i)->options != NULL;
    return table->count + models;
}

const scene_key *cdg_schema_key(const scene_table *table, size_t index) {
    if (index < table->count) return &table->keys[index];
    size_t left = index - table->count;
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_model_options *options = cdg_rod_model_get((cdg_model)i)->options;
        if (options != NULL && left-- == 0) return &options->keys[table->model_keys == SCENE_FOR_ALL_RODS ? 0 : 1];
    }
    return NULL;
}

const scene_key *cdg_schema_find(const scene_table *table, const char *name, size_t length) {
    size_t count = cdg_schema_count(table);
    for (size_t i = 0; i < count; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) return key;
    }
    return NULL;
}

// Whether `word` is one of the space-separated words in `list`.
static bool holds_word(const char *list, const char *word, size_t length) {
    while (list != NULL && *list != '\0') {
        size_t size = strcspn(list, " ");
        if (size == length && cdg_edit_distance(list, size, word, length) == 0) return true;
        list += size + (list[size] == ' ');
    }
    return false;
}

const scene_key *cdg_schema_suggest(const scene_table *table, const char *name, size_t length, char *out, size_t size) {
    word_search search = cdg_suggest_begin(name, length);
    size_t count = cdg_schema_count(table);
    for (size_t i = 0; i < count; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (key->type == SCENE_TYPE_LATER) continue;
        if (holds_word(key->also, name, length)) {
            snprintf(out, size, "use '%s'", key->name);
            return key;
        }
        cdg_suggest_offer(&search, key->name);
    }
    const char *cure = cdg_misplaced_key(table, name, length);
    if (cure != NULL) {
        snprintf(out, size, "%s", cure);
        return NULL;
    }
    if (search.best != NULL) {
        snprintf(out, size, "did you mean '%s'?", search.best);
        return cdg_schema_find(table, search.best, strlen(search.best));
    }
    size_t used = (size_t)snprintf(out, size, "%s", count == 1 ? "the only key here is " : "keys here: ");
    for (size_t i = 0; i < count && used < size; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (key->type == SCENE_TYPE_LATER) continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", key->name);
    }
    return NULL;
}

static void list_models(char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s`%s`", i > 0 ? ", " : "",
                                 cdg_rod_model_get((cdg_model)i)->name);
}

void cdg_schema_value(const scene_key *key, char *out, size_t size) {
    if (key->is_automatic) {
        scene_key plain = *key;
        plain.is_automatic = false;
        size_t used = (size_t)snprintf(out, size, "`auto` or ");
        if (used < size) cdg_schema_value(&plain, out + used, size - used);
        return;
    }
    switch (key->type) {
    case SCENE_TYPE_QUANTITY: snprintf(out, size, "%s", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_VECTOR: snprintf(out, size, "[x, y, z], %s", cdg_quantity_plural(key->quantity)); return;
    case SCENE_TYPE_DIRECTION: snprintf(out, size, "a direction [x, y, z]"); return;
    case SCENE_TYPE_PAIR: snprintf(out, size, "%s, or a list of two", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_TRIPLE: snprintf(out, size, "%s, or a list of three", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_COUNT:
    case SCENE_TYPE_INTEGER: snprintf(out, size, "a whole number from %d to %d", key->least, key->most); return;
    case SCENE_TYPE_SWITCH: snprintf(out, size, "`true` or `false`"); return;
    case SCENE_TYPE_TEXT: snprintf(out, size, "text"); return;
    case SCENE_TYPE_MODEL: list_models(out, size); return;
    case SCENE_TYPE_VARIANT:
        snprintf(out, size, "`%s`, `%s` or `{%s: ...}`", key->choices[0], key->choices[1], key->choices[1]);
        return;
    case SCENE_TYPE_CHOICE: {
        size_t used = 0;
        out[0] = '\0';
        for (size_t i = 0; key->choices[i] != NULL && used < size; i++) {
            const char *join = i == 0 ? "" : key->choices[i + 1] == NULL ? " or " : ", ";
            used += (size_t)snprintf(out + used, size - used, "%s`%s`", join, key->choices[i]);
        }
        return;
    }
    case SCENE_TYPE_SPECIAL: snprintf(out, size, "%s", key->form != NULL ? key->form : "a map"); return;
    case SCENE_TYPE_LATER: snprintf(out, size, "not in this version"); return;
    }
}
