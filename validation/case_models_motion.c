// Motion in closed form under every model: falling, flying, bending, twisting, swinging, buckling.
#include "validation/case_functions.h"
#include "validation/model_rods.h"

#include "math/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { ELEMENTS = 20 };

static void next(validation_context *context, validation_model model) {
    validation_progress(context, (model + 1.0) / VALIDATION_MODEL_COUNT);
}

// ---- falling --------------------------------------------------------------------------------------------------------

cdg_result validate_models_fall(validation_context *context, cdg_error *error) {
    const double gravity = 9.81, time = 0.5;
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        cdg_rod_def def = model_unit_rod(ELEMENTS);
        def.centerline.line.from = (cdg_vec3){-0.3, -0.2, 0.4};
        def.centerline.line.to = (cdg_vec3){0.3, 0.2, -0.4};
        model_trial t = model_begin(context, (validation_model)m, def, (cdg_vec3){0, 0, -gravity}, 1e-3, error);
        model_run(&t, time);
        cdg_vec3 nodes[MODEL_NODES_MAX], linear = {0}, angular = {0};
        model_positions(&t, nodes);
        if (t.result == CDG_OK) cdg_world_momentum(t.world, &linear, &angular);
        if (model_end(&t, error) != CDG_OK) return t.result;
        double height = (nodes[0].z + nodes[ELEMENTS].z) / 2;
        for (int i = 1; i < ELEMENTS; i++) height += nodes[i].z;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: fall in 0.5 s", name);
        validation_add_relative(context, label, "m", -height / ELEMENTS, gravity * time * time / 2, 2.5e-3);
        snprintf(label, sizeof label, "%s: spin, as a lever arm", name);
        validation_add_limit(context, label, "m", vec3_norm(angular) / vec3_norm(linear), 1e-8);
        next(context, (validation_model)m);
    }
    return CDG_OK;
}

// ---- flying ---------------------------------------------------------------------------------------------------------

// Thrown, spinning, vibrating; without gravity, so that a wrong factor of it gives (factor - 1) m/s^2.
cdg_result validate_models_flight(validation_context *context, cdg_error *error) {
    enum { STEPS = 2000 };
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        cdg_rod_def def = model_unit_rod(20);
        def.stiffness.bend[1] = 2;
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 1;
        def.rest.twist = 0.5;
        def.velocity = (cdg_vec3){0.3, -0.2, 0.5};
        def.angular_velocity = (cdg_vec3){0.5, 1, 3};
        validation_context still = *context; // its gravity is what the context's factor adds
        still.factor.gravity = 1;
        model_trial t =
            model_begin(&still, (validation_model)m, def, (cdg_vec3){0, 0, context->factor.gravity - 1}, 5e-4, error);
        cdg_vec3 linear0 = {0}, angular0 = {0}, linear, angular;
        double drift[2] = {0, 0};
        if (t.result == CDG_OK) cdg_world_momentum(t.world, &linear0, &angular0);
        for (int i = 0; i < STEPS && t.result == CDG_OK; i++) {
            model_step(&t);
            if (t.result != CDG_OK) break;
            cdg_world_momentum(t.world, &linear, &angular);
            drift[0] = fmax(drift[0], vec3_distance(linear, linear0) / vec3_norm(linear0));
            drift[1] = fmax(drift[1], vec3_distance(angular, angular0) / vec3_norm(angular0));
        }
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        validation_because(context, NULL);
        snprintf(label, sizeof label, "%s: linear momentum, largest change in 1 s, relative", name);
        validation_add_limit(context, label, "", drift[0], 1e-7);
        validation_because(context,
                           m == VALIDATION_GALPHA
                               ? "all its fields sit at nodes: what is measured is of second order in their distance"
                               : NULL);
        snprintf(label, sizeof label, "%s: angular momentum, largest change in 1 s, relative", name);
        validation_add_limit(context, label, "", drift[1], 0.02);
        next(context, (validation_model)m);
    }
    return CDG_OK;
}

