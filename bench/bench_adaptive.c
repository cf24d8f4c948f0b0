// What resolution that follows the shape costs and gains (Spillmann's thesis, table 4.1): knotted ropes against fine
// and coarse ones, a falling coil in which all must be fine, and a rope that grows while its knot does not. Times are
// the processor's, of worlds that take turns, so that what else goes on takes no part.
#include "bench/case_functions.h"

#include "base/error.h"
#include "world/world.h"

#include <cordage/structure.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURN = 4, TURNS_MAX = 4096 }; // TURN: steps before it is the next one's turn

// A world that takes part, and what was measured of it.
typedef struct entrant {
    const char *name;
    cdg_world *world;
    double seconds, nodes, contacts; // sums over steps
    double deepest;                  // radii
    long steps;
} entrant;

static size_t count_nodes(const cdg_world *world) {
    size_t count = 0;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) == CDG_OK) count += info.node_count;
    }
    return count;
}

static cdg_result advance(entrant *it, double end, cdg_error *error) {
    for (int i = 0; i < TURN && cdg_world_time(it->world) < end * (1 - 1e-9); i++) {
        cdg_step_report report = {0};
        double began = bench_own_clock();
        cdg_result result = cdg_world_step(it->world, &report);
        it->seconds += bench_own_clock() - began;
        if (result != CDG_OK) return cdg_fail(error, result, "%s: %s", it->name, cdg_world_message(it->world));
        it->nodes += (double)count_nodes(it->world);
        it->contacts += (double)report.contact_count;
        it->deepest = fmax(it->deepest, report.deepest);
        it->steps++;
    }
    return CDG_OK;
}

// All entrants in turn from the present time to `end`; sums begin anew.
static cdg_result race(bench_context *context, entrant *them, int count, double end, cdg_error *error) {
    for (int k = 0; k < count; k++)
        them[k].seconds = them[k].nodes = them[k].contacts = them[k].deepest = 0, them[k].steps = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int k = 0; k < count; k++) {
            if (!(cdg_world_time(them[k].world) < end * (1 - 1e-9))) continue;
            cdg_result result = advance(&them[k], end, error);
            if (result != CDG_OK) return result;
            goes_on = true;
        }
        bench_progress(context, cdg_world_time(them[0].world) / end);
    }
    return CDG_OK;
}

static void add(bench_context *context, const char *what, const char *who, const char *unit, double value, double bar) {
    char label[BENCH_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: %s", who, what);
    bench_add_row(context, label, unit, bar);
    bench_add_sample(context, value);
}

static void add_means(bench_context *context, const entrant *it) {
    double steps = (double)it->steps;
    add(context, "nodes, mean", it->name, "", it->nodes / steps, 0);
    add(context, "contacts, mean", it->name, "", it->contacts / steps, 0);
    add(context, "a step", it->name, "ms", 1e3 * it->seconds / steps, 0);
    bench_check(context, it->deepest <= 1e-3, "a rope lies deeper in itself than promised");
}

static void destroy(entrant *them, int count) {
    for (int k = 0; k < count; k++) cdg_world_destroy(them[k].world);
}

static cdg_result begin(double step, cdg_vec3 gravity, double friction, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = gravity;
    def.thread_count = 1;
    if (step > 0) def.step = step;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = friction;
    return cdg_world_set_contact(*out, &contact);
}

static cdg_result add_drag(cdg_world *world, double rate) {
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = rate;
    return cdg_world_add_load(world, &drag, NULL);
}

static cdg_result pull(cdg_world *world, const char *rod, size_t node, double way, double to, cdg_support_id *out) {
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {way, 0, 0}, .to = to, .ease = CDG_EASE_SMOOTH};
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP,
                             .place = {.rod = cdg_world_find_rod(world, rod), .kind = CDG_PLACE_NODE, .index = node},
                             .motions = &motion,
                             .motion_count = 1};
    return cdg_world_add_support(world, &clamp, out);
}

