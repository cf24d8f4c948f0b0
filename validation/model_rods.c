// One rod under any of the models (model_rods.h).
#include "validation/model_rods.h"

#include <math.h>
#include <stdio.h>

cdg_rod_def model_unit_rod(size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.shear = {1e5, 1e5},
                                    .stretch = 4e4,
                                    .bend = {1, 1},
                                    .twist = 0.8,
                                    .mass = 1,
                                    .inertia = {2.5e-5, 2.5e-5, 5e-5},
                                    .radius = 1e-2};
    def.centerline.line.to = (cdg_vec3){1, 0, 0};
    def.element_count = elements;
    return def;
}

void model_choose(validation_model model, cdg_rod_def *def) {
    static const cdg_model kinds[VALIDATION_MODEL_COUNT] = {
        [VALIDATION_CORDE] = CDG_MODEL_CORDE,       [VALIDATION_REFERENCE] = CDG_MODEL_REFERENCE,
        [VALIDATION_DER_EXPLICIT] = CDG_MODEL_DER,  [VALIDATION_DER_IMPLICIT] = CDG_MODEL_DER,
        [VALIDATION_GAUSS_SEIDEL] = CDG_MODEL_POBD, [VALIDATION_DIRECT] = CDG_MODEL_POBD,
        [VALIDATION_GALPHA] = CDG_MODEL_GALPHA,
    };
    def->model = kinds[model];
    def->der.integrator = model == VALIDATION_DER_EXPLICIT ? CDG_DER_EXPLICIT : CDG_DER_IMPLICIT;
    def->pobd.solver = model == VALIDATION_GAUSS_SEIDEL ? CDG_POBD_GAUSS_SEIDEL : CDG_POBD_DIRECT;
    if (model == VALIDATION_GAUSS_SEIDEL) def->pobd.iterations = 60;
}

model_trial model_begin(const validation_context *context, validation_model model, cdg_rod_def def, cdg_vec3 gravity,
                        double step, cdg_error *error) {
    model_trial t = {.model = model, .elements = def.element_count, .step = step, .longest = 1e-3};
    model_choose(model, &def);
    t.result = validation_spoil_rod(context, &def, error);
    if (t.result != CDG_OK) return t;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.gravity = validation_spoil_gravity(context, gravity);
    world_def.step = step;
    world_def.thread_count = 1;
    t.result = cdg_world_create(&world_def, &t.world, error);
    if (t.result == CDG_OK) t.result = cdg_world_add_rod(t.world, &def, &t.rod);
    return t;
}

void model_support(model_trial *t, cdg_support_kind kind, size_t node) {
    cdg_support_def def = {.kind = kind, .place = {.rod = t->rod, .index = node}};
    if (t->result == CDG_OK) t->result = cdg_world_add_support(t->world, &def, NULL);
}

static void add_load(model_trial *t, const cdg_load_def *load) {
    if (t->result == CDG_OK) t->result = cdg_world_add_load(t->world, load, NULL);
}

void model_drag(model_trial *t, double rate) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_DRAG;
    load.drag_rate = rate;
    add_load(t, &load);
}

void model_force(model_trial *t, size_t node, cdg_vec3 force) {
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){t->rod, CDG_PLACE_NODE, node};
    load.value = force;
    add_load(t, &load);
}

void model_moment(model_trial *t, size_t node, cdg_vec3 moment, double ramp) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_MOMENT;
    load.place = (cdg_place){t->rod, CDG_PLACE_NODE, node};
    load.value = moment;
    load.ramp = ramp;
    add_load(t, &load);
}

// The advice of explicit models is their limit. gauss_seidel needs about EA h^2/(m l^2) iterations, here 64 for a step
// of 1 ms and elements of 2.5 cm.
static int parts_of(model_trial *t) {
    double longest = t->step;
    if (t->model == VALIDATION_CORDE || t->model == VALIDATION_DER_EXPLICIT) longest = cdg_world_advice(t->world).step;
    if (t->model == VALIDATION_GAUSS_SEIDEL) longest = t->longest;
    return longest < t->step ? (int)ceil(t->step / longest) : 1;
}

void model_step(model_trial *t) {
    if (t->result != CDG_OK) return;
    if (cdg_world_step_index(t->world) == 0) t->result = cdg_world_set_step_size(t->world, t->step / parts_of(t));
    int parts = (int)lround(t->step / cdg_world_step_size(t->world));
    for (int i = 0; i < parts && t->result == CDG_OK; i++) t->result = cdg_world_step(t->world, NULL);
}

void model_run(model_trial *t, double seconds) {
    for (long i = 0; i < lround(seconds / t->step) && t->result == CDG_OK; i++) model_step(t);
}

void model_positions(model_trial *t, cdg_vec3 *out) {
    for (size_t i = 0; i <= t->elements; i++) out[i] = (cdg_vec3){0, 0, 0};
    if (t->result == CDG_OK && cdg_rod_node_capacity(t->world, t->rod) > MODEL_NODES_MAX) t->result = CDG_ERROR_MEMORY;
    if (t->result == CDG_OK) t->result = cdg_rod_positions(t->world, t->rod, out);
}

size_t model_node_count(const model_trial *t) {
    cdg_rod_info info;
    if (t->result != CDG_OK || cdg_rod_get_info(t->world, t->rod, &info) != CDG_OK) return t->elements + 1;
    return info.node_count;
}

cdg_result model_end(model_trial *t, cdg_error *error) {
    if (t->result != CDG_OK && t->world != NULL && error != NULL) {
        error->code = t->result;
        snprintf(error->message, sizeof error->message, "%s: %.900s", validation_model_name(t->model),
                 cdg_world_message(t->world));
    }
    cdg_world_destroy(t->world);
    t->world = NULL;
    return t->result;
}

void model_watch(model_passages *p, double time, double step, double value) {
    if (p->before < 0 && value >= 0) {
        p->last = time - step * value / (value - p->before);
        if (p->count++ == 0) p->first = p->last;
    }
    p->before = value;
}

double model_frequency(const model_passages *p) {
    return p->count > 1 ? 6.283185307179586 * (p->count - 1) / (p->last - p->first) : (double)NAN;
}
