// A triangle mesh that encloses space: corners that coincide are made one, a tree of boxes finds what is near, and
// normals of faces, edges and corners tell inside from outside.
#ifndef CDG_CONTACT_CONTACT_MESH_H
#define CDG_CONTACT_CONTACT_MESH_H

#include "contact/box_pairs.h"
#include "contact/mesh_features.h"
#include "contact/segment_triangle.h"

#include <cordage/shape.h>

typedef struct cdg_contact_mesh_node {
    cdg_box box;
    uint32_t first, count; // leaf: triangles; inner node (count 0): children are this node + 1 and `first`
} cdg_contact_mesh_node;

typedef struct cdg_contact_mesh {
    cdg_vec3 *vertices;
    size_t vertex_count;
    uint32_t (*triangles)[3]; // in the order of the tree's leaves
    size_t triangle_count;
    // Outward, not of unit length. Of an edge: sum of its faces' unit normals; of a corner: weighted by the angles.
    cdg_vec3 *face_normals, *corner_normals;
    cdg_vec3 (*edge_normals)[3]; // edge k of a triangle is opposite its corner k
    cdg_contact_mesh_node *nodes;
    size_t node_count;
    cdg_mesh_features features;
    bool is_surface; // has no inside
} cdg_contact_mesh;

// Copies. Without `is_surface` the mesh must be closed: each edge between two triangles that run along it in opposite
// directions; the message names the first edge that is not. One that is closed but inside out is turned. Triangles
// without area are dropped.
cdg_result cdg_contact_mesh_build(const cdg_vec3 *vertices, size_t vertex_count, const uint32_t (*triangles)[3],
                                  size_t triangle_count, bool is_surface, cdg_contact_mesh *out, cdg_error *error);
void cdg_contact_mesh_free(cdg_contact_mesh *mesh);
// Its triangles, which stay where they are.
static inline cdg_mesh cdg_contact_mesh_surface(const cdg_contact_mesh *mesh) {
    return (cdg_mesh){mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, NULL, 0};
}

typedef struct cdg_contact_mesh_near {
    double distance; // signed: negative inside; a surface has no inside
    cdg_vec3 normal; // unit, away from what is inside: the way out inside
} cdg_contact_mesh_near;

// Of a point; `most`: no need to look farther (the distance is then HUGE_VAL).
cdg_contact_mesh_near cdg_contact_mesh_point(const cdg_contact_mesh *mesh, cdg_vec3 point, double most);

// Nearest triangle to a segment, unsigned; false: none within `most`.
bool cdg_contact_mesh_segment(const cdg_contact_mesh *mesh, cdg_vec3 a0, cdg_vec3 a1, double most,
                              cdg_triangle_closest *out, uint32_t *triangle);

#endif
