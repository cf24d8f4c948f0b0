// A world with one soft block, for tests of solids in worlds.
#ifndef CDG_TESTS_SOLID_WORLD_CASE_H
#define CDG_TESTS_SOLID_WORLD_CASE_H

#include "solid_case.h"
#include "world/solid_object.h"

static inline cdg_world *solid_world(int thread_count, double step) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = vec3(0, 0, -10);
    def.step = step;
    def.thread_count = thread_count;
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_world_create(&def, &world, &error), CDG_OK);
    return world;
}

static inline cdg_solid_id solid_world_add(cdg_world *world, cdg_solid_def def, cdg_vec3 size, double resolution) {
    cdg_solid_id id = {0};
    def.mesh = solid_case_box(size, resolution);
    cdg_result result = cdg_world_add_solid(world, &def, &id);
    if (result != CDG_OK) print_error("%s\n", cdg_world_message(world));
    assert_int_equal(result, CDG_OK);
    cdg_mesh_free(&def.mesh);
    return id;
}

static inline void solid_world_steps(cdg_world *world, int count) {
    for (int i = 0; i < count; i++) {
        cdg_result result = cdg_world_step(world, NULL);
        if (result != CDG_OK) print_error("%s\n", cdg_world_message(world));
        assert_int_equal(result, CDG_OK);
    }
}

#endif
