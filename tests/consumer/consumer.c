// A user's C program: a rod clamped at one end falls for a while under gravity. Exits 0 when the tip went down.
#include <cordage/cordage.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    cdg_error error = {0};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 0.005;
    cdg_world *world = NULL;
    if (cdg_world_create(&world_def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }

    cdg_rod_def rod_def = cdg_rod_def_default();
    rod_def.name = "cable";
    rod_def.element_count = 20;
    cdg_rod_id rod;
    cdg_result result = cdg_world_add_rod(world, &rod_def, &rod);
    if (result == CDG_OK) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
        cdg_support_id support;
        result = cdg_world_add_support(world, &clamp, &support);
    }
    cdg_step_report report = {0};
    for (int i = 0; i < 20 && result == CDG_OK; i++) result = cdg_world_step(world, &report);

    cdg_vec3 positions[21] = {0};
    if (result == CDG_OK) result = cdg_rod_positions(world, rod, positions);
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    printf("cordage %s: t = %g s, tip at (%g, %g, %g) m\n", cdg_version(), report.time, positions[20].x,
           positions[20].y, positions[20].z);
    cdg_world_destroy(world);
    return positions[0].z == 0 && positions[20].z < -1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
