// Explicit steps: energy of a pendulum with RATTLE and what projection loses, agreement with the implicit integrator,
// momentum, the advised step, and errors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "math/quat.h"
#include "near.h"
#include "rods/discrete_spring.h"
#include "small_world.h"

static cdg_rod_def soft(size_t elements, cdg_der_constraint constraint) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.der.integrator = CDG_DER_EXPLICIT;
    def.der.constraint = constraint;
    def.element_count = elements;
    return def;
}

static void pin(small_world *small, size_t node, const cdg_motion *motion) {
    cdg_support_def support = {.kind = CDG_SUPPORT_PIN,
                               .place = {.rod = small->rod, .index = node},
                               .motions = motion,
                               .motion_count = motion != NULL};
    must(small->world, cdg_world_add_support(small->world, &support, &small->support));
}

static double worst_length(const small_world *small, size_t elements) {
    cdg_vec3 x[64];
    double worst = 0;
    must(small->world, cdg_rod_positions(small->world, small->rod, x));
    for (size_t j = 0; j < elements; j++)
        worst = fmax(worst, fabs(vec3_distance(x[j], x[j + 1]) * (double)elements - 1));
    return worst;
}

static void test_pendulum_energy(void **state) {
    (void)state;
    double lost[2];
    for (int is_rattle = 0; is_rattle < 2; is_rattle++) {
        cdg_rod_def def = soft(10, is_rattle ? CDG_DER_CONSTRAINT_RATTLE : CDG_DER_CONSTRAINT_PROJECTION);
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-4, false);
        switch_contact_off(small.world); // the soft rod strikes itself, which loses energy
        pin(&small, 0, NULL);
        double start = cdg_world_energy(small.world).total;
        small_world_run(&small, 4000);
        assert_true(worst_length(&small, 10) < 1e-9);
        cdg_energy e = cdg_world_energy(small.world);
        double depth = 9.81 * 1100 * der_pi * 4e-6 / 2; // the energy of hanging down
        lost[is_rattle] = fabs(e.total - start) / depth;
        assert_near(e.stretch, 0, 0);
        cdg_world_destroy(small.world);
    }
    assert_true(lost[1] < 5e-3);
    assert_true(lost[0] > 5 * lost[1]); // the paper's own limitation
}

// The same swing, extensible, by both integrators; and inextensible, nearly.
static void test_agrees_with_implicit(void **state) {
    (void)state;
    cdg_vec3 x[4][17];
    for (int kind = 0; kind < 4; kind++) {
        cdg_rod_def def = soft(16, kind == 2   ? CDG_DER_CONSTRAINT_PROJECTION
                                   : kind == 3 ? CDG_DER_CONSTRAINT_RATTLE
                                               : CDG_DER_CONSTRAINT_NONE);
        def.material.young_modulus = 1e7;
        if (kind == 0) def.der.integrator = CDG_DER_IMPLICIT;
        def.section.kind = CDG_SECTION_RECTANGLE;
        def.section.side[0] = 8e-3, def.section.side[1] = 4e-3;
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 1, def.rest.curvature[1] = 0.5;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, true);
        small_world_run(&small, 3000);
        must(small.world, cdg_rod_positions(small.world, small.rod, x[kind]));
        cdg_world_destroy(small.world);
    }
    for (int kind = 1; kind < 4; kind++) assert_vec3_near(x[kind][16], x[0][16], 5e-3);
    assert_true(vec3_distance(x[0][16], vec3(1, 0, 0)) > 0.1);
}

// Frames that are far from where they would rest creep there as damping lets them, and do not strike the rod.
static void test_damped_frames_creep(void **state) {
    (void)state;
    cdg_energy after[2];
    for (int kind = 0; kind < 2; kind++) {
        cdg_rod_def def = soft(12, CDG_DER_CONSTRAINT_NONE);
        def.der.integrator = kind == 0 ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
        def.der.twist = CDG_DER_TWIST_QUASISTATIC;
        def.material.young_modulus = 1e6;
        def.material.damping_bend = def.material.damping_twist = 5e-3;
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 2, def.rest.curvature[1] = -1, def.rest.twist = 3;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-5, false);
        double start = cdg_world_energy(small.world).total;
        for (int i = 0; i < 500; i++) {
            small_world_run(&small, 1);
            assert_true(cdg_world_energy(small.world).total < start * (1 + 1e-9));
        }
        after[kind] = cdg_world_energy(small.world);
        assert_true(after[kind].total > 0.02 * start); // not there at once
        cdg_world_destroy(small.world);
    }
    assert_near(after[1].total / after[0].total, 1, 5e-3);
    assert_near(after[1].kinetic / after[0].kinetic, 1, 2e-2);
}

static void test_free_flight_keeps_momentum(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        cdg_rod_def def = soft(16, (cdg_der_constraint)kind);
        def.velocity = vec3(0.3, -0.2, 0.1);
        def.angular_velocity = vec3(0, 2, 3);
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = 2;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-5, false);
        cdg_vec3 linear[2] = {{0}}, angular[2] = {{0}};
        cdg_world_momentum(small.world, &linear[0], &angular[0]);
        small_world_run(&small, 2000);
        cdg_world_momentum(small.world, &linear[1], &angular[1]);
        assert_vec3_near(linear[1], linear[0], 1e-9 * vec3_norm(linear[0])); // rounding of (x_next - x)/step
        assert_vec3_near(angular[1], angular[0], 2e-4 * vec3_norm(angular[0]));
        cdg_world_destroy(small.world);
    }
}

