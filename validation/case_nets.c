// Joints and nets (Spillmann and Teschner, Cosserat Nets, section VI): deformed joints return to rest, a bent and
// twisted corner has the deflection of beam theory, and a free net keeps its momentum.
#include "math/random.h"
#include "validation/case_functions.h"
#include "validation/net_worlds.h"

#include <stdio.h>

// Adds a straight rod like `like` and returns its handle by `out`.
static cdg_result add_line(cdg_world *world, const cdg_rod_def *like, const char *name, cdg_vec3 from, cdg_vec3 to,
                           size_t elements, cdg_rod_id *out) {
    cdg_rod_def def = *like;
    def.name = name;
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE, .line = {from, to}};
    def.element_count = elements;
    return cdg_world_add_rod(world, &def, out);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

enum { ARM_ELEMENTS = 4, ARM_NODES = ARM_ELEMENTS + 1, ARMS_MAX = 6 };

typedef struct joint_shape {
    const char *name;
    int arm_count;
    cdg_vec3 arms[ARMS_MAX]; // directions
} joint_shape;

static const joint_shape shapes[] = {
    {"T", 3, {{1, 0, 0}, {-1, 0, 0}, {0, 0, -1}}},
    {"Y", 3, {{0.6, 0, 0.8}, {-0.6, 0, 0.8}, {0, 0, -1}}},
    {"star", 6, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0.6, 0, 0.8}, {0, 0, -1}}},
};

static const double arm_length = 0.1; // m

static cdg_result read_shape(const cdg_world *world, const cdg_rod_id *rods, int count, cdg_vec3 *out) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < count && result == CDG_OK; i++) result = cdg_rod_positions(world, rods[i], out + ARM_NODES * i);
    return result;
}

// The largest difference of a distance between two nodes: that of shapes, wherever they are.
static double shape_difference(const cdg_vec3 *a, const cdg_vec3 *b, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            largest = fmax(largest, fabs(vec3_distance(a[i], a[j]) - vec3_distance(b[i], b[j])));
    return largest;
}

static cdg_result turn_arm(cdg_world *world, cdg_rod_id rod, cdg_quat turn) {
    cdg_vec3 x[ARM_NODES];
    cdg_quat q[ARM_ELEMENTS];
    cdg_result result = cdg_rod_positions(world, rod, x);
    if (result == CDG_OK) result = cdg_rod_frames(world, rod, q);
    for (int i = 0; i < ARM_NODES; i++) x[i] = quat_rotate(turn, x[i]);
    for (int i = 0; i < ARM_ELEMENTS; i++) q[i] = quat_multiply(turn, q[i]);
    return result == CDG_OK ? cdg_rod_set_state(world, rod, x, q, NULL, NULL) : result;
}

// Turns every arm by up to 0.5 rad another way, and lets the joint settle.
static cdg_result settle_joint(cdg_world *world, const cdg_rod_def *def, const joint_shape *shape, double *away,
                               double *left, double *growth) {
    cdg_rod_id rods[ARMS_MAX] = {{0, 0}};
    cdg_place places[ARMS_MAX] = {{{0, 0}, CDG_PLACE_NODE, 0}};
    cdg_vec3 before[ARMS_MAX * ARM_NODES], after[ARMS_MAX * ARM_NODES];
    cdg_random random = {1};
    cdg_result result = net_add_drag(world, 12);
    for (int i = 0; i < shape->arm_count && result == CDG_OK; i++) {
        char name[8];
        snprintf(name, sizeof name, "arm%d", i);
        result =
            add_line(world, def, name, vec3(0, 0, 0), vec3_scale(arm_length, shape->arms[i]), ARM_ELEMENTS, &rods[i]);
        places[i] = (cdg_place){rods[i], CDG_PLACE_NODE, 0};
    }
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places;
    joint.place_count = (size_t)shape->arm_count;
    if (result == CDG_OK) result = cdg_world_add_joint(world, &joint, NULL);
    if (result == CDG_OK) result = read_shape(world, rods, shape->arm_count, before);
    for (int i = 0; i < shape->arm_count && result == CDG_OK; i++)
        result = turn_arm(world, rods[i], quat_exp(random_vec3(&random, 0.3)));
    if (result == CDG_OK) result = read_shape(world, rods, shape->arm_count, after);
    if (result != CDG_OK) return result;
    *away = shape_difference(before, after, shape->arm_count * ARM_NODES) / arm_length;
    double energy = cdg_world_energy(world).total, start = energy;
    *growth = 0;
    while (result == CDG_OK && cdg_world_time(world) < 3) {
        result = cdg_world_step(world, NULL);
        double next = cdg_world_energy(world).total;
        *growth = fmax(*growth, (next - energy) / start);
        energy = next;
    }
    if (result == CDG_OK) result = read_shape(world, rods, shape->arm_count, after);
    *left = shape_difference(before, after, shape->arm_count * ARM_NODES) / arm_length;
    return result;
}

