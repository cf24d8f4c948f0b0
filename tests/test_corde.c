// The corde model as a whole: forces against differences of the energy, momentum, rigid motion, statics, friction,
// reactions, resuming, options.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"
#include "rounds.h"
#include "small_world.h"

#define PI 3.14159265358979323846

static const cdg_corde_coupling couplings[2] = {CDG_CORDE_PENALTY, CDG_CORDE_CONSTRAINT};

// ---- forces ---------------------------------------------------------------------------------------------------------

// A step from rest, so short that only the forces show: v = h f/m, w = h torque/J.
static const double tiny_step = 1e-12;

static cdg_vec3 force_of(const cdg_rod *rod, size_t i) {
    return vec3_scale(rod->node_mass[i] / tiny_step, rod_vec3(rod->v_next, i));
}

static double torque_of(const cdg_rod *rod, size_t j, int k) {
    return rod->w_next[k][j] * rod->rest_length[j] * rod->frame_inertia[k][j * rod->section_stride] / tiny_step;
}

// Differences of the energy in long double: fourth order, so that a step of 1e-3 leaves 1e-10.
static long double slope(const long double e[4], long double d) {
    return (8 * (e[2] - e[1]) - (e[3] - e[0])) / (12 * d);
}
static const long double offsets[4] = {-2, -1, 1, 2}, difference = 2e-4L;

static void check_gradient(corde_case *c) {
    cdg_rod *rod = c->rod;
    double scale = 0;
    case_predict(c, tiny_step);
    for (size_t i = 0; i < rod->node_count; i++) scale = fmax(scale, vec3_norm(force_of(rod, i)));
    assert_true(scale > 1e-3);
    long_pose pose;
    long_pose_get(rod, &pose);
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 force = force_of(rod, i);
        double parts[3] = {force.x, force.y, force.z};
        for (int k = 0; k < 3; k++) {
            long double e[4];
            for (int s = 0; s < 4; s++) {
                long_pose moved = pose;
                moved.x[i][k] += offsets[s] * difference;
                for (size_t j = 0; corde_is_constraint(rod) && j < rod->element_count; j++) long_follow(rod, &moved, j);
                e[s] = long_energy(rod, &moved);
            }
            assert_near(parts[k], (double)-slope(e, difference), 1e-6 * scale);
        }
    }
    double largest = 0;
    for (size_t j = 0; j < rod->element_count; j++)
        for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(torque_of(rod, j, k)));
    for (size_t j = 0; j < rod->element_count; j++)
        for (int k = corde_is_constraint(rod) ? 2 : 0; k < 3; k++) {
            long double e[4];
            for (int s = 0; s < 4; s++) {
                long_pose moved = pose;
                long double turn[4] = {1, 0, 0, 0};
                turn[k + 1] = tanl(offsets[s] * difference / 2);
                long_multiply(moved.q[j], turn, moved.q[j]);
                e[s] = long_energy(rod, &moved);
            }
            assert_near(torque_of(rod, j, k), (double)-slope(e, difference), 1e-6 * largest);
        }
}

static void test_forces_are_the_energy_gradient(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int round = 0; round < 24; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        bool is_closed = round % 2 == 1, is_held = round / 4 % 2 == 1;
        cdg_rod_def def = case_def(is_closed, couplings[round / 2 % 2], points, &random);
        if (round >= 16) def.is_tapered = false;
        corde_case c = case_build(&def);
        case_shake(&c, &random, 1);
        if (is_held) case_hold(&c, &random);
        check_gradient(&c);
        case_free(&c);
    }
}

// Behind the barrier, where elements are shorter than half.
static void test_forces_of_crushed_elements_are_the_energy_gradient(void **state) {
    (void)state;
    cdg_random random = {14};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 0.2);
        for (size_t i = 0; i < c.rod->node_count; i++)
            rod_set_vec3(c.rod->x, i, vec3_scale(0.35, rod_vec3(c.rod->x, i)));
        double shortest = 1;
        for (size_t j = 0; j < c.rod->element_count; j++) shortest = fmin(shortest, 1 + cdg_rod_strain(c.rod, j).z);
        assert_true(shortest < 0.45);
        check_gradient(&c);
        case_free(&c);
    }
}

static void test_measured_energy_is_that_of_the_forces(void **state) {
    (void)state;
    cdg_random random = {12};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 1);
        if (round >= 4) case_hold(&c, &random);
        long_pose pose;
        long_pose_get(c.rod, &pose);
        double expected = (double)long_energy(c.rod, &pose);
        cdg_energy e;
        cdg_rod_measure_energy(c.rod, vec3(0, 0, 0), &e);
        assert_near(e.stretch + e.shear + e.bend + e.twist, expected, 1e-10 * expected);
        case_free(&c);
    }
}

