// The world's ownership: handles, names, refusals, read-back, state replacement.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "small_world.h"

static void test_handles_notice_removal(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
