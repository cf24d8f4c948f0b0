// Options of the reference model: defaults, and the keys of a scene that set them.
#include "rods/reference/options.h"

#include "rods/model_options.h"

cdg_reference_options cdg_reference_options_default(void) {
    return (cdg_reference_options){.iterations = 15, .tolerance = 1e-9, .darboux = CDG_REFERENCE_ANGLE};
}

static void set_default(void *options) { *(cdg_reference_options *)options = cdg_reference_options_default(); }

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const reference_darboux_choices[] = {"angle", "sine", NULL};

static const scene_key reference_keys[] = {
    {.name = "iterations", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 1000, IN(cdg_reference_options, iterations),
     .initial = "15", .text = "of Newton's method, at most, before a step is divided"},
    {.name = "tolerance", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_reference_options, tolerance),
     .initial = "1e-9", .text = "a step is done when the largest correction is below this part of an element's length"},
    {.name = "dissipation", QUANTITY(CDG_NUMBER), .range = SCENE_HALF, IN(cdg_reference_options, dissipation),
     .initial = "0", .text = "0 conserves energy; 0.5 takes stresses from the end of the step, for settling"},
    {.name = "darboux", .type = SCENE_TYPE_CHOICE, .choices = reference_darboux_choices,
     IN(cdg_reference_options, darboux), .initial = "angle",
     .text = "measure of bending and twist: the angle, or its sine as the other models"},
};
KEY_TABLE(reference, "`reference`",
      "Options of the reference model, in `simulation` for all rods or in a rod for that one.");

// clang-format on

static const scene_table *const tables[] = {&reference_table, NULL};

const cdg_model_options reference_model_options = {
    .size = sizeof(cdg_reference_options),
    .def_offset = offsetof(cdg_rod_def, reference),
    .set_default = set_default,
    .keys = OPTION_KEYS(reference),
    .tables = tables,
};
