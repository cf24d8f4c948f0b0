// The galpha model: equilibria against the elastica, motion against closed forms and against another model, and
// stability over seven orders of magnitude of the step (Sobottka et al. 2008, experiment 4: a helical spring).
#include "validation/case_functions.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
enum { NODES_MAX = 128 };

typedef struct trial { // one rod that is clamped at its start
    cdg_world *world;
    cdg_rod_id rod;
    size_t elements;
} trial;

static cdg_result fail_from(const cdg_world *world, cdg_result result, cdg_error *error) {
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    return result;
}

static cdg_result make(const cdg_rod_def *def, cdg_vec3 gravity, double step, trial *out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.gravity = gravity;
    world_def.step = step;
    world_def.thread_count = 1;
    *out = (trial){.elements = def->element_count};
    cdg_result result = cdg_world_create(&world_def, &out->world, error);
    if (result != CDG_OK) return result;
    result = cdg_world_add_rod(out->world, def, &out->rod);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = out->rod}};
    if (result == CDG_OK) result = cdg_world_add_support(out->world, &support, NULL);
    return fail_from(out->world, result, error);
}

static cdg_result run(const trial *t, int steps, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < steps && result == CDG_OK; i++) result = cdg_world_step(t->world, NULL);
    return fail_from(t->world, result, error);
}

static cdg_vec3 tip(const trial *t) {
    cdg_vec3 x[NODES_MAX];
    if (cdg_rod_positions(t->world, t->rod, x) != CDG_OK) return (cdg_vec3){NAN, NAN, NAN};
    return x[t->elements];
}

static double length_of(const trial *t) {
    cdg_probe probe = {.kind = CDG_PROBE_LENGTH, .place = {.rod = t->rod}};
    double out[CDG_PROBE_COLUMNS_MAX];
    return cdg_world_measure(t->world, &probe, out) == CDG_OK ? out[0] : NAN;
}

// 1 m long, 1 mm thick: stretching and shearing are negligible beside the elastica's assumptions.
static cdg_rod_def wire(size_t elements, double young_modulus) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.section.radius = 1e-3;
    def.material.density = 1000;
    def.material.young_modulus = young_modulus;
    def.material.poisson_ratio = 0.3;
    def.element_count = elements;
    return def;
}

static double bending_stiffness(const cdg_rod_def *def) {
    return def->material.young_modulus * pi * pow(def->section.radius, 4) / 4;
}

// ---- equilibria -----------------------------------------------------------------------------------------------------

typedef struct elastica {
    double load; // P L^2/B or w L^3/B
    double x, y;
} elastica;

static cdg_result settle(const validation_context *context, elastica what, bool is_weight, size_t elements,
                         cdg_vec3 *out, cdg_error *error) {
    cdg_rod_def def = wire(elements, 1e9);
    def.galpha.is_extensible = elements == 100; // what little it stretches would hide the order of finer grids
    double stiffness = bending_stiffness(&def), line_mass = def.material.density * pi * pow(def.section.radius, 2);
    cdg_result result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    cdg_vec3 gravity = {0, 0, is_weight ? -what.load * stiffness / line_mass : 0};
    trial t;
    result = make(&def, validation_spoil_gravity(context, gravity), 0.01, &t, error);
    if (result == CDG_OK && !is_weight) {
        cdg_load_def load = cdg_load_def_default();
        load.place = (cdg_place){t.rod, CDG_PLACE_NODE, elements};
        load.value = (cdg_vec3){0, 0, -what.load * stiffness};
        result = fail_from(t.world, cdg_world_add_load(t.world, &load, NULL), error);
    }
    if (result == CDG_OK) result = fail_from(t.world, cdg_world_find_equilibrium(t.world, NULL), error);
    if (result == CDG_OK) *out = tip(&t);
    cdg_world_destroy(t.world);
    return result;
}

