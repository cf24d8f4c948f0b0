// What every model's part in following a path must keep (rod_path.h): Newton's corrections lead to the equilibrium, and
// the rate is that of equilibria at neighbouring times. For a tip load that grows and a support that moves.
#ifndef CDG_TESTS_PATH_CASE_H
#define CDG_TESTS_PATH_CASE_H

#include <stdlib.h>

#include "arch_case.h"
#include "near.h"
#include "rods/rod_path.h"
#include "world/world_static.h"

static void path_case_set_time(void *user, double time) { static_loads_set(user, time); }

// Newton at a fixed time until nothing moves; the rates there.
static inline int path_case_settle(static_loads *loads, cdg_rod *rod, double time, double *rate) {
    const struct cdg_rod_path_operations *path = rod->model->statics.path;
    size_t size = path->size(rod);
    double *correction = malloc(size * sizeof *correction);
    static_loads_set(loads, time);
    void *memory = path->open(rod, &loads->loads);
    assert_non_null(memory);
    assert_true(path->start(memory));
    cdg_rod_correction found = {.move = INFINITY};
    int iterations = 0;
    while (found.move > 1e-10 && iterations < 50) {
        assert_true(path->solve(memory, path_case_set_time, loads, time, 1e-6, correction, rate, &found));
        if (found.move > 1e-10) assert_true(path->advance(memory, correction));
        iterations++;
    }
    assert_true(iterations < 10 && found.residual < 1e-3 * found.force);
    path->finish(memory);
    path->close(memory);
    free(correction);
    return iterations;
}

static inline void path_case_run(cdg_model model, size_t stride, double scale) {
    enum { ELEMENTS = 12 };
    small_world small = column_make(model, ELEMENTS, 0);
    arch_load(&small, ELEMENTS, vec3(0.2, 1, 0.5));
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0.005, 0.01, 0.02), .from = 0, .to = 1};
    cdg_support_def moving = {
        .kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &moving, NULL));
    must(small.world, cdg_world_find_equilibrium(small.world, NULL));
    cdg_rod *rod = cdg_world_get_rod(small.world, small.rod);
    static_loads loads;
    assert_true(static_loads_open(&loads, small.world, 0));
    size_t size = rod->model->statics.path->size(rod);
    double *rate = malloc(3 * size * sizeof *rate);
    cdg_vec3 before[ELEMENTS + 1], after[ELEMENTS + 1];
    for (int i = 1; i <= 5; i++) assert_true(path_case_settle(&loads, rod, 0.1 * i, rate) > 2);
    const double step = 1e-3;
    path_case_settle(&loads, rod, 0.5 - step, rate + size);
    must(small.world, cdg_rod_positions(small.world, small.rod, before));
    path_case_settle(&loads, rod, 0.5 + step, rate + size);
    must(small.world, cdg_rod_positions(small.world, small.rod, after));
    double sum = 0;
    for (size_t i = 0; i <= ELEMENTS; i++) {
        const double *r = rate + stride * i;
        cdg_vec3 moved = vec3_scale(1 / (2 * step), vec3_sub(after[i], before[i]));
        assert_vec3_near(vec3(scale * r[0], scale * r[1], scale * r[2]), moved, 1e-4);
        sum += rod->node_mass[i] * vec3_dot(moved, moved);
    }
    assert_near(rod->model->statics.path->dot(rod, rate, rate), sum / rod->mass, 1e-3 * sum);
    // Before the beginning everything is mirrored.
    loads.begin = 0;
    for (int i = 4; i >= -2; i--) path_case_settle(&loads, rod, 0.1 * i, rate);
    must(small.world, cdg_rod_positions(small.world, small.rod, after));
    assert_vec3_near(after[0], vec3(-0.001, -0.002, -0.004), 1e-12);
    assert_true(after[ELEMENTS].y < -0.03);
    free(rate);
    static_loads_close(&loads);
    cdg_world_destroy(small.world);
}

#endif
