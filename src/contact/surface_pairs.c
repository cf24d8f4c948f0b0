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
    free(it->around);
    free(it->edges);
    free(it->kept_shapes);
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

static cdg_box swept_triangle(const cdg_pieces *p, size_t number, double margin) {
    const cdg_surface_triangle *t = &p->surfaces.triangles[number];
    cdg_box box = nowhere;
    for (int k = 0; k < 3; k++) grow_by_point(&box, p, p->surfaces.vertices[t->corner[k]].point);
    widen(&box, (1 + margin) * p->surfaces.thickness[t->surface]);
    return box;
}

cdg_box cdg_surface_pairs_reach(const cdg_pieces *p, double margin) {
    cdg_box all = nowhere;
    for (size_t t = 0; t < p->surfaces.triangle_count; t++) {
        cdg_box box = swept_triangle(p, t, margin);
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], box.low[k]);
            all.high[k] = fmax(all.high[k], box.high[k]);
        }
    }
    return all;
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

// Pairs that are soon out of date are made for points that go farther, pairs that last, or never do, for nearer ones.
static const double slack_first = 2, slack_least = 1, slack_most = 8;
enum { USES_FEW = 12, USES_MANY = 200 };

static bool is_in_box(const cdg_box *box, cdg_vec3 x) {
    return x.x >= box->low[0] && x.x <= box->high[0] && x.y >= box->low[1] && x.y <= box->high[1] &&
           x.z >= box->low[2] && x.z <= box->high[2];
}

static bool are_points_in_boxes(const cdg_surface_pairs *it, const cdg_pieces *p) {
    for (uint32_t k = 1; k < p->first_body_point; k++) {
        const cdg_box *box = &it->around[k];
        if (!is_in_box(box, p->start[k]) || !is_in_box(box, p->next[k]) || !is_in_box(box, p->free[k])) return false;
    }
    return true;
}

static bool are_shapes_in_boxes(const cdg_surface_pairs *it) {
    if (it->kept_shape_count != it->shape_count) return false;
    for (size_t i = 0; i < it->shape_count; i++) {
        const cdg_shape_reach *now = &it->shapes[i], *kept = &it->kept_shapes[i];
        if (now->kind != kept->kind || now->number != kept->number || now->is_flat != kept->is_flat) return false;
        for (int k = 0; k < 3; k++)
            if (!(now->box.low[k] >= kept->box.low[k] && now->box.high[k] <= kept->box.high[k])) return false;
    }
    return true;
}

static void choose_slack(cdg_surface_pairs *it) {
    if (it->slack == 0)
        it->slack = slack_first;
    else if (it->uses == 0 || it->uses > USES_MANY)
        it->slack = fmax(0.5 * it->slack, slack_least);
    else if (it->uses < USES_FEW)
        it->slack = fmin(2 * it->slack, slack_most);
    it->uses = 0;
}

// m: what tells small objects from large ones.
static double size_of(const cdg_pieces *p, size_t object) {
    if (object >= p->chain_count) return p->surfaces.thickness[object - p->chain_count];
    return p->objects[object].segment_count > 0 ? pieces_largest_radius(p, p->first_element[object]) : 0;
}

static void put_boxes_around(cdg_surface_pairs *it, const cdg_pieces *p) {
    for (size_t i = 0; i < p->object_count; i++) {
        double slack = it->slack * size_of(p, i);
        for (uint32_t n = p->first_node[i]; n < p->first_node[i + 1]; n++) {
            cdg_box box = nowhere;
            grow_by_point(&box, p, p->point_of[n]);
            widen(&box, slack);
            it->around[p->point_of[n]] = box;
        }
    }
}

static bool keep_shapes(cdg_surface_pairs *it, const cdg_pieces *p) {
    if (it->shape_count > it->kept_shape_capacity) {
        cdg_shape_reach *grown = realloc(it->kept_shapes, it->shape_count * sizeof *grown);
        if (grown == NULL) return false;
        it->kept_shapes = grown, it->kept_shape_capacity = it->shape_count;
    }
    double slack = 0;
    for (size_t i = 0; i < p->surfaces.count; i++) slack = fmax(slack, it->slack * p->surfaces.thickness[i]);
    it->kept_shape_count = it->shape_count;
    for (size_t i = 0; i < it->shape_count; i++) {
        it->kept_shapes[i] = it->shapes[i];
        widen(&it->kept_shapes[i].box, slack);
    }
    return true;
}

static void join_boxes(cdg_box *box, const cdg_box *other) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
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

static cdg_box vertex_box(const cdg_surface_pairs *it, const cdg_surfaces *s, uint32_t vertex, double margin) {
    cdg_box box = it->around[s->vertices[vertex].point];
    widen(&box, (1 + margin) * s->thickness[s->vertices[vertex].surface]);
    return box;
}

