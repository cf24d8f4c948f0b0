// Broad phase of surfaces (surface_pairs.h): boxes around objects, and of two that may meet around triangles, segments
// and corners of meshes; pairs of boxes, and what each has to be looked at for.
#include "contact/surface_pairs.h"

#include "base/error.h"
#include "contact/contacts.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_surface_pairs_free(cdg_surface_pairs *it) {
    cdg_box_finder_free(&it->finder);
    free(it->boxes);
    free(it->numbers);
    free(it->primitives);
    free(it->corners);
    free(it->shapes);
    free(it->pairs);
    free(it->numbers_of_pairs);
    free(it->couples);
    free(it->kept_shapes);
    *it = (cdg_surface_pairs){0};
}

static const double rounding_share = 1e-9; // of distances

// ---- boxes ----------------------------------------------------------------------------------------------------------

static void grow_box(cdg_box *box, cdg_vec3 point) {
    const double at[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

static const cdg_box nowhere = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void widen(cdg_box *box, double more) {
    for (int k = 0; k < 3; k++) box->low[k] -= more, box->high[k] += more;
}

cdg_box cdg_surface_pairs_reach(const cdg_pieces *p, double margin) {
    cdg_box all = nowhere;
    for (size_t i = p->chain_count; i < p->object_count; i++) {
        double more = (1 + margin) * p->surfaces.thickness[i - p->chain_count];
        cdg_box box = nowhere;
        for (uint32_t n = p->first_node[i]; n < p->first_node[i + 1]; n++) {
            uint32_t k = p->point_of[n];
            grow_box(&box, p->start[k]), grow_box(&box, p->next[k]), grow_box(&box, p->free[k]);
        }
        widen(&box, more);
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], box.low[k]);
            all.high[k] = fmax(all.high[k], box.high[k]);
        }
    }
    return all;
}

static cdg_box box_of(const cdg_vec3 *points, int count, double more) {
    cdg_box box = {{points[0].x, points[0].y, points[0].z}, {points[0].x, points[0].y, points[0].z}};
    for (int i = 1; i < count; i++) grow_box(&box, points[i]);
    widen(&box, more);
    return box;
}

// Edge k is opposite corner k.
static cdg_primitive_boxes primitive_boxes(const cdg_vec3 corner[3], double more) {
    cdg_vec3 across = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    double size = vec3_norm(across);
    cdg_primitive_boxes out = {.normal = vec3_scale(size > 0 ? 1 / size : 0, across)};
    for (int k = 0; k < 3; k++) {
        out.at[k] = corner[k];
        const cdg_vec3 ends[2] = {corner[(k + 1) % 3], corner[(k + 2) % 3]};
        out.corner[k] = box_of(&corner[k], 1, more);
        out.edge[k] = box_of(ends, 2, more);
    }
    return out;
}

// m: what an object reaches around its points.
static double reach_of(const cdg_pieces *p, size_t object, double margin) {
    if (object >= p->chain_count) return (1 + margin) * p->surfaces.thickness[object - p->chain_count];
    double most = 0;
    for (uint32_t e = p->first_element[object]; e < p->first_element[object + 1]; e++)
        most = fmax(most, pieces_largest_radius(p, e));
    return (1 + margin) * most;
}

static cdg_box object_box(const cdg_pieces *p, size_t object, double more) {
    cdg_box box = nowhere;
    for (uint32_t n = p->first_node[object]; n < p->first_node[object + 1]; n++)
        grow_box(&box, p->start[p->point_of[n]]);
    widen(&box, more);
    return box;
}

static bool reserve(void **memory, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity) return true;
    size_t wanted = count + count / 2 + 64;
    void *grown = realloc(*memory, wanted * size);
    if (grown == NULL) return false;
    *memory = grown;
    *capacity = wanted;
    return true;
}

static bool reserve_boxes(cdg_surface_pairs *it, size_t count) {
    if (count <= it->box_capacity) return true;
    size_t wanted = count + count / 2 + 64;
    cdg_box *boxes = realloc(it->boxes, wanted * sizeof *boxes);
    if (boxes != NULL) it->boxes = boxes;
    uint32_t *numbers = realloc(it->numbers, wanted * sizeof *numbers);
    if (numbers != NULL) it->numbers = numbers;
    cdg_primitive_boxes *primitives = realloc(it->primitives, wanted * sizeof *primitives);
    if (primitives != NULL) it->primitives = primitives;
    if (boxes == NULL || numbers == NULL || primitives == NULL) return false;
    it->box_capacity = wanted;
    return true;
}