cdg_result validate_galpha_static(validation_context *context, cdg_error *error) {
    const elastica loads[] = {{0.5, 0.9840810375, 0.1621435757},
                              {1, 0.9435667637, 0.3017207738},
                              {2, 0.8393582792, 0.4934574804},
                              {5, 0.6123716393, 0.7137915236},
                              {10, 0.4450044022, 0.8106090249}};
    const elastica weights[] = {{1, 0.9912463953, 0.1234714020},
                                {10, 0.6563537612, 0.7001997155},
                                {100, 0.1592233826, 0.9375239354},
                                {1000, 0.0459864548, 0.9811412693}};
    char label[VALIDATION_TEXT_SIZE];
    for (int i = 0; i < 9; i++) {
        bool is_weight = i >= 5;
        elastica what = is_weight ? weights[i - 5] : loads[i];
        cdg_vec3 at;
        cdg_result result = settle(context, what, is_weight, 100, &at, error);
        if (result != CDG_OK) return result;
        const char *name = is_weight ? "w L^3/B" : "P L^2/B";
        // 0.1 % of the rod's length; at w L^3/B = 1000 all bending happens within a tenth of it
        snprintf(label, sizeof label, "%s = %g, 100 elements, x/L", name, what.load);
        validation_add_absolute(context, label, "", at.x, what.x, 1e-3);
        snprintf(label, sizeof label, "%s = %g, 100 elements, drop/L", name, what.load);
        validation_add_absolute(context, label, "", -at.z, what.y, 1e-3);
        validation_progress(context, i / 11.0);
    }
    double errors[3];
    for (int k = 0; k < 3; k++) {
        cdg_vec3 at;
        cdg_result result = settle(context, weights[1], true, (size_t)20 << k, &at, error);
        if (result != CDG_OK) return result;
        errors[k] = hypot(at.x - weights[1].x, -at.z - weights[1].y);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(label, sizeof label, "order in space, %d to %d elements", 20 << k, 40 << k);
        validation_add_order(context, label, log2(errors[k] / errors[k + 1]), 2, 0.1);
    }
    return CDG_OK;
}

// ---- motion ---------------------------------------------------------------------------------------------------------

// Growth factor of x' = i w x in one step (generalised-alpha for lambda_infinity): larger root of its polynomial.
static double growth(double lambda, double omega_step) {
    double a = (3 * lambda + 1) / (2 * lambda - 2), b = lambda / (lambda - 1), g = 1 / (1 - lambda);
    double complex z = -I * omega_step, p = 1 - a + z * (1 - b) * g, r = -a + z * b * (1 - g);
    double complex q = 2 * a - 1 + z * (b * g + (1 - b) * (1 - g)), root = csqrt(q * q - 4 * p * r);
    return fmax(cabs((-q + root) / (2 * p)), cabs((-q - root) / (2 * p)));
}

// A cantilever released with the velocity of its first mode loses energy as the scheme damps that frequency.
static cdg_result decay(validation_context *context, double lambda, double omega_step, int steps, cdg_error *error) {
    enum { ELEMENTS = 50 };
    const double beta = 1.8751040687;
    cdg_rod_def def = wire(ELEMENTS, 1e9);
    double line_mass = def.material.density * pi * pow(def.section.radius, 2);
    double omega = beta * beta * sqrt(bending_stiffness(&def) / line_mass);
    def.galpha.lambda_infinity = lambda;
    cdg_result result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    trial t;
    result = make(&def, (cdg_vec3){0, 0, 0}, omega_step / omega, &t, error);
    cdg_vec3 velocity[ELEMENTS + 1], spin[ELEMENTS];
    double factor = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta)), size = 1e-3 * omega;
    for (int i = 0; i <= ELEMENTS; i++) {
        double s = beta * i / ELEMENTS;
        velocity[i] = (cdg_vec3){0, 0, size * (cosh(s) - cos(s) - factor * (sinh(s) - sin(s)))};
    }
    for (int j = 0; j < ELEMENTS; j++) spin[j] = (cdg_vec3){0, 0, 0};
    if (result == CDG_OK)
        result = fail_from(t.world, cdg_rod_set_state(t.world, t.rod, NULL, NULL, velocity, spin), error);
    // The start is one step of implicit Euler and disturbs other modes: they are gone or still by the time it counts.
    if (result == CDG_OK) result = run(&t, steps / 4, error);
    double before = result == CDG_OK ? cdg_world_energy(t.world).total : NAN;
    if (result == CDG_OK) result = run(&t, steps, error);
    double after = result == CDG_OK ? cdg_world_energy(t.world).total : NAN;
    cdg_world_destroy(t.world);
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "decay rate a step, lambda = %g, omega h = %g", lambda, omega_step);
    validation_add_relative(context, label, "", log(before / after) / (2 * steps), -log(growth(lambda, omega_step)),
                            0.05);
    return result;
}

