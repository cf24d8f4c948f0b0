// Discs and caps get the sunflower's arrangement (Vogel 1979): each point a golden angle further, at a radius that
// gives all the same area. Meshes are cut into pieces of equal area, with a point anywhere in each.
#include "geometry/patch.h"

#include "base/error.h"

#include <stdlib.h>

static const double golden_angle = 2.399963229728653;

static cdg_result check_round(const cdg_patch *patch, cdg_error *error) {
    double length = vec3_norm(patch->axis);
    if (!(patch->radius > 0 && isfinite(patch->radius)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the radius is %g m; it must be positive", patch->radius);
    if (!(length > 0 && isfinite(length)) || !vec3_is_finite(patch->center))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the axis must be a direction, and the center a point");
    if (patch->kind == CDG_PATCH_CAP && !(patch->angle > 0 && patch->angle <= 3.141592653589794))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the angle is %g rad; it lies between 0 and half a turn",
                        patch->angle);
    return CDG_OK;
}

// Twice the area times the normal.
static cdg_vec3 triangle_normal(const cdg_patch *patch, size_t triangle) {
    const uint32_t *corner = patch->triangles[triangle];
    cdg_vec3 a = patch->vertices[corner[0]];
    return vec3_cross(vec3_sub(patch->vertices[corner[1]], a), vec3_sub(patch->vertices[corner[2]], a));
}

static double mesh_area(const cdg_patch *patch) {
    double area = 0;
    for (size_t i = 0; i < patch->triangle_count; i++) area += 0.5 * vec3_norm(triangle_normal(patch, i));
    return area;
}

cdg_result cdg_patch_check(const cdg_patch *patch, cdg_error *error) {
    if ((unsigned)patch->kind >= CDG_PATCH_KIND_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no patch kind number %d", (int)patch->kind);
    if (patch->kind != CDG_PATCH_MESH) return check_round(patch, error);
    if ((patch->vertices == NULL && patch->vertex_count > 0) || (patch->triangles == NULL && patch->triangle_count > 0))
        return cdg_fail_null(error, "an array of the mesh");
    for (size_t i = 0; i < patch->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (patch->triangles[i][k] >= patch->vertex_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "triangle %zu has the corner %u, but there are only %zu", i,
                                (unsigned)patch->triangles[i][k], patch->vertex_count);
    double area = mesh_area(patch);
    if (!(area > 0 && isfinite(area)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the mesh has an area of %g m^2; nothing can grow there", area);
    return CDG_OK;
}

// ---- round ----------------------------------------------------------------------------------------------------------

static void sample_round(const cdg_patch *patch, size_t count, double jitter, cdg_random *random, cdg_vec3 *points,
                         cdg_vec3 *normals) {
    cdg_quat upright = quat_between(vec3(0, 0, 1), vec3_normalize(patch->axis));
    double height = patch->kind == CDG_PATCH_CAP ? 1 - cos(patch->angle) : 0; // of the cap over its radius
    for (size_t i = 0; i < count; i++) {
        // each point has the same share of the area; half a share to and fro stays within its own ring
        double share = ((double)i + 0.5 + jitter * random_in(random, -0.5, 0.5)) / (double)count;
        double turn = golden_angle * (double)i + jitter * random_in(random, -0.5, 0.5);
        if (count == 1) share = 0;
        double cosine = 1 - share * height; // of the angle from the axis, for a cap
        double away = patch->kind == CDG_PATCH_CAP ? sqrt(fmax(0, 1 - cosine * cosine)) : sqrt(share);
        cdg_vec3 position = vec3(away * cos(turn), away * sin(turn), patch->kind == CDG_PATCH_CAP ? cosine : 0);
        cdg_vec3 normal = patch->kind == CDG_PATCH_CAP ? position : vec3(0, 0, 1);
        points[i] = vec3_mad(patch->center, patch->radius, quat_rotate(upright, position));
        normals[i] = quat_rotate(upright, normal);
    }
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

static cdg_result sample_mesh(const cdg_patch *patch, size_t count, cdg_random *random, cdg_vec3 *points,
                              cdg_vec3 *normals, cdg_error *error) {
    cdg_vec3 *smooth = calloc(patch->vertex_count, sizeof *smooth); // normals at the corners, by area
    if (smooth == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a mesh of %zu corners", count);
    for (size_t i = 0; i < patch->triangle_count; i++) {
        cdg_vec3 normal = triangle_normal(patch, i);
        for (int k = 0; k < 3; k++) smooth[patch->triangles[i][k]] = vec3_add(smooth[patch->triangles[i][k]], normal);
    }
    double total = mesh_area(patch), passed = 0;
    size_t triangle = 0;
    cdg_vec3 face = triangle_normal(patch, 0);
    for (size_t i = 0; i < count; i++) {
        double wanted = total * ((double)i + random_unit(random)) / (double)count;
        while (triangle + 1 < patch->triangle_count && passed + 0.5 * vec3_norm(face) <= wanted) {
            passed += 0.5 * vec3_norm(face);
            face = triangle_normal(patch, ++triangle);
        }
        double u = random_unit(random), v = random_unit(random);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const uint32_t *corner = patch->triangles[triangle];
        const double weights[3] = {1 - u - v, u, v};
        cdg_vec3 point = vec3(0, 0, 0), normal = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            point = vec3_mad(point, weights[k], patch->vertices[corner[k]]);
            normal = vec3_mad(normal, weights[k], vec3_normalize(smooth[corner[k]]));
        }
        points[i] = point;
        // where faces meet back to back the mean has no direction
        normals[i] = vec3_normalize(vec3_norm(normal) > 1e-6 ? normal : face);
    }
    free(smooth);
    return CDG_OK;
}

cdg_result cdg_patch_sample(const cdg_patch *patch, size_t count, double jitter, cdg_random *random, cdg_vec3 *points,
                            cdg_vec3 *normals, cdg_error *error) {
    if (patch->kind == CDG_PATCH_MESH) return sample_mesh(patch, count, random, points, normals, error);
    sample_round(patch, count, jitter, random, points, normals);
    return CDG_OK;
}

cdg_vec3 cdg_patch_center(const cdg_patch *patch) {
    if (patch->kind != CDG_PATCH_MESH || patch->vertex_count == 0) return patch->center;
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < patch->vertex_count; i++) sum = vec3_add(sum, patch->vertices[i]);
    return vec3_scale(1 / (double)patch->vertex_count, sum);
}
