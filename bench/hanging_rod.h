// The scene all workloads share: rods clamped at one end that swing down under gravity, undamped.
#ifndef BENCH_HANGING_ROD_H
#define BENCH_HANGING_ROD_H

#include <cordage/cordage.h>

typedef struct hanging_rods {
    size_t rod_count, element_count;
    cdg_pobd_solver solver;
    cdg_pobd_integrator integrator;
    int iterations;
    int thread_count;
    double step; // s
} hanging_rods;

// A world of horizontal rods, 1 m long, 2 mm thick, of rubber, side by side. Destroy it with cdg_world_destroy.
cdg_result hanging_rods_build(const hanging_rods *what, cdg_world **out, cdg_error *error);
// For bench_time: one step of the world that `world` points to.
cdg_result hanging_rods_step(void *world);
// Copies the world's message into error.
cdg_result hanging_rods_fail(const cdg_world *world, cdg_result result, cdg_error *error);

#endif
