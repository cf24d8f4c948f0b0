// Building blocks of the der cases (der_rods.h).
#include "validation/der_rods.h"

#include <stdio.h>

cdg_rod_def der_unit_rod(size_t elements, double radius, double twist) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.shear = {1, 1},
                                    .stretch = 4 / (radius * radius),
                                    .bend = {1, 1},
                                    .twist = twist,
                                    .mass = 1,
                                    .inertia = {1e-6, 1e-6, 1e-6},
                                    .radius = radius};
    def.centerline.line.to = (cdg_vec3){1, 0, 0};
    def.element_count = elements;
    return def;
}

cdg_result der_world_make(const validation_context *context, cdg_rod_def *rod, cdg_vec3 gravity, double step,
                          der_world *out, cdg_error *error) {
    *out = (der_world){0};
    cdg_result result = validation_spoil_rod(context, rod, error);
    if (result != CDG_OK) return result;
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = validation_spoil_gravity(context, gravity);
    def.step = step;
    def.thread_count = 1;
    result = cdg_world_create(&def, &out->world, error);
    if (result != CDG_OK) return result;
    result = cdg_world_add_rod(out->world, rod, &out->rod);
    return result == CDG_OK ? CDG_OK : der_world_close(out, result, error);
}

cdg_result der_world_support(der_world *d, cdg_support_kind kind, size_t node, const cdg_motion *motion,
                             cdg_support_id *out) {
    cdg_support_def def = {
        .kind = kind, .place = {.rod = d->rod, .index = node}, .motions = motion, .motion_count = motion != NULL};
    return cdg_world_add_support(d->world, &def, out);
}

cdg_result der_world_force(der_world *d, size_t node, cdg_vec3 force) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = (cdg_place){d->rod, CDG_PLACE_NODE, node};
    load.value = force;
    return cdg_world_add_load(d->world, &load, NULL);
}

cdg_result der_world_close(der_world *d, cdg_result result, cdg_error *error) {
    if (result != CDG_OK && error != NULL) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(d->world));
    }
    cdg_world_destroy(d->world);
    d->world = NULL;
    return result;
}
