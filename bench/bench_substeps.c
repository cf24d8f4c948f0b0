// The sub-step table of corde (Spillmann and Teschner, Cosserat Nets, figure 12): for each inertia factor, how many
// sub-steps a step of 1 ms needs and what it costs, for the ribbon of figure 15: 24 m x 1 m, two rails joined by 43
// struts, 86 points and 127 frames, E = G = 0.2 MPa, E_s = 5 MPa, r = 1 cm, 1300 kg/m^3, with second moments of area as
// printed there.
//
// The paper tells the longest sub-step that did not crash. Two numbers stand for that here: what `substeps: auto` takes
// from its estimate, and the fewest with which a shaken, undamped ribbon does not gain energy.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>

static const double sample_seconds = 0.05, step = 1e-3;
enum { BAYS = 42, STEPS = 300, SUBSTEPS_MAX = 2048 };

// Every node at up to 1 m/s in any direction; points that rods share get one velocity, that of the last.
static cdg_result shake(cdg_world *world) {
    cdg_random random = {12};
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_id rod = cdg_world_rod_at(world, i);
        cdg_vec3 v[BAYS + 1];
        for (size_t n = 0; n <= BAYS; n++) v[n] = random_vec3(&random, 1);
        cdg_result result = cdg_rod_set_state(world, rod, NULL, NULL, v, NULL);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// substeps 0: as many as the model thinks are needed.
static cdg_result build_ribbon(double alpha, int substeps, cdg_world **out, cdg_error *error) {
    const double area = 3.14159265358979323846e-4;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.thread_count = 1;
    world_def.step = step;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "ribbon";
    def.kind = CDG_STRUCTURE_RIBBON;
    def.ribbon.size[0] = 24;
    def.ribbon.size[1] = 1;
    def.ribbon.bays = BAYS;
    def.element_count = 1;
    def.rod.model = CDG_MODEL_CORDE;
    def.rod.corde.inertia_factor = alpha;
    def.rod.corde.substeps = substeps;
    def.rod.has_stiffness = true;
    def.rod.stiffness = (cdg_stiffness){.stretch = 5e6 * area,
                                        .bend = {0.2e6 * area / 4, 0.2e6 * area / 4},
                                        .twist = 0.2e6 * area / 2,
                                        .mass = 1300 * area,
                                        .inertia = {1300 * area / 4, 1300 * area / 4, 1300 * area / 2},
                                        .radius = 0.01};
    result = cdg_world_add_structure(*out, &def);
    if (result == CDG_OK) result = shake(*out);
    if (result == CDG_OK) return CDG_OK;
    hanging_rods_fail(*out, result, error);
    cdg_world_destroy(*out);
    *out = NULL;
    return result;
}

// Whether the ribbon falls without gaining as much energy as it was shaken with. (Explicit steps near the limit let the
// energy swing by tens of per cent, which is not growth.) `most`: sub-steps of any step.
static cdg_result fall(double alpha, int substeps, bool *is_stable, int *most, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_result result = build_ribbon(alpha, substeps, &world, error);
    if (result != CDG_OK) return result;
    cdg_energy start = cdg_world_energy(world);
    cdg_result stepped = CDG_OK;
    *most = 0;
    for (int i = 0; i < STEPS && stepped == CDG_OK; i++) {
        cdg_step_report report = {0};
        stepped = cdg_world_step(world, &report);
        if (report.iterations > *most) *most = report.iterations;
    }
    *is_stable = stepped == CDG_OK && cdg_world_energy(world).total - start.total < start.kinetic;
    cdg_world_destroy(world);
    return CDG_OK;
}

// By halving between `low`, which is not enough, and a number that is.
static cdg_result find_fewest(double alpha, int *out, cdg_error *error) {
    int low = 0, high = 1, most;
    for (bool stable = false; high <= SUBSTEPS_MAX; high *= 2) {
        cdg_result result = fall(alpha, high, &stable, &most, error);
        if (result != CDG_OK) return result;
        if (stable) break;
        low = high;
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        bool stable = false;
        cdg_result result = fall(alpha, middle, &stable, &most, error);
        if (result != CDG_OK) return result;
        *(stable ? &high : &low) = middle;
    }
    *out = high;
    return CDG_OK;
}

cdg_result bench_corde_substeps(bench_context *context, cdg_error *error) {
    static const struct {
        double alpha;
        int substeps;
        double milliseconds;
    } theirs[] = {{1, 1, 0.21}, {0.1, 1, 0.21}, {0.01, 2, 0.39}, {1e-3, 15, 2.86}, {1e-4, 148, 28.23}};
    enum { ROWS = sizeof theirs / sizeof *theirs };
    for (size_t i = 0; i < ROWS; i++) {
        cdg_world *world = NULL;
        int fewest = 0, most = 0;
        bool is_stable = false;
        cdg_result result = find_fewest(theirs[i].alpha, &fewest, error);
        if (result == CDG_OK) result = fall(theirs[i].alpha, 0, &is_stable, &most, error);
        if (result == CDG_OK) result = build_ribbon(theirs[i].alpha, 0, &world, error);
        if (result != CDG_OK) return result;
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "alpha %g: up to %d sub-steps, at least %d (theirs: %d, %g us)", theirs[i].alpha,
                 most, fewest, theirs[i].substeps, 1e3 * theirs[i].milliseconds);
        bench_add_row(context, label, "us/step", 0);
        for (int k = -1; k < context->repeat && result == CDG_OK; k++) { // the first warms caches and is thrown away
            double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
            if (k >= 0) bench_add_sample(context, 1e6 * seconds);
        }
        bench_check(context, is_stable, "the sub-steps that are chosen are enough");
        if (result != CDG_OK) hanging_rods_fail(world, result, error);
        cdg_world_destroy(world);
        if (result != CDG_OK) return result;
        bench_progress(context, (double)(i + 1) / ROWS);
    }
    return CDG_OK;
}
