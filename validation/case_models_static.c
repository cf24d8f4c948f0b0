// Equilibria in closed form under every model: each settles, with drag, from where it starts.
#include "validation/case_functions.h"
#include "validation/elastica.h"
#include "validation/model_rods.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
enum { RESOLUTIONS = 3, CURVE = 101 };

// ---- heavy or loaded cantilever -------------------------------------------------------------------------------------

typedef struct cantilever {
    double tip, weight;  // P L^2/B, w L^3/B
    double x, y;         // where the tip ends, lengths
    double tolerance[2]; // lengths, 10 and 20 elements
    const char *name;
} cantilever;

static cdg_result settle(validation_context *context, const cantilever *what, validation_model model, size_t elements,
                         bool adapts, cdg_vec3 *nodes, size_t *count, cdg_error *error) {
    cdg_rod_def def = model_unit_rod(elements);
    def.adapt.is_on = adapts;
    model_trial t = model_begin(context, model, def, (cdg_vec3){0, 0, -what->weight}, 5e-3, error);
    model_support(&t, CDG_SUPPORT_CLAMP, 0);
    if (what->tip > 0) model_force(&t, elements, (cdg_vec3){0, 0, -what->tip});
    model_drag(&t, 7); // twice the first mode's 3.5 rad/s: critical
    model_run(&t, 4);
    model_positions(&t, nodes);
    *count = model_node_count(&t);
    return model_end(&t, error);
}

static bool can_adapt(validation_model model) {
    return model == VALIDATION_CORDE || model == VALIDATION_DER_IMPLICIT || model == VALIDATION_GAUSS_SEIDEL ||
           model == VALIDATION_DIRECT;
}

// Four elements that are halved where the rod bends must come as near as ten do without.
static cdg_result add_adaptive(validation_context *context, const cantilever *what, validation_model model,
                               cdg_error *error) {
    enum { COARSE = 4 };
    cdg_vec3 nodes[MODEL_NODES_MAX];
    size_t count;
    char label[VALIDATION_TEXT_SIZE];
    cdg_result result = settle(context, what, model, COARSE, true, nodes, &count, error);
    if (result != CDG_OK) return result;
    double away = hypot(nodes[count - 1].x - what->x, nodes[count - 1].z + what->y);
    snprintf(label, sizeof label, "%s: tip's distance from the elastica's, adapt, %d elements become %zu",
             validation_model_name(model), COARSE, count - 1);
    // If none is halved, nothing is shown.
    validation_add_limit(context, label, "L", count - 1 > COARSE ? away : NAN, what->tolerance[0]);
    return CDG_OK;
}

