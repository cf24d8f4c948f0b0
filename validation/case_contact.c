// Contact and friction: a rod on a slope that sticks, slides or rolls, and a rope around a bollard (Euler and
// Eytelwein's formula).
#include "validation/case_functions.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.141592653589793;

static cdg_result fail_with(const cdg_world *world, cdg_result result, cdg_error *error) {
    if (result != CDG_OK && error != NULL && world != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    return result;
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

typedef struct slope {
    cdg_model model;
    bool is_implicit, is_across;
    double step, angle, friction, duration;
    bool is_late; // only the second half of the duration counts
} slope;

static const double rod_radius = 5e-3;

static cdg_result slide(const validation_context *context, const slope *it, double *moved, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, (cdg_vec3){9.81 * sin(it->angle), 0, -9.81 * cos(it->angle)});
    def.step = it->step;
    def.thread_count = 1;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rod";
    rod.model = it->model;
    rod.pobd.solver = it->is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    rod.der.integrator = it->is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    rod.section.radius = rod_radius;
    rod.centerline.line.from = (cdg_vec3){0, 0, rod_radius};
    rod.centerline.line.to = it->is_across ? (cdg_vec3){0, 0.1, rod_radius} : (cdg_vec3){0.1, 0, rod_radius};
    rod.element_count = 5;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.friction = it->friction;
    cdg_rod_id id = {0};
    cdg_vec3 before[6], after[6];
    result = cdg_world_add_obstacle(world, &plane, NULL);
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &id);
    if (result == CDG_OK) result = cdg_rod_positions(world, id, before);
    int steps = (int)(it->duration / it->step + 0.5);
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        result = cdg_world_step(world, NULL);
        if (it->is_late && i + 1 == steps / 2) cdg_rod_positions(world, id, before);
    }
    if (result == CDG_OK) result = cdg_rod_positions(world, id, after);
    if (result == CDG_OK) *moved = after[2].x - before[2].x;
    fail_with(world, result, error);
    cdg_world_destroy(world);
    return result;
}

static cdg_result validate_slopes(validation_context *context, cdg_error *error) {
    static const struct {
        validation_model name;
        cdg_model model;
        bool is_implicit;
        double step;
    } variants[] = {
        {VALIDATION_CORDE, CDG_MODEL_CORDE, false, 1e-4},       {VALIDATION_DER_EXPLICIT, CDG_MODEL_DER, false, 1e-4},
        {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false, 1e-3}, {VALIDATION_DER_IMPLICIT, CDG_MODEL_DER, true, 1e-3},
        {VALIDATION_DIRECT, CDG_MODEL_POBD, true, 1e-3},        {VALIDATION_REFERENCE, CDG_MODEL_REFERENCE, true, 1e-3},
        {VALIDATION_GALPHA, CDG_MODEL_GALPHA, true, 1e-3}};
    char label[VALIDATION_TEXT_SIZE];
    double angle = 0.5, friction = 0.2, time = 0.3, moved = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const char *name = validation_model_name(variants[i].name);
        validation_under(context, variants[i].name);
        slope it = {variants[i].model, variants[i].is_implicit, false, variants[i].step, angle, friction, time, false};
        cdg_result result = slide(context, &it, &moved, error);
        if (result != CDG_OK) return result;
        // of n steps of Euler's method the first already has its whole speed: n (n + 1)/2 instead of n^2/2
        double expected = 9.81 * (sin(angle) - friction * cos(angle)), factor = 2 / (time * (time + it.step));
        snprintf(label, sizeof label, "acceleration, sliding, %s", name);
        validation_add_relative(context, label, "m/s^2", moved * factor, expected, 0.01);
        it.angle = 0.3, it.friction = 1.05 * tan(0.3),
        it.duration = context->is_quick         ? 0.3
                      : variants[i].step < 1e-3 ? 1
                                                : 10;
        if (it.is_implicit) it.step = 5e-3;
        result = slide(context, &it, &moved, error);
        if (result != CDG_OK) return result;
        snprintf(label, sizeof label, "creep in %g s, %s", it.duration, name);
        validation_add_limit(context, label, "m", fabs(moved), 1e-6);
        if (it.is_implicit && context->is_quick) { // what creeps does so at a rate, which shows earlier
            it.is_late = true, it.duration = 1;
            result = slide(context, &it, &moved, error);
            if (result != CDG_OK) return result;
            it.is_late = false;
            snprintf(label, sizeof label, "creep in 10 s at the rate from 0.5 to 1 s, %s", name);
            validation_add_limit(context, label, "m", 20 * fabs(moved), 1e-6);
        }
        // quasistatic angles have no inertia, and gauss_seidel's is not that of the section
        if (i == 1 || i == 2) continue;
        it.step = variants[i].step;
        it.is_across = true, it.angle = 0.2, it.friction = 0.5, it.duration = time;
        result = slide(context, &it, &moved, error);
        if (result != CDG_OK) return result;
        snprintf(label, sizeof label, "acceleration, rolling, %s", name);
        validation_add_relative(context, label, "m/s^2", moved * factor, 9.81 * sin(0.2) * 2 / 3, 0.01);
    }
    return CDG_OK;
}

