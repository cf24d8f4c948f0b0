// A coil of rope with 2,000 elements falls on the floor, as in the thesis of Spillmann (2008, figure 6.4: some 10,000
// contacts, found in 355 ms and solved in 255 ms a step): the scene of examples/coiled_rope.yaml, its whole fall, and
// the time for contact in each step. Time is the processor's, so that others on the machine do not count.
#include "bench/case_functions.h"

#include "base/error.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 2000 };
static const double duration = 0.8; // s

// Told apart by time: the lowest turn touches the floor at 0.224 s, the highest has landed at 0.35 s.
static const struct {
    const char *name;
    double end; // s
} phases[] = {{"in the air", 0.224}, {"landing", 0.35}, {"settling", 0.5}, {"lying", 0.8}};
enum { PHASES = sizeof phases / sizeof *phases };

// What is measured of each step.
typedef enum measure { FINDING, SOLVING, NEAR, PUSHING, ROUNDS, SWEEPS, MEASURES } measure;

typedef struct fall {
    double (*steps)[MEASURES];
    size_t count, capacity, end[PHASES]; // steps of all phases, one after the other
    double deepest;                      // radii
} fall;

static cdg_result build(cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.model = CDG_MODEL_CORDE;
    rod.material.young_modulus = 3e5, rod.material.poisson_ratio = 0.4, rod.material.density = 1100;
    rod.material.damping_stretch = rod.material.damping_shear = 0.01;
    rod.material.damping_bend = rod.material.damping_twist = 0.01;
    rod.section.radius = 5e-3;
    rod.element_count = ELEMENTS;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 0.25};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 13e-3;
    rod.centerline.helix.turns = 15.9;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 0.5;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    if (result == CDG_OK) result = cdg_world_add_rod(*out, &rod, NULL);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    if (result == CDG_OK) result = cdg_world_add_load(*out, &drag, NULL);
    if (result == CDG_OK) result = cdg_world_set_contact(*out, &contact);
    if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(*out));
    return result;
}
static bool add_step(fall *it, const cdg_world *world, const cdg_step_report *report) {
    if (it->count == it->capacity) {
        size_t capacity = it->capacity > 0 ? 2 * it->capacity : 1024;
        double(*grown)[MEASURES] = realloc(it->steps, capacity * sizeof *grown);
        if (grown == NULL) return false;
        it->steps = grown;
        it->capacity = capacity;
    }
    double *step = it->steps[it->count++];
    step[FINDING] = 1e3 * world->contacts.find_seconds;
    step[SOLVING] = 1e3 * world->contacts.solve_seconds;
    step[NEAR] = (double)world->contacts.count;
    step[PUSHING] = (double)report->contact_count;
    step[ROUNDS] = world->contact_outcome.rounds;
    step[SWEEPS] = report->contact_iterations;
    it->deepest = fmax(it->deepest, report->deepest);
    for (int k = 0; k < PHASES; k++)
        if (cdg_world_time(world) <= phases[k].end || k == PHASES - 1) it->end[k] = it->count;
    return true;
}

static cdg_result let_fall(bench_context *context, cdg_world *world, fall *out, cdg_error *error) {
    cdg_result result = CDG_OK;
    world->contacts.clock = bench_own_clock;
    while (result == CDG_OK && cdg_world_time(world) < duration) {
        cdg_step_report report = {0};
        world->contacts.find_seconds = world->contacts.solve_seconds = 0;
        result = cdg_world_step(world, &report);
        if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(world));
        if (!add_step(out, world, &report)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for samples");
        bench_progress(context, cdg_world_time(world) / duration);
    }
    return result;
}

// A row with all steps of a phase, and, for times, another with the worst of them.
static void add_rows(bench_context *context, const fall *it, const char *phase, size_t first, size_t end, measure m) {
    static const struct {
        const char *name, *unit;
        double bar;
    } rows[MEASURES] = {[FINDING] = {"finding", "ms", 4},
                        [SOLVING] = {"solving", "ms", 6},
                        [NEAR] = {"contacts near", "", 0},
                        [PUSHING] = {"contacts that push", "", 0},
                        [ROUNDS] = {"rounds after the first", "", 0},
                        [SWEEPS] = {"sweeps", "", 0}};
    char label[BENCH_TEXT_SIZE];
    double worst = 0;
    snprintf(label, sizeof label, "%s: %s", phase, rows[m].name);
    bench_add_row(context, label, rows[m].unit, rows[m].bar);
    for (size_t i = first; i < end; i++) {
        bench_add_sample(context, it->steps[i][m]);
        worst = fmax(worst, it->steps[i][m]);
    }
    if (m != FINDING && m != SOLVING) return;
    snprintf(label, sizeof label, "%s: %s, worst step", phase, rows[m].name);
    bench_add_row(context, label, rows[m].unit, rows[m].bar);
    bench_add_sample(context, worst);
}

cdg_result bench_coiled_rope(bench_context *context, cdg_error *error) {
    cdg_world *world = NULL;
    fall it = {0};
    cdg_result result = build(&world, error);
    if (result == CDG_OK) result = let_fall(context, world, &it, error);
    for (int k = 0; k < PHASES && result == CDG_OK; k++)
        for (int m = 0; m < MEASURES; m++)
            if (k > 0 || m == FINDING) // nothing touches in the air
                add_rows(context, &it, phases[k].name, k > 0 ? it.end[k - 1] : 0, it.end[k], (measure)m);
    for (int m = 0; m < NEAR && result == CDG_OK; m++)
        add_rows(context, &it, "from the first touch on", it.end[0], it.count, (measure)m);
    bench_check(context, it.deepest <= 1e-3, "the rope lies deeper in itself or the floor than promised");
    free(it.steps);
    cdg_world_destroy(world);
    return result;
}
