// A pointer of the program's own with anything that has a handle: to find what a rod, a body, a contact's obstacle is
// in the program. The library keeps it and never follows it.
#ifndef CORDAGE_USER_DATA_H
#define CORDAGE_USER_DATA_H

#include <cordage/body.h>
#include <cordage/grip.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of the whole world; NULL until it is set.
cdg_result cdg_world_set_user_data(cdg_world *world, void *data);
void *cdg_world_user_data(const cdg_world *world);

// Of one thing; NULL until it is set, and for a handle that is stale.
cdg_result cdg_rod_set_user_data(cdg_world *world, cdg_rod_id rod, void *data);
void *cdg_rod_user_data(const cdg_world *world, cdg_rod_id rod);
cdg_result cdg_support_set_user_data(cdg_world *world, cdg_support_id support, void *data);
void *cdg_support_user_data(const cdg_world *world, cdg_support_id support);
cdg_result cdg_load_set_user_data(cdg_world *world, cdg_load_id load, void *data);
void *cdg_load_user_data(const cdg_world *world, cdg_load_id load);
cdg_result cdg_joint_set_user_data(cdg_world *world, cdg_joint_id joint, void *data);
void *cdg_joint_user_data(const cdg_world *world, cdg_joint_id joint);
cdg_result cdg_obstacle_set_user_data(cdg_world *world, cdg_obstacle_id obstacle, void *data);
void *cdg_obstacle_user_data(const cdg_world *world, cdg_obstacle_id obstacle);
cdg_result cdg_body_set_user_data(cdg_world *world, cdg_body_id body, void *data);
void *cdg_body_user_data(const cdg_world *world, cdg_body_id body);
cdg_result cdg_weld_set_user_data(cdg_world *world, cdg_weld_id weld, void *data);
void *cdg_weld_user_data(const cdg_world *world, cdg_weld_id weld);
cdg_result cdg_solid_set_user_data(cdg_world *world, cdg_solid_id solid, void *data);
void *cdg_solid_user_data(const cdg_world *world, cdg_solid_id solid);
cdg_result cdg_solid_support_set_user_data(cdg_world *world, cdg_solid_support_id solid_support, void *data);
void *cdg_solid_support_user_data(const cdg_world *world, cdg_solid_support_id solid_support);
cdg_result cdg_solid_load_set_user_data(cdg_world *world, cdg_solid_load_id solid_load, void *data);
void *cdg_solid_load_user_data(const cdg_world *world, cdg_solid_load_id solid_load);
cdg_result cdg_tie_set_user_data(cdg_world *world, cdg_tie_id tie, void *data);
void *cdg_tie_user_data(const cdg_world *world, cdg_tie_id tie);
cdg_result cdg_grip_set_user_data(cdg_world *world, cdg_grip_id grip, void *data);
void *cdg_grip_user_data(const cdg_world *world, cdg_grip_id grip);

#ifdef __cplusplus
}
#endif
#endif
