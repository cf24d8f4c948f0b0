// Statics and vibrations: a ruler clamped at one end sags under its weight; then its natural frequencies about that
// equilibrium are compared with those of Euler's beam.
#include <cordage/cordage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 60, MODES = 4 };
static const double length = 0.3, width = 0.03, thickness = 1.5e-3; // m
static const double young_modulus = 70e9, density = 2700;

static cdg_result build(cdg_world *world, cdg_rod_id *ruler) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "ruler";
    def.model = CDG_MODEL_DER;
    def.element_count = ELEMENTS;
    def.material.young_modulus = young_modulus;
    def.material.density = density;
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = thickness; // d1 points up here
    def.section.side[1] = width;
    def.centerline.kind = CDG_CENTERLINE_LINE;
    def.centerline.line.to = (cdg_vec3){length, 0, 0};
    cdg_result result = cdg_world_add_rod(world, &def, ruler);
    if (result != CDG_OK) return result;
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = *ruler, .index = 0}};
    return cdg_world_add_support(world, &clamp, NULL);
}

// Hz, of the first bending vibration across a side of this size.
static double euler_frequency(double side) {
    const double pi = 3.14159265358979323846, root = 1.875104068711961; // cos x cosh x = -1
    return root * root / (2 * pi * length * length) * sqrt(young_modulus * side * side / (12 * density));
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    cdg_rod_id ruler;
    cdg_equilibrium_report report;
    double frequencies[MODES] = {0};
    cdg_vec3 nodes[ELEMENTS + 1];
    cdg_result result = build(world, &ruler);
    if (result == CDG_OK) result = cdg_world_find_equilibrium(world, &report);
    if (result == CDG_OK) result = cdg_rod_positions(world, ruler, nodes);
    if (result == CDG_OK) result = cdg_rod_find_modes(world, ruler, MODES, frequencies, NULL);
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    printf("the tip sags by %.3f mm, %s; Newton took %d iterations\n", -1e3 * nodes[ELEMENTS].z,
           report.is_stable ? "stable" : "unstable", report.iterations);
    for (int i = 0; i < MODES; i++) printf("vibration %d: %.3f Hz\n", i + 1, frequencies[i]);
    double theory = euler_frequency(thickness);
    printf("Euler's beam: %.3f Hz\n", theory);
    cdg_world_destroy(world);
    double sag = 12 * density * 9.81 * pow(length, 4) / (8 * young_modulus * thickness * thickness);
    bool is_right = fabs(frequencies[0] - theory) < 0.01 * theory && fabs(-nodes[ELEMENTS].z - sag) < 0.01 * sag;
    return report.is_stable && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
