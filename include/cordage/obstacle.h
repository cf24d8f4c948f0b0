// Obstacles: solid shapes that rods touch, at rest or moving as prescribed.
#ifndef CORDAGE_OBSTACLE_H
#define CORDAGE_OBSTACLE_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of obstacles: X(enumerator, scene key, what it is).
#define CDG_OBSTACLE_LIST(X)                                                                                           \
    X(CDG_OBSTACLE_PLANE, "plane", "all that lies below a plane")                                                      \
    X(CDG_OBSTACLE_SPHERE, "sphere", "a ball about the position")                                                      \
    X(CDG_OBSTACLE_BOX, "box", "a block about the position")                                                           \
    X(CDG_OBSTACLE_CAPSULE, "capsule", "a rod with round ends along z about the position")                             \
    X(CDG_OBSTACLE_CYLINDER, "cylinder", "a cylinder with flat ends along z about the position")                       \
    X(CDG_OBSTACLE_MESH, "mesh", "a closed surface of triangles")

typedef enum cdg_obstacle_kind {
#define CDG_OBSTACLE_ENUM(name, key, text) name,
    CDG_OBSTACLE_LIST(CDG_OBSTACLE_ENUM)
#undef CDG_OBSTACLE_ENUM
        CDG_OBSTACLE_KIND_COUNT
} cdg_obstacle_kind;

// Only the members of the chosen kind are read. Shapes are described in their own axes; position and orientation place
// them in the world, and motions move them from there (rotations turn about the position unless they have a centre).
typedef struct cdg_obstacle_def {
    const char *name; // copied; unique in a world; NULL: chosen for you
    cdg_obstacle_kind kind;
    cdg_vec3 position; // m
    cdg_quat orientation;
    cdg_vec3 normal; // plane: points out of the solid half; need not be of unit length
    double offset;   // plane: m, points x with normal . x = offset lie on it (unit normal)
    double radius;   // sphere, capsule, cylinder: m
    double length;   // capsule: between the centres of its ends; cylinder: its height; m
    cdg_vec3 size;   // box: whole lengths of its sides, m
    struct {         // mesh; copied
        const cdg_vec3 *vertices;
        size_t vertex_count;
        const uint32_t (*triangles)[3]; // corners, counted from 0, counter-clockwise as seen from outside
        size_t triangle_count;
        bool is_surface; // may be open: it has two sides, no inside, and nothing is ever within it
    } mesh;
    double friction; // Coulomb's coefficient; negative: that of the world's contact
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
    cdg_obstacle_kind kind;
    bool is_moving;  // has motions
    double friction; // in force: its own, or that of the world's contact
    cdg_vec3 normal; // as in the definition; the plane's normal has unit length
    double offset, radius, length;
    cdg_vec3 size;
    // mesh: as it is kept, corners that coincide made one; valid as long as the world
    const cdg_vec3 *vertices;
    size_t vertex_count;
    const uint32_t (*triangles)[3];
    size_t triangle_count;
    bool is_surface;
} cdg_obstacle_info;
// What an obstacle is.
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
