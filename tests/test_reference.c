// The reference model as a whole: conservation, order, every orientation alike, frequencies and equilibria against
// closed forms, agreement with pobd, reactions, resuming.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "small_world.h"

#define PI 3.14159265358979323846

static cdg_rod_def reference_def(size_t element_count) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_REFERENCE;
    def.element_count = element_count;
    return def;
}

// A flat rod that springs from straight into an arc while it spins.
static cdg_rod_def flying_def(size_t element_count) {
    cdg_rod_def def = reference_def(element_count);
    def.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {10e-3, 4e-3}};
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 2;
    def.rest.twist = 1;
    def.velocity = vec3(0.3, -0.2, 0.5);
    def.angular_velocity = vec3(0.5, 1, 3);
    return def;
}

static void test_momentum_and_energy_over_10000_steps(void **state) {
    (void)state;
    cdg_rod_def def = flying_def(4);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-3, false);
    cdg_vec3 linear0, angular0, linear, angular;
    cdg_world_momentum(small.world, &linear0, &angular0);
    double energy0 = cdg_world_energy(small.world).total, worst = 0;
    for (int block = 0; block < 100; block++) {
        small_world_run(&small, 100);
        worst = fmax(worst, fabs(cdg_world_energy(small.world).total / energy0 - 1));
    }
    cdg_world_momentum(small.world, &linear, &angular);
    assert_vec3_near(linear, linear0, 1e-10 * vec3_norm(linear0));
    assert_vec3_near(angular, angular0, 1e-8 * vec3_norm(angular0));
    assert_true(worst < 1e-6); // measured: some 1e-8
    cdg_world_destroy(small.world);
}

static double strained(const cdg_world *world) {
    cdg_energy e = cdg_world_energy(world);
    return e.bend + e.twist + e.stretch;
}

static void test_closed_rods_keep_momentum_and_energy_at_long_steps(void **state) {
    (void)state;
    const double steps[] = {2e-3, 2e-2}; // the latter far beyond the periods of twisting
    for (int s = 0; s < 2; s++)
        for (size_t elements = 9; elements <= 10; elements++) {
            cdg_rod_def def = flying_def(elements);
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 0.2;
            def.centerline.circle.axis = vec3(0, 0.6, 0.8);
            def.roll = 1; // so that its rest curvature points elsewhere
            small_world small = small_world_make(&def, vec3(0, 0, 0), steps[s], false);
            cdg_vec3 linear0, angular0, linear, angular;
            cdg_world_momentum(small.world, &linear0, &angular0);
            double energy0 = cdg_world_energy(small.world).total, strain0 = strained(small.world);
            double moved = 0;
            for (int i = 0; i < (s == 0 ? 300 : 100); i++) {
                small_world_run(&small, 1);
                moved = fmax(moved, fabs(strained(small.world) - strain0));
            }
            cdg_world_momentum(small.world, &linear, &angular);
            assert_vec3_near(linear, linear0, 1e-10 * vec3_norm(linear0));
            assert_vec3_near(angular, angular0, 1e-8 * vec3_norm(angular0));
            assert_near(cdg_world_energy(small.world).total, energy0, 5e-3 * energy0);
            assert_true(moved > 0.02 * strain0); // something went on
            cdg_world_destroy(small.world);
        }
}

// ---- order of convergence -------------------------------------------------------------------------------------------

static cdg_vec3 swung_tip(double step, int steps) {
    cdg_rod_def def = flying_def(5);
    def.velocity = def.angular_velocity = vec3(0, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, true);
    small_world_run(&small, steps);
    cdg_vec3 nodes[6];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    return nodes[5];
}

static void test_second_order_in_time(void **state) {
    (void)state;
    cdg_vec3 best = swung_tip(0.04 / 1600, 1600); // 0.04 s: all waves are resolved
    double coarse = vec3_distance(swung_tip(0.04 / 100, 100), best),
           fine = vec3_distance(swung_tip(0.04 / 200, 200), best);
    assert_true(coarse > 1e-9);
    assert_near(log2(coarse / fine), 2, 0.15);
}

