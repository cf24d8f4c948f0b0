// Ten thousand worlds of one short rod, each of its own stiffness, stepped in one call: one world in each lane. Some of
// them must go as they go alone.
#define _POSIX_C_SOURCE 200809L
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"
#include "world/world_together.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { WORLDS = 10000, ELEMENTS = 50, ITERATIONS = 10, STEPS = 10, PICKS = 16 };

// Of all threads.
static double processor_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cdg_result build(size_t number, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = 1e-3;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_id rod = {0};
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = ELEMENTS;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = ITERATIONS;
    def.pobd.tolerance = 0; // every iteration is carried out
    def.material.young_modulus *= pow(10, (double)number / WORLDS);
    def.centerline.line.to = (cdg_vec3){1, 0, 0};
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &clamp, NULL);
    return result == CDG_OK ? CDG_OK : hanging_rods_fail(*out, result, error);
}

// The world steps alone from the start; its nodes end where they did together.
static cdg_result check_alone(bench_context *context, size_t number, uint64_t steps, const cdg_world *together,
                              cdg_error *error) {
    cdg_world *world = NULL;
    cdg_vec3 here[ELEMENTS + 1], there[ELEMENTS + 1];
    cdg_result result = build(number, &world, error);
    for (uint64_t i = 0; i < steps && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    if (result == CDG_OK) result = cdg_rod_positions(world, cdg_world_rod_at(world, 0), here);
    if (result == CDG_OK) result = cdg_rod_positions(together, cdg_world_rod_at(together, 0), there);
    double apart = 0;
    for (size_t i = 0; i <= ELEMENTS && result == CDG_OK; i++)
        apart = fmax(apart, hypot(hypot(here[i].x - there[i].x, here[i].y - there[i].y), here[i].z - there[i].z));
    bench_check(context, apart < 1e-9, "worlds go in lanes as they go alone, within a nanometre of a metre");
    cdg_world_destroy(world);
    return result;
}

static cdg_result sample(bench_context *context, cdg_world **worlds, cdg_result *results, double *wall, double *own,
                         cdg_error *error) {
    cdg_together_def def = {.worlds = worlds, .count = WORLDS, .step_count = STEPS, .thread_count = 2};
    double work = (double)WORLDS * ELEMENTS * ITERATIONS * STEPS, began = bench_clock(), used = processor_clock();
    cdg_result result = cdg_worlds_run(&def, results, error);
    *wall = (bench_clock() - began) / work * 1e9;
    *own = (processor_clock() - used) / work * 1e9;
    for (size_t i = 0; i < WORLDS && result == CDG_OK; i++)
        if (results[i] != CDG_OK) result = hanging_rods_fail(worlds[i], results[i], error);
    (void)context;
    return result;
}

static cdg_result measure(bench_context *context, cdg_world **worlds, cdg_result *results, cdg_error *error) {
    double *own = calloc((size_t)context->repeat + 1, sizeof *own);
    cdg_result result = own != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    bench_add_row(context, "2 threads, clock", "ns/element-iteration", 5);
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
        double wall, used = 0;
        result = sample(context, worlds, results, &wall, &used, error);
        if (i >= 0) bench_add_sample(context, wall), own[i] = used;
        bench_progress(context, 0.2 + 0.7 * (i + 1) / context->repeat);
    }
    bench_add_row(context, "processor time", "ns/element-iteration", 10); // two of them make the same
    for (int i = 0; i < context->repeat && result == CDG_OK; i++) bench_add_sample(context, own[i]);
    free(own);
    for (size_t i = 0; i < PICKS && result == CDG_OK; i++) {
        size_t number = i * (WORLDS - 1) / (PICKS - 1);
        result = check_alone(context, number, (uint64_t)STEPS * ((uint64_t)context->repeat + 1), worlds[number], error);
    }
    return result;
}

cdg_result bench_worlds(bench_context *context, cdg_error *error) {
    cdg_world **worlds = calloc(WORLDS, sizeof *worlds);
    cdg_result *results = calloc(WORLDS, sizeof *results);
    cdg_result result = worlds != NULL && results != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    for (size_t i = 0; i < WORLDS && result == CDG_OK; i++) {
        result = build(i, &worlds[i], error);
        bench_progress(context, 0.2 * (double)i / WORLDS);
    }
    if (result == CDG_OK) result = measure(context, worlds, results, error);
    for (size_t i = 0; worlds != NULL && i < WORLDS; i++) cdg_world_destroy(worlds[i]);
    free(worlds);
    free(results);
    return result;
}