// ---- bending --------------------------------------------------------------------------------------------------------

// The first mode of a clamped beam, set going by its velocity.
cdg_result validate_models_vibration(validation_context *context, cdg_error *error) {
    const double root = 1.8751040687, omega = root * root, step = 2 * pi / omega / 400;
    enum { STEPS = 1300 };
    double times[STEPS] = {0}, tips[STEPS] = {0};
    validation_begin_chart(context, "Tip of a clamped beam in its first mode", "time", "s", "z", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        model_trial t =
            model_begin(context, (validation_model)m, model_unit_rod(ELEMENTS), (cdg_vec3){0, 0, 0}, step, error);
        model_support(&t, CDG_SUPPORT_CLAMP, 0);
        cdg_vec3 velocity[ELEMENTS + 1] = {{0, 0, 0}}, nodes[MODEL_NODES_MAX];
        double ratio = (cosh(root) + cos(root)) / (sinh(root) + sin(root));
        for (int i = 0; i <= ELEMENTS; i++) {
            double z = root * i / ELEMENTS;
            velocity[i].z = 1e-3 * omega * (cosh(z) - cos(z) - ratio * (sinh(z) - sin(z)));
        }
        if (t.result == CDG_OK) t.result = cdg_rod_set_state(t.world, t.rod, NULL, NULL, velocity, NULL);
        model_passages p = {0};
        for (int i = 0; i < STEPS && t.result == CDG_OK; i++) {
            model_step(&t);
            model_positions(&t, nodes);
            times[i] = (i + 1) * step, tips[i] = nodes[ELEMENTS].z;
            model_watch(&p, times[i], step, tips[i]);
        }
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: first bending frequency, 20 elements", name);
        validation_add_relative(context, label, "rad/s", model_frequency(&p), omega, 0.01);
        validation_add_curve(context, name, times, tips, STEPS);
        next(context, (validation_model)m);
    }
    for (int i = 0; i < STEPS; i++) tips[i] = 2e-3 * sin(omega * times[i]);
    validation_add_reference_curve(context, "Euler-Bernoulli", times, tips, STEPS);
    return CDG_OK;
}

// ---- twisting -------------------------------------------------------------------------------------------------------

// The first twisting mode of a clamped shaft: omega = pi/2 sqrt(C/I)/L.
cdg_result validate_models_twist(validation_context *context, cdg_error *error) {
    const double omega = pi / 2 * sqrt(0.8 / 5e-5), step = 2 * pi / omega / 200;
    enum { STEPS = 650 };
    validation_unsupported(context, VALIDATION_DER_EXPLICIT,
                           "its material frames are quasistatic: twist has no inertia, so it does not vibrate");
    validation_unsupported(context, VALIDATION_GAUSS_SEIDEL,
                           "its frames have the inertia of an element's mass about its end, so twist vibrates slower");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        if (m == VALIDATION_DER_EXPLICIT || m == VALIDATION_GAUSS_SEIDEL) continue;
        model_trial t =
            model_begin(context, (validation_model)m, model_unit_rod(ELEMENTS), (cdg_vec3){0, 0, 0}, step, error);
        model_support(&t, CDG_SUPPORT_CLAMP, 0);
        cdg_vec3 still[ELEMENTS + 1] = {{0, 0, 0}}, spin[ELEMENTS] = {{0, 0, 0}};
        cdg_quat frames[ELEMENTS];
        for (int j = 0; j < ELEMENTS; j++) spin[j].z = 1e-2 * omega * sin(pi / 2 * (j + 0.5) / ELEMENTS);
        if (t.result == CDG_OK) t.result = cdg_rod_set_state(t.world, t.rod, NULL, NULL, still, spin);
        if (t.result == CDG_OK) t.result = cdg_rod_frames(t.world, t.rod, frames);
        cdg_vec3 across = quat_rotate(frames[ELEMENTS - 1], vec3(0, 1, 0));
        model_passages p = {0};
        for (int i = 0; i < STEPS && t.result == CDG_OK; i++) {
            model_step(&t);
            if (t.result == CDG_OK) t.result = cdg_rod_frames(t.world, t.rod, frames);
            if (t.result != CDG_OK) break;
            double roll = vec3_dot(quat_rotate(frames[ELEMENTS - 1], vec3(1, 0, 0)), across);
            model_watch(&p, (i + 1) * step, step, roll);
        }
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: first twisting frequency, 20 elements",
                 validation_model_name((validation_model)m));
        validation_add_relative(context, label, "rad/s", model_frequency(&p), omega, 0.01);
        next(context, (validation_model)m);
    }
    return CDG_OK;
}

