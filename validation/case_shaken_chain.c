// A chain of rings hangs from a hook that goes round in two circles at once, so that it whips and never repeats itself.
#include "validation/case_functions.h"
#include "validation/rod_depths.h"

#include "math/vec3.h"

#include <cordage/contact.h>

#include <math.h>
#include <stdio.h>

enum {
    RINGS = 20,
    ELEMENTS = 16,
    LEVELS = 2,
    STEPS = 5000,
    STEPS_QUICK = 150,
    STEPS_EXHAUSTIVE = 100000,
    STEPS_BETWEEN = 10
};
static const double step = 1e-3, ring_radius = 0.02, rod_radius = 3e-3, pitch = 0.03, turn = 6.283185307179586;

// Under gauss_seidel contact moves single nodes, after the sweeps, and strains rings that adapt and those that do not:
// links and depths have to bear it. Under direct rings are hardly strained.
typedef struct chain {
    const char *name;
    validation_model row_model;
    cdg_pobd_solver solver;
    bool adapts;
} chain;
static const chain chains[] = {
    {"", VALIDATION_GAUSS_SEIDEL, CDG_POBD_GAUSS_SEIDEL, false},
    {", adapt", VALIDATION_GAUSS_SEIDEL, CDG_POBD_GAUSS_SEIDEL, true},
    {", adapt, direct", VALIDATION_DIRECT, CDG_POBD_DIRECT, true},
};
enum { CHAINS = sizeof chains / sizeof *chains };

// Each ring stands across the next. The first node of the first is on the far side of where the second goes through.
//
// Rings that adapt: an element of a round ring turns by 0.39 rad, so it is halved where the ring is bent further or
// touched on both halves, and made whole again soon after.
static cdg_rod_def make_ring(int number, const char *name, const chain *it) {
    cdg_rod_def def = cdg_rod_def_default();
    def.adapt.is_on = it->adapts;
    def.adapt.angle = 0.5, def.adapt.coarsen = 0.21, def.adapt.hold = 0.01;
    def.adapt.levels = LEVELS;
    def.name = name;
    def.model = CDG_MODEL_POBD;
    def.pobd.solver = it->solver;
    def.pobd.iterations = 20;
    def.material.young_modulus = 5e6;
    def.material.poisson_ratio = 0.3;
    def.material.density = 3000;
    def.material.damping_stretch = def.material.damping_shear = 1e-3;
    def.material.damping_bend = def.material.damping_twist = 1e-3;
    def.section.radius = rod_radius;
    def.element_count = ELEMENTS;
    def.rest.kind = CDG_REST_INITIAL;
    def.centerline.kind = CDG_CENTERLINE_CIRCLE;
    def.centerline.closed = true;
    def.centerline.circle.center = (cdg_vec3){pitch * number, 0, 0};
    def.centerline.circle.axis = number % 2 == 0 ? (cdg_vec3){0, 0, 1} : (cdg_vec3){0, 1, 0};
    def.centerline.circle.radius = ring_radius;
    return def;
}

static cdg_result add_hook(cdg_world *world, cdg_rod_id ring, int steps) {
    double end = steps * step;
    cdg_motion circles[2] = {{.kind = CDG_MOTION_ROTATE,
                              .axis = {0, 1, 0},
                              .angle = 3 * turn * end,
                              .has_center = true,
                              .center = {0.03, 0, 0.05},
                              .to = end},
                             {.kind = CDG_MOTION_ROTATE,
                              .axis = {1, 0, 0.3},
                              .angle = 1.7 * turn * end,
                              .has_center = true,
                              .center = {0, 0.04, 0},
                              .to = end}};
    cdg_vec3 nodes[ELEMENTS << LEVELS];
    cdg_rod_info info;
    size_t first = 0;
    cdg_result result = cdg_rod_get_info(world, ring, &info);
    if (result == CDG_OK) result = cdg_rod_positions(world, ring, nodes);
    if (result != CDG_OK) return result;
    size_t parts =
        info.node_count / ELEMENTS; // places are those of the definition; at the start a ring is at its finest
    for (size_t i = 1; i < ELEMENTS; i++)
        if (nodes[parts * i].x < nodes[parts * first].x) first = i;
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                           .place = {.rod = ring, .kind = CDG_PLACE_NODE, .index = first},
                           .motions = circles,
                           .motion_count = 2};
    return cdg_world_add_support(world, &pin, NULL);
}

static cdg_result build(const validation_context *context, const chain *it, int steps, cdg_world **out,
                        cdg_rod_id *rings, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, def.gravity);
    def.step = step;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.2;
    result = cdg_world_set_contact(*out, &contact);
    for (int i = 0; i < RINGS && result == CDG_OK; i++) {
        char name[16];
        snprintf(name, sizeof name, "ring%d", i);
        cdg_rod_def ring = make_ring(i, name, it);
        result = validation_spoil_rod(context, &ring, error);
        if (result != CDG_OK) return result;
        result = cdg_world_add_rod(*out, &ring, &rings[i]);
    }
    if (result == CDG_OK) result = add_hook(*out, rings[0], steps);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 0.5;
    if (result == CDG_OK) result = cdg_world_add_load(*out, &drag, NULL);
    return validation_fail(*out, result, error);
}

