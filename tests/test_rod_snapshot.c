// Rods in a snapshot: every kind of objects passes its own state and no other's, and rods come back to the bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"
#include "world/tape.h"
#include "world/world.h"

static cdg_world *swinging(cdg_model model, bool adapts) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.element_count = 8;
    def.adapt.is_on = adapts;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.position = vec3(0, 3, 0);
    must(small.world, cdg_world_add_body(small.world, &ball, NULL));
    return small.world;
}

static size_t count_of(cdg_world *world, int kind) {
    cdg_tape t = {.direction = CDG_TAPE_COUNT};
    cdg_kinds[kind].snapshot(world, &t);
    return t.count;
}

static void test_rods_come_back(void **state) {
    (void)state;
    for (int model = 0; model < 3; model++) {
        bool adapts = model == 2;
        cdg_model of = model == 0 ? CDG_MODEL_POBD : model == 1 ? CDG_MODEL_CORDE : CDG_MODEL_DER;
        cdg_world *world = swinging(of, adapts);
        for (int i = 0; i < 20; i++) must(world, cdg_world_step(world, NULL));
        size_t size = count_of(world, 0), nodes = world->rods[0].rod->node_count;
        double *data = calloc(size, sizeof *data);
        cdg_vec3 before[200], after[200], ball = world->bodies[0].now.x;
        assert_true(data != NULL && nodes <= 200 && size >= 6 * nodes);
        assert_int_equal(count_of(world, 1), 3 + 4 + 4 * 3); // the ball
        assert_int_equal(count_of(world, 2), 0);
        must(world, cdg_rod_positions(world, cdg_world_rod_at(world, 0), before));
        cdg_tape save = {.direction = CDG_TAPE_SAVE, .data = data};
        cdg_rods_snapshot(world, &save);
        assert_true(adapts ? save.count <= size : save.count == size);
        for (int i = 0; i < 20; i++) must(world, cdg_world_step(world, NULL));
        assert_true(vec3_distance(world->bodies[0].now.x, ball) > 1e-3);
        ball = world->bodies[0].now.x;
        cdg_tape load = {.direction = CDG_TAPE_LOAD, .data = data};
        cdg_rods_snapshot(world, &load);
        assert_int_equal(load.count, save.count);
        assert_int_equal(world->rods[0].rod->node_count, nodes);
        must(world, cdg_rod_positions(world, cdg_world_rod_at(world, 0), after));
        assert_memory_equal(before, after, nodes * sizeof *before);
        assert_memory_equal(&ball, &world->bodies[0].now.x, sizeof ball); // no other's
        free(data);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rods_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
