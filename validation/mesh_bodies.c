// Bodies to mesh, their damage, and volumes of parts that go through each other.
#include "validation/mesh_bodies.h"

#include "math/random.h"
#include "math/vec3.h"
#include "validation/random_surfaces.h"

#include <stdlib.h>
#include <string.h>

#define BODY_NAME(name, genus) name,
#define BODY_GENUS(name, genus) genus,
#define DAMAGE_NAME(name, text) text,
const char *const mesh_body_names[MESH_BODIES] = {MESH_BODY_LIST(BODY_NAME)};
const int mesh_body_genus[MESH_BODIES] = {MESH_BODY_LIST(BODY_GENUS)};
const char *const mesh_damage_names[MESH_DAMAGES] = {MESH_DAMAGE_LIST(DAMAGE_NAME)};
static const double pi = 3.14159265358979323846;

// ---- bodies ---------------------------------------------------------------------------------------------------------

static bool is_always_full(const int cell[3], int kind) {
    (void)cell;
    (void)kind;
    return true;
}

// A cube's six sides as grids, blown up to a ball and stretched.
static bool make_ellipsoid(cdg_vec3 axes, int fineness, cdg_mesh *out) {
    int n = 16 * fineness;
    const int count[3] = {n, n, n};
    if (!block_surface(count, is_always_full, 0, 2.0 / n, out)) return false;
    for (size_t p = 0; p < out->point_count; p++) {
        cdg_vec3 on_cube = vec3_sub(out->points[p], vec3(1, 1, 1));
        cdg_vec3 even = vec3(tan(pi / 4 * on_cube.x), tan(pi / 4 * on_cube.y), tan(pi / 4 * on_cube.z));
        cdg_vec3 on_ball = vec3_normalize(even);
        out->points[p] = vec3(axes.x * on_ball.x, axes.y * on_ball.y, axes.z * on_ball.z);
    }
    return true;
}

static bool make_tube(int turns, int waves, double wave, double radius, size_t sections, int around, cdg_mesh *out) {
    cdg_vec3 *curve = malloc(sections * sizeof *curve);
    if (curve == NULL) return false;
    for (size_t i = 0; i < sections; i++) {
        double t = 2 * pi * (double)i / (double)sections, r = 1 + wave * cos(waves * t);
        curve[i] = vec3(r * cos(turns * t), r * sin(turns * t), wave * sin(waves * t));
    }
    bool has_memory = tube_surface(curve, sections, radius, around, out);
    free(curve);
    return has_memory;
}

// A plate of (2 genus + 3) x 3 x 2 cubes, each cut in four, with `genus` square holes.
enum { CUTS = 4 };
static bool has_no_hole(const int cell[3], int kind) {
    int genus = kind % 8, cuts = kind / 8, x = cell[0] / cuts, y = cell[1] / cuts;
    return !(y == 1 && x % 2 == 1 && x < 2 * genus);
}

static bool make_plate(int genus, int fineness, cdg_mesh *out) {
    int cuts = CUTS * fineness;
    const int count[3] = {cuts * (2 * genus + 3), cuts * 3, cuts * 2};
    return block_surface(count, has_no_hole, genus + 8 * cuts, 1.0 / 3 / cuts, out);
}

bool mesh_body(int which, int fineness, cdg_mesh *out) {
    size_t times = (size_t)fineness;
    switch (which) {
    case 0: return make_ellipsoid(vec3(1, 1, 1), fineness, out);
    case 1: return make_tube(1, 0, 0, 0.4, 80 * times, 32 * fineness, out);
    case 2: return make_tube(2, 3, 0.4, 0.18, 240 * times, 16 * fineness, out);
    case 3: return make_ellipsoid(vec3(1.4, 1, 0.6), fineness, out);
    default: return make_plate(which - MESH_ROUND_BODIES, fineness, out);
    }
}

bool mesh_box(cdg_mesh *out) {
    const int count[3] = {10, 7, 5};
    return block_surface(count, is_always_full, 0, 0.2, out);
}

// ---- damage ---------------------------------------------------------------------------------------------------------

static void drop_half(cdg_mesh *s, cdg_random *random) {
    size_t kept = 0;
    for (size_t t = 0; t < s->triangle_count; t++)
        if (random_unit(random) < 0.5) memmove(s->triangles[kept++], s->triangles[t], sizeof *s->triangles);
    s->triangle_count = kept;
}

static void flip_half(cdg_mesh *s, cdg_random *random) {
    for (size_t t = 0; t < s->triangle_count; t++) {
        uint32_t *c = s->triangles[t], kept = c[1];
        if (random_unit(random) < 0.5) continue;
        c[1] = c[2];
        c[2] = kept;
    }
}

// Each triangle has points of its own, a tenth nearer to its middle, and its orientation is random.
static bool make_leaves(cdg_mesh *s, cdg_random *random) {
    cdg_vec3 *points = malloc(3 * s->triangle_count * sizeof *points);
    if (points == NULL) return false;
    for (size_t t = 0; t < s->triangle_count; t++) {
        uint32_t *c = s->triangles[t];
        cdg_vec3 middle = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) middle = vec3_mad(middle, 1.0 / 3, s->points[c[k]]);
        for (size_t k = 0; k < 3; k++) {
            points[3 * t + k] = vec3_lerp(middle, s->points[c[k]], 0.9);
            c[k] = (uint32_t)(3 * t + k);
        }
    }
    free(s->points);
    s->points = points;
    s->point_count = 3 * s->triangle_count;
    flip_half(s, random);
    return true;
}

