// Teams: which rods are alike, and that a world of many strands goes as its strands go alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "math/vec3.h"
#include "rods/pobd/team.h"
#include "small_world.h"

enum { STRANDS = 21, ELEMENTS = 17 };

static cdg_rod_def strand_def(void) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "strand";
    def.element_count = ELEMENTS;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = 4;
    return def;
}

static cdg_rod *build(const cdg_rod_def *def) {
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_equal(cdg_rod_build(def, &rod, &error), CDG_OK);
    return rod;
}

// Whether a strand that differs in one thing may join plain ones.
static bool joins(const cdg_rod_def *def) {
    cdg_rod_def plain = strand_def();
    cdg_rod *a = build(&plain), *b = build(def);
    bool answer = pobd_is_alike(a, b);
    assert_true(pobd_is_alike(b, a) == answer);
    cdg_rod_destroy(a);
    cdg_rod_destroy(b);
    return answer;
}

static void test_alike(void **state) {
    (void)state;
    cdg_rod_def def = strand_def();
    assert_true(joins(&def));
    def.section.radius *= 2, def.material.young_modulus *= 3, def.centerline.line.to.x = 0.3; // each its own
    def.rest.kind = CDG_REST_CURVATURE, def.rest.curvature[1] = 4;
    assert_true(joins(&def));
    def = strand_def(), def.element_count++;
    assert_false(joins(&def));
    def = strand_def(), def.pobd.iterations++;
    assert_false(joins(&def));
    def = strand_def(), def.pobd.integrator = CDG_POBD_BDF2;
    assert_false(joins(&def));
    def = strand_def(), def.pobd.solver = CDG_POBD_DIRECT;
    assert_false(joins(&def));
    def = strand_def(), def.pobd.darboux = CDG_POBD_TANGENT;
    assert_false(joins(&def));
    def = strand_def(), def.pobd.darboux = CDG_POBD_SINE; // the default is another
    assert_false(joins(&def));
    def = strand_def(), def.pobd.long_range_attachments = true;
    assert_false(joins(&def));
    def = strand_def(), def.material.damping_bend = 0.01;
    assert_false(joins(&def));
    def = strand_def(), def.is_tapered = true, def.section_end = def.section, def.section_end.radius /= 2;
    assert_false(joins(&def));
    def = strand_def(), def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.circle.radius = 0.1;
    def.centerline.circle.axis = (cdg_vec3){0, 0, 1};
    assert_false(joins(&def));
}

typedef struct outcome {
    cdg_vec3 positions[ELEMENTS + 1], velocities[ELEMENTS + 1], force, moment;
    cdg_quat frames[ELEMENTS];
} outcome;

// Adds strand `number` with its supports and load; they follow from the number alone.
static cdg_support_id add_strand(cdg_world *world, size_t number, cdg_pobd_integrator integrator, bool has_wind) {
    cdg_random random = {100 + number};
    char name[16];
    snprintf(name, sizeof name, "s%zu", number);
    cdg_rod_def def = strand_def();
    cdg_rod_id rod;
    cdg_support_id support;
    def.name = name;
    def.pobd.integrator = integrator;
    def.section.radius = random_in(&random, 1e-3, 2e-3);
    def.centerline.line.to = random_vec3(&random, 0.3);
    def.velocity = random_vec3(&random, 0.5);
    if (number % 3 == 0) def.rest.kind = CDG_REST_CURVATURE, def.rest.curvature[0] = 10;
    must(world, cdg_world_add_rod(world, &def, &rod));
    const cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 1, .from = 0, .to = 0.1};
    cdg_support_def clamp = {.kind = number % 5 == 0 ? CDG_SUPPORT_PIN : CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    if (number % 2 == 0) clamp.motions = &motion, clamp.motion_count = 1;
    if (number % 7 == 6) clamp.release = 0.03;
    if (number == 11) clamp.place.index = 4; // this strand's team is done rod by rod
    must(world, cdg_world_add_support(world, &clamp, &support));
    if (has_wind) {
        cdg_load_def wind = cdg_load_def_default();
        wind.kind = CDG_LOAD_WIND;
        wind.place.rod = rod;
        wind.value = random_vec3(&random, 5);
        must(world, cdg_world_add_load(world, &wind, &(cdg_load_id){0}));
    }
    return support;
}

static cdg_world *empty_world(int thread_count) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    def.step = 1e-3;
    def.thread_count = thread_count;
    def.contact = CDG_CONTACT_OFF; // all strands begin at one point
    must(NULL, cdg_world_create(&def, &world, NULL));
    return world;
}

static void read(const cdg_world *world, cdg_rod_id rod, cdg_support_id support, outcome *out) {
    must(world, cdg_rod_positions(world, rod, out->positions));
    must(world, cdg_rod_velocities(world, rod, out->velocities));
    must(world, cdg_rod_frames(world, rod, out->frames));
    must(world, cdg_support_reaction(world, support, &out->force, &out->moment));
}

static void run_together(int threads, int steps, cdg_pobd_integrator integrator, bool has_wind, outcome *out) {
    cdg_world *world = empty_world(threads);
    cdg_support_id supports[STRANDS];
    for (size_t i = 0; i < STRANDS; i++) supports[i] = add_strand(world, i, integrator, has_wind);
    for (int i = 0; i < steps; i++) must(world, cdg_world_step(world, NULL));
    for (size_t i = 0; i < STRANDS; i++) read(world, cdg_world_rod_at(world, i), supports[i], &out[i]);
    cdg_world_destroy(world);
}

