// A cantilever to fit: its equilibrium under its weight and a load at its tip, quick enough for tests.
#ifndef CDG_TESTS_FIT_CASE_H
#define CDG_TESTS_FIT_CASE_H

#include <stdio.h>
#include <string.h>

#include "near.h"
#include "sweep/fit.h"

static const char fit_scene[] =
    "cordage: 1\n"
    "simulation: {mode: static, model: der}\n"
    "materials: {m: {young_modulus: 2 MPa, shear_modulus: 0.8 MPa, density: 1100}}\n"
    "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.4, 0, 0]}}, "
    "elements: 10}]\n"
    "supports: [{clamp: rod.start}]\n"
    "loads: [{force: [0, 0.02 N, 0], at: rod.end, ramp: 1 s}]\n"
    "output: {every: 0.25 s}\n"
    "probes: [{name: tip, position: rod.end}, {name: hold, reaction: rod.start}]\n";

enum { FIT_FILES = 4, FIT_VARIES = 4 };

typedef struct fit_case {
    cdg_case_source source;
    cdg_fit_data data[FIT_FILES];
    cdg_vary varies[FIT_VARIES];
    cdg_fit_def def;
    cdg_fit_model *model;
    cdg_fit_result result;
    cdg_error error;
} fit_case;

static inline void fit_case_begin(fit_case *f, const char *scene) {
    *f = (fit_case){.source = {.text = scene, .size = strlen(scene), .name = "cantilever"}};
    f->def = (cdg_fit_def){
        .setup = {.source = &f->source, .varies = f->varies, .data = f->data, .thread_count = 2},
        .confidence = 0.95,
        .iteration_limit = 30,
    };
}

static inline void fit_case_data(fit_case *f, const char *text) {
    char name[32];
    snprintf(name, sizeof name, "data%zu.csv", f->def.setup.data_count);
    if (cdg_fit_data_parse(text, strlen(text), name, &f->data[f->def.setup.data_count++], &f->error) != CDG_OK)
        fail_msg("%s", f->error.message);
}

static inline cdg_result fit_case_vary(fit_case *f, const char *text) {
    cdg_vary *v = &f->varies[f->def.setup.vary_count++];
    cdg_result result = cdg_vary_parse(text, v, &f->error);
    return result == CDG_OK ? cdg_fit_check_vary(v, &f->error) : result;
}

static inline cdg_result fit_case_make(fit_case *f) { return cdg_fit_model_make(&f->def.setup, &f->model, &f->error); }

static inline cdg_result fit_case_run(fit_case *f) {
    cdg_result result = fit_case_make(f);
    return result == CDG_OK ? cdg_fit_run(&f->def, f->model, &f->result, &f->error) : result;
}

static inline void fit_case_end(fit_case *f) {
    cdg_fit_result_free(&f->result);
    cdg_fit_model_destroy(f->model);
    for (size_t i = 0; i < f->def.setup.data_count; i++) cdg_fit_data_free(&f->data[i]);
    for (size_t i = 0; i < f->def.setup.vary_count; i++) cdg_vary_free(&f->varies[i]);
}

// Files made from the scene itself, with values set: what the tip does over time, and the nodes at the end.
typedef struct fit_case_maker {
    char *shape;
    size_t used;
} fit_case_maker;

static inline cdg_result fit_case_keep_shape(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    (void)scene, (void)error;
    fit_case_maker *m = user;
    cdg_vec3 nodes[64];
    cdg_rod_info info;
    cdg_rod_get_info(world, cdg_world_rod_at(world, 0), &info);
    cdg_rod_positions(world, cdg_world_rod_at(world, 0), nodes);
    m->used = (size_t)sprintf(m->shape, "# shape: rod\nx [mm], y [mm], z [mm]\n");
    for (size_t i = 1; i < info.node_count; i += 2) { // in no order, without the ends
        cdg_vec3 at = nodes[1 + (7 * i) % (info.node_count - 2)];
        m->used += (size_t)sprintf(m->shape + m->used, "%.12g, %.12g, %.12g\n", 1e3 * at.x, 1e3 * at.y, 1e3 * at.z);
    }
    return CDG_OK;
}

enum { FIT_TEXT = 16384 };

static inline void fit_case_measure(const fit_case *f, const char *const *overrides, size_t count, char tip[FIT_TEXT],
                                    char shape[FIT_TEXT]) {
    fit_case_maker maker = {.shape = shape};
    cdg_case_def def = {.source = &f->source,
                        .overrides = overrides,
                        .override_count = count,
                        .thread_count = 1,
                        .on_row = fit_case_keep_shape,
                        .user = &maker};
    cdg_case_result r;
    if (cdg_case_run(&def, &r) != CDG_OK) fail_msg("%s", r.sentence);
    int used = sprintf(tip, "time [s], tip_y [mm], tip_z [mm]\n");
    for (size_t i = 0; i < r.row_count; i++)
        used += sprintf(tip + used, "%.12g, %.12g, %.12g\n", r.times[i], 1e3 * r.series[i * r.column_count + 1],
                        1e3 * r.series[i * r.column_count + 2]);
    cdg_case_result_free(&r);
}

static inline bool fit_case_warns(const fit_case *f, const char *part) {
    for (size_t i = 0; i < f->result.warning_count; i++)
        if (strstr(f->result.warnings[i], part) != NULL) return true;
    return false;
}

#endif
