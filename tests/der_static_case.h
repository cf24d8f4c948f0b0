// Rods with holds and loads for tests of equilibria and modes: unit length, thin, bending stiffness 1 N m^2.
#ifndef CDG_TESTS_DER_STATIC_CASE_H
#define CDG_TESTS_DER_STATIC_CASE_H

#include <stdlib.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/static.h"

// Along x, L = 1, both bending stiffnesses 1, twisting 0.8, mass 1 kg/m; stretching as of a section of this radius.
static inline cdg_rod_def unit_rod(size_t elements, double radius) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.shear = {1, 1},
                                    .stretch = 4 / (radius * radius),
                                    .bend = {1, 1},
                                    .twist = 0.8,
                                    .mass = 1,
                                    .inertia = {1e-6, 1e-6, 1e-6},
                                    .radius = radius};
    def.centerline.line.to = vec3(1, 0, 0);
    def.element_count = elements;
    return def;
}

// Holds place and section of a node as they would be at rest: along the line.
static inline void clamp_node(der_case *c, size_t node) {
    size_t element = node < c->rod->element_count ? node : node - 1;
    c->rod->holds[c->rod->hold_count++] = (cdg_hold){.node = node,
                                                     .holds_position = true,
                                                     .position = rod_vec3(c->rod->x, node),
                                                     .frame_hold = CDG_HOLD_FRAME,
                                                     .frame = rod_quat(c->rod->q, element)};
}
static inline void pin_node(der_case *c, size_t node) {
    c->rod->holds[c->rod->hold_count++] =
        (cdg_hold){.node = node, .holds_position = true, .position = rod_vec3(c->rod->x, node)};
}

static inline der_static_report settle(der_case *c) {
    der_static_report report;
    cdg_error error = {0};
    der_static_options options = der_static_options_default();
    cdg_result result = der_find_equilibrium(c->rod, &c->loads, &options, &report, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return report;
}

static inline size_t count_unstable(der_case *c, double shift) {
    size_t count;
    cdg_error error = {0};
    assert_int_equal(der_count_modes_below(c->rod, &c->loads, shift, &count, &error), CDG_OK);
    return count;
}

#endif