// Of neighbours they are 1 or -1; of the others 0.
static cdg_result count_broken(const cdg_world *world, const cdg_rod_id *rings, int *out, cdg_error *error) {
    *out = 0;
    for (int i = 0; i + 1 < RINGS; i++)
        for (int k = i + 1; k < RINGS && k <= i + 2; k++) {
            cdg_probe probe = {.kind = CDG_PROBE_LINKING, .place = {.rod = rings[i]}, .other = rings[k]};
            double number[CDG_PROBE_COLUMNS_MAX];
            cdg_result result = cdg_world_measure(world, &probe, number);
            if (result != CDG_OK) return validation_fail(world, result, error);
            *out += fabs(number[0]) != (k == i + 1 ? 1 : 0);
        }
    return CDG_OK;
}

static size_t count_nodes(const cdg_world *world, const cdg_rod_id *rings) {
    size_t count = 0;
    cdg_rod_info info;
    for (int i = 0; i < RINGS; i++)
        if (cdg_rod_get_info(world, rings[i], &info) == CDG_OK) count += info.node_count;
    return count;
}

typedef struct shaking {
    int most_broken;             // linking numbers that are not as they were
    double deepest;              // radii, after any step
    double longest;              // of the length at rest, of any element
    double uneven;               // that, of its ring's mean
    size_t least_nodes, changes; // changes: steps after which their number is another
    size_t most_nodes;
} shaking;

// The longest element's length, of what it is at rest; and how much longer one is than the mean of its ring. When the
// chain whips, its tension stretches the upper rings evenly, by a tenth and more. Contact strains single elements.
static cdg_result find_longest(const cdg_world *world, const cdg_rod_id *rings, shaking *out, cdg_error *error) {
    cdg_vec3 nodes[ELEMENTS << LEVELS];
    double arcs[ELEMENTS << LEVELS];
    for (int i = 0; i < RINGS; i++) {
        cdg_rod_info info;
        cdg_result result = cdg_rod_get_info(world, rings[i], &info);
        if (result == CDG_OK) result = cdg_rod_positions(world, rings[i], nodes);
        if (result == CDG_OK) result = cdg_rod_arc_lengths(world, rings[i], arcs);
        if (result != CDG_OK) return validation_fail(world, result, error);
        double longest = 0, length = 0;
        for (size_t j = 0; j + 1 < info.node_count; j++) {
            double way = vec3_distance(nodes[j], nodes[j + 1]);
            longest = fmax(longest, way / (arcs[j + 1] - arcs[j]));
            length += way;
        }
        double mean = length / (arcs[info.node_count - 1] - arcs[0]);
        out->longest = fmax(out->longest, longest);
        out->uneven = fmax(out->uneven, longest / mean);
    }
    return CDG_OK;
}

static cdg_result shake(const validation_context *context, const chain *it, int steps, shaking *out, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id rings[RINGS];
    cdg_result result = build(context, it, steps, &world, rings, error);
    rod_depths *depths = result == CDG_OK ? rod_depths_create(world) : NULL;
    if (result == CDG_OK && depths == NULL) result = CDG_ERROR_MEMORY;
    *out = (shaking){.least_nodes = SIZE_MAX};
    size_t before = 0;
    for (int i = 0; i < steps && result == CDG_OK; i++) {
        result = validation_fail(world, cdg_world_step(world, NULL), error);
        if (result != CDG_OK) break;
        out->deepest = fmax(out->deepest, rod_depths_measure(depths, world, 1 / context->factor.radius).depth);
        size_t nodes = count_nodes(world, rings);
        out->least_nodes = nodes < out->least_nodes ? nodes : out->least_nodes;
        out->most_nodes = nodes > out->most_nodes ? nodes : out->most_nodes;
        out->changes += i > 0 && nodes != before;
        before = nodes;
        if ((i + 1) % STEPS_BETWEEN != 0) continue;
        int broken = 0;
        result = count_broken(world, rings, &broken, error);
        if (result == CDG_OK) result = find_longest(world, rings, out, error);
        out->most_broken = broken > out->most_broken ? broken : out->most_broken;
        validation_progress(context, ((double)(it - chains) + (double)i / steps) / CHAINS);
    }
    rod_depths_free(depths);
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_shaken_chain(validation_context *context, cdg_error *error) {
    int steps = (int)validation_by_level(context, STEPS_QUICK, STEPS, STEPS_EXHAUSTIVE);
    for (int c = 0; c < CHAINS; c++) {
        const chain *of = &chains[c];
        shaking it;
        validation_under(context, of->row_model);
        cdg_result result = shake(context, of, steps, &it, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "linking numbers that change in %d steps%s", steps, of->name);
        validation_add_limit(context, label, "", it.most_broken, 0);
        snprintf(label, sizeof label, "deepest penetration after any step%s", of->name);
        validation_add_limit(context, label, "radii", it.deepest, 1e-3);
        snprintf(label, sizeof label, "stretch of any element%s", of->name);
        validation_add_information(context, label, "", it.longest - 1);
        snprintf(label, sizeof label, "the same beyond the mean of its ring%s", of->name);
        if (of->solver == CDG_POBD_DIRECT)
            validation_add_limit(context, label, "", it.uneven - 1, 0.1);
        else
            validation_add_information(context, label, "", it.uneven - 1);
        if (!of->adapts) continue;
        snprintf(label, sizeof label, "steps in which nodes came or went%s; %zu to %zu nodes", of->name, it.least_nodes,
                 it.most_nodes);
        validation_add_information(context, label, "", (double)it.changes);
    }
    return CDG_OK;
}
