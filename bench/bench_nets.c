// Cost of a step of the nets of Spillmann and Teschner, Cosserat Nets, figure 16: deformation and integration, one
// core. Theirs: coarse, 0.8 thousand points, 0.9 thousand elements, 1.1 thousand orientation elements, 6.6 ms; dense,
// 1.2, 1.5 and 3 thousand, 14.5 ms. Ten threads each way with five elements a mesh side are 820 points, 900 elements
// and 1204 orientation elements; twenty with two are 1160, 1520 and 2924.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <math.h>
#include <stdio.h>

static const double sample_seconds = 0.05;

typedef struct net_case {
    const char *label;
    size_t threads, elements;
    cdg_model model;
    cdg_corde_coupling coupling;
    double bar; // us
} net_case;

static cdg_result build(const net_case *what, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "net";
    def.net.size[0] = def.net.size[1] = 2;
    def.net.threads[0] = def.net.threads[1] = what->threads;
    def.element_count = what->elements;
    def.rod.section.radius = 4e-3;
    def.rod.model = what->model;
    def.rod.corde.coupling = what->coupling;
    def.rod.corde.substeps = what->coupling == CDG_CORDE_PENALTY ? 1 : 0;
    def.rod.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.rod.pobd.iterations = 10;
    result = cdg_world_add_structure(*out, &def);
    for (int side = 0; side < 2 && result == CDG_OK; side++) {
        cdg_place corner = {.rod = cdg_world_find_rod(*out, "net.h0"),
                            .index = side == 0 ? 0 : what->elements * (what->threads - 1)};
        result = cdg_world_add_support(*out, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = corner}, NULL);
    }
    // with one sub-step the frames of the penalty coupling need a shorter step; pobd takes any
    double factor = what->coupling == CDG_CORDE_PENALTY ? 0.05 : 1;
    double step = what->model == CDG_MODEL_POBD ? 1e-3 : factor * cdg_world_advice(*out).step;
    if (result == CDG_OK) result = cdg_world_set_step_size(*out, step);
    if (result != CDG_OK) {
        hanging_rods_fail(*out, result, error);
        cdg_world_destroy(*out);
        *out = NULL;
    }
    return result;
}

cdg_result bench_nets(bench_context *context, cdg_error *error) {
    static const net_case cases[] = {
        {"coarse, corde penalty (theirs: 6600 us)", 10, 5, CDG_MODEL_CORDE, CDG_CORDE_PENALTY, 150},
        {"coarse, corde constraint", 10, 5, CDG_MODEL_CORDE, CDG_CORDE_CONSTRAINT, 150},
        {"coarse, pobd, 10 iterations", 10, 5, CDG_MODEL_POBD, CDG_CORDE_PENALTY, 0},
        {"dense, corde penalty (theirs: 14500 us)", 20, 2, CDG_MODEL_CORDE, CDG_CORDE_PENALTY, 300},
        {"dense, corde constraint", 20, 2, CDG_MODEL_CORDE, CDG_CORDE_CONSTRAINT, 300},
        {"dense, pobd, 10 iterations", 20, 2, CDG_MODEL_POBD, CDG_CORDE_PENALTY, 0},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t i = 0; i < CASES; i++) {
        cdg_world *world = NULL;
        cdg_result result = build(&cases[i], &world, error);
        if (result != CDG_OK) return result;
        bench_add_row(context, cases[i].label, "us/step", cases[i].bar);
        for (int k = -1; k < context->repeat && result == CDG_OK; k++) { // the first warms caches and is thrown away
            double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
            if (k >= 0) bench_add_sample(context, 1e6 * seconds);
        }
        if (result != CDG_OK) hanging_rods_fail(world, result, error);
        bench_check(context, result == CDG_OK && isfinite(cdg_world_energy(world).total), "the net stays finite");
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)(i + 1) / CASES);
    }
    return CDG_OK;
}
