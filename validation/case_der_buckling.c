// Loads at which straight rods and rings lose their stability: found by bisection on whether the equilibrium that der
// finds is still the straight one, or on the sign of the lowest eigenvalue.
#include "validation/case_functions.h"
#include "validation/der_rods.h"

#include <math.h>
#include <stdio.h>

enum { ELEMENTS = 60, ROUNDS = 14 };

typedef enum kind { CLAMPED_FREE, PINNED_PINNED, CLAMPED_PINNED, CLAMPED_CLAMPED, HEAVY_COLUMN, TWISTED, LATERAL } kind;

typedef struct load_case {
    kind kind;
    const char *label;
    double critical;
} load_case;

static const load_case cases[] = {
    {CLAMPED_FREE, "Euler, clamped-free, P L^2/B", 2.4674011003},
    {PINNED_PINNED, "Euler, pinned-pinned, P L^2/B", 9.8696044011},
    {CLAMPED_PINNED, "Euler, clamped-pinned, P L^2/B", 20.1907285564},
    {CLAMPED_CLAMPED, "Euler, clamped-clamped, P L^2/B", 39.4784176044},
    {HEAVY_COLUMN, "heavy column (Greenhill), w L^3/B", 7.8373474389},
    {TWISTED, "twisted between clamps (Greenhill), M L/B", 8.9868189158},
    {LATERAL, "strip on edge, tip load (Prandtl), P L^2/sqrt(B C)", 4.0125993436},
};

static const double radius = 1e-2, twist_stiffness = 0.8, strip_ratio = 1e-3;

// Sets the rod up under the load and finds its equilibrium; whether that is off the plane or line of the load.
static cdg_result is_buckled(const validation_context *context, kind which, double load, bool *out, cdg_error *error) {
    cdg_rod_def def = der_unit_rod(ELEMENTS, radius, twist_stiffness);
    cdg_vec3 up = {0, 0, 1}, gravity = {which == HEAVY_COLUMN ? -load : 0, 0, 0};
    if (which == LATERAL) {
        def.initial_normal = &up;
        def.stiffness.bend[0] = strip_ratio, def.stiffness.twist = twist_stiffness * strip_ratio;
    }
    der_world d;
    cdg_result result = der_world_make(context, &def, gravity, 1e-3, &d, error);
    if (result != CDG_OK) return result;
    bool first_pinned = which == PINNED_PINNED;
    result = der_world_support(&d, first_pinned ? CDG_SUPPORT_PIN : CDG_SUPPORT_CLAMP, 0, NULL, NULL);
    if (result == CDG_OK && first_pinned) result = der_world_support(&d, CDG_SUPPORT_TWIST, 0, NULL, NULL);
    // Ends that are held are brought nearer by what the load presses: P L/(E A). At time zero a motion from 0 to 0 is
    // done.
    cdg_motion press = {.kind = CDG_MOTION_MOVE, .move = {-load * radius * radius / 4, 0, 0}};
    cdg_motion turn = {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = load / twist_stiffness};
    if (result == CDG_OK && which == CLAMPED_FREE) result = der_world_force(&d, ELEMENTS, (cdg_vec3){-load, 0, 0});
    if (result == CDG_OK && (which == PINNED_PINNED || which == CLAMPED_PINNED))
        result = der_world_support(&d, CDG_SUPPORT_PIN, ELEMENTS, &press, NULL);
    if (result == CDG_OK && which == CLAMPED_CLAMPED)
        result = der_world_support(&d, CDG_SUPPORT_CLAMP, ELEMENTS, &press, NULL);
    if (result == CDG_OK && which == TWISTED) result = der_world_support(&d, CDG_SUPPORT_CLAMP, ELEMENTS, &turn, NULL);
    if (result == CDG_OK && which == LATERAL)
        result = der_world_force(&d, ELEMENTS, (cdg_vec3){0, 0, -load * strip_ratio * sqrt(twist_stiffness)});
    if (result == CDG_OK && which == TWISTED) { // frames shared out evenly: half a turn at most at once otherwise
        cdg_quat frames[ELEMENTS];
        result = cdg_rod_frames(d.world, d.rod, frames);
        for (int j = 0; j < ELEMENTS && result == CDG_OK; j++) {
            double half = turn.angle * (j + 0.5) / ELEMENTS / 2, s = sin(half), c = cos(half);
            cdg_quat q = frames[j];
            frames[j] = (cdg_quat){c * q.w - s * q.z, c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w};
        }
        if (result == CDG_OK) result = cdg_rod_set_state(d.world, d.rod, NULL, frames, NULL, NULL);
    }
    if (result == CDG_OK) result = cdg_world_find_equilibrium(d.world, NULL);
    cdg_vec3 nodes[ELEMENTS + 1];
    if (result == CDG_OK) result = cdg_rod_positions(d.world, d.rod, nodes);
    double aside = 0;
    for (int i = 0; i <= ELEMENTS && result == CDG_OK; i++)
        aside = fmax(aside, which == LATERAL ? fabs(nodes[i].y) : hypot(nodes[i].y, nodes[i].z));
    *out = aside > 1e-4;
    return der_world_close(&d, result, error);
}