static cdg_result validate_return(validation_context *context, const net_setting *setting, cdg_error *error) {
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        net_apply(setting, &def);
        def.section.radius = 4e-3;
        def.material.damping_bend = def.material.damping_twist = 5e-3;
        def.material.damping_stretch = def.material.damping_shear = 5e-3;
        cdg_world *world = NULL;
        cdg_result result = validation_spoil_rod(context, &def, error);
        if (result == CDG_OK) result = net_world(context, vec3(0, 0, 0), &world, error);
        if (result != CDG_OK) return result;
        if (setting->model != CDG_MODEL_CORDE) result = cdg_world_set_step_size(world, 2e-3);
        double away = 0, left = 0, growth = 0;
        if (result == CDG_OK) result = settle_joint(world, &def, &shapes[k], &away, &left, &growth);
        validation_fail(world, result, error);
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "%s, %s: deformed by %.2g, what is left, of an arm", setting->name,
                 shapes[k].name, away);
        validation_add_limit(context, label, "", left, 1e-6);
        if (setting->model == CDG_MODEL_DER) continue; // BDF2 has no such law
        snprintf(label, sizeof label, "%s, %s: growth of energy in any step", setting->name, shapes[k].name);
        validation_add_limit(context, label, "", growth, 1e-6);
    }
    return CDG_OK;
}