// ---- orientation ----------------------------------------------------------------------------------------------------

// A clamped, bent, twisted rod swinging down, with everything turned by `turn`.
static void swing_turned(cdg_quat turn, cdg_vec3 *nodes, cdg_vec3 *force) {
    cdg_rod_def def = reference_def(8);
    cdg_vec3 normal = quat_rotate(turn, vec3(1, 0, 0));
    def.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {12e-3, 6e-3}};
    def.centerline.line.from = vec3(0, 0, 0);
    def.centerline.line.to = quat_rotate(turn, vec3(0, 0, 1)); // along the published chart's pole at first
    def.initial_normal = &normal;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[1] = 1;
    def.rest.twist = 3;
    small_world small = small_world_make(&def, quat_rotate(turn, vec3(5, 3, -7)), 2e-3, true);
    small_world_run(&small, 200);
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_vec3 moment;
    must(small.world, cdg_support_reaction(small.world, small.support, force, &moment));
    cdg_world_destroy(small.world);
}

static void test_every_orientation_is_alike(void **state) {
    (void)state;
    cdg_random random = {.state = 7};
    cdg_vec3 straight[9], turned[9], force0, force;
    swing_turned(quat_identity(), straight, &force0);
    assert_true(vec3_distance(straight[8], vec3(0, 0, 1)) > 0.3); // it moved a long way
    for (int trial = 0; trial < 6; trial++) {
        cdg_quat turn = trial == 0   ? quat_exp(vec3(PI, 0, 0)) // the other pole
                        : trial == 1 ? quat_exp(vec3(0, PI / 2, 0))
                                     : random_rotation(&random);
        swing_turned(turn, turned, &force);
        for (int i = 0; i < 9; i++) assert_vec3_near(turned[i], quat_rotate(turn, straight[i]), 1e-9);
        assert_vec3_near(force, quat_rotate(turn, force0), 1e-7 * (1 + vec3_norm(force0)));
    }
}

// ---- vibration ------------------------------------------------------------------------------------------------------

// Angular frequency from the times at which a signal passes zero upwards.
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

static void test_bending_frequencies_of_a_cantilever(void **state) {
    (void)state;
    // (beta L)^2 of modes 1 and 2; discretisation errs by some (beta L/N)^2/12
    const double roots[] = {1.8751040687, 4.6940911330};
    for (int mode = 0; mode < 2; mode++) {
        enum { N = 16 };
        cdg_rod_def def = reference_def(N);
        def.section.radius = 2e-3;
        def.material.young_modulus = 1e9;
        cdg_stiffness s;
        must(NULL, cdg_stiffness_compute(&def.material, &def.section, &s, NULL));
        double b = roots[mode], omega = b * b * sqrt(s.bend[0] / s.mass), step = 2 * PI / omega / 100;
        small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
        cdg_vec3 velocity[N + 1], nodes[N + 1];
        double ratio = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
        for (int i = 0; i <= N; i++) {
            double z = b * i / N;
            velocity[i] = vec3(0, 0, 1e-3 * omega * (cosh(z) - cos(z) - ratio * (sinh(z) - sin(z))));
        }
        must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, velocity, NULL));
        crossings c = {0};
        for (int i = 0; i < 350; i++) {
            small_world_run(&small, 1);
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            watch(&c, cdg_world_time(small.world), step, nodes[N].z);
        }
        assert_int_equal(c.count, 3);
        assert_near(frequency(&c), omega, (mode == 0 ? 4e-3 : 1.2e-2) * omega);
        cdg_world_destroy(small.world);
    }
}

