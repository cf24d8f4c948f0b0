// The reference model against closed forms and against pobd: what other models may then be compared with.
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static double norm(cdg_vec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
static double distance(cdg_vec3 a, cdg_vec3 b) { return norm((cdg_vec3){a.x - b.x, a.y - b.y, a.z - b.z}); }

enum { NODES_MAX = 128 };

// A world with one rod, and where each call's result goes.
typedef struct scene {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_result result;
} scene;

static scene scene_make(const validation_context *context, cdg_rod_def *rod, cdg_vec3 gravity, double step,
                        cdg_error *error) {
    scene s = {.result = validation_spoil_rod(context, rod, error)};
    if (s.result != CDG_OK) return s;
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = validation_spoil_gravity(context, gravity);
    def.step = step;
    def.thread_count = 1;
    s.result = cdg_world_create(&def, &s.world, error);
    if (s.result == CDG_OK) s.result = cdg_world_add_rod(s.world, rod, &s.rod);
    return s;
}

static void scene_support(scene *s, cdg_support_kind kind, size_t node, const cdg_motion *motion) {
    cdg_support_def support = {.kind = kind,
                               .place = {s->rod, CDG_PLACE_NODE, node},
                               .motions = motion,
                               .motion_count = motion != NULL ? 1 : 0};
    if (s->result == CDG_OK) s->result = cdg_world_add_support(s->world, &support, NULL);
}

static void scene_drag(scene *s, double rate) {
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = rate;
    if (s->result == CDG_OK) s->result = cdg_world_add_load(s->world, &drag, NULL);
}

static void scene_run(scene *s, int steps) {
    for (int i = 0; i < steps && s->result == CDG_OK; i++) s->result = cdg_world_step(s->world, NULL);
}

static cdg_result scene_end(scene *s, cdg_error *error) {
    if (s->result != CDG_OK && s->world != NULL && error != NULL) {
        error->code = s->result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(s->world));
    }
    cdg_world_destroy(s->world);
    return s->result;
}

// ---- heavy cantilever -----------------------------------------------------------------------------------------------

static cdg_result cantilever(const validation_context *context, double gamma, size_t elements,
                             double *height_over_width, cdg_error *error) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_REFERENCE;
    rod.reference.dissipation = 0.5; // only the end counts
    rod.section.radius = 1e-3;
    rod.material.density = 1000;
    rod.material.young_modulus = 4 * 1000 * 9.81 / (gamma * 1e-6);
    rod.element_count = elements;
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, -9.81}, 1e-2, error);
    scene_support(&s, CDG_SUPPORT_CLAMP, 0, NULL);
    scene_drag(&s, 7);
    scene_run(&s, 600);
    cdg_vec3 nodes[NODES_MAX];
    if (s.result == CDG_OK) s.result = cdg_rod_positions(s.world, s.rod, nodes);
    if (scene_end(&s, error) != CDG_OK) return s.result;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i <= elements; i++) {
        low[0] = fmin(low[0], nodes[i].x), high[0] = fmax(high[0], nodes[i].x);
        low[1] = fmin(low[1], nodes[i].z), high[1] = fmax(high[1], nodes[i].z);
    }
    *height_over_width = (high[1] - low[1]) / (high[0] - low[0]);
    return CDG_OK;
}

cdg_result validate_reference_cantilever(validation_context *context, cdg_error *error) {
    static const double weights[] = {1, 10, 100}, shapes[] = {0.1245617664, 1.0668023204, 5.8881046233};
    for (int g = 0; g < 3 && !validation_is_decided(context); g++) {
        double shape, errors[2];
        for (int n = 0; n < 2; n++) {
            size_t elements = n == 0 ? 20 : 40;
            cdg_result result = cantilever(context, weights[g], elements, &shape, error);
            if (result != CDG_OK) return result;
            errors[n] = fabs(shape / shapes[g] - 1);
            validation_progress(context, (2 * g + n + 1) / 6.0);
        }
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "height/width, weight w L^3/B = %g, 40 elements", weights[g]);
        validation_add_relative(context, label, "", shape, shapes[g], 0.01);
        snprintf(label, sizeof label, "w L^3/B = %g, order from 20 to 40 elements", weights[g]);
        validation_add_order(context, label, log2(errors[0] / errors[1]), 2, 0.25);
    }
    return CDG_OK;
}

