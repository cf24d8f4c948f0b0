// The der model as a whole: free motion keeps momentum, turns are counted, states that the scene cannot mean are
// refused, snapshots continue to the last bit, supports carry what they hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "near.h"
#include "rods/der/der.h"
#include "small_world.h"
#include "world/world.h"

static cdg_rod_def steel(size_t elements, double length, double radius) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.material.young_modulus = 200e9, def.material.poisson_ratio = 0.3, def.material.density = 7850;
    def.section.radius = radius;
    def.centerline.line.to = vec3(length, 0, 0);
    def.element_count = elements;
    return def;
}

static void test_check_refuses(void **state) {
    (void)state;
    cdg_error error;
    cdg_rod *rod;
    cdg_rod_def def = steel(10, 1, 1e-3);
    def.der.iterations = 0;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_ERROR_ARGUMENT);
    def = steel(10, 1, 1e-3);
    def.der.tolerance = -1;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_ERROR_ARGUMENT);
    def = steel(10, 1, 1e-3);
    def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION; // without the explicit integrator
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_ERROR_UNSUPPORTED);
}

// Thrown and spinning, curved and anisotropic: linear momentum to rounding, angular momentum as well as BDF2 can.
static void test_free_flight_keeps_momentum(void **state) {
    (void)state;
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        cdg_rod_def def = steel(24, 1, 2e-3);
        def.material.young_modulus = 1e6;
        def.section.kind = CDG_SECTION_RECTANGLE;
        def.section.side[0] = 8e-3, def.section.side[1] = 4e-3;
        if (is_closed) {
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 0.2;
            def.centerline.circle.axis = vec3(0, 0, 1);
        }
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 2, def.rest.twist = 1;
        def.velocity = vec3(0.3, -0.2, 0.1);
        def.angular_velocity = vec3(1, 2, 3);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_vec3 linear[2] = {{0}}, angular[2] = {{0}};
        cdg_world_momentum(small.world, &linear[0], &angular[0]);
        small_world_run(&small, 200);
        cdg_world_momentum(small.world, &linear[1], &angular[1]);
        assert_vec3_near(linear[1], linear[0], 1e-11 * vec3_norm(linear[0]));
        assert_vec3_near(angular[1], angular[0], 2e-3 * vec3_norm(angular[0]));
        cdg_world_destroy(small.world);
    }
}

// A straight rod clamped at both ends, one end turned by many turns: each node's twist exceeds half a turn, and the
// torque and the reactions are those of GJ times the whole angle.
static void test_counts_many_turns(void **state) {
    (void)state;
    for (int quasistatic = 0; quasistatic < 2; quasistatic++) {
        cdg_rod_def def = steel(10, 1, 2e-3);
        def.material.young_modulus = 1e9;
        def.der.twist = quasistatic ? CDG_DER_TWIST_QUASISTATIC : CDG_DER_TWIST_DYNAMIC;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0.01, true);
        cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = vec3(1, 0, 0), .angle = 8 * 2 * der_pi, .to = 1};
        cdg_support_def support = {
            .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = 10}, .motions = &motion, .motion_count = 1};
        cdg_support_id end;
        must(small.world, cdg_world_add_support(small.world, &support, &end));
        small_world_drag(&small, 200);
        small_world_run(&small, 400);
        cdg_vec3 force, moment, moments[11];
        must(small.world, cdg_support_reaction(small.world, end, &force, &moment));
        double torque = 1e9 / 2.6 * der_pi * 16e-12 / 2 * 16 * der_pi; // GJ times rate
        assert_near(moment.x, torque, 1e-4 * torque);
        must(small.world, cdg_rod_moments(small.world, small.rod, moments));
        for (int i = 0; i <= 10; i++) assert_near(moments[i].z, torque, 1e-4 * torque);
        cdg_energy e = cdg_world_energy(small.world);
        assert_near(e.twist, torque * 16 * der_pi / 2, 2e-4 * e.twist);
        cdg_world_destroy(small.world);
    }
}

// Initial and rest twist of several turns a node, as a scene may give them.
static void test_initial_turns_are_those_of_the_definition(void **state) {
    (void)state;
    cdg_rod_def def = steel(10, 1, 2e-3);
    def.initial_twist = 2 * der_pi * 23; // 2.3 turns a node
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_probe probe = {.kind = CDG_PROBE_TWIST, .place = {.rod = small.rod, .index = 4}};
    double twist[CDG_PROBE_COLUMNS_MAX];
    must(small.world, cdg_world_measure(small.world, &probe, twist));
    assert_near(twist[0], def.initial_twist, 1e-9 * def.initial_twist);
    cdg_world_destroy(small.world);
    def.rest.twist = def.initial_twist; // the same at rest: no energy
    small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    assert_near(cdg_world_energy(small.world).total, 0, 1e-12);
    small_world_run(&small, 5);
    assert_near(cdg_world_energy(small.world).total, 0, 1e-12);
    cdg_world_destroy(small.world);
}

