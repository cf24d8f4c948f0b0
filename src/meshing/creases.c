// Finding creases: patches are flooded over edges that bend little; the others part them.
#include "meshing/creases.h"

#include "math/vec3.h"
#include "meshing/triangle.h"

#include <string.h>

void cdg_creases_free(cdg_creases *c, cdg_budget *budget) {
    void *arrays[] = {c->patch, c->is_plane, c->edges, c->corners, c->corner_of, c->start, c->list};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cdg_budget_give(budget, arrays[i]);
    *c = (cdg_creases){0};
}

static cdg_vec3 face_normal(const cdg_soup *soup, size_t t) {
    cdg_vec3 a = cdg_soup_corner(soup, t, 0);
    return vec3_normalize(
        vec3_cross(vec3_sub(cdg_soup_corner(soup, t, 1), a), vec3_sub(cdg_soup_corner(soup, t, 2), a)));
}

static bool is_crease(const cdg_soup *soup, size_t half_edge, double limit) {
    uint32_t mate = soup->mate[half_edge];
    return mate < CDG_MANY_MATES && vec3_dot(face_normal(soup, half_edge / 3), face_normal(soup, mate / 3)) <= limit;
}

// ---- patches --------------------------------------------------------------------------------------------------------

static void flood_patch(cdg_creases *c, uint32_t seed, double limit, uint32_t *queue) {
    const cdg_soup *soup = c->soup;
    size_t begin = 0, end = 0;
    c->patch[seed] = (uint32_t)c->patch_count;
    queue[end++] = seed;
    while (begin < end) {
        size_t t = queue[begin++];
        for (size_t h = 3 * t; h < 3 * t + 3; h++) {
            uint32_t mate = soup->mate[h];
            if (mate >= CDG_MANY_MATES || c->patch[mate / 3] != CDG_NO_PATCH || is_crease(soup, h, limit)) continue;
            c->patch[mate / 3] = (uint32_t)c->patch_count;
            queue[end++] = mate / 3;
        }
    }
    c->patch_count++;
}

static bool find_patches(cdg_creases *c, double limit, cdg_budget *budget) {
    size_t count = c->soup->triangle_count;
    uint32_t *queue = cdg_budget_take(budget, count, sizeof *queue);
    c->patch = cdg_budget_take(budget, count, sizeof *c->patch);
    bool has_memory = queue != NULL && c->patch != NULL;
    if (has_memory) memset(c->patch, 0xFF, count * sizeof *c->patch);
    for (uint32_t t = 0; has_memory && t < count; t++)
        if (c->patch[t] == CDG_NO_PATCH) flood_patch(c, t, limit, queue);
    cdg_budget_give(budget, queue);
    return has_memory;
}

// A patch is a plane when all of its corners lie in that of its largest triangle.
static bool find_planes(cdg_creases *c, cdg_budget *budget) {
    const cdg_soup *soup = c->soup;
    double tiny = 1e-9 * vec3_distance(soup->low, soup->high);
    double *area = cdg_budget_take_zero(budget, c->patch_count, sizeof *area);
    uint32_t *largest = cdg_budget_take_zero(budget, c->patch_count, sizeof *largest);
    c->is_plane = cdg_budget_take(budget, c->patch_count, sizeof *c->is_plane);
    bool has_memory = area != NULL && largest != NULL && c->is_plane != NULL;
    for (uint32_t t = 0; has_memory && t < soup->triangle_count; t++) {
        cdg_vec3 a = cdg_soup_corner(soup, t, 0);
        double own =
            vec3_norm(vec3_cross(vec3_sub(cdg_soup_corner(soup, t, 1), a), vec3_sub(cdg_soup_corner(soup, t, 2), a)));
        c->is_plane[c->patch[t]] = true;
        if (!(own > area[c->patch[t]])) continue;
        area[c->patch[t]] = own;
        largest[c->patch[t]] = t;
    }
    for (uint32_t i = 0; has_memory && i < 3 * soup->triangle_count; i++) {
        uint32_t patch = c->patch[i / 3], from = largest[patch];
        cdg_vec3 d = vec3_sub(cdg_soup_corner(soup, i / 3, (int)(i % 3)), cdg_soup_corner(soup, from, 0));
        if (fabs(vec3_dot(face_normal(soup, from), d)) > tiny) c->is_plane[patch] = false;
    }
    cdg_budget_give(budget, area);
    cdg_budget_give(budget, largest);
    return has_memory;
}

// ---- edges and corners ----------------------------------------------------------------------------------------------