static cdg_rod_def spring(size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.section.radius = 5e-4;
    def.material.young_modulus = 5e9;
    def.material.poisson_ratio = 0.3;
    def.material.density = 7800;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.radius = 0.02;
    def.centerline.helix.pitch = 0.02;
    def.centerline.helix.turns = 2.5;
    def.centerline.helix.axis = (cdg_vec3){0, 0, -1};
    def.rest.kind = CDG_REST_INITIAL;
    def.element_count = elements;
    return def;
}

// Pulls along the axis for the first 0.1 s, as the paper does.
static cdg_result pull(const trial *t, double force, cdg_error *error) {
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){t->rod, CDG_PLACE_NODE, t->elements};
    load.value = (cdg_vec3){0, 0, -force};
    load.to = 0.1;
    return fail_from(t->world, cdg_world_add_load(t->world, &load, NULL), error);
}

// Order from three steps: a line load that grows and fades smoothly within 0.4 s.
static cdg_result swing(const validation_context *context, double step, cdg_vec3 *out, cdg_error *error) {
    enum { KEYS = 400, ELEMENTS = 20 };
    cdg_keyframe keys[KEYS + 1];
    for (int k = 0; k <= KEYS; k++) keys[k] = (cdg_keyframe){0.4 * k / KEYS, pow(sin(pi * k / KEYS), 4)};
    cdg_rod_def def = wire(ELEMENTS, 1e9);
    def.galpha.tolerance = 1e-11;
    cdg_result result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    trial t;
    result = make(&def, (cdg_vec3){0, 0, 0}, step, &t, error);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_LINE;
    load.place.rod = t.rod;
    load.value = (cdg_vec3){0, 0, -0.05};
    load.keyframes = keys;
    load.keyframe_count = KEYS + 1;
    if (result == CDG_OK) result = fail_from(t.world, cdg_world_add_load(t.world, &load, NULL), error);
    if (result == CDG_OK) result = run(&t, (int)(0.4 / step + 0.5), error);
    if (result == CDG_OK) *out = tip(&t);
    cdg_world_destroy(t.world);
    return result;
}

