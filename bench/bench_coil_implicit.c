// Coils of rope of implicit models whose turns rest on each other: the processor's time for 0.05 s.
#include "bench/case_functions.h"

#include "base/error.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

static const double duration = 0.05; // s
// What 1,000 elements are advised, rounded. Left to itself, a world whose duration nobody told expects its rods to fall
// by their own height, and makes steps for that speed: a tower ten times as high would take twice as many.
static const double step = 1.98e-3; // s

// A tower of turns, 63 elements each, with hair's breadths between them; it stands on the floor.
static cdg_result build(cdg_model model, double friction, size_t elements, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    def.step = step;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.model = model;
    rod.material.young_modulus = 3e5, rod.material.poisson_ratio = 0.4, rod.material.density = 1100;
    rod.material.damping_stretch = rod.material.damping_shear = 0.01;
    rod.material.damping_bend = rod.material.damping_twist = 0.01;
    rod.section.radius = 5e-3;
    rod.element_count = elements;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 6e-3};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 10.02e-3;
    rod.centerline.helix.turns = 15.9 * (double)elements / 1000;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 0.5;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    result = cdg_world_add_rod(*out, &rod, NULL);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    if (result == CDG_OK) result = cdg_world_add_load(*out, &drag, NULL);
    if (result == CDG_OK) result = cdg_world_set_contact(*out, &contact);
    if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(*out));
    return result;
}

typedef struct coil_cost {
    double seconds, finding, solving, deepest;
    double contacts, turns, rounds; // mean of all steps
} coil_cost;

static cdg_result let_sink(cdg_world *world, coil_cost *out, cdg_error *error) {
    *out = (coil_cost){0};
    world->contacts.clock = bench_own_clock;
    double began = bench_own_clock();
    int steps = 0;
    for (; cdg_world_time(world) < duration * (1 - 1e-9); steps++) {
        cdg_step_report report = {0};
        cdg_result result = cdg_world_step(world, &report);
        if (result != CDG_OK) return cdg_fail(error, result, "%s", cdg_world_message(world));
        out->deepest = fmax(out->deepest, report.deepest);
        out->contacts += (double)report.contact_count;
        out->turns += report.contact_iterations;
        out->rounds += world->contact_outcome.rounds;
    }
    out->seconds = bench_own_clock() - began;
    out->finding = world->contacts.find_seconds, out->solving = world->contacts.solve_seconds;
    out->contacts /= steps, out->turns /= steps, out->rounds /= steps;
    return CDG_OK;
}

cdg_result bench_coil_implicit(bench_context *context, cdg_error *error) {
    static const struct {
        cdg_model model;
        const char *name;
        double friction;
        size_t elements;
    } coils[] = {{CDG_MODEL_POBD, "pobd", 0, 1000},  {CDG_MODEL_POBD, "pobd", 0.3, 1000},
                 {CDG_MODEL_DER, "der", 0, 1000},    {CDG_MODEL_DER, "der", 0.3, 1000},
                 {CDG_MODEL_POBD, "pobd", 0, 10000}, {CDG_MODEL_POBD, "pobd", 0.3, 10000}};
    const size_t count = sizeof coils / sizeof *coils;
    for (size_t k = 0; k < count; k++) {
        cdg_world *world = NULL;
        coil_cost cost = {0};
        cdg_result result = build(coils[k].model, coils[k].friction, coils[k].elements, &world, error);
        if (result == CDG_OK) result = let_sink(world, &cost, error);
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
        const struct {
            const char *what, *unit;
            double value, bar;
        } rows[] = {{"0.05 s", "s", cost.seconds, coils[k].elements == 1000 ? 1 : 12},
                    {"finding", "s", cost.finding, 0},
                    {"solving", "s", cost.solving, 0},
                    {"contacts that push", "", cost.contacts, 0},
                    {"iterations of the solver", "", cost.turns, 0},
                    {"rounds after the first", "", cost.rounds, 0},
                    {"deepest, radii", "", cost.deepest, 0}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char label[BENCH_TEXT_SIZE];
            snprintf(label, sizeof label, "%s, friction %g, %zu elements: %s", coils[k].name, coils[k].friction,
                     coils[k].elements, rows[i].what);
            bench_add_row(context, label, rows[i].unit, rows[i].bar);
            bench_add_sample(context, rows[i].value);
        }
        bench_check(context, cost.deepest <= 1e-3, "the coil lies deeper in itself than promised");
        bench_progress(context, (double)(k + 1) / (double)count);
    }
    return CDG_OK;
}