static bool find_edges(cdg_creases *c, double limit, cdg_budget *budget) {
    const cdg_soup *soup = c->soup;
    for (size_t h = 0; h < 3 * soup->triangle_count; h++) {
        uint32_t mate = soup->mate[h];
        if (mate >= CDG_MANY_MATES || mate < h || !is_crease(soup, h, limit)) continue;
        if (!cdg_budget_grow(budget, (void **)&c->edges, c->edge_count, &c->edge_capacity, sizeof *c->edges))
            return false;
        c->edges[c->edge_count++] = (cdg_crease_edge){
            .end = {soup->triangles[h / 3][h % 3], soup->triangles[h / 3][(h + 1) % 3]},
            .patch = {c->patch[h / 3], c->patch[mate / 3]},
        };
    }
    return true;
}

typedef struct meeting { // creases at a point
    uint32_t count, patch[2];
    bool is_corner;
} meeting;

static bool is_same_pair(const uint32_t a[2], const uint32_t b[2]) {
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

static void add_corner_patch(cdg_crease_corner *corner, uint32_t patch) {
    for (uint32_t i = 0; i < corner->patch_count; i++)
        if (corner->patch[i] == patch) return;
    if (corner->patch_count < CDG_CORNER_PATCHES) corner->patch[corner->patch_count++] = patch;
}

// Two that go on straight are none; two that bend sharply at the point are one.
static bool list_corners(cdg_creases *c, const meeting *at, cdg_budget *budget) {
    uint32_t *number = c->corner_of;
    for (uint32_t p = 0; p < c->soup->point_count; p++) {
        number[p] = UINT32_MAX;
        if (at[p].count == 0 || (at[p].count == 2 && !at[p].is_corner)) continue;
        if (!cdg_budget_grow(budget, (void **)&c->corners, c->corner_count, &c->corner_capacity, sizeof *c->corners))
            return false;
        number[p] = (uint32_t)c->corner_count;
        c->corners[c->corner_count++] = (cdg_crease_corner){.point = p};
    }
    for (size_t e = 0; e < 2 * c->edge_count; e++) {
        uint32_t which = number[c->edges[e / 2].end[e % 2]];
        for (int k = 0; k < 2 && which != UINT32_MAX; k++)
            add_corner_patch(&c->corners[which], c->edges[e / 2].patch[k]);
    }
    return true;
}

static cdg_vec3 way_from(const cdg_creases *c, const cdg_crease_edge *edge, int end) {
    return vec3_normalize(vec3_sub(c->soup->points[edge->end[1 - end]], c->soup->points[edge->end[end]]));
}

static bool find_corners(cdg_creases *c, cdg_budget *budget) {
    size_t points = c->soup->point_count;
    meeting *at = cdg_budget_take_zero(budget, points, sizeof *at);
    cdg_vec3 *way = cdg_budget_take(budget, points, sizeof *way);
    c->corner_of = cdg_budget_take(budget, points, sizeof *c->corner_of);
    bool has_memory = at != NULL && c->corner_of != NULL && way != NULL;
    for (size_t e = 0; has_memory && e < 2 * c->edge_count; e++) {
        const cdg_crease_edge *edge = &c->edges[e / 2];
        meeting *here = &at[edge->end[e % 2]];
        cdg_vec3 own = way_from(c, edge, (int)(e % 2));
        if (here->count == 0) {
            memcpy(here->patch, edge->patch, sizeof here->patch);
            way[edge->end[e % 2]] = own;
        } else if (here->count == 1) { // 45 degrees
            here->is_corner = !is_same_pair(here->patch, edge->patch) || vec3_dot(way[edge->end[e % 2]], own) > -0.7;
        }
        here->count++;
    }
    has_memory = has_memory && list_corners(c, at, budget);
    cdg_budget_give(budget, at);
    cdg_budget_give(budget, way);
    return has_memory;
}

// ---- grid of edges --------------------------------------------------------------------------------------------------

static void cell_of(const cdg_creases *c, cdg_vec3 p, long out[3]) {
    const double at[3] = {p.x - c->low.x, p.y - c->low.y, p.z - c->low.z};
    for (int a = 0; a < 3; a++) {
        double index = floor(at[a] / c->cell);
        out[a] = index < 0 ? 0 : index >= (double)c->count[a] ? c->count[a] - 1 : (long)index;
    }
}

static void visit_edges(cdg_creases *c) { // counts while there is no list
    for (size_t e = 0; e < c->edge_count; e++) {
        cdg_vec3 p = c->soup->points[c->edges[e].end[0]], q = c->soup->points[c->edges[e].end[1]];
        long first[3], last[3], at[3];
        cell_of(c, vec3(fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)), first);
        cell_of(c, vec3(fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z)), last);
        for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
            for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
                for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                    size_t cell = (size_t)((at[2] * c->count[1] + at[1]) * c->count[0] + at[0]);
                    if (c->list == NULL) {
                        c->start[cell + 2]++;
                    } else {
                        c->list[c->start[cell + 1]++] = (uint32_t)e;
                    }
                }
    }
}