// ---- vibration ------------------------------------------------------------------------------------------------------

// Angular frequency from upward passages of zero.
typedef struct crossings {
    double before, first, last;
    int count;
} crossings;

static void watch(crossings *c, double time, double step, double value) {
    if (c->before < 0 && value >= 0) {
        double at = time - step * value / (value - c->before);
        if (c->count++ == 0) c->first = at;
        c->last = at;
    }
    c->before = value;
}
static double frequency(const crossings *c) { return 2 * PI * (c->count - 1) / (c->last - c->first); }

// A clamped beam set going in its first mode.
static cdg_result beam(const validation_context *context, double *measured, double *exact, cdg_error *error) {
    enum { N = 40 };
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_REFERENCE;
    rod.material.young_modulus = 1e9;
    rod.element_count = N;
    cdg_stiffness stiffness;
    cdg_result result = cdg_stiffness_compute(&rod.material, &rod.section, &stiffness, error);
    if (result != CDG_OK) return result;
    double root = 1.8751040687, omega = root * root * sqrt(stiffness.bend[0] / stiffness.mass),
           step = 2 * PI / omega / 200;
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, 0}, step, error);
    scene_support(&s, CDG_SUPPORT_CLAMP, 0, NULL);
    cdg_vec3 velocity[N + 1] = {{0}}, nodes[N + 1];
    double ratio = (cosh(root) + cos(root)) / (sinh(root) + sin(root));
    for (int i = 0; i <= N; i++) {
        double z = root * i / N;
        velocity[i].z = 1e-3 * omega * (cosh(z) - cos(z) - ratio * (sinh(z) - sin(z)));
    }
    if (s.result == CDG_OK) s.result = cdg_rod_set_state(s.world, s.rod, NULL, NULL, velocity, NULL);
    crossings c = {0};
    for (int i = 0; i < 700 && s.result == CDG_OK; i++) {
        scene_run(&s, 1);
        if (s.result == CDG_OK) s.result = cdg_rod_positions(s.world, s.rod, nodes);
        if (s.result == CDG_OK) watch(&c, cdg_world_time(s.world), step, nodes[N].z);
    }
    *measured = frequency(&c);
    *exact = omega;
    return scene_end(&s, error);
}

// A shaft clamped at one end, set going in its first mode of twisting: omega = pi/(2 L) sqrt(C/(rho I_p)).
static cdg_result shaft(const validation_context *context, double *measured, double *exact, cdg_error *error) {
    enum { N = 40 };
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_REFERENCE;
    rod.element_count = N;
    cdg_stiffness stiffness;
    cdg_result result = cdg_stiffness_compute(&rod.material, &rod.section, &stiffness, error);
    if (result != CDG_OK) return result;
    double omega = PI / 2 * sqrt(stiffness.twist / stiffness.inertia[2]), step = 2 * PI / omega / 200;
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, 0}, step, error);
    scene_support(&s, CDG_SUPPORT_CLAMP, 0, NULL);
    cdg_vec3 velocity[N + 1] = {{0}}, spin[N] = {{0}};
    for (int j = 0; j < N; j++) spin[j].z = 0.3 * omega * sin(PI / 2 * (j + 0.5) / N);
    if (s.result == CDG_OK) s.result = cdg_rod_set_state(s.world, s.rod, NULL, NULL, velocity, spin);
    crossings c = {0};
    for (int i = 0; i < 700 && s.result == CDG_OK; i++) {
        scene_run(&s, 1);
        if (s.result == CDG_OK) s.result = cdg_rod_angular_velocities(s.world, s.rod, spin);
        if (s.result == CDG_OK) watch(&c, cdg_world_time(s.world), step, spin[N - 1].z);
    }
    *measured = frequency(&c);
    *exact = omega;
    return scene_end(&s, error);
}

