// Kinds of objects: sums over them are the world's, and each predicts and commits its own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solid_world_case.h"
#include "world/step.h"

static void add_rods(cdg_world *world) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.element_count = 5;
    def.velocity = vec3(1, 2, 3);
    def.centerline.line.from = vec3(5, 0, 0);
    def.centerline.line.to = vec3(5, 0, 1);
    assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_OK);
    def.name = "other";
    def.centerline.line.from.x = def.centerline.line.to.x = 6;
    assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_OK);
}

static void add_body(cdg_world *world) {
    cdg_body_def def = cdg_body_def_default();
    def.shape.position = vec3(0, 7, 0);
    def.velocity = vec3(-1, 0, 4);
    def.angular_velocity = vec3(3, 0, 1);
    assert_int_equal(cdg_world_add_body(world, &def, NULL), CDG_OK);
}

static void add_solid(cdg_world *world) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    def.velocity = vec3(0, -2, 0);
    (void)solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.1);
}

static void (*const add[CDG_KIND_COUNT])(cdg_world *world) = {add_rods, add_body, add_solid};

static void test_sums(void **state) {
    (void)state;
    cdg_energy energies[CDG_KIND_COUNT];
    cdg_vec3 linear = {0}, angular = {0}, own[2];
    for (int k = 0; k < CDG_KIND_COUNT; k++) { // each kind alone: others have no share
        cdg_world *world = solid_world(1, 1e-3);
        add[k](world);
        energies[k] = cdg_world_energy(world);
        assert_true(energies[k].kinetic > 0);
        for (int other = 0; other < CDG_KIND_COUNT; other++) {
            cdg_energy sum = {0};
            cdg_kinds[other].energy(world, &sum);
            assert_true(sum.total == (other == k ? energies[k].total : 0));
        }
        double rods = 0;
        for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
            cdg_energy one;
            assert_int_equal(cdg_rod_energy(world, cdg_world_rod_at(world, i), &one), CDG_OK);
            rods += one.total;
        }
        if (k == 0) assert_near(energies[0].total, rods, 1e-12);
        cdg_world_momentum(world, &own[0], &own[1]);
        linear = vec3_add(linear, own[0]);
        angular = vec3_add(angular, own[1]);
        cdg_world_destroy(world);
    }
    cdg_world *world = solid_world(1, 1e-3);
    for (int k = CDG_KIND_COUNT; k-- > 0;) add[k](world);
    cdg_energy all = cdg_world_energy(world);
    assert_near(all.total, energies[0].total + energies[1].total + energies[2].total, 1e-9);
    assert_near(all.kinetic, energies[0].kinetic + energies[1].kinetic + energies[2].kinetic, 1e-9);
    cdg_world_momentum(world, &own[0], &own[1]);
    assert_vec3_near(own[0], linear, 1e-12);
    assert_vec3_near(own[1], angular, 1e-12);
    cdg_world_destroy(world);
}

// Predicting changes nothing that can be seen; committing does.
static void test_predict_and_commit(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    for (int k = 0; k < CDG_KIND_COUNT; k++) add[k](world);
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK); // memory is there
    cdg_error error = {0};
    size_t failed = SIZE_MAX;
    cdg_step_context context = {.world = world,
                                .time = world->time + world->step,
                                .step = world->step,
                                .threads = 1,
                                .errors = &error,
                                .failed_rod = &failed};
    cdg_world_begin_contact(world, world->time + world->step, world->step);
    for (int k = 0; k < CDG_KIND_COUNT; k++) {
        cdg_energy before = {0}, predicted = {0}, after = {0};
        cdg_kinds[k].energy(world, &before);
        assert_int_equal(cdg_kinds[k].predict(&context), CDG_OK);
        cdg_kinds[k].energy(world, &predicted);
        assert_memory_equal(&before, &predicted, sizeof before);
        cdg_kinds[k].commit(&context);
        cdg_kinds[k].energy(world, &after);
        // all fall; that of the kind alone
        assert_true(fabs(after.kinetic - before.kinetic + after.gravity - before.gravity) < 0.02 * before.kinetic);
        assert_true(after.gravity != before.gravity);
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_predict_and_commit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
