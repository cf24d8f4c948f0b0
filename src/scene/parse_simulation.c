// The keys `simulation` and `output`: model, step, duration, gravity and the models' options.
#include "base/error.h"
#include "scene/reader.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const model_names[] = {
#define MODEL_NAME(id, name, text) name,
    CDG_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
};

bool cdg_parse_model(scene_reader *reader, const scene_node *node, cdg_model *out) {
    char quoted[CDG_QUOTE_SIZE], list[120] = "";
    cdg_tree_describe(node, quoted);
    size_t used = 0;
    word_search search = cdg_suggest_begin(node->kind == SCENE_SCALAR ? node->text : "", node->length);
    for (int i = 0; i < CDG_MODEL_COUNT; i++) {
        if (cdg_tree_is_word(node, model_names[i])) {
            *out = (cdg_model)i;
            return true;
        }
        cdg_suggest_offer(&search, model_names[i]);
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", model_names[i]);
        }
    }
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "model: expected a name, found %s; models: %s",
                                cdg_tree_describe(node, quoted), list);
    }
    if (search.best != NULL) {
        return cdg_reader_fault(reader, node, "unknown model %s; did you mean '%s'?", quoted, search.best);
    }
    return cdg_reader_fault(reader, node, "unknown model %s; models: %s", quoted, list);
}

static bool parse_stiffness(scene_reader *reader, const scene_node *node, const char *where, cdg_pobd_options *out) {
    if (cdg_tree_is_word(node, "physical")) {
        out->paper_stiffness = false;
        return true;
    }
    if (cdg_tree_is_word(node, "paper")) {
        out->paper_stiffness = true;
        return true;
    }
    const scene_node *paper = cdg_tree_get(node, "paper");
    if (paper == NULL || node->count != 1) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(
            reader, node,
            "stiffness of %s: expected physical, paper or {paper: {stretch: [1, 1, 1], bend: [1, 1, 1]}},"
            " found %s; a rod's own moduli belong into the rod, not into pobd",
            where, cdg_tree_describe(node, quoted));
    }
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "the paper stiffness of %.100s", where);
    out->paper_stiffness = true;
    return cdg_read_table(reader, &cdg_schema_paper, paper, inside, out);
}

bool cdg_parse_pobd(scene_reader *reader, const scene_node *node, const char *where, cdg_pobd_options *out) {
    if (!cdg_read_table(reader, &cdg_schema_pobd, node, where, out)) return false;
    const scene_node *stiffness = cdg_tree_get(node, "stiffness");
    if (stiffness != NULL && !parse_stiffness(reader, stiffness, where, out)) return false;
    if (out->paper_stiffness && (out->solver != CDG_POBD_GAUSS_SEIDEL || out->integrator != CDG_POBD_EULER)) {
        const scene_node *place = cdg_tree_get_key(node, "stiffness");
        return cdg_reader_fault(
            reader, place != NULL ? place : node,
            "stiffness: paper needs the paper's method; add 'solver: gauss_seidel, integrator: euler'");
    }
    if (out->long_range_attachments && out->solver != CDG_POBD_GAUSS_SEIDEL) {
        const scene_node *place = cdg_tree_get_key(node, "long_range_attachments");
        return cdg_reader_fault(
            reader, place != NULL ? place : node,
            "long_range_attachments needs 'solver: gauss_seidel'; the direct solver does not stretch "
            "the rod in the first place");
    }
    return true;
}

bool cdg_parse_corde(scene_reader *reader, const scene_node *node, const char *where, cdg_corde_options *out) {
    if (!cdg_read_table(reader, &cdg_schema_corde, node, where, out)) return false;
    const scene_node *penalty = cdg_tree_get(node, "penalty"), *substeps = cdg_tree_get(node, "substeps");
    bool is_good = true;
    if (cdg_tree_is_word(penalty, "auto"))
        out->penalty = 0;
    else if (penalty != NULL && penalty->kind != SCENE_NOTHING)
        is_good = cdg_read_quantity(reader, penalty, "penalty", CDG_FORCE, SCENE_POSITIVE, &out->penalty);
    if (cdg_tree_is_word(substeps, "auto"))
        out->substeps = 0;
    else if (substeps != NULL && substeps->kind != SCENE_NOTHING)
        is_good = cdg_read_integer(reader, substeps, "substeps", 1, 100000, &out->substeps) && is_good;
    return is_good;
}