// Signs of quaternions, and a rigid motion of everything, change nothing but the axes.
static void test_signs_and_rigid_motion_do_not_matter(void **state) {
    (void)state;
    cdg_random random = {13};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 1);
        case_predict(&c, tiny_step);
        cdg_vec3 force[CASE_ELEMENTS + 1], torque[CASE_ELEMENTS];
        for (size_t i = 0; i < c.rod->node_count; i++) force[i] = force_of(c.rod, i);
        for (size_t j = 0; j < c.rod->element_count; j++) torque[j] = rod_vec3(c.rod->w_next, j);
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 shift = random_vec3(&random, 3);
        for (size_t i = 0; i < c.rod->node_count; i++)
            rod_set_vec3(c.rod->x, i, vec3_add(shift, quat_rotate(turn, rod_vec3(c.rod->x, i))));
        for (size_t j = 0; j < c.rod->element_count; j++) {
            cdg_quat q = quat_multiply(turn, rod_quat(c.rod->q, j));
            rod_set_quat(c.rod->q, j, random_unit(&random) < 0.5 ? q : quat_negate(q));
        }
        case_predict(&c, tiny_step);
        double scale = 0, largest = 0;
        for (size_t i = 0; i < c.rod->node_count; i++) scale = fmax(scale, vec3_norm(force[i]));
        for (size_t j = 0; j < c.rod->element_count; j++) largest = fmax(largest, vec3_norm(torque[j]));
        for (size_t i = 0; i < c.rod->node_count; i++)
            assert_vec3_near(force_of(c.rod, i), quat_rotate(turn, force[i]), 1e-11 * scale);
        for (size_t j = 0; j < c.rod->element_count; j++)
            assert_vec3_near(rod_vec3(c.rod->w_next, j), torque[j], 1e-11 * largest);
        case_free(&c);
    }
}

// ---- friction -------------------------------------------------------------------------------------------------------

static void set_damping(cdg_rod_def *def, double time) {
    def->material.damping_stretch = def->material.damping_shear = def->material.damping_bend =
        def->material.damping_twist = time;
}

// Gives a rod random velocities; with the constraint coupling frames turn with their tangents.
static void set_random_motion(cdg_rod *rod, cdg_random *random) {
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(random, 1));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 w = random_vec3(random, 1);
        if (corde_is_constraint(rod)) {
            cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
            cdg_vec3 de = vec3_sub(rod_vec3(rod->v, rod_next_node(rod, j)), rod_vec3(rod->v, j));
            cdg_vec3 local = vec3_scale(1 / vec3_norm(e), quat_rotate_inverse(rod_quat(rod->q, j), de));
            w.x = -local.y, w.y = local.x;
        }
        rod_set_vec3(rod->w, j, w);
    }
}

// Velocity change per time by friction alone: with and without damping, from the same state.
typedef struct rates {
    cdg_vec3 v[CASE_ELEMENTS + 1], w[CASE_ELEMENTS];
} rates;

static void friction_power(corde_case *damped, double step, double *power, rates *out) {
    cdg_rod *rod = damped->rod;
    double times[4];
    case_predict(damped, step);
    for (size_t i = 0; i < rod->node_count; i++) out->v[i] = rod_vec3(rod->v_next, i);
    for (size_t j = 0; j < rod->element_count; j++) out->w[j] = rod_vec3(rod->w_next, j);
    memcpy(times, rod->damping_time, sizeof times);
    memset(rod->damping_time, 0, sizeof times);
    case_predict(damped, step);
    memcpy(rod->damping_time, times, sizeof times);
    *power = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        out->v[i] = vec3_scale(1 / step, vec3_sub(out->v[i], rod_vec3(rod->v_next, i)));
        *power += rod->node_mass[i] * vec3_dot(out->v[i], rod_vec3(rod->v, i));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t at = j * rod->section_stride;
        out->w[j] = vec3_scale(1 / step, vec3_sub(out->w[j], rod_vec3(rod->w_next, j)));
        cdg_vec3 inertia = vec3(rod->frame_inertia[0][at], rod->frame_inertia[1][at], rod->frame_inertia[2][at]);
        cdg_vec3 w = rod_vec3(rod->w, j);
        *power += rod->rest_length[j] *
                  (inertia.x * out->w[j].x * w.x + inertia.y * out->w[j].y * w.y + inertia.z * out->w[j].z * w.z);
    }
}

