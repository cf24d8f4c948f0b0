// Solids in contact (Spillmann's thesis, chapter 5): the arch of figure 5.5, chained rings on a membrane as in figure
// 5.1, and chess figures as in figures 5.6 and 5.7, whose time should grow with the number of contacts. The thesis
// takes explicit steps; so does this, each as long as the stiffest element bears.
#include "bench/case_functions.h"

#include "base/error.h"
#include "solids/solid_structure.h"

#include <cordage/cordage.h>
#include <cordage/solid.h>
#include <math.h>
#include <stdio.h>

typedef struct setting {
    cdg_shape shape;
    double resolution; // m
    solid_structure_def structure;
    cdg_vec3 position;
    double young_modulus, density, damping_time;
    cdg_solid_integrator integrator;
    bool has_springs; // for a material
} setting;

static cdg_result add_all(cdg_world *world, const setting *it, cdg_error *error) {
    cdg_solid_def def = cdg_solid_def_default();
    def.model = it->has_springs ? CDG_SOLID_MASS_SPRING : CDG_SOLID_COROTATIONAL;
    if (!it->has_springs) def.integrator = it->integrator;
    def.young_modulus = it->young_modulus, def.poisson_ratio = 0.35, def.density = it->density;
    def.damping_time = it->damping_time;
    cdg_result result = cdg_shape_mesh(&it->shape, it->resolution, &def.mesh, error);
    for (size_t k = 0; k < it->structure.count && result == CDG_OK; k++) {
        cdg_solid_id id;
        cdg_solid_structure_place(&it->structure, k, &def.position, &def.orientation);
        def.position.x += it->position.x, def.position.y += it->position.y, def.position.z += it->position.z;
        result = cdg_world_add_solid(world, &def, &id);
        if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(world));
    }
    cdg_mesh_free(&def.mesh);
    return result;
}

static cdg_world *make_world(double friction, bool has_floor) {
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, NULL) != CDG_OK) return NULL;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    cdg_world_set_contact(world, &contact);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    cdg_obstacle_id id;
    if (has_floor) cdg_world_add_obstacle(world, &floor, &id);
    return world;
}

typedef struct measured {
    double milliseconds, contacts, deepest; // a step; mean; of an edge
} measured;

// The last `share` of the time is measured.
static cdg_result take_steps(cdg_world *world, double step, double time, double share, measured *out,
                             cdg_error *error) {
    int steps = (int)ceil(time / step), first = (int)(steps * (1 - share)), count = 0;
    double began = 0;
    *out = (measured){0};
    cdg_world_set_step_size(world, step);
    for (int i = 0; i < steps; i++) {
        cdg_step_report report;
        if (i == first) began = bench_own_clock();
        cdg_result result = cdg_world_step(world, &report);
        if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(world));
        if (i < first) continue;
        out->contacts += (double)report.contact_count, count++;
        out->deepest = fmax(out->deepest, 0.05 * report.deepest);
    }
    out->milliseconds = 1e3 * (bench_own_clock() - began) / count;
    out->contacts /= count;
    return CDG_OK;
}

static void add_rows(bench_context *context, const char *what, const measured *it, double bar) {
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: a step", what);
    bench_add_row(context, label, "ms", bar);
    bench_add_sample(context, it->milliseconds);
    snprintf(label, sizeof label, "%s: contacts that push", what);
    bench_add_row(context, label, "", 0);
    bench_add_sample(context, it->contacts);
    snprintf(label, sizeof label, "%s: deepest, edges", what);
    bench_add_row(context, label, "", 1e-3);
    bench_add_sample(context, it->deepest);
}

// 480 tetrahedra a wedge; the thesis has 375.
static cdg_result measure_arch(bench_context *context, cdg_error *error) {
    const double angle = 3.14159265358979 / 9;
    setting wedges = {.shape = {.kind = CDG_SHAPE_WEDGE,
                                .orientation = {1, 0, 0, 0},
                                .radius = 0.15,
                                .inner_radius = 0.1,
                                .length = 0.04,
                                .angle = angle},
                      .resolution = 0.011,
                      .structure = {.kind = SOLID_STRUCTURE_ARCH, .count = 9, .gap = 1.2e-3, .span = 9 * angle},
                      .position = {0, 0, 5e-4},
                      .young_modulus = 2e4,
                      .density = 100,
                      .integrator = CDG_SOLID_EXPLICIT};
    cdg_world *world = make_world(0.95, true);
    measured out;
    cdg_result result = add_all(world, &wedges, error);
    if (result == CDG_OK) result = take_steps(world, 1.3e-4, 0.1, 0.5, &out, error);
    if (result == CDG_OK) add_rows(context, "arch, explicit steps of 0.13 ms", &out, 1);
    cdg_world_destroy(world);
    return result;
}

