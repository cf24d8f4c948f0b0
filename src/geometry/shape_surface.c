// Surfaces of balls, blocks, capsules, cylinders, meshes and parts of planes: rings about the z axis, faces with sharp
// edges.
#include "geometry/shape_surface.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>

enum { SIDES = 64, ARC_RINGS = 16 }; // around, and from pole to equator

static const double pi = 3.14159265358979323846;

static cdg_result allocate(cdg_shape_surface *out, size_t vertices, size_t triangles, cdg_error *error) {
    *out = (cdg_shape_surface){.vertices = calloc(vertices + 1, sizeof *out->vertices),
                               .normals = calloc(vertices + 1, sizeof *out->normals),
                               .triangles = calloc(triangles + 1, sizeof *out->triangles)};
    if (out->vertices != NULL && out->normals != NULL && out->triangles != NULL) return CDG_OK;
    cdg_shape_surface_free(out);
    cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the surface of a shape");
    return CDG_ERROR_MEMORY;
}

void cdg_shape_surface_free(cdg_shape_surface *shape) {
    free(shape->vertices);
    free(shape->normals);
    free(shape->triangles);
    *shape = (cdg_shape_surface){0};
}

static uint32_t add_vertex(cdg_shape_surface *shape, cdg_vec3 at, cdg_vec3 normal) {
    shape->vertices[shape->vertex_count] = at;
    shape->normals[shape->vertex_count] = normal;
    return (uint32_t)shape->vertex_count++;
}

static void add_triangle(cdg_shape_surface *shape, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *to = shape->triangles[shape->triangle_count++];
    to[0] = a, to[1] = b, to[2] = c;
}

// A ring of vertices about z; returns the first.
static uint32_t add_ring(cdg_shape_surface *shape, double radius, double z, double slope) { // slope: of the normal, rad
    uint32_t first = (uint32_t)shape->vertex_count;
    for (int k = 0; k < SIDES; k++) {
        double angle = 2 * pi * k / SIDES;
        cdg_vec3 out = vec3(cos(angle), sin(angle), 0);
        cdg_vec3 normal = vec3_mad(vec3_scale(cos(slope), out), sin(slope), vec3(0, 0, 1));
        add_vertex(shape, vec3(radius * out.x, radius * out.y, z), normal);
    }
    return first;
}

// Between a lower and an upper ring.
static void add_band(cdg_shape_surface *shape, uint32_t low, uint32_t high) {
    for (uint32_t k = 0; k < SIDES; k++) {
        uint32_t next = (k + 1) % SIDES;
        add_triangle(shape, low + k, low + next, high + k);
        add_triangle(shape, low + next, high + next, high + k);
    }
}

// A ball, pulled apart along z by `length`.
static cdg_result make_round(double radius, double length, cdg_shape_surface *out, cdg_error *error) {
    enum { RINGS = 2 * (ARC_RINGS + 1) };
    cdg_result result = allocate(out, (size_t)RINGS * SIDES, (size_t)2 * (RINGS - 1) * SIDES, error);
    if (result != CDG_OK) return result;
    uint32_t before = 0;
    for (int r = 0; r < RINGS; r++) {
        bool is_upper = r > ARC_RINGS;
        double slope = pi / 2 * ((double)(is_upper ? r - ARC_RINGS - 1 : r - ARC_RINGS) / ARC_RINGS);
        double z = radius * sin(slope) + (is_upper ? length / 2 : -length / 2);
        uint32_t ring = add_ring(out, radius * cos(slope), z, slope);
        if (r > 0) add_band(out, before, ring);
        before = ring;
    }
    return CDG_OK;
}

static cdg_result make_cylinder(double radius, double length, cdg_shape_surface *out, cdg_error *error) {
    cdg_result result = allocate(out, 4 * SIDES + 2, 4 * SIDES, error);
    if (result != CDG_OK) return result;
    uint32_t low = add_ring(out, radius, -length / 2, 0), high = add_ring(out, radius, length / 2, 0);
    add_band(out, low, high);
    for (int end = 0; end < 2; end++) {
        double sign = end == 0 ? -1 : 1;
        uint32_t rim = add_ring(out, radius, sign * length / 2, sign * pi / 2);
        uint32_t middle = add_vertex(out, vec3(0, 0, sign * length / 2), vec3(0, 0, sign));
        for (uint32_t k = 0; k < SIDES; k++) {
            uint32_t next = rim + (k + 1) % SIDES, here = rim + k;
            add_triangle(out, middle, end == 0 ? next : here, end == 0 ? here : next);
        }
    }
    return CDG_OK;
}

