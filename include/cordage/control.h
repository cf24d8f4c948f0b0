// Reading and restoring what a world was told from outside: for programs that steer, go back and steer again.
#ifndef CORDAGE_CONTROL_H
#define CORDAGE_CONTROL_H

#include <cordage/obstacle.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// Snapshots hold the state alone. What was set by hand (poses, forces, gravity, rest shapes, friction) belongs to the
// program, and these functions read it and put it back as it was. Of a rod that adapts, snapshots hold the rest shape,
// too; forces on it are gone once a snapshot with another resolution has been loaded.

// Supports by index, in order of creation, but that new ones take free entries first; one that is free, or belongs to a
// weld, has a null handle.
size_t cdg_world_support_count(const cdg_world *world);
// The support there.
cdg_support_id cdg_world_support_at(const cdg_world *world, size_t index);
typedef struct cdg_support_info {
    cdg_support_kind kind;
    cdg_place place;
    bool is_moving; // has motions, or was driven by hand
} cdg_support_info;
// The kind of a support, and the node that it holds.
cdg_result cdg_support_get_info(const cdg_world *world, cdg_support_id support, cdg_support_info *out);

// Holds the section there at once, without a motion in the next step, and from then on: not for steering, which
// cdg_support_set_pose does, but before a snapshot is loaded in which the support was there.
cdg_result cdg_support_put(cdg_world *world, cdg_support_id support, cdg_vec3 position, cdg_quat frame);
cdg_result cdg_obstacle_put(cdg_world *world, cdg_obstacle_id obstacle, cdg_vec3 position, cdg_quat orientation);

cdg_vec3 cdg_world_gravity(const cdg_world *world); // m/s^2
// The forces that cdg_rod_set_forces has set: node_count forces and element_count torques; zeros when it has set none.
cdg_result cdg_rod_get_forces(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *forces, cdg_vec3 *torques);

#ifdef __cplusplus
}
#endif
#endif