// The rod of Spillmann and Teschner's experiments: E = 1 MPa, G = 4 MPa, stretching modulus 1 GPa, r = 1 cm, 1300
// kg/m^3, 10 m, with the stiffness they print (E pi r^2/4, G pi r^2/2), not that of a disc.
static cdg_rod_def paper_rod(size_t elements) {
    double r = 0.01, area = PI * r * r, polar = 1300 * PI * r * r * r * r / 2;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_REFERENCE;
    rod.has_stiffness = true;
    rod.stiffness = (cdg_stiffness){.shear = {1e8, 1e8}, // practically none, as their models
                                    .stretch = 1e9 * area,
                                    .bend = {1e6 * area / 4, 1e6 * area / 4},
                                    .twist = 4e6 * area / 2,
                                    .mass = 1300 * area,
                                    .inertia = {polar / 2, polar / 2, polar},
                                    .radius = r};
    rod.centerline.line.to = (cdg_vec3){10, 0, 0};
    rod.element_count = elements;
    return rod;
}

// That rod as a pendulum on a pin, swinging by 0.02 rad. Its deflection's first moment hardly sees the higher modes.
static cdg_result pendulum(const validation_context *context, double *period, cdg_error *error) {
    enum { N = 40 };
    double angle = 0.02, step = 2e-2;
    cdg_rod_def rod = paper_rod(N);
    rod.centerline.line.to = (cdg_vec3){10 * sin(angle), 0, -10 * cos(angle)};
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, -9.81}, step, error);
    scene_support(&s, CDG_SUPPORT_PIN, 0, NULL);
    crossings c = {0};
    cdg_vec3 nodes[N + 1];
    for (int i = 0; i < 1200 && s.result == CDG_OK; i++) {
        scene_run(&s, 1);
        if (s.result == CDG_OK) s.result = cdg_rod_positions(s.world, s.rod, nodes);
        double moment = 0;
        for (int k = 0; k <= N && s.result == CDG_OK; k++) moment += (k == N ? 0.5 : 1) * k * nodes[k].x;
        watch(&c, cdg_world_time(s.world), step, moment);
    }
    *period = 2 * PI / frequency(&c);
    return scene_end(&s, error);
}

cdg_result validate_reference_vibration(validation_context *context, cdg_error *error) {
    double measured = 0, exact = 0;
    cdg_result result = beam(context, &measured, &exact, error);
    if (result != CDG_OK) return result;
    // 40 elements: the square of beta L/40 over 12 and of 2 pi/200 over 24 come to 4e-4
    validation_add_relative(context, "clamped beam, first bending frequency", "rad/s", measured, exact, 1e-3);
    validation_progress(context, 0.3);
    if (validation_is_decided(context)) return CDG_OK;
    result = shaft(context, &measured, &exact, error);
    if (result != CDG_OK) return result;
    validation_add_relative(context, "clamped shaft, first twisting frequency", "rad/s", measured, exact, 1e-3);
    validation_progress(context, 0.5);
    result = pendulum(context, &measured, error);
    if (result != CDG_OK) return result;
    // B w'''' = (T w')' + m omega^2 w, pinned above, free below, m g L^3/B = 51.012: omega sqrt(L/g) = 1.2110240775 by
    // shooting and by Galerkin's method with 14 polynomials
    validation_add_relative(context, "flexible pendulum of figure 11, period", "s", measured,
                            2 * PI / (1.2110240775 * sqrt(0.981)), 1e-3);
    return CDG_OK;
}

// ---- flight ---------------------------------------------------------------------------------------------------------

cdg_result validate_reference_flight(validation_context *context, cdg_error *error) {
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_REFERENCE;
    rod.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {10e-3, 4e-3}};
    rod.element_count = 10;
    rod.rest.kind = CDG_REST_CURVATURE; // starts straight: it springs into an arc and goes on vibrating
    rod.rest.curvature[0] = 2;
    rod.rest.twist = 1;
    rod.velocity = (cdg_vec3){0.3, -0.2, 0.5};
    rod.angular_velocity = (cdg_vec3){0.5, 1, 3};
    // Without gravity momentum is constant; a wrong `gravity` factor g gives (g - 1) m/s^2.
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, 0}, 1e-3, error);
    cdg_load_def spoiler = cdg_load_def_default();
    spoiler.kind = CDG_LOAD_LINE;
    spoiler.place.rod = s.rod;
    spoiler.value = (cdg_vec3){0, 0, context->factor.gravity - 1};
    if (s.result == CDG_OK && spoiler.value.z != 0) s.result = cdg_world_add_load(s.world, &spoiler, NULL);
    cdg_vec3 linear0 = {0}, angular0 = {0}, linear, angular;
    double drift[3] = {0}, energy0 = 0;
    if (s.result == CDG_OK) {
        cdg_world_momentum(s.world, &linear0, &angular0);
        energy0 = cdg_world_energy(s.world).total;
    }
    for (int i = 1; i <= 100 && s.result == CDG_OK; i++) {
        scene_run(&s, 100);
        if (s.result != CDG_OK) break;
        cdg_world_momentum(s.world, &linear, &angular);
        drift[0] = fmax(drift[0], distance(linear, linear0) / norm(linear0));
        drift[1] = fmax(drift[1], distance(angular, angular0) / norm(angular0));
        drift[2] = fmax(drift[2], fabs(cdg_world_energy(s.world).total / energy0 - 1));
        validation_progress(context, i / 100.0);
    }
    if (scene_end(&s, error) != CDG_OK) return s.result;
    validation_add_limit(context, "linear momentum, relative drift over 10,000 steps", "", drift[0], 1e-9);
    validation_add_limit(context, "angular momentum, relative drift over 10,000 steps", "", drift[1], 1e-8);
    validation_add_limit(context, "energy, relative drift over 10,000 steps", "", drift[2], 1e-6);
    return CDG_OK;
}