// ---- bollard --------------------------------------------------------------------------------------------------------

enum { POINTS_MAX = 256 };
static const double bollard = 0.05, rope = 0.25e-3, slack_pull = 0.1; // m, m, N

// Straight to the bollard, around it by `wrap`, and straight on; a little along it, so that turns lie side by side.
static size_t wind(double wrap, double angle, size_t tail, cdg_vec3 *points) {
    size_t around = (size_t)(wrap / angle), count = 0;
    double part = wrap / (double)around, r = (bollard + rope) / cos(0.5 * part); // edges touch, corners do not
    double length = r * part, rise = 4 * rope / (2 * pi) * part;
    for (size_t i = 0; i < tail; i++)
        points[count++] = (cdg_vec3){r, -length * (double)(tail - i), -rise * (double)(tail - i)};
    for (size_t i = 0; i <= around; i++)
        points[count++] = (cdg_vec3){r * cos(part * (double)i), r * sin(part * (double)i), rise * (double)i};
    for (size_t i = 1; i <= tail; i++) {
        double along = length * (double)i;
        points[count++] = (cdg_vec3){r * cos(wrap) - along * sin(wrap), r * sin(wrap) + along * cos(wrap),
                                     rise * (double)(around + i)};
    }
    return count;
}

static cdg_result pull(const validation_context *context, double friction, double wrap, double angle, size_t tail,
                       double *ratio, cdg_error *error) {
    cdg_vec3 points[POINTS_MAX];
    size_t count = wind(wrap, angle, tail, points);
    cdg_world_def def = cdg_world_def_default();
    def.gravity = (cdg_vec3){0, 0, 0};
    def.step = 2e-3;
    def.thread_count = 1;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    // Hardly any bending stiffness: the formula has none, and bending adds B/R^2 to the slack pull.
    rod.has_stiffness = true;
    rod.stiffness = (cdg_stiffness){.shear = {1e3, 1e3},
                                    .stretch = 1e3,
                                    .bend = {5e-7, 5e-7},
                                    .twist = 5e-7,
                                    .mass = 1e-3,
                                    .inertia = {1e-10, 1e-10, 2e-10},
                                    .radius = rope};
    rod.material.damping_stretch = rod.material.damping_bend = rod.material.damping_twist = 5e-3;
    rod.material.damping_shear = 5e-3;
    rod.centerline.kind = CDG_CENTERLINE_POLYLINE;
    rod.centerline.points.points = points;
    rod.centerline.points.count = count;
    rod.element_count = count - 1;
    rod.rest.kind = CDG_REST_INITIAL;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_obstacle_def cylinder = cdg_obstacle_def_default();
    cylinder.shape.kind = CDG_SHAPE_CYLINDER;
    cylinder.shape.radius = bollard;
    cylinder.shape.length = 0.2;
    cylinder.friction = friction;
    cdg_rod_id id = {0};
    result = cdg_world_add_obstacle(world, &cylinder, NULL);
    if (result == CDG_OK) result = cdg_world_add_rod(world, &rod, &id);
    cdg_load_def slack = cdg_load_def_default();
    slack.value = (cdg_vec3){0, -slack_pull, 0};
    slack.place = (cdg_place){.rod = id, .kind = CDG_PLACE_NODE, .index = 0};
    if (result == CDG_OK) result = cdg_world_add_load(world, &slack, NULL);
    double duration = 0.06, way = 6e-3;
    cdg_motion motion = {
        .kind = CDG_MOTION_MOVE, .move = {-way * sin(wrap), way * cos(wrap), 0}, .from = 0, .to = duration};
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                           .place = {.rod = id, .kind = CDG_PLACE_NODE, .index = count - 1},
                           .motions = &motion,
                           .motion_count = 1};
    cdg_support_id support = {0};
    if (result == CDG_OK) result = cdg_world_add_support(world, &pin, &support);
    double sum = 0;
    int steps = (int)(duration / def.step + 0.5), counted = 0;
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        result = cdg_world_step(world, NULL);
        cdg_vec3 force, moment;
        if (result != CDG_OK || i < steps * 3 / 4) continue;
        result = cdg_support_reaction(world, support, &force, &moment);
        sum += -force.x * sin(wrap) + force.y * cos(wrap);
        counted++;
    }
    if (result == CDG_OK) *ratio = sum / counted / slack_pull;
    fail_with(world, result, error);
    cdg_world_destroy(world);
    return result;
}

