// A gripper holds a cable by its end and follows a target that is only known while the simulation runs, as a robot's
// controller would: before each step the support is given a new pose, after it the force on the gripper is read.
#include <cordage/cordage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 40 };
static const double step = 0.005;          // s
static const double gain = 0.05;           // m/s per N: how fast the gripper gives way to the pull it wants to hold
static const double wanted_tension = 0.30; // N
static const double filter_time = 0.25;    // s: a cable is stiff, so a sensor without a filter would make it ring

typedef struct gripper {
    cdg_support_id support;
    cdg_vec3 position;
} gripper;

static cdg_result build(cdg_world *world, cdg_rod_id *cable, gripper *out) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "cable";
    def.element_count = ELEMENTS;
    def.section.radius = 3e-3;
    def.material.young_modulus = 20e6;
    def.material.damping_bend = def.material.damping_stretch = 0.02;
    def.centerline.kind = CDG_CENTERLINE_LINE;
    def.centerline.line.to = (cdg_vec3){0.5, 0, 0};
    cdg_result result = cdg_world_add_rod(world, &def, cable);
    if (result != CDG_OK) return result;
    cdg_support_def wall = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = *cable, .index = 0}};
    result = cdg_world_add_support(world, &wall, NULL);
    if (result != CDG_OK) return result;
    cdg_support_def hold = {.kind = CDG_SUPPORT_PIN, .place = {.rod = *cable, .index = ELEMENTS}};
    out->position = def.centerline.line.to;
    return cdg_world_add_support(world, &hold, &out->support);
}

// Slacken the cable, then pull until it has the tension that is wanted.
static cdg_result control(cdg_world *world, gripper *g, double *tension) {
    cdg_vec3 force, moment;
    cdg_result result = cdg_support_reaction(world, g->support, &force, &moment);
    if (result != CDG_OK) return result;
    *tension += (force.x - *tension) * step / filter_time;
    g->position.x += cdg_world_time(world) < 0.25 ? -0.1 * step : gain * (wanted_tension - *tension) * step;
    return cdg_support_set_pose(world, g->support, &g->position, NULL);
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def def = cdg_world_def_default();
    def.step = step;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    cdg_rod_id cable;
    gripper g;
    double tension = 0;
    cdg_result result = build(world, &cable, &g);
    while (result == CDG_OK && cdg_world_time(world) < 8) {
        result = cdg_world_step(world, NULL);
        if (result == CDG_OK) result = control(world, &g, &tension);
    }
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    printf("gripper at %.4f m, tension %.4f N, %.2f N wanted\n", g.position.x, tension, wanted_tension);
    cdg_world_destroy(world);
    return fabs(tension - wanted_tension) < 0.02 * wanted_tension ? EXIT_SUCCESS : EXIT_FAILURE;
}
