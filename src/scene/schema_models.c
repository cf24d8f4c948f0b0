// The part of the schema that describes the options of rod models.
#include "scene/scene.h"
#include "scene/schema_rows.h"

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

static const char *const solver_choices[] = {"direct", "gauss_seidel", NULL};
static const char *const integrator_choices[] = {"bdf2", "euler", NULL};
static const char *const darboux_choices[] = {"sine", "tangent", "angle", NULL};

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
    {.name = "stiffness", .type = SCENE_TYPE_SPECIAL, .form = "`physical`, `paper` or `{paper: ...}`",
     .table = &cdg_schema_paper, .initial = "physical",
     .text = "from moduli and section, or the paper's factors (needs solver gauss_seidel and integrator euler)"},
    {.name = "long_range_attachments", .type = SCENE_TYPE_SWITCH, IN(cdg_pobd_options, long_range_attachments),
     .initial = "false", .text = "gauss_seidel: no node farther from a held node than the rod between them"},
};
TABLE(pobd, "`pobd`", "Options of the pobd model, in `simulation` for all rods or in a rod for that one.");

static const scene_key paper_keys[] = {
    {.name = "stretch", TRIPLE(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_pobd_options, paper_stretch),
     .initial = "1",
     .example = "[1, 1, 1]", .text = "factors for shear along d1, shear along d2, stretch"},
    {.name = "bend", TRIPLE(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_pobd_options, paper_bend), .initial = "1",
     .example = "[0.5, 0.5, 0.5]", .text = "factors for bending about d1, bending about d2, twist"},
};
TABLE(paper, "`pobd.stiffness.paper`", "The paper's stiffness factors: numbers from 0 (slack) to 1 (rigid).");

static const char *const coupling_choices[] = {"penalty", "constraint", NULL};

static const scene_key corde_keys[] = {
    {.name = "coupling", .type = SCENE_TYPE_CHOICE, .choices = coupling_choices, IN(cdg_corde_options, coupling),
     .initial = "penalty", .text = "how frames follow their tangents: by a spring as in the paper, or exactly"},
    {.name = "penalty", .type = SCENE_TYPE_SPECIAL, .form = "`auto` or a force", .initial = "auto", .example = "1 kN",
     .also = "kappa stiffness", .text = "penalty: the spring's stiffness; auto takes the stretching stiffness E A"},
    {.name = "inertia_factor", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_corde_options, inertia_factor),
     .initial = "1", .also = "alpha",
     .text = "penalty: multiplies the frames' rotary inertia across the rod; smaller needs more sub-steps"},
    {.name = "substeps", .type = SCENE_TYPE_SPECIAL, .form = "`auto` or a whole number", .initial = "auto",
     .example = "4", .also = "sub_steps",
     .text = "short steps that a step is made of; auto takes as many as are needed to be stable"},
};
TABLE(corde, "`corde`", "Options of the corde model, in `simulation` for all rods or in a rod for that one.");
static const char *const reference_darboux_choices[] = {"angle", "sine", NULL};

static const scene_key reference_keys[] = {
    {.name = "iterations", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 1000, IN(cdg_reference_options, iterations),
     .initial = "15", .text = "of Newton's method, at most, before a step is divided"},
    {.name = "tolerance", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_reference_options, tolerance),
     .initial = "1e-9", .text = "a step is done when the largest correction is below this part of an element's length"},
    {.name = "dissipation", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_reference_options, dissipation),
     .initial = "0", .text = "0 conserves energy; 0.5 takes stresses from the end of the step, for settling; not more"},
    {.name = "darboux", .type = SCENE_TYPE_CHOICE, .choices = reference_darboux_choices,
     IN(cdg_reference_options, darboux), .initial = "angle",
     .text = "measure of bending and twist: the angle, or its sine as the other models"},
};
TABLE(reference, "`reference`",
      "Options of the reference model, in `simulation` for all rods or in a rod for that one.");

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
TABLE(der, "`der`", "Options of the der model, in `simulation` for all rods or in a rod for that one.");

static const scene_key galpha_keys[] = {
    {.name = "lambda_infinity", QUANTITY(CDG_NUMBER), IN(cdg_galpha_options, lambda_infinity), .initial = "-0.5",
     .also = "spectral_radius rho_infinity", .text = "numerical damping at second order: -1 none, 0 most"},
    {.name = "alpha", QUANTITY(CDG_NUMBER), IN(cdg_galpha_options, alpha), .initial = "from lambda_infinity",
     .example = "0.3", .text = "coefficient of the scheme, at most 1/2; alpha, beta and gamma are given together"},
    {.name = "beta", QUANTITY(CDG_NUMBER), IN(cdg_galpha_options, beta), .initial = "from lambda_infinity",
     .example = "0", .text = "coefficient of the scheme, at most 1/2"},
    {.name = "gamma", QUANTITY(CDG_NUMBER), IN(cdg_galpha_options, gamma), .initial = "from lambda_infinity",
     .example = "0.7",
     .text = "coefficient of the scheme, at least 1/2; alpha - beta + gamma is at least 1/2, equal for second order"},
    {.name = "extensible", .type = SCENE_TYPE_SWITCH, IN(cdg_galpha_options, is_extensible), .initial = "true",
     .also = "shearable", .text = "the rod stretches and shears by its material; false: it keeps its length exactly"},
    {.name = "relaxation", QUANTITY(CDG_NUMBER), .range = SCENE_FRACTION, IN(cdg_galpha_options, relaxation),
     .initial = "1", .text = "largest share of a Newton correction taken; the line search goes below by itself"},
    {.name = "tolerance", QUANTITY(CDG_NUMBER), .range = SCENE_POSITIVE, IN(cdg_galpha_options, tolerance),
     .initial = "1e-8", .text = "a step is done when the largest correction is below this, in element lengths and rad"},
    {.name = "iterations", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 10000, IN(cdg_galpha_options, iterations),
     .initial = "30", .text = "Newton iterations, at most, before the step is halved"},
    {.name = "step_error", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(cdg_galpha_options, step_error),
     .initial = "0: no control", .example = "1e-4", .also = "adaptive accuracy error",
     .text = "error that a step may have, as a part of the rod's length; steps that have more are divided"},
};
TABLE(galpha, "`galpha`", "Options of the galpha model, in `simulation` for all rods or in a rod for that one.");
