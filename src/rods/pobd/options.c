// Options of the pobd model: defaults, and the keys of a scene that set them.
#include "rods/pobd/options.h"

#include "rods/model_options.h"

cdg_pobd_options cdg_pobd_options_default(void) {
    return (cdg_pobd_options){
        .solver = CDG_POBD_DIRECT,
        .iterations = 10,
        .tolerance = 1e-9,
        .integrator = CDG_POBD_BDF2,
        .darboux = CDG_POBD_ANGLE,
        .paper_stretch = {1, 1, 1},
        .paper_bend = {1, 1, 1},
        .paper_unit = 30,
    };
}

static void set_default(void *options) { *(cdg_pobd_options *)options = cdg_pobd_options_default(); }

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const solver_choices[] = {"direct", "gauss_seidel", NULL};
static const char *const integrator_choices[] = {"bdf2", "euler", NULL};
static const char *const darboux_choices[] = {"sine", "tangent", "angle", NULL};
static const char *const stiffness_choices[] = {"physical", "paper", NULL};

static const scene_key paper_keys[] = {
    {.name = "stretch", TRIPLE(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_pobd_options, paper_stretch),
     .initial = "1",
     .example = "[1, 1, 1]", .text = "factors for shear along d1, shear along d2, stretch"},
    {.name = "bend", TRIPLE(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_pobd_options, paper_bend), .initial = "1",
     .example = "[0.5, 0.5, 0.5]", .text = "factors for bending about d1, bending about d2, twist"},
    {.name = "unit", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_pobd_options, paper_unit), .initial = "30",
     .example = "1",
     .text = "how many elements are as long as the unit of length in which the paper's weights are 1, which it does "
             "not give: 1 for figure 5, 30 for figure 6"},
};
KEY_TABLE(paper, "`pobd.stiffness.paper`", "The paper's stiffness factors: numbers from 0 (slack) to 1 (rigid).");

static const scene_key pobd_keys[] = {
    {.name = "solver", .type = SCENE_TYPE_CHOICE, .choices = solver_choices, IN(cdg_pobd_options, solver),
     .initial = "direct", .text = "the whole chain at once, or constraint by constraint as in the paper"},
    {.name = "iterations", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 10000, IN(cdg_pobd_options, iterations),
     .initial = "10", .text = "solver iterations a step, at most"},
    {.name = "tolerance", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_pobd_options, tolerance),
     .initial = "1e-9",
     .text = "direct: a step ends early when the largest correction is below this part of an element's length"},
    {.name = "integrator", .type = SCENE_TYPE_CHOICE, .choices = integrator_choices, IN(cdg_pobd_options, integrator),
     .initial = "bdf2", .text = "second order with little damping, or as the paper"},
    {.name = "darboux", .type = SCENE_TYPE_CHOICE, .choices = darboux_choices, IN(cdg_pobd_options, darboux),
     .initial = "angle", .text = "measure of bending and twist: the paper's, the one of its appendix, or the angle"},
    {.name = "stiffness", .type = SCENE_TYPE_VARIANT, .choices = stiffness_choices, .table = &paper_table,
     IN(cdg_pobd_options, paper_stiffness), .initial = "physical",
     .example = "{paper: {stretch: [1, 1, 1], bend: [1, 1, 1]}}",
     .hint = "a rod's own moduli belong into the rod, not into pobd",
     .text = "from moduli and section, or the paper's factors (needs solver gauss_seidel and integrator euler)"},
    {.name = "long_range_attachments", .type = SCENE_TYPE_SWITCH, IN(cdg_pobd_options, long_range_attachments),
     .initial = "false", .text = "gauss_seidel: no node farther from a held node than the rod between them"},
};
KEY_TABLE(pobd, "`pobd`", "Options of the pobd model, in `simulation` for all rods or in a rod for that one.");

// clang-format on

static const scene_table *const tables[] = {&pobd_table, &paper_table, NULL};

static bool settle(void *options, cdg_option_is_given *is_given, const void *map, cdg_option_fault *fault) {
    (void)is_given, (void)map;
    const cdg_pobd_options *o = options;
    bool is_sweeping = o->solver == CDG_POBD_GAUSS_SEIDEL;
    if (o->paper_stiffness && !(is_sweeping && o->integrator == CDG_POBD_EULER)) {
        *fault = (cdg_option_fault){
            "stiffness", "stiffness: paper needs the paper's method; add 'solver: gauss_seidel, integrator: euler'"};
        return false;
    }
    if (o->long_range_attachments && !is_sweeping) {
        *fault = (cdg_option_fault){"long_range_attachments",
                                    "long_range_attachments needs 'solver: gauss_seidel'; the direct solver does not "
                                    "stretch the rod in the first place"};
        return false;
    }
    return true;
}

const cdg_model_options pobd_model_options = {
    .size = sizeof(cdg_pobd_options),
    .def_offset = offsetof(cdg_rod_def, pobd),
    .set_default = set_default,
    .keys = OPTION_KEYS(pobd),
    .tables = tables,
    .settle = settle,
};
