// Broad phase of surfaces (surface_pairs.h): boxes around triangles, segments and corners of meshes over the step,
// pairs of them, and what each pair of boxes has to be looked at for.
#include "contact/surface_pairs.h"

#include "contact/contacts.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_surface_pairs_free(cdg_surface_pairs *it) {
    cdg_box_finder_free(&it->finder);
    free(it->boxes);
    free(it->corners);
    free(it->shapes);
    free(it->pairs);
    *it = (cdg_surface_pairs){0};
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static void grow_box(cdg_box *box, cdg_vec3 point) {
    const double at[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

static const cdg_box nowhere = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

// Where the prediction without contact had the point counts, too, lest contacts that pushed it away are forgotten.
static void grow_by_point(cdg_box *box, const cdg_pieces *p, uint32_t point) {
    grow_box(box, p->start[point]);
    grow_box(box, p->next[point]);
    grow_box(box, p->free[point]);
}

static void widen(cdg_box *box, double more) {
    for (int k = 0; k < 3; k++) box->low[k] -= more, box->high[k] += more;
}

static cdg_box triangle_box(const cdg_pieces *p, size_t number, double margin) {
    const cdg_surface_triangle *t = &p->surfaces.triangles[number];
    cdg_box box = nowhere;
    for (int k = 0; k < 3; k++) grow_by_point(&box, p, p->surfaces.vertices[t->corner[k]].point);
    widen(&box, (1 + margin) * p->surfaces.thickness[t->surface]);
    return box;
}

static cdg_box segment_box(const cdg_pieces *p, uint32_t e, double margin) {
    cdg_box box = nowhere;
    for (int k = 0; k < 2; k++) grow_by_point(&box, p, p->ends[e][k]);
    widen(&box, (1 + margin) * pieces_largest_radius(p, e));
    return box;
}

cdg_box cdg_surface_pairs_reach(const cdg_pieces *p, double margin) {
    cdg_box all = nowhere;
    for (size_t t = 0; t < p->surfaces.triangle_count; t++) {
        cdg_box box = triangle_box(p, t, margin);
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], box.low[k]);
            all.high[k] = fmax(all.high[k], box.high[k]);
        }
    }
    return all;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static bool add(cdg_surface_pairs *it, uint32_t kind, uint32_t number, uint32_t other_kind, uint32_t other,
                uint32_t detail) {
    if (it->count == it->capacity) {
        size_t capacity = it->capacity > 0 ? 2 * it->capacity : 1024;
        cdg_surface_pair *grown = realloc(it->pairs, capacity * sizeof *grown);
        if (grown == NULL) return false;
        it->pairs = grown;
        it->capacity = capacity;
    }
    it->pairs[it->count++] = (cdg_surface_pair){{kind, other_kind}, {number, other}, detail};
    return true;
}

static bool has_corner(const cdg_surface_triangle *t, uint32_t vertex) {
    return t->corner[0] == vertex || t->corner[1] == vertex || t->corner[2] == vertex;
}

static bool do_edges_share(const cdg_surface_edge *a, const cdg_surface_edge *b) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->end[i] == b->end[k]) return true;
    return false;
}

static bool add_triangles(cdg_surface_pairs *it, const cdg_surfaces *s, uint32_t a, uint32_t b) {
    const cdg_surface_triangle *t[2] = {&s->triangles[a], &s->triangles[b]};
    const uint32_t number[2] = {a, b};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = t[i]->corner[k];
            if (!t[i]->owns_corner[k] || has_corner(t[1 - i], vertex)) continue;
            if (!add(it, CDG_SIDE_VERTEX, vertex, CDG_SIDE_TRIANGLE, number[1 - i], 0)) return false;
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t one = t[0]->edge[i], other = t[1]->edge[k];
            if (!t[0]->owns_edge[i] || !t[1]->owns_edge[k] || do_edges_share(&s->edges[one], &s->edges[other]))
                continue;
            uint32_t low = one < other ? one : other, high = one < other ? other : one;
            if (!add(it, CDG_SIDE_EDGE, low, CDG_SIDE_EDGE, high, 0)) return false;
        }
    return true;
}

static bool add_segment(cdg_surface_pairs *it, const cdg_pieces *p, uint32_t e, uint32_t triangle) {
    const cdg_surface_triangle *t = &p->surfaces.triangles[triangle];
    for (int k = 0; k < 3; k++)
        if (t->owns_edge[k] && !add(it, CDG_SIDE_EDGE, t->edge[k], CDG_SIDE_SEGMENT, e, 0)) return false;
    // A chain's point is the first end of a segment, or the second of its last.
    const cdg_proxy *proxy = &p->objects[p->object_of[e]];
    bool is_last = !proxy->is_closed && pieces_local(p, e) + 1 == proxy->segment_count;
    for (uint32_t k = 0; k < (is_last ? 2 : 1); k++)
        if (!add(it, CDG_SIDE_TRIANGLE, triangle, CDG_SIDE_SEGMENT, e, k)) return false;
    return true;
}

