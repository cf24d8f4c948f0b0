// Worlds stepped at once go as they go alone, each with its own material, on any number of threads.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "world/world_together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 19, ELEMENTS = 20, STEPS = 30, RODS = 2 };

// The number decides stiffness, thickness, weight and load of a world of two rods. The second may be of another model.
static cdg_world *build_of(size_t number, cdg_model second) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 1e-3;
    world_def.thread_count = 1;
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    for (int r = 0; r < RODS; r++) {
        cdg_rod_id rod;
        cdg_rod_def def = cdg_rod_def_default();
        def.name = r == 0 ? "first" : "second";
        def.element_count = ELEMENTS + (size_t)r;
        if (r > 0) def.model = second;
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.iterations = 5;
        def.material.young_modulus *= 1 + (double)number;
        def.material.density *= 1 + 0.1 * (double)number;
        def.centerline.line.from = (cdg_vec3){0, r, 0};
        def.centerline.line.to = (cdg_vec3){0.5, r, 0};
        assert_int_equal(cdg_world_add_rod(world, &def, &rod), CDG_OK);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE}};
        assert_int_equal(cdg_world_add_support(world, &clamp, NULL), CDG_OK);
        if (number % 3 != 1) continue;
        cdg_load_def load = cdg_load_def_default();
        load.place = (cdg_place){.rod = rod, .kind = CDG_PLACE_NODE, .index = ELEMENTS};
        load.kind = CDG_LOAD_FORCE;
        load.value = (cdg_vec3){0, 1e-4 * (double)number, 0};
        assert_int_equal(cdg_world_add_load(world, &load, NULL), CDG_OK);
    }
    return world;
}

static cdg_world *build(size_t number) { return build_of(number, CDG_MODEL_POBD); }

static double distance(const cdg_world *a, const cdg_world *b) {
    double most = 0;
    for (size_t r = 0; r < RODS; r++) {
        cdg_vec3 here[ELEMENTS + 2], there[ELEMENTS + 2];
        assert_int_equal(cdg_rod_positions(a, cdg_world_rod_at(a, r), here), CDG_OK);
        assert_int_equal(cdg_rod_positions(b, cdg_world_rod_at(b, r), there), CDG_OK);
        for (size_t i = 0; i <= ELEMENTS + r; i++) most = fmax(most, vec3_distance(here[i], there[i]));
    }
    return most;
}

static void run_together(cdg_world *worlds[WORLDS], int thread_count, cdg_result results[WORLDS]) {
    for (size_t i = 0; i < WORLDS; i++) worlds[i] = build(i);
    cdg_together_def def = {.worlds = worlds, .count = WORLDS, .step_count = STEPS, .thread_count = thread_count};
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
}

static void test_as_alone(void **state) {
    (void)state;
    cdg_world *one[WORLDS], *two[WORLDS];
    cdg_result results[WORLDS];
    char reason[256];
    run_together(one, 1, results);
    assert_true(cdg_together_may_join(one[0], reason, sizeof reason) && cdg_together_size(one[0]) >= 2);
    run_together(two, 3, results);
    for (size_t i = 0; i < WORLDS; i++) {
        assert_int_equal(results[i], CDG_OK);
        cdg_world *alone = build(i);
        for (int s = 0; s < STEPS; s++) assert_int_equal(cdg_world_step(alone, NULL), CDG_OK);
        assert_true(cdg_world_time(one[i]) == cdg_world_time(alone) && cdg_world_step_index(one[i]) == STEPS);
        assert_true(distance(one[i], alone) < 1e-10); // other order of sums
        assert_true(distance(one[i], two[i]) == 0);   // threads change no bit
        cdg_energy_balance mine = cdg_world_energy_balance(one[i]), other = cdg_world_energy_balance(alone);
        assert_true(fabs(mine.unaccounted - other.unaccounted) < 1e-9);
        if (i + 1 < WORLDS) assert_true(distance(one[i], one[i + 1]) > 1e-9); // each has its own stiffness
        cdg_world_destroy(alone);
        cdg_world_destroy(one[i]);
        cdg_world_destroy(two[i]);
    }
}

// A rod whose model has no teams goes by itself in each world, to the bit as alone, beside one that goes in lanes.
static void test_models_without_teams(void **state) {
    (void)state;
    enum { FEW = 4 };
    cdg_world *worlds[FEW];
    cdg_result results[FEW];
    for (size_t i = 0; i < FEW; i++) worlds[i] = build_of(i, CDG_MODEL_REFERENCE);
    char reason[256];
    assert_true(cdg_together_may_join(worlds[0], reason, sizeof reason));
    cdg_together_def def = {.worlds = worlds, .count = FEW, .step_count = STEPS, .thread_count = 1};
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    for (size_t i = 0; i < FEW; i++) {
        assert_int_equal(results[i], CDG_OK);
        cdg_world *alone = build_of(i, CDG_MODEL_REFERENCE);
        for (int s = 0; s < STEPS; s++) assert_int_equal(cdg_world_step(alone, NULL), CDG_OK);
        cdg_vec3 here[ELEMENTS + 2], there[ELEMENTS + 2];
        assert_int_equal(cdg_rod_positions(worlds[i], cdg_world_rod_at(worlds[i], 1), here), CDG_OK);
        assert_int_equal(cdg_rod_positions(alone, cdg_world_rod_at(alone, 1), there), CDG_OK);
        assert_memory_equal(here, there, sizeof here);
        assert_true(here[ELEMENTS + 1].z < -1e-3); // it fell
        assert_true(distance(worlds[i], alone) < 1e-10);
        cdg_world_destroy(alone);
        cdg_world_destroy(worlds[i]);
    }
}

