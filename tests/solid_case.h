// Solids for tests: a small block, shaken at random.
#ifndef CDG_TESTS_SOLID_CASE_H
#define CDG_TESTS_SOLID_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"

// Models that are a law of stress and have implicit steps, which come first.
enum { SOLID_CASE_LAWS = CDG_SOLID_COROTATIONAL + 1 };

static inline cdg_mesh solid_case_box(cdg_vec3 size, double resolution) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = size, .orientation = {1, 0, 0, 0}};
    cdg_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_shape_mesh(&shape, resolution, &mesh, &error), CDG_OK);
    return mesh;
}

static inline cdg_solid_def solid_case_def(cdg_solid_model model, cdg_solid_integrator integrator) {
    cdg_solid_def def = cdg_solid_def_default();
    def.model = model;
    def.integrator = integrator;
    def.young_modulus = 1e5;
    def.poisson_ratio = 0.35;
    return def;
}

static inline cdg_solid solid_case_build(cdg_solid_def def, cdg_vec3 size, double resolution) {
    cdg_solid solid;
    cdg_error error = {0};
    def.mesh = solid_case_box(size, resolution);
    cdg_result result = cdg_solid_build(&def, "block", &solid, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    cdg_mesh_free(&def.mesh);
    return solid;
}

static inline void solid_case_shake(cdg_solid *solid, double size, cdg_random *random) {
    for (size_t i = 0; i < solid->node_count; i++)
        solid_set_vec3(solid->x, i, vec3_add(solid_vec3(solid->x, i), random_vec3(random, size)));
}

static inline cdg_vec3 solid_case_center(const cdg_solid *s, double *const x[3]) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < s->node_count; i++) sum = vec3_mad(sum, s->mass[i], solid_vec3(x, i));
    return vec3_scale(1 / s->total_mass, sum);
}

// One step with nothing held but what is, which must succeed.
static inline void solid_case_step(cdg_solid *solid, double step, cdg_vec3 gravity) {
    cdg_solid_result result;
    cdg_error error = {0};
    cdg_result code = cdg_solid_predict(solid, step, gravity, 1, &result, &error);
    if (code != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(code, CDG_OK);
    cdg_solid_commit(solid, step);
}

#endif
