// Meshes of simple shapes: a flat triangulation that is drawn along a line or a circle, every prism cut into three
// tetrahedra along diagonals from the corner of lower number, so that neighbours agree. Balls are filled by the mesher.
#include "solids/shape_mesh.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct flat_mesh {
    double (*points)[2];
    size_t point_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
} flat_mesh;

static bool flat_room(flat_mesh *flat, size_t points, size_t triangles) {
    flat->points = malloc(points * sizeof *flat->points);
    flat->triangles = malloc(triangles * sizeof *flat->triangles);
    return flat->points != NULL && flat->triangles != NULL;
}

static void flat_free(flat_mesh *flat) {
    free(flat->points);
    free(flat->triangles);
}

static void add_triangle(flat_mesh *flat, size_t a, size_t b, size_t c) {
    uint32_t *t = flat->triangles[flat->triangle_count++];
    t[0] = (uint32_t)a, t[1] = (uint32_t)b, t[2] = (uint32_t)c;
}

// The unit square in columns x rows cells; a ring closes in the first direction.
static bool flat_grid(flat_mesh *flat, size_t columns, size_t rows, bool is_ring) {
    size_t across = is_ring ? columns : columns + 1;
    if (!flat_room(flat, across * (rows + 1), 2 * columns * rows)) return false;
    for (size_t j = 0; j <= rows; j++)
        for (size_t i = 0; i < across; i++) {
            double *p = flat->points[flat->point_count++];
            p[0] = (double)i / (double)columns, p[1] = (double)j / (double)rows;
        }
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < columns; i++) {
            size_t next = i + 1 < across ? i + 1 : 0, a = j * across + i, b = j * across + next, c = b + across,
                   d = a + across;
            if ((i + j) % 2 == 0) {
                add_triangle(flat, a, b, c);
                add_triangle(flat, a, c, d);
            } else {
                add_triangle(flat, a, b, d);
                add_triangle(flat, b, c, d);
            }
        }
    return true;
}

// The unit disc: a middle point and rings of 6, 12, 18, ... points.
static bool flat_disc(flat_mesh *flat, size_t rings) {
    if (!flat_room(flat, 1 + 3 * rings * (rings + 1), 6 * rings * rings)) return false;
    double *middle = flat->points[flat->point_count++];
    middle[0] = middle[1] = 0;
    for (size_t r = 1; r <= rings; r++)
        for (size_t i = 0; i < 6 * r; i++) {
            double angle = 2 * pi * (double)i / (double)(6 * r), radius = (double)r / (double)rings;
            double *p = flat->points[flat->point_count++];
            p[0] = radius * cos(angle), p[1] = radius * sin(angle);
        }
    for (size_t r = 1; r <= rings; r++) {
        size_t inner = r > 1 ? 1 + 3 * (r - 1) * (r - 2) : 0, outer = 1 + 3 * r * (r - 1);
        for (size_t side = 0; side < 6; side++)
            for (size_t i = 0; i < r; i++) {
                size_t a = outer + side * r + i, b = outer + (side * r + i + 1) % (6 * r);
                size_t c = r > 1 ? inner + (side * (r - 1) + i) % (6 * (r - 1)) : 0;
                add_triangle(flat, a, b, c);
                if (i + 1 < r) add_triangle(flat, b, inner + (side * (r - 1) + i + 1) % (6 * (r - 1)), c);
            }
    }
    return true;
}

// ---- drawing along --------------------------------------------------------------------------------------------------

typedef cdg_vec3 (*placing)(const cdg_shape *def, const double flat[2], double along);

static void sort3(uint32_t t[3]) {
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (t[k] > t[k + 1]) {
                uint32_t kept = t[k];
                t[k] = t[k + 1], t[k + 1] = kept;
            }
}

