// Three ropes of 50, 100 and 1000 elements coil up alike (Spillmann's thesis, figure 3.12, the ropes of table 3.2): one
// end of each is turned by three turns while the other comes closer, so little that the rope winds into a helix which
// does not touch itself. Shapes are compared with each other half-way and settled, and with the reference model's,
// since rods that are wrong alike would agree, too.
#include "math/vec3.h"
#include "validation/case_functions.h"
#include "validation/corde_rods.h"

#include <math.h>
#include <stdio.h>

enum { COARSE = 50, NODES_MAX = 1001 };
static const double length = 10, turning = 5, settled = 9; // m, s, s

// Where the nodes of the coarse rope's places are at the two times, and what the motor feels at the end.
typedef struct coil {
    cdg_vec3 halfway[COARSE + 1], settled[COARSE + 1];
    double torque; // N m
} coil;

static cdg_result add_motor(cdg_world *world, cdg_rod_id rod, cdg_support_id *out) {
    const cdg_motion turn = {.kind = CDG_MOTION_ROTATE,
                             .axis = {1, 0, 0},
                             .angle = 6 * 3.14159265358979323846,
                             .to = turning,
                             .ease = CDG_EASE_SMOOTH};
    cdg_support_def motor = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}, .motions = &turn, .motion_count = 1};
    return cdg_world_add_support(world, &motor, out);
}

static cdg_result add_sledge(cdg_world *world, cdg_rod_id rod, size_t node) {
    const cdg_motion move = {
        .kind = CDG_MOTION_MOVE, .move = {-0.05 * length, 0, 0}, .to = turning, .ease = CDG_EASE_SMOOTH};
    cdg_support_def sledge = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .index = node}, .motions = &move, .motion_count = 1};
    return cdg_world_add_support(world, &sledge, NULL);
}

// A push at two fifths of the length tells the rope where to leave its axis.
static cdg_result add_loads(cdg_world *world, cdg_rod_id rod, size_t elements) {
    cdg_load_def drag = cdg_load_def_default(), push = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 3;
    push.place = (cdg_place){.rod = rod, .index = elements / 5 * 2};
    push.value = (cdg_vec3){0, 0, 2};
    push.to = 0.4 * turning;
    cdg_result result = cdg_world_add_load(world, &drag, NULL);
    return result == CDG_OK ? cdg_world_add_load(world, &push, NULL) : result;
}

static cdg_result read_places(const cdg_world *world, cdg_rod_id rod, size_t elements, cdg_vec3 *out) {
    cdg_vec3 x[NODES_MAX] = {{0, 0, 0}};
    cdg_result result = cdg_rod_positions(world, rod, x);
    for (size_t i = 0; i <= COARSE && result == CDG_OK; i++) out[i] = x[i * (elements / COARSE)];
    return result;
}

static cdg_result wind(const validation_context *context, cdg_rod_def rod, double step, coil *out, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id id = {0};
    cdg_support_id motor = {0};
    cdg_result result = corde_world(context, &rod, (cdg_vec3){0, 0, 0}, &world, &id, error);
    if (result != CDG_OK) return result;
    result = add_motor(world, id, &motor);
    if (result == CDG_OK) result = add_sledge(world, id, rod.element_count);
    if (result == CDG_OK) result = add_loads(world, id, rod.element_count);
    // outputs must fall on steps, whatever the step
    if (step == 0) step = turning / 2 / ceil(turning / 2 / cdg_world_advice(world).step);
    if (result == CDG_OK) result = corde_run(world, step, turning / 2, error);
    if (result == CDG_OK) result = read_places(world, id, rod.element_count, out->halfway);
    if (result == CDG_OK) result = corde_run(world, step, settled - turning / 2, error);
    if (result == CDG_OK) result = read_places(world, id, rod.element_count, out->settled);
    cdg_vec3 force, moment = {0, 0, 0};
    if (result == CDG_OK) result = cdg_support_reaction(world, motor, &force, &moment);
    out->torque = moment.x;
    result = validation_fail(world, result, error);
    cdg_world_destroy(world);
    return result;
}

