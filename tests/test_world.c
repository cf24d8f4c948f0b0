// The world's ownership: handles, names, refusals, read-back, state replacement.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "small_world.h"
#include "world/world.h"

#include <cordage/body.h>

static void test_handles_notice_removal(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    switch_contact_off(small.world); // all rods lie in the same place
    def.name = "second";
    cdg_rod_id second;
    must(small.world, cdg_world_add_rod(small.world, &def, &second));
    assert_int_equal(cdg_world_rod_count(small.world), 2);
    must(small.world, cdg_world_remove_rod(small.world, small.rod));
    assert_int_equal(cdg_world_rod_count(small.world), 1);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(small.world, small.rod, &info), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_remove_rod(small.world, small.rod), CDG_ERROR_STALE);
    assert_int_equal(cdg_support_reaction(small.world, small.support, NULL, NULL), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_rod_at(small.world, 0).index1, second.index1);
    // the free place is used again, and the old handle still does not fit
    def.name = "third";
    cdg_rod_id third;
    must(small.world, cdg_world_add_rod(small.world, &def, &third));
    assert_int_equal(third.index1, small.rod.index1);
    assert_int_equal(cdg_rod_get_info(small.world, small.rod, &info), CDG_ERROR_STALE);
    must(small.world, cdg_rod_get_info(small.world, third, &info));
    assert_string_equal(info.name, "third");
    small_world_run(&small, 3);
    assert_int_equal(cdg_rod_get_info(small.world, (cdg_rod_id){0}, &info), CDG_ERROR_STALE);
    cdg_world_destroy(small.world);
}

static void test_names_are_unique_and_found(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    assert_int_equal(cdg_world_add_rod(small.world, &def, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "already"));
    assert_int_equal(cdg_world_find_rod(small.world, "rod").index1, small.rod.index1);
    assert_int_equal(cdg_world_find_rod(small.world, "nobody").index1, 0);
    cdg_world_destroy(small.world);
}

// Sections come back as they were given, linear between the ends, and agree with what the rod computes from them.
static void test_sections(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 10;
    def.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {8e-3, 2e-3}};
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    def.name = "tapered";
    def.is_tapered = true;
    def.section_end = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {2e-3, 1e-3}};
    cdg_rod_id tapered, outright;
    must(small.world, cdg_world_add_rod(small.world, &def, &tapered));
    def.name = "outright";
    must(NULL, cdg_stiffness_compute(&def.material, &def.section, &def.stiffness, NULL));
    def.stiffness.radius = 7e-3;
    def.has_stiffness = true;
    must(small.world, cdg_world_add_rod(small.world, &def, &outright));
    cdg_section sections[11];
    double radii[11];
    cdg_rod_info info;
    must(small.world, cdg_rod_sections(small.world, small.rod, sections));
    for (size_t i = 0; i < 11; i++) assert_true(sections[i].side[0] == 8e-3 && sections[i].side[1] == 2e-3);
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    assert_int_equal(info.section_kind, CDG_SECTION_RECTANGLE);
    must(small.world, cdg_rod_sections(small.world, tapered, sections));
    must(small.world, cdg_rod_radii(small.world, tapered, radii));
    for (size_t i = 0; i < 11; i++) {
        assert_near(sections[i].side[0], 8e-3 - 6e-4 * (double)i, 1e-15);
        assert_near(hypot(sections[i].side[0], sections[i].side[1]) / 2, radii[i], 1e-15);
    }
    must(small.world, cdg_rod_sections(small.world, outright, sections));
    for (size_t i = 0; i < 11; i++) {
        assert_int_equal(sections[i].kind, CDG_SECTION_CIRCLE);
        assert_true(sections[i].radius == 7e-3);
    }
    must(small.world, cdg_world_remove_rod(small.world, tapered));
    assert_int_equal(cdg_rod_sections(small.world, tapered, sections), CDG_ERROR_STALE);
    cdg_world_destroy(small.world);
}

static void test_refused_worlds(void **state) {
    (void)state;
    cdg_world *world;
    cdg_error error;
    cdg_world_def def = cdg_world_def_default();
    def.step = -1;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_ERROR_ARGUMENT);
    assert_null(world);
    def = cdg_world_def_default();
    def.gravity.x = NAN;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_ERROR_ARGUMENT);
    def = cdg_world_def_default();
    def.thread_count = 100000;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(NULL);
}