// An L of two rods of length a, clamped at one end, pushed at the other across its plane: by bending of both and by
// torsion of the first, delta = P (2 a^3/(3 E I) + a^3/(G J)).
static cdg_result validate_corner(validation_context *context, const net_setting *setting, cdg_error *error) {
    enum { ELEMENTS_MAX = 20 };
    const double a = 0.2, force = 0.01; // m, N
    // Gauss-Seidel needs iterations by the square of the elements
    const size_t elements = setting->model == CDG_MODEL_POBD ? 8 : ELEMENTS_MAX;
    cdg_rod_def def = cdg_rod_def_default();
    net_apply(setting, &def);
    def.pobd.iterations = 800;
    def.section.radius = 0.01;
    def.material.young_modulus = 1e7;
    cdg_stiffness right;
    cdg_result result = cdg_stiffness_compute(&def.material, &def.section, &right, error);
    if (result == CDG_OK) result = validation_spoil_rod(context, &def, error);
    cdg_world *world = NULL;
    if (result == CDG_OK) result = net_world(context, vec3(0, 0, 0), &world, error);
    if (result != CDG_OK) return result;
    if (setting->model != CDG_MODEL_CORDE) result = cdg_world_set_step_size(world, 5e-3);
    cdg_rod_id leg = {0}, arm = {0};
    if (result == CDG_OK) result = add_line(world, &def, "leg", vec3(0, 0, 0), vec3(a, 0, 0), elements, &leg);
    if (result == CDG_OK) result = add_line(world, &def, "arm", vec3(a, 0, 0), vec3(a, a, 0), elements, &arm);
    const cdg_place corner[2] = {{leg, CDG_PLACE_NODE, elements}, {arm, CDG_PLACE_NODE, 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = corner;
    joint.place_count = 2;
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {leg, CDG_PLACE_NODE, 0}};
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = (cdg_place){arm, CDG_PLACE_NODE, elements};
    load.value = vec3(0, 0, force);
    if (result == CDG_OK) result = cdg_world_add_joint(world, &joint, NULL);
    if (result == CDG_OK) result = cdg_world_add_support(world, &clamp, NULL);
    if (result == CDG_OK) result = cdg_world_add_load(world, &load, NULL);
    if (result == CDG_OK) result = net_add_drag(world, 15);
    if (result == CDG_OK) result = net_run_until(world, 4);
    cdg_vec3 x[ELEMENTS_MAX + 1] = {{0, 0, 0}};
    if (result == CDG_OK) result = cdg_rod_positions(world, arm, x);
    validation_fail(world, result, error);
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    double expected = force * a * a * a * (2 / (3 * right.bend[0]) + 1 / right.twist);
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: deflection of an L across its plane", setting->name);
    // pobd has shear, and what its iterations leave
    validation_add_relative(context, label, "m", x[elements].z, expected,
                            setting->model == CDG_MODEL_POBD ? 0.01 : 0.002);
    return CDG_OK;
}

// A T: a rod of two lengths a, clamped at both ends, and a branch of length a in its middle, pushed at its tip across
// the plane of both: by the rod's sag and twist and the branch's bending,
// delta = P (a^3/(24 E I) + a^3/(2 G J) + a^3/(3 E I)).
static cdg_result push_branch(validation_context *context, const net_setting *setting, size_t elements, double *tip,
                              double *expected, cdg_error *error) {
    enum { ELEMENTS_MAX = 8 };
    const double a = 0.1, force = 3e-4; // m, N
    cdg_rod_def def = cdg_rod_def_default();
    net_apply(setting, &def);
    def.pobd.iterations = 3000;
    def.section.radius = 5e-3;
    def.material.young_modulus = 1e6;
    def.material.damping_bend = def.material.damping_twist = 20e-3;
    cdg_stiffness right;
    cdg_result result = cdg_stiffness_compute(&def.material, &def.section, &right, error);
    if (result == CDG_OK) result = validation_spoil_rod(context, &def, error);
    cdg_world *world = NULL;
    if (result == CDG_OK) result = net_world(context, vec3(0, 0, 0), &world, error);
    if (result != CDG_OK) return result;
    if (setting->model != CDG_MODEL_CORDE) result = cdg_world_set_step_size(world, 20e-3);
    cdg_rod_id rod = {0}, branch = {0};
    if (result == CDG_OK) result = add_line(world, &def, "rod", vec3(-a, 0, 0), vec3(a, 0, 0), 2 * elements, &rod);
    if (result == CDG_OK) result = add_line(world, &def, "branch", vec3(0, 0, 0), vec3(0, a, 0), elements, &branch);
    const cdg_place places[2] = {{rod, CDG_PLACE_NODE, elements}, {branch, CDG_PLACE_NODE, 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places;
    joint.place_count = 2;
    if (result == CDG_OK) result = cdg_world_add_joint(world, &joint, NULL);
    for (size_t end = 0; end < 2 && result == CDG_OK; end++) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {rod, CDG_PLACE_NODE, 2 * elements * end}};
        result = cdg_world_add_support(world, &clamp, NULL);
    }
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = (cdg_place){branch, CDG_PLACE_NODE, elements};
    load.value = vec3(0, 0, force);
    if (result == CDG_OK) result = cdg_world_add_load(world, &load, NULL);
    if (result == CDG_OK) result = net_add_drag(world, 12);
    if (result == CDG_OK) result = net_run_until(world, 3);
    cdg_vec3 x[ELEMENTS_MAX + 1] = {{0, 0, 0}};
    if (result == CDG_OK) result = cdg_rod_positions(world, branch, x);
    validation_fail(world, result, error);
    cdg_world_destroy(world);
    *tip = x[elements].z;
    *expected = force * a * a * a * (3 / (8 * right.bend[0]) + 1 / (2 * right.twist));
    return result;
}

// What pairs of segments at a joint and the cells of a rod that goes through have together is second order.
static cdg_result validate_branch(validation_context *context, const net_setting *setting, cdg_error *error) {
    double tip[2], expected = 0;
    for (int i = 0; i < 2; i++) {
        cdg_result result = push_branch(context, setting, i == 0 ? 2 : 4, &tip[i], &expected, error);
        if (result != CDG_OK) return result;
    }
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: branch in the middle of a rod, extrapolated from 2 and 4 elements",
             setting->name);
    validation_add_relative(context, label, "m", (4 * tip[1] - tip[0]) / 3, expected,
                            setting->model == CDG_MODEL_POBD ? 0.005 : 0.002);
    if (setting->model == CDG_MODEL_POBD) return CDG_OK; // which has shear besides
    snprintf(label, sizeof label, "%s: error with 4 elements over that with 2", setting->name);
    validation_add_limit(context, label, "", fabs(tip[1] - expected) / fabs(tip[0] - expected), 0.3);
    return CDG_OK;
}

cdg_result validate_net_joints(validation_context *context, cdg_error *error) {
    for (int i = 0; i < NET_SETTING_COUNT && !validation_is_decided(context); i++) {
        validation_under(context, net_settings[i].tag);
        cdg_result result = validate_return(context, &net_settings[i], error);
        if (result == CDG_OK) result = validate_corner(context, &net_settings[i], error);
        if (result == CDG_OK) result = validate_branch(context, &net_settings[i], error);
        if (result != CDG_OK) return result;
        validation_progress(context, (i + 1.0) / NET_SETTING_COUNT);
    }
    return CDG_OK;
}

