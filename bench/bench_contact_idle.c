// What contact costs while nothing is near: steps with contact on, against the same without, from states that are
// reached at a given time of the simulation, however fast the machine is.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>
#include <stdlib.h>

static const double sample_seconds = 0.05, most = 1.1;

typedef enum scene { HANGING, COILED, NET, MIXED } scene;

typedef struct row {
    scene scene;
    size_t elements; // of a rod; in a net, of each side of a mesh
    cdg_pobd_solver solver;
    int iterations;
    double step;  // s
    double begin; // s: from here on
    int steps;    // are timed, again and again
    const char *name;
} row;

static cdg_rod_def rod_of(const row *r, const char *name) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.element_count = r->elements;
    def.pobd.solver = r->solver;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = r->iterations;
    def.pobd.tolerance = 0; // every iteration is carried out
    return def;
}

// Held at its first node.
static cdg_result add_hung(cdg_world *world, const cdg_rod_def *def) {
    cdg_rod_id rod;
    cdg_result result = cdg_world_add_rod(world, def, &rod);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = cdg_rod_node(rod, 0)};
    return result == CDG_OK ? cdg_world_add_support(world, &clamp, NULL) : result;
}

// Five turns, a tenth of a metre wide, their wire 2 mm thick and 3 cm from turn to turn.
static cdg_result add_coil(cdg_world *world, const row *r) {
    cdg_rod_def def = rod_of(r, "coil");
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = (cdg_vec3){0.1, 0.2, -1}; // along none of the axes that boxes go along
    def.centerline.helix.radius = 0.05, def.centerline.helix.pitch = 0.03, def.centerline.helix.turns = 5;
    def.rest.kind = CDG_REST_INITIAL;
    return add_hung(world, &def);
}

// Held at two corners.
static cdg_result add_net(cdg_world *world, const row *r) {
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "net";
    def.rod = rod_of(r, NULL);
    def.element_count = r->elements;
    cdg_result result = cdg_world_add_structure(world, &def);
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        cdg_rod_id rod = cdg_world_find_rod(world, i == 0 ? "net.h0" : "net.h4");
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = cdg_rod_node(rod, 0)};
        result = cdg_world_add_support(world, &pin, NULL);
    }
    return result;
}

// Two rods that hang down and swing, a body that flies past them and turns, and a rod of glass that moves behind them.
static cdg_result add_mixed(cdg_world *world, const row *r, bool has_contact) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        cdg_rod_def def = rod_of(r, i == 0 ? "one" : "other");
        def.centerline.line.from = (cdg_vec3){0, 0.03 * i, 0}, def.centerline.line.to = (cdg_vec3){0.5, 0.03 * i, -0.5};
        result = add_hung(world, &def);
    }
    cdg_body_def body = cdg_body_def_default();
    body.shape.kind = CDG_SHAPE_BOX, body.shape.size = (cdg_vec3){0.05, 0.04, 0.03};
    body.shape.position = (cdg_vec3){0.2, -0.15, -0.2};
    body.velocity = (cdg_vec3){0, -0.5, 4}, body.angular_velocity = (cdg_vec3){3, 1, 2};
    body.is_ghost = !has_contact; // else it still meets obstacles, and nobody looks at the energy
    if (result == CDG_OK) result = cdg_world_add_body(world, &body, NULL);
    cdg_motion motion = cdg_motion_default();
    motion.move = (cdg_vec3){0.5, 0, 0.1};
    cdg_obstacle_def stick = cdg_obstacle_def_default();
    stick.shape.kind = CDG_SHAPE_CAPSULE, stick.shape.radius = 0.01, stick.shape.length = 0.4;
    stick.shape.position = (cdg_vec3){0, 0.15, -0.4};
    stick.motions = &motion, stick.motion_count = 1;
    return result == CDG_OK ? cdg_world_add_obstacle(world, &stick, NULL) : result;
}

static cdg_result add_scene(cdg_world *world, const row *r, bool has_contact) {
    switch (r->scene) {
    case COILED: return add_coil(world, r);
    case NET: return add_net(world, r);
    case MIXED: return add_mixed(world, r, has_contact);
    case HANGING: break;
    }
    cdg_rod_def def = rod_of(r, "rod"); // 1 m, level
    return add_hung(world, &def);
}

static cdg_result build(const row *r, bool has_contact, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.step = r->step;
    def.thread_count = 1;
    def.contact = has_contact ? CDG_CONTACT_ON : CDG_CONTACT_OFF;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.position.z = -2;
    result = add_scene(*out, r, has_contact);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    // the first step looks whether anything lies in anything
    for (double time = 0; result == CDG_OK && time <= r->begin; time += r->step) result = cdg_world_step(*out, NULL);
    return result == CDG_OK ? result : hanging_rods_fail(*out, result, error);
}