// ---- swinging -------------------------------------------------------------------------------------------------------

// A rod hanging from a pin, m g L^3/B = 51.012 as in figure 11 of Cosserat Nets: omega sqrt(L/g) = 1.2110240775 by
// shooting and by Galerkin's method. What is watched is the rod's moment about the pin, in which other modes are small.
cdg_result validate_models_pendulum(validation_context *context, cdg_error *error) {
    const double gravity = 51.012, omega = 1.2110240775 * sqrt(gravity), step = 2 * pi / omega / 400, tilt = 0.02;
    enum { STEPS = 1700 };
    double times[STEPS] = {0}, tips[STEPS] = {0};
    validation_begin_chart(context, "Tip of a flexible pendulum", "time", "s", "x", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        cdg_rod_def def = model_unit_rod(ELEMENTS);
        def.centerline.line.to = (cdg_vec3){sin(tilt), 0, -cos(tilt)};
        model_trial t = model_begin(context, (validation_model)m, def, (cdg_vec3){0, 0, -gravity}, step, error);
        model_support(&t, CDG_SUPPORT_PIN, 0);
        cdg_vec3 nodes[MODEL_NODES_MAX];
        model_passages p = {0};
        for (int i = 0; i < STEPS && t.result == CDG_OK; i++) {
            double moment = 0;
            model_step(&t);
            model_positions(&t, nodes);
            for (int k = 1; k <= ELEMENTS; k++) moment += (k == ELEMENTS ? 0.5 : 1) * k * nodes[k].x;
            times[i] = (i + 1) * step, tips[i] = nodes[ELEMENTS].x;
            model_watch(&p, times[i], step, moment);
        }
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        // an inertia of m l^2 about the middle of each element adds 3 l^2 to the pendulum's third of m L^2
        bool is_raised = m == VALIDATION_GAUSS_SEIDEL;
        validation_because(context,
                           is_raised ? "its frames have an inertia raised to m l^2: 0.4 % at 20 elements" : NULL);
        snprintf(label, sizeof label, "%s: frequency of the swing, 20 elements", name);
        validation_add_relative(context, label, "rad/s", model_frequency(&p), omega, is_raised ? 0.01 : 5e-3);
        validation_add_curve(context, name, times, tips, STEPS);
        next(context, (validation_model)m);
    }
    return CDG_OK;
}

// ---- Euler's load ---------------------------------------------------------------------------------------------------

// Frequency of a beam between pins that is pressed by `load`, by making it longer than the pins are apart.
static cdg_result press(const validation_context *context, validation_model model, double load, double *out,
                        cdg_error *error) {
    const double omega = pi * sqrt(pi * pi - load), step = 2 * pi / omega / 400;
    cdg_rod_def def = model_unit_rod(ELEMENTS);
    def.rest.kind = CDG_REST_CENTERLINE;
    def.rest.centerline = def.centerline;
    def.centerline.line.to.x = 1 - load / def.stiffness.stretch;
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, 0}, step, error);
    model_support(&t, CDG_SUPPORT_PIN, 0);
    model_support(&t, CDG_SUPPORT_PIN, ELEMENTS);
    cdg_vec3 velocity[ELEMENTS + 1] = {{0, 0, 0}}, nodes[MODEL_NODES_MAX];
    for (int i = 0; i <= ELEMENTS; i++) velocity[i].z = 1e-4 * omega * sin(pi * i / ELEMENTS);
    if (t.result == CDG_OK) t.result = cdg_rod_set_state(t.world, t.rod, NULL, NULL, velocity, NULL);
    model_passages p = {0};
    for (int i = 0; i < 1300 && t.result == CDG_OK; i++) {
        model_step(&t);
        model_positions(&t, nodes);
        model_watch(&p, (i + 1) * step, step, nodes[ELEMENTS / 2].z);
    }
    *out = model_frequency(&p);
    return model_end(&t, error);
}