cdg_result validate_galpha_motion(validation_context *context, cdg_error *error) {
    cdg_result result = decay(context, -0.5, 0.3, 400, error);
    if (result == CDG_OK) result = decay(context, 0, 0.3, 200, error);
    if (result == CDG_OK) result = decay(context, -0.8, 0.6, 400, error);
    if (result != CDG_OK || validation_is_decided(context)) return result;
    validation_progress(context, 0.1);

    cdg_vec3 at[3];
    for (int k = 0; k < 3; k++) {
        result = swing(context, 0.01 / (1 << k), &at[k], error);
        if (result != CDG_OK) return result;
    }
    double coarse = hypot(at[0].x - at[1].x, at[0].z - at[1].z), fine = hypot(at[1].x - at[2].x, at[1].z - at[2].z);
    validation_add_order(context, "order in time, steps 10, 5, 2.5 ms", log2(coarse / fine), 2, 0.1);

    // The spring, undamped, 10 s.
    cdg_rod_def def = spring(50);
    def.galpha.lambda_infinity = -1;
    result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    trial t;
    result = make(&def, (cdg_vec3){0, 0, 0}, 1e-3, &t, error);
    if (result == CDG_OK) result = pull(&t, 0.005, error);
    double first = 0, last = 0;
    const int steps = context->is_quick ? 3000 : 10000;
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        result = run(&t, 1, error);
        if (i % 100 == 0) validation_progress(context, 0.1 + 0.4 * i / steps);
        if (i >= 200 && i < 700) first += cdg_world_energy(t.world).total / 500;
        if (i >= steps - 500) last += cdg_world_energy(t.world).total / 500;
    }
    cdg_world_destroy(t.world);
    if (result != CDG_OK) return result;
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "energy of the undamped spring, drift in %d s", steps / 1000);
    validation_add_limit(context, label, "", fabs(last / first - 1), 0.02);

    // A rod that swings wildly keeps its length.
    def = wire(50, 1e7);
    def.galpha.is_extensible = false;
    result = validation_spoil_rod(context, &def, error);
    if (result != CDG_OK) return result;
    result = make(&def, validation_spoil_gravity(context, (cdg_vec3){0, 0, -9.81}), 1 / 30.0, &t, error);
    for (int i = 0; i < 100 && result == CDG_OK; i++) {
        result = run(&t, steps / 100, error);
        validation_progress(context, 0.5 + 0.5 * i / 100);
    }
    snprintf(label, sizeof label, "change of length after %d steps of 1/30 s", steps);
    if (result == CDG_OK) validation_add_limit(context, label, "", fabs(length_of(&t) - 1), 1e-6);
    cdg_world_destroy(t.world);
    return result;
}

// A rod that is clamped at one end and let go, before bending waves have come from the clamp to its tip (26 mm of 1 m):
// the tip falls freely, on however few elements. And a rod that swings at steps far above its fast modes' periods:
// without damping by its material it may lose energy to the scheme, and gain none.
cdg_result validate_galpha_coarse(validation_context *context, cdg_error *error) {
    char label[VALIDATION_TEXT_SIZE];
    const size_t counts[] = {1, 2, 3, 4, 8, 16};
    const double step = 4e-4, time = 0.02, gravity = 9.81;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        cdg_rod_def def = wire(counts[i], 4e6);
        cdg_result result = validation_spoil_rod(context, &def, error);
        if (result != CDG_OK) return result;
        trial t;
        result = make(&def, validation_spoil_gravity(context, (cdg_vec3){0, 0, -gravity}), step, &t, error);
        if (result == CDG_OK) result = run(&t, (int)(time / step + 0.5), error);
        snprintf(label, sizeof label, "%zu elements: drop of the tip in 20 ms", counts[i]);
        if (result == CDG_OK)
            validation_add_relative(context, label, "m", -tip(&t).z, gravity * time * time / 2, 0.005);
        cdg_world_destroy(t.world);
        if (result != CDG_OK) return result;
    }
    const double lambdas[] = {-0.5, -0.8, -1}, steps[] = {0.01, 1 / 30.0, 0.05};
    for (int i = 0; i < 9; i++) {
        cdg_rod_def def = wire(100, 3.924e9); // w L^3/B = 10
        def.galpha.lambda_infinity = lambdas[i / 3];
        trial t;
        cdg_result result = make(&def, (cdg_vec3){0, 0, -gravity}, steps[i % 3], &t, error);
        double gain = 0,
               scale = def.material.density * pi * pow(def.section.radius, 2) * gravity; // weight times length
        for (int k = 0; k < (context->is_quick ? 100 : 600) && result == CDG_OK; k++) {
            result = run(&t, 1, error);
            gain = fmax(gain, cdg_world_energy(t.world).total / scale);
        }
        cdg_world_destroy(t.world);
        if (result != CDG_OK) return result;
        snprintf(label, sizeof label, "lambda = %g, step %.3g s: energy gained, over weight times length",
                 lambdas[i / 3], steps[i % 3]);
        validation_add_limit(context, label, "", gain, 1e-6);
        validation_progress(context, (i + 1) / 9.0);
    }
    return CDG_OK;
}

