// A world with one rod through the public API, for tests of stepping.
#ifndef CDG_TESTS_SMALL_WORLD_H
#define CDG_TESTS_SMALL_WORLD_H

#include <cordage/cordage.h>

typedef struct small_world {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_support_id support; // of the start, when clamped
} small_world;

static inline void must(const cdg_world *world, cdg_result result) {
    if (result == CDG_OK) return;
    print_error("%s: %s\n", cdg_result_text(result), world != NULL ? cdg_world_message(world) : "");
    assert_int_equal(result, CDG_OK);
}

static inline small_world small_world_make(const cdg_rod_def *def, cdg_vec3 gravity, double step, bool is_clamped) {
    small_world small = {0};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = gravity;
    world_def.step = step;
    world_def.thread_count = 1;
    must(NULL, cdg_world_create(&world_def, &small.world, NULL));
    must(small.world, cdg_world_add_rod(small.world, def, &small.rod));
    if (is_clamped) {
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}};
        must(small.world, cdg_world_add_support(small.world, &support, &small.support));
    }
    return small;
}

// For what is about models alone: rods may lie in each other.
static inline void switch_contact_off(cdg_world *world) {
    cdg_contact_def contact = cdg_world_contact(world);
    contact.choice = CDG_CONTACT_OFF;
    must(world, cdg_world_set_contact(world, &contact));
}

static inline void small_world_run(small_world *small, int steps) {
    for (int i = 0; i < steps; i++) must(small->world, cdg_world_step(small->world, NULL));
}

static inline void small_world_drag(small_world *small, double rate) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_DRAG;
    load.drag_rate = rate;
    must(small->world, cdg_world_add_load(small->world, &load, NULL));
}

#endif