static cdg_result add_cantilevers(validation_context *context, const cantilever *what, cdg_error *error) {
    const size_t elements[RESOLUTIONS] = {10, 20, 40};
    const int count = context->is_quick ? 2 : RESOLUTIONS;
    double xs[CURVE], ys[CURVE];
    validation_begin_chart(context, what->name, "x", "m", "z", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        const char *name = validation_model_name((validation_model)m);
        double away[RESOLUTIONS];
        cdg_vec3 tips[RESOLUTIONS];
        char label[VALIDATION_TEXT_SIZE];
        validation_under(context, (validation_model)m);
        for (int n = 0; n < count; n++) {
            cdg_vec3 nodes[MODEL_NODES_MAX];
            size_t nodes_then;
            cdg_result result =
                settle(context, what, (validation_model)m, elements[n], false, nodes, &nodes_then, error);
            if (result != CDG_OK) return result;
            away[n] = hypot(nodes[elements[n]].x - what->x, nodes[elements[n]].z + what->y);
            snprintf(label, sizeof label, "%s: tip's distance from the elastica's, %zu elements", name, elements[n]);
            validation_add_limit(context, label, "L", away[n], n == 0 ? what->tolerance[0] : what->tolerance[1]);
            tips[n] = nodes[elements[n]];
            if (n == 0 && what->weight > 0 && can_adapt((validation_model)m)) // a tip load bends too little for it
                result = add_adaptive(context, what, (validation_model)m, error);
            if (result != CDG_OK) return result;
            if (n == 1) {
                snprintf(label, sizeof label, "%s: order from %zu to %zu elements", name, elements[0], elements[1]);
                validation_add_order(context, label, log2(away[0] / away[1]), 2, 0.4);
            } else if (n == 2) { // among themselves: the elastica does not stretch, which 40 elements show
                double coarse = hypot(tips[0].x - tips[1].x, tips[0].z - tips[1].z);
                double fine = hypot(tips[1].x - tips[2].x, tips[1].z - tips[2].z);
                snprintf(label, sizeof label, "%s: order from %zu, %zu and %zu elements", name, elements[0],
                         elements[1], elements[2]);
                validation_add_order(context, label, log2(coarse / fine), 2, 0.4);
            }
            for (size_t i = 0; i <= elements[n]; i++) xs[i] = nodes[i].x, ys[i] = nodes[i].z;
            if (n == 1) validation_add_curve(context, name, xs, ys, elements[n] + 1);
        }
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    elastica_shape(what->tip, what->weight, CURVE, xs, ys);
    validation_add_reference_curve(context, "elastica", xs, ys, CURVE);
    return CDG_OK;
}

cdg_result validate_models_weight(validation_context *context, cdg_error *error) {
    const cantilever what = {
        0, 10, 0.6563537612, 0.7001997155, {0.02, 6e-3}, "Settled under its own weight, 20 elements"};
    return add_cantilevers(context, &what, error);
}

cdg_result validate_models_tip_load(validation_context *context, cdg_error *error) {
    const cantilever what = {2, 0, 0.8393582792, 0.4934574804, {0.01, 3e-3}, "Settled under a tip load, 20 elements"};
    return add_cantilevers(context, &what, error);
}

// ---- end moment -----------------------------------------------------------------------------------------------------

// M = pi B/L bends the rod into half a circle of radius L/pi. Bending out of the plane and twisting are stiff, for a
// moment about a fixed axis is not conservative and throws a round rod out of it.
cdg_result validate_models_roll_up(validation_context *context, cdg_error *error) {
    enum { ELEMENTS = 20 };
    const cdg_vec3 across = {0, 1, 0};
    double xs[CURVE], ys[CURVE];
    validation_begin_chart(context, "Half a circle by an end moment, 20 elements", "x", "m", "z", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        cdg_rod_def def = model_unit_rod(ELEMENTS);
        def.initial_normal = &across;
        def.stiffness.bend[1] = def.stiffness.twist = 10;
        model_trial t = model_begin(context, (validation_model)m, def, (cdg_vec3){0, 0, 0}, 5e-3, error);
        model_support(&t, CDG_SUPPORT_CLAMP, 0);
        model_moment(&t, ELEMENTS, (cdg_vec3){0, -pi, 0}, 1);
        model_drag(&t, 7);
        model_run(&t, 4);
        cdg_vec3 nodes[MODEL_NODES_MAX];
        model_positions(&t, nodes);
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: tip's distance from the half circle's", name);
        validation_add_limit(context, label, "L", hypot(nodes[ELEMENTS].x, nodes[ELEMENTS].z - 2 / pi),
                             pi * pi / (2.0 * ELEMENTS * ELEMENTS));
        for (size_t i = 0; i <= ELEMENTS; i++) xs[i] = nodes[i].x, ys[i] = nodes[i].z;
        validation_add_curve(context, name, xs, ys, ELEMENTS + 1);
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    for (int i = 0; i < CURVE; i++) {
        double s = (double)i / (CURVE - 1);
        xs[i] = sin(pi * s) / pi, ys[i] = (1 - cos(pi * s)) / pi;
    }
    validation_add_reference_curve(context, "circle", xs, ys, CURVE);
    return CDG_OK;
}

// ---- hanging between two pins ---------------------------------------------------------------------------------------

// Span over length 0.8, bending stiffness 1e-4 w L^3 and stretching 6e-5: a chain but for some 1e-3 of the sag.
cdg_result validate_models_catenary(validation_context *context, cdg_error *error) {
    enum { ELEMENTS = 20 };
    const double gravity = 10, sag = 0.2654375091, half = 1.1311021; // rad: sin(half)/half = 0.8
    double xs[CURVE], ys[CURVE];
    validation_begin_chart(context, "Hanging between two pins, 20 elements", "x", "m", "z", "m");
    for (int m = 0; m < VALIDATION_MODEL_COUNT && !validation_is_decided(context); m++) {
        cdg_rod_def def = model_unit_rod(ELEMENTS);
        def.stiffness.bend[0] = def.stiffness.bend[1] = def.stiffness.twist = 1e-3;
        def.stiffness.stretch = 1e5;
        def.centerline.kind = CDG_CENTERLINE_ARC;
        def.centerline.arc.start = (cdg_vec3){0, 0, 0};
        def.centerline.arc.tangent = (cdg_vec3){cos(half), 0, -sin(half)};
        def.centerline.arc.normal = (cdg_vec3){sin(half), 0, cos(half)};
        def.centerline.arc.radius = 1 / (2 * half);
        def.centerline.arc.angle = 2 * half;
        model_trial t = model_begin(context, (validation_model)m, def, (cdg_vec3){0, 0, -gravity}, 2e-3, error);
        model_support(&t, CDG_SUPPORT_PIN, 0);
        model_support(&t, CDG_SUPPORT_PIN, ELEMENTS);
        model_drag(&t, 6);
        model_run(&t, 4);
        cdg_vec3 nodes[MODEL_NODES_MAX], forces[ELEMENTS] = {{0, 0, 0}};
        model_positions(&t, nodes);
        if (t.result == CDG_OK) t.result = cdg_rod_forces(t.world, t.rod, forces);
        if (model_end(&t, error) != CDG_OK) return t.result;
        char label[VALIDATION_TEXT_SIZE];
        const char *name = validation_model_name((validation_model)m);
        validation_under(context, (validation_model)m);
        snprintf(label, sizeof label, "%s: sag", name);
        validation_add_relative(context, label, "m", -nodes[ELEMENTS / 2].z, sag, 0.01);
        // tension in the middle of the first element: half an element's weight below the support
        double slope = asin((0.5 - 0.5 / ELEMENTS) / hypot(0.5 - 0.5 / ELEMENTS, 0.3382018791));
        snprintf(label, sizeof label, "%s: tension in the first element", name);
        validation_add_relative(context, label, "N", forces[0].z, gravity * 0.3382018791 / cos(slope), 0.02);
        for (size_t i = 0; i <= ELEMENTS; i++) xs[i] = nodes[i].x, ys[i] = nodes[i].z;
        validation_add_curve(context, name, xs, ys, ELEMENTS + 1);
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    // y = a cosh(x/a) with a = H/w, between +-0.4
    for (int i = 0; i < CURVE; i++) {
        double x = 0.8 * i / (CURVE - 1), a = 0.3382018791;
        xs[i] = x, ys[i] = a * (cosh((x - 0.4) / a) - cosh(0.4 / a));
    }
    validation_add_reference_curve(context, "catenary", xs, ys, CURVE);
    return CDG_OK;
}
