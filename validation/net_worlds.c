// Worlds of joined rods for the validation cases of nets.
#include "validation/net_worlds.h"

const net_setting net_settings[NET_SETTING_COUNT] = {
    {"corde penalty", CDG_MODEL_CORDE, CDG_CORDE_PENALTY, VALIDATION_CORDE},
    {"corde constraint", CDG_MODEL_CORDE, CDG_CORDE_CONSTRAINT, VALIDATION_CORDE},
    {"pobd", CDG_MODEL_POBD, CDG_CORDE_PENALTY, VALIDATION_GAUSS_SEIDEL},
    {"der", CDG_MODEL_DER, CDG_CORDE_PENALTY, VALIDATION_DER_IMPLICIT},
};

void net_apply(const net_setting *setting, cdg_rod_def *def) {
    def->model = setting->model;
    def->corde.coupling = setting->coupling;
    def->pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def->pobd.iterations = 60;
}

cdg_result net_world(const validation_context *context, cdg_vec3 gravity, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.contact = CDG_CONTACT_OFF; // models alone
    def.gravity = validation_spoil_gravity(context, gravity);
    def.thread_count = context->thread_count;
    return cdg_world_create(&def, out, error);
}

cdg_result net_add_drag(cdg_world *world, double rate) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_DRAG;
    load.drag_rate = rate;
    return cdg_world_add_load(world, &load, NULL);
}

cdg_result net_run_until(cdg_world *world, double time) {
    cdg_result result = CDG_OK;
    while (result == CDG_OK && cdg_world_time(world) < time) result = cdg_world_step(world, NULL);
    return result;
}