// ---- couples of objects ---------------------------------------------------------------------------------------------

bool cdg_surface_pairs_hold_shapes(const cdg_surface_pairs *it) {
    if (it->kept_shape_count != it->shape_count) return false;
    for (size_t i = 0; i < it->shape_count; i++) {
        const cdg_shape_reach *now = &it->shapes[i], *kept = &it->kept_shapes[i];
        if (now->object != kept->object || now->is_flat != kept->is_flat) return false;
        for (int k = 0; k < 3; k++)
            if (!(now->box.low[k] >= kept->wide.low[k] && now->box.high[k] <= kept->wide.high[k])) return false;
    }
    return true;
}

static bool is_same_box(const cdg_box *a, const cdg_box *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] < b->low[k] || a->low[k] > b->low[k] || a->high[k] < b->high[k] || a->high[k] > b->high[k])
            return false;
    return true;
}

static bool keep_shapes(cdg_surface_pairs *it, double more) {
    if (!reserve((void **)&it->kept_shapes, &it->kept_shape_capacity, it->shape_count, sizeof *it->kept_shapes))
        return false;
    for (size_t i = 0; i < it->shape_count; i++) {
        cdg_shape_reach shape = it->shapes[i];
        const cdg_shape_reach *before = i < it->kept_shape_count ? &it->kept_shapes[i] : NULL;
        shape.has_moved = before == NULL || before->object != shape.object || !is_same_box(&before->box, &shape.box);
        shape.wide = shape.box;
        widen(&shape.wide, more);
        it->kept_shapes[i] = shape;
    }
    it->kept_shape_count = it->shape_count;
    return true;
}

// Of objects and then shapes at least one has a surface.
static bool may_meet(const void *user, uint32_t a, uint32_t b) {
    const cdg_pieces *p = user;
    uint32_t chains = (uint32_t)p->chain_count, objects = (uint32_t)p->object_count;
    bool is_surface[2] = {a >= chains && a < objects, b >= chains && b < objects};
    return is_surface[0] || is_surface[1];
}

static int compare_couples(const void *a, const void *b) {
    const cdg_object_couple *x = a, *y = b;
    int order = contact_compare_numbers(x->object[0], y->object[0]);
    return order != 0 ? order : contact_compare_numbers(x->object[1], y->object[1]);
}

// What is between boxes of objects and shapes, and surfaces that touch themselves.
static bool list_found(cdg_surface_pairs *it, const cdg_pieces *p) {
    size_t most = it->finder.pair_count + p->surfaces.count;
    if (!reserve((void **)&it->couples, &it->couple_capacity, most, sizeof *it->couples)) return false;
    it->couple_count = 0;
    for (uint32_t i = 0; i < p->surfaces.count; i++) {
        uint32_t object = (uint32_t)p->chain_count + i;
        if (!p->surfaces.passes_itself[i] && p->objects[object].object != NULL)
            it->couples[it->couple_count++] = (cdg_object_couple){{object, object}};
    }
    for (size_t i = 0; i < it->finder.pair_count; i++) {
        uint32_t a = it->finder.pairs[i].a, b = it->finder.pairs[i].b;
        if (b >= p->object_count) b = it->kept_shapes[b - p->object_count].object;
        bool is_turned = a < p->chain_count;
        it->couples[it->couple_count++] = (cdg_object_couple){{is_turned ? b : a, is_turned ? a : b}};
    }
    if (it->couple_count > 0) qsort(it->couples, it->couple_count, sizeof *it->couples, compare_couples);
    return true;
}

