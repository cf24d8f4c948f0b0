// Near points: all points of a segment that are locally nearest to a mesh. In a hollow, a segment lies against several
// faces at once, and a push off one alone presses it into the next.
#ifndef CDG_CONTACT_MESH_NEAR_H
#define CDG_CONTACT_MESH_NEAR_H

#include "contact/contact_mesh.h"

enum { CDG_MESH_NEAR_POINTS_MAX = 24 };

typedef struct cdg_mesh_near_point {
    double s;         // parameter on the segment, [0, 1]
    double distance;  // m, positive
    cdg_vec3 between; // from the surface to the segment
} cdg_mesh_near_point;

typedef struct cdg_mesh_near_points {
    cdg_mesh_near_point list[CDG_MESH_NEAR_POINTS_MAX]; // in ascending order of s
    int count;
    bool is_through; // the segment goes through the surface or lies inside: the list is empty
    bool is_short;   // more exist, farther away than these
} cdg_mesh_near_points;

// Near points at distances below `within`: an end over a face; an end, or any point, over an edge or a corner where the
// surface is convex. Both ends count, so a segment along a face has two. Of near points in one direction, those closer
// to each other than a quarter of `radius`, and those between two others but no nearer, are left out.
void cdg_contact_mesh_near_points(const cdg_contact_mesh *mesh, cdg_vec3 a0, cdg_vec3 a1, double within, double radius,
                                  cdg_mesh_near_points *out);

#endif
