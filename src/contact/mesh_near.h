// All places where a segment is locally nearest to a mesh: in a hollow it lies against several faces at once, and
// pushing it off one alone presses it into the next.
#ifndef CDG_CONTACT_MESH_NEAR_H
#define CDG_CONTACT_MESH_NEAR_H

#include "contact/contact_mesh.h"

enum { CDG_MESH_PLACES_MAX = 24 };

typedef struct cdg_mesh_place {
    double s;         // parameter on the segment, [0, 1]
    double distance;  // m, positive
    cdg_vec3 between; // from the surface to the segment
} cdg_mesh_place;

typedef struct cdg_mesh_places {
    cdg_mesh_place list[CDG_MESH_PLACES_MAX]; // in ascending order of s
    int count;
    bool is_through; // the segment goes through the surface, or lies inside: there is no list
    bool is_short;   // there are more, farther than these
} cdg_mesh_places;

// Those nearer than `within`: an end over a face, an end or any point over an edge or a corner where the surface is
// convex. Both ends count, so what lies along a face has two. Places in one direction that lie nearer to each other
// than a quarter of `radius`, or between two others and no nearer, are left out.
void cdg_contact_mesh_places(const cdg_contact_mesh *mesh, cdg_vec3 a0, cdg_vec3 a1, double within, double radius,
                             cdg_mesh_places *out);

#endif