// tau times the sum of stiffness (strain rate)^2, strain rates by differences of the strains in time.
static double expected_power(const cdg_rod *rod) {
    double d = 1e-6, energy = 0;
    cdg_rod *copy = (cdg_rod *)(uintptr_t)rod;
    cdg_vec3 strain[2][CASE_ELEMENTS], bend[2][CASE_ELEMENTS + 1];
    cdg_vec3 x[CASE_ELEMENTS + 1];
    cdg_quat q[CASE_ELEMENTS];
    for (size_t i = 0; i < rod->node_count; i++) x[i] = rod_vec3(rod->x, i);
    for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q, j);
    for (int s = 0; s < 2; s++) {
        double t = s == 0 ? -d : d;
        for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(copy->x, i, vec3_mad(x[i], t, rod_vec3(rod->v, i)));
        for (size_t j = 0; j < rod->element_count; j++)
            rod_set_quat(copy->q, j, quat_multiply(q[j], quat_exp(vec3_scale(t, rod_vec3(rod->w, j)))));
        for (size_t j = 0; j < rod->element_count; j++) {
            cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
            cdg_vec3 tangent = quat_rotate_inverse(rod_quat(rod->q, j), vec3_normalize(e));
            strain[s][j] = vec3(tangent.x, tangent.y, vec3_norm(e) / rod->rest_length[j]);
            // the coupling's strain R^T t - e3 has a third component: keep its rate by the length of the others
        }
        for (size_t i = 0; i < rod->node_count; i++) bend[s][i] = cdg_rod_darboux_strain(rod, i);
    }
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(copy->x, i, x[i]);
    for (size_t j = 0; j < rod->element_count; j++) rod_set_quat(copy->q, j, q[j]);
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 rate = vec3_scale(0.5 / d, vec3_sub(strain[1][j], strain[0][j]));
        cdg_vec3 e = vec3_sub(rod_vec3(rod->x, rod_next_node(rod, j)), rod_vec3(rod->x, j));
        cdg_vec3 tangent = quat_rotate_inverse(rod_quat(rod->q, j), vec3_normalize(e));
        double third = -(tangent.x * rate.x + tangent.y * rate.y) / tangent.z; // |R^T t| = 1
        size_t at = j * rod->section_stride;
        energy += rod->rest_length[j] * rod->damping_time[1] * rod->stretch_stiffness[2][at] * rate.z * rate.z;
        energy += rod->rest_length[j] * rod->damping_time[0] * rod->stretch_stiffness[0][at] *
                  (rate.x * rate.x + rate.y * rate.y + third * third);
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        if (rod_left_element(rod, i) == SIZE_MAX || rod_right_element(rod, i) == SIZE_MAX) continue;
        cdg_vec3 rate = vec3_scale(0.5 / d, vec3_sub(bend[1][i], bend[0][i]));
        size_t at = i * rod->section_stride;
        energy += rod_cell_length(rod, i) * (rod->damping_time[2] * rod->bend_stiffness[0][at] * rate.x * rate.x +
                                             rod->damping_time[2] * rod->bend_stiffness[1][at] * rate.y * rate.y +
                                             rod->damping_time[3] * rod->bend_stiffness[2][at] * rate.z * rate.z);
    }
    return energy;
}

static void test_friction_dissipates_what_its_strain_rates_say(void **state) {
    (void)state;
    cdg_random random = {21};
    for (int round = 0; round < 16; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        const double tau = 1e-3;
        def.material.damping_stretch = round / 4 % 2 == 0 ? tau : 0;
        def.material.damping_shear = round / 4 == 1 || round / 4 == 0 ? tau : 0;
        def.material.damping_bend = round / 4 == 2 || round / 4 == 0 ? tau : 0;
        def.material.damping_twist = round / 4 == 3 || round / 4 == 0 ? tau : 0;
        corde_case c = case_build(&def);
        case_shake(&c, &random, 1);
        set_random_motion(c.rod, &random);
        double power, twice, expected = expected_power(c.rod);
        rates change;
        friction_power(&c, 1e-8, &power, &change); // extrapolated to no step at all
        friction_power(&c, 2e-8, &twice, &change);
        power = 2 * power - twice;
        assert_true(expected > 1e-4 || (round / 4 == 1 && corde_is_constraint(c.rod)));
        assert_near(-power, expected, 2e-6 * expected + 1e-7);
        case_free(&c);
    }
}

// A rigid motion loses nothing to friction, whatever the damping time, and friction keeps momentum.
static void test_friction_leaves_rigid_motion_alone(void **state) {
    (void)state;
    cdg_random random = {22};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        set_damping(&def, 0.1);
        def.rest.kind = CDG_REST_INITIAL; // no elastic forces, which would not leave the motion rigid
        corde_case c = case_build(&def);
        cdg_vec3 spin = random_vec3(&random, 2), velocity = random_vec3(&random, 2);
        for (size_t i = 0; i < c.rod->node_count; i++)
            rod_set_vec3(c.rod->v, i, vec3_add(velocity, vec3_cross(spin, rod_vec3(c.rod->x, i))));
        for (size_t j = 0; j < c.rod->element_count; j++)
            rod_set_vec3(c.rod->w, j, quat_rotate_inverse(rod_quat(c.rod->q, j), spin));
        double power;
        rates change;
        friction_power(&c, 1e-5, &power, &change);
        cdg_energy e;
        cdg_rod_measure_energy(c.rod, vec3(0, 0, 0), &e);
        assert_near(power, 0, 1e-10 * e.kinetic / 0.1);
        case_free(&c);
    }
}