// The copy is turned about the box's middle and moved a little, so that nothing coincides.
static bool cross_with_copy(cdg_mesh *s) {
    cdg_vec3 low = s->points[0], high = low;
    size_t n = s->point_count, m = s->triangle_count;
    for (size_t p = 0; p < n; p++) {
        low = vec3(fmin(low.x, s->points[p].x), fmin(low.y, s->points[p].y), fmin(low.z, s->points[p].z));
        high = vec3(fmax(high.x, s->points[p].x), fmax(high.y, s->points[p].y), fmax(high.z, s->points[p].z));
    }
    cdg_vec3 middle = vec3_lerp(low, high, 0.5), shift = vec3_mad(middle, 0.13, vec3_sub(high, low));
    cdg_quat turn = quat_from_axis_angle(vec3(0.28, 0.47, 0.837), 1.1);
    cdg_vec3 *points = realloc(s->points, 2 * n * sizeof *points);
    if (points != NULL) s->points = points;
    uint32_t(*triangles)[3] = realloc(s->triangles, 2 * m * sizeof *triangles);
    if (triangles != NULL) s->triangles = triangles;
    if (points == NULL || triangles == NULL) return false;
    for (size_t p = 0; p < n; p++) points[n + p] = vec3_add(shift, quat_rotate(turn, vec3_sub(points[p], middle)));
    for (size_t t = 0; t < m; t++)
        for (int k = 0; k < 3; k++) triangles[m + t][k] = triangles[t][k] + (uint32_t)n;
    s->point_count = 2 * n;
    s->triangle_count = 2 * m;
    return true;
}

bool mesh_damage_surface(cdg_mesh *surface, mesh_damage damage, uint64_t seed) {
    cdg_random random = {seed};
    if (damage == MESH_LEAVES) return make_leaves(surface, &random);
    if (damage == MESH_CROSSED) return cross_with_copy(surface);
    if (damage == MESH_HALF_GONE) drop_half(surface, &random);
    if (damage == MESH_HALF_FLIPPED) flip_half(surface, &random);
    return true;
}

// ---- measures -------------------------------------------------------------------------------------------------------

enum { LINES = 400 }; // along x and along y

typedef struct passage {
    size_t line;
    double height;
    int change; // of the winding number, upward
} passage;

typedef struct passages {
    passage *list;
    size_t count, capacity;
    cdg_vec3 low;
    double across[2]; // between lines
} passages;

static bool add_passage(passages *all, passage one) {
    if (all->count == all->capacity) {
        size_t capacity = 2 * all->capacity + 1024;
        passage *list = realloc(all->list, capacity * sizeof *list);
        if (list == NULL) return false;
        all->list = list;
        all->capacity = capacity;
    }
    all->list[all->count++] = one;
    return true;
}

static double turn_of(cdg_vec3 a, cdg_vec3 b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static bool pass_triangle(passages *all, cdg_vec3 a, cdg_vec3 b, cdg_vec3 c) {
    double area = turn_of(a, b, c.x, c.y), w = all->across[0], h = all->across[1];
    if (area == 0) return true;
    long first_x = lround(ceil((fmin(a.x, fmin(b.x, c.x)) - all->low.x) / w - 0.5));
    long first_y = lround(ceil((fmin(a.y, fmin(b.y, c.y)) - all->low.y) / h - 0.5));
    for (long j = first_y; all->low.y + ((double)j + 0.5) * h <= fmax(a.y, fmax(b.y, c.y)); j++)
        for (long i = first_x; all->low.x + ((double)i + 0.5) * w <= fmax(a.x, fmax(b.x, c.x)); i++) {
            double x = all->low.x + ((double)i + 0.5) * w, y = all->low.y + ((double)j + 0.5) * h;
            double u = turn_of(b, c, x, y) / area, v = turn_of(c, a, x, y) / area, t = 1 - u - v;
            if (u < 0 || v < 0 || t < 0) continue;
            passage one = {(size_t)(j * (LINES + 1) + i), u * a.z + v * b.z + t * c.z, area < 0 ? 1 : -1};
            if (!add_passage(all, one)) return false;
        }
    return true;
}

static int compare_passages(const void *a, const void *b) {
    const passage *p = a, *q = b;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    return p->height < q->height ? -1 : p->height > q->height;
}

double mesh_union_volume(const cdg_mesh *surface) {
    cdg_vec3 low = surface->points[0], high = low;
    for (size_t p = 0; p < surface->point_count; p++) {
        cdg_vec3 at = surface->points[p];
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), 0);
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), 0);
    }
    passages all = {.low = low, .across = {(high.x - low.x) / LINES, (high.y - low.y) / LINES}};
    bool has_memory = true;
    for (size_t t = 0; t < surface->triangle_count && has_memory; t++) {
        const uint32_t *c = surface->triangles[t];
        has_memory = pass_triangle(&all, surface->points[c[0]], surface->points[c[1]], surface->points[c[2]]);
    }
    double length = 0;
    int winding = 0;
    if (has_memory) qsort(all.list, all.count, sizeof *all.list, compare_passages);
    for (size_t i = 0; i < all.count && has_memory; i++) {
        bool is_same_line = i > 0 && all.list[i].line == all.list[i - 1].line;
        if (!is_same_line) winding = 0;
        if (is_same_line && winding > 0) length += all.list[i].height - all.list[i - 1].height;
        winding += all.list[i].change;
    }
    free(all.list);
    return has_memory ? length * all.across[0] * all.across[1] : -1;
}

long mesh_euler_number(const cdg_mesh *surface) { // each edge has two triangles
    return (long)surface->point_count - (long)surface->triangle_count / 2;
}