static void test_torsional_frequency(void **state) {
    (void)state;
    enum { N = 16 };
    cdg_rod_def def = reference_def(N);
    def.section.radius = 2e-3;
    cdg_stiffness s;
    must(NULL, cdg_stiffness_compute(&def.material, &def.section, &s, NULL));
    double omega = PI / 2 * sqrt(s.twist / s.inertia[2]), step = 2 * PI / omega / 100; // clamped-free, L = 1 m
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    cdg_vec3 spin[N], velocity[N + 1] = {{0}};
    for (int j = 0; j < N; j++) spin[j] = vec3(0, 0, 0.3 * omega * sin(PI / 2 * (j + 0.5) / N));
    must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, velocity, spin));
    crossings c = {0};
    cdg_quat frames[N], first[N];
    must(small.world, cdg_rod_frames(small.world, small.rod, first));
    for (int i = 0; i < 350; i++) {
        small_world_run(&small, 1);
        must(small.world, cdg_rod_frames(small.world, small.rod, frames));
        watch(&c, cdg_world_time(small.world), step, quat_log(quat_relative(first[N - 1], frames[N - 1])).z);
    }
    assert_int_equal(c.count, 3);
    assert_near(frequency(&c), omega, 2e-3 * omega);
    cdg_world_destroy(small.world);
}

// ---- equilibria -----------------------------------------------------------------------------------------------------

static void test_heavy_cantilever(void **state) {
    (void)state;
    const double drop = 0.7001997155, reach = 0.6563537612; // w L^3/B = 10, elastica
    double errors[2];
    for (int n = 0; n < 2; n++) {
        size_t elements = n == 0 ? 10 : 20;
        cdg_rod_def def = reference_def(elements);
        def.section.radius = 1e-3;
        def.material.density = 1000;
        def.material.young_modulus = 4 * 1000 * 9.81 / (10 * 1e-6);
        def.reference.dissipation = 0.5;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-2, true);
        small_world_drag(&small, 7);
        small_world_run(&small, 400);
        cdg_vec3 nodes[21], force, moment, center = {0};
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        errors[n] = hypot(nodes[elements].x - reach, nodes[elements].z + drop);
        // the clamp carries the weight and its moment
        cdg_rod_info info;
        must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
        for (size_t i = 0; i <= elements; i++)
            center = vec3_mad(center, (i == 0 || i == elements ? 0.5 : 1) / (double)elements, nodes[i]);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        double weight = info.mass * 9.81;
        assert_vec3_near(force, vec3(0, 0, weight), 1e-3 * weight);
        assert_vec3_near(moment, vec3(0, -weight * center.x, 0), 1e-3 * weight);
        cdg_world_destroy(small.world);
    }
    assert_true(errors[1] < 4e-3);
    assert_near(log2(errors[0] / errors[1]), 2, 0.2);
}

// A rod clamped at both ends, pushed together and twisted out of plane: the same shape as pobd's without shear.
static void settle_twisted(cdg_model model, bool is_sine, cdg_vec3 *nodes) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.pobd.darboux = CDG_POBD_SINE;
    def.element_count = 16;
    def.section.radius = 4e-3;
    def.material.damping_bend = def.material.damping_twist = 0.05;
    must(NULL, cdg_stiffness_compute(&def.material, &def.section, &def.stiffness, NULL));
    def.has_stiffness = true;
    def.stiffness.shear[0] = def.stiffness.shear[1] = 1e3 * def.stiffness.stretch;
    def.reference.dissipation = 0.5;
    def.reference.darboux = is_sine ? CDG_REFERENCE_SINE : CDG_REFERENCE_ANGLE;
    small_world small = small_world_make(&def, vec3(0, 0, -1), 1e-2, true);
    const cdg_motion motions[2] = {
        {.kind = CDG_MOTION_MOVE, .move = {-0.15, 0, 0}, .to = 1, .ease = CDG_EASE_SMOOTH},
        {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 3, .to = 1, .ease = CDG_EASE_SMOOTH},
    };
    cdg_support_def clamp = {
        .kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 16}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &clamp, NULL));
    small_world_drag(&small, 6);
    small_world_run(&small, 700);
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
}

static void test_settled_twisted_rods_agree_with_pobd(void **state) {
    (void)state;
    cdg_vec3 pobd[17], sine[17], angle[17];
    settle_twisted(CDG_MODEL_POBD, true, pobd);
    settle_twisted(CDG_MODEL_REFERENCE, true, sine);
    settle_twisted(CDG_MODEL_REFERENCE, false, angle);
    assert_true(fabs(pobd[8].z) > 0.05 && fabs(pobd[4].y) > 1e-3);
    for (int i = 0; i < 17; i++) {
        assert_vec3_near(sine[i], pobd[i], 1e-4);
        assert_vec3_near(angle[i], pobd[i], 5e-3);
    }
}