// Each triangle with its own normal.
static cdg_result make_flat(const cdg_vec3 *vertices, const uint32_t (*triangles)[3], size_t count,
                            cdg_shape_surface *out, cdg_error *error) {
    cdg_result result = allocate(out, 3 * count, count, error);
    if (result != CDG_OK) return result;
    for (size_t t = 0; t < count; t++) {
        cdg_vec3 a = vertices[triangles[t][0]], b = vertices[triangles[t][1]], c = vertices[triangles[t][2]];
        cdg_vec3 normal = vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        uint32_t first = add_vertex(out, a, normal);
        add_vertex(out, b, normal);
        add_vertex(out, c, normal);
        add_triangle(out, first, first + 1, first + 2);
    }
    return CDG_OK;
}

static cdg_result make_box(const cdg_shape *shape, cdg_shape_surface *out, cdg_error *error) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    cdg_vec3 corners[8];
    cdg_shape_surface_corners(shape, corners);
    return make_flat(corners, faces, 12, out, error);
}

static cdg_result make_plane(const cdg_shape *shape, const cdg_plane_part *part, cdg_shape_surface *out,
                             cdg_error *error) {
    static const uint32_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    cdg_vec3 n = shape->normal, first = vec3_any_perpendicular(n), second = vec3_cross(n, first);
    cdg_vec3 middle = vec3_mad(part->middle, shape->offset - vec3_dot(n, part->middle), n), corners[4];
    for (int k = 0; k < 4; k++) {
        double u = k == 1 || k == 2 ? part->reach : -part->reach, v = k >= 2 ? part->reach : -part->reach;
        corners[k] = vec3_mad(vec3_mad(middle, u, first), v, second);
    }
    return make_flat(corners, faces, 2, out, error);
}

cdg_result cdg_shape_surface_make(const cdg_shape *shape, const cdg_plane_part *part, cdg_shape_surface *out,
                                  cdg_error *error) {
    switch (shape->kind) {
    case CDG_SHAPE_PLANE: return make_plane(shape, part, out, error);
    case CDG_SHAPE_SPHERE: return make_round(shape->radius, 0, out, error);
    case CDG_SHAPE_CAPSULE: return make_round(shape->radius, shape->length, out, error);
    case CDG_SHAPE_CYLINDER: return make_cylinder(shape->radius, shape->length, out, error);
    case CDG_SHAPE_BOX: return make_box(shape, out, error);
    case CDG_SHAPE_MESH:
        return make_flat(shape->mesh.points, (const uint32_t(*)[3])shape->mesh.triangles, shape->mesh.triangle_count,
                         out, error);
    default: break;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no shape of kind number %d", (int)shape->kind);
}

void cdg_shape_surface_corners(const cdg_shape *shape, cdg_vec3 out[8]) {
    cdg_vec3 half = vec3(shape->radius, shape->radius, shape->radius), middle = vec3(0, 0, 0);
    if (shape->kind == CDG_SHAPE_PLANE) half = vec3(0, 0, 0);
    if (shape->kind == CDG_SHAPE_CAPSULE) half.z += shape->length / 2;
    if (shape->kind == CDG_SHAPE_CYLINDER) half.z = shape->length / 2;
    if (shape->kind == CDG_SHAPE_BOX) half = vec3_scale(0.5, shape->size);
    if (shape->kind == CDG_SHAPE_MESH && shape->mesh.point_count > 0) {
        cdg_vec3 low = shape->mesh.points[0], high = low;
        for (size_t i = 1; i < shape->mesh.point_count; i++) {
            cdg_vec3 v = shape->mesh.points[i];
            low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
            high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
        }
        middle = vec3_lerp(low, high, 0.5);
        half = vec3_scale(0.5, vec3_sub(high, low));
    }
    for (int i = 0; i < 8; i++)
        out[i] = vec3_add(middle, vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
}
