// Paper 002, section 8, claims that its rods look in 2 (10) iterations as those of Umetani, Schmidt and Stam do in 18
// (80), and that they are "a lot stiffer" than a strand of PBD. What a look is, is measured: with stiffness factors of
// 1 every method converges to a rigid rod, which stays straight; how far it hangs below is what iterations lack.
#include "bench/bench_table1_look.h"

#include "base/error.h"
#include "bench/baseline_pbd_strand.h"
#include "bench/baseline_pber.h"

#include <math.h>
#include <stdio.h>

enum { FRAMES = 100 };

const int table1_look_iterations[TABLE1_LOOK_COUNTS] = {2, 10, 18, 80};

double table1_look_pbd(int iterations) {
    baseline_pbd_strand strand;
    double sum = 0;
    if (!baseline_pbd_strand_init(&strand, TABLE1_LOOK_ELEMENTS, 1)) return NAN;
    strand.iterations = iterations;
    strand.stretch_stiffness = strand.bend_stiffness = 1;
    for (int i = 0; i < FRAMES; i++) {
        baseline_pbd_strand_step(&strand);
        sum -= strand.position[TABLE1_LOOK_ELEMENTS].z;
    }
    baseline_pbd_strand_destroy(&strand);
    return sum / FRAMES;
}

double table1_look_pber(int iterations) {
    baseline_pber rod;
    double sum = 0;
    if (!baseline_pber_init(&rod, TABLE1_LOOK_ELEMENTS, 1)) return NAN;
    rod.iterations = iterations;
    for (int i = 0; i < FRAMES; i++) {
        baseline_pber_step(&rod);
        sum -= rod.position[TABLE1_LOOK_ELEMENTS].z;
    }
    baseline_pber_destroy(&rod);
    return sum / FRAMES;
}

static cdg_result add_rod(cdg_world *world, int iterations, cdg_rod_id *rod) {
    cdg_rod_def def = cdg_rod_def_default();
    cdg_support_id support;
    def.name = "rod";
    def.element_count = TABLE1_LOOK_ELEMENTS;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = iterations;
    def.pobd.tolerance = 0;
    def.pobd.paper_stiffness = true;
    def.centerline.line.to = (cdg_vec3){1, 0, 0};
    cdg_result result = cdg_world_add_rod(world, &def, rod);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = *rod, .kind = CDG_PLACE_NODE, .index = 0}};
    return result == CDG_OK ? cdg_world_add_support(world, &clamp, &support) : result;
}

double table1_look_pobd(int iterations) {
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    cdg_world *world = NULL;
    cdg_rod_id rod;
    def.step = 0.01;
    def.thread_count = 1;
    if (cdg_world_create(&def, &world, NULL) != CDG_OK) return NAN;
    double sum = add_rod(world, iterations, &rod) == CDG_OK ? 0 : NAN;
    for (int i = 0; i < FRAMES && isfinite(sum); i++) {
        cdg_vec3 positions[TABLE1_LOOK_ELEMENTS + 1];
        bool is_good = cdg_world_step(world, NULL) == CDG_OK && cdg_rod_positions(world, rod, positions) == CDG_OK;
        sum = is_good ? sum - positions[TABLE1_LOOK_ELEMENTS].z : NAN;
    }
    cdg_world_destroy(world);
    return sum / FRAMES;
}

cdg_result bench_table1_look(bench_context *context, cdg_error *error) {
    static double (*const looks[])(int) = {table1_look_pbd, table1_look_pber, table1_look_pobd};
    static const char *const names[] = {"pbd", "pber", "pobd"};
    for (int method = 0; method < 3; method++)
        for (int i = 0; i < TABLE1_LOOK_COUNTS; i++) {
            char label[BENCH_TEXT_SIZE];
            double drop = looks[method](table1_look_iterations[i]);
            if (!isfinite(drop)) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: the rod was lost", names[method]);
            snprintf(label, sizeof label, "%s, %d iterations: tip below a rigid rod of 1 m", names[method],
                     table1_look_iterations[i]);
            bench_add_row(context, label, "mm", 0);
            for (int sample = 0; sample < context->repeat; sample++) bench_add_sample(context, 1e3 * drop);
            bench_progress(context, (method * TABLE1_LOOK_COUNTS + i + 1) / (3.0 * TABLE1_LOOK_COUNTS));
        }
    return CDG_OK;
}
