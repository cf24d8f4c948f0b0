// Scaling with the number of contacts: two layers of crossed rods that rest on a floor, from 10 to 100,000 contacts
// with a force, on 1 and on 2 threads: whole steps, as a user sees them. The limit is a plain loop over rods and
// contacts.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"
#include "bench/plain_loop.h"

#include "contact/contacts.h"

#include <stdio.h>

static const double sample_seconds = 0.03;
static const double long_step = 0.3, very_long_step = 1; // s: beyond, three samples must do, or one

// `side` rods along x on the floor, and as many along y upon them; each has an element for each crossing.
static cdg_result build(size_t side, int threads, cdg_world **out, cdg_error *error) {
    const double radius = 5e-3, pitch = 4 * radius, reach = pitch * (double)side;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.thread_count = threads;
    world_def.step = 2e-4;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    result = cdg_world_set_contact(*out, &contact);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    for (size_t i = 0; i < 2 * side && result == CDG_OK; i++) {
        char name[32];
        cdg_rod_def def = cdg_rod_def_default();
        bool is_upper = i >= side;
        double across = pitch * ((double)(i % side) + 0.5), height = (is_upper ? 3 : 1) * radius * (1 + 1e-4);
        snprintf(name, sizeof name, "rod%zu", i);
        def.name = name;
        def.model = CDG_MODEL_CORDE;
        def.section.radius = radius;
        def.element_count = side;
        def.centerline.line.from = is_upper ? (cdg_vec3){across, 0, height} : (cdg_vec3){0, across, height};
        def.centerline.line.to = is_upper ? (cdg_vec3){across, reach, height} : (cdg_vec3){reach, across, height};
        result = cdg_world_add_rod(*out, &def, NULL);
    }
    if (result != CDG_OK) hanging_rods_fail(*out, result, error);
    return result;
}

static cdg_result sample(bench_context *context, cdg_world *world, size_t expected, cdg_error *error) {
    cdg_result result = CDG_OK;
    cdg_step_report report = {0};
    for (int i = 0; i < 6 && result == CDG_OK; i++) result = cdg_world_step(world, &report); // until all is in touch
    if (result != CDG_OK) return hanging_rods_fail(world, result, error);
    bench_check(context, 2 * report.contact_count > expected, "crossed rods on a floor touch");
    double scale = 1e9 / (double)(report.contact_count > 0 ? report.contact_count : 1);
    int wanted = context->repeat;
    for (int i = -1; i < wanted; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (result != CDG_OK) return hanging_rods_fail(world, result, error);
        if (i >= 0) bench_add_sample(context, seconds * scale);
        if (seconds > long_step && wanted > 1) wanted = seconds > very_long_step ? 1 : 3;
    }
    size_t bytes = cdg_world_memory(world) + report.contact_count * (sizeof(cdg_contact) + sizeof(cdg_contact_row));
    bench_set_limits(context, scale * plain_loop_seconds(bytes), 0); // sweeps differ from step to step
    return CDG_OK;
}

cdg_result bench_sweep_contacts(bench_context *context, cdg_error *error) {
    static const size_t sides[] = {2, 7, 22, 70, 223}, contacts[] = {10, 100, 1000, 10000, 100000}; // about 2 side^2
    enum { SIDES = sizeof sides / sizeof *sides };
    for (int threads = 1; threads <= 2; threads++)
        for (size_t k = 0; k < SIDES; k++) {
            char label[BENCH_TEXT_SIZE];
            cdg_world *world = NULL;
            snprintf(label, sizeof label, "%zu contacts, %d thread%s", contacts[k], threads, threads > 1 ? "s" : "");
            bench_add_row(context, label, "ns/contact/step", 0);
            cdg_result result = build(sides[k], threads, &world, error);
            if (result == CDG_OK) result = sample(context, world, contacts[k], error);
            cdg_world_destroy(world);
            if (result != CDG_OK) return result;
            bench_progress(context, ((threads - 1) * SIDES + (double)k + 1) / (2 * SIDES));
        }
    return CDG_OK;
}
