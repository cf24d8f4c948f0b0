// Motion of der rods: natural frequencies of a cantilever, an inextensible pendulum with RATTLE over 10^5 steps, a
// stiff wire at long steps.
#include "validation/case_functions.h"
#include "validation/der_rods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cdg_result validate_der_modes(validation_context *context, cdg_error *error) {
    static const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349};
    cdg_rod_def def = der_unit_rod(60, 1e-3, 0.8);
    def.stiffness.bend[1] = 1e6; // one plane only
    der_world d;
    cdg_result result = der_world_make(context, &def, (cdg_vec3){0}, 1e-3, &d, error);
    if (result != CDG_OK) return result;
    double found[4];
    result = der_world_support(&d, CDG_SUPPORT_CLAMP, 0, NULL, NULL);
    if (result == CDG_OK) result = cdg_rod_find_modes(d.world, d.rod, 4, found, NULL);
    for (int i = 0; i < 4 && result == CDG_OK; i++) {
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "frequency %d of a cantilever, 60 elements", i + 1);
        validation_add_relative(context, label, "Hz", found[i], roots[i] * roots[i] / 6.283185307179586, 5e-3);
    }
    return der_world_close(&d, result, error);
}

// A rope of ten links let go level: energy and lengths over 10^5 steps. Then the same rope hung and pushed a little:
// its slowest swing, omega sqrt(L/g) = 1.2024 for the chain without bending stiffness.
cdg_result validate_der_pendulum(validation_context *context, cdg_error *error) {
    enum { ELEMENTS = 10, STEPS = 100000 };
    const double gravity = 9.81;
    cdg_rod_def def = der_unit_rod(ELEMENTS, 1e-3, 1e-4);
    def.stiffness.bend[0] = def.stiffness.bend[1] = 1e-4; // a rope beside its weight
    def.der.integrator = CDG_DER_EXPLICIT;
    def.der.constraint = CDG_DER_CONSTRAINT_RATTLE;
    cdg_rod_def level = def;
    der_world d;
    cdg_result result = der_world_make(context, &level, (cdg_vec3){0, 0, -gravity}, 1e-4, &d, error);
    if (result != CDG_OK) return result;
    result = der_world_support(&d, CDG_SUPPORT_PIN, 0, NULL, NULL);
    double start = cdg_world_energy(d.world).total, drift = 0, worst = 0, depth = gravity / 2;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        result = cdg_world_step(d.world, NULL);
        if (i % 100 != 99 || result != CDG_OK) continue;
        cdg_vec3 x[ELEMENTS + 1];
        drift = fmax(drift, fabs(cdg_world_energy(d.world).total - start) / depth);
        result = cdg_rod_positions(d.world, d.rod, x);
        for (int j = 0; j < ELEMENTS; j++) {
            double a = x[j + 1].x - x[j].x, b = x[j + 1].y - x[j].y, c = x[j + 1].z - x[j].z;
            worst = fmax(worst, fabs(sqrt(a * a + b * b + c * c) * ELEMENTS - 1));
        }
        validation_progress(context, 0.8 * i / STEPS);
    }
    if (result == CDG_OK) {
        validation_add_limit(context, "largest change of energy in 100,000 steps, against m g L/2", "", drift, 5e-3);
        validation_add_limit(context, "largest error of an element's length", "l", worst, 1e-9);
    }
    result = der_world_close(&d, result, error);
    if (result != CDG_OK) return result;

    enum { LINKS = 40 };
    def.element_count = LINKS;
    def.stiffness.bend[0] = def.stiffness.bend[1] = 1e-6;
    def.centerline.line.to = (cdg_vec3){1e-2, 0, -sqrt(1 - 1e-4)};
    result = der_world_make(context, &def, (cdg_vec3){0, 0, -gravity}, 5e-4, &d, error);
    if (result != CDG_OK) return result;
    result = der_world_support(&d, CDG_SUPPORT_PIN, 0, NULL, NULL);
    // Nearly the first mode's shape: the time of ten passages of the tip's moving average tells the period.
    double before = 0, first = 0, last = 0;
    int passages = 0;
    for (int i = 1; i <= 20000 && result == CDG_OK; i++) {
        cdg_vec3 x[LINKS + 1] = {{0}};
        result = cdg_world_step(d.world, NULL);
        if (result == CDG_OK) result = cdg_rod_positions(d.world, d.rod, x);
        double middle = 0; // projection on a shape that the second mode hardly has: the mean of the rope
        for (int j = 0; j <= LINKS; j++) middle += x[j].x;
        if (before * middle < 0) {
            last = 5e-4 * (i - middle / (middle - before));
            if (passages++ == 0) first = last;
        }
        before = middle;
    }
    if (result == CDG_OK)
        validation_add_relative(context, "slowest swing of a hanging chain, omega sqrt(L/g)", "",
                                3.14159265358979324 * (passages - 1) / (last - first) / sqrt(gravity), 1.2024127788,
                                1e-2);
    return der_world_close(&d, result, error);
}

// Steel, 1 m long, 1 mm radius, clamped level and let go: 10 ms steps where the explicit limit is 0.4 microseconds.
cdg_result validate_der_stiff_wire(validation_context *context, cdg_error *error) {
    enum { ELEMENTS = 200, STEPS = 400, PERIODS = 142 }; // two periods of the first mode, in steps
    const double radius = 1e-3, density = 7850, young_modulus = 200e9, gravity = 1; // so light that the sag is linear
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.section.radius = radius;
    def.material.young_modulus = young_modulus, def.material.poisson_ratio = 0.3, def.material.density = density;
    def.element_count = ELEMENTS;
    der_world d;
    cdg_result result = der_world_make(context, &def, (cdg_vec3){0, 0, -gravity}, 10e-3, &d, error);
    if (result != CDG_OK) return result;
    result = der_world_support(&d, CDG_SUPPORT_CLAMP, 0, NULL, NULL);
    double iterations = 0, mean = 0;
    int most = 0;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        cdg_step_report report;
        cdg_vec3 x[ELEMENTS + 1];
        result = cdg_world_step(d.world, &report);
        if (result == CDG_OK) result = cdg_rod_positions(d.world, d.rod, x);
        iterations += report.iterations;
        if (report.iterations > most) most = report.iterations;
        if (i >= STEPS - PERIODS) mean += x[ELEMENTS].z / PERIODS;
    }
    if (result == CDG_OK) {
        validation_add_limit(context, "Newton iterations a step, mean", "", iterations / STEPS, 6);
        validation_add_limit(context, "Newton iterations a step, most", "", most, 12);
        // it swings about its static sag w L^4/(8 B)
        double sag = density * gravity / young_modulus * 4 / (radius * radius) / 8;
        validation_add_relative(context, "mean sag of the tip", "m", -mean, sag, 0.02);
    }
    return der_world_close(&d, result, error);
}
