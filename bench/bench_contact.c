// Finding and solving contacts: a coiled rope of 2,000 nodes as in the thesis of Spillmann (2008, figure 6.4: 10,000
// contacts, found in 355 ms, solved in 255 ms), and how the time grows with the segments, for both broad phases.
#include "bench/case_functions.h"
#include "bench/contact_coil.h"

#include "base/error.h"
#include "contact/box_pairs.h"
#include "contact/contacts.h"
#include "contact/segment_pair.h"
#include "math/random.h"
#include "rods/rod.h"
#include "world/rod_proxy.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double sample_seconds = 0.03;

// A rope as it lies after falling: layers of turns, each beside and upon the last, a little disturbed.
typedef struct coil {
    size_t node_count;
    double radius; // m
    cdg_vec3 *nodes;
    cdg_box *boxes;
    cdg_box_finder finder;
    size_t contact_count;
} coil;

static void coil_free(coil *c) {
    free(c->nodes);
    free(c->boxes);
    cdg_box_finder_free(&c->finder);
}

static cdg_result coil_make(coil *c, size_t node_count, cdg_broad_phase method, cdg_error *error) {
    *c = (coil){.node_count = node_count, .radius = 5e-3, .finder.method = method};
    c->nodes = malloc(node_count * sizeof *c->nodes);
    c->boxes = malloc(node_count * sizeof *c->boxes);
    if (c->nodes == NULL || c->boxes == NULL) {
        coil_free(c);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a rope of %zu nodes", node_count);
    }
    // Spirals from the inner radius outwards and back, one layer a passage, the next in the hollows of the last; as
    // wide as the coil is high.
    const double spacing = 1.98 * c->radius, rise = 0.87 * spacing, segment = 3 * c->radius, inner = 12 * c->radius;
    const double most = spacing * fmax(3, ceil(cbrt((double)node_count * segment / (12 * inner))));
    cdg_random random = {1};
    double angle = 0, across = 0, height = 0, direction = 1;
    for (size_t i = 0; i < node_count; i++) {
        double ring = inner + across;
        cdg_vec3 noise = random_vec3(&random, 0.02 * c->radius);
        c->nodes[i] = vec3_add(vec3(ring * cos(angle), ring * sin(angle), height), noise);
        double turn = segment / ring;
        angle += turn;
        across += direction * spacing * turn / 6.283185307179586;
        if (across > most || across < 0) {
            direction = -direction;
            across = (across < 0 ? 0 : most) + 0.5 * direction * spacing;
            height += rise;
        }
    }
    return CDG_OK;
}

// Neighbours along the rope touch by nature.
static bool is_apart(const void *user, uint32_t a, uint32_t b) {
    (void)user;
    return b - a > 2;
}

static void coil_fill_boxes(coil *c) {
    double margin = c->radius * 1.01;
    for (size_t i = 0; i + 1 < c->node_count; i++) {
        const double p[3] = {c->nodes[i].x, c->nodes[i].y, c->nodes[i].z};
        const double q[3] = {c->nodes[i + 1].x, c->nodes[i + 1].y, c->nodes[i + 1].z};
        for (int k = 0; k < 3; k++) {
            c->boxes[i].low[k] = (p[k] < q[k] ? p[k] : q[k]) - margin;
            c->boxes[i].high[k] = (p[k] < q[k] ? q[k] : p[k]) + margin;
        }
    }
}

static cdg_result broad_phase(void *user) {
    coil *c = user;
    coil_fill_boxes(c);
    return cdg_box_finder_find(&c->finder, c->boxes, c->node_count - 1, is_apart, NULL, NULL);
}

static cdg_result detect(void *user) {
    coil *c = user;
    cdg_result result = broad_phase(c);
    if (result != CDG_OK) return result;
    double reach = 2.02 * c->radius, reach2 = reach * reach;
    size_t contacts = 0;
    for (size_t k = 0; k < c->finder.pair_count; k++) {
        cdg_box_pair pair = c->finder.pairs[k];
        cdg_closest closest =
            cdg_segments_closest(c->nodes[pair.a], c->nodes[pair.a + 1], c->nodes[pair.b], c->nodes[pair.b + 1]);
        contacts += closest.distance2 < reach2;
    }
    c->contact_count = contacts;
    return CDG_OK;
}