// ---- supports, loads, damping ---------------------------------------------------------------------------------------

static void test_damping_leaves_rigid_motion_alone(void **state) {
    (void)state;
    cdg_rod_def def = reference_def(8);
    def.material.young_modulus = 1e9;
    def.section.radius = 5e-3;
    def.angular_velocity = vec3(0, 0, 2);
    def.material.damping_bend = def.material.damping_twist = def.material.damping_stretch = 0.05;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-3, false);
    small_world_run(&small, 600); // the centrifugal strain settles
    double before = cdg_world_energy(small.world).kinetic;
    small_world_run(&small, 300);
    assert_near(cdg_world_energy(small.world).kinetic, before, 1e-7 * before);
    cdg_world_destroy(small.world);
}

// Twist alone: a twist support at a free end turns the rod about its axis; half a turn spread evenly over the length.
static void test_twist_support_and_moment_agree(void **state) {
    (void)state;
    cdg_rod_def def = reference_def(10);
    def.section.radius = 5e-3;
    def.material.damping_twist = 0.02;
    cdg_stiffness s;
    must(NULL, cdg_stiffness_compute(&def.material, &def.section, &s, NULL));
    for (int by_moment = 0; by_moment < 2; by_moment++) {
        small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-3, true);
        cdg_support_id twist = {0};
        if (by_moment) {
            cdg_load_def load = cdg_load_def_default();
            load.kind = CDG_LOAD_MOMENT;
            load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 10};
            load.value = vec3(PI * s.twist, 0,
                              0); // on the last element's middle: it and all before turn, half the last does not
            must(small.world, cdg_world_add_load(small.world, &load, NULL));
        } else {
            const cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = PI, .to = 0.5};
            cdg_support_def support = {.kind = CDG_SUPPORT_TWIST,
                                       .place = {small.rod, CDG_PLACE_NODE, 10},
                                       .motions = &motion,
                                       .motion_count = 1};
            must(small.world, cdg_world_add_support(small.world, &support, &twist));
        }
        small_world_drag(&small, 30);
        small_world_run(&small, 500);
        cdg_vec3 moments[11], force, reaction;
        must(small.world, cdg_rod_moments(small.world, small.rod, moments));
        for (int i = 0; i < (by_moment ? 10 : 11); i++) assert_near(moments[i].z, PI * s.twist, 1e-5 * s.twist);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &reaction));
        assert_vec3_near(reaction, vec3(-PI * s.twist, 0, 0), 1e-5 * s.twist);
        if (!by_moment) {
            must(small.world, cdg_support_reaction(small.world, twist, &force, &reaction));
            assert_vec3_near(reaction, vec3(PI * s.twist, 0, 0), 1e-5 * s.twist);
        }
        cdg_world_destroy(small.world);
    }
}

// A pendulum on a pin swings as a rigid rod: omega^2 = 3 g/(2 L) for small angles.
static void test_pinned_rod_swings_as_a_rigid_pendulum(void **state) {
    (void)state;
    cdg_rod_def def = reference_def(6);
    def.section.radius = 1e-2;
    def.material.young_modulus = 1e10;
    def.centerline.line.to = vec3(sin(0.05), 0, -cos(0.05));
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-3, false);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod}};
    must(small.world, cdg_world_add_support(small.world, &pin, NULL));
    crossings c = {0};
    for (int i = 0; i < 1000; i++) {
        small_world_run(&small, 1);
        cdg_vec3 nodes[7];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        watch(&c, cdg_world_time(small.world), 5e-3, nodes[6].x);
    }
    double rotary = 1e-4 / 4 / (1.0 / 3); // r^2/4 beside L^2/3
    double omega = sqrt(3 * 9.81 / 2 / (1 + rotary)) * (1 - 0.05 * 0.05 / 16);
    assert_true(c.count >= 2);
    assert_near(frequency(&c), omega, 2e-4 * omega);
    cdg_world_destroy(small.world);
}

