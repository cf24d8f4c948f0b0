// The settings of a run as JSON, in the words of the scene language.
#include "output/run_settings.h"

#include "rods/model_options.h"
#include "rods/rod_model.h"
#include "scene/schema.h"

#include <stdio.h>

const char *cdg_run_model_name(cdg_model model) {
    return (size_t)model < cdg_rod_model_count() ? cdg_rod_model_get(model)->name : "unknown";
}

static void write_numbers(cdg_json *json, const char *key, const double *values, size_t count) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < count; i++) cdg_json_number(json, NULL, values[i]);
    cdg_json_end(json);
}

static void write_value(cdg_json *json, const char *name, const scene_key *key, const char *options);

// What the second word of a variant has, as its own keys: paper_stretch.
static void write_variant(cdg_json *json, const scene_key *key, const char *options) {
    if (!*(const bool *)(options + key->offset)) return;
    for (size_t i = 0; i < key->table->count; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s_%s", key->choices[1], key->table->keys[i].name);
        write_value(json, name, &key->table->keys[i], options);
    }
}

static void write_value(cdg_json *json, const char *name, const scene_key *key, const char *options) {
    const void *at = options + key->offset;
    const int *whole = at;
    switch (key->type) {
    case SCENE_TYPE_QUANTITY: cdg_json_number(json, name, *(const double *)at); return;
    case SCENE_TYPE_VECTOR:
    case SCENE_TYPE_DIRECTION:
    case SCENE_TYPE_TRIPLE: write_numbers(json, name, at, 3); return;
    case SCENE_TYPE_PAIR: write_numbers(json, name, at, 2); return;
    case SCENE_TYPE_COUNT: cdg_json_integer(json, name, *(const size_t *)at); return;
    case SCENE_TYPE_INTEGER: cdg_json_integer(json, name, *whole > 0 ? (uint64_t)*whole : 0); return;
    case SCENE_TYPE_SWITCH: cdg_json_boolean(json, name, *(const bool *)at); return;
    case SCENE_TYPE_CHOICE: cdg_json_text(json, name, key->choices[*whole]); return;
    case SCENE_TYPE_VARIANT: write_variant(json, key, options); return;
    case SCENE_TYPE_TEXT:
    case SCENE_TYPE_MODEL:
    case SCENE_TYPE_SPECIAL:
    case SCENE_TYPE_LATER: return;
    }
}

static void write_options(cdg_json *json, cdg_model model, const void *options) {
    const cdg_model_options *of = cdg_rod_model_get(model)->options;
    if (of == NULL || options == NULL) return;
    cdg_json_begin_object(json, cdg_run_model_name(model));
    for (size_t i = 0; i < of->tables[0]->count; i++) {
        const scene_key *key = &of->tables[0]->keys[i];
        if (of->is_idle == NULL || !of->is_idle(options, key)) write_value(json, key->name, key, options);
    }
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
    for (size_t i = 0; i < cdg_rod_model_count(); i++) write_options(json, (cdg_model)i, scene->options[i]);
    cdg_json_end(json);
}

void cdg_run_settings_write_rod(cdg_json *json, const char *key, const cdg_rod_def *rod) {
    cdg_json_begin_object(json, key);
    cdg_json_text(json, "model", cdg_run_model_name(rod->model));
    write_options(json, rod->model, cdg_rod_def_options(rod));
    if (rod->adapt.is_on) {
        cdg_json_begin_object(json, "adapt");
        for (size_t i = 0; i < cdg_schema_adapt.count; i++)
            write_value(json, cdg_schema_adapt.keys[i].name, &cdg_schema_adapt.keys[i], (const char *)&rod->adapt);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}