static void test_strands_together_and_alone(void **state) {
    (void)state;
    outcome together[STRANDS], alone;
    for (int round = 0; round < 4; round++) {
        cdg_pobd_integrator integrator = round % 2 == 0 ? CDG_POBD_EULER : CDG_POBD_BDF2;
        bool has_wind = round >= 2;
        run_together(1, 60, integrator, has_wind, together);
        for (size_t i = 0; i < STRANDS; i++) {
            cdg_world *world = empty_world(1);
            cdg_support_id support = add_strand(world, i, integrator, has_wind);
            for (int k = 0; k < 60; k++) must(world, cdg_world_step(world, NULL));
            read(world, cdg_world_rod_at(world, 0), support, &alone);
            for (size_t n = 0; n <= ELEMENTS; n++) {
                assert_true(vec3_distance(together[i].positions[n], alone.positions[n]) < 1e-8);
                assert_true(vec3_distance(together[i].velocities[n], alone.velocities[n]) < 1e-5);
            }
            double scale = 1e-4 * (vec3_norm(alone.force) + 1e-2);
            assert_true(vec3_distance(together[i].force, alone.force) < scale);
            assert_true(vec3_distance(together[i].moment, alone.moment) < scale);
            cdg_world_destroy(world);
        }
    }
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    outcome one[STRANDS], three[STRANDS];
    run_together(1, 20, CDG_POBD_BDF2, true, one);
    run_together(3, 20, CDG_POBD_BDF2, true, three);
    for (size_t i = 0; i < STRANDS; i++) {
        assert_memory_equal(one[i].positions, three[i].positions, sizeof one[i].positions);
        assert_memory_equal(one[i].frames, three[i].frames, sizeof one[i].frames);
    }
}

// A strand that fails is named, as it is alone, and the world stays where it was.
static void test_failure_names_the_strand(void **state) {
    (void)state;
    cdg_world *world = empty_world(1);
    for (size_t i = 0; i < STRANDS; i++) add_strand(world, i, CDG_POBD_EULER, false);
    must(world, cdg_world_step(world, NULL));
    cdg_vec3 positions[ELEMENTS + 1];
    must(world, cdg_rod_positions(world, cdg_world_rod_at(world, 13), positions));
    positions[9].y = 1e170; // the square of a length overflows
    must(world, cdg_rod_set_state(world, cdg_world_rod_at(world, 13), positions, NULL, NULL, NULL));
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_NOT_FINITE);
    assert_non_null(strstr(cdg_world_message(world), "'s13'"));
    assert_int_equal(cdg_world_step_index(world), 1);
    cdg_world_destroy(world);
}

// One strand of a team has a load of its own, its neighbours have their weight alone.
static void test_one_strand_has_a_load(void **state) {
    (void)state;
    cdg_world *all = empty_world(1), *single = empty_world(1);
    for (size_t i = 0; i < STRANDS; i++) add_strand(all, i, CDG_POBD_EULER, i == 2);
    add_strand(single, 2, CDG_POBD_EULER, true);
    for (int k = 0; k < 5; k++) {
        must(all, cdg_world_step(all, NULL));
        must(single, cdg_world_step(single, NULL));
    }
    cdg_vec3 a[ELEMENTS + 1], b[ELEMENTS + 1];
    must(all, cdg_rod_positions(all, cdg_world_find_rod(all, "s2"), a));
    must(single, cdg_rod_positions(single, cdg_world_find_rod(single, "s2"), b));
    for (size_t n = 0; n <= ELEMENTS; n++) assert_true(vec3_distance(a[n], b[n]) < 1e-10);
    cdg_world_destroy(all);
    cdg_world_destroy(single);
}

// Teams are formed anew when a strand goes; the others do not notice.
static void test_a_strand_may_be_removed(void **state) {
    (void)state;
    cdg_world *with = empty_world(1), *without = empty_world(1);
    for (size_t i = 0; i < STRANDS; i++) {
        add_strand(with, i, CDG_POBD_EULER, false);
        if (i != 3) add_strand(without, i, CDG_POBD_EULER, false);
    }
    must(with, cdg_world_remove_rod(with, cdg_world_find_rod(with, "s3")));
    must(with, cdg_world_step(with, NULL));
    must(with, cdg_world_remove_rod(with, cdg_world_find_rod(with, "s12")));
    must(with, cdg_world_step(with, NULL));
    for (int k = 0; k < 2; k++) must(without, cdg_world_step(without, NULL));
    cdg_vec3 a[ELEMENTS + 1], b[ELEMENTS + 1];
    must(with, cdg_rod_positions(with, cdg_world_find_rod(with, "s20"), a));
    must(without, cdg_rod_positions(without, cdg_world_find_rod(without, "s20"), b));
    for (size_t n = 0; n <= ELEMENTS; n++) assert_true(vec3_distance(a[n], b[n]) < 1e-10);
    cdg_world_destroy(with);
    cdg_world_destroy(without);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_strands_together_and_alone),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_failure_names_the_strand),
        cmocka_unit_test(test_one_strand_has_a_load),
        cmocka_unit_test(test_a_strand_may_be_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
