// Creases: corners first, which take their nearest point; then edges, which take all points that are near enough, the
// nearest first. A point that cannot go all the way stays.
#include "meshing/creases.h"

#include "meshing/triangle.h"

#include <stdlib.h>

typedef struct creases {
    const cdg_soup *soup;
    uint32_t (*edges)[2];
    size_t edge_count, edge_capacity;
    unsigned char *ends; // of each point of the soup: creases that end there
    // edges in cells of a grid, which their boxes touch
    cdg_vec3 low;
    double cell;
    long count[3];
    uint32_t *start, *list;
} creases;

static cdg_vec3 face_normal(const cdg_soup *soup, size_t t) {
    cdg_vec3 a = cdg_soup_corner(soup, t, 0);
    return vec3_normalize(
        vec3_cross(vec3_sub(cdg_soup_corner(soup, t, 1), a), vec3_sub(cdg_soup_corner(soup, t, 2), a)));
}

static bool find_creases(creases *c, double angle, cdg_budget *budget) {
    const cdg_soup *soup = c->soup;
    double limit = cos(angle);
    for (size_t h = 0; h < 3 * soup->triangle_count; h++) {
        uint32_t mate = soup->mate[h];
        if (mate >= CDG_MANY_MATES || mate < h ||
            vec3_dot(face_normal(soup, h / 3), face_normal(soup, mate / 3)) > limit)
            continue;
        if (!cdg_budget_grow(budget, (void **)&c->edges, c->edge_count, &c->edge_capacity, sizeof *c->edges))
            return false;
        uint32_t *edge = c->edges[c->edge_count++];
        edge[0] = soup->triangles[h / 3][h % 3];
        edge[1] = soup->triangles[h / 3][(h + 1) % 3];
        for (int k = 0; k < 2; k++)
            if (c->ends[edge[k]] < 255) c->ends[edge[k]]++;
    }
    return true;
}

// ---- grid of edges --------------------------------------------------------------------------------------------------

static void cell_of(const creases *c, cdg_vec3 p, long out[3]) {
    const double at[3] = {p.x - c->low.x, p.y - c->low.y, p.z - c->low.z};
    for (int a = 0; a < 3; a++) {
        double index = floor(at[a] / c->cell);
        out[a] = index < 0 ? 0 : index >= (double)c->count[a] ? c->count[a] - 1 : (long)index;
    }
}

static void visit_edges(creases *c) { // counts while there is no list
    for (size_t e = 0; e < c->edge_count; e++) {
        cdg_vec3 p = c->soup->points[c->edges[e][0]], q = c->soup->points[c->edges[e][1]];
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

static bool build_grid(creases *c, cdg_budget *budget) {
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

static bool nearest_crease(const creases *c, cdg_vec3 p, double reach, cdg_vec3 *out, double *distance) {
    long first[3], last[3], at[3];
    cdg_vec3 r = vec3(reach, reach, reach);
    cell_of(c, vec3_sub(p, r), first);
    cell_of(c, vec3_add(p, r), last);
    *distance = reach;
    bool is_found = false;
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                size_t cell = (size_t)((at[2] * c->count[1] + at[1]) * c->count[0] + at[0]);
                for (uint32_t i = c->start[cell]; i < c->start[cell + 1]; i++) {
                    const uint32_t *edge = c->edges[c->list[i]];
                    cdg_vec3 foot = segment_nearest(c->soup->points[edge[0]], c->soup->points[edge[1]], p);
                    if (vec3_distance(foot, p) >= *distance) continue;
                    *distance = vec3_distance(foot, p);
                    *out = foot;
                    is_found = true;
                }
            }
    return is_found;
}

// ---- moves ----------------------------------------------------------------------------------------------------------

typedef struct wish {
    double distance;
    uint32_t point;
    cdg_vec3 place;
} wish;

static int compare_wishes(const void *a, const void *b) {
    const wish *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static bool move_wholly(cdg_moves *m, uint32_t point, cdg_vec3 place, cdg_angle_bounds bounds) {
    cdg_vec3 here = m->mesh->points[point];
    if (cdg_moves_try(m, point, place, bounds) == 1) return true;
    m->mesh->points[point] = here;
    return false;
}

// A corner is where creases other than two end, or where one of two bends sharply; here only the former.
static void take_corners(const creases *c, cdg_moves *m, double reach, cdg_angle_bounds bounds, bool *is_held) {
    for (size_t corner = 0; corner < c->soup->point_count; corner++) {
        if (c->ends[corner] == 0 || c->ends[corner] == 2) continue;
        uint32_t best = UINT32_MAX;
        double least = reach;
        for (uint32_t p = 0; p < m->mesh->point_count; p++) {
            double distance = vec3_distance(m->mesh->points[p], c->soup->points[corner]);
            if (distance >= least || !cdg_moves_is_boundary(m, p)) continue;
            least = distance;
            best = p;
        }
        if (best != UINT32_MAX && move_wholly(m, best, c->soup->points[corner], bounds)) is_held[best] = true;
    }
}

static void take_edges(const creases *c, cdg_moves *m, double reach, cdg_angle_bounds bounds, wish *wishes,
                       bool *is_held) {
    size_t count = 0;
    for (uint32_t p = 0; p < m->mesh->point_count; p++) {
        wish w = {.point = p};
        if (!is_held[p] && cdg_moves_is_boundary(m, p) &&
            nearest_crease(c, m->mesh->points[p], reach, &w.place, &w.distance))
            wishes[count++] = w;
    }
    qsort(wishes, count, sizeof *wishes, compare_wishes);
    for (size_t i = 0; i < count; i++)
        if (move_wholly(m, wishes[i].point, wishes[i].place, bounds)) is_held[wishes[i].point] = true;
}

bool cdg_creases_keep(cdg_moves *moves, const cdg_soup *soup, double angle, double size, cdg_angle_bounds bounds,
                      bool *is_held, cdg_budget *budget) {
    creases c = {.soup = soup, .cell = size, .ends = cdg_budget_take_zero(budget, soup->point_count, sizeof *c.ends)};
    wish *wishes = cdg_budget_take(budget, moves->mesh->point_count, sizeof *wishes);
    bool has_memory = c.ends != NULL && wishes != NULL && find_creases(&c, angle, budget) && build_grid(&c, budget);
    if (has_memory) {
        take_corners(&c, moves, 0.8 * size, bounds, is_held);
        take_edges(&c, moves, 0.5 * size, bounds, wishes, is_held);
    }
    void *arrays[] = {c.edges, c.ends, c.start, c.list, wishes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cdg_budget_give(budget, arrays[i]);
    return has_memory;
}
