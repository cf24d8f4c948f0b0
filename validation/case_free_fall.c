// Free fall of an unsupported rod. Every node has the same acceleration g, so the rod must fall without strain or spin,
// and its centre of mass by g t^2/2 plus what the time integrator is known to add for constant acceleration from rest:
//   implicit Euler: x_n = g h^2 n (n + 1)/2, that is g t h/2 too much;
//   BDF2 started with one Euler step: velocities are exact, the start leaves e_1 = g h^2/2, and
//   3 e_n = 4 e_{n-1} - e_{n-2} carries it to 3/4 g h^2 (1 - 3^-n).
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 20, STEPS = 500 };
static const double step = 1e-3, gravity = 9.81;

// Height of the centre of mass: the end nodes carry half an element, all others a whole one.
static double centre_height(const cdg_vec3 *positions) {
    double sum = (positions[0].z + positions[ELEMENTS].z) / 2;
    for (size_t i = 1; i < ELEMENTS; i++) sum += positions[i].z;
    return sum / ELEMENTS;
}

typedef struct fall {
    double height;        // m fallen
    double strain_energy; // J
    double spin;          // |angular momentum about the centre of mass| / |linear momentum|, m
} fall;

static cdg_result drop(const validation_context *context, const cdg_pobd_options *options, fall *out,
                       cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id rod = {0};
    cdg_vec3 positions[ELEMENTS + 1], linear, angular;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.gravity = validation_spoil_gravity(context, (cdg_vec3){0, 0, -gravity});
    world_def.step = step;
    world_def.thread_count = context->thread_count;
    cdg_result result = cdg_world_create(&world_def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd = *options;
    def.element_count = ELEMENTS;
    def.centerline.line.from = (cdg_vec3){-0.3, -0.2, 0.4}; // centre of mass in the origin
    def.centerline.line.to = (cdg_vec3){0.3, 0.2, -0.4};
    result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) goto done;
    result = cdg_world_add_rod(world, &def, &rod);
    if (result == CDG_OK) result = cdg_rod_positions(world, rod, positions);
    double start = result == CDG_OK ? centre_height(positions) : 0;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    if (result == CDG_OK) result = cdg_rod_positions(world, rod, positions);
    if (result != CDG_OK) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
        goto done;
    }
    cdg_energy energy = cdg_world_energy(world);
    cdg_world_momentum(world, &linear, &angular);
    out->height = start - centre_height(positions);
    out->strain_energy = energy.stretch + energy.shear + energy.bend + energy.twist;
    // The centre of mass falls along the z axis, so momentum about the origin and about it are the same.
    out->spin = sqrt(angular.x * angular.x + angular.y * angular.y + angular.z * angular.z) / fabs(linear.z);
done:
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_free_fall(validation_context *context, cdg_error *error) {
    static const struct {
        const char *name;
        cdg_pobd_solver solver;
        cdg_pobd_integrator integrator;
    } variants[] = {
        {"direct, bdf2", CDG_POBD_DIRECT, CDG_POBD_BDF2},
        {"direct, euler", CDG_POBD_DIRECT, CDG_POBD_EULER},
        {"gauss_seidel, euler", CDG_POBD_GAUSS_SEIDEL, CDG_POBD_EULER},
    };
    const size_t count = sizeof variants / sizeof *variants;
    for (size_t i = 0; i < count; i++) {
        validation_progress(context, (double)i / (double)count);
        fall result = {0};
        char label[VALIDATION_TEXT_SIZE];
        cdg_pobd_options options = cdg_pobd_options_default();
        options.solver = variants[i].solver;
        options.integrator = variants[i].integrator;
        cdg_result code = drop(context, &options, &result, error);
        if (code != CDG_OK) return code;

        double time = STEPS * step;
        double extra = options.integrator == CDG_POBD_EULER ? gravity * time * step / 2
                                                            : 0.75 * gravity * step * step * (1 - pow(3, -STEPS));
        validation_under(context, options.solver == CDG_POBD_DIRECT ? VALIDATION_DIRECT : VALIDATION_GAUSS_SEIDEL);
        snprintf(label, sizeof label, "fall in %g s (%s)", time, variants[i].name);
        // 500 steps of a few roundings each
        validation_add_relative(context, label, "m", result.height, gravity * time * time / 2 + extra, 1e-11);
        // The strain energy's own scale: one part in 1e10 of stretching the rod, E A L (1e-10)^2/2 = 6e-20 J.
        snprintf(label, sizeof label, "strain energy (%s)", variants[i].name);
        validation_add_limit(context, label, "J", result.strain_energy, 1e-19);
        snprintf(label, sizeof label, "spin, as a lever arm (%s)", variants[i].name);
        validation_add_limit(context, label, "m", result.spin, 1e-10);
    }
    validation_progress(context, 1);
    return CDG_OK;
}