static void set_rope(cdg_rod_def *rod, cdg_model model, double young_modulus, double damping, double radius) {
    rod->model = model;
    rod->material.young_modulus = young_modulus, rod->material.poisson_ratio = 0.4, rod->material.density = 1100;
    rod->material.damping_stretch = rod->material.damping_shear = damping;
    rod->material.damping_bend = rod->material.damping_twist = damping;
    rod->section.radius = radius;
}

// ---- double fisherman's knot ----------------------------------------------------------------------------------------

// The ropes of examples/fisherman_adaptive.yaml.
typedef struct knotted_ropes {
    double standing; // m
    int levels;      // 0: fine throughout
    double shortest; // m, of elements; 0: chosen
} knotted_ropes;

static cdg_result build_knot(const knotted_ropes *what, entrant *it, cdg_support_id *hand, cdg_error *error) {
    const double way = 0.07, pulled = 1;
    cdg_result result = begin(2e-3, (cdg_vec3){0, 0, 0}, 0.3, &it->world, error);
    if (result != CDG_OK) return result;
    cdg_structure_def def = cdg_structure_def_default();
    def.kind = CDG_STRUCTURE_BEND;
    def.name = "joint";
    def.element_count = 0;
    def.bend.knot = CDG_TIED_DOUBLE_FISHERMAN;
    def.bend.clearance = 0.5e-3, def.bend.tail = 0.02, def.bend.ratio = 0.7;
    def.bend.standing = what->standing;
    set_rope(&def.rod, CDG_MODEL_POBD, 1e6, 5e-3, 4e-3);
    def.rod.adapt.is_on = what->levels > 0;
    if (what->levels > 0) def.rod.adapt.levels = what->levels;
    def.rod.adapt.shortest = what->shortest;
    result = cdg_world_add_structure(it->world, &def);
    if (result == CDG_OK) result = pull(it->world, "joint.a", 0, -way, pulled, NULL);
    if (result == CDG_OK) result = pull(it->world, "joint.b", 0, way, pulled, hand);
    if (result == CDG_OK) result = add_drag(it->world, 10);
    return result == CDG_OK ? result : cdg_fail(error, result, "%s", cdg_world_message(it->world));
}

// With 1 m of standing part 28 % of the fine elements are in the knot, as they were in the thesis by its numbers of
// nodes: (116 - 63)/(252 - 63). There elements become a quarter at the shortest; `adapt: on` allows an eighth. Ropes as
// coarse as the thesis' are refused here, since strands would cut into each other: coarse ones are so where they can.
cdg_result bench_adaptive_knot(bench_context *context, cdg_error *error) {
    static const struct {
        const char *name;
        knotted_ropes ropes;
    } list[] = {{"fine", {1, 0, 0}},
                {"adaptive, to a quarter", {1, 2, 0}},
                {"adapt: on", {1, 3, 0}},
                {"coarse", {1, 2, 12e-3}}};
    enum { ROPES = sizeof list / sizeof *list, ADAPTIVE = 2 };
    entrant them[ROPES] = {0};
    cdg_support_id hands[ROPES];
    double pulls[ROPES] = {0};
    cdg_result result = CDG_OK;
    for (int k = 0; k < ROPES && result == CDG_OK; k++) {
        them[k].name = list[k].name;
        result = build_knot(&list[k].ropes, &them[k], &hands[k], error);
    }
    if (result == CDG_OK) result = race(context, them, ROPES, 1.2, error);
    for (int k = 0; k < ROPES && result == CDG_OK; k++) {
        cdg_vec3 force, moment;
        result = cdg_support_reaction(them[k].world, hands[k], &force, &moment);
        pulls[k] = force.x;
        add_means(context, &them[k]);
        add(context, "pull held", them[k].name, "N", pulls[k], 0);
    }
    for (int k = 1; k <= ADAPTIVE && result == CDG_OK; k++) {
        const char *name = them[k].name;
        add(context, "nodes, of the fine ropes'", name, "", them[k].nodes / them[0].nodes, 0.5);
        add(context, "contacts, off the fine ropes'", name, "", fabs(them[k].contacts / them[0].contacts - 1), 0.05);
        add(context, "pull, off the fine ropes'", name, "", fabs(pulls[k] / pulls[0] - 1), 0.1);
        add(context, "time of a step, of the fine ropes'", name, "", them[k].seconds / them[0].seconds, 0.55);
    }
    destroy(them, ROPES);
    return result;
}

