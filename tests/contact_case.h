// Worlds with contact through the public API, for tests.
#ifndef CDG_TESTS_CONTACT_CASE_H
#define CDG_TESTS_CONTACT_CASE_H

#include "small_world.h"

static inline cdg_world *contact_world(cdg_vec3 gravity, double step, double friction, int threads) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = gravity;
    def.step = step;
    def.thread_count = threads;
    cdg_world *world = NULL;
    must(NULL, cdg_world_create(&def, &world, NULL));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    must(world, cdg_world_set_contact(world, &contact));
    return world;
}

// A soft straight rod, explicit.
static inline cdg_rod_def contact_rod(const char *name, cdg_vec3 from, cdg_vec3 to, double radius, size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.model = CDG_MODEL_CORDE;
    def.material = cdg_material_default();
    def.section.radius = radius;
    def.centerline.line.from = from;
    def.centerline.line.to = to;
    def.element_count = elements;
    return def;
}

static inline cdg_rod_id contact_add(cdg_world *world, const cdg_rod_def *def) {
    cdg_rod_id rod;
    must(world, cdg_world_add_rod(world, def, &rod));
    return rod;
}

static inline void contact_run(cdg_world *world, int steps) {
    for (int i = 0; i < steps; i++) must(world, cdg_world_step(world, NULL));
}

#endif
