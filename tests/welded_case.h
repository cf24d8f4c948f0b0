// Small worlds of rods of every model with bodies welded to them. The including file includes cmocka first.
#ifndef CDG_TESTS_WELDED_CASE_H
#define CDG_TESTS_WELDED_CASE_H

#include "near.h"
#include "small_world.h"

enum { ELEMENTS = 8 };

// Each model as it is usually run, and der with its explicit integrator.
enum { EXPLICIT_DER = CDG_MODEL_COUNT, CASE_COUNT };

static inline cdg_rod_def rod_of(int kind) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = kind == EXPLICIT_DER ? CDG_MODEL_DER : (cdg_model)kind;
    if (kind == EXPLICIT_DER) def.der.integrator = CDG_DER_EXPLICIT;
    def.der.tolerance = 1e-13;
    def.galpha.tolerance = 1e-11;
    def.element_count = ELEMENTS;
    def.section.radius = 5e-3;
    def.material.poisson_ratio = 0.3;
    return def;
}

static inline double step_of(int kind) { return kind == CDG_MODEL_CORDE || kind == EXPLICIT_DER ? 1e-4 : 1e-3; }

static inline cdg_body_id add_box(cdg_world *world, double mass, cdg_vec3 position, cdg_vec3 velocity, cdg_vec3 spin) {
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(0.05, 0.03, 0.08);
    def.density = 0, def.mass = mass;
    def.shape.position = position, def.velocity = velocity, def.angular_velocity = spin;
    def.is_ghost = true;
    must(world, cdg_world_add_body(world, &def, &id));
    return id;
}

static inline void weld(cdg_world *world, cdg_rod_id rod, size_t node, cdg_body_id body) {
    must(world, cdg_world_add_weld(world, &(cdg_weld_def){{rod, CDG_PLACE_NODE, node}, body}, NULL));
}

#endif