// ---- a change -------------------------------------------------------------------------------------------------------

// All of a rod's elements become finer where they may, or coarser, and nothing else. Nothing in between forgets what
// changes have given: without a fresh start most would soon be refused for it.
static void ask_for(cdg_world *world, bool is_finer) {
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        rod->adapt->options.angle = is_finer ? 1e-9 : 3;
        rod->adapt->options.coarsen = 1.4;
        rod->adapt->options.hold = is_finer ? HUGE_VAL : 0;
        rod->adapt->given = 0;
    }
}

// Those that are refused, too.
static uint64_t count_changes(const cdg_world *world) {
    uint64_t count = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        for (int k = 0; k < CDG_ADAPT_REFUSALS; k++)
            count += world->rods[i].rod->adapt->refused[0][k] + world->rods[i].rod->adapt->refused[1][k];
    for (size_t i = 0; i < world->rod_count; i++)
        count += world->rods[i].rod->adapt->split_count + world->rods[i].rod->adapt->merge_count;
    return count;
}

// Splits and merges of knotted ropes between two steps, with everything that follows them: what is in the way,
// contacts, numbers. Each sample: one round of changes of either kind.
cdg_result bench_adaptive_change(bench_context *context, cdg_error *error) {
    entrant it = {.name = "knot"};
    cdg_support_id hand;
    const knotted_ropes ropes = {1, 3, 0};
    cdg_result result = build_knot(&ropes, &it, &hand, error);
    if (result == CDG_OK) result = race(context, &it, 1, 0.3, error);
    enum { SAMPLES = 24 };
    double each[2][SAMPLES];
    int count[2] = {0, 0};
    for (int k = 0; k < 2 * SAMPLES && result == CDG_OK; k++) {
        bool is_finer = k % 4 < 2; // two levels up, two down
        ask_for(it.world, is_finer);
        uint64_t before = count_changes(it.world);
        double began = bench_own_clock();
        cdg_adapt_rods(it.world, 1e-3);
        double seconds = bench_own_clock() - began;
        uint64_t changes = count_changes(it.world) - before;
        if (changes > 0) each[is_finer][count[is_finer]++] = 1e6 * seconds / (double)changes;
    }
    for (int is_finer = 1; is_finer >= 0 && result == CDG_OK; is_finer--) {
        bench_add_row(context, is_finer ? "a split, with all that follows it" : "a merge, with all that follows it",
                      "us", 10);
        for (int k = 0; k < count[is_finer]; k++) bench_add_sample(context, each[is_finer][k]);
    }
    destroy(&it, 1);
    return result;
}

// ---- falling coil ---------------------------------------------------------------------------------------------------

