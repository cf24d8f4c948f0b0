// What a picture shows: triangle meshes with colours, and a ground that catches shadows.
//
// Everything is in picture units, in which a ball of radius 1 about the origin holds the whole run. So rays in single
// precision suit rods of any size anywhere, and all lengths of light and shade are relative to what is seen.
#ifndef CDG_RENDER_PICTURE_SCENE_H
#define CDG_RENDER_PICTURE_SCENE_H

#include "math/float3.h"
#include "scene/scene.h"

// Where colours change around a rod: the second colour covers half of the way around.
typedef struct cdg_picture_mesh {
    size_t vertex_count, triangle_count;
    float *vertices;                    // 3 vertex_count
    float *normals;                     // 3 vertex_count, unit, outward
    float *colors;                      // 3 vertex_count, linear red, green, blue: share of the light that comes back
    uint32_t *triangles;                // 3 triangle_count, counter-clockwise seen from outside
    float *around;                      // vertex_count, turns in [0, 1); NULL: no stripe
    float3 stripe_factor, stripe_color; // where around < 1/2: color * factor + color
    bool has_stripe;                    // `around` is that of a stripe
    bool is_sheet;                      // has two sides: it is lit on the one that is seen
    bool is_see_through;                // what is behind it is seen, and it has no shadow
    scene_surface surface;              // what it is made of
    float *lay;        // rope alone, beside `around`: vertex_count, turns of its strands about the middle up to there
    float edge_width;  // pixels; 0: the triangles' edges are not drawn
    float3 edge_color; // linear
    float offset;      // rays that leave the surface start this far above it: how far facets are from the true shape
} cdg_picture_mesh;

typedef struct cdg_picture_scene {
    cdg_picture_mesh *meshes;
    size_t mesh_count;
    bool has_ground;
    cdg_vec3 up;          // unit
    double ground_height; // along `up`
} cdg_picture_scene;

// The arrays of all meshes are allocated, zero, and belong to the scene. vertex_counts and triangle_counts: mesh_count.
cdg_result cdg_picture_scene_create(size_t mesh_count, const size_t *vertex_counts, const size_t *triangle_counts,
                                    cdg_picture_scene **out, cdg_error *error);
void cdg_picture_scene_destroy(cdg_picture_scene *scene); // NULL is fine
// Gives a mesh a stripe: allocates `around`.
cdg_result cdg_picture_mesh_add_stripe(cdg_picture_mesh *mesh, cdg_error *error);
// Makes it a rope: allocates `around` and `lay`.
cdg_result cdg_picture_mesh_add_lay(cdg_picture_mesh *mesh, cdg_error *error);

// Place on a triangle, (1 - u - v, u, v) of its vertices.
typedef struct cdg_surface_point {
    float3 normal, color;
} cdg_surface_point;
// How much of the edges' colour a place has when edges are `width` wide (picture units): 1 on an edge, 0 beside it. The
// edges of triangles too small for their width are paler, so that a fine mesh is not all edge.
float cdg_picture_mesh_edge_share(const cdg_picture_mesh *mesh, uint32_t triangle, float u, float v, float width);
cdg_surface_point cdg_picture_mesh_at(const cdg_picture_mesh *mesh, uint32_t triangle, float u, float v);

#endif