// omega^2 falls linearly with the load, (pi/L)^2 (P_c - P)/m: from two loads follows the one at which it is nothing.
cdg_result validate_models_euler(validation_context *context, cdg_error *error) {
    const double load = 5;
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        double free = 0, pressed = 0;
        cdg_result result = press(context, (validation_model)m, 0, &free, error);
        if (result == CDG_OK) result = press(context, (validation_model)m, load, &pressed, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: critical load of a beam between pins, P L^2/B",
                 validation_model_name((validation_model)m));
        validation_add_relative(context, label, "", load * free * free / (free * free - pressed * pressed), pi * pi,
                                0.02);
        next(context, (validation_model)m);
    }
    return CDG_OK;
}

// ---- Michell's ring -------------------------------------------------------------------------------------------------

// How much farther from its plane a ring of total twist `twist` comes in 0.5 s than in the first 0.05 s.
static cdg_result pucker(const validation_context *context, validation_model model, double twist, double *growth,
                         cdg_error *error) {
    enum { RING = 40 };
    cdg_rod_def def = model_unit_rod(RING);
    def.stiffness.twist = 1;
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.radius = 1 / (2 * pi);
    def.centerline.circle.axis = (cdg_vec3){0, 0, 1};
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.twist = -twist;
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, 0}, 1e-3, error);
    cdg_vec3 velocity[RING] = {{0, 0, 0}}, nodes[MODEL_NODES_MAX];
    for (int i = 0; i < RING; i++) velocity[i].z = 1e-5 * cos(4 * pi * i / RING);
    if (t.result == CDG_OK) t.result = cdg_rod_set_state(t.world, t.rod, NULL, NULL, velocity, NULL);
    double early = 0, late = 0;
    for (int i = 0; i < 500 && t.result == CDG_OK; i++) {
        model_step(&t);
        memset(nodes, 0, sizeof nodes);
        if (t.result == CDG_OK) t.result = cdg_rod_positions(t.world, t.rod, nodes);
        for (int k = 0; k < RING; k++) {
            double away = fabs(nodes[k].z);
            if (i < 50) early = fmax(early, away);
            late = fmax(late, away);
        }
        if (late > 1000 * early && i >= 50) break; // it has left
    }
    *growth = late / early;
    return model_end(&t, error);
}

cdg_result validate_models_michell(validation_context *context, cdg_error *error) {
    const double critical = 2 * pi * sqrt(3);
    validation_unsupported(context, VALIDATION_GALPHA,
                           "closed rods are refused: its equations are a two-point problem");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        if (m == VALIDATION_GALPHA) continue;
        double below = 0, above = 0;
        cdg_result result = pucker(context, (validation_model)m, 0.9 * critical, &below, error);
        if (result == CDG_OK) result = pucker(context, (validation_model)m, 1.15 * critical, &above, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: growth of a disturbance at 0.9 of Michell's twist", name);
        validation_add_limit(context, label, "", below, 10);
        validation_cite(context, VALIDATION_SEED_001_8, "light blue dot: stable (C/B = 1, n = 50)");
        snprintf(label, sizeof label, "%s: shrinking of a disturbance at 1.15 of it", name);
        validation_add_limit(context, label, "", 1 / above, 0.01);
        validation_cite(context, VALIDATION_SEED_001_8, "purple dot: unstable (C/B = 1, n = 50)");
        next(context, (validation_model)m);
    }
    return CDG_OK;
}
