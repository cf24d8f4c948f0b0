// Equilibria and vibrations through the public API: a sagging cantilever stays where it was put, models without
// equilibria are named, reactions are set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"
#include "world/world_static.h"

static void test_cantilever_stays_where_it_is(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.section.radius = 5e-3;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 50};
    load.value = vec3(0, 0.1, 0);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    cdg_equilibrium_report report;
    must(small.world, cdg_world_find_equilibrium(small.world, &report));
    assert_true(report.iterations > 0 && report.residual <= 1e-6 * report.force);
    assert_true(report.is_stable && report.lowest > 0);
    cdg_vec3 before[51], after[51], force, moment;
    must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
    assert_true(force.z > 0.1 && vec3_norm(moment) > 0);
    must(small.world, cdg_rod_positions(small.world, small.rod, before));
    assert_true(before[50].z < -0.3);
    small_world_run(&small, 50);
    must(small.world, cdg_rod_positions(small.world, small.rod, after));
    for (int i = 0; i <= 50; i++) assert_vec3_near(after[i], before[i], 1e-5);
    assert_near(cdg_world_energy(small.world).dissipated, 0, 1e-7);
    double frequencies[2];
    cdg_vec3 shapes[2 * 51];
    must(small.world, cdg_rod_find_modes(small.world, small.rod, 2, frequencies, shapes));
    assert_true(frequencies[0] > 0.1 && frequencies[1] >= frequencies[0]);
    assert_vec3_near(shapes[0], vec3(0, 0, 0), 0);
    assert_true(vec3_norm(shapes[50]) > 0);
    must(small.world, cdg_rod_find_modes(small.world, small.rod, 0, NULL, NULL));
    cdg_world_destroy(small.world);
}

// A rod in equilibrium stands still, however fast it was before, and time goes on from what it was set to.
static void test_equilibrium_rests(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    small_world_run(&small, 20);
    cdg_vec3 velocities[51], spins[50];
    must(small.world, cdg_rod_velocities(small.world, small.rod, velocities));
    assert_true(vec3_norm(velocities[50]) > 0.01);
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    must(small.world, cdg_rod_velocities(small.world, small.rod, velocities));
    must(small.world, cdg_rod_angular_velocities(small.world, small.rod, spins));
    for (int i = 0; i <= 50; i++) assert_vec3_near(velocities[i], vec3(0, 0, 0), 0);
    for (int i = 0; i < 50; i++) assert_vec3_near(spins[i], vec3(0, 0, 0), 0);
    cdg_static_set_time(small.world, 7);
    small_world_run(&small, 3);
    assert_near(cdg_world_time(small.world), 7.003, 1e-12);
    cdg_world_destroy(small.world);
}