// As a polygon becomes finer the ratio converges to second order, to what bending makes of Euler and Eytelwein's: the
// tails have the same length all the time.
static cdg_result validate_bollard_order(validation_context *context, cdg_error *error) {
    double ratio[3] = {0};
    for (int i = 0; i < 3; i++) {
        size_t parts = 18u << i;
        cdg_result result = pull(context, 0.3, pi, pi / ((double)parts + 0.5), (size_t)5 << i, &ratio[i], error);
        if (result != CDG_OK) return result;
    }
    double order = log2(fabs(ratio[1] - ratio[0]) / fabs(ratio[2] - ratio[1]));
    validation_add_limit(context, "pull over slack, friction 0.3: by how much the order in elements is below 2", "",
                         fmax(2 - order, 0), 0);
    return CDG_OK;
}

cdg_result validate_contact(validation_context *context, cdg_error *error) {
    static const double frictions[] = {0.1, 0.3, 0.6}, wraps[] = {0.5, 1, 2};
    cdg_result result = validate_slopes(context, error);
    validation_under(context, VALIDATION_DIRECT);
    for (int i = 0; i < 9 && result == CDG_OK; i++) {
        if (context->is_quick && i % 3 != 0) continue; // a quarter of a turn, each friction
        double friction = frictions[i / 3], wrap = pi * wraps[i % 3], ratio = 0;
        // A polygon holds less by the square of its angle over four, in the exponent.
        result = pull(context, friction, wrap, fmin(0.2, 0.05 / friction), 4, &ratio, error);
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "pull over slack, friction %g, %g turns", friction, wraps[i % 3] / 2);
        // Friction acts on the rope's surface, tension in its middle: about the bollard's axis their moments balance.
        double expected = exp(friction * wrap * bollard / (bollard + rope));
        if (result == CDG_OK) validation_add_relative(context, label, "", ratio, expected, 0.02);
        validation_progress(context, 0.3 + 0.6 * (i + 1) / 9);
    }
    if (result == CDG_OK && !context->is_quick) result = validate_bollard_order(context, error);
    return result;
}
