// A rope hangs between two pins and comes to rest. Its sag is compared with the catenary of the same length.
// The shortest program that simulates anything: a world, a rod, two supports, steps.
#include <cordage/cordage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 60 };
static const double span = 0.9, length = 1; // m

// The catenary y = a cosh(x / a) of this length over this span: 2 a sinh(span / 2 a) = length, by bisection.
static double catenary_sag(void) {
    double low = 0.05, high = 10;
    for (int i = 0; i < 100; i++) {
        double a = 0.5 * (low + high);
        if (2 * a * sinh(span / (2 * a)) > length)
            low = a;
        else
            high = a;
    }
    return low * (cosh(span / (2 * low)) - 1);
}

static cdg_result build(cdg_world *world, cdg_rod_id *rope) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.element_count = ELEMENTS;
    def.material.young_modulus = 5e6;
    def.material.damping_bend = def.material.damping_stretch = 0.05;
    def.section.radius = 2e-3;
    def.centerline.kind = CDG_CENTERLINE_LINE;
    def.centerline.line.from = (cdg_vec3){0, 0, 0};
    def.centerline.line.to = (cdg_vec3){length, 0, 0};
    cdg_result result = cdg_world_add_rod(world, &def, rope);
    if (result != CDG_OK) return result;

    cdg_support_def left = {.kind = CDG_SUPPORT_PIN, .place = {.rod = *rope, .index = 0}};
    result = cdg_world_add_support(world, &left, NULL);
    if (result != CDG_OK) return result;

    // The right end goes 10 cm inwards during the first second.
    cdg_motion inwards = {.kind = CDG_MOTION_MOVE, .move = {span - length, 0, 0}, .to = 1, .ease = CDG_EASE_SMOOTH};
    cdg_support_def right = {
        .kind = CDG_SUPPORT_PIN, .place = {.rod = *rope, .index = ELEMENTS}, .motions = &inwards, .motion_count = 1};
    result = cdg_world_add_support(world, &right, NULL);
    if (result != CDG_OK) return result;

    cdg_load_def drag = cdg_load_def_default(); // settles the rope
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 4;
    return cdg_world_add_load(world, &drag, NULL);
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def def = cdg_world_def_default();
    def.step = 0.01;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    cdg_rod_id rope;
    cdg_result result = build(world, &rope);
    while (result == CDG_OK && cdg_world_time(world) < 5) result = cdg_world_step(world, NULL);
    cdg_vec3 nodes[ELEMENTS + 1];
    if (result == CDG_OK) result = cdg_rod_positions(world, rope, nodes);
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    double sag = -nodes[ELEMENTS / 2].z, theory = catenary_sag();
    printf("sag %.4f m, catenary %.4f m\n", sag, theory);
    cdg_world_destroy(world);
    return fabs(sag - theory) < 0.02 * theory ? EXIT_SUCCESS : EXIT_FAILURE;
}