static void add_tetrahedron(cdg_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const cdg_vec3 *p = mesh->points;
    cdg_vec3 normal = vec3_cross(vec3_sub(p[b], p[a]), vec3_sub(p[c], p[a]));
    bool is_right = vec3_dot(normal, vec3_sub(p[d], p[a])) > 0;
    uint32_t *t = mesh->tetrahedra[mesh->tetrahedron_count++];
    t[0] = a, t[1] = is_right ? b : c, t[2] = is_right ? c : b, t[3] = d;
}

static bool draw(const cdg_shape *def, const flat_mesh *flat, size_t layers, bool is_closed, placing place,
                 cdg_mesh *out) {
    size_t levels = is_closed ? layers : layers + 1, n = flat->point_count;
    out->points = malloc(levels * n * sizeof *out->points);
    out->tetrahedra = malloc(3 * layers * flat->triangle_count * sizeof *out->tetrahedra);
    if (out->points == NULL || out->tetrahedra == NULL) return false;
    for (size_t k = 0; k < levels; k++)
        for (size_t i = 0; i < n; i++)
            out->points[out->point_count++] = place(def, flat->points[i], (double)k / (double)layers);
    for (size_t k = 0; k < layers; k++)
        for (size_t t = 0; t < flat->triangle_count; t++) {
            uint32_t corner[3], low[3], high[3];
            memcpy(corner, flat->triangles[t], sizeof corner);
            sort3(corner);
            for (int c = 0; c < 3; c++) {
                low[c] = corner[c] + (uint32_t)(k * n);
                high[c] = corner[c] + (uint32_t)((k + 1 < levels ? k + 1 : 0) * n);
            }
            add_tetrahedron(out, low[0], low[1], low[2], high[2]);
            add_tetrahedron(out, low[0], low[1], high[1], high[2]);
            add_tetrahedron(out, low[0], high[0], high[1], high[2]);
        }
    return true;
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

static cdg_vec3 place_box(const cdg_shape *d, const double flat[2], double along) {
    return vec3((flat[0] - 0.5) * d->size.x, (flat[1] - 0.5) * d->size.y, (along - 0.5) * d->size.z);
}
static cdg_vec3 place_cylinder(const cdg_shape *d, const double flat[2], double along) {
    return vec3(d->radius * flat[0], d->radius * flat[1], (along - 0.5) * d->length);
}
static cdg_vec3 place_tube(const cdg_shape *d, const double flat[2], double along) {
    double radius = d->inner_radius + flat[1] * (d->radius - d->inner_radius), angle = 2 * pi * flat[0];
    return vec3(radius * cos(angle), radius * sin(angle), (along - 0.5) * d->length);
}
static cdg_vec3 place_torus(const cdg_shape *d, const double flat[2], double along) {
    double radius = d->radius + d->thickness * flat[0], angle = 2 * pi * along;
    return vec3(radius * cos(angle), radius * sin(angle), d->thickness * flat[1]);
}
static cdg_vec3 place_wedge(const cdg_shape *d, const double flat[2], double along) {
    double radius = d->inner_radius + flat[1] * (d->radius - d->inner_radius), angle = d->angle * (flat[0] - 0.5);
    return vec3(radius * sin(angle), (along - 0.5) * d->length, radius * cos(angle));
}
static cdg_vec3 place_revolved(const cdg_shape *d, const double flat[2], double along) {
    const double(*p)[2] = d->profile;
    double low = p[0][1], height = low + along * (p[d->profile_count - 1][1] - low);
    size_t k = 0;
    while (k + 2 < d->profile_count && p[k + 1][1] < height) k++;
    double share = (height - p[k][1]) / (p[k + 1][1] - p[k][1]);
    double radius = p[k][0] + fmin(fmax(share, 0), 1) * (p[k + 1][0] - p[k][0]);
    return vec3(radius * flat[0], radius * flat[1], height);
}

static double longest(const cdg_shape *d) {
    switch (d->kind) {
    case CDG_SHAPE_BOX:
    case CDG_SHAPE_ELLIPSOID: return fmax(fmax(d->size.x, d->size.y), d->size.z);
    case CDG_SHAPE_SPHERE: return 2 * d->radius;
    case CDG_SHAPE_CYLINDER:
    case CDG_SHAPE_TUBE: return fmax(2 * d->radius, d->length);
    case CDG_SHAPE_TORUS: return 2 * (d->radius + d->thickness);
    case CDG_SHAPE_WEDGE: return fmax(fmax(d->radius - d->inner_radius, d->length), d->radius * d->angle);
    case CDG_SHAPE_REVOLVED: return d->profile_count > 0 ? d->profile[d->profile_count - 1][1] - d->profile[0][1] : 0;
    default: break;
    }
    return 0;
}

// A double, since a slip of the unit makes 1e15 of them.
double cdg_shape_tetrahedra(const cdg_shape *d, double resolution) {
    double size = resolution > 0 ? resolution : longest(d) / 10;
#define ALONG(length) fmax((length) / size, 1)
    switch (d->kind) {
    case CDG_SHAPE_BOX: return 6 * ALONG(d->size.x) * ALONG(d->size.y) * ALONG(d->size.z);
    case CDG_SHAPE_ELLIPSOID: return 6.3 * ALONG(d->size.x) * ALONG(d->size.y) * ALONG(d->size.z);
    case CDG_SHAPE_SPHERE: return 50 * ALONG(d->radius) * ALONG(d->radius) * ALONG(d->radius);
    case CDG_SHAPE_CYLINDER: return 18 * ALONG(d->radius) * ALONG(d->radius) * ALONG(d->length);
    case CDG_SHAPE_TUBE:
        return 6 * ALONG(pi * (d->radius + d->inner_radius)) * ALONG(d->radius - d->inner_radius) * ALONG(d->length);
    case CDG_SHAPE_TORUS: return 18 * ALONG(d->thickness) * ALONG(d->thickness) * ALONG(2 * pi * d->radius);
    case CDG_SHAPE_WEDGE:
        return 6 * ALONG(0.5 * (d->radius + d->inner_radius) * d->angle) * ALONG(d->radius - d->inner_radius) *
               ALONG(d->length);
    case CDG_SHAPE_REVOLVED: {
        double widest = 0;
        for (size_t i = 0; i < d->profile_count; i++) widest = fmax(widest, d->profile[i][0]);
        return 18 * ALONG(widest) * ALONG(widest) * ALONG(longest(d));
    }
    default: break;
    }
#undef ALONG
    return 0;
}

static bool is_length(double value) { return value > 0 && isfinite(value); }

static cdg_result check(const cdg_shape *d, double resolution, cdg_error *error) {
    bool is_good = true;
    const char *needs = "";
    switch (d->kind) {
    case CDG_SHAPE_BOX:
    case CDG_SHAPE_ELLIPSOID:
        needs = "a positive size along each axis";
        is_good = is_length(d->size.x) && is_length(d->size.y) && is_length(d->size.z);
        break;
    case CDG_SHAPE_SPHERE:
        needs = "a positive radius";
        is_good = is_length(d->radius);
        break;
    case CDG_SHAPE_CYLINDER:
        needs = "a positive radius and length";
        is_good = is_length(d->radius) && is_length(d->length);
        break;
    case CDG_SHAPE_TUBE:
        needs = "a positive length and inner radius, and a larger radius";
        is_good = is_length(d->radius) && is_length(d->length) && d->inner_radius > 0 && d->inner_radius < d->radius;
        break;
    case CDG_SHAPE_TORUS:
        needs = "a positive thickness and a larger radius";
        is_good = is_length(d->radius) && d->thickness > 0 && d->thickness < d->radius;
        break;
    case CDG_SHAPE_WEDGE:
        needs = "a positive length and inner radius, a larger radius, and an angle up to half a turn";
        is_good = is_length(d->radius) && is_length(d->length) && d->inner_radius > 0 && d->inner_radius < d->radius &&
                  d->angle > 0 && d->angle <= pi;
        break;
    case CDG_SHAPE_REVOLVED:
        needs = "at least two points with positive radii and ascending heights";
        is_good = d->profile != NULL && d->profile_count >= 2;
        for (size_t i = 0; i < d->profile_count && is_good; i++)
            is_good = is_length(d->profile[i][0]) && isfinite(d->profile[i][1]) &&
                      (i == 0 || d->profile[i][1] > d->profile[i - 1][1]);
        break;
    default:
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a %s is not divided into tetrahedra; take another shape, or cdg_mesh_fill for a mesh",
                        d->kind < CDG_SHAPE_KIND_COUNT ? cdg_shape_name(d->kind) : "shape of no kind");
    }
    double norm2 = quat_dot(d->orientation, d->orientation);
    if (!vec3_is_finite(d->position) || !(norm2 > 0 && isfinite(norm2)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "position and orientation of a shape must be finite");
    if (!is_good) return cdg_fail(error, CDG_ERROR_ARGUMENT, "the shape needs %s", needs);
    if (!(resolution >= 0) || !isfinite(resolution))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the resolution is %g m; it cannot be negative", resolution);
    if (resolution > 0 && longest(d) > 2000 * resolution)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a resolution of %g m makes more than 2000 elements along the shape's %g m", resolution,
                        longest(d));
    double count = cdg_shape_tetrahedra(d, resolution);
    if (count > SHAPE_TETRAHEDRA_MAX)
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "a resolution of %g m makes some %.2g tetrahedra, and a shape may have %d million; take %.2g m or "
            "more",
            resolution, count, SHAPE_TETRAHEDRA_MAX / 1000000, 1.005 * resolution * cbrt(count / SHAPE_TETRAHEDRA_MAX));
    return CDG_OK;
}

