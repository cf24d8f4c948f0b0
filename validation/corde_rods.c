// The rod of Spillmann and Teschner's comparisons, and running it.
#include "validation/corde_rods.h"

cdg_rod_def corde_comparison_rod(cdg_corde_coupling coupling) {
    const double pi = 3.14159265358979323846, area = pi * 1e-4;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_CORDE;
    rod.corde.coupling = coupling;
    rod.corde.penalty = 1e6;
    rod.centerline.line.from = (cdg_vec3){0, 0, 0};
    rod.centerline.line.to = (cdg_vec3){0, 0, -10};
    rod.element_count = 50;
    rod.has_stiffness = true;
    rod.stiffness = (cdg_stiffness){.shear = {1e6, 1e6},
                                    .stretch = 1e9 * area,
                                    .bend = {1e6 * area / 4, 1e6 * area / 4},
                                    .twist = 4e6 * area / 2,
                                    .mass = 1300 * area,
                                    .inertia = {1300 * area / 4, 1300 * area / 4, 1300 * area / 2},
                                    .radius = 0.01};
    return rod;
}

cdg_result corde_world(const validation_context *context, const cdg_rod_def *rod, cdg_vec3 gravity, cdg_world **world,
                       cdg_rod_id *id, cdg_error *error) {
    cdg_rod_def spoiled = *rod;
    cdg_result result = validation_spoil_rod(context, &spoiled, error);
    if (result != CDG_OK) return result;
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = validation_spoil_gravity(context, gravity);
    def.thread_count = 1;
    result = cdg_world_create(&def, world, error);
    if (result != CDG_OK) return result;
    result = validation_fail(*world, cdg_world_add_rod(*world, &spoiled, id), error);
    if (result != CDG_OK) {
        cdg_world_destroy(*world);
        *world = NULL;
    }
    return result;
}

cdg_result corde_run(cdg_world *world, double step, double seconds, cdg_error *error) {
    cdg_result result = cdg_world_set_step_size(world, step);
    for (long i = 0; i < (long)(seconds / step + 0.5) && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    return validation_fail(world, result, error);
}
