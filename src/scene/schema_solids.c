// The part of the schema that describes deformable solids.
#include "scene/scene.h"
#include "scene/schema_rows.h"
#include "solids/solid_structure.h"

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const model_choices[] = {
#define MODEL_CHOICE(id, name, text) name,
    CDG_SOLID_MODEL_LIST(MODEL_CHOICE)
#undef MODEL_CHOICE
    NULL};
static const char *const integrator_choices[] = {
#define INTEGRATOR_CHOICE(id, name, text) name,
    CDG_SOLID_INTEGRATOR_LIST(INTEGRATOR_CHOICE)
#undef INTEGRATOR_CHOICE
    NULL};

static const char *const pressure_choices[] = {
#define PRESSURE_CHOICE(id, name, text) name,
    CDG_SOLID_PRESSURE_LIST(PRESSURE_CHOICE)
#undef PRESSURE_CHOICE
    NULL};
static const char *const matching_choices[] = {
#define MATCHING_CHOICE(id, name, text) name,
    CDG_MATCHING_MODE_LIST(MATCHING_CHOICE)
#undef MATCHING_CHOICE
    NULL};

static const scene_key solid_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "block", .also = "id", .text = "how results refer to it"},
    {.name = "shape", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_shape, .is_required = true,
     .example = "{box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 2 cm}", .also = "geometry form mesh",
     .text = "what it looks like at rest, and how fine its tetrahedra are"},
    {.name = "material", .type = SCENE_TYPE_SPECIAL, .form = "a name from `materials`, or a map",
     .table = &cdg_schema_solid_material, .is_required = true,
     .example = "{young_modulus: 100 kPa, poisson_ratio: 0.35, density: 1000 kg/m^3}",
     .text = "what it is made of"},
    {.name = "model", .type = SCENE_TYPE_CHOICE, .choices = model_choices, IN(cdg_solid_def, model),
     .initial = "neo_hookean", .text = "how stress follows strain"},
    {.name = "shape_matching", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_shape_matching, .initial = "none",
     .example = "{mode: linear, relaxation_time: 20 ms}",
     .text = "of that model: which shape, how soon, how many parts"},
    {.name = "mass_spring", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_mass_spring, .initial = "none",
     .example = "{length: 100 kPa, volume: 200 kPa}", .text = "of that model: stiffnesses in place of Young's modulus"},
    {.name = "integrator", .type = SCENE_TYPE_CHOICE, .choices = integrator_choices, IN(cdg_solid_def, integrator),
     .initial = "bdf2", .text = "how it moves in time; `explicit` divides steps that are too long for it"},
    {.name = "pressure", .type = SCENE_TYPE_CHOICE, .choices = pressure_choices, IN(cdg_solid_def, pressure),
     .initial = "auto",
     .text = "what resists changes of volume: `elements` each for itself, which locks near a Poisson's ratio of 0.5, "
             "or `averaged` over nodes; `auto`: averaged above 0.45"},
    {.name = "volume_barrier", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_solid_def, volume_barrier),
     .initial = "`0.1` for explicit integrators (not of `shape_matching`), else off", .example = "0.2",
     .text = "share of its volume at rest that keeps a tetrahedron from being turned inside out; 0: nothing does. "
             "Explicit solids come no lower (at most 0.5); implicit ones (`neo_hookean`, `corotational`) resist more "
             "and more below it, without limit as they become flat"},
    {.name = "position", VECTOR(CDG_LENGTH), IN(cdg_solid_def, position), .initial = "[0, 0, 0]",
     .example = "[1 m, 0, 0]", .also = "center centre at", .text = "where the shape's origin is at the start"},
    {.name = "orientation", .type = SCENE_TYPE_SPECIAL, .form = "a map, or a quaternion [w, x, y, z]",
     .table = &cdg_schema_orientation, .initial = "none", .example = "{axis: [1, 0, 0], angle: 90 deg}",
     .also = "rotation", .text = "how it is turned about its position"},
    {.name = "scale", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_solid_def, scale), .initial = "1",
     .example = "2", .text = "of the shape, before it is placed"},
    {.name = "velocity", VECTOR(CDG_SPEED), IN(cdg_solid_def, velocity), .initial = "[0, 0, 0]",
     .example = "[1 m/s, 0, 0]", .text = "of its centre of mass at the start"},
    {.name = "angular_velocity", VECTOR(CDG_ANGULAR_SPEED), IN(cdg_solid_def, angular_velocity),
     .initial = "[0, 0, 0]", .example = "[0, 0, 1 turn/s]", .also = "spin", .text = "at the start"},
    {.name = "structure", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_structure, .initial = "one alone",
     .example = "{stack: {count: 5, distance: 10 cm}}", .also = "structures arrange",
     .text = "many alike, named NAME_1, NAME_2 and so on, about the position"},
    {.name = "supports", .type = SCENE_TYPE_SPECIAL, .form = "a list of regions", .table = &cdg_schema_solid_support,
     .initial = "none", .example = "[{plane: {point: [0, 0, 5 cm], normal: [0, 0, 1]}}]", .also = "fixed held clamp",
     .text = "nodes that are held, or moved"},
    {.name = "loads", .type = SCENE_TYPE_SPECIAL, .form = "a list of loads", .table = &cdg_schema_solid_load,
     .initial = "none", .example = "[{force: [0, 0, -10 N]}]", .also = "forces",
     .text = "forces on nodes and pressure on faces"},
};
TABLE(solid, "`solids`",
      "Each item is a deformable solid.");