static void test_friction_keeps_momentum(void **state) {
    (void)state;
    cdg_random random = {23};
    for (int round = 0; round < 8; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def = case_def(round % 2, couplings[round / 2 % 2], points, &random);
        set_damping(&def, 1e-2);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 0.3);
        set_random_motion(c.rod, &random);
        cdg_vec3 linear[2] = {{0}}, angular[2] = {{0}};
        cdg_rod_measure_momentum(c.rod, &linear[0], &angular[0]);
        for (int i = 0; i < 300; i++) {
            case_predict(&c, 1e-3);
            c.rod->model->commit(c.rod, 1e-3);
        }
        cdg_rod_measure_momentum(c.rod, &linear[1], &angular[1]);
        assert_vec3_near(linear[1], linear[0], 1e-11 * vec3_norm(linear[0]));
        assert_vec3_near(angular[1], angular[0], 1e-11 * vec3_norm(angular[0]));
        case_free(&c);
    }
}

// ---- motion ---------------------------------------------------------------------------------------------------------

static cdg_rod_def flying_def(cdg_corde_coupling coupling, int substeps) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.corde.coupling = coupling;
    def.corde.substeps = substeps;
    def.element_count = 16;
    def.section.radius = 2e-2;
    def.rest.kind = CDG_REST_CURVATURE; // starts straight, so it vibrates
    def.rest.curvature[0] = 0.5;
    def.rest.twist = 2;
    def.velocity = vec3(1, -2, 0.5);
    def.angular_velocity = vec3(20, 0.3, 2);
    return def;
}

typedef struct flight {
    cdg_corde_coupling coupling;
    int substeps;
    double step;
} flight;
static const flight flights[] = {
    {CDG_CORDE_PENALTY, 1, 2e-4}, {CDG_CORDE_PENALTY, 0, 6e-4}, {CDG_CORDE_CONSTRAINT, 0, 6e-4}};

static void test_momentum_and_energy_are_kept(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof flights / sizeof *flights; f++) {
        cdg_rod_def def = flying_def(flights[f].coupling, flights[f].substeps);
        small_world small = small_world_make(&def, vec3(0, 0, 0), flights[f].step, false);
        cdg_vec3 linear[2], angular[2];
        cdg_world_momentum(small.world, &linear[0], &angular[0]);
        double start = cdg_world_energy(small.world).total, worst = 0;
        double strain = 0;
        for (int i = 0; i < 100; i++) {
            small_world_run(&small, 100);
            cdg_energy e = cdg_world_energy(small.world);
            worst = fmax(worst, fabs(e.total - start));
            strain = fmax(strain, e.bend + e.twist);
        }
        cdg_world_momentum(small.world, &linear[1], &angular[1]);
        assert_vec3_near(linear[1], linear[0], 1e-10 * vec3_norm(linear[0]));
        assert_vec3_near(angular[1], angular[0], 1e-10 * vec3_norm(angular[0]));
        assert_true(strain > 1e-4); // it does vibrate
        assert_true(worst < 0.02 * start);
        cdg_world_destroy(small.world);
    }
}

// Short elements that spin fast about a bent rod: what their turning takes from the nodes must not feed short waves.
static void test_a_fast_spin_feeds_no_waves(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = flying_def(couplings[c], 0);
        def.element_count = 60;
        def.centerline.line.to = vec3(0.2, 0, 0);
        def.section.radius = 1e-2; // three elements long
        def.rest.curvature[0] = 0.5;
        def.rest.twist = 0;
        def.velocity = vec3(0, 0, 0);
        def.angular_velocity = vec3(100, 0, 0);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
        must(small.world, cdg_world_set_step_size(small.world, cdg_world_advice(small.world).step));
        cdg_vec3 linear, angular[2];
        cdg_world_momentum(small.world, &linear, &angular[0]);
        double start = cdg_world_energy(small.world).total;
        small_world_run(&small, 10000);
        cdg_world_momentum(small.world, &linear, &angular[1]);
        assert_vec3_near(angular[1], angular[0], 1e-10 * vec3_norm(angular[0]));
        assert_near(cdg_world_energy(small.world).total, start, 0.02 * start);
        cdg_world_destroy(small.world);
    }
}

// Frames stay unit, and with the constraint coupling parallel to their tangents, to rounding.
static void test_frames_stay_unit_and_parallel(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof flights / sizeof *flights; f++) {
        cdg_rod_def def = flying_def(flights[f].coupling, flights[f].substeps);
        small_world small = small_world_make(&def, vec3(0, 0, 0), flights[f].step, false);
        small_world_run(&small, 2000);
        cdg_vec3 nodes[17];
        cdg_quat frames[16];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        must(small.world, cdg_rod_frames(small.world, small.rod, frames));
        for (int j = 0; j < 16; j++) {
            assert_near(quat_dot(frames[j], frames[j]), 1, 1e-14);
            cdg_vec3 tangent = vec3_normalize(vec3_sub(nodes[j + 1], nodes[j]));
            assert_vec3_near(quat_d3(frames[j]), tangent, f == 2 ? 1e-14 : 0.1);
        }
        cdg_world_destroy(small.world);
    }
}