cdg_result validate_der_buckling(validation_context *context, cdg_error *error) {
    size_t count = sizeof cases / sizeof *cases;
    for (size_t k = 0; k < count; k++) {
        double low = 0.9 * cases[k].critical, high = 1.15 * cases[k].critical;
        for (int i = 0; i < ROUNDS; i++) {
            double middle = (low + high) / 2;
            bool buckled;
            cdg_result result = is_buckled(context, cases[k].kind, middle, &buckled, error);
            if (result != CDG_OK) return result;
            *(buckled ? &high : &low) = middle;
        }
        validation_add_relative(context, cases[k].label, "", (low + high) / 2, cases[k].critical, 5e-3);
        validation_progress(context, (double)(k + 1) / (double)count);
    }
    return CDG_OK;
}

// A closed ring of a straight rod, twisted by Theta: put into the rest shape, which for an isotropic rod is the same as
// cutting, turning and gluing. Unstable beyond 2 pi sqrt(3) B/C (Michell 1889, Zajac 1962).
cdg_result validate_der_michell(validation_context *context, cdg_error *error) {
    // Dots, as in figure 8: points of a curve are joined unless a gap is between them.
    double ratios[9], found[9];
    for (int i = 0; i < 9; i++) ratios[i] = found[i] = NAN;
    for (int k = 0; k < 5; k++) {
        double ratio = 0.5 * (k + 1), expected = 2 * 3.14159265358979324 * sqrt(3) / ratio;
        double low = 0.8 * expected, high = 1.3 * expected;
        for (int i = 0; i < ROUNDS; i++) {
            double twist = (low + high) / 2, frequency;
            cdg_rod_def def = der_unit_rod(100, 1e-3, ratio);
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 1 / 6.283185307179586;
            def.centerline.circle.axis = (cdg_vec3){0, 0, 1};
            def.rest.kind = CDG_REST_CURVATURE;
            def.rest.twist = -twist;
            der_world d;
            cdg_result result = der_world_make(context, &def, (cdg_vec3){0}, 1e-3, &d, error);
            if (result != CDG_OK) return result;
            result = cdg_rod_find_modes(d.world, d.rod, 1, &frequency, NULL);
            result = der_world_close(&d, result, error);
            if (result != CDG_OK) return result;
            *(frequency < -0.05 ? &high : &low) = twist; // rigid motions are at zero; the ring's waves at some Hz
        }
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "ring of 100 elements, C/B = %g: critical twist", ratio);
        validation_add_relative(context, label, "rad", (low + high) / 2, expected, 1e-2);
        validation_cite(context, VALIDATION_SEED_001_8, "%.3f rad by theory; their dots (n = 50) lie on its sides",
                        expected);
        ratios[2 * k] = ratio, found[2 * k] = (low + high) / 2;
        validation_progress(context, (k + 1) / 5.0);
    }
    enum { SMOOTH = 100 };
    double at[SMOOTH], theory[SMOOTH];
    for (int i = 0; i < SMOOTH; i++) {
        at[i] = 0.4 + 2.2 * i / (SMOOTH - 1);
        theory[i] = 2 * 3.14159265358979324 * sqrt(3) / at[i];
    }
    validation_begin_chart(context, "Twist at which a ring buckles (figure 8): flat below, buckled above", "C/B", "1",
                           "twist", "rad");
    validation_add_curve(context, "der", ratios, found, 9);
    validation_add_reference_curve(context, "Michell's theory", at, theory, SMOOTH);
    return CDG_OK;
}