// Rods of some worlds fall onto a floor, those of others never reach one: both go in lanes by default, and those that
// touch something take steps of their own.
static void test_contact_by_default(void **state) {
    (void)state;
    enum { FEW = 8, LONGER = 150 };
    cdg_world *worlds[FEW];
    cdg_result results[FEW];
    char reason[256];
    for (size_t i = 0; i < FEW; i++) {
        worlds[i] = build(3 * i);
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.offset = i % 2 == 0 ? -0.02 : -3;
        assert_int_equal(cdg_world_add_obstacle(worlds[i], &floor, NULL), CDG_OK);
        assert_true(cdg_together_may_join(worlds[i], reason, sizeof reason));
    }
    cdg_together_def def = {.worlds = worlds, .count = FEW, .step_count = LONGER, .thread_count = 1};
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    for (size_t i = 0; i < FEW; i++) {
        assert_int_equal(results[i], CDG_OK);
        cdg_world *alone = build(3 * i);
        cdg_obstacle_def floor = cdg_obstacle_def_default();
        floor.shape.offset = i % 2 == 0 ? -0.02 : -3;
        assert_int_equal(cdg_world_add_obstacle(alone, &floor, NULL), CDG_OK);
        for (int s = 0; s < LONGER; s++) assert_int_equal(cdg_world_step(alone, NULL), CDG_OK);
        assert_int_equal(cdg_world_contact_count(worlds[i]), cdg_world_contact_count(alone));
        assert_int_equal(cdg_world_contact_count(alone) > 0, i % 2 == 0);
        cdg_vec3 x[ELEMENTS + 1];
        assert_int_equal(cdg_rod_positions(worlds[i], cdg_world_rod_at(worlds[i], 0), x), CDG_OK);
        for (size_t n = 0; n <= ELEMENTS; n++) assert_true(x[n].z > floor.shape.offset);
        assert_true(distance(worlds[i], alone) < 1e-8);
        cdg_world_destroy(alone);
        cdg_world_destroy(worlds[i]);
    }
}

static void test_a_failure_is_its_own(void **state) {
    (void)state;
    cdg_world *worlds[WORLDS];
    cdg_result results[WORLDS];
    for (size_t i = 0; i < WORLDS; i++) worlds[i] = build(i);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = (cdg_place){.rod = cdg_world_rod_at(worlds[5], 0), .kind = CDG_PLACE_NODE, .index = ELEMENTS};
    load.value = (cdg_vec3){0, 0, 1e250};
    assert_int_equal(cdg_world_add_load(worlds[5], &load, NULL), CDG_OK);
    cdg_together_def def = {.worlds = worlds, .count = WORLDS, .step_count = STEPS, .thread_count = 1};
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    for (size_t i = 0; i < WORLDS; i++) {
        assert_int_equal(results[i] != CDG_OK, i == 5);
        if (i == 5) assert_true(strlen(cdg_world_message(worlds[i])) > 0 && cdg_world_step_index(worlds[i]) < STEPS);
        cdg_world_destroy(worlds[i]);
    }
}

// Those whose frames turn far in an iteration are normalised with more care, and no other.
static void test_bits_do_not_depend_on_neighbours(void **state) {
    (void)state;
    cdg_world *worlds[2][8];
    cdg_result results[8];
    for (size_t fast = 0; fast < 2; fast++) {
        for (size_t i = 0; i < 8; i++) {
            worlds[fast][i] = build(i % 3 == 1 ? 0 : i); // all without loads, or they are no team
            cdg_vec3 v[ELEMENTS + 1];
            for (size_t n = 0; n <= ELEMENTS; n++)
                v[n] = (cdg_vec3){0, 0, fast == 1 && i % 2 == 1 ? 20.0 * (n % 2 == 0 ? 1 : -1) : 0};
            cdg_rod_id rod = cdg_world_rod_at(worlds[fast][i], 0);
            assert_int_equal(cdg_rod_set_state(worlds[fast][i], rod, NULL, NULL, v, NULL), CDG_OK);
        }
        cdg_together_def def = {.worlds = worlds[fast], .count = 8, .step_count = 3, .thread_count = 1};
        assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    }
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(results[i], CDG_OK);
        assert_true((distance(worlds[0][i], worlds[1][i]) == 0) == (i % 2 == 0));
        for (size_t fast = 0; fast < 2; fast++) cdg_world_destroy(worlds[fast][i]);
    }
}

static bool stop_third(void *user, size_t world, const cdg_step_report *report) {
    int *counts = user;
    counts[world]++;
    return world != 3 || report->time < 0.0095;
}

