// A soft block with a rod tied to it, for tests.
#ifndef CDG_TESTS_TIE_CASE_H
#define CDG_TESTS_TIE_CASE_H

#include "solid_world_case.h"

#include "small_world.h"
#include "world/tie.h"

typedef struct tie_case {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_solid_id solid;
    cdg_tie_id tie;
} tie_case;

static inline cdg_rod_def tie_case_rod(cdg_model model) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "cable";
    def.model = model;
    def.element_count = 12;
    def.centerline.line.from = vec3(0.05, 0, 0);
    def.centerline.line.to = vec3(0.45, 0, 0);
    def.section.radius = 5e-3;
    return def;
}

// The block is about the origin, the rod begins at the middle of its side and goes along x.
static inline tie_case tie_case_make(cdg_model model, cdg_solid_integrator integrator, bool turns, int threads) {
    tie_case it = {.world = solid_world(threads, 2e-3)};
    it.world->def.gravity = vec3(0, 0, 0);
    it.world->contact_def.choice = CDG_CONTACT_OFF;
    cdg_rod_def rod = tie_case_rod(model);
    must(it.world, cdg_world_add_rod(it.world, &rod, &it.rod));
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, integrator);
    def.velocity = vec3(0, 0.4, 0), def.angular_velocity = vec3(1, 0, 4);
    it.solid = solid_world_add(it.world, def, vec3(0.1, 0.08, 0.08), 0.04);
    cdg_tie_def tie = {.place = {it.rod, CDG_PLACE_NODE, 0}, .solid = it.solid, .turns = turns};
    must(it.world, cdg_world_add_tie(it.world, &tie, &it.tie));
    return it;
}

// How far the section is from the place in the solid, m.
static inline double tie_case_gap(const cdg_world *world) {
    double most = 0;
    for (size_t i = 0; i < world->tie_count; i++) {
        const world_tie *tie = &world->ties[i];
        const cdg_solid *s = &world->solids[tie->solid]->solid;
        const cdg_rod *rod = world->rods[tie->def.place.rod.index1 - 1].rod;
        cdg_vec3 at = cdg_solid_place_at(s, s->x, &tie->place);
        most = fmax(most, vec3_distance(at, rod_vec3(rod->x, rod_user_node(rod, tie->def.place.index))));
    }
    return most;
}

#endif