bool cdg_parse_reference(scene_reader *reader, const scene_node *node, const char *where, cdg_reference_options *out) {
    if (!cdg_read_table(reader, &cdg_schema_reference, node, where, out)) return false;
    if (out->dissipation <= 0.5) return true;
    const scene_node *place = cdg_tree_get(node, "dissipation");
    return cdg_reader_fault(reader, place != NULL ? place : node, "dissipation: at most 0.5, found %g",
                            out->dissipation);
}

bool cdg_parse_der(scene_reader *reader, const scene_node *node, const char *where, cdg_der_options *out) {
    return cdg_read_table(reader, &cdg_schema_der, node, where, out);
}

bool cdg_parse_galpha(scene_reader *reader, const scene_node *node, const char *where, cdg_galpha_options *out) {
    if (!cdg_read_table(reader, &cdg_schema_galpha, node, where, out)) return false;
    static const char *const coefficients[] = {"alpha", "beta", "gamma"};
    int count = 0;
    for (int k = 0; k < 3; k++) count += cdg_tree_get(node, coefficients[k]) != NULL;
    const scene_node *lambda = cdg_tree_get_key(node, "lambda_infinity");
    if (lambda != NULL && count > 0)
        return cdg_reader_fault(
            reader, lambda, "%s: lambda_infinity stands for alpha, beta and gamma; give either it or the three", where);
    if (count > 0 && count < 3)
        return cdg_reader_fault(reader, node, "%s: alpha, beta and gamma belong together; give all three", where);
    if (lambda != NULL) out->has_coefficients = false;
    if (count == 3) out->has_coefficients = true;
    return true;
}

// Of a static scene without a duration: when everything has come to its end.
static double last_change(const cdg_scene *scene) {
    double last = 0;
    for (size_t i = 0; i < scene->support_count; i++) {
        const cdg_support_def *support = &scene->supports[i];
        for (size_t k = 0; k < support->motion_count; k++) last = fmax(last, support->motions[k].to);
        last = fmax(last, support->release);
    }
    for (size_t i = 0; i < scene->load_count; i++) {
        const cdg_load_def *load = &scene->loads[i];
        last = fmax(last, fmax(load->to, load->from + fmax(load->ramp, 0)));
        if (load->keyframe_count > 0) last = fmax(last, load->keyframes[load->keyframe_count - 1].time);
    }
    return last;
}

void cdg_finish_simulation(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    if (scene->mode != SCENE_STATIC || scene->duration > 0) return;
    scene->duration = last_change(scene);
    if (scene->duration > 0 || scene->statics.path != CDG_PATH_ARC_LENGTH) return;
    const scene_node *simulation = cdg_tree_get(reader->root, "simulation");
    const scene_node *path = cdg_tree_get(cdg_tree_get(simulation, "static"), "path");
    if (path != NULL)
        cdg_reader_fault(reader, path,
                         "path: arc_length follows what changes with time, but nothing does; give a load a ramp, such "
                         "as 'ramp: 1 s', or a support a motion");
}