// The same swing with other implicit models, all refined until they hardly change: tip paths over 2 s.
static cdg_result compare(validation_context *context, cdg_model model, const char *name, double start,
                          cdg_error *error) {
    enum { STEPS = 2000 };
    trial t[2] = {{0}};
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        cdg_rod_def def = wire(100, 1e10);
        cdg_vec3 gravity = {0, 0, -9.81};
        if (i == 1)
            def.model = model;
        else
            result = validation_spoil_rod(context, &def, error);
        if (i == 0) gravity = validation_spoil_gravity(context, gravity);
        if (result == CDG_OK) result = make(&def, gravity, 1e-3, &t[i], error);
    }
    double largest = 0;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        result = run(&t[0], 1, error);
        if (result == CDG_OK) result = run(&t[1], 1, error);
        cdg_vec3 a = tip(&t[0]), b = tip(&t[1]);
        double distance = sqrt(pow(a.x - b.x, 2) + pow(a.y - b.y, 2) + pow(a.z - b.z, 2));
        if (!(distance <= largest)) largest = distance;
        if (i % 20 == 0) validation_progress(context, start + 0.5 * i / STEPS);
    }
    for (int i = 0; i < 2; i++) cdg_world_destroy(t[i].world);
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "largest distance of the tip from that of %s, over the length", name);
    if (result == CDG_OK) validation_add_limit(context, label, "", largest, 0.005);
    return result;
}

cdg_result validate_galpha_models(validation_context *context, cdg_error *error) {
    cdg_result result = compare(context, CDG_MODEL_POBD, "pobd", 0, error);
    bool goes_on = result == CDG_OK && !validation_is_decided(context);
    return goes_on ? compare(context, CDG_MODEL_DER, "der", 0.5, error) : result;
}

// ---- stability ------------------------------------------------------------------------------------------------------

cdg_result validate_galpha_stability(validation_context *context, cdg_error *error) {
    const size_t counts[] = {6, 12, 25, 50, 100};
    const double steps[] = {1e-5, 1e-3, 1 / 30.0, 1, 100};
    const double weight = -9.81;
    char label[VALIDATION_TEXT_SIZE];
    for (int n = 0; n < 5 && !validation_is_decided(context); n++) {
        cdg_rod_def def = spring(counts[n]);
        trial t;
        cdg_result result = make(&def, (cdg_vec3){0, 0, weight}, 1, &t, error);
        cdg_vec3 start = tip(&t);
        if (result == CDG_OK) result = fail_from(t.world, cdg_world_find_equilibrium(t.world, NULL), error);
        cdg_vec3 rest = tip(&t);
        double sag = start.z - rest.z;
        cdg_world_destroy(t.world);
        if (result != CDG_OK) return result;
        for (int k = 0; k < 5 && !validation_is_decided(context); k++) {
            def = spring(counts[n]);
            result = validation_spoil_rod(context, &def, error);
            if (result != CDG_OK) return result;
            result = make(&def, validation_spoil_gravity(context, (cdg_vec3){0, 0, weight}), steps[k], &t, error);
            if (result == CDG_OK) result = pull(&t, 0.05, error);
            if (result != CDG_OK) return result;
            int done = 0;
            while (done < 1000 && cdg_world_step(t.world, NULL) == CDG_OK) done++;
            cdg_vec3 at = tip(&t);
            cdg_world_destroy(t.world);
            double error_of_sag = sqrt(pow(at.x - rest.x, 2) + pow(at.y - rest.y, 2) + pow(at.z - rest.z, 2)) / sag;
            snprintf(label, sizeof label, "%zu elements, step %.3g s: steps done", counts[n], steps[k]);
            validation_add_absolute(context, label, "", isfinite(error_of_sag) ? done : 0, 1000, 0);
            if (steps[k] > 0.03) {
                snprintf(label, sizeof label, "%zu elements, step %.3g s: distance from rest over sag", counts[n],
                         steps[k]);
                validation_add_limit(context, label, "", error_of_sag, 0.01);
            }
            validation_progress(context, (n * 5 + k + 1) / 25.0);
        }
    }
    return CDG_OK;
}
