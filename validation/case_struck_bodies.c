// Rods and free bodies that touch: momentum of a blow in flight, the sag of cords that carry a bar, and that nothing
// passes through anything.
#include "validation/case_functions.h"
#include "validation/model_rods.h"

#include "base/error.h"
#include "contact/obstacle.h"
#include "math/quat.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>

// ---- blows ----------------------------------------------------------------------------------------------------------

static cdg_result make_world(const validation_context *context, cdg_vec3 gravity, double step, double friction,
                             cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, gravity);
    def.step = step;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    return cdg_world_set_contact(*out, &contact);
}

static cdg_result add_rod(const validation_context *context, cdg_world *world, cdg_rod_def def, cdg_rod_id *out,
                          cdg_error *error) {
    cdg_result result = validation_spoil_rod(context, &def, error);
    return result == CDG_OK ? cdg_world_add_rod(world, &def, out) : result;
}

// What a ball and a straight rod have that fly and do not turn, but for the ball.
static void expect_momentum(const cdg_rod_def *rod, double rod_mass, const cdg_body_def *ball, cdg_vec3 *linear,
                            cdg_vec3 *angular) {
    cdg_vec3 middle = vec3_lerp(rod->centerline.line.from, rod->centerline.line.to, 0.5);
    cdg_vec3 of_rod = vec3_scale(rod_mass, rod->velocity), of_ball = vec3_scale(ball->mass, ball->velocity);
    cdg_vec3 spin = vec3_scale(0.4 * ball->mass * ball->shape.radius * ball->shape.radius, ball->angular_velocity);
    *linear = vec3_add(of_rod, of_ball);
    *angular = vec3_add(spin, vec3_add(vec3_cross(middle, of_rod), vec3_cross(ball->shape.position, of_ball)));
}

static cdg_result strike(validation_context *context, validation_model model, double mass, cdg_error *error) {
    double step = model == VALIDATION_CORDE || model == VALIDATION_DER_EXPLICIT ? 5e-5 : 5e-4;
    cdg_rod_def def = cdg_rod_def_default();
    model_choose(model, &def);
    def.name = "rod";
    def.centerline.line.from = vec3(-0.2, 0, 0), def.centerline.line.to = vec3(0.2, 0.01, 0);
    def.element_count = 20;
    def.section.radius = 5e-3;
    def.velocity = vec3(0.2, -0.1, 0.3);
    def.der.tolerance = 1e-12;
    cdg_stiffness stiffness;
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.radius = 0.03, ball.density = 0, ball.mass = mass;
    ball.shape.position = vec3(0.05, 0.012, 0.06), ball.velocity = vec3(0.3, -0.2, -3);
    ball.angular_velocity = vec3(30, 60, -20);
    cdg_world *world = NULL;
    cdg_rod_id rod;
    cdg_result result = cdg_stiffness_compute(&def.material, &def.section, &stiffness, error);
    if (result == CDG_OK) result = make_world(context, vec3(0, 0, 0), step, 0.4, &world, error);
    if (result == CDG_OK) result = add_rod(context, world, def, &rod, error);
    if (result == CDG_OK) result = cdg_world_add_body(world, &ball, NULL);
    size_t touches = 0;
    double deepest = 0;
    for (int i = 0; i < (int)round(0.02 / step) && result == CDG_OK; i++) {
        cdg_step_report report;
        result = cdg_world_step(world, &report);
        if (result != CDG_OK) break;
        touches += report.contact_count > 0;
        deepest = fmax(deepest, report.deepest);
    }
    if (result == CDG_OK) {
        cdg_vec3 linear[2], angular[2];
        double length = vec3_distance(def.centerline.line.from, def.centerline.line.to);
        expect_momentum(&def, stiffness.mass * length, &ball, &linear[0], &angular[0]);
        cdg_world_momentum(world, &linear[1], &angular[1]);
        double scale = 3 * fmax(mass, stiffness.mass * length), lever = 0.1;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name(model);
        validation_under(context, model);
        validation_because(context, NULL);
        snprintf(label, sizeof label, "momentum after a blow of a ball of %g kg, %s", mass, name);
        validation_add_limit(context, label, "", vec3_distance(linear[0], linear[1]) / scale, 1e-10);
        bool keeps = model == VALIDATION_CORDE;
        validation_because(context, keeps ? NULL
                                          : "the model's own: schemes that lose angular momentum, or no inertia about "
                                            "the tangent");
        snprintf(label, sizeof label, "angular momentum, %s", name);
        validation_add_limit(context, label, "", vec3_distance(angular[0], angular[1]) / (scale * lever),
                             keeps ? 1e-10 : 1e-2);
        validation_because(context, NULL);
        snprintf(label, sizeof label, "deepest, %s, %zu steps of contact", name, touches);
        validation_add_limit(context, label, "radii", touches > 0 ? deepest : HUGE_VAL, 1e-3);
    }
    if (world != NULL) validation_fail(world, result, error);
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_struck_rods(validation_context *context, cdg_error *error) {
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++)
        for (int heavy = 0; heavy < 2; heavy++) {
            cdg_result result = strike(context, (validation_model)m, heavy ? 1 : 0.01, error);
            if (result != CDG_OK) return result;
            validation_progress(context, (m + 0.5 * heavy) / VALIDATION_MODEL_COUNT);
        }
    return CDG_OK;
}