// Ropes, table 3.2: E = G = 0.5 MPa, E_s = 20 MPa, r = 1 cm, 1300 kg/m^3, kappa = 1e5 N, with stiffness and inertia as
// the thesis prints them (corde_comparison_rod tells why).
static cdg_rod_def rope(size_t elements) {
    const double area = 3.14159265358979323846e-4;
    cdg_rod_def rod = corde_comparison_rod(CDG_CORDE_PENALTY);
    rod.centerline.line.to = (cdg_vec3){length, 0, 0};
    rod.element_count = elements;
    rod.corde.penalty = 1e5;
    rod.stiffness.stretch = 20e6 * area;
    rod.stiffness.bend[0] = rod.stiffness.bend[1] = 0.5e6 * area / 4;
    rod.stiffness.twist = 0.5e6 * area / 2;
    return rod;
}

static double farthest(const cdg_vec3 *a, const cdg_vec3 *b) {
    double largest = 0;
    for (size_t i = 0; i <= COARSE; i++) largest = fmax(largest, vec3_distance(a[i], b[i]));
    return largest / length;
}

// The same for distances along the axis and off it: a coil may be turned about its axis almost freely, so where it
// stops depends on how it got there, which is another way for the reference model.
static double farthest_profile(const cdg_vec3 *a, const cdg_vec3 *b) {
    double largest = 0;
    for (size_t i = 0; i <= COARSE; i++)
        largest = fmax(largest, hypot(a[i].x - b[i].x, hypot(a[i].y, a[i].z) - hypot(b[i].y, b[i].z)));
    return largest / length;
}

// How far the coil stands off its axis: without it there would be nothing to agree about.
static double width(const coil *c) {
    double largest = 0;
    for (size_t i = 0; i <= COARSE; i++) largest = fmax(largest, hypot(c->settled[i].y, c->settled[i].z));
    return largest / length;
}

cdg_result validate_corde_coil(validation_context *context, cdg_error *error) {
    const size_t counts[3] = {COARSE, 100, context->is_quick ? 150 : 1000};
    validation_context right = validation_context_default(); // the reference is not spoiled
    cdg_rod_def rod = rope(context->is_quick ? COARSE : 100);
    rod.model = CDG_MODEL_REFERENCE;
    rod.reference.dissipation = 0.5; // it is to settle
    coil reference = {.torque = 0}, ropes[3] = {{.torque = 0}};
    cdg_result result = wind(&right, rod, 0.02, &reference, error);
    for (int i = 0; i < 3 && result == CDG_OK; i++) {
        result = wind(context, rope(counts[i]), 0, &ropes[i], error);
        validation_progress(context, i == 0 ? 0.05 : i == 1 ? 0.15 : 1);
    }
    if (result != CDG_OK) return result;
    char label[VALIDATION_TEXT_SIZE];
    for (int i = 0; i < 2; i++) {
        snprintf(label, sizeof label, "%zu elements against %zu, half-way: farthest node, of the length", counts[i],
                 counts[2]);
        validation_add_limit(context, label, "", farthest(ropes[i].halfway, ropes[2].halfway), 0.02);
        snprintf(label, sizeof label, "%zu elements against %zu, settled: farthest node, of the length", counts[i],
                 counts[2]);
        validation_add_limit(context, label, "", farthest(ropes[i].settled, ropes[2].settled), 0.02);
    }
    snprintf(label, sizeof label, "%zu elements against the reference model: profile, of the length", counts[2]);
    validation_add_limit(context, label, "", farthest_profile(ropes[2].settled, reference.settled), 0.005);
    snprintf(label, sizeof label, "%zu elements: width of the coil, of the length", counts[2]);
    validation_add_relative(context, label, "", width(&ropes[2]), width(&reference), 0.05);
    snprintf(label, sizeof label, "%zu elements: torque of the motor", counts[2]);
    validation_add_relative(context, label, "N m", ropes[2].torque, reference.torque, 0.02);
    return CDG_OK;
}
