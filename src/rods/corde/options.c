// Options of the corde model: defaults, and the keys of a scene that set them.
#include "rods/corde/options.h"

#include "rods/model_options.h"

cdg_corde_options cdg_corde_options_default(void) {
    return (cdg_corde_options){.coupling = CDG_CORDE_PENALTY, .inertia_factor = 1};
}

static void set_default(void *options) { *(cdg_corde_options *)options = cdg_corde_options_default(); }

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const coupling_choices[] = {"penalty", "constraint", NULL};

static const scene_key corde_keys[] = {
    {.name = "coupling", .type = SCENE_TYPE_CHOICE, .choices = coupling_choices, IN(cdg_corde_options, coupling),
     .initial = "penalty", .text = "how frames follow their tangents: by a spring as in the paper, or exactly"},
    {.name = "penalty", QUANTITY(CDG_FORCE), .range = SCENE_POSITIVE, .is_automatic = true,
     IN(cdg_corde_options, penalty), .initial = "auto", .example = "1 kN",
     .also = "kappa stiffness", .text = "penalty: the spring's stiffness; auto takes the stretching stiffness E A"},
    {.name = "inertia_factor", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_corde_options, inertia_factor),
     .initial = "1", .also = "alpha",
     .text = "penalty: multiplies the frames' rotary inertia across the rod; smaller needs more sub-steps"},
    {.name = "substeps", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 100000, .is_automatic = true,
     IN(cdg_corde_options, substeps), .initial = "auto",
     .example = "4", .also = "sub_steps",
     .text = "short steps that a step is made of; auto takes as many as are needed to be stable"},
};
KEY_TABLE(corde, "`corde`", "Options of the corde model, in `simulation` for all rods or in a rod for that one.");

// clang-format on

static const scene_table *const tables[] = {&corde_table, NULL};

const cdg_model_options corde_model_options = {
    .size = sizeof(cdg_corde_options),
    .def_offset = offsetof(cdg_rod_def, corde),
    .set_default = set_default,
    .keys = OPTION_KEYS(corde),
    .tables = tables,
};
