// A law of force of one's own: a steel wire with a magnetic pole at its tip hangs beside a fixed pole that attracts it.
// The force is computed from the positions before each step and handed over as an array, node by node.
#include <cordage/cordage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 30 };
static const cdg_vec3 pole = {0.05, 0, -0.3}; // m
static const double strength = 7e-7;          // N m^2: two poles attract each other by strength / distance^2

static cdg_vec3 attraction(cdg_vec3 at) {
    cdg_vec3 d = {pole.x - at.x, pole.y - at.y, pole.z - at.z};
    double distance = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), scale = strength / (distance * distance * distance);
    return (cdg_vec3){scale * d.x, scale * d.y, scale * d.z};
}

static cdg_result build(cdg_world *world, cdg_rod_id *wire) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "wire";
    def.element_count = ELEMENTS;
    def.section.radius = 0.25e-3;
    def.material.young_modulus = 200e9;
    def.material.density = 7850;
    def.material.damping_bend = 0.05;
    def.centerline.kind = CDG_CENTERLINE_LINE;
    def.centerline.line.to = (cdg_vec3){0, 0, -0.3};
    cdg_result result = cdg_world_add_rod(world, &def, wire);
    if (result != CDG_OK) return result;
    cdg_support_def top = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = *wire, .index = 0}};
    return cdg_world_add_support(world, &top, NULL);
}

static cdg_result push(cdg_world *world, cdg_rod_id wire, cdg_vec3 *tip) {
    cdg_vec3 nodes[ELEMENTS + 1], forces[ELEMENTS + 1] = {{0, 0, 0}};
    cdg_result result = cdg_rod_positions(world, wire, nodes);
    if (result != CDG_OK) return result;
    *tip = nodes[ELEMENTS];
    forces[ELEMENTS] = attraction(nodes[ELEMENTS]);
    return cdg_rod_set_forces(world, wire, forces, NULL);
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def def = cdg_world_def_default();
    def.gravity = (cdg_vec3){0, 0, 0};
    def.step = 0.002;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    cdg_rod_id wire;
    cdg_vec3 tip = {0, 0, 0};
    cdg_result result = build(world, &wire);
    while (result == CDG_OK && cdg_world_time(world) < 2) {
        result = push(world, wire, &tip);
        if (result == CDG_OK) result = cdg_world_step(world, NULL);
    }
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    // Where the wire rests, it pulls back as a cantilever does: force = 3 E I / L^3 times the way of the tip.
    const double pi = 3.14159265358979323846, inertia = pi / 4 * pow(0.25e-3, 4);
    double stiffness = 3 * 200e9 * inertia / pow(0.3, 3), ratio = attraction(tip).x / (stiffness * tip.x);
    printf("tip at (%.5f, %.5f) m, magnetic force over that of a cantilever %.3f\n", tip.x, tip.z, ratio);
    cdg_world_destroy(world);
    return tip.x > 1e-4 && fabs(ratio - 1) < 0.02 ? EXIT_SUCCESS : EXIT_FAILURE;
}
