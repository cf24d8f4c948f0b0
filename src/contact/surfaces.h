// The surfaces among the objects that contact sees (proxy.h): their triangles, edges and vertices in one numbering. A
// vertex and an edge belong to the first triangle that has them, so that of two triangles that come near each other
// each vertex meets the other triangle, and each edge another edge, once (representative triangles: Curtis, Tamstorf
// and Manocha 2008, "Fast collision detection for deformable models using representative-triangles").
#ifndef CDG_CONTACT_SURFACES_H
#define CDG_CONTACT_SURFACES_H

#include "base/error.h"
#include "contact/proxy.h"

typedef struct cdg_surface_triangle {
    uint32_t corner[3], edge[3]; // vertices, and edges, of which number k is opposite corner k
    uint32_t point[3];           // of the pieces, of the corners
    uint32_t surface;
    bool owns_corner[3], owns_edge[3];
} cdg_surface_triangle;

typedef struct cdg_surface_edge {
    uint32_t end[2];   // vertices
    uint32_t triangle; // the first that has it
    uint32_t opposite; // the corner of that which is no end
    uint32_t point[3]; // of the pieces, of the ends and that corner
} cdg_surface_edge;

typedef struct cdg_surface_vertex {
    uint32_t point;    // of the pieces
    uint32_t surface;  // number among surfaces
    uint32_t triangle; // the first that has it; UINT32_MAX: none
    uint32_t edge;     // the first that ends in it; UINT32_MAX: none
    cdg_vec3 rest;     // m
} cdg_surface_vertex;

typedef struct cdg_surfaces {
    size_t count, vertex_count, edge_count, triangle_count;
    uint32_t *first_vertex, *first_edge, *first_triangle; // count + 1 each
    double *thickness;                                    // m, count
    bool *passes_itself;                                  // count: its own triangles never meet
    cdg_surface_vertex *vertices;
    cdg_surface_edge *edges;
    cdg_surface_triangle *triangles;
} cdg_surfaces;

// The proxies of surfaces; `point_of`: the pieces' points, one after the other.
cdg_result cdg_surfaces_build(cdg_surfaces *out, const cdg_proxy *proxies, size_t count, const uint32_t *point_of,
                              cdg_error *error);
// The pieces' points are numbered anew.
void cdg_surfaces_renumber(cdg_surfaces *surfaces, const uint32_t *point_of);
void cdg_surfaces_free(cdg_surfaces *surfaces);

static inline uint32_t surfaces_of_edge(const cdg_surfaces *it, uint32_t edge) {
    return it->triangles[it->edges[edge].triangle].surface;
}

#endif
