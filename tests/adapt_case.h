// Rods that adapt, for tests: arcs, bent, twisted and in motion, of every model that can.
#ifndef CDG_TESTS_ADAPT_CASE_H
#define CDG_TESTS_ADAPT_CASE_H

#include "adapt/adapt.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"
#include "rods/rod_model.h"

typedef enum adapt_variant {
    ADAPT_POBD,
    ADAPT_POBD_SINE,
    ADAPT_POBD_TANGENT,
    ADAPT_GAUSS_SEIDEL,
    ADAPT_CORDE,
    ADAPT_CORDE_CONSTRAINT,
    ADAPT_DER,
    ADAPT_DER_ANGLE,
    ADAPT_VARIANTS
} adapt_variant;

static inline cdg_rod_def adapt_def(adapt_variant variant, size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.element_count = elements;
    def.adapt.is_on = true;
    def.section.radius = 1e-3;
    def.model = variant <= ADAPT_GAUSS_SEIDEL       ? CDG_MODEL_POBD
                : variant <= ADAPT_CORDE_CONSTRAINT ? CDG_MODEL_CORDE
                                                    : CDG_MODEL_DER;
    if (variant == ADAPT_POBD_SINE) def.pobd.darboux = CDG_POBD_SINE;
    if (variant == ADAPT_POBD_TANGENT) def.pobd.darboux = CDG_POBD_TANGENT;
    if (variant == ADAPT_GAUSS_SEIDEL) def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    if (variant == ADAPT_CORDE_CONSTRAINT) def.corde.coupling = CDG_CORDE_CONSTRAINT;
    if (variant == ADAPT_DER_ANGLE) def.der.curvature = CDG_DER_ANGLE;
    return def;
}

// An arc of elements of 5 cm that turn by `turn` each, by its points, so that it starts as it is defined.
enum { ADAPT_ARC_MAX = 64 };
static inline void adapt_arc(cdg_rod_def *def, double turn, cdg_vec3 points[ADAPT_ARC_MAX]) {
    points[0] = vec3(0, 0, 0);
    for (size_t i = 0; i < def->element_count; i++) {
        double angle = turn * ((double)i + 0.5);
        points[i + 1] = vec3_mad(points[i], 0.05, vec3(cos(angle), sin(angle), 0));
    }
    def->centerline = (cdg_centerline){.kind = CDG_CENTERLINE_POLYLINE,
                                       .points = {.points = points, .count = def->element_count + 1}};
}

static inline cdg_rod *adapt_build(const cdg_rod_def *def) {
    cdg_rod *rod = NULL;
    cdg_error error = {0};
    if (cdg_rod_build(def, &rod, &error) != CDG_OK) fail_msg("%s", error.message);
    return rod;
}

static inline cdg_vec3 random_vector(cdg_random *random, double size) {
    return vec3(random_in(random, -size, size), random_in(random, -size, size), random_in(random, -size, size));
}

// A random motion; frames of models whose frames lie along edges spin about them alone.
static inline void adapt_shake(cdg_rod *rod, cdg_random *random, double size) {
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->v, i, vec3_add(rod_vec3(rod->v, i), random_vector(random, size)));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 spin = random_vector(random, size / rod->rest_length[j]);
        bool follows = rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
        rod_set_vec3(rod->w, j, follows ? vec3(0, 0, spin.z) : spin);
    }
}

// A rod of nine elements in a random shape, not far from rest.
static inline cdg_rod *adapt_build_bent(adapt_variant variant, cdg_random *random) {
    cdg_rod_def def = adapt_def(variant, 9);
    def.rest = (cdg_rest){.kind = CDG_REST_CURVATURE, .curvature = {3, -2}, .twist = 5};
    def.initial_twist = 4;
    cdg_rod *rod = adapt_build(&def);
    double l = rod->rest_length[0];
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->x, i, vec3_add(rod_vec3(rod->x, i), random_vec3(random, 0.02 * l)));
    bool follows = rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat q = quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(random, 0.05)));
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, j + 1), rod_vec3(rod->x, j));
        if (follows) q = quat_multiply(quat_between(quat_d3(q), vec3_normalize(edge)), q);
        rod_set_quat(rod->q, j, quat_normalize(q));
    }
    if (rod->twist != NULL) cdg_rod_recount_turns(rod);
    return rod;
}

#endif