static size_t cells(double length, double size, size_t least) {
    double count = round(length / size);
    return count > (double)least ? (size_t)count : least;
}

// A sphere of triangles, 20 4^n, fine beside `size`.
static bool fine_sphere(cdg_vec3 radii, double size, cdg_mesh *out) {
    double largest = fmax(fmax(radii.x, radii.y), radii.z);
    size_t rows = cells(pi * largest, 0.25 * size, 24), columns = 2 * rows;
    out->points = malloc((columns * (rows - 1) + 2) * sizeof *out->points);
    out->triangles = malloc(2 * columns * (rows - 1) * sizeof *out->triangles);
    if (out->points == NULL || out->triangles == NULL) return false;
    out->points[out->point_count++] = vec3(0, 0, -radii.z);
    for (size_t r = 1; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            double up = pi * ((double)r / (double)rows - 0.5), round = 2 * pi * (double)c / (double)columns;
            out->points[out->point_count++] =
                vec3(radii.x * cos(up) * cos(round), radii.y * cos(up) * sin(round), radii.z * sin(up));
        }
    out->points[out->point_count++] = vec3(0, 0, radii.z);
    uint32_t top = (uint32_t)out->point_count - 1;
#define ADD(a, b, c)                                                                                                   \
    {                                                                                                                  \
        uint32_t *t = out->triangles[out->triangle_count++];                                                           \
        t[0] = (uint32_t)(a), t[1] = (uint32_t)(b), t[2] = (uint32_t)(c);                                              \
    }
    for (size_t c = 0; c < columns; c++) {
        size_t next = (c + 1) % columns, last = 1 + columns * (rows - 2);
        ADD(0, 1 + next, 1 + c);
        for (size_t r = 0; r + 2 < rows; r++) {
            size_t low = 1 + columns * r, high = low + columns;
            ADD(low + c, low + next, high + next);
            ADD(low + c, high + next, high + c);
        }
        ADD(last + c, last + next, top);
    }
#undef ADD
    return true;
}

