// A rod between two anchors, twisted by three quarters of a turn, buckles under a trace of gravity (Spillmann and
// Teschner, figures 9 and 10): energies of the modes in equilibrium. The buckled rod may turn about the line between
// its anchors almost freely; gravity picks one position, and a push from the side keeps the rod from balancing in the
// opposite one. The reference is the reference model, which has neither coupling nor penalty, measuring turns by their
// sine as corde does; pobd with its shear stiffness raised until it does not shear is a third way to the same energies.
#include "validation/case_functions.h"
#include "validation/corde_rods.h"

#include <math.h>
#include <stdio.h>

enum { OUTPUTS = 150 };

// Energies over time, as in figure 10.
typedef struct course {
    double time[OUTPUTS], bend[OUTPUTS], stretch[OUTPUTS];
} course;

static cdg_result settle(const validation_context *context, cdg_rod_def rod, cdg_energy *out, course *record,
                         cdg_error *error) {
    cdg_world *world = NULL;
    cdg_rod_id id = {0};
    rod.centerline.line.to = (cdg_vec3){10, 0, 0};
    rod.initial_twist = 1.5 * 3.14159265358979323846 / 10;
    cdg_result result = corde_world(context, &rod, (cdg_vec3){0, 0, -0.5}, &world, &id, error);
    if (result != CDG_OK) return result;
    for (int end = 0; end < 2 && result == CDG_OK; end++) {
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP,
                                 .place = {.rod = id, .index = end == 0 ? 0 : rod.element_count}};
        result = validation_fail(world, cdg_world_add_support(world, &clamp, NULL), error);
    }
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 4; // about twice the first bending mode's frequency
    if (result == CDG_OK) result = validation_fail(world, cdg_world_add_load(world, &drag, NULL), error);
    cdg_load_def push = cdg_load_def_default();
    push.place = (cdg_place){.rod = id, .index = 20};
    push.value = (cdg_vec3){0, 0.5, 0};
    push.to = 2;
    if (result == CDG_OK) result = validation_fail(world, cdg_world_add_load(world, &push, NULL), error);
    double step = rod.model == CDG_MODEL_CORDE ? 1e-4 : rod.model == CDG_MODEL_POBD ? 5e-3 : 2e-2;
    for (int i = 0; i < OUTPUTS && result == CDG_OK; i++) {
        result = corde_run(world, step, 30.0 / OUTPUTS, error);
        *out = cdg_world_energy(world);
        if (record == NULL) continue;
        record->time[i] = cdg_world_time(world);
        record->bend[i] = out->bend;
        record->stretch[i] = out->stretch;
    }
    cdg_world_destroy(world);
    return result;
}

static void add(validation_context *context, const char *what, const cdg_energy *e, const cdg_energy *reference,
                double tolerance) {
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "%s: bending energy", what);
    validation_add_relative(context, label, "J", e->bend, reference->bend, tolerance);
    validation_cite(context, VALIDATION_SEED_000_10, "no number printed: bending rises suddenly, total falls");
    snprintf(label, sizeof label, "%s: twisting energy", what);
    validation_add_relative(context, label, "J", e->twist, reference->twist, tolerance);
    validation_cite(context, VALIDATION_SEED_000_10, "no number printed: all energy is twist first, then less");
    snprintf(label, sizeof label, "%s: stretching energy", what);
    validation_add_relative(context, label, "J", e->stretch, reference->stretch, tolerance);
    validation_cite(context, VALIDATION_SEED_000_10, "no number printed: much lower than the reference model's");
}

cdg_result validate_corde_buckling(validation_context *context, cdg_error *error) {
    validation_context right = validation_context_default(); // the reference is not spoiled
    cdg_rod_def rod = corde_comparison_rod(CDG_CORDE_CONSTRAINT);
    rod.model = CDG_MODEL_REFERENCE;
    rod.reference.darboux = CDG_REFERENCE_SINE;
    rod.reference.dissipation = 0.5; // it is to settle
    cdg_energy reference, e;
    course courses[3];
    cdg_result result = settle(&right, rod, &reference, &courses[0], error);
    if (result != CDG_OK) return result;
    validation_progress(context, 0.1);
    rod = corde_comparison_rod(CDG_CORDE_CONSTRAINT);
    rod.model = CDG_MODEL_POBD;
    rod.pobd.darboux = CDG_POBD_SINE; // as the reference measures here
    rod.stiffness.shear[0] = rod.stiffness.shear[1] = 1e10;
    for (int k = 0; k < 2; k++) rod.stiffness.inertia[k] *= 1e-3;
    result = settle(&right, rod, &e, NULL, error);
    if (result != CDG_OK) return result;
    validation_under(context, VALIDATION_DIRECT);
    add(context, "pobd without shear", &e, &reference, 0.001);
    validation_under(context, VALIDATION_CORDE);
    validation_progress(context, 0.2);

    result = settle(context, corde_comparison_rod(CDG_CORDE_CONSTRAINT), &e, &courses[1], error);
    if (result != CDG_OK) return result;
    add(context, "constraint", &e, &reference, 0.01);
    if (validation_is_decided(context)) return CDG_OK;
    validation_progress(context, 0.4);

    const double kappas[] = {1e4, 1e5, 1e6};
    double away[3];
    for (int i = 0; i < 3; i++) {
        rod = corde_comparison_rod(CDG_CORDE_PENALTY);
        rod.corde.penalty = kappas[i];
        result = settle(context, rod, &e, i == 2 ? &courses[2] : NULL, error);
        if (result != CDG_OK) return result;
        away[i] = fabs(e.bend / reference.bend - 1) + fabs(e.twist / reference.twist - 1) +
                  fabs(e.stretch / reference.stretch - 1);
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "penalty %g N: bending, twisting, stretching off by, together", kappas[i]);
        // the penalty is a shear stiffness in series: its error falls as 1/kappa
        validation_add_limit(context, label, "", away[i], 0.2 * 1e4 / kappas[i]);
        validation_progress(context, 0.4 + 0.2 * (i + 1));
    }
    add(context, "penalty 1e6 N", &e, &reference, 0.002);
    validation_begin_chart(context, "Bending energy (figure 10)", "time", "s", "energy", "J");
    validation_add_curve(context, "corde, constraint", courses[1].time, courses[1].bend, OUTPUTS);
    validation_add_curve(context, "corde, penalty 1e6 N", courses[2].time, courses[2].bend, OUTPUTS);
    validation_add_reference_curve(context, "reference model", courses[0].time, courses[0].bend, OUTPUTS);
    validation_begin_chart(context, "Stretching energy (figure 10)", "time", "s", "energy", "J");
    validation_add_curve(context, "corde, constraint", courses[1].time, courses[1].stretch, OUTPUTS);
    validation_add_curve(context, "corde, penalty 1e6 N", courses[2].time, courses[2].stretch, OUTPUTS);
    validation_add_reference_curve(context, "reference model", courses[0].time, courses[0].stretch, OUTPUTS);
    validation_add_limit(context, "penalty: error at 1e5 N against that at 1e4 N", "", away[1] / away[0], 0.12);
    return CDG_OK;
}