// An unequal, tapered rod hanging at rest: tension below the clamp is the weight, reaction too.
static void test_tapered_rod_of_unequal_elements_hangs(void **state) {
    (void)state;
    const cdg_vec3 points[] = {{0, 0, 0}, {0, 0, -0.2}, {0, 0, -0.3}, {0, 0, -0.6}, {0, 0, -1}};
    cdg_rod_def def = reference_def(4);
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = 5;
    def.is_tapered = true;
    def.section_end.radius = 1e-3;
    def.reference.dissipation = 0.5;
    def.material.damping_stretch = 0.05;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-3, true);
    small_world_run(&small, 600);
    cdg_rod_info info;
    cdg_vec3 force, moment;
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
    assert_vec3_near(force, vec3(0, 0, info.mass * 9.81), 1e-8 * info.mass * 9.81);
    cdg_vec3 forces[4];
    must(small.world, cdg_rod_forces(small.world, small.rod, forces));
    assert_true(forces[0].z > forces[1].z && forces[1].z > forces[2].z && forces[2].z > forces[3].z && forces[3].z > 0);
    cdg_world_destroy(small.world);
}

// ---- state ----------------------------------------------------------------------------------------------------------

static void test_resumes_bit_for_bit(void **state) {
    (void)state;
    cdg_rod_def def = flying_def(9);
    small_world whole = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
    small_world_drag(&whole, 1);
    small_world_run(&whole, 60);
    size_t size = cdg_world_snapshot_size(whole.world);
    double *saved = malloc(size * sizeof *saved);
    assert_non_null(saved);
    must(whole.world, cdg_world_snapshot_save(whole.world, saved));
    small_world_run(&whole, 60);
    small_world resumed = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
    small_world_drag(&resumed, 1);
    must(resumed.world, cdg_world_snapshot_load(resumed.world, saved));
    small_world_run(&resumed, 60);
    cdg_vec3 a[10], b[10];
    must(whole.world, cdg_rod_positions(whole.world, whole.rod, a));
    must(resumed.world, cdg_rod_positions(resumed.world, resumed.rod, b));
    assert_memory_equal(a, b, sizeof a);
    free(saved);
    cdg_world_destroy(whole.world);
    cdg_world_destroy(resumed.world);
}

// Frames from outside need not lie along the edges: they are laid onto them, and d3 is the tangent ever after.
// Waves that a step does not resolve ring on under the midpoint rule, and drag does not reach them: a little
// dissipation, or damping of the material, lets the reaction of a fine rod settle.
static double reaction_trembles_by(double dissipation, double damping_time) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_REFERENCE;
    def.material.young_modulus = 1e6;
    def.material.damping_stretch = def.material.damping_bend = def.material.damping_twist = damping_time;
    def.section.radius = 5e-3;
    def.element_count = 80;
    def.centerline.line.to = vec3(0.3, 0, 0);
    def.reference.dissipation = dissipation;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-3, true);
    small_world_drag(&small, 10);
    small_world_run(&small, 580);
    double weight = def.material.density * 3.141592653589793 * 25e-6 * 0.3 * 9.81, worst = 0;
    for (int i = 0; i < 20; i++) {
        small_world_run(&small, 1);
        cdg_vec3 force, moment;
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        worst = fmax(worst, vec3_norm(vec3_sub(force, vec3(0, 0, weight))) / weight);
    }
    cdg_world_destroy(small.world);
    return worst;
}

static void test_reactions_of_fine_rods_settle(void **state) {
    (void)state;
    assert_true(reaction_trembles_by(0.1, 0) < 1e-5);
    assert_true(reaction_trembles_by(0, 0.02) < 1e-5);
    assert_true(reaction_trembles_by(0, 0) > 1e-4); // as its page says
}