static cdg_result sample(bench_context *context, coil *c, cdg_result (*body)(void *user), double scale,
                         cdg_error *error) {
    for (int i = -1; i < context->repeat; i++) {
        cdg_result result = CDG_OK;
        double seconds = bench_time(body, c, sample_seconds, &result);
        if (result != CDG_OK) return cdg_fail(error, result, "no memory for contacts");
        if (i >= 0) bench_add_sample(context, seconds * scale);
    }
    return CDG_OK;
}

cdg_result bench_contact_detection(bench_context *context, cdg_error *error) {
    coil c;
    cdg_result result = coil_make(&c, 2000, CDG_BROAD_AUTO, error);
    if (result != CDG_OK) return result;
    bench_add_row(context, "coiled rope, 2,000 nodes", "ms", 4);
    result = sample(context, &c, detect, 1e3, error);
    bench_add_row(context, "contacts found", "", 0);
    bench_add_sample(context, (double)c.contact_count);
    bench_check(context, c.contact_count > 5000, "the coiled rope has too few contacts to be a measure");
    coil_free(&c);
    return result;
}

cdg_result bench_contact_broad_phase(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {2000, 20000, 200000};
    for (int m = 0; m < 2; m++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            coil c;
            char label[BENCH_TEXT_SIZE];
            cdg_result result = coil_make(&c, counts[k], m == 0 ? CDG_BROAD_TREE : CDG_BROAD_GRID, error);
            if (result != CDG_OK) return result;
            snprintf(label, sizeof label, "%s, %zu segments", m == 0 ? "tree" : "grid", counts[k]);
            bench_add_row(context, label, "ns/segment", 0);
            result = sample(context, &c, broad_phase, 1e9 / (double)counts[k], error);
            coil_free(&c);
            if (result != CDG_OK) return result;
            bench_progress(context, (double)((size_t)m * 3 + k + 1) / 6);
        }
    return CDG_OK;
}

// ---- a step of contact ----------------------------------------------------------------------------------------------

// The coil as a rod whose prediction presses it together, a tenth of a per cent of the radius a step.
typedef struct pressed {
    cdg_rod *rod;
    cdg_contacts contacts;
    cdg_contact_def def;
    cdg_contact_input input;
    int sweeps;
    cdg_error error;
} pressed;

static void press_free(pressed *p) {
    cdg_contacts_free(&p->contacts);
    cdg_rod_destroy(p->rod);
}