// The coil of bench_coiled_rope.c: at its finest where turns lie on each other, which is nearly everywhere.
// `is_all_fine`: it may become coarse nowhere, and is looked at everywhere in each step.
static cdg_result build_coil(size_t elements, int levels, bool is_all_fine, double step, entrant *it,
                             cdg_error *error) {
    cdg_result result = begin(step, cdg_world_def_default().gravity, 0.3, &it->world, error);
    if (result != CDG_OK) return result;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    set_rope(&rod, CDG_MODEL_CORDE, 3e5, 0.01, 5e-3);
    rod.element_count = elements;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 0.25};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 13e-3;
    rod.centerline.helix.turns = 15.9;
    rod.adapt.is_on = levels > 0;
    if (levels > 0) rod.adapt.levels = levels;
    rod.adapt.hold = 1; // s: what has been touched stays fine
    if (is_all_fine) rod.adapt.angle = 1e-3, rod.adapt.coarsen = 0;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    result = cdg_world_add_rod(it->world, &rod, NULL);
    if (result == CDG_OK) result = cdg_world_add_obstacle(it->world, &floor, NULL);
    if (result == CDG_OK) result = add_drag(it->world, 0.5);
    return result == CDG_OK ? result : cdg_fail(error, result, "%s", cdg_world_message(it->world));
}

