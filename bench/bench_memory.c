// Memory for each element: what the library says it holds, and what the process has really grown by.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

// Resident memory of this process, bytes; 0 when the system does not say.
static double resident_bytes(void) {
    unsigned long size = 0, resident = 0;
    malloc_trim(0); // what earlier workloads freed must not hide the growth
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    int found = fscanf(file, "%lu %lu", &size, &resident);
    fclose(file);
    return found == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : 0;
}

cdg_result bench_memory(bench_context *context, cdg_error *error) {
    static const struct {
        const char *name;
        cdg_pobd_solver solver;
        cdg_pobd_integrator integrator;
        size_t rod_count, element_count;
    } variants[] = {
        {"direct, 1 x 100000", CDG_POBD_DIRECT, CDG_POBD_BDF2, 1, 100000},
        {"gauss_seidel, 1 x 100000", CDG_POBD_GAUSS_SEIDEL, CDG_POBD_EULER, 1, 100000},
        {"gauss_seidel, 2000 x 50", CDG_POBD_GAUSS_SEIDEL, CDG_POBD_EULER, 2000, 50},
    };
    const size_t count = sizeof variants / sizeof *variants;
    for (size_t i = 0; i < count; i++) {
        hanging_rods what = {.rod_count = variants[i].rod_count,
                             .element_count = variants[i].element_count,
                             .solver = variants[i].solver,
                             .integrator = variants[i].integrator,
                             .iterations = 2,
                             .thread_count = 1,
                             .step = 1e-3};
        double elements = (double)(what.rod_count * what.element_count), before = resident_bytes();
        cdg_world *world = NULL;
        char label[BENCH_TEXT_SIZE];
        cdg_result result = hanging_rods_build(&what, &world, error);
        if (result != CDG_OK) return result;
        for (int k = 0; k < 3 && result == CDG_OK; k++) result = cdg_world_step(world, NULL); // touches all pages
        if (result != CDG_OK) {
            hanging_rods_fail(world, result, error);
            cdg_world_destroy(world);
            return result;
        }
        double after = resident_bytes();
        snprintf(label, sizeof label, "held by rods (%s)", variants[i].name);
        bench_add_row(context, label, "bytes/element", 400);
        bench_add_sample(context, (double)cdg_world_memory(world) / elements);
        cdg_world_destroy(world);
        if (before > 0 && after > 0) {
            snprintf(label, sizeof label, "growth of the process (%s)", variants[i].name);
            bench_add_row(context, label, "bytes/element", 0);
            bench_add_sample(context, after > before ? (after - before) / elements : 0);
        }
        bench_progress(context, (double)(i + 1) / (double)count);
    }
    return CDG_OK;
}
