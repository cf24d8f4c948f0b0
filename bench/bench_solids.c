// Deformable solids: forces of explicit steps for each tetrahedron, and implicit steps of a block of 10,000 nodes.
#include "bench/case_functions.h"

#include "base/error.h"
#include "solids/solid.h"

#include <cordage/solid.h>
#include <stdio.h>

static cdg_result make_block(cdg_solid_model model, cdg_solid_integrator integrator, double cells, cdg_solid *out,
                             cdg_error *error) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    def.model = model;
    def.integrator = integrator;
    def.young_modulus = 1e5, def.poisson_ratio = 0.35;
    cdg_result result = cdg_shape_mesh(&shape, 0.2001 / cells, &def.mesh, error);
    if (result != CDG_OK) return result;
    result = cdg_solid_build(&def, "block", out, error);
    cdg_mesh_free(&def.mesh);
    return result;
}

cdg_result bench_solid_forces(bench_context *context, cdg_error *error) {
    static const char *const labels[] = {"neo_hookean, a tetrahedron", "corotational, a tetrahedron"};
    for (int model = 0; model < 2; model++) {
        cdg_solid s;
        cdg_result result = make_block((cdg_solid_model)model, CDG_SOLID_EXPLICIT, 24, &s, error);
        if (result != CDG_OK) return result;
        for (size_t i = 0; i < s.node_count; i++) s.x[0][i] *= 1 + 0.1 * s.x[2][i];
        cdg_solid_at at = {.x = s.x};
        bench_add_row(context, labels[model], "ns", 40);
        for (int sample = 0; sample < 5; sample++) {
            double began = bench_own_clock();
            for (int i = 0; i < 20; i++) cdg_solid_forces(&s, &at, s.inner_force, 1);
            bench_add_sample(context, 1e9 * (bench_own_clock() - began) / 20 / (double)s.tetrahedron_count);
        }
        cdg_solid_free(&s);
        bench_progress(context, 0.5 * (model + 1));
    }
    return CDG_OK;
}

// On one thread by the processor's time, on two by the clock: that row says something on an idle machine only.
static cdg_result measure_implicit(bench_context *context, int threads, cdg_error *error) {
    const double step = 5e-3;
    cdg_solid s;
    cdg_result result = make_block(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2, 21, &s, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < s.node_count; i++) {
        s.is_held[i] = s.rest[0][i] < -0.0999;
        s.held_count += s.is_held[i];
    }
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "a step of 5 ms, %zu nodes, %s", s.node_count,
             threads == 1 ? "one core" : "two cores by the clock");
    bench_add_row(context, label, "ms", threads == 1 ? 120 : 60);
    double iterations = 0;
    int count = 0;
    for (int sample = 0; sample < 5 && result == CDG_OK; sample++) {
        double began = threads == 1 ? bench_own_clock() : bench_clock();
        for (int i = 0; i < 4 && result == CDG_OK; i++) {
            cdg_solid_result outcome;
            result = cdg_solid_predict(&s, step, (cdg_vec3){0, 0, -9.81}, threads, &outcome, error);
            cdg_solid_commit(&s, step);
            iterations += outcome.iterations, count++;
        }
        bench_add_sample(context, 1e3 * ((threads == 1 ? bench_own_clock() : bench_clock()) - began) / 4);
        bench_progress(context, 0.5 * (threads - 1) + 0.1 * (sample + 1));
    }
    if (threads == 1) bench_add_row(context, "iterations of Newton's method", "", 0);
    if (threads == 1) bench_add_sample(context, iterations / count);
    cdg_solid_free(&s);
    return result;
}

cdg_result bench_solid_implicit(bench_context *context, cdg_error *error) {
    cdg_result result = measure_implicit(context, 1, error);
    return result == CDG_OK ? measure_implicit(context, 2, error) : result;
}