static cdg_result fill_ball(const cdg_shape *d, double size, cdg_mesh *out, cdg_error *error) {
    cdg_vec3 radii = d->kind == CDG_SHAPE_SPHERE ? vec3(d->radius, d->radius, d->radius) : vec3_scale(0.5, d->size);
    cdg_mesh surface = {0};
    cdg_mesher_options options = cdg_mesher_options_default();
    options.size = size;
    options.grading = 0;
    options.thread_count = 1;
    cdg_result result = fine_sphere(radii, size, &surface)
                            ? cdg_mesh_fill(&surface, &options, out, NULL, error)
                            : cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the mesh of a shape");
    cdg_mesh_free(&surface);
    return result;
}

static bool make(const cdg_shape *d, double size, cdg_mesh *out) {
    flat_mesh flat = {0};
    bool is_good = false;
    switch (d->kind) {
    case CDG_SHAPE_BOX:
        is_good = flat_grid(&flat, cells(d->size.x, size, 1), cells(d->size.y, size, 1), false) &&
                  draw(d, &flat, cells(d->size.z, size, 1), false, place_box, out);
        break;
    case CDG_SHAPE_CYLINDER:
        is_good = flat_disc(&flat, cells(d->radius, size, 1)) &&
                  draw(d, &flat, cells(d->length, size, 1), false, place_cylinder, out);
        break;
    case CDG_SHAPE_TUBE: {
        size_t around = cells(pi * (d->radius + d->inner_radius), size, 6);
        is_good = flat_grid(&flat, around + around % 2, cells(d->radius - d->inner_radius, size, 1), true) &&
                  draw(d, &flat, cells(d->length, size, 1), false, place_tube, out);
        break;
    }
    case CDG_SHAPE_TORUS:
        is_good = flat_disc(&flat, cells(d->thickness, size, 1)) &&
                  draw(d, &flat, cells(2 * pi * d->radius, size, 6), true, place_torus, out);
        break;
    case CDG_SHAPE_WEDGE: {
        double middle = 0.5 * (d->radius + d->inner_radius) * d->angle;
        is_good = flat_grid(&flat, cells(middle, size, 1), cells(d->radius - d->inner_radius, size, 1), false) &&
                  draw(d, &flat, cells(d->length, size, 1), false, place_wedge, out);
        break;
    }
    case CDG_SHAPE_REVOLVED: {
        double widest = 0, height = longest(d);
        for (size_t i = 0; i < d->profile_count; i++) widest = fmax(widest, d->profile[i][0]);
        is_good = flat_disc(&flat, cells(widest, size, 1)) &&
                  draw(d, &flat, cells(height, size, 1), false, place_revolved, out);
        break;
    }
    case CDG_SHAPE_SPHERE:
    case CDG_SHAPE_ELLIPSOID:
    default: break;
    }
    flat_free(&flat);
    return is_good;
}