static cdg_result press_make(pressed *p, size_t node_count, cdg_error *error) {
    *p = (pressed){.def = {.friction = 0.3, .separates = true}};
    coil c;
    cdg_result result = coil_make(&c, node_count, CDG_BROAD_AUTO, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.model = CDG_MODEL_CORDE;
    def.section.radius = c.radius;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = c.nodes;
    def.centerline.points.count = node_count;
    def.element_count = node_count - 1;
    def.rest.kind = CDG_REST_INITIAL;
    result = cdg_rod_build(&def, &p->rod, error);
    double radius = c.radius, step = 1e-3;
    coil_free(&c);
    if (result != CDG_OK) return result;
    cdg_random random = {2};
    for (size_t i = 0; i < node_count; i++) {
        cdg_vec3 inward = vec3(-p->rod->x[0][i], -p->rod->x[1][i], -p->rod->x[2][i]);
        cdg_vec3 move = vec3_mad(random_vec3(&random, 5e-4 * radius), 1e-3 * radius / vec3_norm(inward), inward);
        rod_set_vec3(p->rod->x_next, i, vec3_add(rod_vec3(p->rod->x, i), move));
        rod_set_vec3(p->rod->v_next, i, vec3_scale(1 / step, move));
    }
    for (size_t j = 0; j + 1 < node_count; j++) {
        rod_set_quat(p->rod->q_next, j, rod_quat(p->rod->q, j));
        rod_set_vec3(p->rod->w_next, j, vec3(0, 0, 0));
    }
    p->input = (cdg_contact_input){.def = &p->def, .time = step, .step = step};
    return cdg_rod_contacts_build(&p->contacts, &p->rod, 1, NULL, 0, error);
}

static cdg_result press_find(void *user) {
    pressed *p = user;
    cdg_pieces_load(&p->contacts.pieces, p->input.step);
    return cdg_contacts_find(&p->contacts, &p->input, true, &p->error);
}

// From no forces.
static cdg_result press_solve(void *user) {
    pressed *p = user;
    cdg_pieces_load(&p->contacts.pieces, p->input.step);
    for (size_t i = 0; i < p->contacts.count; i++) p->contacts.list[i].force = vec3(0, 0, 0);
    p->sweeps = cdg_contacts_solve(&p->contacts, true);
    return p->sweeps < 0 ? CDG_ERROR_MEMORY : CDG_OK;
}

static cdg_result sample_press(bench_context *context, pressed *p, cdg_result (*body)(void *user), double scale,
                               cdg_error *error) {
    for (int i = -1; i < context->repeat; i++) {
        cdg_result result = CDG_OK;
        double seconds = bench_time(body, p, sample_seconds, &result);
        if (result != CDG_OK) return cdg_fail(error, result, "no memory for contacts");
        if (i >= 0) bench_add_sample(context, seconds * scale);
    }
    return CDG_OK;
}

// As bench_time, but of the processor: what others do on the machine does not count.
static double processor_time(cdg_result (*body)(void *user), void *user, double least_seconds, cdg_result *result) {
    clock_t began = clock(), least = (clock_t)(least_seconds * CLOCKS_PER_SEC);
    int calls = 0;
    do {
        *result = body(user);
        calls++;
    } while (*result == CDG_OK && clock() - began < least);
    return (double)(clock() - began) / CLOCKS_PER_SEC / calls;
}

cdg_result contact_coil_measure(size_t node_count, double seconds, contact_coil_cost *out, cdg_error *error) {
    pressed p;
    cdg_result result = press_make(&p, node_count, error);
    if (result != CDG_OK) return result;
    for (int i = 0; i < 2 && result == CDG_OK; i++) { // the first warms caches and is thrown away
        out->finding = processor_time(press_find, &p, seconds, &result);
        if (result == CDG_OK) out->solving = processor_time(press_solve, &p, seconds, &result);
    }
    out->contacts = p.contacts.count;
    out->sweeps = p.sweeps;
    if (result != CDG_OK) cdg_fail(error, result, "no memory for contacts");
    press_free(&p);
    return result;
}

// By how much contacts miss their targets under the forces found, at most, in radii.
static double deepest(const cdg_contacts *contacts) {
    double most = 0;
    for (size_t i = 0; i < contacts->count; i++) {
        const cdg_contact *contact = &contacts->list[i];
        double gap = contact->gap;
        for (int k = 0; k < 2; k++) {
            const uint32_t *ends = contacts->pieces.ends[contact->side[k].element];
            const cdg_vec3 *move = contacts->pieces.move;
            cdg_vec3 moved = vec3_lerp(move[ends[0]], move[ends[1]], contact->parameter[k]);
            gap += (k == 0 ? 1 : -1) * vec3_dot(contact->normal, moved);
        }
        most = fmax(most, (contact->target - gap) / contact->radius);
    }
    return most;
}

cdg_result contact_coil_measure_work(size_t node_count, int sweeps_max, contact_coil_work *out, cdg_error *error) {
    enum { ENDED = 8 }; // fewer than any bound on the sweeps of a solve
    pressed p;
    *out = (contact_coil_work){0};
    cdg_result result = press_make(&p, node_count, error);
    if (result != CDG_OK) return result;
    result = press_find(&p);
    for (size_t i = 0; i < p.contacts.count; i++) p.contacts.list[i].force = vec3(0, 0, 0);
    out->contacts = p.contacts.count;
    while (result == CDG_OK && !out->has_ended && out->sweeps < sweeps_max) {
        cdg_pieces_load(&p.contacts.pieces, p.input.step);
        int sweeps = cdg_contacts_solve(&p.contacts, true);
        if (sweeps < 0) result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contacts");
        out->sweeps += sweeps;
        out->has_ended = sweeps < ENDED;
        if (out->shallow == 0 && deepest(&p.contacts) < 1e-3) out->shallow = out->sweeps;
    }
    press_free(&p);
    return result;
}

cdg_result bench_contact_solve(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {2000, 20000, 200000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        pressed p;
        cdg_result result = press_make(&p, counts[k], error);
        char label[BENCH_TEXT_SIZE];
        double scale = k == 0 ? 1e3 : 1e9 / (double)counts[k];
        snprintf(label, sizeof label, "finding, %zu nodes", counts[k]);
        bench_add_row(context, label, k == 0 ? "ms" : "ns/node", k == 0 ? 4 : 0);
        if (result == CDG_OK) result = sample_press(context, &p, press_find, scale, error);
        snprintf(label, sizeof label, "solving from no forces, %zu nodes", counts[k]);
        bench_add_row(context, label, k == 0 ? "ms" : "ns/node", k == 0 ? 6 : 0);
        if (result == CDG_OK) result = sample_press(context, &p, press_solve, scale, error);
        snprintf(label, sizeof label, "contacts, %zu nodes", counts[k]);
        bench_add_row(context, label, "", 0);
        bench_add_sample(context, (double)p.contacts.count);
        snprintf(label, sizeof label, "sweeps, %zu nodes", counts[k]);
        bench_add_row(context, label, "", 0);
        bench_add_sample(context, p.sweeps);
        press_free(&p);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)(k + 1) / 3);
    }
    return CDG_OK;
}