static bool add_triangles(cdg_surface_pairs *it, const cdg_surfaces *s, uint32_t a, uint32_t b, double margin) {
    const cdg_surface_triangle *t[2] = {&s->triangles[a], &s->triangles[b]};
    const uint32_t number[2] = {a, b};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = t[i]->corner[k];
            if (!t[i]->owns_corner[k] || has_corner(t[1 - i], vertex)) continue;
            cdg_box box = vertex_box(it, s, vertex, margin);
            if (!cdg_boxes_overlap(&box, &it->boxes[number[1 - i]])) continue;
            if (!add(it, CDG_SIDE_VERTEX, vertex, CDG_SIDE_TRIANGLE, number[1 - i], 0)) return false;
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t one = t[0]->edge[i], other = t[1]->edge[k];
            if (!t[0]->owns_edge[i] || !t[1]->owns_edge[k] || do_edges_share(&s->edges[one], &s->edges[other]))
                continue;
            if (!cdg_boxes_overlap(&it->edges[one], &it->edges[other])) continue;
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
    for (size_t o = 0; o < it->kept_shape_count; o++) {
        const cdg_shape_reach *shape = &it->kept_shapes[o];
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

static bool reserve_boxes(cdg_box **boxes, size_t *capacity, size_t count) {
    if (count <= *capacity) return true;
    cdg_box *grown = realloc(*boxes, (count + count / 2) * sizeof *grown);
    if (grown == NULL) return false;
    *boxes = grown;
    *capacity = count + count / 2;
    return true;
}

static bool make_boxes(cdg_surface_pairs *it, const cdg_pieces *p, double margin) {
    const cdg_surfaces *s = &p->surfaces;
    size_t triangles = s->triangle_count, count = triangles + p->element_count + it->corner_count;
    if (!reserve_boxes(&it->boxes, &it->box_capacity, count) ||
        !reserve_boxes(&it->edges, &it->edge_capacity, s->edge_count) ||
        !reserve_boxes(&it->around, &it->around_capacity, p->point_capacity) || !keep_shapes(it, p))
        return false;
    put_boxes_around(it, p);
    for (size_t e = 0; e < s->edge_count; e++) {
        it->edges[e] = it->around[s->vertices[s->edges[e].end[0]].point];
        join_boxes(&it->edges[e], &it->around[s->vertices[s->edges[e].end[1]].point]);
        widen(&it->edges[e], (1 + margin) * s->thickness[surfaces_of_edge(s, (uint32_t)e)]);
    }
    for (size_t t = 0; t < triangles; t++) {
        const cdg_surface_triangle *triangle = &s->triangles[t];
        it->boxes[t] = nowhere;
        for (int k = 0; k < 3; k++) join_boxes(&it->boxes[t], &it->around[s->vertices[triangle->corner[k]].point]);
        widen(&it->boxes[t], (1 + margin) * s->thickness[triangle->surface]);
    }
    for (uint32_t e = 0; e < p->element_count; e++) {
        cdg_box box = it->around[p->ends[e][0]];
        join_boxes(&box, &it->around[p->ends[e][1]]);
        widen(&box, (1 + margin) * pieces_largest_radius(p, e));
        it->boxes[triangles + e] = box;
    }
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

// Corners of meshes go with them.
static bool is_good(const cdg_surface_pairs *it, const cdg_pieces *p) {
    return it->is_good && it->corner_count == 0 && are_shapes_in_boxes(it) && are_points_in_boxes(it, p);
}

cdg_result cdg_surface_pairs_find(cdg_surface_pairs *it, const cdg_pieces *p, double margin, bool *is_new,
                                  cdg_error *error) {
    *is_new = !is_good(it, p);
    if (!*is_new) {
        it->uses++;
        return CDG_OK;
    }
    it->count = 0;
    it->is_good = false;
    choose_slack(it);
    if (!make_boxes(it, p, margin)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    uint32_t triangles = (uint32_t)p->surfaces.triangle_count, elements = (uint32_t)p->element_count;
    cdg_result result =
        cdg_box_finder_find(&it->finder, it->boxes, triangles + elements + it->corner_count, is_of_interest, p, error);
    if (result != CDG_OK) return result;
    bool is_added = add_shapes(it, &p->surfaces, it->boxes);
    for (size_t i = 0; i < it->finder.pair_count && is_added; i++) {
        uint32_t a = it->finder.pairs[i].a, b = it->finder.pairs[i].b;
        if (b < triangles) {
            is_added = add_triangles(it, &p->surfaces, a, b, margin);
        } else if (b < triangles + elements) {
            if (!pieces_pass(p, b - triangles, a)) is_added = add_segment(it, p, b - triangles, a);
        } else {
            const cdg_contact_mesh_corner *corner = &it->corners[b - triangles - elements];
            is_added = add(it, CDG_SIDE_TRIANGLE, a, corner->kind, corner->shape, corner->corner + 1);
        }
    }
    if (!is_added) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", it->count);
    if (it->count > 0) qsort(it->pairs, it->count, sizeof *it->pairs, compare_pairs);
    it->is_good = it->corner_count == 0;
    return CDG_OK;
}