// Holds what is beyond a plane.
static cdg_result hold(cdg_world *world, cdg_solid_id id, cdg_vec3 point, cdg_vec3 normal) {
    cdg_solid_support_def support = cdg_solid_support_def_default();
    support.region =
        &(cdg_shape){.kind = CDG_SHAPE_PLANE, .position = point, .orientation = {1, 0, 0, 0}, .normal = normal};
    support.solid = id;
    cdg_solid_support_id held;
    return cdg_world_add_solid_support(world, &support, &held);
}

static cdg_result add_membrane(cdg_world *world, cdg_error *error) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .orientation = {1, 0, 0, 0}, .size = {0.32, 0.3, 0.02}};
    cdg_solid_def def = cdg_solid_def_default();
    def.model = CDG_SOLID_COROTATIONAL;
    def.integrator = CDG_SOLID_EXPLICIT;
    def.young_modulus = 3e4, def.poisson_ratio = 0.35, def.density = 300;
    cdg_result result = cdg_shape_mesh(&shape, 0.0205, &def.mesh, error);
    cdg_solid_id id;
    if (result == CDG_OK) result = cdg_world_add_solid(world, &def, &id);
    cdg_mesh_free(&def.mesh);
    for (int side = 0; side < 2 && result == CDG_OK; side++) {
        double sign = side == 0 ? 1 : -1;
        result = hold(world, id, (cdg_vec3){0.159 * sign, 0, 0}, (cdg_vec3){-sign, 0, 0});
    }
    if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(world));
    return result;
}

static size_t count_tetrahedra(const cdg_world *world) {
    size_t count = 0;
    for (size_t i = 0; i < cdg_world_solid_count(world); i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) == CDG_OK) count += info.tetrahedron_count;
    }
    return count;
}

// Chains of five rings beside each other and in layers.
static cdg_result measure_rings(bench_context *context, int chains, double time, double share, double bar,
                                cdg_error *error) {
    cdg_world *world = make_world(0.3, false);
    cdg_result result = add_membrane(world, error);
    for (int c = 0; c < chains && result == CDG_OK; c++) {
        int layer = c / 3;
        setting rings = {
            .shape = {.kind = CDG_SHAPE_TORUS, .orientation = {1, 0, 0, 0}, .radius = 0.03, .thickness = 0.008},
            .resolution = 0.009,
            .structure = {.kind = SOLID_STRUCTURE_CHAIN, .count = 5, .distance = 0.042},
            .position = {-0.084, 0.082 * (c % 3 - 1), 0.053 + 0.08 * layer},
            .young_modulus = 8e4,
            .density = 600,
            .integrator = CDG_SOLID_EXPLICIT};
        result = add_all(world, &rings, error);
    }
    measured out;
    char label[BENCH_TEXT_SIZE];
    if (result == CDG_OK) result = take_steps(world, 1.5e-4, time, share, &out, error);
    snprintf(label, sizeof label, "%d rings on a membrane, %zu tetrahedra, explicit", 5 * chains,
             count_tetrahedra(world));
    if (result == CDG_OK) add_rows(context, label, &out, bar);
    cdg_world_destroy(world);
    return result;
}

// `side` by side in a layer.
static cdg_result measure_figures(bench_context *context, cdg_solid_integrator integrator, size_t count, size_t side,
                                  double time, measured *out, cdg_error *error) {
    static const double profile[][2] = {{0.015, -0.05}, {0.015, -0.04}, {0.009, -0.03}, {0.007, 0},
                                        {0.013, 0.02},  {0.011, 0.03},  {0.005, 0.05}};
    bool is_explicit = integrator == CDG_SOLID_EXPLICIT;
    setting figures = {
        .shape = {.kind = CDG_SHAPE_REVOLVED, .orientation = {1, 0, 0, 0}, .profile = profile, .profile_count = 7},
        .resolution = 0.0102,
        .structure = {.kind = SOLID_STRUCTURE_HEAP, .count = count, .distance = 0.11, .side = side, .seed = 5},
        .position = {0, 0, 0.07},
        .young_modulus = 1e4,
        .density = 100,
        .damping_time = is_explicit ? 0 : 5e-3,
        .integrator = integrator};
    char label[BENCH_TEXT_SIZE];
    cdg_world *world = make_world(0.3, true);
    cdg_result result = add_all(world, &figures, error);
    if (result == CDG_OK) result = take_steps(world, is_explicit ? 1.3e-4 : 2.5e-3, time, 0.3, out, error);
    snprintf(label, sizeof label, "%zu chess figures, %s", count, is_explicit ? "explicit" : "bdf2, 2.5 ms");
    if (result == CDG_OK) add_rows(context, label, out, 0);
    cdg_world_destroy(world);
    return result;
}