static void test_frames_follow_the_edges(void **state) {
    (void)state;
    cdg_random random = {.state = 5};
    cdg_rod_def def = reference_def(5);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_quat frames[5];
    must(small.world, cdg_rod_frames(small.world, small.rod, frames));
    for (int j = 0; j < 5; j++) frames[j] = quat_multiply(frames[j], quat_exp(random_vec3(&random, 0.3)));
    must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, frames, NULL, NULL));
    for (int i = 0; i < 20; i++) {
        small_world_run(&small, 1);
        cdg_vec3 nodes[6];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        must(small.world, cdg_rod_frames(small.world, small.rod, frames));
        for (int j = 0; j < 5; j++)
            assert_vec3_near(quat_d3(frames[j]), vec3_normalize(vec3_sub(nodes[j + 1], nodes[j])), 1e-13);
    }
    cdg_world_destroy(small.world);
}

static void test_bad_options_are_refused(void **state) {
    (void)state;
    cdg_reference_options good = cdg_reference_options_default(), bad[5] = {good, good, good, good, good};
    bad[0].iterations = 0;
    bad[1].tolerance = 0;
    bad[2].tolerance = NAN;
    bad[3].dissipation = 0.6;
    bad[4].dissipation = -0.1;
    for (int i = 0; i < 5; i++) {
        cdg_rod_def def = reference_def(4);
        def.reference = bad[i];
        cdg_world *world = NULL;
        cdg_world_def world_def = cdg_world_def_default();
        must(NULL, cdg_world_create(&world_def, &world, NULL));
        assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), "reference"));
        cdg_world_destroy(world);
    }
}

// A load that no step can follow ends in a sentence, and the world stays where it was.
static void test_absurd_load_fails_with_a_message(void **state) {
    (void)state;
    cdg_rod_def def = reference_def(4);
    small_world small = small_world_make(&def, vec3(0, 0, -1e12), 1, true);
    assert_int_not_equal(cdg_world_step(small.world, NULL), CDG_OK);
    assert_non_null(strstr(cdg_world_message(small.world), "divided"));
    assert_non_null(strstr(cdg_world_message(small.world), "a load or a prescribed motion is far too large"));
    cdg_vec3 nodes[5];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_vec3_near(nodes[4], vec3(1, 0, 0), 0);
    cdg_world_destroy(small.world);
}

// A rod that starts far from its rest shape in few elements is told so, and not that a load is too large: it has none.
static void test_a_start_far_from_rest_is_named(void **state) {
    (void)state;
    cdg_rod_def def = reference_def(7);
    def.material.young_modulus = 3e9;
    def.section.radius = 3.4e-3;
    def.centerline.line.to = vec3(0.58, 0, 0.05);
    def.rest.kind = CDG_REST_CENTERLINE;
    def.rest.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_HELIX,
                                           .helix = {.axis = {0, 0, 1}, .radius = 0.02, .pitch = 0.03, .turns = 3}};
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, true);
    cdg_result result = CDG_OK;
    for (int i = 0; i < 50 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "degrees against its rest shape; use more elements"));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_start_far_from_rest_is_named),
        cmocka_unit_test(test_momentum_and_energy_over_10000_steps),
        cmocka_unit_test(test_closed_rods_keep_momentum_and_energy_at_long_steps),
        cmocka_unit_test(test_second_order_in_time),
        cmocka_unit_test(test_every_orientation_is_alike),
        cmocka_unit_test(test_bending_frequencies_of_a_cantilever),
        cmocka_unit_test(test_torsional_frequency),
        cmocka_unit_test(test_heavy_cantilever),
        cmocka_unit_test(test_settled_twisted_rods_agree_with_pobd),
        cmocka_unit_test(test_damping_leaves_rigid_motion_alone),
        cmocka_unit_test(test_twist_support_and_moment_agree),
        cmocka_unit_test(test_pinned_rod_swings_as_a_rigid_pendulum),
        cmocka_unit_test(test_tapered_rod_of_unequal_elements_hangs),
        cmocka_unit_test(test_resumes_bit_for_bit),
        cmocka_unit_test(test_reactions_of_fine_rods_settle),
        cmocka_unit_test(test_frames_follow_the_edges),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_absurd_load_fails_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
