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
        free(mesh->lay);
    }
    free(scene->meshes);
    free(scene);
}

cdg_result cdg_picture_mesh_add_stripe(cdg_picture_mesh *mesh, cdg_error *error) {
    if (!mesh->around) mesh->around = calloc(mesh->vertex_count + 1, sizeof *mesh->around);
    if (!mesh->around) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a stripe");
    mesh->has_stripe = true;
    return CDG_OK;
}

cdg_result cdg_picture_mesh_add_lay(cdg_picture_mesh *mesh, cdg_error *error) {
    if (!mesh->around) mesh->around = calloc(mesh->vertex_count + 1, sizeof *mesh->around);
    if (!mesh->lay) mesh->lay = calloc(mesh->vertex_count + 1, sizeof *mesh->lay);
    if (!mesh->around || !mesh->lay) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a rope's strands");
    return CDG_OK;
}

// Values of a triangle that lies across the place where a turn ends are brought to the same turn first.
static void read_around(const float *around, const uint32_t *corners, float out[3]) {
    float a = around[corners[0]], b = around[corners[1]], c = around[corners[2]];
    if (b - a > 0.5F) b -= 1;
    if (a - b > 0.5F) b += 1;
    if (c - a > 0.5F) c -= 1;
    if (a - c > 0.5F) c += 1;
    out[0] = a, out[1] = b, out[2] = c;
}

static float around_at(const float *around, const uint32_t *corners, float u, float v) {
    float at[3];
    read_around(around, corners, at);
    float value = (1 - u - v) * at[0] + u * at[1] + v * at[2];
    return value - floorf(value);
}

// Three strands laid about each other: round on their backs, dark in the grooves between them. The surface is not
// moved; its normal leans as that of the strands would, along the way on which `phase`, in strands, grows.
static void lay_strands(const cdg_picture_mesh *mesh, const uint32_t *corners, float u, float v,
                        cdg_surface_point *at) {
    enum { STRANDS = 3 };
    const float lean = 0.75F, darkest = 0.38F;
    float phase[3], around[3];
    float3 p[3];
    read_around(mesh->around, corners, around);
    for (int k = 0; k < 3; k++) {
        phase[k] = STRANDS * (around[k] + mesh->lay[corners[k]]);
        p[k] = float3_read(mesh->vertices, corners[k]);
    }
    float3 a = float3_sub(p[1], p[0]), b = float3_sub(p[2], p[0]);
    float aa = float3_dot(a, a), ab = float3_dot(a, b), bb = float3_dot(b, b), all = aa * bb - ab * ab;
    if (!(all > 0)) return;
    float da = phase[1] - phase[0], db = phase[2] - phase[0];
    float3 uphill = float3_mad(float3_scale((bb * da - ab * db) / all, a), (aa * db - ab * da) / all, b);
    float value = (1 - u - v) * phase[0] + u * phase[1] + v * phase[2];
    float across = 2 * (value - floorf(value)) - 1; // -1 and 1 in the grooves, 0 on the back
    if (float3_norm(uphill) > 0)
        at->normal = float3_normalize(float3_mad(at->normal, lean * across * fabsf(across), float3_normalize(uphill)));
    float depth = across * across;
    at->color = float3_scale(1 - (1 - darkest) * depth * depth * depth, at->color);
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
    if (mesh->lay) lay_strands(mesh, corners, u, v, &point);
    if (mesh->has_stripe && around_at(mesh->around, corners, u, v) < 0.5F)
        point.color = float3_add(float3_multiply(point.color, mesh->stripe_factor), mesh->stripe_color);
    return point;
}