static const scene_key solid_material_keys[] = {
    {.name = "young_modulus", QUANTITY(CDG_PRESSURE), .range = SCENE_POSITIVE, IN(cdg_solid_def, young_modulus),
     .initial = "needed, but for `shape_matching`, and `mass_spring` with stiffnesses",
     .example = "100 kPa", .also = "E", .text = "stiffness"},
    {.name = "poisson_ratio", QUANTITY(CDG_NUMBER), .range = SCENE_POISSON, IN(cdg_solid_def, poisson_ratio),
     .initial = "0.4", .example = "0.35", .also = "nu poisson",
     .text = "how far it gives way sideways; below 0.5; see `pressure` above 0.45"},
    {.name = "density", QUANTITY(CDG_DENSITY), .range = SCENE_POSITIVE, IN(cdg_solid_def, density),
     .is_required = true, .example = "1000 kg/m^3", .text = "the same everywhere inside"},
    {.name = "damping_time", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_solid_def, damping_time),
     .initial = "0", .example = "5 ms", .also = "damping",
     .text = "stress follows strain plus this time times its rate; rigid motion is not damped"},
};
TABLE(solid_material, "`solids.material`", "What a solid is made of.");

static const scene_key shape_matching_keys[] = {
    {.name = "mode", .type = SCENE_TYPE_CHOICE, .choices = matching_choices, IN(cdg_shape_matching_def, mode),
     .initial = "rigid",
     .text = "how a cluster may look without coming back soon: `rigid` only moved and turned, `linear` also stretched "
             "and sheared, `quadratic` also bent and twisted"},
    {.name = "relaxation_time", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE,
     IN(cdg_shape_matching_def, relaxation_time), .initial = "10 ms", .example = "20 ms", .also = "time",
     .text = "in which what is not of the mode comes back; softer the longer, by its square"},
    {.name = "linear_time", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_shape_matching_def, linear_time),
     .initial = "twice the relaxation time", .example = "80 ms",
     .text = "`linear`, `quadratic`: in which stretch and shear of whole clusters come back"},
    {.name = "quadratic_time", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE,
     IN(cdg_shape_matching_def, quadratic_time), .initial = "relaxation_time and half as much", .example = "40 ms",
     .text = "`quadratic`: in which bending and twist of whole clusters come back"},
    {.name = "damping_ratio", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE,
     IN(cdg_shape_matching_def, damping_ratio), .initial = "1", .example = "0.3", .also = "damping",
     .text = "1 comes back without swinging, less swings"},
    {.name = "clusters", .type = SCENE_TYPE_COUNT, .least = 1, .most = 100000,
     IN(cdg_shape_matching_def, cluster_count), .initial = "1",
     .example = "12", .text = "how many overlapping parts are matched apart"},
    {.name = "cluster_size", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape_matching_def, cluster_size),
     .initial = "none", .example = "5 cm", .text = "in place of `clusters`: about the diameter of each"},
    {.name = "overlap", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE,
     IN(cdg_shape_matching_def, cluster_overlap), .initial = "0.25", .example = "0.5",
     .text = "how far clusters reach into their neighbours, over their size; at least one edge"},
};
TABLE(shape_matching, "`solids.shape_matching`",
      "Times in place of moduli ([solids.md](solids.md#shape-matching)).");

