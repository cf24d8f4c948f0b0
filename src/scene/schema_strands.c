// The scene language of hair: strands, the surfaces they grow on, curls.
#include "scene/schema_rows.h"

#include <cordage/strands.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const scene_key strands_keys[] = {
    {.name = "name", .type = SCENE_TYPE_SPECIAL, .form = "letters, digits, `_`, `-`", .is_required = true,
     .example = "tress", .also = "id", .text = "begins the names of its guides: `tress.g0`"},
    {.name = "roots", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_roots, .is_required = true,
     .example = "{disc: {radius: 1 cm}}", .also = "patch surface scalp",
     .text = "where they grow; guides are clamped there"},
    {.name = "guides", .type = SCENE_TYPE_COUNT, .least = 1, .most = CDG_STRANDS_GUIDES_MAX,
     IN(cdg_strands_def, guide_count), .initial = "1", .example = "20", .also = "guide_count",
     .text = "how many are simulated, as rods"},
    {.name = "fibers", .type = SCENE_TYPE_COUNT, .least = 0, .most = 1000000, IN(cdg_strands_def, fiber_count),
     .initial = "180", .also = "fibres hairs fiber_count",
     .text = "how many are drawn and exported between and around the guides"},
    {.name = "elements", .type = SCENE_TYPE_COUNT, .least = 1, .most = 100000, IN(cdg_strands_def, element_count),
     .initial = "100", .also = "element_count segments n resolution", .text = "of each guide"},
    {.name = "length", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_strands_def, length), .initial = "25 cm",
     .example = "25 cm", .text = "along a guide"},
    {.name = "length_variation", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_strands_def, length_variation),
     .initial = "0.1", .text = "fibres are shorter by up to this share, most by little"},
    {.name = "direction", .type = SCENE_TYPE_DIRECTION, IN(cdg_strands_def, direction),
     .initial = "away from the surface", .example = "[0, 0, -1]", .text = "where all of them head"},
    {.name = "curl", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_curl, .initial = "straight",
     .example = "{radius: 8 mm, pitch: 3 cm}", .text = "of the guides without forces, and at the start"},
    {.name = "fiber_curl", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_curl, .initial = "none",
     .example = "{radius: 1 mm, pitch: 2 cm}", .text = "of each fibre about its way along the guides"},
    {.name = "frizz", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, IN(cdg_strands_def, frizz), .initial = "0",
     .example = "1 mm", .also = "noise", .text = "waves that no two fibres have alike: their size at the tips"},
    {.name = "clump", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_strands_def, clump), .initial = "0",
     .example = "1", .also = "wisps",
     .text = "0: fibres lie between the three guides around them; 1: each follows the nearest, so that wisps form"},
    {.name = "taper", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_strands_def, taper), .initial = "0.6",
     .text = "width of a wisp at its tip over that at its root"},
    {.name = "variation", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_strands_def, variation),
     .initial = "0.2", .text = "how much curls differ in size from one guide or fibre to the next"},
    {.name = "fiber_radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_strands_def, fiber_radius),
     .initial = "the guides'", .example = "40 um", .text = "to draw fibres with"},
    {.name = "seed", .type = SCENE_TYPE_SPECIAL, .form = "a whole number from 0 to 1000000000", .initial = "1",
     .text = "the same seed gives the same strands"},
    {.name = "motion", .type = SCENE_TYPE_SPECIAL, .form = "a list of motions", .table = &cdg_schema_motion,
     .initial = "none", .example = "[{move: [0, 0, 1 m], to: 1 s}]",
     .text = "how the surface moves with all roots; turns without a center are about its own"},
    {.name = "model", .type = SCENE_TYPE_MODEL, .initial = "that of `simulation`", .text = "how guides are simulated"},
    {.name = "material", .type = SCENE_TYPE_SPECIAL, .form = "a name, or a material in place",
     .table = &cdg_schema_material, .initial = "required with `section`", .example = "keratin",
     .text = "what guides are made of"},
    {.name = "section", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_section,
     .initial = "this or `stiffness` is required", .example = "{circle: {radius: 40 um}}",
     .also = "cross_section radius diameter", .text = "cross-section of the guides"},
    {.name = "stiffness", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_stiffness,
     .initial = "from material and section", .text = "stiffness and mass given outright"},
    {.name = "damping", .type = SCENE_TYPE_SPECIAL, .form = "a time, or a map", .table = &cdg_schema_damping,
     .initial = "that of the material", .example = "2 ms", .text = "relaxation times of the guides"},
};
MODEL_TABLE(strands, "`strands`",
      "Each item is a growth of hair: guides that are simulated, `tress.g0`, `tress.g1`, ..., clamped at their roots, "
      "and fibres that pictures and exports draw in between. See hair.md.", SCENE_FOR_ONE_ROD);

