// A bent, flat rod thrown spinning into empty space: momentum over 10,000 steps (Kugelstadt and Schömer
// 2016, section 8: the solver conserves linear and angular momentum).
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>

static double norm(cdg_vec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
static double distance(cdg_vec3 a, cdg_vec3 b) { return norm((cdg_vec3){a.x - b.x, a.y - b.y, a.z - b.z}); }

typedef struct drift {
    double linear, angular; // largest over the flight, relative
} drift;

static cdg_result fly(const validation_context *context, cdg_pobd_solver solver, drift *out, cdg_error *error) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {10e-3, 4e-3}};
    rod.element_count = 30;
    rod.pobd.solver = solver;
    rod.pobd.iterations = solver == CDG_POBD_DIRECT ? 5 : 20;
    rod.rest.kind = CDG_REST_CURVATURE; // starts straight: it springs into an arc and goes on vibrating
    rod.rest.curvature[0] = 2;
    rod.rest.twist = 1;
    rod.velocity = (cdg_vec3){0.3, -0.2, 0.5};
    rod.angular_velocity = (cdg_vec3){0.5, 1, 3};
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;

    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    // Without gravity momentum is constant; so that the case can fail, a wrong `gravity` factor g gives (g - 1) m/s^2.
    def.gravity = (cdg_vec3){0, 0, context->factor.gravity - 1};
    def.step = 1e-3;
    def.thread_count = 1;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    result = cdg_world_add_rod(world, &rod, NULL);
    cdg_vec3 linear0, angular0, linear, angular;
    cdg_world_momentum(world, &linear0, &angular0);
    *out = (drift){0, 0};
    for (int i = 1; i <= 10000 && result == CDG_OK; i++) {
        result = cdg_world_step(world, NULL);
        if (i % 100 != 0) continue;
        cdg_world_momentum(world, &linear, &angular);
        out->linear = fmax(out->linear, distance(linear, linear0) / norm(linear0));
        out->angular = fmax(out->angular, distance(angular, angular0) / norm(angular0));
        validation_progress(context, (solver + i / 10000.0) / 2);
    }
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_free_flight(validation_context *context, cdg_error *error) {
    const char *names[] = {"direct", "gauss_seidel"};
    for (int solver = 0; solver < 2; solver++) {
        drift d;
        cdg_result result = fly(context, (cdg_pobd_solver)solver, &d, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, solver == CDG_POBD_DIRECT ? VALIDATION_DIRECT : VALIDATION_GAUSS_SEIDEL);
        snprintf(label, sizeof label, "linear momentum, relative drift, %s", names[solver]);
        // 10,000 steps of rounding at 1e-16 of positions that grow to some 6 m
        validation_add_limit(context, label, "", d.linear, 1e-9);
        snprintf(label, sizeof label, "angular momentum, relative drift, %s", names[solver]);
        validation_add_limit(context, label, "", d.angular, 0.01);
    }
    return CDG_OK;
}