// A hanging rod at rest: the pin carries the weight, tension is that of what hangs below.
static void test_tension_and_reaction(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        cdg_rod_def def = soft(10, (cdg_der_constraint)kind);
        def.centerline.line.to = vec3(0, 0, -1);
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-4, false);
        pin(&small, 0, NULL);
        small_world_drag(&small, 20);
        small_world_run(&small, 20000);
        cdg_vec3 force, moment, forces[10];
        double weight = 9.81 * 1100 * der_pi * 4e-6;
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        assert_vec3_near(force, vec3(0, 0, weight), 1e-3 * weight);
        must(small.world, cdg_rod_forces(small.world, small.rod, forces));
        for (int j = 0; j < 10; j++) assert_near(forces[j].z, weight * (9.5 - j) / 10, 2e-3 * weight);
        cdg_world_destroy(small.world);
    }
}

static void test_advised_step_is_stable(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        cdg_rod_def def = soft(30, kind == 0 ? CDG_DER_CONSTRAINT_NONE : CDG_DER_CONSTRAINT_RATTLE);
        def.section.radius = 1e-2;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        cdg_step_advice advice = cdg_world_advice(small.world);
        assert_non_null(strstr(advice.reason, kind == 0 ? "stretching waves" : "bending waves"));
        must(small.world, cdg_world_set_step_size(small.world, advice.step));
        double start = cdg_world_energy(small.world).total, depth = 9.81 * 1100 * der_pi * 1e-4;
        small_world_run(&small, 2000);
        assert_near(cdg_world_energy(small.world).total, start, 0.02 * depth);
        must(small.world, cdg_world_set_step_size(small.world, 3 * advice.step)); // beyond the limit it blows up
        cdg_result result = CDG_OK;
        for (int i = 0; i < 2000 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL);
        double end = cdg_world_energy(small.world).total;
        assert_true(result != CDG_OK || !(fabs(end - start) < depth));
        cdg_world_destroy(small.world);
    }
}

static void test_pulled_too_long(void **state) {
    (void)state;
    cdg_rod_def def = soft(8, CDG_DER_CONSTRAINT_PROJECTION);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0.1, 0, 0), .to = 0.1};
    pin(&small, 0, NULL);
    pin(&small, 8, &motion);
    cdg_result result = CDG_OK;
    for (int i = 0; i < 5 && result == CDG_OK; i++) result = cdg_world_step(small.world, NULL); // 0.2 % are allowed
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "longer than it is"));
    cdg_world_destroy(small.world);
}

// Pins of a straight rod, 1 m, approach by 3 cm while it falls: without giving way it could only leap. Returns the
// height of its middle; *strain is the largest at the end, *peak the largest force of the moving pin.
static double push_together(cdg_rod_def def, double *strain, double *peak) {
    enum { ELEMENTS = 20 };
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-4, false);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(-0.03, 0, 0), .to = 0.1};
    pin(&small, 0, NULL);
    pin(&small, ELEMENTS, &motion);
    *strain = *peak = 0;
    for (int i = 0; i < 500; i++) {
        cdg_vec3 force, moment;
        must(small.world, cdg_world_step(small.world, NULL));
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        *peak = fmax(*peak, vec3_norm(force));
    }
    cdg_vec3 x[ELEMENTS + 1];
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    for (int i = 0; i < ELEMENTS; i++) *strain = fmax(*strain, fabs(vec3_distance(x[i], x[i + 1]) * ELEMENTS - 1));
    cdg_world_destroy(small.world);
    return x[ELEMENTS / 2].z;
}

static void test_ends_of_a_straight_rod_approach(void **state) {
    (void)state;
    cdg_rod_def def = soft(20, CDG_DER_CONSTRAINT_NONE);
    double strain, peak, expected = push_together(def, &strain, &peak);
    def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
    assert_near(push_together(def, &strain, &peak), expected, 0.05 * fabs(expected));
    assert_true(strain < 0.02);
    assert_true(peak < 20); // 2.7e8 N when nothing gave way
    def.der.constraint = CDG_DER_CONSTRAINT_RATTLE;
    assert_near(push_together(def, &strain, &peak), expected, 0.05 * fabs(expected));
    assert_true(peak < 20);
}

// Nodes 10 km from the origin are rounded by 1e-10 of an element of 1 cm and more.
static void test_short_elements_far_away(void **state) {
    (void)state;
    cdg_rod_def def = soft(100, CDG_DER_CONSTRAINT_PROJECTION);
    def.section.radius = 1e-3;
    def.centerline.line.from = vec3(1e4, 2e4, 3e4);
    def.centerline.line.to = vec3(1e4 + 1, 2e4, 3e4);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, false);
    pin(&small, 0, NULL);
    for (int i = 0; i < 20; i++) must(small.world, cdg_world_step(small.world, NULL));
    cdg_world_destroy(small.world);
}

static void test_dynamic_twist_is_refused(void **state) {
    (void)state;
    cdg_rod_def def = soft(8, CDG_DER_CONSTRAINT_NONE);
    def.der.twist = CDG_DER_TWIST_DYNAMIC;
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_ERROR_UNSUPPORTED);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_energy),         cmocka_unit_test(test_agrees_with_implicit),
        cmocka_unit_test(test_damped_frames_creep),     cmocka_unit_test(test_free_flight_keeps_momentum),
        cmocka_unit_test(test_tension_and_reaction),    cmocka_unit_test(test_advised_step_is_stable),
        cmocka_unit_test(test_pulled_too_long),         cmocka_unit_test(test_ends_of_a_straight_rod_approach),
        cmocka_unit_test(test_short_elements_far_away), cmocka_unit_test(test_dynamic_twist_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