static void test_refused_supports(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 0}, .angle = 1, .from = 0, .to = 1};
    cdg_support_def support = {.kind = CDG_SUPPORT_PIN, .place = {small.rod, CDG_PLACE_NODE, 51}};
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_ARGUMENT);
    support.place.index = 50;
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    support.place.kind = CDG_PLACE_ELEMENT;
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_ARGUMENT);
    support.place.kind = CDG_PLACE_NODE;
    support.motions = &motion;
    support.motion_count = 1;
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "axis"));
    motion.axis = vec3(0, 0, 1);
    motion.to = -1;
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_ARGUMENT);
    motion.to = 1;
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    cdg_support_def slide = {.kind = CDG_SUPPORT_SLIDE, .place = {small.rod, CDG_PLACE_NODE, 0}};
    assert_int_equal(cdg_world_add_support(small.world, &slide, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "a direction of no length"));
    slide.along = vec3(0, HUGE_VAL, 0);
    assert_int_equal(cdg_world_add_support(small.world, &slide, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "a direction of infinite length"));
    slide.along = vec3(0, 1, 0);
    assert_int_equal(cdg_world_add_support(small.world, &slide, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(small.world), "'pobd' cannot hold node 0 of rod"));
    assert_non_null(strstr(cdg_world_message(small.world), "models that can: galpha"));
    support.place.rod = (cdg_rod_id){9, 9};
    assert_int_equal(cdg_world_add_support(small.world, &support, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(small.world);
}

static void test_refused_loads(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_load_def load = cdg_load_def_default();
    assert_int_equal(cdg_world_add_load(small.world, &load, NULL), CDG_ERROR_ARGUMENT); // a force on nothing
    load.place = (cdg_place){small.rod, CDG_PLACE_ELEMENT, 50};
    assert_int_equal(cdg_world_add_load(small.world, &load, NULL), CDG_ERROR_ARGUMENT);
    load.place.index = 49;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    load.value.x = INFINITY;
    assert_int_equal(cdg_world_add_load(small.world, &load, NULL), CDG_ERROR_ARGUMENT);
    load.value.x = 0;
    const cdg_keyframe keyframes[] = {{1, 1}, {0.5, 2}};
    load.keyframes = keyframes;
    load.keyframe_count = 2;
    assert_int_equal(cdg_world_add_load(small.world, &load, NULL), CDG_ERROR_ARGUMENT);
    load.keyframe_count = 1;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    cdg_world_destroy(small.world);
}

static void test_state_can_be_replaced(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 5;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_random random = {3};
    cdg_vec3 nodes[6], read[6];
    cdg_quat frames[5], read_frames[5];
    for (int i = 0; i < 6; i++) nodes[i] = random_vec3(&random, 1);
    for (int j = 0; j < 5; j++) frames[j] = random_rotation(&random);
    must(small.world, cdg_rod_set_state(small.world, small.rod, nodes, frames, NULL, NULL));
    must(small.world, cdg_rod_positions(small.world, small.rod, read));
    must(small.world, cdg_rod_frames(small.world, small.rod, read_frames));
    for (int i = 0; i < 6; i++) assert_vec3_near(read[i], nodes[i], 0);
    for (int j = 0; j < 5; j++) assert_rotation_near(read_frames[j], frames[j], 1e-15);
    frames[2] = quat(0, 0, 0, 0);
    assert_int_equal(cdg_rod_set_state(small.world, small.rod, nodes, frames, NULL, NULL), CDG_ERROR_ARGUMENT);
    nodes[1].y = NAN;
    assert_int_equal(cdg_rod_set_state(small.world, small.rod, nodes, NULL, NULL, NULL), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
}

static void test_advice_names_the_rod(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
    cdg_step_advice advice = cdg_world_advice(small.world);
    assert_true(advice.step > 0);
    assert_non_null(strstr(advice.reason, "'rod'"));
    small_world_run(&small, 1);
    assert_near(cdg_world_step_size(small.world), advice.step, 0);
    cdg_world_destroy(small.world);
}

// Supports in any order, several at a node, some released: added one by one they give the holds that driving all does.
static void test_supports_one_by_one(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int trial = 0; trial < 20; trial++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.element_count = 12;
        def.model = CDG_MODEL_CORDE;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        const cdg_rod *rod = cdg_world_get_rod(small.world, small.rod);
        for (int i = 0; i < 40; i++) {
            cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = random_vec3(&random, 1e-3), .to = 1};
            cdg_support_def support = {.kind = (cdg_support_kind)random_in(&random, 0, 3),
                                       .place = {small.rod, CDG_PLACE_NODE, (size_t)random_in(&random, 0, 13)},
                                       .release = i % 3 == 0 ? random_in(&random, 0.4e-3, 4e-3) : 0,
                                       .motions = &motion,
                                       .motion_count = 1};
            must(small.world, cdg_world_add_support(small.world, &support, NULL));
            size_t count = rod->hold_count;
            cdg_hold added[13];
            memcpy(added, rod->holds, count * sizeof *added);
            cdg_supports_drive(small.world, 0, cdg_world_time(small.world));
            assert_int_equal(rod->hold_count, count);
            for (size_t h = 0; h < count; h++) {
                assert_int_equal(added[h].node, rod->holds[h].node);
                assert_int_equal(added[h].holds_position, rod->holds[h].holds_position);
                assert_int_equal(added[h].frame_hold, rod->holds[h].frame_hold);
                assert_vec3_near(added[h].position, rod->holds[h].position, 0);
                assert_ptr_equal(rod_hold_at(rod, added[h].node), &rod->holds[h]);
            }
            if (i % 7 == 6) small_world_run(&small, 1);
        }
        cdg_world_destroy(small.world);
    }
}