static bool add_shapes(cdg_surface_pairs *it, const cdg_surfaces *s, const cdg_box *boxes) {
    for (size_t o = 0; o < it->shape_count; o++) {
        const cdg_shape_reach *shape = &it->shapes[o];
        for (uint32_t t = 0; t < s->triangle_count; t++) {
            const cdg_surface_triangle *triangle = &s->triangles[t];
            if (!cdg_boxes_overlap(&shape->box, &boxes[t])) continue;
            bool is_added = shape->is_flat || add(it, CDG_SIDE_TRIANGLE, t, shape->kind, shape->number, 0);
            for (int k = 0; k < 3 && is_added; k++) {
                if (triangle->owns_corner[k])
                    is_added = add(it, CDG_SIDE_VERTEX, triangle->corner[k], shape->kind, shape->number, 0);
                if (triangle->owns_edge[k] && !shape->is_flat)
                    is_added = is_added && add(it, CDG_SIDE_EDGE, triangle->edge[k], shape->kind, shape->number, 0);
            }
            if (!is_added) return false;
        }
    }
    return true;
}

static int compare_pairs(const void *a, const void *b) {
    const cdg_surface_pair *x = a, *y = b;
    const uint32_t left[5] = {x->kind[0], x->number[0], x->kind[1], x->number[1], x->detail};
    const uint32_t right[5] = {y->kind[0], y->number[0], y->kind[1], y->number[1], y->detail};
    for (int k = 0; k < 5; k++)
        if (left[k] != right[k]) return left[k] < right[k] ? -1 : 1;
    return 0;
}

static bool make_boxes(cdg_surface_pairs *it, const cdg_pieces *p, double margin) {
    size_t triangles = p->surfaces.triangle_count, count = triangles + p->element_count + it->corner_count;
    if (count > it->box_capacity) {
        cdg_box *grown = realloc(it->boxes, (count + count / 2) * sizeof *grown);
        if (grown == NULL) return false;
        it->boxes = grown;
        it->box_capacity = count + count / 2;
    }
    for (size_t t = 0; t < triangles; t++) it->boxes[t] = triangle_box(p, t, margin);
    for (uint32_t e = 0; e < p->element_count; e++) it->boxes[triangles + e] = segment_box(p, e, margin);
    for (size_t i = 0; i < it->corner_count; i++) {
        cdg_box box = nowhere;
        grow_box(&box, it->corners[i].from);
        grow_box(&box, it->corners[i].to);
        it->boxes[triangles + p->element_count + i] = box;
    }
    return true;
}

// Of two boxes the first is a triangle's.
static bool is_of_interest(const void *user, uint32_t a, uint32_t b) {
    const cdg_pieces *p = user;
    uint32_t least = a < b ? a : b, most = a < b ? b : a;
    if (most >= p->surfaces.triangle_count) return least < p->surfaces.triangle_count;
    uint32_t surface = p->surfaces.triangles[a].surface;
    return surface != p->surfaces.triangles[b].surface || !p->surfaces.passes_itself[surface];
}

cdg_result cdg_surface_pairs_find(cdg_surface_pairs *it, const cdg_pieces *p, double margin, cdg_error *error) {
    it->count = 0;
    if (!make_boxes(it, p, margin)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    uint32_t triangles = (uint32_t)p->surfaces.triangle_count, elements = (uint32_t)p->element_count;
    cdg_result result =
        cdg_box_finder_find(&it->finder, it->boxes, triangles + elements + it->corner_count, is_of_interest, p, error);
    if (result != CDG_OK) return result;
    bool is_added = add_shapes(it, &p->surfaces, it->boxes);
    for (size_t i = 0; i < it->finder.pair_count && is_added; i++) {
        uint32_t a = it->finder.pairs[i].a, b = it->finder.pairs[i].b;
        if (b < triangles) {
            is_added = add_triangles(it, &p->surfaces, a, b);
        } else if (b < triangles + elements) {
            if (!pieces_pass(p, b - triangles, a)) is_added = add_segment(it, p, b - triangles, a);
        } else {
            const cdg_mesh_corner *corner = &it->corners[b - triangles - elements];
            is_added = add(it, CDG_SIDE_TRIANGLE, a, corner->kind, corner->shape, corner->corner + 1);
        }
    }
    if (!is_added) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", it->count);
    qsort(it->pairs, it->count, sizeof *it->pairs, compare_pairs);
    return CDG_OK;
}