typedef struct measured {
    cdg_world *world;
    double *snapshot;
    double seconds;
    bool touches; // something was near
} measured;

// From the state at the beginning.
static cdg_result take_steps(measured *m, const row *r) {
    cdg_result result = cdg_world_snapshot_load(m->world, m->snapshot);
    double began = bench_own_clock();
    for (int i = 0; i < r->steps && result == CDG_OK; i++) {
        cdg_step_report report;
        result = cdg_world_step(m->world, &report);
        m->touches = m->touches || (result == CDG_OK && report.contact_count > 0);
    }
    m->seconds += bench_own_clock() - began;
    return result;
}

// The processor's time of a step, the two worlds in turn.
static cdg_result sample(measured both[2], const row *r, double *ratio) {
    both[0].seconds = both[1].seconds = 0;
    while (both[0].seconds < sample_seconds)
        for (int k = 0; k < 2; k++) {
            cdg_result result = take_steps(&both[k], r);
            if (result != CDG_OK) return result;
        }
    *ratio = both[1].seconds / both[0].seconds;
    return CDG_OK;
}

static cdg_result start(measured *m, const row *r, bool has_contact, cdg_error *error) {
    cdg_result result = build(r, has_contact, &m->world, error);
    if (result != CDG_OK) return result;
    m->snapshot = malloc(cdg_world_snapshot_size(m->world) * sizeof *m->snapshot);
    return m->snapshot != NULL ? cdg_world_snapshot_save(m->world, m->snapshot) : CDG_ERROR_MEMORY;
}

static cdg_result measure_row(bench_context *context, const row *r, cdg_error *error) {
    measured both[2] = {{0}, {0}};
    cdg_result result = start(&both[0], r, false, error);
    if (result == CDG_OK) result = start(&both[1], r, true, error);
    bench_add_row(context, r->name, "of a step without", most);
    for (int i = -1; i < context->repeat && result == CDG_OK; i++) { // the first warms caches
        double ratio;
        result = sample(both, r, &ratio);
        if (result == CDG_OK && i >= 0) bench_add_sample(context, ratio);
        if (result != CDG_OK) hanging_rods_fail(both[1].world, result, error);
    }
    if (both[1].touches) bench_check(context, false, r->name);
    for (int k = 0; k < 2; k++) {
        free(both[k].snapshot);
        cdg_world_destroy(both[k].world);
    }
    return result;
}

cdg_result bench_contact_idle(bench_context *context, cdg_error *error) {
#define SWEPT CDG_POBD_GAUSS_SEIDEL, 10
#define DIRECT CDG_POBD_DIRECT, 2
    static const row rows[] = {{HANGING, 50, SWEPT, 1e-5, 0, 1000, "50 elements, gauss_seidel, straight"},
                               {HANGING, 50, SWEPT, 1e-3, 0, 200, "50 elements, gauss_seidel, let go"},
                               {HANGING, 50, SWEPT, 1e-3, 0.6, 200, "50 elements, gauss_seidel, swung and bent"},
                               {HANGING, 50, SWEPT, 1e-5, 0.3, 1000, "50 elements, gauss_seidel, bent, short steps"},
                               {HANGING, 1000, SWEPT, 1e-4, 0.3, 100, "1,000 elements, gauss_seidel, swung and bent"},
                               {HANGING, 100000, SWEPT, 1e-5, 0, 5, "100,000 elements, gauss_seidel, straight"},
                               {HANGING, 50, DIRECT, 1e-5, 0, 500, "50 elements, direct, straight"},
                               {HANGING, 50, DIRECT, 1e-3, 0.6, 200, "50 elements, direct, swung and bent"},
                               {HANGING, 10000, DIRECT, 1e-3, 0.2, 5, "10,000 elements, direct, let go"},
                               {COILED, 50, SWEPT, 1e-3, 0, 200, "a coil of 50 elements, gauss_seidel"},
                               {COILED, 300, DIRECT, 1e-3, 0, 200, "a coil of 300 elements, direct"},
                               {NET, 4, SWEPT, 1e-3, 0.3, 100, "a net of 160 elements, gauss_seidel"},
                               {MIXED, 50, SWEPT, 1e-3, 0, 200, "two rods, a body and an obstacle that moves"}};
#undef SWEPT
#undef DIRECT
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        cdg_result result = measure_row(context, &rows[i], error);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)(i + 1) / (double)count);
    }
    return CDG_OK;
}
