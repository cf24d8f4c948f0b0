// Structures: rods are like the one given, with names, normals and rest shapes of their own, and live as long as the
// structure. The shapes are in test_shapes.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>
#include <string.h>

#include "near.h"

// Ropes are tied, not grown: straight at rest, and with as many elements as their knots need.
static bool is_rope(int kind) { return kind == CDG_STRUCTURE_BEND || kind == CDG_STRUCTURE_PRUSIK; }

static void test_rods_are_like_the_one_given(void **state) {
    (void)state;
    for (int kind = 0; kind < CDG_STRUCTURE_KIND_COUNT; kind++) {
        cdg_structure_def def = cdg_structure_def_default();
        char name[8] = "abc";
        def.name = name;
        def.kind = (cdg_structure_kind)kind;
        def.element_count = is_rope(kind) ? 0 : 8;
        def.rod.model = CDG_MODEL_CORDE;
        def.rod.corde.inertia_factor = 0.25;
        def.rod.material.young_modulus = 5e6;
        def.rod.velocity = vec3(1, 2, 3);
        cdg_structure *structure = NULL;
        cdg_error error;
        assert_int_equal(cdg_structure_expand(&def, &structure, &error), CDG_OK);
        memset(name, 'x', sizeof name - 1); // the structure has its own copies
        for (size_t i = 0; i < structure->rod_count; i++) {
            const cdg_rod_def *rod = &structure->rods[i];
            assert_memory_equal(rod->name, "abc", 3);
            assert_int_equal(rod->model, CDG_MODEL_CORDE);
            assert_near(rod->corde.inertia_factor, 0.25, 0);
            assert_near(rod->material.young_modulus, 5e6, 0);
            assert_vec3_near(rod->velocity, vec3(1, 2, 3), 0);
            assert_int_equal(rod->rest.kind, is_rope(kind) ? CDG_REST_STRAIGHT : CDG_REST_INITIAL);
        }
        cdg_structure_destroy(structure);
    }
}

// Each can be built and is at rest: a world of it has no elastic energy.
static void test_every_kind_is_at_rest(void **state) {
    (void)state;
    for (int kind = 0; kind < CDG_STRUCTURE_KIND_COUNT; kind++) {
        if (is_rope(kind)) continue;
        cdg_world_def world_def = cdg_world_def_default();
        world_def.gravity = vec3(0, 0, 0);
        world_def.thread_count = 1;
        cdg_world *world = NULL;
        assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
        cdg_structure_def def = cdg_structure_def_default();
        def.name = "abc";
        def.kind = (cdg_structure_kind)kind;
        def.element_count = is_rope(kind) ? 0 : 8;
        def.rod.model = CDG_MODEL_CORDE;
        cdg_result result = cdg_world_add_structure(world, &def);
        if (result != CDG_OK) print_error("%s\n", cdg_world_message(world));
        assert_int_equal(result, CDG_OK);
        for (int i = 0; i < 5; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
        assert_near(cdg_world_energy(world).total, 0, 1e-20);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rods_are_like_the_one_given),
        cmocka_unit_test(test_every_kind_is_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