// A rod that is twisted evenly between two clamps is at rest; one more in its middle has nothing to hold, however many
// turns there are in a cell: the section that it takes lies halfway by all of them.
static void test_clamp_halfway_by_all_turns(void **state) {
    (void)state;
    for (double turn = -9; turn < 10; turn += 2.25) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.element_count = 10;
        def.initial_twist = turn / 0.1; // cells of 0.1 m
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 0}};
        cdg_support_id middle;
        must(small.world, cdg_world_add_support(small.world, &clamp, NULL));
        clamp.place.index = 10;
        must(small.world, cdg_world_add_support(small.world, &clamp, NULL));
        double before = cdg_world_energy(small.world).total;
        clamp.place.index = 5;
        must(small.world, cdg_world_add_support(small.world, &clamp, &middle));
        small_world_run(&small, 20);
        cdg_vec3 force, moment;
        must(small.world, cdg_support_reaction(small.world, middle, &force, &moment));
        double torque = 2 * before / (9 * fabs(turn) + 1e-300); // nine cells' worth and the ends' halves
        assert_near(cdg_world_energy(small.world).total, before, 1e-9 * before + 1e-30);
        assert_near(vec3_norm(moment), 0, 1e-6 * torque + 1e-12);
        cdg_world_destroy(small.world);
    }
}

// What takes time with the square of their number would take minutes, and the test would be ended.
static void test_very_many(void **state) {
    (void)state;
    enum { PINS = 100000, RODS = 50000 };
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = PINS;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    for (size_t i = 0; i < PINS; i++) {
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {small.rod, CDG_PLACE_NODE, (i * 7919) % PINS}};
        must(small.world, cdg_world_add_support(small.world, &pin, NULL));
    }
    must(small.world, cdg_world_remove_rod(small.world, small.rod));
    def.element_count = 1;
    char name[20];
    def.name = name;
    for (int i = 0; i < RODS; i++) {
        snprintf(name, sizeof name, "rod_%d", i);
        must(small.world, cdg_world_add_rod(small.world, &def, NULL));
    }
    for (int i = 0; i < RODS; i++) {
        snprintf(name, sizeof name, "rod_%d", i);
        assert_int_not_equal(cdg_world_find_rod(small.world, name).index1, 0);
    }
    assert_int_equal(cdg_world_find_rod(small.world, "rod_50000").index1, 0);
    cdg_world_destroy(small.world);
}