// ---- a bar on two cords ---------------------------------------------------------------------------------------------

enum { CORD_ELEMENTS = 40 };
static const double cord_half = 0.2, cord_radius = 2e-3, bar_radius = 0.01, bar_mass = 2, weight_of_1kg = 9.81;
static const double cord_stretch = 160, cord_bend = 1e-5, cord_mass = 0.02; // N, N m^2, kg/m

// A cord from pin to pin, straight but for the arc around the bar, with the tension T = EA strain:
// 2 T sin(angle) = half of the bar's weight, and half of its own, as slopes have it on the average.
static double sagging(double *tension) {
    double around = bar_radius + cord_radius, low = 1e-3, high = 1.4, down = 0;
    for (int i = 0; i < 100; i++) {
        double angle = 0.5 * (low + high), straight = (cord_half - around * sin(angle)) / cos(angle);
        *tension = cord_stretch * ((straight + around * angle) / cord_half - 1);
        double load = weight_of_1kg * (0.5 * bar_mass + cord_mass * cord_half);
        if (2 * *tension * sin(angle) > load)
            high = angle;
        else
            low = angle;
        down = straight * sin(angle) - around * cos(angle);
    }
    return down;
}

// Speed is taken away where it is largest, which is where the bar will be at rest; three times, for at rest it would
// carry part of the weight.
static cdg_result calm(cdg_world *world, cdg_body_id body, double *fastest, int *times) {
    enum { TIMES = 3 };
    cdg_body_state at;
    cdg_result result = cdg_body_get_state(world, body, &at);
    double speed = vec3_norm(at.velocity);
    bool is_over = speed < *fastest;
    *fastest = is_over ? 0 : speed;
    if (result != CDG_OK || !is_over || *times == TIMES) return result;
    ++*times;
    at.velocity = at.angular_velocity = vec3(0, 0, 0);
    return cdg_body_set_state(world, body, &at);
}

static cdg_result add_cords(const validation_context *context, cdg_world *world, validation_model model,
                            cdg_support_id pins[4], cdg_error *error) {
    for (size_t side = 0; side < 2; side++) {
        double y = side == 0 ? -0.05 : 0.05;
        cdg_rod_def def = cdg_rod_def_default();
        model_choose(model, &def);
        def.name = side == 0 ? "one" : "two";
        def.centerline.line.from = vec3(-cord_half, y, 0), def.centerline.line.to = vec3(cord_half, y, 0);
        def.element_count = CORD_ELEMENTS;
        def.section.radius = cord_radius;
        cdg_result result = cdg_stiffness_compute(&def.material, &def.section, &def.stiffness, error);
        if (result != CDG_OK) return result;
        def.has_stiffness = true;
        def.stiffness.stretch = cord_stretch;
        def.stiffness.shear[0] = def.stiffness.shear[1] = cord_stretch;
        def.stiffness.bend[0] = def.stiffness.bend[1] = def.stiffness.twist = cord_bend;
        def.stiffness.mass = cord_mass;
        bool is_damped = model != VALIDATION_DER_EXPLICIT; // it would need far shorter steps
        def.material.damping_stretch = def.material.damping_bend = is_damped ? 5e-4 : 0;
        def.pobd.iterations = 100;
        cdg_rod_id rod;
        result = add_rod(context, world, def, &rod, error);
        for (size_t end = 0; end < 2 && result == CDG_OK; end++) {
            cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {rod, CDG_PLACE_NODE, end * CORD_ELEMENTS}};
            result = cdg_world_add_support(world, &pin, &pins[2 * side + end]);
        }
        if (result != CDG_OK) return result;
    }
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 20;
    return cdg_world_add_load(world, &drag, NULL);
}

