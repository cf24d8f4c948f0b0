// The key `changes`: the scene is read again with the values set so far, and the world is told to become that one.
#include "base/error.h"
#include "scene/diagnostics.h"
#include "scene/scene.h"
#include "world/planned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cdg_scene_is_alike(const cdg_scene *a, const cdg_scene *b) {
    bool is_alike = a->rod_count == b->rod_count && a->support_count == b->support_count &&
                    a->joint_count == b->joint_count && a->body_count == b->body_count &&
                    a->weld_count == b->weld_count && a->obstacle_count == b->obstacle_count &&
                    a->solid_count == b->solid_count && a->tie_count == b->tie_count &&
                    a->hand_count == b->hand_count && a->cut_count == b->cut_count &&
                    (a->contact.choice == CDG_CONTACT_OFF) == (b->contact.choice == CDG_CONTACT_OFF);
    is_alike = is_alike && a->file_count == b->file_count; // what a run was made of is known by its first scene
    for (size_t i = 0; is_alike && i < a->file_count; i++) is_alike = a->files[i].hash == b->files[i].hash;
    for (size_t i = 0; is_alike && i < a->rod_count; i++)
        is_alike = a->rods[i].element_count == b->rods[i].element_count && a->rods[i].model == b->rods[i].model;
    return is_alike;
}

// The lines of an override text as strings that point into `text`, which is cut up; NULL: no memory.
static const char **split(char *text, size_t room, size_t *count) {
    const char **lines = malloc((room + strlen(text) + 1) * sizeof *lines);
    *count = 0;
    for (char *at = text, *end; lines != NULL && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        *end = '\0';
        lines[(*count)++] = at;
    }
    return lines;
}

// The scene with `count` further lines set; NULL: `error` says why not.
static cdg_scene *parse_with(const cdg_scene *scene, const char *const *further, size_t count, cdg_error *error) {
    size_t line_count = 0;
    cdg_scene *out = NULL;
    char *text = strdup(scene->overrides != NULL ? scene->overrides : "");
    const char **lines = text != NULL ? split(text, count, &line_count) : NULL;
    if (lines == NULL) (void)cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its changes", scene->name);
    for (size_t i = 0; lines != NULL && i < count; i++) lines[line_count++] = further[i];
    if (lines != NULL && scene->is_confined)
        (void)cdg_scene_parse_confined(scene->text, scene->text_size, scene->name, scene->directory, lines, line_count,
                                       &out, error);
    else if (lines != NULL)
        (void)cdg_scene_parse(scene->text, scene->text_size, scene->name, scene->directory, lines, line_count, &out,
                              error);
    free(lines);
    free(text);
    if (out == NULL || out->is_usable) return out;
    cdg_scene_destroy(out);
    return NULL;
}

// The scene with the first `count` lines of its changes applied.
static cdg_scene *changed(const cdg_scene *scene, size_t count, cdg_error *error) {
    const char **lines = malloc((count + 1) * sizeof *lines);
    if (lines == NULL) {
        (void)cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its changes", scene->name);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) lines[i] = scene->changes[i].line;
    cdg_scene *out = parse_with(scene, lines, count, error);
    free(lines);
    return out;
}

cdg_result cdg_scene_check_controls(const cdg_scene *scene, cdg_error *error) {
    for (size_t i = 0; i < scene->control_count; i++) {
        const scene_control *control = &scene->controls[i];
        char line[400], where[400], why[CDG_MESSAGE_SIZE];
        snprintf(line, sizeof line, "%.200s=%.17g %.100s", control->path, control->value,
                 control->unit != NULL ? control->unit : "");
        cdg_scene *set = parse_with(scene, (const char *const[]){line}, 1, error);
        if (set == NULL) {
            cdg_mark_format(control->mark, scene->name, where, sizeof where);
            snprintf(why, sizeof why, "%s", error->message);
            return cdg_fail(error, CDG_ERROR_SCENE, "%s: control %zu cannot be set: %.600s", where, i + 1, why);
        }
        cdg_scene_destroy(set);
    }
    return CDG_OK;
}

static cdg_result fail_at(const cdg_scene *scene, size_t line, cdg_result code, const char *why, cdg_error *error) {
    char where[400], text[CDG_MESSAGE_SIZE];
    cdg_mark_format(scene->change_marks[line], scene->name, where, sizeof where);
    snprintf(text, sizeof text, "%s", why); // it may be the error itself
    return cdg_fail(error, code, "%s: the change at %g s (%.100s): %.600s", where, scene->changes[line].time,
                    scene->changes[line].line, text);
}

static cdg_result plan(const cdg_scene *scene, size_t count, int thread_count, cdg_world *world, cdg_error *error) {
    cdg_scene *then = changed(scene, count, error);
    if (then == NULL) return fail_at(scene, count - 1, CDG_ERROR_SCENE, error->message, error);
    cdg_world *next = NULL;
    cdg_result result = CDG_OK;
    if (!cdg_scene_is_alike(scene, then))
        result =
            fail_at(scene, count - 1, CDG_ERROR_SCENE,
                    "rods, elements, models, supports, joints, bodies, obstacles, solids, files, and whether there "
                    "is contact, stay as they are while a scene runs; leave the change out",
                    error);
    if (result == CDG_OK &&
        (then->duration != scene->duration || then->output_every != scene->output_every || then->mode != scene->mode))
        result = fail_at(scene, count - 1, CDG_ERROR_SCENE,
                         "mode, duration and outputs stay as they are while a scene runs; give them in 'simulation' "
                         "and 'output'",
                         error);
    if (result == CDG_OK) result = cdg_scene_build_unchanged(then, thread_count, &next, error);
    if (result == CDG_OK) result = cdg_world_plan_change(world, scene->changes[count - 1].time, next);
    cdg_scene_destroy(then);
    return result;
}

cdg_result cdg_scene_plan_changes(const cdg_scene *scene, int thread_count, cdg_world *world, cdg_error *error) {
    for (size_t i = 1; i <= scene->change_count; i++) {
        bool is_last = i == scene->change_count || scene->changes[i].time > scene->changes[i - 1].time;
        if (!is_last) continue; // lines of one time are one change
        cdg_result result = plan(scene, i, thread_count, world, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
