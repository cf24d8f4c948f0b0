// A rod that lies on two bars sags as a beam does, under every model and whatever the step: what holds it where it
// touches does not strain it.
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 16 };
static const double radius = 5e-3, length = 0.16, span = 0.1, young_modulus = 1e7, poisson_ratio = 0.4, density = 1000;
static const double pi = 3.141592653589793, gravity = 9.81;

typedef struct resting_rod {
    validation_model name;
    cdg_model model;
    bool is_implicit;
    double step;
} resting_rod;

// A beam that shears on two supports, with ends that hang over: how far its middle lies below the supports.
static double beam_sag(double shear_factor) {
    double area = pi * radius * radius, bend = young_modulus * 0.25 * area * radius * radius;
    double shear = shear_factor * area * young_modulus / (2 * (1 + poisson_ratio));
    double load = gravity * density * area, over = 0.5 * (length - span);
    double bending = load * span * span * (5 * span * span - 24 * over * over) / (384 * bend);
    return bending + load * span * span / (8 * shear);
}

static cdg_rod_def rod_of(const resting_rod *it) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rod";
    rod.model = it->model;
    rod.pobd.solver = it->is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    rod.pobd.iterations = it->is_implicit ? rod.pobd.iterations : 400;
    rod.der.integrator = it->is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    cdg_material *m = &rod.material;
    m->young_modulus = young_modulus;
    m->poisson_ratio = poisson_ratio;
    m->density = density;
    bool is_explicit = it->name == VALIDATION_DER_EXPLICIT; // drag has to do: damping would take steps of microseconds
    m->damping_stretch = m->damping_shear = m->damping_bend = m->damping_twist = is_explicit ? 0 : 2e-3;
    rod.section.radius = radius;
    rod.centerline.line.from = (cdg_vec3){-0.5 * length, 0, radius};
    rod.centerline.line.to = (cdg_vec3){0.5 * length, 0, radius};
    rod.element_count = ELEMENTS;
    return rod;
}

static cdg_result add_bars(cdg_world *world) {
    cdg_obstacle_def bar = cdg_obstacle_def_default();
    bar.shape.kind = CDG_SHAPE_CAPSULE;
    bar.shape.radius = radius;
    bar.shape.length = 0.1;
    bar.shape.orientation = (cdg_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    cdg_result result = CDG_OK;
    for (int side = -1; side <= 1 && result == CDG_OK; side += 2) {
        bar.shape.position = (cdg_vec3){0.5 * span * side, 0, -radius};
        result = cdg_world_add_obstacle(world, &bar, NULL);
    }
    return result;
}

static cdg_result add_drag(cdg_world *world) {
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 20;
    return cdg_world_add_load(world, &drag, NULL);
}

static cdg_result rest(const validation_context *context, const resting_rod *it, double *sag, cdg_energy *energy,
                       cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, (cdg_vec3){0, 0, -gravity});
    def.step = it->step;
    def.thread_count = 1;
    cdg_rod_def rod = rod_of(it);
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id id = {0};
    cdg_vec3 at[ELEMENTS + 1] = {{0, 0, 0}};
    result = add_bars(world);
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &id);
    if (result == CDG_OK) result = add_drag(world);
    for (int i = 0; i * it->step < 0.5 && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    if (result == CDG_OK) result = cdg_rod_positions(world, id, at);
    if (result == CDG_OK) result = cdg_rod_energy(world, id, energy);
    *sag = radius - at[ELEMENTS / 2].z;
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_resting_bars(validation_context *context, cdg_error *error) {
    static const resting_rod rods[] = {
        {VALIDATION_CORDE, CDG_MODEL_CORDE, false, 1e-3},       {VALIDATION_DER_EXPLICIT, CDG_MODEL_DER, false, 2e-5},
        {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false, 2e-3}, {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false, 1e-3},
        {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false, 5e-4}, {VALIDATION_DER_IMPLICIT, CDG_MODEL_DER, true, 2e-3},
        {VALIDATION_DIRECT, CDG_MODEL_POBD, true, 2e-3},        {VALIDATION_REFERENCE, CDG_MODEL_REFERENCE, true, 2e-3},
        {VALIDATION_GALPHA, CDG_MODEL_GALPHA, true, 2e-3}};
    char label[VALIDATION_TEXT_SIZE];
    for (size_t i = 0; i < sizeof rods / sizeof *rods; i++) {
        const char *name = validation_model_name(rods[i].name);
        double sag = 0, step = 1e3 * rods[i].step;
        cdg_energy energy = {0};
        validation_under(context, rods[i].name);
        cdg_result result = rest(context, &rods[i], &sag, &energy, error);
        if (result != CDG_OK) return result;
        snprintf(label, sizeof label, "sag, %s, steps of %g ms", name, step);
        validation_add_relative(context, label, "m", sag, beam_sag(rods[i].model == CDG_MODEL_DER ? INFINITY : 0.9),
                                0.05);
        snprintf(label, sizeof label, "stretching and shearing, %s, steps of %g ms", name, step);
        validation_add_limit(context, label, "of bending", (energy.stretch + energy.shear) / energy.bend, 0.1);
    }
    return CDG_OK;
}