cdg_result cdg_surface_pairs_list_couples(cdg_surface_pairs *it, const cdg_pieces *p, const double *room, double margin,
                                          cdg_error *error) {
    double most = 0;
    for (size_t i = p->chain_count; i < p->object_count; i++) most = fmax(most, room[i]);
    size_t count = p->object_count + it->shape_count;
    if (!reserve_boxes(it, count) || !keep_shapes(it, most))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    for (size_t i = 0; i < p->object_count; i++) it->boxes[i] = object_box(p, i, reach_of(p, i, margin) + room[i]);
    for (size_t i = 0; i < it->shape_count; i++) it->boxes[p->object_count + i] = it->kept_shapes[i].wide;
    cdg_result result = cdg_box_finder_find(&it->finder, it->boxes, count, may_meet, p, error);
    if (result == CDG_OK && !list_found(it, p))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    return result;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static bool grow_pairs(cdg_surface_pairs *it) {
    size_t capacity = it->capacity > 0 ? 2 * it->capacity : 1024;
    cdg_surface_pair *pairs = realloc(it->pairs, capacity * sizeof *pairs);
    if (pairs != NULL) it->pairs = pairs;
    uint32_t *numbers = realloc(it->numbers_of_pairs, capacity * sizeof *numbers);
    if (numbers != NULL) it->numbers_of_pairs = numbers;
    if (pairs == NULL || numbers == NULL) return false;
    it->capacity = capacity;
    return true;
}

static bool add(cdg_surface_pairs *it, uint32_t kind, uint32_t number, uint32_t other_kind, uint32_t other,
                uint32_t detail) {
    if (it->count == it->capacity && !grow_pairs(it)) return false;
    it->pairs[it->count++] = (cdg_surface_pair){{kind, other_kind}, {number, other}, detail};
    return true;
}

// What is near: each side's boxes are larger by so much, m.
typedef struct search {
    cdg_surface_pairs *it;
    const cdg_pieces *p;
    double more[2];
} search;

static bool has_corner(const cdg_surface_triangle *t, uint32_t vertex) {
    return t->corner[0] == vertex || t->corner[1] == vertex || t->corner[2] == vertex;
}

static bool do_edges_share(const cdg_surface_edge *a, const cdg_surface_edge *b) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->end[i] == b->end[k]) return true;
    return false;
}

static bool add_vertices(const search *w, const uint32_t at[2], int i) {
    cdg_surface_pairs *it = w->it;
    const cdg_surface_triangle *t = &w->p->surfaces.triangles[it->numbers[at[i]]];
    const cdg_surface_triangle *other = &w->p->surfaces.triangles[it->numbers[at[1 - i]]];
    const cdg_primitive_boxes *own = &it->primitives[at[i]];
    for (int k = 0; k < 3; k++) {
        if (!t->owns_corner[k]) continue;
        if (!cdg_boxes_overlap(&own->corner[k], &it->boxes[at[1 - i]]) || has_corner(other, t->corner[k])) continue;
        if (!add(it, CDG_SIDE_VERTEX, t->corner[k], CDG_SIDE_TRIANGLE, it->numbers[at[1 - i]], 0)) return false;
    }
    return true;
}

static bool add_edges(const search *w, const uint32_t at[2]) {
    cdg_surface_pairs *it = w->it;
    const cdg_surfaces *s = &w->p->surfaces;
    const cdg_surface_triangle *t[2] = {&s->triangles[it->numbers[at[0]]], &s->triangles[it->numbers[at[1]]]};
    const cdg_box *own = it->primitives[at[0]].edge, *others = it->primitives[at[1]].edge;
    for (int i = 0; i < 3; i++) {
        if (!t[0]->owns_edge[i] || !cdg_boxes_overlap(&own[i], &it->boxes[at[1]])) continue;
        uint32_t one = t[0]->edge[i];
        for (int k = 0; k < 3; k++) {
            if (!t[1]->owns_edge[k] || !cdg_boxes_overlap(&own[i], &others[k])) continue;
            uint32_t other = t[1]->edge[k];
            if (do_edges_share(&s->edges[one], &s->edges[other])) continue;
            uint32_t low = one < other ? one : other, high = one < other ? other : one;
            if (!add(it, CDG_SIDE_EDGE, low, CDG_SIDE_EDGE, high, 0)) return false;
        }
    }
    return true;
}

// m: how far a triangle lies beyond another along an axis, at least, on either side.
static double apart_along(const cdg_vec3 a[3], const cdg_vec3 b[3], cdg_vec3 axis) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        double of_a = vec3_dot(a[k], axis), of_b = vec3_dot(b[k], axis);
        low[0] = of_a < low[0] ? of_a : low[0], high[0] = of_a > high[0] ? of_a : high[0];
        low[1] = of_b < low[1] ? of_b : low[1], high[1] = of_b > high[1] ? of_b : high[1];
    }
    double one = low[1] - high[0], other = low[0] - high[1];
    return one > other ? one : other;
}