// One frame that is as good as free: it must move as a rigid body with three different inertias, energy and momentum
// kept. Spun about its middle axis it turns over, which a frame with one inertia for all axes would never do.
static void test_a_free_frame_tumbles(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.element_count = 1;
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.stretch = 1, .mass = 1, .inertia = {1e-3, 2e-3, 3e-3}};
    def.corde.penalty = 1e-15; // as good as none
    def.corde.substeps = 1;
    corde_case c = case_build(&def);
    rod_set_vec3(c.rod->w, 0, vec3(0.01, 3, 0));
    cdg_vec3 linear = vec3(0, 0, 0), before = linear, after = linear;
    cdg_rod_measure_momentum(c.rod, &linear, &before);
    double least = 3, energy = 1e-3 * 0.01 * 0.01 / 2 + 2e-3 * 9 / 2, worst = 0;
    for (int i = 0; i < 20000; i++) {
        case_predict(&c, 1e-3);
        c.rod->model->commit(c.rod, 1e-3);
        cdg_vec3 w = rod_vec3(c.rod->w, 0);
        least = fmin(least, w.y);
        worst = fmax(worst, fabs((1e-3 * w.x * w.x + 2e-3 * w.y * w.y + 3e-3 * w.z * w.z) / 2 - energy));
    }
    cdg_rod_measure_momentum(c.rod, &linear, &after);
    assert_vec3_near(after, before, 1e-12 * vec3_norm(before));
    assert_true(least < -2.9);
    assert_true(worst < 0.005 * energy);
    case_free(&c);
}

// ---- statics --------------------------------------------------------------------------------------------------------

static cdg_rod_def still_def(cdg_model model, cdg_corde_coupling coupling) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.corde.coupling = coupling;
    def.element_count = 20;
    def.section.radius = 2e-2;
    def.material.young_modulus = 3e7; // first bending mode 5.8 rad/s, w L^3/B = 3.6
    return def;
}

static void settle(small_world *small, double drag, double seconds) {
    small_world_drag(small, drag);
    double step = cdg_world_advice(small->world).step;
    must(small->world, cdg_world_set_step_size(small->world, step));
    small_world_run(small, (int)(seconds / step));
}

// Both ends clamped, one moved towards the other and turned: the shape is that of pobd.
static void twisted_shape(cdg_model model, cdg_corde_coupling coupling, cdg_vec3 nodes[21], cdg_vec3 *moment) {
    cdg_rod_def def = still_def(model, coupling);
    def.pobd.darboux = CDG_POBD_SINE; // as corde
    assert_int_equal(cdg_stiffness_compute(&def.material, &def.section, &def.stiffness, NULL), CDG_OK);
    def.has_stiffness = true; // pobd may shear as much as this coupling does
    def.stiffness.shear[0] = def.stiffness.shear[1] =
        def.stiffness.stretch * (coupling == CDG_CORDE_CONSTRAINT ? 1e5 : 1);
    small_world small = small_world_make(&def, vec3(0, 0, -2), 0, true);
    cdg_motion motions[2] = {
        {.kind = CDG_MOTION_MOVE, .move = vec3(-0.25, 0.1, 0), .to = 0.5, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_ROTATE, .axis = vec3(1, 0, 0), .angle = 2.5, .to = 0.5, .ease = CDG_EASE_SMOOTH}};
    cdg_support_def end = {
        .kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 20}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &end, NULL));
    settle(&small, 10, 4);
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_vec3 force;
    must(small.world, cdg_support_reaction(small.world, small.support, &force, moment));
    cdg_world_destroy(small.world);
}

static void test_twisted_rod_settles_as_with_pobd(void **state) {
    (void)state;
    cdg_vec3 reference[21], nodes[21], wanted, moment;
    for (int c = 0; c < 2; c++) {
        twisted_shape(CDG_MODEL_POBD, couplings[c], reference, &wanted);
        twisted_shape(CDG_MODEL_CORDE, couplings[c], nodes, &moment);
        assert_true(vec3_distance(reference[10], vec3_lerp(reference[0], reference[20], 0.5)) > 0.1); // it has buckled
        for (int i = 0; i < 21; i++) assert_vec3_near(nodes[i], reference[i], 2e-4);
        assert_vec3_near(moment, wanted, 2e-3 * vec3_norm(wanted));
    }
}

static void test_reaction_carries_weight_and_moment(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = still_def(CDG_MODEL_CORDE, couplings[c]);
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        settle(&small, 10, 4);
        cdg_vec3 force, moment, nodes[21];
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        double line = 1100 * PI * 4e-4, weight = line * 9.81;
        assert_vec3_near(force, vec3(0, 0, weight), 1e-3 * weight);
        double arm = 0; // of the weight about the clamp
        for (int i = 0; i < 21; i++) arm += line * 0.05 * (i == 0 || i == 20 ? 0.5 : 1) * 9.81 * nodes[i].x;
        assert_vec3_near(moment, vec3(0, -arm, 0), 0.02 * arm); // half a cell lies between clamp and first frame
        cdg_world_destroy(small.world);
    }
}