// ---- steps of a simulation ------------------------------------------------------------------------------------------

static cdg_result settle_make(int threads, cdg_world **out, cdg_error *error) {
    coil c;
    cdg_result result = coil_make(&c, 2000, CDG_BROAD_AUTO, error);
    if (result != CDG_OK) return result;
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = threads;
    result = cdg_world_create(&def, out, error);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.model = CDG_MODEL_CORDE;
    rod.material.young_modulus = 3e5, rod.material.poisson_ratio = 0.4, rod.material.density = 1100;
    rod.material.damping_stretch = rod.material.damping_shear = 0.01;
    rod.material.damping_bend = rod.material.damping_twist = 0.01;
    rod.section.radius = 0.96 * c.radius; // turns overlap only where one layer goes over into the next
    rod.centerline.kind = CDG_CENTERLINE_POLYLINE;
    rod.centerline.points.points = c.nodes;
    rod.centerline.points.count = c.node_count;
    rod.element_count = c.node_count - 1;
    rod.rest.kind = CDG_REST_INITIAL;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.position.z = -c.radius;
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 100;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    contact.separates = true;
    if (result == CDG_OK) result = cdg_world_add_rod(*out, &rod, NULL);
    if (result == CDG_OK) result = cdg_world_add_obstacle(*out, &floor, NULL);
    if (result == CDG_OK) result = cdg_world_add_load(*out, &drag, NULL);
    if (result == CDG_OK) result = cdg_world_set_contact(*out, &contact);
    if (result != CDG_OK && *out != NULL) cdg_fail(error, result, "%s", cdg_world_message(*out));
    coil_free(&c);
    return result;
}