static bool build_grid(cdg_creases *c, cdg_budget *budget) {
    cdg_vec3 e = vec3_sub(c->soup->high, c->soup->low);
    c->low = c->soup->low;
    c->cell = fmax(c->cell, fmax(e.x, fmax(e.y, e.z)) / 64);
    const double sides[3] = {e.x, e.y, e.z};
    for (int a = 0; a < 3; a++) c->count[a] = (long)(sides[a] / c->cell) + 1;
    size_t cells = (size_t)(c->count[0] * c->count[1] * c->count[2]);
    c->start = cdg_budget_take_zero(budget, cells + 2, sizeof *c->start);
    if (c->start == NULL) return false;
    visit_edges(c);
    for (size_t i = 0; i < cells; i++) c->start[i + 2] += c->start[i + 1];
    c->list = cdg_budget_take(budget, c->start[cells + 1], sizeof *c->list);
    if (c->list == NULL) return false;
    visit_edges(c);
    return true;
}

static bool is_in(uint32_t patch, const uint32_t *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i] == patch) return true;
    return false;
}

static bool parts(const cdg_crease_edge *edge, const uint32_t *a, int a_count, const uint32_t *b, int b_count) {
    if (a == NULL) return true;
    const uint32_t *p = edge->patch;
    return (is_in(p[0], a, a_count) && is_in(p[1], b, b_count)) || (is_in(p[1], a, a_count) && is_in(p[0], b, b_count));
}

uint32_t cdg_creases_nearest(const cdg_creases *c, cdg_vec3 from, double reach, const uint32_t *a, int a_count,
                             const uint32_t *b, int b_count, cdg_vec3 *position) {
    long first[3], last[3], at[3];
    cdg_vec3 r = vec3(reach, reach, reach);
    cell_of(c, vec3_sub(from, r), first);
    cell_of(c, vec3_add(from, r), last);
    uint32_t best = UINT32_MAX;
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                size_t cell = (size_t)((at[2] * c->count[1] + at[1]) * c->count[0] + at[0]);
                for (uint32_t i = c->start[cell]; i < c->start[cell + 1]; i++) {
                    const cdg_crease_edge *edge = &c->edges[c->list[i]];
                    cdg_vec3 foot = segment_nearest(c->soup->points[edge->end[0]], c->soup->points[edge->end[1]], from);
                    double distance = vec3_distance(foot, from);
                    if (distance >= reach || !parts(edge, a, a_count, b, b_count)) continue;
                    reach = distance;
                    *position = foot;
                    best = c->list[i];
                }
            }
    return best;
}

int cdg_creases_corners(const cdg_creases *c, cdg_vec3 from, double reach, uint32_t *out, int capacity) {
    long first[3], last[3], at[3];
    int count = 0;
    cdg_vec3 r = vec3(reach, reach, reach);
    cell_of(c, vec3_sub(from, r), first);
    cell_of(c, vec3_add(from, r), last);
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                size_t cell = (size_t)((at[2] * c->count[1] + at[1]) * c->count[0] + at[0]);
                for (uint32_t i = 2 * c->start[cell]; i < 2 * c->start[cell + 1]; i++) {
                    uint32_t point = c->edges[c->list[i / 2]].end[i % 2], corner = c->corner_of[point];
                    if (corner == UINT32_MAX || is_in(corner, out, count) || count == capacity ||
                        vec3_distance(c->soup->points[point], from) > reach)
                        continue;
                    out[count++] = corner;
                }
            }
    return count;
}

bool cdg_creases_find(const cdg_soup *soup, double angle, double size, cdg_budget *budget, cdg_creases *out) {
    *out = (cdg_creases){.soup = soup, .cell = size};
    double limit = cos(angle);
    bool has_memory = find_patches(out, limit, budget) && find_planes(out, budget) && find_edges(out, limit, budget) &&
                      find_corners(out, budget) && build_grid(out, budget);
    if (!has_memory) cdg_creases_free(out, budget);
    return has_memory;
}
