// Strands in a world: guides and clamps are there and move together, or nothing is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "small_world.h"

#include <stdlib.h>
#include <string.h>

static cdg_strands *make(cdg_model model, const cdg_motion *motions, size_t motion_count) {
    cdg_strands_def def = cdg_strands_def_default();
    def.name = "tress";
    def.guide_count = 3;
    def.fiber_count = 10;
    def.element_count = 8;
    def.length = 0.1;
    def.rod.model = model;
    def.rod.section.radius = 5e-4;
    def.motions = motions;
    def.motion_count = motion_count;
    cdg_strands *strands = NULL;
    assert_int_equal(cdg_strands_expand(&def, &strands, NULL), CDG_OK);
    return strands;
}

static cdg_world *make_world(void) {
    cdg_world_def def = cdg_world_def_default();
    def.step = 5e-3;
    cdg_world *world = NULL;
    must(NULL, cdg_world_create(&def, &world, NULL));
    return world;
}

// The patch moves and turns: roots of guides and of fibres go where it takes them, under every model.
static void test_carried(void **state) {
    (void)state;
    cdg_motion motions[2] = {{.kind = CDG_MOTION_MOVE, .move = {0.02, 0, 0}, .to = 0.1},
                             {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 0.5, .to = 0.1}};
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_strands *strands = make((cdg_model)model, motions, 2);
        cdg_world *world = make_world();
        cdg_rod_id ids[3];
        must(world, cdg_world_add_strands(world, strands, ids));
        assert_int_equal(cdg_world_rod_count(world), 3);
        cdg_vec3 nodes[3][9];
        cdg_quat frames[3][8];
        const cdg_vec3 *positions[3] = {nodes[0], nodes[1], nodes[2]};
        const cdg_quat *turns[3] = {frames[0], frames[1], frames[2]};
        cdg_fiber_placer *placer = NULL;
        for (int k = 0; k < 2; k++) {
            for (int g = 0; g < 3; g++) {
                must(world, cdg_rod_positions(world, ids[g], nodes[g]));
                must(world, cdg_rod_frames(world, ids[g], frames[g]));
            }
            if (k == 0) {
                assert_int_equal(cdg_fiber_placer_create(&strands->fibers, positions, turns, &placer, NULL), CDG_OK);
                for (int i = 0; i < 20; i++) must(world, cdg_world_step(world, NULL));
            }
        }
        cdg_fiber_placer_move(placer, positions, turns);
        cdg_quat turn = quat_exp(vec3(0, 0, 0.5));
        for (size_t f = 0; f < 10; f++) {
            cdg_vec3 fiber[9], root = vec3_add(strands->fibers.roots[f], vec3(0.02, 0, 0));
            cdg_fiber_placer_read(placer, f, fiber);
            // a root is as far from its guide as the guide's first half element is bent: some percent of a radius
            assert_vec3_near(fiber[0], quat_rotate(turn, root), 1e-3);
        }
        cdg_fiber_placer_destroy(placer);
        cdg_world_destroy(world);
        cdg_strands_destroy(strands);
    }
}

static void test_nothing(void **state) {
    (void)state;
    cdg_strands *strands = make(CDG_MODEL_GALPHA, NULL, 0);
    cdg_world *world = make_world();
    cdg_rod_id ids[3];
    strands->rods[2].section.radius = -1;
    assert_int_equal(cdg_world_add_strands(world, strands, ids), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "radius is -1"));
    assert_int_equal(cdg_world_rod_count(world), 0);
    strands->rods[2].section.radius = 5e-4;
    must(world, cdg_world_add_strands(world, strands, ids));
    must(world, cdg_world_step(world, NULL));
    cdg_world_destroy(world);
    cdg_strands_destroy(strands);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_carried), cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