// Time a step against contacts from the first to the last, as a power.
static cdg_result measure_heaps(bench_context *context, cdg_solid_integrator integrator, double done,
                                cdg_error *error) {
    enum { HEAPS = 3 };
    bool is_explicit = integrator == CDG_SOLID_EXPLICIT;
    measured all[HEAPS];
    for (size_t k = 0; k < HEAPS; k++) {
        cdg_result result = measure_figures(context, integrator, (size_t)9 << k, 3, 0.35, &all[k], error);
        if (result != CDG_OK) return result;
        bench_progress(context, done + 0.3 * (double)(k + 1) / HEAPS);
    }
    double power =
        log(all[HEAPS - 1].milliseconds / all[0].milliseconds) / log(all[HEAPS - 1].contacts / all[0].contacts);
    bench_add_row(context, is_explicit ? "explicit: time grows as contacts to the power" : "bdf2: the same", "", 1.1);
    bench_add_sample(context, power);
    return CDG_OK;
}

cdg_result bench_solid_contact(bench_context *context, cdg_error *error) {
    cdg_result result = measure_arch(context, error);
    bench_progress(context, 0.1);
    for (int chains = 3; chains <= 12 && result == CDG_OK; chains *= 2)
        result = measure_rings(context, chains, 0.12, 0.3, 0, error);
    bench_progress(context, 0.4);
    if (result == CDG_OK) result = measure_heaps(context, CDG_SOLID_EXPLICIT, 0.4, error);
    if (result == CDG_OK) result = measure_heaps(context, CDG_SOLID_BDF2, 0.7, error);
    return result;
}

// ---- as many as the thesis has --------------------------------------------------------------------------------------

// Figure A.9: robots of springs fall onto a tree of springs, in steps of 5 ms.
static cdg_result measure_robots(bench_context *context, size_t count, size_t side, double time, cdg_error *error) {
    static const double tree_profile[][2] = {{0.035, 0.005}, {0.035, 0.045}, {0.11, 0.085}, {0.05, 0.165},
                                             {0.085, 0.205}, {0.04, 0.285},  {0.06, 0.325}, {0.015, 0.405}};
    static const double robot_profile[][2] = {{0.022, -0.056}, {0.022, -0.04}, {0.012, -0.024}, {0.024, -0.008},
                                              {0.024, 0.008},  {0.011, 0.024}, {0.018, 0.04},   {0.018, 0.056}};
    setting tree = {
        .shape = {.kind = CDG_SHAPE_REVOLVED, .orientation = {1, 0, 0, 0}, .profile = tree_profile, .profile_count = 8},
        .resolution = 0.04,
        .structure = {.kind = SOLID_STRUCTURE_STACK, .count = 1, .distance = 1},
        .young_modulus = 1e5,
        .density = 100,
        .damping_time = 2e-5,
        .has_springs = true};
    setting robots = tree;
    robots.shape.profile = robot_profile, robots.resolution = 0.0155;
    robots.structure =
        (solid_structure_def){.kind = SOLID_STRUCTURE_HEAP, .count = count, .distance = 0.126, .side = side, .seed = 2};
    robots.position.z = 0.5;
    robots.young_modulus = 4e4, robots.damping_time = 2e-4;
    char label[BENCH_TEXT_SIZE];
    cdg_world *world = make_world(0.5, true);
    measured out;
    tree.position.z = 0.003;
    cdg_result result = add_all(world, &tree, error);
    if (result == CDG_OK)
        result = hold(world, cdg_world_solid_at(world, 0), (cdg_vec3){0, 0, 0.009}, (cdg_vec3){0, 0, -1});
    if (result == CDG_OK) result = add_all(world, &robots, error);
    snprintf(label, sizeof label, "%zu robots and a tree, %zu tetrahedra of springs", count, count_tetrahedra(world));
    if (result == CDG_OK) result = take_steps(world, 5e-3, time, 0.3, &out, error);
    if (result == CDG_OK) add_rows(context, label, &out, 0);
    cdg_world_destroy(world);
    return result;
}

// Until most lie where they end up: hours with what else a machine does, an hour alone.
cdg_result bench_solid_piles(bench_context *context, cdg_error *error) {
    enum { HEAPS = 3 };
    measured all[HEAPS];
    cdg_result result = measure_rings(context, 40, 0.8, 0.1, 30, error);
    for (size_t k = 0; k < HEAPS && result == CDG_OK; k++) {
        bench_progress(context, 0.4 + 0.1 * (double)k);
        result = measure_figures(context, CDG_SOLID_EXPLICIT, (size_t)125 << k, 8, 0.6, &all[k], error);
    }
    if (result != CDG_OK) return result;
    double power =
        log(all[HEAPS - 1].milliseconds / all[0].milliseconds) / log(all[HEAPS - 1].contacts / all[0].contacts);
    bench_add_row(context, "explicit figures: time grows as contacts to the power", "", 1.1);
    bench_add_sample(context, power);
    bench_progress(context, 0.8);
    return measure_robots(context, 125, 5, 0.3, error);
}