static void test_other_models_are_refused(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
    double frequency;
    assert_int_equal(cdg_world_find_equilibrium(small.world, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(small.world), "models that have: der"));
    assert_int_equal(cdg_rod_find_modes(small.world, small.rod, 1, &frequency, NULL), CDG_ERROR_UNSUPPORTED);
    assert_int_equal(cdg_rod_find_modes(small.world, (cdg_rod_id){0}, 1, &frequency, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(small.world);
}

// Each alone would come to rest elsewhere than together.
static void test_joined_rods_are_refused(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
    cdg_rod_id other;
    def.name = "other";
    must(small.world, cdg_world_add_rod(small.world, &def, &other));
    cdg_place places[2] = {{small.rod, CDG_PLACE_NODE, 0}, {other, CDG_PLACE_NODE, 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places;
    joint.place_count = 2;
    must(small.world, cdg_world_add_joint(small.world, &joint, NULL));
    double frequency;
    assert_int_equal(cdg_world_find_equilibrium(small.world, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(small.world), "is joined to others"));
    assert_int_equal(cdg_rod_find_modes(small.world, other, 1, &frequency, NULL), CDG_ERROR_UNSUPPORTED);
    cdg_world_destroy(small.world);
}

// The rod alone, or one that the body holds still, would have other frequencies. A fixed body is a clamp.
static void test_free_bodies_are_refused(void **state) {
    (void)state;
    double frequency[2];
    for (int fixed = 0; fixed < 2; fixed++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, !fixed);
        cdg_body_def ball = cdg_body_def_default();
        cdg_body_id body;
        ball.is_fixed = fixed;
        must(small.world, cdg_world_add_body(small.world, &ball, &body));
        size_t node = fixed ? 0 : 10;
        must(small.world,
             cdg_world_add_weld(small.world, &(cdg_weld_def){{small.rod, CDG_PLACE_NODE, node}, body}, NULL));
        cdg_result expected = fixed ? CDG_OK : CDG_ERROR_UNSUPPORTED;
        assert_int_equal(cdg_rod_find_modes(small.world, small.rod, 1, &frequency[0], NULL), expected);
        if (!fixed) assert_non_null(strstr(cdg_world_message(small.world), "is free and welded"));
        assert_int_equal(cdg_world_find_equilibrium(small.world, NULL), expected);
        cdg_world_destroy(small.world);
        if (!fixed) continue;
        small = small_world_make(&def, vec3(0, 0, 0), 1e-2, true);
        must(small.world, cdg_rod_find_modes(small.world, small.rod, 1, &frequency[1], NULL));
        assert_near(frequency[0], frequency[1], 1e-9 * frequency[1]);
        cdg_world_destroy(small.world);
    }
}

// A check tells what a search would refuse, and nothing else. Contact by default is done without, also where there are
// obstacles that nothing touches; the floor of k = 4 is not among these, which only the search can tell.
static void test_check(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
        cdg_contact_def contact = cdg_contact_def_default();
        contact.choice = k == 0 ? CDG_CONTACT_OFF : CDG_CONTACT_ON;
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.offset = k == 3 ? -5 : -0.05;
        cdg_result expected = k == 1 ? CDG_ERROR_UNSUPPORTED : CDG_OK;
        if (k < 2) must(small.world, cdg_world_set_contact(small.world, &contact));
        if (k >= 3) must(small.world, cdg_world_add_obstacle(small.world, &floor, NULL));
        assert_int_equal(cdg_world_check_equilibrium(small.world), expected);
        if (k == 1) assert_non_null(strstr(cdg_world_message(small.world), "equilibria know no contact"));
        assert_int_equal(cdg_world_find_equilibrium(small.world, NULL), k == 4 ? CDG_ERROR_UNSUPPORTED : expected);
        if (k == 4) assert_non_null(strstr(cdg_world_message(small.world), "things touch in the equilibrium"));
        cdg_world_destroy(small.world);
    }
}

// A rod that sags, and another that is held where it would hang, across it by `beside` metres.
static small_world sagging_across(double beside) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, true);
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_vec3 x[51];
    must(small.world, cdg_rod_positions(small.world, small.rod, x));
    def.name = "across";
    def.element_count = 3;
    def.centerline.line.from = vec3(x[20].x, beside - 0.01, x[20].z);
    def.centerline.line.to = vec3(x[20].x, beside + 0.01, x[20].z);
    cdg_rod_id across;
    must(small.world, cdg_world_add_rod(small.world, &def, &across));
    for (size_t end = 0; end < 2; end++) {
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {across, CDG_PLACE_NODE, 3 * end}};
        must(small.world, cdg_world_add_support(small.world, &support, NULL));
    }
    return small;
}

// By default rods that lie in each other are in no equilibrium, and the sentence says where.
static void test_equilibria_in_which_rods_cross(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        bool is_path = k % 2 == 1, is_off = k / 2 == 1, is_beside = k / 2 == 2;
        small_world small = sagging_across(is_beside ? 0.1 : 0);
        if (is_off) switch_contact_off(small.world);
        cdg_path_def path = cdg_path_def_default();
        path.end = 0.1;
        cdg_result result =
            is_path ? cdg_world_follow_path(small.world, &path, NULL) : cdg_world_find_equilibrium(small.world, NULL);
        assert_int_equal(result, is_off || is_beside ? CDG_OK : CDG_ERROR_UNSUPPORTED);
        if (result != CDG_OK) assert_non_null(strstr(cdg_world_message(small.world), "lies 0.00"));
        cdg_world_destroy(small.world);
    }
}

static void test_falling_rod_has_none(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = 5;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, false);
    assert_int_equal(cdg_world_find_equilibrium(small.world, NULL), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(small.world), "falls for ever"));
    cdg_world_destroy(small.world);
}

