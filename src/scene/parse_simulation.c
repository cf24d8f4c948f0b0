// The key `simulation`: model, step, duration, gravity and the models' options.
#include "base/error.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double last_change_of_solid(const scene_solid *solid) {
    double last = 0;
    for (size_t i = 0; i < solid->support_count; i++) {
        const cdg_solid_support_def *support = &solid->supports[i];
        for (size_t k = 0; k < support->motion_count; k++) last = fmax(last, support->motions[k].to);
        last = fmax(last, support->release);
    }
    for (size_t i = 0; i < solid->load_count; i++) {
        const cdg_solid_load_def *load = &solid->loads[i];
        last = fmax(last, fmax(isfinite(load->to) ? load->to : 0, load->from + fmax(load->ramp, 0)));
    }
    return last;
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
    for (size_t i = 0; i < scene->solid_count; i++) last = fmax(last, last_change_of_solid(&scene->solids[i]));
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
    scene->adapt = cdg_adapt_options_default();
    bool is_good = cdg_parse_output(reader);
    const scene_node *node = cdg_tree_get(reader->root, "simulation");
    if (node == NULL || node->kind == SCENE_NOTHING) return false; // reported with the table of the scene
    is_good = cdg_read_table(reader, &cdg_schema_simulation, node, "simulation", scene) && is_good;
    const scene_node *model = cdg_tree_get(node, "model"), *step = cdg_tree_get(node, "step");
    if (model != NULL && model->kind != SCENE_NOTHING)
        is_good = cdg_parse_model(reader, model, &scene->model) && is_good;
    if (step != NULL && step->kind != SCENE_NOTHING && !cdg_tree_is_word(step, "auto")) {
        is_good = cdg_read_quantity(reader, step, "step", CDG_TIME, SCENE_POSITIVE, &scene->step) && is_good;
    }
    is_good = cdg_parse_options_for_all(reader, node) && is_good;
    is_good = cdg_parse_adapt(reader, node, "simulation", &scene->adapt) && is_good;
    const scene_node *gravity = cdg_tree_get(node, "gravity");
    if (gravity != NULL && is_good) cdg_check_gravity(reader, gravity, scene->gravity);
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