// Whether an axis shows that two triangles are farther from each other than what counts as near. Their boxes meet far
// more often than they are near.
static bool are_apart(const search *w, const cdg_primitive_boxes *a, const cdg_primitive_boxes *b) {
    double most = (w->more[0] + w->more[1]) * (1 + rounding_share);
    if (apart_along(a->at, b->at, a->normal) > most || apart_along(a->at, b->at, b->normal) > most) return true;
    cdg_vec3 between = vec3_sub(b->at[0], a->at[0]);
    for (int k = 1; k < 3; k++) between = vec3_add(between, vec3_sub(b->at[k], a->at[k]));
    return vec3_norm(between) > 0 && apart_along(a->at, b->at, vec3_normalize(between)) > most;
}

// Two triangles by the numbers of their boxes.
static bool add_triangles(const search *w, uint32_t a, uint32_t b) {
    const uint32_t at[2] = {a, b};
    if (are_apart(w, &w->it->primitives[a], &w->it->primitives[b])) return true;
    return add_vertices(w, at, 0) && add_vertices(w, at, 1) && add_edges(w, at);
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

static bool add_with_shape(cdg_surface_pairs *it, const cdg_surface_triangle *triangle, uint32_t t,
                           const cdg_shape_reach *shape) {
    if (!shape->is_flat && !add(it, CDG_SIDE_TRIANGLE, t, shape->kind, shape->number, 0)) return false;
    for (int k = 0; k < 3; k++) {
        if (triangle->owns_corner[k] && !add(it, CDG_SIDE_VERTEX, triangle->corner[k], shape->kind, shape->number, 0))
            return false;
        if (triangle->owns_edge[k] && !shape->is_flat &&
            !add(it, CDG_SIDE_EDGE, triangle->edge[k], shape->kind, shape->number, 0))
            return false;
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

// Triangles of a surface whose boxes meet `clip`, or all; false: no memory.
static bool box_triangles(search *w, size_t object, double more, const cdg_box *clip) {
    cdg_surface_pairs *it = w->it;
    const cdg_surfaces *s = &w->p->surfaces;
    size_t surface = object - w->p->chain_count;
    if (!reserve_boxes(it, it->box_count + s->first_triangle[surface + 1] - s->first_triangle[surface])) return false;
    for (uint32_t t = s->first_triangle[surface]; t < s->first_triangle[surface + 1]; t++) {
        cdg_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = w->p->start[s->vertices[s->triangles[t].corner[k]].point];
        cdg_box box = box_of(corner, 3, more);
        if (clip != NULL && !cdg_boxes_overlap(&box, clip)) continue;
        it->primitives[it->box_count] = primitive_boxes(corner, more);
        it->numbers[it->box_count] = t;
        it->boxes[it->box_count++] = box;
    }
    return true;
}

static bool box_elements(search *w, size_t object, double share, double more, const cdg_box *clip) {
    cdg_surface_pairs *it = w->it;
    const cdg_pieces *p = w->p;
    if (!reserve_boxes(it, it->box_count + p->first_element[object + 1] - p->first_element[object])) return false;
    for (uint32_t e = p->first_element[object]; e < p->first_element[object + 1]; e++) {
        cdg_box box = nowhere;
        for (int k = 0; k < 2; k++) grow_box(&box, p->start[p->ends[e][k]]);
        widen(&box, share * pieces_largest_radius(p, e) + more);
        if (clip != NULL && !cdg_boxes_overlap(&box, clip)) continue;
        it->numbers[it->box_count] = e;
        it->boxes[it->box_count++] = box;
    }
    return true;
}

// Corners of a mesh that does not give way, which go as they like within the step.
static bool box_corners(search *w, const cdg_shape_reach *shape) {
    cdg_surface_pairs *it = w->it;
    if (!reserve_boxes(it, it->box_count + it->corner_count)) return false;
    for (uint32_t i = 0; i < it->corner_count; i++) {
        const cdg_contact_mesh_corner *corner = &it->corners[i];
        if (corner->kind != shape->kind || corner->shape != shape->number) continue;
        cdg_box box = nowhere;
        grow_box(&box, corner->from);
        grow_box(&box, corner->to);
        it->numbers[it->box_count] = i;
        it->boxes[it->box_count++] = box;
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

const cdg_shape_reach *cdg_surface_pairs_shape(const cdg_surface_pairs *it, uint32_t object) {
    size_t low = 0, high = it->kept_shape_count; // they are in order
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (it->kept_shapes[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_there = low < it->kept_shape_count && it->kept_shapes[low].object == object;
    return is_there ? &it->kept_shapes[low] : NULL;
}

// What each pair of boxes is looked at for. False: no memory.
static bool add_found(const search *w, const cdg_object_couple *couple, const cdg_shape_reach *shape) {
    cdg_surface_pairs *it = w->it;
    const cdg_pieces *p = w->p;
    for (size_t i = 0; i < it->finder.pair_count; i++) {
        uint32_t a = it->finder.pairs[i].a, b = it->finder.pairs[i].b, number = it->numbers[b];
        bool is_added = true;
        if (shape != NULL) {
            const cdg_contact_mesh_corner *corner = &it->corners[number];
            is_added = add(it, CDG_SIDE_TRIANGLE, it->numbers[a], corner->kind, corner->shape, corner->corner + 1);
        } else if (couple->object[1] >= p->chain_count) {
            is_added = add_triangles(w, a, b);
        } else if (!pieces_pass(p, number, it->numbers[a])) {
            is_added = add_segment(it, p, number, it->numbers[a]);
        }
        if (!is_added) return false;
    }
    return true;
}

// Boxes of what may meet. `split`: how many are the first object's. False: no memory.
static bool box_couple(search *w, const cdg_object_couple *couple, const cdg_shape_reach *shape, double margin,
                       double range, size_t *split) {
    const cdg_pieces *p = w->p;
    size_t a = couple->object[0], b = couple->object[1];
    w->it->box_count = 0;
    if (shape != NULL) {
        w->more[0] = reach_of(p, a, margin) + range;
        if (!box_triangles(w, a, w->more[0], &shape->wide)) return false;
        *split = w->it->box_count;
        return box_corners(w, shape);
    }
    for (int i = 0; i < 2; i++) w->more[i] = reach_of(p, couple->object[i], margin) + 0.5 * range;
    if (a == b) {
        *split = SIZE_MAX;
        return box_triangles(w, a, w->more[0], NULL);
    }
    cdg_box one = object_box(p, a, w->more[0]), other = object_box(p, b, w->more[1]);
    if (!box_triangles(w, a, w->more[0], &other)) return false;
    *split = w->it->box_count;
    if (b >= p->chain_count) return box_triangles(w, b, w->more[1], &one);
    return box_elements(w, b, 1 + margin, 0.5 * range, &one);
}

cdg_result cdg_surface_pairs_find(cdg_surface_pairs *it, const cdg_pieces *p, const cdg_object_couple *couple,
                                  double range, double margin, cdg_error *error) {
    search w = {it, p, {0, 0}};
    const cdg_shape_reach *shape = cdg_surface_pairs_shape(it, couple->object[1]);
    size_t split = 0;
    it->count = 0;
    bool has_room = box_couple(&w, couple, shape, margin, range, &split);
    for (size_t i = 0; i < split && shape != NULL && has_room; i++)
        has_room = add_with_shape(it, &p->surfaces.triangles[it->numbers[i]], it->numbers[i], shape);
    if (!has_room) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    if (split > 0 && split != it->box_count) {
        cdg_result result = split == SIZE_MAX
                                ? cdg_box_finder_find(&it->finder, it->boxes, it->box_count, NULL, NULL, error)
                                : cdg_box_finder_find_between(&it->finder, it->boxes, split, it->box_count, error);
        if (result != CDG_OK) return result;
        if (!add_found(&w, couple, shape))
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu pairs of contact", it->count);
    }
    return CDG_OK;
}

void cdg_surface_pairs_sort(cdg_surface_pairs *it) {
    if (it->count > 0) qsort(it->pairs, it->count, sizeof *it->pairs, compare_pairs);
}

cdg_result cdg_surface_pairs_find_meeting(cdg_surface_pairs *it, const cdg_pieces *p, cdg_error *error) {
    search w = {it, p, {0, 0}};
    it->box_count = 0;
    bool has_room = true;
    for (size_t i = p->chain_count; i < p->object_count && has_room; i++) has_room = box_triangles(&w, i, 0, NULL);
    for (size_t i = 0; i < p->chain_count && has_room; i++) has_room = box_elements(&w, i, 0, 0, NULL);
    if (!has_room) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of surfaces");
    return cdg_box_finder_find(&it->finder, it->boxes, it->box_count, is_of_interest, p, error);
}
