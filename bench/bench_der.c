// The der model on one core: a Newton iteration of an implicit step, and an explicit step with projection and
// quasistatic frames, per node; both timed as a user sees them, with loads, supports and velocities.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>

static const double sample_seconds = 0.05;

static cdg_result build(size_t elements, cdg_der_integrator integrator, double step, cdg_world **out,
                        cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = step;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = elements;
    def.centerline.line.to.x = 1e-2 * (double)elements; // elements of 1 cm whatever their number
    def.der.integrator = integrator;
    if (integrator == CDG_DER_EXPLICIT) def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
    cdg_rod_id rod = {0};
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &support, NULL);
    if (result == CDG_OK) return CDG_OK;
    result = hanging_rods_fail(*out, result, error);
    cdg_world_destroy(*out);
    return result;
}

typedef struct counted {
    cdg_world *world;
    double iterations; // Newton's
} counted;

static cdg_result step(void *user) {
    counted *c = user;
    cdg_step_report report;
    cdg_result result = cdg_world_step(c->world, &report);
    c->iterations += report.iterations;
    return result;
}

// Takes the samples, and destroys the world.
static cdg_result measure(bench_context *context, counted *c, size_t nodes, bool is_implicit, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches and is thrown away
        c->iterations = 0;
        double began = bench_clock();
        int steps = 0;
        while (bench_clock() - began < sample_seconds && result == CDG_OK) result = step(c), steps++;
        double seconds = bench_clock() - began, count = is_implicit ? c->iterations : steps;
        if (i >= 0 && result == CDG_OK) bench_add_sample(context, 1e9 * seconds / count / (double)nodes);
    }
    if (result != CDG_OK) hanging_rods_fail(c->world, result, error);
    cdg_world_destroy(c->world);
    return result;
}

static cdg_result sample(bench_context *context, size_t elements, cdg_der_integrator integrator, double step_size,
                         cdg_error *error) {
    counted c = {0};
    cdg_result result = build(elements, integrator, step_size, &c.world, error);
    if (result != CDG_OK) return result;
    return measure(context, &c, elements + 1, integrator == CDG_DER_IMPLICIT, error);
}

cdg_result bench_der_implicit(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {200, 1000, 10000, 100000};
    for (int i = 0; i < 4; i++) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu elements", counts[i]);
        bench_add_row(context, label, "ns/node/iteration", 800);
        cdg_result result = sample(context, counts[i], CDG_DER_IMPLICIT, 1e-3, error);
        if (result != CDG_OK) return result;
        bench_progress(context, (i + 1) / 4.0);
    }
    return CDG_OK;
}

cdg_result bench_der_explicit(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {100, 1000, 10000, 100000};
    for (int i = 0; i < 4; i++) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu elements", counts[i]);
        bench_add_row(context, label, "ns/node/step", 250);
        cdg_result result = sample(context, counts[i], CDG_DER_EXPLICIT, 1e-4, error);
        if (result != CDG_OK) return result;
        bench_progress(context, (i + 1) / 4.0);
    }
    return CDG_OK;
}

// A tree whose branches fork in two, as in the example tree_in_wind.
static cdg_result sample_tree(bench_context *context, size_t levels, cdg_error *error) {
    enum { ELEMENTS = 17 };
    counted c = {0};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = 5e-3;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, &c.world, error);
    if (result != CDG_OK) return result;
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "tree";
    def.kind = CDG_STRUCTURE_TREE;
    def.tree.levels = levels;
    def.tree.branches = 2;
    def.element_count = ELEMENTS;
    def.rod.model = CDG_MODEL_DER;
    def.rod.section.radius = 0.04;
    def.rod.material.young_modulus = 600e6;
    result = cdg_world_add_structure(c.world, &def);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = cdg_world_find_rod(c.world, "tree.trunk")}};
    if (result == CDG_OK) result = cdg_world_add_support(c.world, &support, NULL);
    if (result == CDG_OK) return measure(context, &c, (((size_t)2 << levels) - 1) * ELEMENTS + 1, true, error);
    hanging_rods_fail(c.world, result, error);
    cdg_world_destroy(c.world);
    return result;
}

cdg_result bench_der_net(bench_context *context, cdg_error *error) {
    for (size_t levels = 3; levels <= 9; levels += 3) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%zu branches of 17 elements", ((size_t)2 << levels) - 1);
        bench_add_row(context, label, "ns/node/iteration", 0);
        cdg_result result = sample_tree(context, levels, error);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)levels / 9);
    }
    return CDG_OK;
}
