// A cantilever under an end moment M = 2 pi B/L rolls up into a full circle: its tip comes back to the clamp.
#include "validation/case_functions.h"

#include <math.h>
#include <stdio.h>

static cdg_result roll_up(const validation_context *context, size_t elements, double *gap, double *moment,
                          cdg_error *error) {
    const double pi = 3.14159265358979323846, radius = 1e-3;
    cdg_rod_def rod = cdg_rod_def_default(); // steel wire: its frames' inertia is tiny beside the moment
    rod.pobd.darboux = CDG_POBD_SINE;        // the angle is of sixth order here
    rod.section.radius = radius;
    rod.material.density = 7800;
    rod.material.young_modulus = 200e9;
    rod.material.poisson_ratio = 0.3;
    rod.element_count = elements;
    double stiffness = rod.material.young_modulus * pi * radius * radius * radius * radius / 4,
           load = 2 * pi * stiffness;
    cdg_result result = validation_spoil_rod(context, &rod, error);
    if (result != CDG_OK) return result;
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = (cdg_vec3){0, 0, 0};
    def.step = 5e-3;
    def.thread_count = 1;
    cdg_world *world = NULL;
    result = cdg_world_create(&def, &world, error);
    if (result != CDG_OK) return result;
    cdg_rod_id id = {0};
    result = cdg_world_add_rod(world, &rod, &id);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = id}};
    cdg_support_id clamp = {0};
    if (result == CDG_OK) result = cdg_world_add_support(world, &support, &clamp);
    cdg_load_def drag = cdg_load_def_default(), end = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 40;
    if (result == CDG_OK) result = cdg_world_add_load(world, &drag, NULL);
    end.kind = CDG_LOAD_MOMENT;
    end.place = (cdg_place){id, CDG_PLACE_NODE, elements};
    end.value = (cdg_vec3){0, load, 0};
    end.ramp = 2;
    if (result == CDG_OK) result = cdg_world_add_load(world, &end, NULL);
    for (int i = 0; i < 1200 && result == CDG_OK; i++) result = cdg_world_step(world, NULL);
    cdg_vec3 nodes[128] = {0}, force, reaction = {0};
    if (result == CDG_OK) result = cdg_rod_positions(world, id, nodes);
    if (result == CDG_OK) result = cdg_support_reaction(world, clamp, &force, &reaction);
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    *gap = sqrt(nodes[elements].x * nodes[elements].x + nodes[elements].z * nodes[elements].z);
    *moment = -reaction.y / load;
    return result;
}

cdg_result validate_roll_up(validation_context *context, cdg_error *error) {
    const size_t elements[] = {20, 40, 80};
    double gaps[3];
    for (int n = 0; n < 3; n++) {
        double moment;
        cdg_result result = roll_up(context, elements[n], &gaps[n], &moment, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "tip to clamp over length, %zu elements", elements[n]);
        validation_add_limit(context, label, "", gaps[n], 8.0 / (double)(elements[n] * elements[n]));
        snprintf(label, sizeof label, "moment at the clamp over end moment, %zu elements", elements[n]);
        validation_add_relative(context, label, "", moment, 1, 1e-4);
        validation_progress(context, (n + 1) / 3.0);
    }
    for (int n = 0; n < 2; n++) {
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "order from %zu to %zu elements", elements[n], elements[n + 1]);
        validation_add_order(context, label, log2(gaps[n] / gaps[n + 1]), 2, 0.2);
    }
    return CDG_OK;
}