static void test_snapshot_continues_bit_by_bit(void **state) {
    (void)state;
    cdg_rod_def def = steel(12, 1, 1e-3);
    def.material.damping_bend = 1e-3;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-3, true);
    small_world_run(&small, 10);
    size_t size = cdg_world_snapshot_size(small.world);
    double *saved = malloc(size * sizeof *saved);
    must(small.world, cdg_world_snapshot_save(small.world, saved));
    cdg_vec3 x[2][13];
    small_world_run(&small, 10);
    must(small.world, cdg_rod_positions(small.world, small.rod, x[0]));
    must(small.world, cdg_world_snapshot_load(small.world, saved));
    small_world_run(&small, 10);
    must(small.world, cdg_rod_positions(small.world, small.rod, x[1]));
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    free(saved);
    cdg_world_destroy(small.world);
}

// A stiff wire at long steps: stable, and a handful of iterations.
static void test_stiff_wire_takes_long_steps(void **state) {
    (void)state;
    cdg_rod_def def = steel(200, 1, 1e-3);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 10e-3, true);
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        cdg_step_report report;
        must(small.world, cdg_world_step(small.world, &report));
        sum += report.iterations;
    }
    assert_true(sum <= 600);
    cdg_energy e = cdg_world_energy(small.world);
    assert_true(e.total < 1e-6 && e.total > -1);
    cdg_world_destroy(small.world);
}

static void test_collapsing_supports_fail_with_the_place(void **state) {
    (void)state;
    cdg_rod_def def = steel(4, 1, 1e-3);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, true);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(-0.25, 0, 0), .to = 0.1};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod, .index = 1}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    cdg_result result = CDG_OK;
    for (int i = 0; i < 20 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "element 0"));
    cdg_world_destroy(small.world);
}

static void test_advice_names_the_rod(void **state) {
    (void)state;
    cdg_rod_def def = steel(10, 1, 1e-3);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
    cdg_step_advice advice = cdg_world_advice(small.world);
    assert_true(advice.step >= 1e-4 && advice.step <= 5e-3);
    assert_non_null(strstr(advice.reason, "'rod'"));
    cdg_world_destroy(small.world);
}

// Explicit damping shortens steps far below what waves allow: then the advice says that it is the damping.
static void test_advice_names_explicit_damping(void **state) {
    (void)state;
    for (int is_damped = 0; is_damped < 2; is_damped++) {
        cdg_rod_def def = steel(10, 1, 1e-3);
        def.der.integrator = CDG_DER_EXPLICIT;
        def.material.damping_stretch = is_damped ? 1e-3 : 0;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
        cdg_step_advice advice = cdg_world_advice(small.world);
        assert_true((strstr(advice.reason, "its damping of stretching waves") != NULL) == (is_damped == 1));
        cdg_world_destroy(small.world);
    }
}

// Explicit steps beyond the limit are doubted, and blow up; just below they are not, and do not.
static void test_unstable_explicit_steps_are_doubted(void **state) {
    (void)state;
    for (int is_unstable = 0; is_unstable < 2; is_unstable++) {
        cdg_rod_def def = steel(10, 1, 1e-3);
        def.der.integrator = CDG_DER_EXPLICIT;
        def.velocity = vec3(0, 0, 0.1);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
        double step = (is_unstable ? 1.15 : 0.95) / 0.6 * cdg_world_advice(small.world).step;
        must(small.world, cdg_world_set_step_size(small.world, step));
        char doubt[256] = "";
        cdg_world_doubts(small.world, step, doubt);
        assert_true((strstr(doubt, "up to which rod 'rod' is stable") != NULL) == (is_unstable == 1));
        cdg_result result = CDG_OK;
        for (int i = 0; i < 2000 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
        assert_true((result == CDG_OK) == (is_unstable == 0));
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_refuses),
        cmocka_unit_test(test_free_flight_keeps_momentum),
        cmocka_unit_test(test_counts_many_turns),
        cmocka_unit_test(test_initial_turns_are_those_of_the_definition),
        cmocka_unit_test(test_snapshot_continues_bit_by_bit),
        cmocka_unit_test(test_stiff_wire_takes_long_steps),
        cmocka_unit_test(test_collapsing_supports_fail_with_the_place),
        cmocka_unit_test(test_advice_names_the_rod),
        cmocka_unit_test(test_advice_names_explicit_damping),
        cmocka_unit_test(test_unstable_explicit_steps_are_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