// Bits stay as they are where the shape is not moved.
static void place(const cdg_shape *shape, cdg_mesh *mesh) {
    cdg_quat turn = quat_normalize(shape->orientation);
    bool is_turned = turn.x != 0 || turn.y != 0 || turn.z != 0;
    bool is_moved = shape->position.x != 0 || shape->position.y != 0 || shape->position.z != 0;
    for (size_t i = 0; i < mesh->point_count && (is_turned || is_moved); i++)
        mesh->points[i] = vec3_add(shape->position, quat_rotate(turn, mesh->points[i]));
}

cdg_result cdg_shape_mesh(const cdg_shape *shape, double resolution, cdg_mesh *out, cdg_error *error) {
    cdg_error_clear(error);
    if (out != NULL) *out = (cdg_mesh){0};
    if (shape == NULL || out == NULL) return cdg_fail_null(error, shape == NULL ? "shape" : "out");
    cdg_result result = check(shape, resolution, error);
    if (result != CDG_OK) return result;
    double size = resolution > 0 ? resolution : longest(shape) / 10;
    bool is_ball = shape->kind == CDG_SHAPE_SPHERE || shape->kind == CDG_SHAPE_ELLIPSOID;
    if (is_ball) {
        result = fill_ball(shape, size, out, error);
    } else if (!make(shape, size, out)) {
        cdg_mesh_free(out);
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the mesh of a shape");
    }
    if (result == CDG_OK) place(shape, out);
    return result;
}
