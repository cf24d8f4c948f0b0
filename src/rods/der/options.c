// Options of the der model: defaults, and the keys of a scene that set them.
#include "rods/der/options.h"

#include "rods/model_options.h"

cdg_der_options cdg_der_options_default(void) { return (cdg_der_options){.iterations = 30, .tolerance = 1e-9}; }

static void set_default(void *options) { *(cdg_der_options *)options = cdg_der_options_default(); }

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const der_integrator_choices[] = {"implicit", "explicit", NULL};
static const char *const der_scheme_choices[] = {"bdf2", "euler", NULL};
static const char *const der_twist_choices[] = {"auto", "dynamic", "quasistatic", NULL};
static const char *const der_constraint_choices[] = {"none", "projection", "rattle", NULL};
static const char *const der_curvature_choices[] = {"tangent", "angle", NULL};

static const scene_key der_keys[] = {
    {.name = "integrator", .type = SCENE_TYPE_CHOICE, .choices = der_integrator_choices,
     IN(cdg_der_options, integrator), .initial = "implicit",
     .text = "implicit: Newton on the whole rod, any step; explicit: symplectic Euler as in the paper"},
    {.name = "scheme", .type = SCENE_TYPE_CHOICE, .choices = der_scheme_choices, IN(cdg_der_options, scheme),
     .initial = "bdf2", .text = "implicit: second order with little damping, or Euler, which damps"},
    {.name = "twist", .type = SCENE_TYPE_CHOICE, .choices = der_twist_choices, IN(cdg_der_options, twist),
     .initial = "auto",
     .text = "whether sections have rotary inertia about the rod; auto: quasistatic when explicit, else dynamic"},
    {.name = "constraint", .type = SCENE_TYPE_CHOICE, .choices = der_constraint_choices,
     IN(cdg_der_options, constraint), .initial = "none",
     .text = "explicit: what keeps elements at their length instead of stretching stiffness"},
    {.name = "curvature", .type = SCENE_TYPE_CHOICE, .choices = der_curvature_choices, IN(cdg_der_options, curvature),
     .initial = "tangent", .text = "of a turn between elements: twice the tangent of its half, or the angle itself"},
    {.name = "iterations", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 1000, IN(cdg_der_options, iterations),
     .initial = "30", .also = "iteration_count max_iterations", .text = "implicit: at most, a step"},
    {.name = "tolerance", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_der_options, tolerance),
     .initial = "1e-9", .text = "implicit: stop below this correction, in element lengths"},
};
KEY_TABLE(der, "`der`", "Options of the der model, in `simulation` for all rods or in a rod for that one.");

// clang-format on

static const scene_table *const tables[] = {&der_table, NULL};

const cdg_model_options der_model_options = {
    .size = sizeof(cdg_der_options),
    .def_offset = offsetof(cdg_rod_def, der),
    .set_default = set_default,
    .keys = OPTION_KEYS(der),
    .tables = tables,
};
