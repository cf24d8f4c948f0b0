// Obstacles as what is inside of their surfaces: signed distance, and the contact points of a segment of a rod with
// them.
#ifndef CDG_CONTACT_OBSTACLE_H
#define CDG_CONTACT_OBSTACLE_H

#include "contact/box_pairs.h"
#include "contact/contact_mesh.h"
#include "contact/mesh_near.h"
#include "geometry/motion.h"

#include <cordage/obstacle.h>

typedef struct cdg_obstacle {
    char *name;
    cdg_obstacle_def def; // motions is an own copy, mesh and name are not used; the plane's normal has unit length
    cdg_contact_mesh mesh;
    cdg_vec3 middle; // of a ball around the shape, its own axes; planes have none
    double reach;    // radius of that ball
} cdg_obstacle;

// Copies the definition, but for the name, which is the caller's to choose (out->name is `name`, copied).
cdg_result cdg_obstacle_build(const cdg_obstacle_def *def, const char *name, cdg_obstacle *out, cdg_error *error);
void cdg_obstacle_free(cdg_obstacle *obstacle);

cdg_pose cdg_obstacle_pose(const cdg_obstacle *obstacle, double time);

// The obstacle's box when it is at `pose`, and a box that holds it all the way from one pose to another, its position
// going straight and its orientation turning steadily about one axis by less than half a turn. A plane's is infinite.
cdg_box cdg_obstacle_box(const cdg_obstacle *obstacle, const cdg_pose *pose);
cdg_box cdg_obstacle_swept_box(const cdg_obstacle *obstacle, const cdg_pose *from, const cdg_pose *to);

typedef struct cdg_distance {
    double value;    // m, negative inside
    cdg_vec3 normal; // unit: the way out, nearest
} cdg_distance;

// Signed distance of a point, world axes.
cdg_distance cdg_obstacle_distance(const cdg_obstacle *obstacle, const cdg_pose *pose, cdg_vec3 point);

typedef struct cdg_obstacle_contact {
    double s;        // parameter on the segment, [0, 1]
    double gap;      // m: signed distance of the centreline there, less the radius
    cdg_vec3 normal; // unit, out of the obstacle
    cdg_vec3 point;  // m, on the obstacle's surface
} cdg_obstacle_contact;

// A convex shape has two contacts at most; a mesh one at each near point (mesh_near.h).
enum { CDG_OBSTACLE_CONTACTS_CONVEX = 2, CDG_OBSTACLE_CONTACTS_MAX = CDG_MESH_NEAR_POINTS_MAX };

// The gap at the deepest point of the segment a0 a1 of a rod of `radius`; false: it is not below `margin`. To find when
// something is met it takes far less than all that contacts are.
bool cdg_obstacle_gap(const cdg_obstacle *obstacle, const cdg_pose *pose, cdg_vec3 a0, cdg_vec3 a1, double radius,
                      double margin, double *gap);
// The lowest point of a point, a segment or a triangle (`count` corners), by weights of its corners, and the distance
// there; false: it is not below `within`. Of a mesh a triangle's inside is not looked at: where corners of the mesh
// stand out of it, they are to be looked at themselves.
bool cdg_obstacle_lowest(const cdg_obstacle *obstacle, const cdg_pose *pose, const cdg_vec3 *corners, int count,
                         double within, double weights[3], cdg_distance *out);
// Contacts of the segment a0 a1 of a rod of `radius` whose gap is below `margin`: its deepest point, or, where it lies
// along a face, both ends of the part that does, so that it rests on two points. Outside of a mesh: all its near points
// (mesh_near.h), in ascending order of s. Returns how many.
int cdg_obstacle_contacts(const cdg_obstacle *obstacle, const cdg_pose *pose, cdg_vec3 a0, cdg_vec3 a1, double radius,
                          double margin, cdg_obstacle_contact out[CDG_OBSTACLE_CONTACTS_MAX]);

#endif
