// Cost of a corde step per element on one core, as a user sees it: forces, integration, loads, supports. The thesis's
// table 3.1 has 1240 ns for 1000 elements (0.91 ms forces and 0.33 ms integration on a 3.8 GHz Xeon of its day).
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

#include <stdio.h>

static const double sample_seconds = 0.05;

typedef struct corde_case {
    size_t element_count;
    cdg_corde_options options;
    double damping;       // s, all relaxation times
    double step_fraction; // of the advised step
    bool is_closed;
} corde_case;

// A rubber rod with elements of 1 cm, clamped at its start, swinging down. Drag lets it settle: however long it is
// timed, it does not crack like a whip.
static cdg_result build(const corde_case *what, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    cdg_rod_id rod = {0};
    def.model = CDG_MODEL_CORDE;
    def.corde = what->options;
    def.element_count = what->element_count;
    def.section.radius = 4e-3;
    def.centerline.line.to = (cdg_vec3){0.01 * (double)what->element_count, 0, 0};
    if (what->is_closed) {
        def.centerline.kind = CDG_CENTERLINE_CIRCLE;
        def.centerline.circle.axis = (cdg_vec3){0, 0, 1};
        def.centerline.circle.radius = 0.01 * (double)what->element_count / 6.283185307179586;
    }
    def.material.damping_stretch = def.material.damping_shear = what->damping; // what `damping` in a scene sets
    def.material.damping_bend = def.material.damping_twist = what->damping;
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &clamp, NULL);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG, drag.drag_rate = 5;
    if (result == CDG_OK) result = cdg_world_add_load(*out, &drag, NULL);
    if (result == CDG_OK) result = cdg_world_set_step_size(*out, what->step_fraction * cdg_world_advice(*out).step);
    if (result != CDG_OK) {
        hanging_rods_fail(*out, result, error);
        cdg_world_destroy(*out);
        *out = NULL;
    }
    return result;
}

static cdg_result sample(bench_context *context, const corde_case *what, double scale, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_result result = build(what, &world, error);
    if (result != CDG_OK) return result;
    for (int i = -1; i < context->repeat; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (result != CDG_OK) {
            hanging_rods_fail(world, result, error);
            break;
        }
        if (i >= 0) bench_add_sample(context, seconds * scale);
    }
    cdg_world_destroy(world);
    return result;
}

// Processor time of a step over `steps` of them.
static cdg_result time_steps(cdg_world *world, size_t steps, double *seconds, cdg_error *error) {
    double start = bench_own_clock();
    for (size_t i = 0; i < steps; i++) {
        cdg_result result = hanging_rods_step(world);
        if (result != CDG_OK) return hanging_rods_fail(world, result, error);
    }
    *seconds = (bench_own_clock() - start) / (double)steps;
    return CDG_OK;
}

// What friction adds to a step: a damped and an undamped rod in turn, in blocks so short that whatever else the machine
// does slows both alike, and of each the least.
static cdg_result sample_friction(bench_context *context, cdg_world *worlds[2], size_t element_count,
                                  cdg_error *error) {
    const size_t blocks = 20, steps = 20000 / element_count;
    for (int i = 0; i < context->repeat; i++) {
        double least[2] = {1, 1};
        for (size_t block = 0; block < 2 * blocks; block++) {
            double seconds = 0;
            cdg_result result = time_steps(worlds[block % 2], steps, &seconds, error);
            if (result != CDG_OK) return result;
            if (seconds < least[block % 2]) least[block % 2] = seconds;
        }
        bench_add_sample(context, (least[1] - least[0]) * 1e9 / (double)element_count);
    }
    return CDG_OK;
}

static cdg_result add_friction_row(bench_context *context, const corde_case *damped, const char *name,
                                   cdg_error *error) {
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "%s%s, friction alone, %zu elements", name, damped->is_closed ? ", closed" : "",
             damped->element_count);
    bench_add_row(context, label, "ns/element/step", 60);
    corde_case undamped = *damped;
    undamped.damping = 0;
    cdg_world *worlds[2] = {NULL, NULL};
    cdg_result result = build(&undamped, &worlds[0], error);
    if (result == CDG_OK) result = build(damped, &worlds[1], error);
    if (result == CDG_OK) result = sample_friction(context, worlds, damped->element_count, error);
    cdg_world_destroy(worlds[0]);
    cdg_world_destroy(worlds[1]);
    return result;
}

static cdg_corde_options options_of(cdg_corde_coupling coupling) {
    cdg_corde_options options = cdg_corde_options_default();
    options.coupling = coupling;
    options.substeps = coupling == CDG_CORDE_PENALTY ? 1 : 0;
    return options;
}

static cdg_result add_row(bench_context *context, const corde_case *what, const char *name, cdg_error *error) {
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "%s%s%s, %zu elements", name, what->is_closed ? ", closed" : "",
             what->damping > 0 ? ", damped" : "", what->element_count);
    bool has_bar = what->element_count == 1000;
    bench_add_row(context, label, "ns/element/step", has_bar && what->damping == 0 ? 40 : 0);
    cdg_result result = sample(context, what, 1e9 / (double)what->element_count, error);
    return result == CDG_OK && has_bar && what->damping > 0 ? add_friction_row(context, what, name, error) : result;
}

// With one sub-step a step of a fifth of the advised one is stable: elements are 2.5 radii long. Damped rods have all
// four damping times, as `damping` in a scene sets them; their bar is 60 ns for friction alone.
cdg_result bench_corde(bench_context *context, cdg_error *error) {
    static const size_t counts[] = {50, 100, 1000, 10000, 100000, 1000};
    const size_t count = sizeof counts / sizeof *counts;
    const char *const names[] = {"penalty, 1 sub-step", "constraint"};
    for (int coupling = 0; coupling < 2; coupling++)
        for (int damped = 0; damped < 2; damped++)
            for (size_t i = 0; i < count; i++) {
                corde_case what = {.element_count = counts[i],
                                   .options = options_of((cdg_corde_coupling)coupling),
                                   .damping = damped ? 1e-3 : 0,
                                   .step_fraction = coupling == CDG_CORDE_PENALTY ? 0.2 : 1,
                                   .is_closed = i + 1 == count};
                cdg_result result = add_row(context, &what, names[coupling], error);
                if (result != CDG_OK) return result;
                bench_progress(context, (coupling * 2 + damped + (double)(i + 1) / (double)count) / 4);
            }
    return CDG_OK;
}
