// A cord that lies on a table, held at one end or both, stays where it is: what is held pushes nobody, and what touches
// the table exactly, or lies in it by a rounding error, is not thrown up by it.
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 50, DEPTHS = 4 };
static const double radius = 5e-3, length = 1, young_modulus = 1e6, density = 1100, pi = 3.141592653589793;

typedef struct resting_cord {
    validation_model name;
    cdg_model model;
    bool is_implicit;
    double step, duration;
} resting_cord;

// What is the worst of all depths and supports: in radii, of weight times radius, of the weight.
typedef struct unrest {
    double moved, gained, carried;
} unrest;

static cdg_rod_def cord_of(const resting_cord *it) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "cord";
    rod.model = it->model;
    rod.pobd.solver = it->is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    rod.der.integrator = it->is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    rod.material.young_modulus = young_modulus;
    rod.material.density = density;
    rod.section.radius = radius;
    rod.centerline.line.to = (cdg_vec3){length, 0, 0};
    rod.element_count = ELEMENTS;
    return rod;
}

static cdg_result add_supports(cdg_world *world, cdg_rod_id rod, bool both_ends, cdg_support_id out[2]) {
    cdg_support_def def = {.kind = both_ends ? CDG_SUPPORT_PIN : CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    cdg_result result = cdg_world_add_support(world, &def, &out[0]);
    def.place.index = ELEMENTS;
    return result == CDG_OK && both_ends ? cdg_world_add_support(world, &def, &out[1]) : result;
}

static double weight_carried(const cdg_world *world, cdg_rod_id rod, const cdg_support_id *supports, int count) {
    cdg_vec3 sum = {0, 0, 0};
    cdg_rod_contact_force(world, rod, &sum, NULL);
    for (int i = 0; i < count; i++) {
        cdg_vec3 force, moment;
        if (cdg_support_reaction(world, supports[i], &force, &moment) == CDG_OK) sum.z += force.z;
    }
    return sum.z;
}

static double total(const cdg_world *world) { return cdg_world_energy(world).total; }

static cdg_result lie(const validation_context *context, const resting_cord *it, bool both_ends, double depth,
                      unrest *worst, cdg_error *error) {
    const double weight = 9.81 * density * pi * radius * radius * length;
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, (cdg_vec3){0, 0, -9.81});
    def.step = it->step;
    def.thread_count = 1;
    cdg_world *world = NULL;
    cdg_result result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_obstacle_def table = cdg_obstacle_def_default();
    table.friction = 0.3;
    table.shape.offset = (depth - 1) * radius;
    cdg_rod_def rod = cord_of(it);
    cdg_rod_id id = {0};
    cdg_support_id supports[2];
    cdg_vec3 before[ELEMENTS + 1], after[ELEMENTS + 1];
    result = cdg_world_add_obstacle(world, &table, NULL);
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &id);
    if (result == CDG_OK) result = add_supports(world, id, both_ends, supports);
    if (result == CDG_OK) result = cdg_rod_positions(world, id, before);
    double start = result == CDG_OK ? total(world) : 0;
    for (int i = 0; i * it->step < it->duration && result == CDG_OK; i++) {
        result = cdg_world_step(world, NULL);
        if (result != CDG_OK) break;
        worst->gained = fmax(worst->gained, (total(world) - start) / (weight * radius));
        cdg_rod_positions(world, id, after);
        for (int k = 0; k <= ELEMENTS; k++)
            worst->moved = fmax(
                worst->moved,
                hypot(hypot(after[k].x - before[k].x, after[k].y - before[k].y), after[k].z - before[k].z) / radius);
    }
    if (result == CDG_OK)
        worst->carried =
            fmax(worst->carried, fabs(weight_carried(world, id, supports, both_ends ? 2 : 1) / weight - 1));
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_at_rest(validation_context *context, cdg_error *error) {
    static const resting_cord models[] = {{VALIDATION_CORDE, CDG_MODEL_CORDE, false, 2e-4, 0.1},
                                          {VALIDATION_REFERENCE, CDG_MODEL_REFERENCE, true, 5e-3, 0.2},
                                          {VALIDATION_DER_EXPLICIT, CDG_MODEL_DER, false, 2e-4, 0.1},
                                          {VALIDATION_DER_IMPLICIT, CDG_MODEL_DER, true, 5e-3, 0.5},
                                          {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false, 5e-3, 0.5},
                                          {VALIDATION_DIRECT, CDG_MODEL_POBD, true, 5e-3, 0.5},
                                          {VALIDATION_GALPHA, CDG_MODEL_GALPHA, true, 5e-3, 0.2}};
    static const double depths[DEPTHS] = {-1e-6, 0, 2e-7, 1e-6}; // of the radius; 2e-7: a billionth of the length
    char label[VALIDATION_TEXT_SIZE];
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        validation_under(context, models[i].name);
        unrest worst = {0};
        for (int k = 0; k < 2 * DEPTHS; k++) {
            cdg_result result = lie(context, &models[i], k >= DEPTHS, depths[k % DEPTHS], &worst, error);
            if (result != CDG_OK) return result;
        }
        const char *name = validation_model_name(models[i].name);
        snprintf(label, sizeof label, "largest motion, %s", name);
        validation_add_limit(context, label, "radii", worst.moved, 5e-4); // half of what contact may leave
        snprintf(label, sizeof label, "energy gained, %s", name);
        validation_add_limit(context, label, "weight x radius", worst.gained, 2e-2);
        snprintf(label, sizeof label, "weight that table and supports do not carry, %s", name);
        validation_add_limit(context, label, "of the weight", worst.carried, 1e-2);
    }
    return CDG_OK;
}
