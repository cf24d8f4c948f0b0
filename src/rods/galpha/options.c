// Options of the galpha model: defaults, and the keys of a scene that set them.
#include "rods/galpha/options.h"

#include "rods/model_options.h"

#include <string.h>

cdg_galpha_options cdg_galpha_options_default(void) {
    return (cdg_galpha_options){
        .lambda_infinity = -0.5,
        .is_extensible = true,
        .relaxation = 1,
        .tolerance = 1e-8,
        .iterations = 30,
    };
}

static void set_default(void *options) { *(cdg_galpha_options *)options = cdg_galpha_options_default(); }

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off


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
KEY_TABLE(galpha, "`galpha`", "Options of the galpha model, in `simulation` for all rods or in a rod for that one.");

// clang-format on

static const scene_table *const tables[] = {&galpha_table, NULL};

static bool settle(void *options, cdg_option_is_given *is_given, const void *map, cdg_option_fault *fault) {
    cdg_galpha_options *o = options;
    int count = is_given(map, "alpha") + is_given(map, "beta") + is_given(map, "gamma");
    bool has_lambda = is_given(map, "lambda_infinity");
    if (has_lambda && count > 0) {
        *fault = (cdg_option_fault){"lambda_infinity",
                                    "lambda_infinity stands for alpha, beta and gamma; give either it or the three"};
        return false;
    }
    if (count > 0 && count < 3) {
        *fault = (cdg_option_fault){NULL, "alpha, beta and gamma belong together; give all three"};
        return false;
    }
    if (has_lambda) o->has_coefficients = false;
    if (count == 3) o->has_coefficients = true;
    return true;
}

static bool is_idle(const void *options, const scene_key *key) {
    const cdg_galpha_options *o = options;
    bool is_coefficient =
        strcmp(key->name, "alpha") == 0 || strcmp(key->name, "beta") == 0 || strcmp(key->name, "gamma") == 0;
    if (is_coefficient) return !o->has_coefficients;
    if (strcmp(key->name, "lambda_infinity") == 0) return o->has_coefficients;
    return strcmp(key->name, "step_error") == 0 && o->step_error == 0;
}

const cdg_model_options galpha_model_options = {
    .size = sizeof(cdg_galpha_options),
    .def_offset = offsetof(cdg_rod_def, galpha),
    .set_default = set_default,
    .keys = OPTION_KEYS(galpha),
    .tables = tables,
    .settle = settle,
    .is_idle = is_idle,
};