static const scene_key mass_spring_keys[] = {
    {.name = "length", QUANTITY(CDG_PRESSURE), .range = SCENE_POSITIVE, IN(cdg_mass_spring_def, length),
     .is_required = true, .example = "100 kPa",
     .text = "of edges: energy of a relative change, over a sixth of the volume around"},
    {.name = "area", QUANTITY(CDG_PRESSURE), .range = SCENE_NOT_NEGATIVE, IN(cdg_mass_spring_def, area),
     .initial = "0", .example = "10 kPa", .text = "of triangles, over a quarter of the volume beside them"},
    {.name = "volume", QUANTITY(CDG_PRESSURE), .range = SCENE_NOT_NEGATIVE, IN(cdg_mass_spring_def, volume),
     .initial = "0", .example = "200 kPa", .text = "of tetrahedra, over their volume"},
};
TABLE(mass_spring, "`solids.mass_spring`",
      "Stiffnesses of springs for lengths, areas and volumes ([solids.md](solids.md#springs)).");

static const scene_key solid_shape_keys[] = {
    {.name = "box", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_box,
     .example = "{size: [20 cm, 10 cm, 10 cm]}", .also = "block cube membrane", .text = "a block about the position"},
    {.name = "sphere", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_sphere, .example = "{radius: 5 cm}",
     .also = "ball", .text = "a ball about the position"},
    {.name = "ellipsoid", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_box,
     .example = "{size: [20 cm, 10 cm, 10 cm]}", .text = "with axes along x, y and z"},
    {.name = "cylinder", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_cylinder,
     .example = "{radius: 5 cm, length: 20 cm}", .text = "with flat ends, along z"},
    {.name = "tube", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_tube,
     .example = "{radius: 5 cm, inner_radius: 3 cm, length: 20 cm}", .also = "pipe",
     .text = "a cylinder with a round hole along z"},
    {.name = "torus", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_torus,
     .example = "{radius: 5 cm, thickness: 1 cm}", .also = "ring", .text = "a ring about the axis z"},
    {.name = "wedge", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_wedge,
     .example = "{radius: 60 cm, inner_radius: 50 cm, length: 10 cm, angle: 18 deg}", .also = "voussoir",
     .text = "a sector of a tube along y, its middle at the top (z): a stone of an arch"},
    {.name = "revolved", .type = SCENE_TYPE_SPECIAL, .form = "a list of [radius, height]",
     .example = "[[2 cm, 0 cm], [1 cm, 3 cm], [1.5 cm, 5 cm]]", .also = "profile lathe",
     .text = "what is inside a profile that turns about the axis z, from bottom to top"},
    {.name = "file", .type = SCENE_TYPE_TEXT, IN(scene_solid_source, file), .example = "part.vtu", .also = "mesh",
     .text = "tetrahedra (.vtu, .msh, .node, .ele, .mesh), or a surface (.stl, .obj, .ply, .off, .gltf, .glb), which "
             "is filled with tetrahedra as fine as `resolution`"},
    {.name = "unit", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(scene_solid_source, unit), .initial = "1 m",
     .example = "1 mm", .text = "of the numbers in the file"},
    {.name = "resolution", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(scene_solid_source, resolution),
     .initial = "a tenth of the longest extent", .example = "1 cm", .also = "size",
     .text = "about the length of an edge"},
};
TABLE(solid_shape, "`solids.shape`", "One of the shapes, or a file.");

static const scene_key solid_box_keys[] = {
    {.name = "size", VECTOR(CDG_LENGTH), IN(cdg_shape, size), .is_required = true,
     .example = "[20 cm, 10 cm, 10 cm]", .text = "whole lengths along the axes"},
};
TABLE(solid_box, "`solids.shape.box`", "A block, or an ellipsoid.");
static const scene_key solid_sphere_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, radius), .is_required = true,
     .example = "5 cm", .text = "of the ball"},
};
TABLE(solid_sphere, "`solids.shape.sphere`", "A ball.");
#define RADIUS_KEY(what) {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, radius), \
     .is_required = true, .example = "5 cm", .text = what}