static cdg_result hang(validation_context *context, validation_model model, cdg_error *error) {
    bool is_explicit = model == VALIDATION_CORDE || model == VALIDATION_DER_EXPLICIT;
    double step = is_explicit ? 1e-4 : model == VALIDATION_GAUSS_SEIDEL ? 2.5e-4 : 1e-3;
    double duration = context->is_quick ? 0.5 : 0.8;
    cdg_world *world = NULL;
    cdg_support_id pins[4];
    cdg_body_id body = {0};
    cdg_result result = make_world(context, vec3(0, 0, -weight_of_1kg), step, 0, &world, error);
    if (result == CDG_OK) result = add_cords(context, world, model, pins, error);
    cdg_body_def bar = cdg_body_def_default();
    bar.shape.kind = CDG_SHAPE_CAPSULE;
    bar.shape.radius = bar_radius, bar.shape.length = 0.2;
    bar.density = 0, bar.mass = bar_mass;
    bar.shape.orientation = quat_from_axis_angle(vec3(1, 0, 0), 1.5707963267948966);
    bar.shape.position = vec3(0, 0, bar_radius + cord_radius);
    if (result == CDG_OK) result = cdg_world_add_body(world, &bar, &body);
    double down = 0, held = 0, pull = 0, deepest = 0, fastest = 0;
    int steps = (int)round(duration / step), counted = steps / 2, calmed = 0;
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        cdg_step_report report;
        result = cdg_world_step(world, &report);
        if (result == CDG_OK) result = calm(world, body, &fastest, &calmed);
        if (result != CDG_OK || i < steps - counted) continue;
        deepest = fmax(deepest, report.deepest);
        cdg_body_state at;
        cdg_body_get_state(world, body, &at);
        down -= at.position.z / counted;
        for (int k = 0; k < 4; k++) {
            cdg_vec3 force, moment;
            cdg_support_reaction(world, pins[k], &force, &moment);
            held += force.z / counted;
            pull += vec3_norm(force) / 4 / counted;
        }
    }
    if (result == CDG_OK) {
        double tension, sag = sagging(&tension);
        double weight = weight_of_1kg * (bar_mass + 4 * cord_mass * cord_half);
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name(model);
        validation_under(context, model);
        snprintf(label, sizeof label, "how low a bar hangs on two cords, %s", name);
        bool is_after = model == VALIDATION_GAUSS_SEIDEL;
        if (is_after)
            validation_because(context, "contact comes after the sweeps: an error of the first order in the step");
        validation_add_relative(context, label, "m", down, sag, is_after ? 0.06 : 0.01);
        snprintf(label, sizeof label, "what the pins carry, %s", name);
        validation_add_relative(context, label, "N", held, weight, 0.01);
        snprintf(label, sizeof label, "tension, %s", name);
        validation_add_relative(context, label, "N", pull, tension, is_after ? 0.05 : 0.02);
        validation_because(context, NULL);
        snprintf(label, sizeof label, "deepest at rest, %s", name);
        validation_add_limit(context, label, "radii", deepest, 1e-3);
    }
    if (world != NULL) validation_fail(world, result, error);
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_caught_bar(validation_context *context, cdg_error *error) {
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        if (m == VALIDATION_REFERENCE && context->is_quick) {
            validation_unsupported(context, VALIDATION_REFERENCE, "takes long; it is run without --quick");
            continue;
        }
        cdg_result result = hang(context, (validation_model)m, error);
        if (result != CDG_OK) return result;
        if (validation_is_decided(context)) return CDG_OK;
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    return CDG_OK;
}