// A moment at the free end bends the rod to an arc; a twist support turned at the end twists it evenly.
static void test_moment_and_twist(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = still_def(CDG_MODEL_CORDE, couplings[c]);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
        double bend = 3e7 * PI * 16e-8 / 4, twist = 1e7 * PI * 16e-8 / 2, curvature = 1.5;
        cdg_load_def load = cdg_load_def_default();
        load.kind = CDG_LOAD_MOMENT;
        load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 20};
        load.value = vec3(0, -bend * curvature, 0);
        must(small.world, cdg_world_add_load(small.world, &load, NULL));
        settle(&small, 10, 4);
        cdg_vec3 nodes[21], force, moment;
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        assert_near(nodes[20].z, (1 - cos(curvature)) / curvature, 3e-3);
        assert_near(nodes[20].x, sin(curvature) / curvature, 3e-3);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        assert_vec3_near(moment, vec3(0, bend * curvature, 0), 1e-3 * bend);
        cdg_world_destroy(small.world);

        small = small_world_make(&def, vec3(0, 0, 0), 0, true);
        cdg_motion turn = {
            .kind = CDG_MOTION_ROTATE, .axis = vec3(1, 0, 0), .angle = 1, .to = 0.5, .ease = CDG_EASE_SMOOTH};
        cdg_support_def end = {
            .kind = CDG_SUPPORT_TWIST, .place = {small.rod, CDG_PLACE_NODE, 20}, .motions = &turn, .motion_count = 1};
        must(small.world, cdg_world_add_support(small.world, &end, NULL));
        settle(&small, 10, 4);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        // the energy measures sin of half the turn of a cell, so the moment is that of the sine of the whole turn
        assert_vec3_near(moment, vec3(-twist * 20 * sin(1.0 / 20), 0, 0), 5e-5 * twist);
        cdg_world_destroy(small.world);
    }
}

// Damping does not move the equilibrium, and a damping time far beyond the step's is no danger.
static void test_damping_leaves_the_equilibrium(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int c = 0; c < 2; c++) {
        cdg_vec3 nodes[2][21];
        for (int damped = 0; damped < 2; damped++) {
            cdg_rod_def def = still_def(CDG_MODEL_CORDE, couplings[c]);
            if (damped) set_damping(&def, 0.05);
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
            settle(&small, 10, 4);
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes[damped]));
            cdg_world_destroy(small.world);
        }
        assert_true(nodes[0][20].z < -0.1);
        for (int i = 0; i < 21; i++) assert_vec3_near(nodes[1][i], nodes[0][i], 1e-4);
    }
}

// The decay of a vibrating cantilever, pulled once and let go, is pobd's with the same damping times.
static double decay(cdg_model model, cdg_corde_coupling coupling) {
    cdg_rod_def def = still_def(model, coupling);
    def.element_count = 10;
    def.material.damping_bend = 0.01;
    def.pobd.tolerance = 1e-12;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 10};
    load.value = vec3(0, 0, 1.5);
    load.to = 0.2;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    double step = model == CDG_MODEL_POBD ? 5e-4 : cdg_world_advice(small.world).step;
    must(small.world, cdg_world_set_step_size(small.world, step));
    small_world_run(&small, (int)(0.5 / step));
    cdg_energy before = cdg_world_energy(small.world);
    small_world_run(&small, (int)(2 / step));
    cdg_energy after = cdg_world_energy(small.world);
    cdg_world_destroy(small.world);
    return log(before.total / after.total);
}

static void test_damping_times_mean_what_they_mean_in_pobd(void **state) {
    (void)state;
    double wanted = decay(CDG_MODEL_POBD, CDG_CORDE_PENALTY);
    assert_true(wanted > 0.5);
    for (int c = 0; c < 2; c++) assert_near(decay(CDG_MODEL_CORDE, couplings[c]), wanted, 0.04 * wanted);
}

// ---- books ----------------------------------------------------------------------------------------------------------

static small_world busy_world(int thread_count, cdg_rod_id *rods, int rod_count) {
    small_world small = {0};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 2e-4;
    world_def.thread_count = thread_count;
    world_def.contact = CDG_CONTACT_OFF; // all rods lie in the same place
    must(NULL, cdg_world_create(&world_def, &small.world, NULL));
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int r = 0; r < rod_count; r++) {
        cdg_rod_def def = flying_def(couplings[r % 2], 0);
        def.name = names[r];
        if (r >= 2) set_damping(&def, 1e-3);
        must(small.world, cdg_world_add_rod(small.world, &def, &rods[r]));
        cdg_motion turn = {.kind = CDG_MOTION_ROTATE, .axis = vec3(1, 0, 0), .angle = 3, .to = 1};
        cdg_support_def end = {
            .kind = CDG_SUPPORT_CLAMP, .place = {rods[r], CDG_PLACE_NODE, 0}, .motions = &turn, .motion_count = 1};
        must(small.world, cdg_world_add_support(small.world, &end, NULL));
    }
    return small;
}

