// Building the workloads' worlds through the public API.
#include "bench/hanging_rod.h"

#include <stdio.h>

cdg_result hanging_rods_fail(const cdg_world *world, cdg_result result, cdg_error *error) {
    error->code = result;
    snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    return result;
}

cdg_result hanging_rods_build(const hanging_rods *what, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = what->step;
    world_def.thread_count = what->thread_count;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < what->rod_count && result == CDG_OK; i++) {
        char name[32];
        cdg_rod_id rod = {0};
        cdg_support_id support = {0};
        cdg_rod_def def = cdg_rod_def_default();
        double offset = 0.01 * (double)i;
        snprintf(name, sizeof name, "rod%zu", i);
        def.name = name;
        def.element_count = what->element_count;
        def.pobd.solver = what->solver;
        def.pobd.integrator = what->integrator;
        def.pobd.iterations = what->iterations;
        def.pobd.tolerance = 0; // every iteration is carried out
        def.centerline.line.from = (cdg_vec3){0, offset, 0};
        def.centerline.line.to = (cdg_vec3){1, offset, 0};
        result = cdg_world_add_rod(*out, &def, &rod);
        if (result != CDG_OK) break;
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
        result = cdg_world_add_support(*out, &clamp, &support);
    }
    if (result != CDG_OK) {
        hanging_rods_fail(*out, result, error);
        cdg_world_destroy(*out);
        *out = NULL;
    }
    return result;
}

cdg_result hanging_rods_step(void *world) { return cdg_world_step(world, NULL); }