// ---- buckling under torsion -----------------------------------------------------------------------------------------

// Twisted by 3/2 pi between clamps 10 m apart, pushed aside for two seconds, settled.
static cdg_result buckle(const validation_context *context, cdg_rod_def rod, cdg_energy *energy, cdg_error *error) {
    rod.reference.dissipation = 0.5; // only the end counts
    scene s = scene_make(context, &rod, (cdg_vec3){0, 0, 0}, 5e-3, error);
    const cdg_motion motion = {
        .kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 1.5 * PI, .to = 0.5, .ease = CDG_EASE_SMOOTH};
    scene_support(&s, CDG_SUPPORT_CLAMP, 0, NULL);
    scene_support(&s, CDG_SUPPORT_CLAMP, rod.element_count, &motion);
    scene_drag(&s, 4);
    cdg_load_def push = cdg_load_def_default();
    push.kind = CDG_LOAD_LINE;
    push.place.rod = s.rod;
    push.value = (cdg_vec3){0, 0, -0.5};
    push.to = 2;
    if (s.result == CDG_OK) s.result = cdg_world_add_load(s.world, &push, NULL);
    scene_run(&s, 1400);
    if (s.result == CDG_OK) *energy = cdg_world_energy(s.world);
    return scene_end(&s, error);
}

cdg_result validate_torsion_buckling(validation_context *context, cdg_error *error) {
    // The reference model with 160 and 320 elements, extrapolated to none; pobd at 160 is within 0.1 % of it.
    const cdg_energy limit = {.stretch = 1.152630, .bend = 2.443953, .twist = 692.88343};
    cdg_rod_def rods[3] = {paper_rod(40), paper_rod(40), paper_rod(80)};
    rods[0].model = CDG_MODEL_POBD;
    rods[0].pobd.darboux = CDG_POBD_SINE;
    rods[1].reference.darboux = CDG_REFERENCE_SINE; // as pobd measures here
    cdg_energy e[3];
    for (int i = 0; i < 3; i++) {
        cdg_result result = buckle(context, rods[i], &e[i], error);
        if (result != CDG_OK) return result;
        validation_progress(context, (i + 1) / 3.0);
    }
    // Two formulations of one discrete energy, apart only in pobd's remaining shear.
    validation_under(context, VALIDATION_REFERENCE);
    validation_add_relative(context, "stretching, 40 elements, against pobd without shear", "J", e[1].stretch,
                            e[0].stretch, 1e-3);
    validation_add_relative(context, "bending, 40 elements, against pobd without shear", "J", e[1].bend, e[0].bend,
                            1e-3);
    validation_add_relative(context, "twisting, 40 elements, against pobd without shear", "J", e[1].twist, e[0].twist,
                            1e-5);
    validation_add_relative(context, "stretching, 80 elements, against the limit", "J", e[2].stretch, limit.stretch,
                            0.025);
    validation_add_relative(context, "bending, 80 elements, against the limit", "J", e[2].bend, limit.bend, 0.05);
    validation_add_relative(context, "twisting, 80 elements, against the limit", "J", e[2].twist, limit.twist, 5e-4);
    return CDG_OK;
}
