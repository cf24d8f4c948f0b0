// Ropes and rings that are cut, for tests.
#ifndef CDG_TESTS_CUT_CASE_H
#define CDG_TESTS_CUT_CASE_H

#include "math/quat.h"
#include "near.h"
#include "small_world.h"
#include "world/cuts.h"

#include <stdlib.h>

enum { ELEMENTS = 24 };

// A rope that falls across a ball onto the ground, and lies on itself.
typedef struct stage {
    cdg_world *world;
    cdg_rod_id rope, ring;
    cdg_support_id pin, clamp;
} stage;

static inline stage make(cdg_model model, int threads) {
    stage s = {0};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 2e-3;
    world_def.thread_count = threads;
    must(NULL, cdg_world_create(&world_def, &s.world, NULL));
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.model = model;
    def.element_count = ELEMENTS;
    def.section.radius = 4e-3;
    def.material.young_modulus = 1e6;
    def.centerline.line.from = vec3(-0.3, 0, 0.1);
    def.centerline.line.to = vec3(0.3, 0, 0.1);
    must(s.world, cdg_world_add_rod(s.world, &def, &s.rope));
    def.name = "ring";
    def.centerline = cdg_centerline_default();
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.circle.center = vec3(0, 0, 0.15);
    def.centerline.circle.radius = 0.08;
    def.centerline.circle.axis = vec3(0, 0, 1);
    must(s.world, cdg_world_add_rod(s.world, &def, &s.ring));
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = s.rope}};
    must(s.world, cdg_world_add_support(s.world, &support, &s.clamp));
    support.kind = CDG_SUPPORT_PIN;
    support.place.index = ELEMENTS;
    must(s.world, cdg_world_add_support(s.world, &support, &s.pin));
    cdg_obstacle_def ball = cdg_obstacle_def_default();
    ball.name = "ball";
    ball.shape.kind = CDG_SHAPE_SPHERE;
    ball.shape.radius = 0.04;
    ball.shape.position = vec3(0.05, 0, 0.03);
    must(s.world, cdg_world_add_obstacle(s.world, &ball, NULL));
    return s;
}

static inline void run(cdg_world *world, int steps) {
    for (int i = 0; i < steps; i++) must(world, cdg_world_step(world, NULL));
}

static inline cdg_place node_of(cdg_rod_id rod, size_t node) { return (cdg_place){rod, CDG_PLACE_NODE, node}; }

static inline cdg_rod_id cut(cdg_world *world, cdg_rod_id rod, size_t node, double *energy) {
    cdg_cut_report report;
    must(world, cdg_rod_cut(world, node_of(rod, node), &report));
    if (energy != NULL) *energy = report.energy;
    return report.second;
}

static inline double *snapshot_of(const cdg_world *world, size_t *size) {
    *size = cdg_world_snapshot_size(world);
    double *snapshot = calloc(*size, sizeof *snapshot);
    assert_int_equal(cdg_world_snapshot_save(world, snapshot), CDG_OK);
    return snapshot;
}

static inline void assert_same(const cdg_world *a, const cdg_world *b) {
    size_t size, other;
    double *x = snapshot_of(a, &size), *y = snapshot_of(b, &other);
    assert_int_equal(size, other);
    assert_memory_equal(x, y, size * sizeof *x);
    free(x);
    free(y);
}

static inline void plan(cdg_world *world, cdg_rod_id rod, size_t node, double time) {
    must(world, cdg_world_plan_cut(world, node_of(rod, node), time));
}

#endif