// A round rod is rolled up into a ring by a moment that turns with its end, about an axis that is no principal one, and
// by one that keeps its direction.
static void test_rolled_up_by_an_end_moment(void **state) {
    (void)state;
    enum { ELEMENTS = 40 };
    const double whole_turn = 2 * 3.141592653589793;
    for (int follows = 0; follows < 2; follows++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.curvature = CDG_DER_ANGLE;
        def.element_count = ELEMENTS;
        def.has_stiffness = true;
        def.stiffness = (cdg_stiffness){.shear = {1e4, 1e4},
                                        .stretch = 1e4,
                                        .bend = {1, 1},
                                        .twist = 0.8,
                                        .mass = 1,
                                        .inertia = {1e-5, 1e-5, 2e-5},
                                        .radius = 5e-3};
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, true);
        switch_contact_off(small.world); // the ends of the ring meet
        cdg_load_def load = cdg_load_def_default();
        load.kind = CDG_LOAD_MOMENT;
        load.place = (cdg_place){small.rod, CDG_PLACE_NODE, ELEMENTS};
        load.value = follows ? vec3(0.6 * whole_turn, 0.8 * whole_turn, 0) : vec3(0, whole_turn, 0);
        load.follows = follows;
        load.ramp = 1;
        must(small.world, cdg_world_add_load(small.world, &load, NULL));
        cdg_path_def path = cdg_path_def_default();
        cdg_path_report report;
        must(small.world, cdg_world_follow_path(small.world, &path, &report));
        assert_true(report.equilibrium.residual <= 1e-6 * report.equilibrium.force);
        cdg_vec3 nodes[ELEMENTS + 1];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        assert_true(vec3_distance(nodes[0], nodes[ELEMENTS]) < 1e-3);
        assert_near(vec3_distance(nodes[0], nodes[ELEMENTS / 2]), 2 / whole_turn, 1e-3); // the ring's diameter
        cdg_world_destroy(small.world);
    }
}

// Before the beginning of a path loads and supports are the mirror images of those after it: what moves or grows evenly
// goes on evenly.
static void test_mirrored_before_the_beginning(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER, def.element_count = 8;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
    const cdg_motion motions[] = {{.kind = CDG_MOTION_MOVE, .move = {0.6, -0.2, 0.4}, .to = 2},
                                  {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 0.8, .to = 2}};
    cdg_support_def clamp = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &clamp, NULL));
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE, load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 8}, load.value = vec3(0, 3, 0);
    load.ramp = 2;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    must(small.world, cdg_world_step(small.world, NULL)); // so that there is room for holds
    static_loads s;
    assert_true(static_loads_open(&s, small.world, 0));
    s.begin = 0.5;
    const cdg_rod *rod = small.world->rods[0].rod;
    const double times[] = {0.3, 0.5, 0.7};
    cdg_hold holds[3];
    double force[3];
    for (int i = 0; i < 3; i++) {
        static_loads_set(&s, times[i]);
        assert_int_equal(rod->hold_count, 1);
        holds[i] = rod->holds[0];
        force[i] = s.loads.force[1][8];
    }
    assert_near(force[1], 3 * 0.25, 1e-12);
    assert_near(force[2], 3 * 0.35, 1e-12);
    assert_near(force[0], 3 * 0.15, 1e-12);
    assert_vec3_near(vec3_lerp(holds[0].position, holds[2].position, 0.5), holds[1].position, 1e-12);
    assert_near(vec3_distance(holds[0].position, holds[1].position), 0.1 * vec3_norm(vec3(0.6, -0.2, 0.4)), 1e-12);
    cdg_quat before = quat_multiply(holds[1].frame, quat_conjugate(holds[0].frame));
    cdg_quat after = quat_multiply(holds[2].frame, quat_conjugate(holds[1].frame));
    assert_vec3_near(quat_log(before), vec3(0, 0, 0.08), 1e-12);
    assert_vec3_near(quat_log(after), vec3(0, 0, 0.08), 1e-12);
    static_loads_close(&s);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever_stays_where_it_is),   cmocka_unit_test(test_equilibrium_rests),
        cmocka_unit_test(test_other_models_are_refused),       cmocka_unit_test(test_joined_rods_are_refused),
        cmocka_unit_test(test_free_bodies_are_refused),        cmocka_unit_test(test_check),
        cmocka_unit_test(test_equilibria_in_which_rods_cross), cmocka_unit_test(test_falling_rod_has_none),
        cmocka_unit_test(test_rolled_up_by_an_end_moment),     cmocka_unit_test(test_mirrored_before_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