static const scene_key roots_keys[] = {
    {.name = "disc", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_disc, .also = "circle", .text = "flat and round"},
    {.name = "cap", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_cap, .also = "sphere head",
     .text = "part of a sphere"},
    {.name = "mesh", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_scalp, .also = "file obj",
     .text = "triangles from a file"},
};
TABLE(roots, "`strands.roots`", "One of these surfaces.");

static const scene_key disc_keys[] = {
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_patch, center), .initial = "[0, 0, 0]", .example = "[0, 0, 0]",
     .also = "centre", .text = "middle"},
    {.name = "normal", .type = SCENE_TYPE_DIRECTION, IN(cdg_patch, axis), .initial = "[0, 0, -1]",
     .example = "[0, 0, -1]", .also = "axis", .text = "the side where strands grow"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_patch, radius), .is_required = true,
     .example = "1 cm", .also = "diameter", .text = "of the disc"},
};
TABLE(disc, "`strands.roots.disc`", "A flat round patch.");

static const scene_key cap_keys[] = {
    {.name = "center", VECTOR(CDG_LENGTH), IN(cdg_patch, center), .initial = "[0, 0, 0]", .example = "[0, 0, 0]",
     .also = "centre", .text = "of the sphere"},
    {.name = "axis", .type = SCENE_TYPE_DIRECTION, IN(cdg_patch, axis), .initial = "[0, 0, 1]",
     .example = "[0, 0, 1]", .also = "normal", .text = "from the center to the middle of the cap"},
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_patch, radius), .is_required = true,
     .example = "9 cm", .also = "diameter", .text = "of the sphere"},
    {.name = "angle", QUANTITY(CDG_ANGLE), .range = SCENE_POSITIVE, IN(cdg_patch, angle), .initial = "1",
     .example = "70 deg", .text = "from the axis to the rim"},
};
TABLE(cap, "`strands.roots.cap`", "Part of a sphere around an axis.");

static const scene_key scalp_keys[] = {
    {.name = "file", .type = SCENE_TYPE_SPECIAL, .form = "the name of a file", .is_required = true,
     .example = "scalp.obj", .also = "path obj", 
     .text = "triangles or polygons: OBJ, STL, PLY, OFF or glTF, relative to the scene's directory"},
    {.name = "scale", .type = SCENE_TYPE_SPECIAL, .form = "a length", .initial = "1 m", .example = "1 mm",
     .also = "unit", .text = "what one unit of the file is"},
};
TABLE(scalp, "`strands.roots.mesh`", "A surface of triangles; its outside is where corners run counter-clockwise.");

static const scene_key curl_keys[] = {
    {.name = "radius", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, helix.radius),
     .is_required = true, .example = "8 mm", .text = "of the coil"},
    {.name = "pitch", QUANTITY(CDG_LENGTH), .range = SCENE_POSITIVE, IN(cdg_centerline, helix.pitch),
     .is_required = true, .example = "3 cm", .text = "rise in one turn"},
};
TABLE(curl, "`strands.curl`", "A helix, for guides and for fibres.");

// clang-format on
