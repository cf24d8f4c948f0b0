// Obstacles: rigid shapes that rods touch, at rest or moving as prescribed.
#ifndef CORDAGE_OBSTACLE_H
#define CORDAGE_OBSTACLE_H

#include <cordage/shape.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// A shape from plane to mesh, and what touches it feels. Motions move it from where its shape is (rotations turn about
// the position unless they have a centre).
typedef struct cdg_obstacle_def {
    const char *name; // copied; unique in a world; NULL: chosen for you
    cdg_shape shape;  // a mesh is copied
    double friction;  // Coulomb's coefficient; negative: that of the world's contact
    const cdg_motion *motions;
    size_t motion_count;
} cdg_obstacle_def;

cdg_obstacle_def cdg_obstacle_def_default(void); // the half space below z = 0, friction of the world

// Adds an obstacle; a mesh and motions are copied.
cdg_result cdg_world_add_obstacle(cdg_world *world, const cdg_obstacle_def *def, cdg_obstacle_id *out);
// The handle is stale from then on, and the index of later obstacles is less by one.
cdg_result cdg_world_remove_obstacle(cdg_world *world, cdg_obstacle_id obstacle);
size_t cdg_world_obstacle_count(const cdg_world *world);                           // that are there now
cdg_obstacle_id cdg_world_obstacle_at(const cdg_world *world, size_t index);       // in order of creation; null beyond
cdg_obstacle_id cdg_world_find_obstacle(const cdg_world *world, const char *name); // null: there is none

typedef struct cdg_obstacle_info {
    const char *name;
    // as in the definition, but that a plane's normal has unit length; a mesh is as it is kept, corners that coincide
    // made one, and valid as long as the world
    cdg_shape shape;
    bool is_moving;  // has motions
    double friction; // in force: its own, or that of the world's contact
} cdg_obstacle_info;
// Name, shape and friction of an obstacle.
cdg_result cdg_obstacle_get_info(const cdg_world *world, cdg_obstacle_id obstacle, cdg_obstacle_info *out);
// Where it is at the world's present time.
cdg_result cdg_obstacle_get_pose(const cdg_world *world, cdg_obstacle_id obstacle, cdg_vec3 *position,
                                 cdg_quat *orientation);
// Drives an obstacle by hand: in the next step it goes straight to this position (m) and turns to this orientation, and
// stays there until told again. NULL keeps what is there. Takes the place of its motions.
cdg_result cdg_obstacle_set_pose(cdg_world *world, cdg_obstacle_id obstacle, const cdg_vec3 *position,
                                 const cdg_quat *orientation);

// From the next step on; negative: that of the world's contact.
cdg_result cdg_obstacle_set_friction(cdg_world *world, cdg_obstacle_id obstacle, double friction);

#ifdef __cplusplus
}
#endif
#endif
