// A random rod of any model with what a step of it needs, without a world: for tests of a model's parts.
#ifndef CDG_TESTS_MODEL_CASE_H
#define CDG_TESTS_MODEL_CASE_H

#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/random.h"
#include "rods/rod_model.h"

enum { CASE_ELEMENTS = 7, CASE_HOLDS = 4 };

typedef struct model_case {
    cdg_rod *rod;
    double *force[3], *torque[3]; // zeros, to be set by the test
    cdg_rod_loads loads;          // made of them
    void *scratch;
} model_case;

// Uneven polygon, tapered rectangle, curved and twisted rest shape. `points` has CASE_ELEMENTS + 1 places.
static inline cdg_rod_def model_case_def(cdg_model model, bool is_closed, cdg_vec3 *points, cdg_random *random) {
    cdg_rod_def def = cdg_rod_def_default();
    for (int i = 0; i <= CASE_ELEMENTS; i++) {
        double a = 6.283185307179586 * i / CASE_ELEMENTS;
        points[i] = is_closed ? vec3(cos(a), sin(a), 0) : vec3(0.3 * i, 0.1 * i, 0);
        points[i] = vec3_add(points[i], random_vec3(random, 0.1));
    }
    def.model = model;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = CASE_ELEMENTS + (is_closed ? 0 : 1);
    def.centerline.closed = is_closed;
    def.element_count = CASE_ELEMENTS;
    def.section.kind = def.section_end.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = 0.06, def.section.side[1] = 0.03;
    def.section_end.side[0] = 0.04, def.section_end.side[1] = 0.02;
    def.is_tapered = true;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.4, def.rest.curvature[1] = -0.7, def.rest.twist = 0.9;
    return def;
}

static inline model_case case_build(const cdg_rod_def *def) {
    model_case c = {0};
    cdg_error error;
    if (cdg_rod_build(def, &c.rod, &error) != CDG_OK) {
        print_error("%s\n", error.message);
        assert_non_null(c.rod);
    }
    c.rod->holds = calloc(CASE_HOLDS, sizeof *c.rod->holds);
    c.rod->holds_before = calloc(CASE_HOLDS, sizeof *c.rod->holds_before);
    c.rod->hold_capacity = CASE_HOLDS;
    for (int k = 0; k < 3; k++) {
        c.loads.force[k] = c.force[k] = calloc(c.rod->node_count, sizeof(double));
        c.loads.torque[k] = c.torque[k] = calloc(c.rod->element_count, sizeof(double));
    }
    size_t bytes = (c.rod->model->scratch_size(c.rod) + 63) / 64 * 64;
    c.scratch = aligned_alloc(64, bytes);
    memset(c.scratch, 0xff, bytes); // not a number
    return c;
}

static inline void case_free(model_case *c) {
    for (int k = 0; k < 3; k++) {
        free(c->force[k]);
        free(c->torque[k]);
    }
    free(c->scratch);
    cdg_rod_destroy(c->rod);
}

static inline void case_predict(model_case *c, double step) {
    cdg_rod_step_result result;
    cdg_error error = {0};
    if (c->rod->model->predict(c->rod, step, &c->loads, c->scratch, &result, &error) != CDG_OK) {
        print_error("%s\n", error.message);
        fail();
    }
}

// A clamp at the first node, a frame at an inner one, a roll at another; none of them where the section is.
static inline void case_hold(model_case *c, cdg_random *random) {
    cdg_rod *rod = c->rod;
    cdg_hold holds[3] = {{.node = 0, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(rod->q, 0)},
                         {.node = 3, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(rod->q, 3)},
                         {.node = 5, .frame_hold = CDG_HOLD_ROLL, .frame = rod_quat(rod->q, 4)}};
    for (int h = 0; h < 3; h++) {
        holds[h].frame = quat_multiply(holds[h].frame, quat_exp(random_vec3(random, 0.3)));
        rod->holds[h] = holds[h];
    }
    rod->hold_count = 3;
}

#endif
