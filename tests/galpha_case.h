// A galpha rod in a random state with a random trial of the next step, for tests of the model's equations.
#ifndef CDG_TESTS_GALPHA_CASE_H
#define CDG_TESTS_GALPHA_CASE_H

#include <stdlib.h>

#include "math/random.h"
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

enum { GALPHA_CASE_ELEMENTS = 5, GALPHA_CASE_NODES = GALPHA_CASE_ELEMENTS + 1 };

typedef struct galpha_case {
    cdg_rod *rod;
    galpha_node old[GALPHA_CASE_NODES];
    galpha_trial trial[GALPHA_CASE_NODES];
    galpha_loads loads[GALPHA_CASE_ELEMENTS];
    galpha_hold_pair holds;
    galpha_step step;
} galpha_case;

static inline cdg_rod *galpha_case_rod(bool is_extensible, bool is_damped) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.model = CDG_MODEL_GALPHA;
    def.galpha.is_extensible = is_extensible;
    def.element_count = GALPHA_CASE_ELEMENTS;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.radius = 0.1;
    def.centerline.helix.pitch = 0.2;
    def.centerline.helix.turns = 1;
    def.rest.kind = CDG_REST_INITIAL;
    def.section.kind = CDG_SECTION_ELLIPSE;
    def.section.semi_axis[0] = 0.02;
    def.section.semi_axis[1] = 0.01;
    def.section_end = def.section;
    def.section_end.semi_axis[0] = 0.01;
    def.is_tapered = true;
    if (is_damped)
        def.material.damping_bend = 0.02, def.material.damping_twist = 0.03, def.material.damping_stretch = 0.04,
        def.material.damping_shear = 0.05;
    cdg_rod *rod = NULL;
    assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
    return rod;
}

// Large turns and strains: what the equations say far from rest matters, too.
static inline void galpha_case_make(galpha_case *c, cdg_random *random, bool is_extensible, bool is_damped) {
    c->rod = galpha_case_rod(is_extensible, is_damped);
    c->rod->drag_rate = is_damped ? 3 : 0;
    galpha_read_arrays(c->rod, c->old);
    for (int i = 0; i < GALPHA_CASE_NODES; i++) {
        galpha_node *n = &c->old[i];
        n->velocity = random_vec3(random, 1);
        n->spin = random_vec3(random, 2);
        n->position_rate = random_vec3(random, 1);
        n->frame_rate = random_vec3(random, 2);
        n->acceleration = random_vec3(random, 10);
        n->momentum_rate = random_vec3(random, 1e-2);
        n->force_per_mass = random_vec3(random, 10);
        n->moment_per_length = random_vec3(random, 1e-2);
        n->stretch_rate = random_vec3(random, 0.1);
        n->bend_rate = random_vec3(random, 1);
        c->trial[i] = (galpha_trial){
            .position = vec3_add(n->position, random_vec3(random, 0.02)),
            .frame = quat_multiply(n->frame, quat_exp(random_vec3(random, 0.4))),
            .moment = random_vec3(random, 1),
            .force = random_vec3(random, 10),
        };
    }
    for (int j = 0; j < GALPHA_CASE_ELEMENTS; j++)
        c->loads[j] = (galpha_loads){random_vec3(random, 1), random_vec3(random, 1), random_vec3(random, 0.1)};
    c->holds = (galpha_hold_pair){0};
    c->step = (galpha_step){
        .rod = c->rod,
        .old = c->old,
        .rest = galpha_rest_of(c->rod),
        .loads = c->loads,
        .scheme = galpha_scheme_from_lambda(-random_unit(random)),
        .step_rate = 1 / random_in(random, 0.01, 0.1),
        .holds = &c->holds,
    };
    galpha_step_prepare(&c->step);
    for (size_t i = 0; i < GALPHA_CASE_NODES; i++) galpha_update_trial(&c->step, i, &c->trial[i]);
}

static inline void galpha_case_free(galpha_case *c) { cdg_rod_destroy(c->rod); }

// Moves unknown number `field` of a trial by `amount` in the step's units.
static inline void galpha_case_nudge(const galpha_step *step, size_t node, galpha_trial *t, int field, double amount) {
    double part[3] = {0};
    part[field % 3] = amount;
    cdg_vec3 v = vec3(part[0], part[1], part[2]);
    if (field / 3 == 0) t->position = vec3_mad(t->position, step->length_scale, v);
    if (field / 3 == 1) t->frame = quat_multiply(quat_exp(v), t->frame);
    if (field / 3 == 2) t->moment = vec3_mad(t->moment, step->force_scale * step->length_scale, v);
    if (field / 3 == 3) t->force = vec3_mad(t->force, step->force_scale, v);
    galpha_update_trial(step, node, t);
}

#endif
