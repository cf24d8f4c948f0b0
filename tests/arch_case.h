// Worlds for tests of paths of equilibria: a shallow pinned arch of span 1 m under a load at its crown, and a column.
#ifndef CDG_TESTS_ARCH_CASE_H
#define CDG_TESTS_ARCH_CASE_H

#include <math.h>

#include "math/vec3.h"
#include "small_world.h"

enum { ARCH_ELEMENTS = 20 };

static inline void arch_hold(const small_world *small, size_t node, cdg_support_kind kind) {
    cdg_support_def support = {.kind = kind, .place = {small->rod, CDG_PLACE_NODE, node}};
    must(small->world, cdg_world_add_support(small->world, &support, NULL));
}

static inline void arch_load(const small_world *small, size_t node, cdg_vec3 force) {
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small->rod, CDG_PLACE_NODE, node};
    load.value = force;
    load.ramp = 1;
    must(small->world, cdg_world_add_load(small->world, &load, NULL));
}

// Opening angle in rad; a strip 50 mm wide and 10 mm thick, E = 1 GPa. The load grows to `force` N in 1 s.
static inline small_world arch_make(cdg_model model, double angle, double force) {
    cdg_rod_def def = cdg_rod_def_default();
    double half = angle / 2;
    def.name = "arch";
    def.model = model;
    def.element_count = ARCH_ELEMENTS;
    def.centerline.kind = CDG_CENTERLINE_ARC;
    def.centerline.arc.tangent = vec3(cos(half), 0, sin(half));
    def.centerline.arc.normal = vec3(sin(half), 0, -cos(half));
    def.centerline.arc.radius = 1 / (2 * sin(half));
    def.centerline.arc.angle = angle;
    def.rest.kind = CDG_REST_INITIAL;
    def.material.young_modulus = 1e9;
    def.material.poisson_ratio = 0.3;
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = 0.05;
    def.section.side[1] = 0.01;
    cdg_vec3 across = vec3(0, 1, 0);
    def.initial_normal = &across;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, false);
    for (size_t end = 0; end < 2; end++) {
        arch_hold(&small, end * ARCH_ELEMENTS, CDG_SUPPORT_PIN);
        arch_hold(&small, end * ARCH_ELEMENTS, CDG_SUPPORT_TWIST);
    }
    arch_load(&small, ARCH_ELEMENTS / 2, vec3(0, 0, -force));
    return small;
}

static inline double arch_crown(const small_world *small) {
    cdg_vec3 nodes[ARCH_ELEMENTS + 1];
    must(small->world, cdg_rod_positions(small->world, small->rod, nodes));
    return nodes[ARCH_ELEMENTS / 2].z;
}

// A column along x, clamped at its start, free at its end, B = 1 N m^2 about d1 and 4 about d2, 1 m, 1 kg: it buckles
// at pi^2/4 N. The load grows to `force` N in 1 s.
static inline small_world column_make(cdg_model model, size_t elements, double force) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "column";
    def.model = model;
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.shear = {4e4, 4e4},
                                    .stretch = 4e4,
                                    .bend = {1, 4},
                                    .twist = 1,
                                    .mass = 1,
                                    .inertia = {1e-5, 1e-5, 2e-5},
                                    .radius = 0.01};
    def.element_count = elements;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 0, true);
    if (force != 0) arch_load(&small, elements, vec3(-force, 0, 0));
    return small;
}

#endif
