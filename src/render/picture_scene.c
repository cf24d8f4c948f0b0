// Meshes own their arrays; the colour at a point of a triangle is interpolated, a stripe's edge is sharp.
#include "render/picture_scene.h"

#include "base/error.h"

#include <stdlib.h>

static bool allocate_mesh(cdg_picture_mesh *mesh, size_t vertex_count, size_t triangle_count) {
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    // One more vertex than there are: Embree reads 16 bytes at the last one.
    mesh->vertices = calloc(3 * (vertex_count + 1), sizeof *mesh->vertices);
    mesh->normals = calloc(3 * (vertex_count + 1), sizeof *mesh->normals);
    mesh->colors = calloc(3 * (vertex_count + 1), sizeof *mesh->colors);
    mesh->triangles = calloc(3 * triangle_count + 1, sizeof *mesh->triangles);
    return mesh->vertices && mesh->normals && mesh->colors && mesh->triangles;
}

cdg_result cdg_picture_scene_create(size_t mesh_count, const size_t *vertex_counts, const size_t *triangle_counts,
                                    cdg_picture_scene **out, cdg_error *error) {
    *out = NULL;
    cdg_picture_scene *scene = calloc(1, sizeof *scene);
    if (scene) scene->meshes = calloc(mesh_count + 1, sizeof *scene->meshes);
    bool is_complete = scene && scene->meshes;
    for (size_t i = 0; is_complete && i < mesh_count; i++) {
        scene->mesh_count = i + 1;
        is_complete = allocate_mesh(&scene->meshes[i], vertex_counts[i], triangle_counts[i]);
    }
    if (!is_complete) {
        cdg_picture_scene_destroy(scene);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the picture's %zu meshes", mesh_count);
    }
    scene->up = (cdg_vec3){0, 0, 1};
    *out = scene;
    return CDG_OK;
}

void cdg_picture_scene_destroy(cdg_picture_scene *scene) {
    if (!scene) return;
    for (size_t i = 0; i < scene->mesh_count; i++) {
        cdg_picture_mesh *mesh = &scene->meshes[i];
        free(mesh->vertices);
        free(mesh->normals);
        free(mesh->colors);
        free(mesh->triangles);
        free(mesh->around);
    }
    free(scene->meshes);
    free(scene);
}

cdg_result cdg_picture_mesh_add_stripe(cdg_picture_mesh *mesh, cdg_error *error) {
    if (!mesh->around) mesh->around = calloc(mesh->vertex_count + 1, sizeof *mesh->around);
    if (!mesh->around) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a stripe");
    return CDG_OK;
}

// Values of a triangle that lies across the place where a turn ends are brought to the same turn first.
static float around_at(const float *around, const uint32_t *corners, float u, float v) {
    float a = around[corners[0]], b = around[corners[1]], c = around[corners[2]];
    if (b - a > 0.5F) b -= 1;
    if (a - b > 0.5F) b += 1;
    if (c - a > 0.5F) c -= 1;
    if (a - c > 0.5F) c += 1;
    float value = (1 - u - v) * a + u * b + v * c;
    return value - floorf(value);
}

float cdg_picture_mesh_edge_share(const cdg_picture_mesh *mesh, uint32_t triangle, float u, float v, float width) {
    static const float widths_for_full = 7; // of a triangle's height, for edges as dark as they get
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const float weights[3] = {1 - u - v, u, v};
    float3 p[3];
    for (int k = 0; k < 3; k++) p[k] = float3_read(mesh->vertices, corners[k]);
    float area = float3_norm(float3_cross(float3_sub(p[1], p[0]), float3_sub(p[2], p[0]))), least = INFINITY;
    bool is_near = false;
    for (int k = 0; k < 3; k++) { // a weight is the distance from the side opposite, in heights
        float side = float3_norm(float3_sub(p[(k + 1) % 3], p[(k + 2) % 3]));
        float height = side > 0 ? area / side : 0;
        least = fminf(least, height);
        is_near |= weights[k] * height < 0.5F * width;
    }
    return is_near ? clamp_unit(least / (widths_for_full * width)) : 0;
}

cdg_surface_point cdg_picture_mesh_at(const cdg_picture_mesh *mesh, uint32_t triangle, float u, float v) {
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    const float weights[3] = {1 - u - v, u, v};
    cdg_surface_point point = {.normal = {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        point.normal = float3_mad(point.normal, weights[k], float3_read(mesh->normals, corners[k]));
        point.color = float3_mad(point.color, weights[k], float3_read(mesh->colors, corners[k]));
    }
    point.normal = float3_normalize(point.normal);
    if (mesh->around && around_at(mesh->around, corners, u, v) < 0.5F)
        point.color = float3_add(float3_multiply(point.color, mesh->stripe_factor), mesh->stripe_color);
    return point;
}
