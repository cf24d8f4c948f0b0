// A rope of 1 m hangs from a clamp, swings down, and its tip is followed. Exits 0 when all went well.
#include <cordage/cordage.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(cdg_world *world, cdg_result result) {
    fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
    cdg_world_destroy(world);
    return EXIT_FAILURE;
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def world_def = cdg_world_def_default(); // gravity along -z, automatic step, all cores
    cdg_world *world = NULL;
    if (cdg_world_create(&world_def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }

    cdg_rod_def rope = cdg_rod_def_default(); // 1 m along x, circle of 2 mm, 50 elements
    rope.name = "rope";
    rope.material.young_modulus = 5e6; // Pa
    rope.material.damping_bend = 0.01; // s
    rope.section.radius = 3e-3;        // m
    cdg_rod_id rod;
    cdg_result result = cdg_world_add_rod(world, &rope, &rod);
    if (result != CDG_OK) return fail(world, result);

    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    cdg_support_id held;
    result = cdg_world_add_support(world, &clamp, &held);
    if (result != CDG_OK) return fail(world, result);

    const cdg_probe tip = {.kind = CDG_PROBE_POSITION, .place = {.rod = rod, .index = rope.element_count}};
    for (int output = 0; output <= 10; output++) {
        while (cdg_world_time(world) < 0.1 * output) {
            result = cdg_world_step(world, NULL);
            if (result != CDG_OK) return fail(world, result); // the world is still at its last good time
        }
        double place[CDG_PROBE_COLUMNS_MAX];
        result = cdg_world_measure(world, &tip, place);
        if (result != CDG_OK) return fail(world, result);
        printf("%.2f s: tip at (%.3f, %.3f, %.3f) m\n", cdg_world_time(world), place[0], place[1], place[2]);
    }
    cdg_vec3 force, moment;
    result = cdg_support_reaction(world, held, &force, &moment);
    if (result != CDG_OK) return fail(world, result);
    printf("the clamp carries %.3f N\n", force.z);
    cdg_world_destroy(world);
    return EXIT_SUCCESS;
}
