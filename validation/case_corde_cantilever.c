// A heavy cantilever with both couplings of corde: height over width of its settled shape against the planar elastica
// (reference values by elliptic integrals and shooting, w L^3/B = 10), and the order of its error.
#include "validation/case_functions.h"
#include "validation/corde_rods.h"

#include <math.h>
#include <stdio.h>

static const double gamma_ = 10, shape = 1.0668023204;

static cdg_result settle(const validation_context *context, cdg_corde_coupling coupling, size_t elements,
                         double *height_over_width, cdg_error *error) {
    // A radius of 5 mm on 1 m: stretching (a strain of Gamma r^2/4 = 6e-5) and the penalty's shearing (r^2/4 of the
    // bending) are negligible beside the errors looked for.
    double radius = 5e-3, density = 1000, gravity = 9.81;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_CORDE;
    rod.corde.coupling = coupling;
    rod.section.radius = radius;
    rod.material.density = density;
    rod.material.young_modulus = 4 * density * gravity / (gamma_ * radius * radius);
    rod.material.poisson_ratio = 0.3;
    rod.element_count = elements;
    cdg_world *world = NULL;
    cdg_rod_id id = {0};
    cdg_result result = corde_world(context, &rod, (cdg_vec3){0, 0, -gravity}, &world, &id, error);
    if (result != CDG_OK) return result;
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = id}};
    result = validation_fail(world, cdg_world_add_support(world, &clamp, NULL), error);
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 7; // near critical
    if (result == CDG_OK) result = validation_fail(world, cdg_world_add_load(world, &drag, NULL), error);
    if (result == CDG_OK) result = corde_run(world, cdg_world_advice(world).step, 5, error);
    cdg_vec3 nodes[128];
    if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i <= elements; i++) {
        low[0] = fmin(low[0], nodes[i].x), high[0] = fmax(high[0], nodes[i].x);
        low[1] = fmin(low[1], nodes[i].z), high[1] = fmax(high[1], nodes[i].z);
    }
    *height_over_width = (high[1] - low[1]) / (high[0] - low[0]);
    return CDG_OK;
}

cdg_result validate_corde_cantilever(validation_context *context, cdg_error *error) {
    const size_t elements[] = {15, 30, 60};
    const char *const names[] = {"penalty", "constraint"};
    for (int coupling = 0; coupling < 2 && !validation_is_decided(context); coupling++) {
        double errors[3];
        for (int n = 0; n < 3; n++) {
            double measured;
            cdg_result result = settle(context, (cdg_corde_coupling)coupling, elements[n], &measured, error);
            if (result != CDG_OK) return result;
            errors[n] = fabs(measured / shape - 1);
            char label[VALIDATION_TEXT_SIZE];
            snprintf(label, sizeof label, "%s: height/width, w L^3/B = 10, %zu elements", names[coupling], elements[n]);
            validation_add_relative(context, label, "", measured, shape, n == 0 ? 0.03 : 0.01);
            validation_progress(context, (coupling * 3 + n + 1) / 6.0);
        }
        for (int n = 0; n < 2; n++) {
            char label[VALIDATION_TEXT_SIZE];
            snprintf(label, sizeof label, "%s: order from %zu to %zu elements", names[coupling], elements[n],
                     elements[n + 1]);
            validation_add_order(context, label, log2(errors[n] / errors[n + 1]), 2, 0.2);
        }
    }
    return CDG_OK;
}