// Energies are numbers: what would make them none is refused, or stopped by name.
static void test_speeds_without_energy(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 4;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    for (int k = 0; k < 2; k++) {
        cdg_rod_def fast = def;
        fast.name = "fast";
        *(k == 0 ? &fast.velocity : &fast.angular_velocity) = vec3(0, 1e300, 0);
        assert_int_equal(cdg_world_add_rod(small.world, &fast, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(small.world), "'fast'"));
    }
    cdg_vec3 velocities[5] = {{0}};
    velocities[3].x = 1e300;
    assert_int_equal(cdg_rod_set_state(small.world, small.rod, NULL, NULL, velocities, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(small.world), "node 3"));
    cdg_energy energy;
    must(small.world, cdg_world_check_energy(small.world, &energy));
    assert_true(energy.total == cdg_world_energy(small.world).total);
    assert_near(cdg_world_largest_turn(small.world), 0, 1e-12); // straight
    cdg_rod *rod = cdg_world_get_rod(small.world, small.rod);   // as a step might leave it
    rod->v[0][2] = 1e200;
    assert_int_equal(cdg_world_check_energy(small.world, &energy), CDG_ERROR_NOT_FINITE);
    assert_non_null(strstr(cdg_world_message(small.world), "'rod'"));
    assert_non_null(strstr(cdg_world_message(small.world), "node 2 moves at 1e+200 m/s"));
    cdg_body_def body = cdg_body_def_default();
    cdg_body_id id;
    must(small.world, cdg_world_add_body(small.world, &body, &id));
    cdg_body_state fast = {.orientation = {1, 0, 0, 0}, .velocity = {1e300, 0, 0}};
    assert_int_equal(cdg_body_set_state(small.world, id, &fast), CDG_ERROR_ARGUMENT);
    body.angular_velocity = vec3(0, 0, 1e300);
    assert_int_equal(cdg_world_add_body(small.world, &body, NULL), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
}

static void test_largest_turn(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_rod *rod = cdg_world_get_rod(small.world, small.rod);
    for (size_t j = 2; j < rod->element_count; j++)
        rod_set_quat(rod->q, j, quat_multiply(quat_from_axis_angle(vec3(0, 1, 0), 0.3), rod_quat(rod->q, j)));
    assert_near(cdg_world_largest_turn(small.world), 0.3, 1e-9);
    assert_near(cdg_world_largest_turn(NULL), 0, 0);
    cdg_world_destroy(small.world);
}

// Energies of more rods than are measured at once, one of them removed, are those of each in turn, on any number of
// threads.
static void test_energy_of_many(void **state) {
    (void)state;
    enum { COUNT = 700 };
    double totals[3];
    for (int threads = 1; threads <= 3; threads++) {
        cdg_world_def world_def = cdg_world_def_default();
        world_def.thread_count = threads;
        cdg_world *world = NULL;
        cdg_error error;
        assert_int_equal(cdg_world_create(&world_def, &world, &error), CDG_OK);
        cdg_random random = {5};
        cdg_rod_id ids[COUNT];
        for (int i = 0; i < COUNT; i++) {
            cdg_rod_def def = cdg_rod_def_default();
            char name[16];
            snprintf(name, sizeof name, "rod%d", i);
            def.name = name;
            def.element_count = 4;
            must(world, cdg_world_add_rod(world, &def, &ids[i]));
            cdg_vec3 velocities[5];
            for (int k = 0; k < 5; k++) velocities[k] = vec3(random_in(&random, -1, 1), random_in(&random, -1, 1), 0);
            must(world, cdg_rod_set_state(world, ids[i], NULL, NULL, velocities, NULL));
        }
        must(world, cdg_world_remove_rod(world, ids[600]));
        double total = 0;
        for (int i = 0; i < COUNT; i++) {
            cdg_energy energy;
            if (cdg_rod_energy(world, ids[i], &energy) == CDG_OK) total += energy.total;
        }
        totals[threads - 1] = cdg_world_energy(world).total;
        assert_true(totals[threads - 1] == total);
        cdg_world_destroy(world);
    }
    assert_true(totals[0] == totals[1] && totals[0] == totals[2] && totals[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handles_notice_removal),
        cmocka_unit_test(test_names_are_unique_and_found),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_refused_worlds),
        cmocka_unit_test(test_refused_supports),
        cmocka_unit_test(test_refused_loads),
        cmocka_unit_test(test_state_can_be_replaced),
        cmocka_unit_test(test_advice_names_the_rod),
        cmocka_unit_test(test_supports_one_by_one),
        cmocka_unit_test(test_clamp_halfway_by_all_turns),
        cmocka_unit_test(test_very_many),
        cmocka_unit_test(test_speeds_without_energy),
        cmocka_unit_test(test_largest_turn),
        cmocka_unit_test(test_energy_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
