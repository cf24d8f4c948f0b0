// Edges and corners of a mesh, each once, with the directions of the triangles around them. These directions alone tell
// whether an edge or a corner is locally nearest to a point off the surface.
#ifndef CDG_CONTACT_MESH_FEATURES_H
#define CDG_CONTACT_MESH_FEATURES_H

#include <cordage/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cdg_half_edge {
    uint32_t low, high; // corners
    uint32_t triangle;
    uint8_t side;      // opposite this corner of the triangle
    bool is_ascending; // the triangle runs from low to high
} cdg_half_edge;

typedef struct cdg_mesh_edge {
    uint32_t corner[2];
    uint32_t first_wing, wing_count; // one wing for each triangle
    double widening;                 // sine: by how much its cone is made wider; 0: it is flat
} cdg_mesh_edge;

typedef struct cdg_mesh_features {
    cdg_mesh_edge *edges;
    size_t edge_count;
    cdg_vec3 *wings;           // unit: from the edge into the triangle, across the edge; zero without area
    uint32_t *first_neighbour; // of corners, and one more
    uint32_t *neighbours;      // corners at the other ends of a corner's edges
    double *sharpness;         // of corners: sine of the least angle by which all edges fall away; 0: one does not
    uint32_t (*edge_of)[3];    // of triangles: the edges that are theirs to look at, else CDG_NO_EDGE
    uint8_t *corners_of;       // of triangles: bits of the corners that are theirs to look at
} cdg_mesh_features;

#define CDG_NO_EDGE UINT32_MAX

// `half_edges`: three for each triangle, sorted by low, high and triangle. False: no memory; then there is nothing.
bool cdg_mesh_features_build(const cdg_vec3 *vertices, size_t vertex_count, size_t triangle_count,
                             const uint32_t (*triangles)[3], const cdg_half_edge *half_edges, cdg_mesh_features *out);
void cdg_mesh_features_free(cdg_mesh_features *features);

// Whether edge `index` is locally nearest to a point off the surface: no point of the surface around the edge is nearer
// than the foot, the nearest point of the edge; `between` goes from the foot to the point. Where the surface is convex,
// slightly more directions count, so that a segment along it keeps its near points when it tilts.
bool cdg_mesh_edge_is_nearest(const cdg_mesh_features *features, uint32_t index, cdg_vec3 between);
// The same of a corner.
bool cdg_mesh_corner_is_nearest(const cdg_mesh_features *features, const cdg_vec3 *vertices, uint32_t corner,
                                cdg_vec3 between);

#endif
