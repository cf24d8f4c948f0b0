// The settings of a run as JSON, in the words of the scene language.
#include "output/run_settings.h"

const char *cdg_run_model_name(cdg_model model) {
    switch (model) {
#define MODEL_CASE(name, key, text)                                                                                    \
    case name: return key;
        CDG_MODEL_LIST(MODEL_CASE)
#undef MODEL_CASE
    case CDG_MODEL_COUNT: break;
    }
    return "unknown";
}

static void write_numbers(cdg_json *json, const char *key, const double *values, size_t count) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < count; i++) cdg_json_number(json, NULL, values[i]);
    cdg_json_end(json);
}

static void write_pobd(cdg_json *json, const char *key, const cdg_pobd_options *options) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "solver", options->solver == CDG_POBD_DIRECT ? "direct" : "gauss_seidel");
    cdg_json_integer(json, "iterations", options->iterations > 0 ? (uint64_t)options->iterations : 0);
    cdg_json_number(json, "tolerance", options->tolerance);
    cdg_json_text(json, "integrator", options->integrator == CDG_POBD_BDF2 ? "bdf2" : "euler");
    static const char *const measures[] = {"sine", "tangent", "angle"};
    cdg_json_text(json, "darboux", measures[options->darboux]);
    if (options->paper_stiffness) {
        write_numbers(json, "paper_stretch", options->paper_stretch, 3);
        write_numbers(json, "paper_bend", options->paper_bend, 3);
    }
    cdg_json_boolean(json, "long_range_attachments", options->long_range_attachments);
    cdg_json_end(json);
}

static void write_corde(cdg_json *json, const char *key, const cdg_corde_options *options) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "coupling", options->coupling == CDG_CORDE_PENALTY ? "penalty" : "constraint");
    cdg_json_number(json, "penalty", options->penalty);
    cdg_json_number(json, "inertia_factor", options->inertia_factor);
    cdg_json_integer(json, "substeps", options->substeps > 0 ? (uint64_t)options->substeps : 0);
    cdg_json_end(json);
}

static void write_reference(cdg_json *json, const char *key, const cdg_reference_options *options) {
    cdg_json_begin_object(json, key);
    cdg_json_integer(json, "iterations", options->iterations > 0 ? (uint64_t)options->iterations : 0);
    cdg_json_number(json, "tolerance", options->tolerance);
    cdg_json_number(json, "dissipation", options->dissipation);
    cdg_json_text(json, "darboux", options->darboux == CDG_REFERENCE_ANGLE ? "angle" : "sine");
    cdg_json_end(json);
}

static void write_der(cdg_json *json, const char *key, const cdg_der_options *options) {
    static const char *const twists[] = {"auto", "dynamic", "quasistatic"};
    static const char *const constraints[] = {"none", "projection", "rattle"};
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "integrator", options->integrator == CDG_DER_IMPLICIT ? "implicit" : "explicit");
    cdg_json_text(json, "scheme", options->scheme == CDG_DER_BDF2 ? "bdf2" : "euler");
    cdg_json_text(json, "twist", twists[options->twist]);
    cdg_json_text(json, "constraint", constraints[options->constraint]);
    cdg_json_text(json, "curvature", options->curvature == CDG_DER_TANGENT ? "tangent" : "angle");
    cdg_json_integer(json, "iterations", options->iterations > 0 ? (uint64_t)options->iterations : 0);
    cdg_json_number(json, "tolerance", options->tolerance);
    cdg_json_end(json);
}

static void write_galpha(cdg_json *json, const char *key, const cdg_galpha_options *options) {
    cdg_json_begin_object(json, key);
    if (options->has_coefficients) {
        cdg_json_number(json, "alpha", options->alpha);
        cdg_json_number(json, "beta", options->beta);
        cdg_json_number(json, "gamma", options->gamma);
    } else {
        cdg_json_number(json, "lambda_infinity", options->lambda_infinity);
    }
    cdg_json_boolean(json, "extensible", options->is_extensible);
    cdg_json_number(json, "relaxation", options->relaxation);
    cdg_json_number(json, "tolerance", options->tolerance);
    cdg_json_integer(json, "iterations", options->iterations > 0 ? (uint64_t)options->iterations : 0);
    if (options->step_error > 0) cdg_json_number(json, "step_error", options->step_error);
    cdg_json_end(json);
}

void cdg_run_settings_write(cdg_json *json, const char *key, const cdg_scene *scene) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "model", cdg_run_model_name(scene->model));
    cdg_json_text(json, "mode", scene->mode == SCENE_STATIC ? "static" : "dynamic");
    if (scene->step > 0) {
        cdg_json_number(json, "step", scene->step);
    } else {
        cdg_json_text(json, "step", "auto");
    }
    cdg_json_number(json, "duration", scene->duration);
    cdg_json_text(json, "energy_guard", scene->energy_guard == SCENE_GUARD_OFF ? "off" : "on");
    double gravity[3] = {scene->gravity.x, scene->gravity.y, scene->gravity.z};
    write_numbers(json, "gravity", gravity, 3);
    write_pobd(json, "pobd", &scene->pobd);
    write_corde(json, "corde", &scene->corde);
    write_reference(json, "reference", &scene->reference);
    write_der(json, "der", &scene->der);
    write_galpha(json, "galpha", &scene->galpha);
    cdg_json_end(json);
}

void cdg_run_settings_write_rod(cdg_json *json, const char *key, const cdg_rod_def *rod) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "model", cdg_run_model_name(rod->model));
    if (rod->model == CDG_MODEL_POBD) write_pobd(json, "pobd", &rod->pobd);
    if (rod->model == CDG_MODEL_CORDE) write_corde(json, "corde", &rod->corde);
    if (rod->model == CDG_MODEL_REFERENCE) write_reference(json, "reference", &rod->reference);
    if (rod->model == CDG_MODEL_DER) write_der(json, "der", &rod->der);
    if (rod->model == CDG_MODEL_GALPHA) write_galpha(json, "galpha", &rod->galpha);
    cdg_json_end(json);
}