static void test_resuming_and_threads_change_no_bit(void **state) {
    (void)state;
    cdg_rod_id rods[4];
    small_world one = busy_world(1, rods, 4), other = busy_world(3, rods, 4);
    small_world_run(&one, 150);
    small_world_run(&other, 60);
    size_t size = cdg_world_snapshot_size(other.world);
    double *snapshot = calloc(size, sizeof *snapshot);
    must(other.world, cdg_world_snapshot_save(other.world, snapshot));
    small_world_run(&other, 7);
    must(other.world, cdg_world_snapshot_load(other.world, snapshot));
    small_world_run(&other, 90);
    free(snapshot);
    for (int r = 0; r < 4; r++) {
        cdg_vec3 a[17], b[17];
        cdg_quat p[16], q[16];
        must(one.world, cdg_rod_positions(one.world, rods[r], a));
        must(other.world, cdg_rod_positions(other.world, rods[r], b));
        must(one.world, cdg_rod_frames(one.world, rods[r], p));
        must(other.world, cdg_rod_frames(other.world, rods[r], q));
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(p, q, sizeof p);
    }
    cdg_world_destroy(one.world);
    cdg_world_destroy(other.world);
}

// Work is spread over threads only where it is worth waking them.
static void test_cost_grows_with_work(void **state) {
    (void)state;
    cdg_rod_def def = flying_def(CDG_CORDE_PENALTY, 0);
    corde_case c = case_build(&def);
    const cdg_rod_model *model = c.rod->model;
    double one = model->step_cost(c.rod, 1e-6), many = model->step_cost(c.rod, 1e-2);
    assert_true(one > 0 && one < 50e-6);
    assert_true(many > 10 * one);
    c.rod->damping_time[2] = 1;
    assert_true(model->step_cost(c.rod, 1e-6) > 3 * one);
    case_free(&c);
}

static void test_books_balance(void **state) {
    (void)state;
    for (int r = 0; r < 2; r++) {
        cdg_rod_def def = flying_def(couplings[r], 0);
        def.velocity = def.angular_velocity = vec3(0, 0, 0);
        def.rest.kind = CDG_REST_STRAIGHT;
        def.rest.twist = 0;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, true);
        cdg_motion turn = {
            .kind = CDG_MOTION_ROTATE, .axis = vec3(0.3, 0, 1), .angle = 1, .to = 0.5, .ease = CDG_EASE_SMOOTH};
        cdg_support_def end = {
            .kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 16}, .motions = &turn, .motion_count = 1};
        must(small.world, cdg_world_add_support(small.world, &end, NULL));
        small_world_run(&small, 10000);
        cdg_energy e = cdg_world_energy(small.world);
        assert_true(e.bend > 0.01);
        assert_near(e.dissipated, 0, 0.01 * e.bend); // nothing dissipates here
        cdg_world_destroy(small.world);
    }
}

// ---- options --------------------------------------------------------------------------------------------------------

static void test_bad_options_are_refused(void **state) {
    (void)state;
    cdg_world *world = NULL;
    cdg_world_def world_def = cdg_world_def_default();
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    for (int i = 0; i < 5; i++) {
        cdg_rod_def def = still_def(CDG_MODEL_CORDE, CDG_CORDE_PENALTY);
        if (i == 0) def.corde.penalty = -1;
        if (i == 1) def.corde.penalty = NAN;
        if (i == 2) def.corde.inertia_factor = 0;
        if (i == 3) def.corde.inertia_factor = INFINITY;
        if (i == 4) def.corde.substeps = -1;
        assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), "corde"));
    }
    cdg_world_destroy(world);
}

// As many sub-steps as needed: any step is stable.
static void test_any_step_is_stable_with_automatic_substeps(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = flying_def(couplings[c], 0);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
        must(small.world, cdg_world_set_step_size(small.world, 50 * cdg_world_advice(small.world).step));
        double start = cdg_world_energy(small.world).total;
        cdg_step_report report;
        for (int i = 0; i < 200; i++) must(small.world, cdg_world_step(small.world, &report));
        assert_in_range(report.iterations, 50, 500);
        assert_near(cdg_world_energy(small.world).total, start, 0.02 * start);
        cdg_world_destroy(small.world);
    }
}