// A rope that is coming to rest: each step starts from the forces of the last. Sweeps become fewer the longer it lies.
cdg_result bench_contact_step(bench_context *context, cdg_error *error) {
    enum { SETTLE = 200, STEPS = 40 };
    cdg_world *world = NULL;
    cdg_result result = settle_make(1, &world, error);
    if (result != CDG_OK) {
        cdg_world_destroy(world);
        return result;
    }
    cdg_step_report report = {0};
    for (int i = 0; i < SETTLE && result == CDG_OK; i++) {
        result = cdg_world_step(world, &report);
        bench_progress(context, 0.9 * i / SETTLE);
    }
    static double seconds[STEPS][2];
    double sweeps = 0, rounds = 0, deepest = 0;
    world->contacts.clock = bench_own_clock;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        world->contacts.find_seconds = world->contacts.solve_seconds = 0;
        result = cdg_world_step(world, &report);
        seconds[i][0] = world->contacts.find_seconds, seconds[i][1] = world->contacts.solve_seconds;
        sweeps += (double)report.contact_iterations / STEPS;
        rounds += (double)world->contact_outcome.rounds / STEPS;
        deepest = fmax(deepest, report.deepest);
    }
    bench_add_row(context, "finding, all rounds of a step", "ms", 4);
    for (int i = 0; i < STEPS; i++) bench_add_sample(context, 1e3 * seconds[i][0]);
    bench_add_row(context, "solving, all rounds of a step", "ms", 6);
    for (int i = 0; i < STEPS; i++) bench_add_sample(context, 1e3 * seconds[i][1]);
    const struct {
        const char *label;
        double value;
    } more[] = {{"pairs of boxes", (double)world->contacts.finder.pair_count},
                {"contacts near", (double)world->contacts.count},
                {"contacts with a force", (double)report.contact_count},
                {"rounds after the first, mean", rounds},
                {"sweeps, mean", sweeps},
                {"deepest, radii", deepest}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        bench_add_row(context, more[i].label, "", 0);
        bench_add_sample(context, more[i].value);
    }
    bench_check(context, result != CDG_OK || deepest <= 1e-3, "rods lie deeper in each other than promised");
    if (result != CDG_OK) cdg_fail(error, result, "%s", cdg_world_message(world));
    cdg_world_destroy(world);
    return result;
}

// ---- threads --------------------------------------------------------------------------------------------------------

static bool are_alike(const cdg_world *a, const cdg_world *b) {
    const cdg_rod *one = a->rods[0].rod, *other = b->rods[0].rod;
    for (int k = 0; k < 3; k++)
        if (memcmp(one->x[k], other->x[k], one->node_count * sizeof(double)) != 0) return false;
    return true;
}

static cdg_result timed_step(cdg_world *world, double *seconds, cdg_error *error) {
    cdg_contacts *c = &world->contacts;
    c->clock = bench_clock;
    c->find_seconds = c->solve_seconds = 0;
    cdg_result result = cdg_world_step(world, NULL);
    *seconds += c->find_seconds + c->solve_seconds;
    return result == CDG_OK ? CDG_OK : cdg_fail(error, result, "%s", cdg_world_message(world));
}

// The same rope on one thread and on two, one step of each in turn: one, two, two, one, so that both have the same of
// what else goes on and of what comes before. A sample is the ratio of two neighbouring steps to two. Times are the
// clock's: of threads, nothing else will do.
cdg_result bench_contact_threads(bench_context *context, cdg_error *error) {
    enum { SETTLE = 60, SAMPLES = 100, BOTH = 2 };
    static const int turns[2 * BOTH] = {0, 1, 1, 0};
    cdg_world *worlds[BOTH] = {NULL, NULL};
    double seconds[BOTH] = {0};
    cdg_result result = CDG_OK;
    for (int t = 0; t < BOTH && result == CDG_OK; t++) result = settle_make(t + 1, &worlds[t], error);
    static double ratio[SAMPLES];
    for (int i = 0; i < SETTLE + SAMPLES && result == CDG_OK; i++) {
        double taken[BOTH] = {0};
        for (int k = 0; k < 2 * BOTH && result == CDG_OK; k++)
            result = timed_step(worlds[turns[k]], &taken[turns[k]], error);
        bench_progress(context, (double)i / (SETTLE + SAMPLES));
        if (i < SETTLE) continue;
        for (int t = 0; t < BOTH; t++) seconds[t] += taken[t] / (2 * SAMPLES);
        ratio[i - SETTLE] = taken[1] / taken[0];
    }
    for (int t = 0; t < BOTH; t++) {
        bench_add_row(context, t == 0 ? "finding and solving in a step, 1 thread" : "the same, 2 threads", "ms", 0);
        bench_add_sample(context, 1e3 * seconds[t]);
    }
    bench_add_row(context, "2 threads, of 1 thread's time", "", 1 / 1.3);
    for (int i = 0; i < SAMPLES; i++) bench_add_sample(context, ratio[i]);
    bench_check(context, result != CDG_OK || are_alike(worlds[0], worlds[1]), "threads change the result");
    for (int t = 0; t < BOTH; t++) cdg_world_destroy(worlds[t]);
    return result;
}
