// Obstacles, contact and solids of random scenes (soak_solids.h).
#include "soak_solids.h"

#include <math.h>

// ---- obstacles ------------------------------------------------------------------------------------------------------

static void write_obstacle(writer *w, double x, double y, double z) {
    double s = even(w, 0.05, 0.15) * w->length;
    switch (whole(w, 0, 5)) {
    case 0: put(w, "  - {sphere: {radius: %.4g}", s); break;
    case 1: put(w, "  - {box: {size: [%.4g, %.4g, %.4g]}", 2 * s, 1.5 * s, s); break;
    case 2: put(w, "  - {capsule: {radius: %.4g, length: %.4g}", 0.5 * s, 2 * s); break;
    case 3: put(w, "  - {cylinder: {radius: %.4g, length: %.4g}", s, 2 * s); break;
    case 4: put(w, "  - {mesh: {file: cube.obj, scale: %.4g}", s); break;
    default: put(w, "  - {mesh: {file: tetra.stl, scale: %.4g}", s);
    }
    put(w, ", position: [%.4g, %.4g, %.4g]", x, y, z);
    if (chance(w, 0.4)) {
        put(w, ", orientation: {axis: ");
        write_direction(w);
        put(w, ", angle: %.3g}", even(w, -3, 3));
    }
    if (chance(w, 0.3)) put(w, ", friction: %.2g", even(w, 0, 1));
    if (chance(w, 0.3)) write_motion(w, 0.1 * w->length);
    put(w, "}\n");
}

void write_obstacles(writer *w, double z) {
    put(w, "obstacles:\n  - {plane: {normal: [%.2g, 0, 1], offset: %.4g}, friction: %.2g}\n", even(w, -0.1, 0.1), z,
        even(w, 0, 0.8));
    int count = whole(w, 0, 2);
    for (int i = 0; i < count; i++) write_obstacle(w, even(w, 0.1, 0.9) * w->length, even(w, 0, 0.3), z);
}

void write_contact(writer *w, bool may_separate) {
    put(w, "contact: {friction: %.2g", chance(w, 0.3) ? 0 : even(w, 0, 1));
    if (chance(w, 0.2)) put(w, ", restitution: %.2g", even(w, 0, 1));
    if (may_separate) put(w, ", separate: true");
    put(w, "}\n");
}

// ---- solids ---------------------------------------------------------------------------------------------------------

// Explicit ones are soft, or they would take hundreds of sub-steps.
static void write_solid_material(writer *w) {
    static const char *const integrators[] = {"bdf2", "bdf2", "euler", "explicit"};
    static const char *const modes[] = {"rigid", "linear", "quadratic"};
    double kind = random_unit(&w->random);
    int integrator = whole(w, 0, 3);
    bool has_springs = kind >= 0.7 && kind < 0.85;
    put(w, ", material: {density: %.3g", even(w, 100, 2000));
    if (kind < 0.85) {
        double stiffest = has_springs || integrator == 3 ? 1e5 : 1e6;
        put(w, ", young_modulus: %.3g, poisson_ratio: %.2g", decades(w, 2e4, stiffest),
            even(w, has_springs ? 0.26 : 0, 0.45));
        if (chance(w, 0.6)) put(w, ", damping_time: %.2g", decades(w, 1e-4, has_springs ? 1e-3 : 1e-2));
    }
    if (has_springs)
        put(w, "}, model: mass_spring");
    else if (kind >= 0.85)
        put(w, "}, model: shape_matching, shape_matching: {mode: %s, relaxation_time: %.2g, clusters: %d}",
            modes[whole(w, 0, 2)], decades(w, 2e-3, 1e-2), whole(w, 1, 3));
    else
        put(w, "}, integrator: %s, model: %s%s", integrators[integrator], kind < 0.35 ? "neo_hookean" : "corotational",
            integrator < 3 && chance(w, 0.2) ? ", volume_barrier: 0.2" : "");
}

// A soft block, ball, ring, ... of two or three cells across, about a place; thrown down at `down` m/s, unless it is 0.
static void write_solid(writer *w, int number, double x, double y, double z, double size, double down) {
    static const char *const shapes[] = {"box: {size: [%.4g, %.4g, %.4g]}",
                                         "sphere: {radius: %.4g}",
                                         "cylinder: {radius: %.4g, length: %.4g}",
                                         "ellipsoid: {size: [%.4g, %.4g, %.4g]}",
                                         "tube: {radius: %.4g, inner_radius: %.4g, length: %.4g}",
                                         "torus: {radius: %.4g, thickness: %.4g}"};
    int kind = whole(w, 0, 5);
    bool is_half = kind == 1 || kind == 2 || kind == 4 || kind == 5; // told by radii
    double first = size * (is_half ? 0.5 : 1), second = first * even(w, 0.4, 0.7), third = first * even(w, 0.7, 1);
    put(w, "  - {name: e%d, shape: {", number);
    put(w, shapes[kind], kind == 5 ? 0.7 * first : first, kind == 5 ? 0.3 * first : second, third);
    double cell = size * even(w, 0.3, 0.5); // balls are filled by the mesher, which wants two cells across
    if (kind == 1 || kind == 3) cell = fmin(cell, 0.5 * (kind == 3 ? second : size));
    put(w, ", resolution: %.4g}, position: [%.4g, %.4g, %.4g]", cell, x, y, z);
    write_solid_material(w);
    if (chance(w, 0.5)) {
        put(w, ", orientation: {axis: ");
        write_direction(w);
        put(w, ", angle: %.3g}", even(w, -3, 3));
    }
    if (down > 0 || chance(w, 0.4)) {
        put(w, ", velocity: ");
        if (down > 0)
            put(w, "[%.4g, %.4g, %.4g]", even(w, -0.2, 0.2) * down, even(w, -0.2, 0.2) * down, -down);
        else
            write_vector(w, w->is_wild ? 5 : 1);
        put(w, ", angular_velocity: ");
        write_vector(w, w->is_wild ? 20 : 5);
    }
    if (chance(w, 0.2)) {
        w->scene.holds_solids = true;
        put(w, ", supports: [{plane: {point: [%.4g, %.4g, %.4g], normal: [0, 0, 1]}", x, y, z + 0.2 * first);
        if (chance(w, 0.5)) write_motion(w, 0.1 * size);
        if (chance(w, 0.3)) put(w, ", release: %.3g", even(w, 1e-3, 0.05));
        put(w, "}]");
    }
    if (chance(w, 0.2)) {
        put(w, ", loads: [{force: ");
        write_vector(w, 500 * size * size * size * 9.81);
        put(w, "}]");
    }
    put(w, "}\n");
}

void write_solids(writer *w) {
    int count = whole(w, 1, 2);
    double size = even(w, 0.08, 0.2) * w->length, x = even(w, 0, 0.8) * w->length, y = even(w, -0.02, 0.1);
    double z = even(w, 0.01, 0.15) * w->length + 0.9 * size;
    w->has_solids = true;
    put(w, "solids:\n");
    double apart = even(w, 1.2, 1.9) * size, down = chance(w, 0.7) ? even(w, 0.5, 2) : 0;
    for (int i = 0; i < count; i++) write_solid(w, i, x, y, z + i * apart, size, i * down);
}