cdg_result bench_adaptive_coil(bench_context *context, cdg_error *error) {
    static const struct {
        const char *name;
        double end, bar; // s; of the uniform rope's time
    } phases[] = {{"in the air", 0.224, 0}, {"landing and settling", 0.5, 0}, {"lying", 0.6, 1.02}};
    enum { PHASES = sizeof phases / sizeof *phases };
    entrant them[2] = {{.name = "uniform"}, {.name = "adaptive"}};
    double seconds[2] = {0};
    cdg_result result = build_coil(2000, 0, false, 0, &them[0], error);
    if (result == CDG_OK) result = race(context, them, 1, 1e-6, error); // one step, which it chooses
    if (result == CDG_OK) result = build_coil(500, 2, false, cdg_world_step_size(them[0].world), &them[1], error);
    for (int p = 0; p < PHASES && result == CDG_OK; p++) {
        result = race(context, them, 2, phases[p].end, error);
        for (int k = 0; k < 2 && result == CDG_OK; k++) {
            char label[BENCH_TEXT_SIZE];
            const char *name = them[k].name;
            snprintf(label, sizeof label, "%s, %s", phases[p].name, name);
            them[k].name = label;
            add_means(context, &them[k]);
            them[k].name = name;
            seconds[k] += them[k].seconds;
        }
        if (result == CDG_OK)
            add(context, "of the uniform rope's time", phases[p].name, "", them[1].seconds / them[0].seconds,
                phases[p].bar);
    }
    if (result == CDG_OK) add(context, "of the uniform rope's time", "in all", "", seconds[1] / seconds[0], 1.02);
    destroy(them, 2);
    return result;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The coil with nothing to gain: all of the rope is as fine as the uniform one, so what adaptivity costs by itself is
// left. A machine that is busy takes turns now
// and then several times as long: of the turns' ratios the median counts.
cdg_result bench_adaptive_fine(bench_context *context, cdg_error *error) {
    const double end = 0.32;
    entrant them[2] = {{.name = "uniform"}, {.name = "adaptive, all fine"}};
    double *ratios = malloc(TURNS_MAX * sizeof *ratios);
    if (ratios == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory");
    size_t count = 0;
    cdg_result result = build_coil(2000, 0, false, 0, &them[0], error);
    if (result == CDG_OK) result = race(context, them, 1, 1e-6, error); // one step, which it chooses
    if (result == CDG_OK) result = build_coil(500, 2, true, cdg_world_step_size(them[0].world), &them[1], error);
    if (result == CDG_OK) result = race(context, &them[1], 1, 1e-6, error);
    while (result == CDG_OK && cdg_world_time(them[0].world) < end && count < TURNS_MAX) {
        double began[2] = {them[0].seconds, them[1].seconds};
        for (int k = 0; k < 2 && result == CDG_OK; k++) result = advance(&them[(k + count) % 2], end, error);
        bool is_touched = them[0].contacts > 0; // in the air there are microseconds to compare
        if (is_touched) ratios[count++] = (them[1].seconds - began[1]) / (them[0].seconds - began[0]);
        bench_progress(context, cdg_world_time(them[0].world) / end);
    }
    for (int k = 0; k < 2 && result == CDG_OK; k++) add_means(context, &them[k]);
    if (result == CDG_OK && count > 0) {
        qsort(ratios, count, sizeof *ratios, compare_numbers);
        add(context, "contacts, of the uniform rope's", them[1].name, "", them[1].contacts / them[0].contacts, 0);
        add(context, "of the uniform rope's time, median of turns", them[1].name, "", ratios[count / 2], 1.02);
    }
    free(ratios);
    destroy(them, 2);
    return result;
}

// ---- long rope ------------------------------------------------------------------------------------------------------

// An overhand knot in a rope of 0.44 m, and in ones ten and a hundred times as long, whose ends are held: a pull would
// arrive at the knots one after the other, and what is compared would be how tight they are.
static cdg_result build_long(double tail, int levels, entrant *it, cdg_error *error) {
    cdg_result result = begin(2e-3, (cdg_vec3){0, 0, 0}, 0.2, &it->world, error);
    if (result != CDG_OK) return result;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    set_rope(&rod, CDG_MODEL_POBD, 1e6, 5e-3, 4e-3);
    rod.centerline.kind = CDG_CENTERLINE_TIED;
    rod.centerline.tied.knot = CDG_TIED_OVERHAND;
    rod.centerline.tied.radius = 4e-3, rod.centerline.tied.clearance = 0.5e-3;
    rod.centerline.tied.tail[0] = rod.centerline.tied.tail[1] = tail;
    size_t least;
    result = cdg_centerline_least_elements(&rod.centerline, &least, error);
    if (result != CDG_OK) return result;
    rod.adapt.is_on = levels > 0;
    if (levels > 0) rod.adapt.levels = levels;
    rod.element_count = ((least - 1) >> levels) + 1;
    result = cdg_world_add_rod(it->world, &rod, NULL);
    if (result == CDG_OK) result = pull(it->world, "rope", 0, 0, 1, NULL);
    if (result == CDG_OK) result = pull(it->world, "rope", rod.element_count, 0, 1, NULL);
    if (result == CDG_OK) result = add_drag(it->world, 10);
    return result == CDG_OK ? result : cdg_fail(error, result, "%s", cdg_world_message(it->world));
}

cdg_result bench_adaptive_long(bench_context *context, cdg_error *error) {
    enum { LEVELS = 7, LENGTHS = 3 };
    static const struct {
        const char *name;
        double tail; // m, on each side of 0.24 m of knot
    } lengths[LENGTHS] = {{"0.44 m", 0.1}, {"4.4 m", 2.08}, {"44 m", 21.88}};
    entrant them[LENGTHS] = {0};
    cdg_result result = CDG_OK;
    for (int k = 0; k < LENGTHS && result == CDG_OK; k++) {
        them[k].name = lengths[k].name;
        result = build_long(lengths[k].tail, LEVELS, &them[k], error);
    }
    // In its first step a rope that was tied at its finest becomes as coarse as it can be: once, and told apart.
    double first[LENGTHS] = {0};
    for (int k = 0; k < LENGTHS && result == CDG_OK; k++) {
        result = race(context, &them[k], 1, 2e-3, error);
        first[k] = them[k].seconds;
    }
    if (result == CDG_OK) result = race(context, them, LENGTHS, 0.4, error);
    for (int k = 0; k < LENGTHS && result == CDG_OK; k++) {
        cdg_rod_info info;
        add_means(context, &them[k]);
        result = cdg_rod_get_info(them[k].world, cdg_world_rod_at(them[k].world, 0), &info);
        if (result == CDG_OK) add(context, "length", them[k].name, "m", info.length, 0);
        add(context, "the first step", them[k].name, "ms", 1e3 * first[k], 0);
        add(context, "of the shortest rope's time a step", them[k].name, "", them[k].seconds / them[0].seconds,
            k == LENGTHS - 1 ? 3 : 0);
    }
    destroy(them, LENGTHS);
    return result;
}
