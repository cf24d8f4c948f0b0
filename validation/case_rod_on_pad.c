// A rod that is pressed onto a soft pad: a beam on an elastic layer (Biot 1937). The pad is a wall that the rod lies
// along, one cell across and of a material that does not give way sideways, so that it is a layer in two dimensions,
// held below. A
// wave of pressure p cos(kx) on such a layer, without friction, moves its surface by
//     c(k) p,  c(k) = 2/(E k) (3 sinh 2kH - 2kH)/(3 cosh 2kH + 2 (kH)^2 + 5),
// and a force F in the middle of a long rod of bending stiffness B that stays in contact sinks by
//     w(x) = F/pi times the integral over k of cos(kx)/(B k^4 + thickness/c(k)).
// A load along all of the rod keeps it in contact; what is compared is what F adds. There is no friction, and far away
// the rod's ends are pinned, or it would slide off sideways.
#include "math/vec3.h"
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

static const double pi = 3.141592653589793;
static const double modulus = 1e5, height = 0.1, width = 0.05, length = 0.6; // of the pad, Pa, m
static const double rod_modulus = 8e8, radius = 4e-3;                        // Pa, m
static const double force = 2, line = 2;                                     // N, N/m
static const double thickness_share = 0.05;                                  // of surfaces in contact, in edges
enum { ELEMENTS = 50, STEPS = 8 };

// ---- the theory -----------------------------------------------------------------------------------------------------

static double stiffness_of(double k) {                              // N/m per m of a wave
    double q = k * height, decay = exp(-4 * q), once = exp(-2 * q); // all over exp(2 q)/2
    double above = 3 * (1 - decay) - 4 * q * once, below = 3 * (1 + decay) + (4 * q * q + 10) * once;
    return width * modulus * k / 2 * below / above;
}

static double sinks(double x) {
    const double bend = rod_modulus * pi * pow(radius, 4) / 4, step = 0.05, most = 2000;
    double sum = 0;
    for (double k = 0.5 * step; k < most; k += step) sum += cos(k * x) / (bend * pow(k, 4) + stiffness_of(k));
    return force / pi * step * sum;
}

// ---- simulation -----------------------------------------------------------------------------------------------------

static cdg_result add_pad(const validation_context *context, cdg_world *world, double cell, cdg_error *error) {
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {length, cell, height}, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    cdg_solid_support_def held = cdg_solid_support_def_default();
    def.integrator = CDG_SOLID_EULER;
    def.young_modulus = modulus * context->factor.stretch, def.poisson_ratio = 0, def.density = 100;
    cdg_result result = cdg_shape_mesh(&box, cell * (1 + 1e-9), &def.mesh, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < def.mesh.point_count; i++) def.mesh.points[i].y *= width / cell; // one cell all across
    result = cdg_world_add_solid(world, &def, &held.solid);
    cdg_mesh_free(&def.mesh);
    held.region = &(cdg_shape){.kind = CDG_SHAPE_PLANE,
                               .position = vec3(0, 0, -0.5 * height * (1 - 1e-6)),
                               .orientation = {1, 0, 0, 0},
                               .normal = vec3(0, 0, 1)};
    if (result == CDG_OK) result = cdg_world_add_solid_support(world, &held, NULL);
    return validation_fail(world, result, error);
}

static cdg_result add_rod(const validation_context *context, cdg_world *world, double cell, cdg_rod_id *out,
                          cdg_support_id pins[2], cdg_error *error) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rod", rod.model = CDG_MODEL_DER;
    rod.centerline.line.from = vec3(-0.5 * length, 0, 0.5 * height + radius + 1.02 * thickness_share * cell);
    rod.centerline.line.to = rod.centerline.line.from;
    rod.centerline.line.to.x = 0.5 * length;
    rod.element_count = ELEMENTS;
    rod.section.radius = radius;
    rod.material.young_modulus = rod_modulus, rod.material.density = 1000;
    rod.material.damping_stretch = rod.material.damping_bend = rod.material.damping_twist = 0.01;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_load_def along = cdg_load_def_default(), middle = cdg_load_def_default();
    result = cdg_world_add_rod(world, &rod, out);
    along.kind = CDG_LOAD_LINE, along.place.rod = *out, along.value = vec3(0, 0, -line), along.ramp = 0.2;
    middle.kind = CDG_LOAD_FORCE, middle.place = (cdg_place){*out, CDG_PLACE_NODE, ELEMENTS / 2};
    middle.value = vec3(0, 0, -force), middle.from = 0.1 * STEPS, middle.ramp = 0.2;
    if (result == CDG_OK) result = cdg_world_add_load(world, &along, NULL);
    if (result == CDG_OK) result = cdg_world_add_load(world, &middle, NULL);
    for (size_t end = 0; end < 2 && result == CDG_OK; end++) {
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {*out, CDG_PLACE_NODE, end * ELEMENTS}};
        result = cdg_world_add_support(world, &pin, &pins[end]);
    }
    return validation_fail(world, result, error);
}

static cdg_result press(validation_context *context, double cell, cdg_vec3 before[ELEMENTS + 1],
                        cdg_vec3 after[ELEMENTS + 1], double *pressed, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    cdg_rod_id rod = {0};
    cdg_support_id pins[2];
    def.gravity = vec3(0, 0, 0);
    def.step = 0.1; // inertia is next to nothing then
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, &world, error);
    if (result == CDG_OK) result = add_pad(context, world, cell, error);
    if (result == CDG_OK) result = add_rod(context, world, cell, &rod, pins, error);
    for (int i = 0; i < 2 * STEPS && result == CDG_OK; i++) {
        result = validation_fail(world, cdg_world_step(world, NULL), error);
        if (i == STEPS - 1 && result == CDG_OK) result = cdg_rod_positions(world, rod, before);
        validation_progress(context, 0.5 * i / STEPS);
    }
    if (result == CDG_OK) result = cdg_rod_positions(world, rod, after);
    *pressed = 0;
    size_t count = result == CDG_OK ? cdg_world_contact_count(world) : 0;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_contact_info info;
        result = cdg_world_contact_at(world, i, &info);
        *pressed += fabs(info.force.z);
    }
    for (int end = 0; end < 2 && result == CDG_OK; end++) {
        cdg_vec3 held, moment;
        result = cdg_support_reaction(world, pins[end], &held, &moment);
        if (result == CDG_OK) *pressed += held.z;
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_rod_on_pad(validation_context *context, cdg_error *error) {
    const double cell = height / (context->is_quick ? 8 : 10);
    cdg_vec3 before[ELEMENTS + 1], after[ELEMENTS + 1];
    double pressed;
    cdg_result result = press(context, cell, before, after, &pressed, error);
    if (result != CDG_OK) return result;
    static const int away[] = {0, 2, 5};
    for (int i = 0; i < 3; i++) {
        char label[VALIDATION_TEXT_SIZE];
        int left = ELEMENTS / 2 - away[i], right = ELEMENTS / 2 + away[i];
        double x = away[i] * length / ELEMENTS;
        double sunk = 0.5 * (before[left].z - after[left].z + before[right].z - after[right].z);
        snprintf(label, sizeof label, "a rod pressed onto a soft pad sinks %g mm beside the force by", 1e3 * x);
        validation_add_relative(context, label, "m", sunk, sinks(x), 0.03);
    }
    validation_add_relative(context, "force between rod and pad, and of the pins", "N", pressed, force + line * length,
                            1e-3);
    return CDG_OK;
}
