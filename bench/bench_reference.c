// The reference model: a whole step per element, as it swings, at two sizes.
#include "bench/case_functions.h"

#include <stdio.h>

static cdg_result step_world(void *world) { return cdg_world_step(world, NULL); }

cdg_result bench_step_reference(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {50, 1000};
    for (int n = 0; n < 2; n++) {
        cdg_world_def world_def = cdg_world_def_default();
        world_def.contact = CDG_CONTACT_OFF; // models alone
        world_def.step = 1e-3;
        world_def.thread_count = 1;
        cdg_world *world = NULL;
        cdg_result result = cdg_world_create(&world_def, &world, error);
        if (result != CDG_OK) return result;
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_REFERENCE;
        def.element_count = counts[n];
        cdg_rod_id rod = {0};
        result = cdg_world_add_rod(world, &def, &rod);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
        if (result == CDG_OK) result = cdg_world_add_support(world, &clamp, NULL);
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu elements", counts[n]);
        bench_add_row(context, label, "ns/element/step", 0);
        for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
            double seconds = bench_time(step_world, world, 0.05, &result);
            if (result == CDG_OK && i >= 0) bench_add_sample(context, 1e9 * seconds / (double)counts[n]);
            bench_progress(context, (n + (i + 1) / (double)context->repeat) / 2);
        }
        if (result != CDG_OK) {
            error->code = result;
            snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
        }
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}
