// What the validation cases of nets share: the settings they are done under, and worlds of joined rods.
#ifndef VALIDATION_NET_WORLDS_H
#define VALIDATION_NET_WORLDS_H

#include "math/quat.h"
#include "validation/cases.h"

typedef struct net_setting {
    const char *name;
    cdg_model model;
    cdg_corde_coupling coupling;
    validation_model tag;
} net_setting;

enum { NET_SETTING_COUNT = 4 }; // corde penalty, corde constraint, pobd, der
extern const net_setting net_settings[NET_SETTING_COUNT];

void net_apply(const net_setting *setting, cdg_rod_def *def);
cdg_result net_world(const validation_context *context, cdg_vec3 gravity, cdg_world **out, cdg_error *error);
cdg_result net_add_drag(cdg_world *world, double rate); // 1/s
cdg_result net_run_until(cdg_world *world, double time);

#endif
