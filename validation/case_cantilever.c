// A heavy cantilever, clamped horizontally, settled under its own weight: height over width of its shape against the
// planar elastica (reference values by elliptic integrals and shooting, Gamma = w L^3/B; the quantity of Romero et al.
// 2021).
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>

static const double weights[] = {1, 10, 100}, shapes[] = {0.1245617664, 1.0668023204, 5.8881046233};

typedef struct cantilever {
    double gamma;
    size_t elements;
    double step; // s
    int iterations;
} cantilever;

// Settles the rod and measures the bounding box of its nodes. The radius of 1 mm on 1 m makes stretching (a strain of
// Gamma r^2/4 = 2.5e-5 at Gamma = 100) and shearing negligible beside the elastica's assumptions.
static cdg_result settle(const validation_context *context, cantilever c, double *height_over_width, cdg_error *error) {
    double radius = 1e-3, density = 1000, gravity = 9.81, length = 1;
    cdg_rod_def rod = cdg_rod_def_default();
    rod.section.radius = radius;
    rod.material.density = density;
    rod.material.young_modulus = 4 * density * gravity * length * length * length / (c.gamma * radius * radius);
    rod.material.poisson_ratio = 0.3;
    rod.centerline.line.to = (cdg_vec3){length, 0, 0};
    rod.element_count = c.elements;
    rod.pobd.iterations = c.iterations;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;

    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = validation_spoil_gravity(context, (cdg_vec3){0, 0, -gravity});
    def.step = c.step;
    def.thread_count = 1;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id id = {0};
    result = cdg_world_add_rod(world, &rod, &id);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = id}};
    if (result == CDG_OK) result = cdg_world_add_support(world, &support, NULL);
    // Near-critical drag of the first mode, 3.5 sqrt(g/(Gamma L)) rad/s or the hanging chain's 3.8 rad/s.
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 7;
    if (result == CDG_OK) result = cdg_world_add_load(world, &drag, NULL);
    for (int i = 0; i < (int)(6 / c.step + 0.5) && result == CDG_OK; i++) result = cdg_world_step(world, NULL);

    cdg_vec3 nodes[128];
    if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i <= c.elements; i++) {
        low[0] = fmin(low[0], nodes[i].x), high[0] = fmax(high[0], nodes[i].x);
        low[1] = fmin(low[1], nodes[i].z), high[1] = fmax(high[1], nodes[i].z);
    }
    *height_over_width = (high[1] - low[1]) / (high[0] - low[0]);
    return CDG_OK;
}

cdg_result validate_cantilever(validation_context *context, cdg_error *error) {
    for (int g = 0; g < 3 && !validation_is_decided(context); g++) {
        double shape;
        cdg_result result = settle(context, (cantilever){weights[g], 40, 5e-3, 5}, &shape, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "height/width, weight w L^3/B = %g, 40 elements", weights[g]);
        validation_add_relative(context, label, "", shape, shapes[g], 0.01);
        validation_progress(context, (g + 1) / 3.0);
    }
    return CDG_OK;
}

cdg_result validate_cantilever_settings(validation_context *context, cdg_error *error) {
    const double steps[] = {1e-3, 5e-3, 10e-3, 20e-3};
    const int iterations[] = {1, 2, 5};
    for (int g = 0; g < 3 && !validation_is_decided(context); g++)
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < 3; i++) {
                double shape;
                cdg_result result =
                    settle(context, (cantilever){weights[g], 40, steps[s], iterations[i]}, &shape, error);
                if (result != CDG_OK) return result;
                char label[VALIDATION_TEXT_SIZE];
                snprintf(label, sizeof label, "w L^3/B = %g, step %g ms, %d iteration%s", weights[g], steps[s] * 1e3,
                         iterations[i], iterations[i] > 1 ? "s" : "");
                validation_add_relative(context, label, "", shape, shapes[g], 0.01);
                validation_progress(context, (g * 12 + s * 3 + i + 1) / 36.0);
            }
    return CDG_OK;
}

// Order from the errors at n and 2 n elements: log2 of their ratio. A clamp that made its element rigid would give 1.
cdg_result validate_cantilever_order(validation_context *context, cdg_error *error) {
    const size_t elements[] = {20, 40, 80};
    for (int g = 0; g < 3 && !validation_is_decided(context); g++) {
        double errors[3];
        for (int n = 0; n < 3; n++) {
            double shape;
            cdg_result result = settle(context, (cantilever){weights[g], elements[n], 10e-3, 5}, &shape, error);
            if (result != CDG_OK) return result;
            errors[n] = fabs(shape / shapes[g] - 1);
            char label[VALIDATION_TEXT_SIZE];
            snprintf(label, sizeof label, "w L^3/B = %g, %zu elements", weights[g], elements[n]);
            validation_add_relative(context, label, "", shape, shapes[g], n == 0 ? 0.03 : n == 1 ? 0.01 : 0.003);
            validation_progress(context, (g * 3 + n + 1) / 9.0);
        }
        for (int n = 0; n < 2; n++) {
            char label[VALIDATION_TEXT_SIZE];
            snprintf(label, sizeof label, "w L^3/B = %g, order from %zu to %zu elements", weights[g], elements[n],
                     elements[n + 1]);
            validation_add_order(context, label, log2(errors[n] / errors[n + 1]), 2, 0.2);
        }
    }
    return CDG_OK;
}
