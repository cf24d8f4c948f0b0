// The faces of a mesh that a picture shows, each with its own corners, so that they look flat and have edges.
#ifndef CDG_RENDER_MESH_FACES_H
#define CDG_RENDER_MESH_FACES_H

#include "render/cut_plane.h"

#include <cordage/meshing.h>

typedef struct cdg_mesh_faces {
    cdg_vec3 (*corners)[3]; // outer faces first, then those that a cut has laid open
    size_t outer_count, inner_count;
    cdg_vec3 low, high;  // box of the whole mesh, m
    size_t hidden_count; // cells that the cut has taken away
} cdg_mesh_faces;

// Tetrahedra whose middle the cut takes away are left out; the others are seen whole. `cut` may be NULL.
cdg_result cdg_mesh_faces_of_tetrahedra(const cdg_mesh *mesh, const cdg_cut_plane *cut, cdg_mesh_faces *out,
                                        cdg_error *error);
cdg_result cdg_mesh_faces_of_triangles(const cdg_mesh *mesh, const cdg_cut_plane *cut, cdg_mesh_faces *out,
                                       cdg_error *error);
void cdg_mesh_faces_free(cdg_mesh_faces *faces);

#endif