static void test_told_of_steps(void **state) {
    (void)state;
    cdg_world *worlds[WORLDS];
    cdg_result results[WORLDS];
    int counts[WORLDS] = {0};
    for (size_t i = 0; i < WORLDS; i++) worlds[i] = build(i);
    cdg_together_def def = {.worlds = worlds,
                            .count = WORLDS,
                            .step_count = STEPS,
                            .thread_count = 1,
                            .on_step = stop_third,
                            .user = counts};
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    for (size_t i = 0; i < WORLDS; i++) {
        assert_int_equal(counts[i], i == 3 ? 10 : STEPS);
        assert_int_equal(results[i], i == 3 ? CDG_ERROR_INTERRUPTED : CDG_OK);
        cdg_world_destroy(worlds[i]);
    }
}

// Worlds of one rod under its weight, which take steps without a look at them.
static cdg_world *build_quiet(size_t number, cdg_pobd_integrator integrator, double release, cdg_support_id *support) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // else every step is looked at
    world_def.step = 1e-3;
    world_def.thread_count = 1;
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_rod_id rod;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = ELEMENTS + 1;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = integrator;
    def.material.young_modulus *= 1 + (double)number;
    def.centerline.line.to = (cdg_vec3){0.5, 0, 0};
    assert_int_equal(cdg_world_add_rod(world, &def, &rod), CDG_OK);
    cdg_support_def clamp = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE}, .release = release};
    assert_int_equal(cdg_world_add_support(world, &clamp, support), CDG_OK);
    return world;
}

static void assert_same_state(cdg_world *a, cdg_world *b, cdg_support_id support) {
    size_t size = cdg_world_snapshot_size(a);
    double *mine = calloc(size, sizeof *mine), *other = calloc(size, sizeof *other);
    assert_int_equal(size, cdg_world_snapshot_size(b));
    assert_true(mine != NULL && other != NULL);
    cdg_world_snapshot_save(a, mine);
    cdg_world_snapshot_save(b, other);
    assert_memory_equal(mine, other, size * sizeof *mine);
    free(mine);
    free(other);
    assert_true(cdg_world_time(a) == cdg_world_time(b) && cdg_world_step_index(a) == cdg_world_step_index(b));
    cdg_energy_balance balance = cdg_world_energy_balance(a), same = cdg_world_energy_balance(b);
    assert_true(balance.unaccounted == same.unaccounted && balance.allowed == same.allowed);
    cdg_vec3 force, moment, same_force, same_moment;
    assert_int_equal(cdg_support_reaction(a, support, &force, &moment), CDG_OK);
    assert_int_equal(cdg_support_reaction(b, support, &same_force, &same_moment), CDG_OK);
    assert_memory_equal(&force, &same_force, sizeof force);
    assert_memory_equal(&moment, &same_moment, sizeof moment);
}

static bool go_on(void *user, size_t world, const cdg_step_report *report) {
    (void)user, (void)world, (void)report;
    return true;
}

// Who is told of every step has it taken alone.
static void compare_quiet(cdg_pobd_integrator integrator, double release) {
    enum { LONG = 90 };
    cdg_support_id support;
    cdg_world *quiet[WORLDS], *told[WORLDS], *single[WORLDS];
    cdg_result results[WORLDS];
    for (size_t i = 0; i < WORLDS; i++) quiet[i] = build_quiet(i, integrator, release, &support);
    for (size_t i = 0; i < WORLDS; i++) told[i] = build_quiet(i, integrator, release, &support);
    for (size_t i = 0; i < WORLDS; i++) single[i] = build_quiet(i, integrator, release, &support);
    cdg_together_def def = {.worlds = quiet, .count = WORLDS, .thread_count = 2};
    for (uint64_t done = 0; done < LONG; done += def.step_count) { // calls that end in, before and after looks
        def.step_count = done < 80 ? 16 : LONG - done;
        assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    }
    def.worlds = told, def.on_step = go_on, def.step_count = LONG;
    assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    def.worlds = single, def.on_step = NULL, def.step_count = 1;
    for (int i = 0; i < LONG; i++) assert_int_equal(cdg_worlds_run(&def, results, NULL), CDG_OK);
    for (size_t i = 0; i < WORLDS; i++) {
        assert_same_state(quiet[i], told[i], support);
        assert_same_state(quiet[i], single[i], support);
        cdg_world_destroy(quiet[i]);
        cdg_world_destroy(told[i]);
        cdg_world_destroy(single[i]);
    }
}

static void test_quiet_steps_change_no_bit(void **state) {
    (void)state;
    compare_quiet(CDG_POBD_BDF2, 0);
    compare_quiet(CDG_POBD_EULER, 0);
    compare_quiet(CDG_POBD_BDF2, 0.04); // lets go on the way
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_alone),
                                       cmocka_unit_test(test_models_without_teams),
                                       cmocka_unit_test(test_bits_do_not_depend_on_neighbours),
                                       cmocka_unit_test(test_a_failure_is_its_own),
                                       cmocka_unit_test(test_contact_by_default),
                                       cmocka_unit_test(test_told_of_steps),
                                       cmocka_unit_test(test_quiet_steps_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