#define INNER_KEY {.name = "inner_radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, \
     IN(cdg_shape, inner_radius), .is_required = true, .example = "3 cm", .text = "of the hole"}
#define LENGTH_KEY(what) {.name = "length", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, length), \
     .is_required = true, .example = "20 cm", .also = "height", .text = what}
static const scene_key solid_cylinder_keys[] = {RADIUS_KEY("about the axis z"), LENGTH_KEY("along z")};
TABLE(solid_cylinder, "`solids.shape.cylinder`", "A cylinder with flat ends.");
static const scene_key solid_tube_keys[] = {RADIUS_KEY("outside"), INNER_KEY, LENGTH_KEY("along z")};
TABLE(solid_tube, "`solids.shape.tube`", "A cylinder with a round hole.");
static const scene_key solid_torus_keys[] = {
    RADIUS_KEY("of its middle line"),
    {.name = "thickness", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_shape, thickness),
     .is_required = true, .example = "1 cm", .text = "radius of its section"},
};
TABLE(solid_torus, "`solids.shape.torus`", "A ring about the axis z.");
static const scene_key solid_wedge_keys[] = {
    RADIUS_KEY("outside"), INNER_KEY, LENGTH_KEY("along y"),
    {.name = "angle", QUANTITY(CDG_ANGLE), .range = SCENE_POSITIVE, IN(cdg_shape, angle), .is_required = true,
     .example = "18 deg", .text = "that it spans, up to half a turn"},
};
TABLE(solid_wedge, "`solids.shape.wedge`", "A stone of an arch.");

static const scene_key solid_structure_keys[] = {
    {.name = "arch", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_arch, .example = "{count: 9, gap: 2 mm}",
     .text = "wedges side by side about the axis y, from -x over the top to x"},
    {.name = "stack", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_stack,
     .example = "{count: 5, distance: 10 cm}", .also = "tower", .text = "one above the other along z"},
    {.name = "chain", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_chain,
     .example = "{count: 10, distance: 9 cm}",
     .text = "along x, every second a quarter turn about it: tori hang in each other"},
    {.name = "heap", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_solid_heap,
     .example = "{count: 30, distance: 20 cm, side: 3}", .also = "pile",
     .text = "in layers on a square, turned at random, to fall onto each other"},
};
TABLE(solid_structure, "`solids.structure`", "One of them.");
#define SOLIDS_KEY {.name = "count", .type = SCENE_TYPE_COUNT, .least = 1, .most = SOLID_STRUCTURE_COUNT_MAX, \
     IN(solid_structure_def, count), .is_required = true, .example = "9", .text = "how many"}
#define DISTANCE_KEY(what) {.name = "distance", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, \
     IN(solid_structure_def, distance), .is_required = true, .example = "10 cm", .also = "pitch", .text = what}
static const scene_key solid_arch_keys[] = {
    SOLIDS_KEY,
    {.name = "gap", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(solid_structure_def, gap), .initial = "0",
     .example = "2 mm", .text = "between neighbours: more than their thickness in contact"},
    {.name = "span", QUANTITY(CDG_ANGLE), .range = SCENE_POSITIVE, IN(solid_structure_def, span),
     .initial = "180 deg", .example = "120 deg", .text = "of all wedges, each of which has its share"},
};
TABLE(solid_arch, "`solids.structure.arch`", "Stones of an arch.");
static const scene_key solid_stack_keys[] = {
    SOLIDS_KEY, DISTANCE_KEY("from one to the next, upwards"),
    {.name = "turn", QUANTITY(CDG_ANGLE), IN(solid_structure_def, turn), .initial = "0", .example = "10 deg",
     .text = "of each against the one below"},
};
TABLE(solid_stack, "`solids.structure.stack`", "One above the other.");
static const scene_key solid_chain_keys[] = {SOLIDS_KEY, DISTANCE_KEY("from one to the next, along x")};
TABLE(solid_chain, "`solids.structure.chain`", "Rings that hang in each other.");
static const scene_key solid_heap_keys[] = {
    SOLIDS_KEY, DISTANCE_KEY("from one to the next; a little more than their longest extent"),
    {.name = "side", .type = SCENE_TYPE_COUNT, .least = 1, .most = 1000, IN(solid_structure_def, side),
     .initial = "3", .example = "5", .text = "how many along x and along y in a layer"},
    {.name = "seed", .type = SCENE_TYPE_COUNT, .least = 0, .most = 1000000000, IN(solid_structure_def, seed),
     .initial = "0", .example = "7", .text = "the same seed, the same heap"},
};
TABLE(solid_heap, "`solids.structure.heap`", "Things that fall.");

