// Open pieces. Winding numbers close every hole with a surface of their own; how far that is from the triangles tells
// how wide the hole is.
#include "meshing/open_pieces.h"

#include "math/vec3.h"
#include "meshing/faces.h"

#include <string.h>

static uint32_t root_of(uint32_t *parent, uint32_t p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
}

static void join_points(const cdg_raw_mesh *m, uint32_t *parent) {
    for (uint32_t p = 0; p < m->point_count; p++) parent[p] = p;
    for (size_t e = 0; e < m->tetrahedron_count; e++)
        for (int k = 1; k < 4; k++) {
            uint32_t a = root_of(parent, m->tetrahedra[e][0]), b = root_of(parent, m->tetrahedra[e][k]);
            if (a < b) parent[b] = a;
            if (b < a) parent[a] = b;
        }
}

typedef struct search {
    const cdg_raw_mesh *mesh;
    const cdg_winding *winding;
    double reach; // m
    uint32_t *parent;
    bool *is_open; // of each root
    cdg_open_pieces *out;
} search;

static void look_at(const search *s, uint32_t root, cdg_vec3 position) {
    cdg_vec3 nearest;
    if (cdg_winding_nearest(s->winding, position, s->reach, &nearest, NULL)) return;
    s->is_open[root] = true;
    if (!cdg_winding_nearest(s->winding, position, HUGE_VAL, &nearest, NULL)) return;
    double width = 2 * vec3_distance(nearest, position);
    if (width <= s->out->widest) return;
    s->out->widest = width;
    s->out->at = position;
}

static void look_at_boundary(const search *s, const uint32_t *mate) {
    for (size_t h = 0; h < 4 * s->mesh->tetrahedron_count; h++) {
        if (mate[h] != CDG_NO_FACE) continue;
        cdg_vec3 middle = vec3(0, 0, 0);
        uint32_t root = root_of(s->parent, s->mesh->tetrahedra[h / 4][0]);
        for (int k = 0; k < 3; k++) {
            cdg_vec3 p = s->mesh->points[s->mesh->tetrahedra[h / 4][cdg_face_corners[h % 4][k]]];
            middle = vec3_mad(middle, 1.0 / 3, p);
            look_at(s, root, p);
        }
        look_at(s, root, middle);
    }
}

static void drop(cdg_raw_mesh *m, uint32_t *parent, const bool *is_open, uint32_t *number, cdg_open_pieces *out) {
    size_t elements = 0;
    uint32_t points = 0;
    for (uint32_t p = 0; p < m->point_count; p++) {
        bool is_dropped = is_open[root_of(parent, p)];
        if (parent[p] == p) *(is_dropped ? &out->dropped : &out->left) += 1;
        number[p] = points;
        if (!is_dropped) m->points[points++] = m->points[p];
    }
    for (size_t e = 0; e < m->tetrahedron_count; e++) {
        if (is_open[root_of(parent, m->tetrahedra[e][0])]) continue;
        for (int k = 0; k < 4; k++) m->tetrahedra[elements][k] = number[m->tetrahedra[e][k]];
        elements++;
    }
    m->point_count = points;
    m->tetrahedron_count = elements;
}

bool cdg_open_pieces_drop(cdg_raw_mesh *mesh, const cdg_winding *winding, double close, double slack,
                          cdg_budget *budget, cdg_open_pieces *out) {
    *out = (cdg_open_pieces){0};
    size_t points = mesh->point_count, half_faces = 4 * mesh->tetrahedron_count;
    cdg_mesh view = {.points = mesh->points,
                     .point_count = points,
                     .tetrahedra = mesh->tetrahedra,
                     .tetrahedron_count = mesh->tetrahedron_count};
    uint32_t *mate = cdg_budget_take(budget, half_faces, sizeof *mate);
    uint32_t *number = cdg_budget_take(budget, points, sizeof *number);
    search s = {.mesh = mesh,
                .winding = winding,
                .reach = 0.5 * close + slack,
                .parent = cdg_budget_take(budget, points, sizeof *s.parent),
                .is_open = cdg_budget_take_zero(budget, points, sizeof *s.is_open),
                .out = out};
    bool has_memory = mate != NULL && number != NULL && s.parent != NULL && s.is_open != NULL &&
                      cdg_faces_match(&view, NULL, budget->patience, mate);
    if (has_memory) {
        join_points(mesh, s.parent);
        look_at_boundary(&s, mate);
        drop(mesh, s.parent, s.is_open, number, out);
    }
    cdg_budget_give(budget, mate);
    cdg_budget_give(budget, number);
    cdg_budget_give(budget, s.parent);
    cdg_budget_give(budget, s.is_open);
    return has_memory;
}