// Squeezed to 40 % of its length, an element couples its frame to its nodes six times as stiffly as at rest.
static void test_squeezed_rods_take_more_substeps(void **state) {
    (void)state;
    for (int is_by_hand = 0; is_by_hand < 2; is_by_hand++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.element_count = 10;
        def.material.young_modulus = 1e6;
        def.corde.substeps = is_by_hand ? 50 : 0;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        int at_rest = report.iterations;
        cdg_vec3 x[11];
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        for (int i = 0; i < 11; i++) x[i] = vec3_scale(0.4, x[i]);
        must(small.world, cdg_rod_set_state(small.world, small.rod, x, NULL, NULL, NULL));
        must(small.world, cdg_world_step(small.world, &report));
        // At rest 0.8/0.95 of the limit; four times a sub-step must be stable behind the barrier: cbrt(u^2/2) < 0.4.
        assert_int_equal(report.iterations, is_by_hand ? 50 : 16 * at_rest);
        cdg_world_destroy(small.world);
    }
}

static double most_energy(small_world *small, int steps) {
    double most = 0;
    for (int i = 0; i < steps; i++) {
        small_world_run(small, 1);
        most = fmax(most, cdg_world_energy(small->world).total);
    }
    return most;
}

// A rubber band let go at 70 % stretch has the energy to crush elements to no length.
static void test_a_band_let_go_keeps_its_energy(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.corde.coupling = couplings[k];
        def.element_count = 40;
        def.section.radius = 5e-3;
        def.material.young_modulus = 1e6;
        def.material.density = 1100;
        def.centerline.line.to = vec3(1.7, 0, 0);
        def.rest.kind = CDG_REST_CENTERLINE;
        def.rest.centerline = def.centerline;
        def.rest.centerline.line.to = vec3(1, 0, 0);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-4, false);
        cdg_contact_def contact = {.choice = CDG_CONTACT_OFF};
        must(small.world, cdg_world_set_contact(small.world, &contact));
        double start = cdg_world_energy(small.world).total, most = most_energy(&small, 200);
        assert_true(start > 19);
        assert_true(most < (k == 0 ? 1.05 : 1.15) * start);
        cdg_world_destroy(small.world);
    }
}

// Cells that turn past half a turn from a curved rest shape have an energy without jumps there.
static void test_turns_past_half_from_a_curved_rest_keep_the_energy(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.corde.coupling = couplings[k];
        def.element_count = 10;
        def.section.radius = 0.02;
        def.material.young_modulus = 1e6;
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 8; // 0.8 rad a cell
        def.rest.twist = 15;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_contact_def contact = {.choice = CDG_CONTACT_OFF};
        must(small.world, cdg_world_set_contact(small.world, &contact));
        double start = cdg_world_energy(small.world).total, most = most_energy(&small, 500);
        assert_true(most < 1.15 * start);
        cdg_world_destroy(small.world);
    }
}

static void test_a_step_beyond_the_limit_says_so(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = flying_def(couplings[c], 1);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
        cdg_step_advice advice = cdg_world_advice(small.world);
        assert_non_null(strstr(advice.reason, "waves"));
        must(small.world, cdg_world_set_step_size(small.world, 2 * advice.step));
        cdg_result result = CDG_OK;
        for (int i = 0; i < 5000 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
        assert_int_equal(result, CDG_ERROR_ENERGY);
        assert_non_null(strstr(cdg_world_message(small.world), "is stable up to"));
        cdg_world_destroy(small.world);
    }
    cdg_rod_def def = flying_def(CDG_CORDE_PENALTY, 0);
    def.corde.inertia_factor = 1e-14;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-4, false);
    assert_int_equal(cdg_world_step(small.world, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "sub-steps"));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_the_energy_gradient),
        cmocka_unit_test(test_forces_of_crushed_elements_are_the_energy_gradient),
        cmocka_unit_test(test_measured_energy_is_that_of_the_forces),
        cmocka_unit_test(test_a_band_let_go_keeps_its_energy),
        cmocka_unit_test(test_turns_past_half_from_a_curved_rest_keep_the_energy),
        cmocka_unit_test(test_signs_and_rigid_motion_do_not_matter),
        cmocka_unit_test(test_friction_dissipates_what_its_strain_rates_say),
        cmocka_unit_test(test_friction_leaves_rigid_motion_alone),
        cmocka_unit_test(test_friction_keeps_momentum),
        cmocka_unit_test(test_momentum_and_energy_are_kept),
        cmocka_unit_test(test_a_fast_spin_feeds_no_waves),
        cmocka_unit_test(test_frames_stay_unit_and_parallel),
        cmocka_unit_test(test_a_free_frame_tumbles),
        cmocka_unit_test(test_twisted_rod_settles_as_with_pobd),
        cmocka_unit_test(test_reaction_carries_weight_and_moment),
        cmocka_unit_test(test_moment_and_twist),
        cmocka_unit_test(test_damping_leaves_the_equilibrium),
        cmocka_unit_test(test_damping_times_mean_what_they_mean_in_pobd),
        cmocka_unit_test(test_resuming_and_threads_change_no_bit),
        cmocka_unit_test(test_cost_grows_with_work),
        cmocka_unit_test(test_books_balance),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_any_step_is_stable_with_automatic_substeps),
        cmocka_unit_test(test_squeezed_rods_take_more_substeps),
        cmocka_unit_test(test_a_step_beyond_the_limit_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