#define REGION_KEYS \
    {.name = "box", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_region_box, \
     .example = "{low: [0, 0, 0], high: [1 cm, 1 m, 1 m]}", .text = "nodes between two corners"}, \
    {.name = "sphere", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_region_sphere, \
     .example = "{center: [0, 0, 0], radius: 2 cm}", .text = "nodes within a distance of a point"}, \
    {.name = "plane", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_region_plane, \
     .example = "{point: [0, 0, 1 cm], normal: [0, 0, 1]}", \
     .text = "nodes on the side of a plane that its normal points to, or on it"}

static const scene_key solid_support_keys[] = {
    REGION_KEYS,
    {.name = "motion", .type = SCENE_TYPE_SPECIAL, .form = "a list of motions", .table = &cdg_schema_motion,
     .initial = "none", .example = "[{move: [0, 0, 1 cm], to: 1 s}]", .also = "motions move rotate",
     .text = "as of a support of a rod; turns are about the middle of the held nodes"},
    {.name = "release", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_solid_support_def, release),
     .initial = "never", .example = "1 s", .text = "when it lets go"},
};
TABLE(solid_support, "`solids.supports`",
      "Nodes of a solid that are held, by where they are at the start; without a region all.");

static const scene_key solid_load_keys[] = {
    REGION_KEYS,
    {.name = "force", VECTOR(CDG_FORCE), IN(cdg_solid_load_def, force), .initial = "none", .example = "[0, 0, -10 N]",
     .text = "on all nodes of the region together, shared out by mass"},
    {.name = "pressure", QUANTITY(CDG_PRESSURE), IN(cdg_solid_load_def, pressure), .initial = "none",
     .example = "1 kPa", .text = "on the faces of the surface whose nodes are in the region, inward; follows them"},
    {.name = "from", QUANTITY(CDG_TIME), IN(cdg_solid_load_def, from), .initial = "0", .example = "0.1 s",
     .text = "when it begins"},
    {.name = "to", QUANTITY(CDG_TIME), IN(cdg_solid_load_def, to), .initial = "never", .example = "1 s",
     .text = "when it ends"},
    {.name = "ramp", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_solid_load_def, ramp), .initial = "0",
     .example = "0.1 s", .text = "time over which it grows from nothing"},
};
TABLE(solid_load, "`solids.loads`", "Forces on a solid; without a region on all of it.");

static const scene_key region_box_keys[] = {
    {.name = "low", VECTOR(CDG_LENGTH), IN(scene_region, low), .is_required = true, .example = "[0, 0, 0]",
     .also = "min", .text = "the corner with the smaller coordinates"},
    {.name = "high", VECTOR(CDG_LENGTH), IN(scene_region, high), .is_required = true, .example = "[1 cm, 1 m, 1 m]",
     .also = "max", .text = "the other one"},
};
TABLE(region_box, "`solids.supports.box`", "Nodes between two corners.");
static const scene_key region_sphere_keys[] = {
    {.name = "center", VECTOR(CDG_LENGTH), IN(scene_region, point), .is_required = true, .example = "[0, 0, 0]",
     .also = "centre position", .text = "its middle"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(scene_region, radius), .is_required = true,
     .example = "2 cm", .text = "how far it reaches"},
};
TABLE(region_sphere, "`solids.supports.sphere`", "Nodes near a point.");
static const scene_key region_plane_keys[] = {
    {.name = "point", VECTOR(CDG_LENGTH), IN(scene_region, point), .is_required = true, .example = "[0, 0, 1 cm]",
     .text = "a point of the plane"},
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(scene_region, normal), .is_required = true,
     .example = "[0, 0, 1]", .text = "to the side that is meant"},
};
TABLE(region_plane, "`solids.supports.plane`", "Nodes beyond a plane.");

// clang-format on