static void check_times(scene_reader *reader, const scene_node *simulation) {
    const cdg_scene *scene = reader->scene;
    const scene_node *step = cdg_tree_get(simulation, "step"), *output = cdg_tree_get(reader->root, "output");
    const scene_node *every = cdg_tree_get(output, "every");
    if (scene->step > scene->duration && scene->duration > 0) { // each is 0 when absent or at fault
        cdg_reader_fault(reader, step, "step (%g s) is longer than the duration (%g s)", scene->step, scene->duration);
    }
    if (every == NULL || !(scene->output_every > 0)) return;
    // A relative margin of rounding: 0.02 and 20 * 0.001 are the same time.
    double slack = 1 - 1e-9;
    if (scene->step > 0 && scene->output_every < scene->step * slack) {
        cdg_reader_warn(reader, every,
                        "output every %g s, but a step is %g s: the steps will be made as short as the output "
                        "interval",
                        scene->output_every, scene->step);
    }
    if (scene->duration > 0 && scene->output_every > scene->duration / slack) {
        cdg_reader_warn(reader, every,
                        "output every %g s is longer than the duration, %g s: only the start and the end are "
                        "written",
                        scene->output_every, scene->duration);
    }
}

bool cdg_parse_simulation(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    bool is_good = true;
    const scene_node *output = cdg_tree_get(reader->root, "output");
    if (output != NULL && output->kind != SCENE_NOTHING) {
        is_good = cdg_read_table(reader, &cdg_schema_output, output, "output", scene);
    }
    const scene_node *node = cdg_tree_get(reader->root, "simulation");
    if (node == NULL || node->kind == SCENE_NOTHING) return false; // reported with the table of the scene
    is_good = cdg_read_table(reader, &cdg_schema_simulation, node, "simulation", scene) && is_good;
    const scene_node *model = cdg_tree_get(node, "model"), *step = cdg_tree_get(node, "step");
    const scene_node *pobd = cdg_tree_get(node, "pobd");
    const scene_node *reference = cdg_tree_get(node, "reference");
    if (model != NULL && model->kind != SCENE_NOTHING)
        is_good = cdg_parse_model(reader, model, &scene->model) && is_good;
    if (step != NULL && step->kind != SCENE_NOTHING && !cdg_tree_is_word(step, "auto")) {
        is_good = cdg_read_quantity(reader, step, "step", CDG_TIME, SCENE_POSITIVE, &scene->step) && is_good;
    }
    if (pobd != NULL && pobd->kind != SCENE_NOTHING) {
        is_good = cdg_parse_pobd(reader, pobd, "pobd in simulation", &scene->pobd) && is_good;
    }
    const scene_node *corde = cdg_tree_get(node, "corde");
    if (corde != NULL && corde->kind != SCENE_NOTHING) {
        is_good = cdg_parse_corde(reader, corde, "corde in simulation", &scene->corde) && is_good;
    }
    if (reference != NULL && reference->kind != SCENE_NOTHING) {
        is_good = cdg_parse_reference(reader, reference, "reference in simulation", &scene->reference) && is_good;
    }
    const scene_node *der = cdg_tree_get(node, "der");
    if (der != NULL && der->kind != SCENE_NOTHING) {
        is_good = cdg_parse_der(reader, der, "der in simulation", &scene->der) && is_good;
    }
    const scene_node *galpha = cdg_tree_get(node, "galpha");
    if (galpha != NULL && galpha->kind != SCENE_NOTHING) {
        is_good = cdg_parse_galpha(reader, galpha, "galpha in simulation", &scene->galpha) && is_good;
    }
    const scene_node *statics = cdg_tree_get(node, "static");
    if (statics != NULL && statics->kind != SCENE_NOTHING) {
        is_good =
            cdg_read_table(reader, &cdg_schema_static, statics, "static in simulation", &scene->statics) && is_good;
        if (scene->mode != SCENE_STATIC)
            cdg_reader_warn(reader, cdg_tree_get_key(node, "static"), "static does nothing without 'mode: static'");
    }
    if (scene->mode == SCENE_DYNAMIC && !cdg_read_means(node, &cdg_schema_simulation, "duration"))
        is_good = cdg_reader_fault(reader, node, "simulation has no duration; add for example 'duration: 4 s'");
    if (scene->mode == SCENE_STATIC && scene->step > 0) {
        cdg_reader_warn(reader, step, "a static simulation has no time step; output.every bounds its steps");
        scene->step = 0;
    }
    check_times(reader, node);
    return is_good;
}