// ---- a free net -----------------------------------------------------------------------------------------------------

// Throws and shakes all rods; returns the momentum that mass and velocity make.
static cdg_result shake(cdg_world *world, cdg_vec3 velocity) {
    enum { NODES_MAX = 64 };
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_id rod = cdg_world_rod_at(world, i);
        cdg_vec3 x[NODES_MAX], v[NODES_MAX];
        cdg_rod_info info;
        cdg_result result = cdg_rod_get_info(world, rod, &info);
        if (result == CDG_OK) result = cdg_rod_positions(world, rod, x);
        // waves and a turn about the middle, which are the same wherever rods share a point
        for (size_t n = 0; n < info.node_count && result == CDG_OK; n++) {
            cdg_vec3 wave = vec3(0, 0, 0.3 * sin(9 * x[n].x) * sin(7 * x[n].y));
            v[n] = vec3_add(vec3_add(velocity, wave), vec3_cross(vec3(1, 2, 0.5), vec3_sub(x[n], vec3(0.5, 0.5, 0))));
        }
        if (result == CDG_OK) result = cdg_rod_set_state(world, rod, NULL, NULL, v, NULL);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

cdg_result validate_net_momentum(validation_context *context, cdg_error *error) {
    const cdg_vec3 velocity = {0.5, 0.2, 0.1};
    for (int i = 0; i < NET_SETTING_COUNT && !validation_is_decided(context); i++) {
        // implicit steps are dearer, and BDF2 keeps angular momentum only to the fourth order of spin times step
        bool is_implicit = net_settings[i].model != CDG_MODEL_CORDE;
        int steps = is_implicit ? 500 : 10000;
        cdg_structure_def def = cdg_structure_def_default();
        def.name = "net";
        def.element_count = 2;
        def.rod.section.radius = 8e-3;
        net_apply(&net_settings[i], &def.rod);
        cdg_stiffness right;
        cdg_result result = cdg_stiffness_compute(&def.rod.material, &def.rod.section, &right, error);
        if (result == CDG_OK) result = validation_spoil_rod(context, &def.rod, error);
        cdg_world *world = NULL;
        if (result == CDG_OK) result = net_world(context, vec3(0, 0, 0), &world, error);
        if (result != CDG_OK) return result;
        result = cdg_world_add_structure(world, &def);
        if (result == CDG_OK && is_implicit) result = cdg_world_set_step_size(world, 1e-3);
        if (result == CDG_OK) result = shake(world, velocity);
        // with the constraint, the frames' spins are those of their tangents only after a step
        if (result == CDG_OK) result = cdg_world_step(world, NULL);
        cdg_vec3 linear, angular, later, later_angular;
        cdg_world_momentum(world, &linear, &angular);
        double energy = cdg_world_energy(world).total, largest = 0;
        for (int step = 0; step < steps && result == CDG_OK; step++) {
            result = cdg_world_step(world, NULL);
            largest = fmax(largest, cdg_world_energy(world).total / energy - 1);
        }
        cdg_world_momentum(world, &later, &later_angular);
        validation_fail(world, result, error);
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        double length = 10; // ten threads of 1 m
        validation_under(context, net_settings[i].tag);
        snprintf(label, sizeof label, "%s: linear momentum, x", net_settings[i].name);
        validation_add_relative(context, label, "kg m/s", linear.x, length * right.mass * velocity.x, 1e-9);
        snprintf(label, sizeof label, "%s: drift of linear momentum in %d steps, of it", net_settings[i].name, steps);
        validation_add_limit(context, label, "", vec3_distance(later, linear) / vec3_norm(linear), 1e-8);
        snprintf(label, sizeof label, "%s: drift of angular momentum, of it", net_settings[i].name);
        validation_add_limit(context, label, "", vec3_distance(later_angular, angular) / vec3_norm(angular),
                             is_implicit ? 1e-3 : 1e-8);
        // semi-implicit Euler's energy swings by the order of step times frequency, but does not grow
        snprintf(label, sizeof label, "%s: largest gain of energy at any time, of it", net_settings[i].name);
        validation_add_limit(context, label, "", largest, 0.1);
        validation_progress(context, (i + 1.0) / NET_SETTING_COUNT);
    }
    return CDG_OK;
}
