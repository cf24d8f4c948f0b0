#include "contact/paper_collisions.h"

#include "base/error.h"
#include "contact/contact_find.h"
#include "contact/shape_motion.h"
#include "contact/surface_feature.h"

#include <stdlib.h>
#include <string.h>

// Radii that a point may go in a step, relative to what is near: a quarter of the shortest edge, which no tetrahedron
// that is worth its name is thinner than.
static const double fast_radii = 5;
static const double no_weight = 1e-9; // of a triangle's corners: a place nearer to the limit is at it

void cdg_paper_free(cdg_paper *it) {
    free(it->column);
    free(it->boxes);
    free(it->near);
    free(it->number);
    free(it->around);
    cdg_box_finder_free(&it->finder);
    *it = (cdg_paper){0};
}

// Once for all steps of the same objects.
static bool reserve(cdg_paper *it, const cdg_pieces *p) {
    const cdg_surfaces *s = &p->surfaces;
    size_t boxes = s->vertex_count + s->triangle_count;
    if (p->point_count <= it->point_capacity && boxes <= it->box_capacity && s->count <= it->surface_capacity)
        return true;
    cdg_paper_free(it);
    it->column = calloc(p->point_count, sizeof *it->column);
    it->boxes = malloc((boxes + 1) * sizeof *it->boxes);
    it->near = malloc((boxes + 1) * sizeof *it->near);
    it->number = malloc((boxes + 1) * sizeof *it->number);
    it->around = malloc((s->count + 1) * sizeof *it->around);
    if (it->column == NULL || it->boxes == NULL || it->near == NULL || it->number == NULL || it->around == NULL)
        return false;
    it->point_capacity = p->point_count, it->box_capacity = boxes, it->surface_capacity = s->count;
    return true;
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static const cdg_box no_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

// Over the step, and half of the reach beyond.
static cdg_box box_of(const cdg_pieces *p, const feature *it) {
    cdg_box box = no_box;
    double more = 0.5 * CDG_PAPER_REACH * it->radius[0];
    for (int k = 0; k < 2 * it->count; k++) {
        cdg_vec3 x = k % 2 == 0 ? p->start[it->point[k / 2]] : p->next[it->point[k / 2]];
        const double at[3] = {x.x, x.y, x.z};
        for (int m = 0; m < 3; m++) {
            box.low[m] = fmin(box.low[m], at[m] - more);
            box.high[m] = fmax(box.high[m], at[m] + more);
        }
    }
    return box;
}

// Of all vertices, then of all triangles; and around each surface.
static void make_boxes(const cdg_pieces *p, cdg_paper *paper) {
    const cdg_surfaces *s = &p->surfaces;
    for (size_t i = 0; i < s->count; i++) paper->around[i] = no_box;
    for (uint32_t n = 0; n < s->vertex_count + s->triangle_count; n++) {
        bool is_vertex = n < s->vertex_count;
        feature one = is_vertex ? surface_feature(p, CDG_SIDE_VERTEX, n)
                                : surface_feature(p, CDG_SIDE_TRIANGLE, n - (uint32_t)s->vertex_count);
        cdg_box box = paper->boxes[n] = box_of(p, &one), *around = &paper->around[one.side.object];
        for (int k = 0; k < 3; k++) {
            around->low[k] = fmin(around->low[k], box.low[k]);
            around->high[k] = fmax(around->high[k], box.high[k]);
        }
    }
}

// ---- between two surfaces -------------------------------------------------------------------------------------------

typedef struct finding {
    cdg_contacts *c;
    const cdg_contact_input *input;
    bool *is_too_fast;
    size_t vertex_count, count; // of the boxes: those of vertices, which come first, and all
} finding;

static void list_boxes(finding *it, uint32_t first, uint32_t end, uint32_t more, const cdg_box *within) {
    cdg_paper *paper = &it->c->paper;
    for (uint32_t n = first; n < end; n++) {
        if (!cdg_boxes_overlap(&paper->boxes[more + n], within)) continue;
        paper->near[it->count] = paper->boxes[more + n];
        paper->number[it->count++] = n;
    }
}

static uint32_t surface_of(const finding *it, uint32_t box) {
    const cdg_surfaces *s = &it->c->pieces.surfaces;
    uint32_t n = it->c->paper.number[box];
    return box < it->vertex_count ? s->vertices[n].surface : s->triangles[n].surface;
}

// A vertex of the one and a triangle of the other.
static bool may_collide(const void *user, uint32_t a, uint32_t b) {
    const finding *it = user;
    return a < it->vertex_count && b >= it->vertex_count && surface_of(it, a) != surface_of(it, b);
}

typedef struct nearest_triangle {
    cdg_point_closest at;
    feature triangle;
    cdg_vec3 normal;
    bool is_any;
} nearest_triangle;

static cdg_vec3 normal_of(const cdg_vec3 x[3]) {
    return vec3_normalize(vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])));
}

static void take_nearer(const cdg_pieces *p, const feature *vertex, uint32_t number, nearest_triangle *best) {
    nearest_triangle now = {.triangle = surface_feature(p, CDG_SIDE_TRIANGLE, number), .is_any = true};
    cdg_vec3 x[3];
    read_points(&now.triangle, p->next, x);
    now.at = cdg_point_triangle_closest(p->next[vertex->point[0]], x);
    now.normal = normal_of(x);
    if (!best->is_any || now.at.distance2 < best->at.distance2) *best = now;
}

// The corner of a triangle that is the point; -1: none.
static int corner_of(const feature *triangle, uint32_t point) {
    for (int k = 0; k < 3; k++)
        if (triangle->point[k] == point) return k;
    return -1;
}

// Out of the surface where it is nearest. At an edge or a corner no single triangle tells on which side a point is, but
// the mean of the normals around it does, at a corner by angles (Baerentzen and Aanaes 2005, "Signed distance
// computation using the angle weighted pseudonormal").
static cdg_vec3 way_out(const finding *it, const nearest_triangle *near, const cdg_box_pair *pairs, size_t count) {
    const cdg_pieces *p = &it->c->pieces;
    uint32_t shared[3];
    int shared_count = 0;
    for (int k = 0; k < 3; k++)
        if (near->at.weights[k] > no_weight) shared[shared_count++] = near->triangle.point[k];
    if (shared_count == 3) return near->normal;
    cdg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        feature triangle = surface_feature(p, CDG_SIDE_TRIANGLE, it->c->paper.number[pairs[i].b]);
        int at = corner_of(&triangle, shared[0]);
        if (at < 0 || (shared_count == 2 && corner_of(&triangle, shared[1]) < 0)) continue;
        cdg_vec3 x[3];
        read_points(&triangle, p->next, x);
        cdg_vec3 one = vec3_sub(x[(at + 1) % 3], x[at]), other = vec3_sub(x[(at + 2) % 3], x[at]);
        double angle = shared_count == 2 ? 1 : atan2(vec3_norm(vec3_cross(one, other)), vec3_dot(one, other));
        sum = vec3_mad(sum, angle, normal_of(x));
    }
    return sum;
}

// Of the way of a point past a triangle, the length.
static double relative_way(const cdg_pieces *p, const feature *vertex, const feature *triangle, const double w[3]) {
    cdg_vec3 way = vec3_sub(p->next[vertex->point[0]], p->start[vertex->point[0]]);
    for (int k = 0; k < 3; k++)
        way = vec3_mad(way, -w[k], vec3_sub(p->next[triangle->point[k]], p->start[triangle->point[k]]));
    return vec3_norm(way);
}

static cdg_result append(cdg_contacts *c, const cdg_contact *found, cdg_error *error) {
    cdg_contact *out = cdg_contacts_add(c);
    if (out == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for %zu contacts", c->count + 1);
    *out = *found;
    c->count++;
    return CDG_OK;
}

static cdg_result add_collision(finding *it, const feature *vertex, const nearest_triangle *near, cdg_vec3 out,
                                cdg_error *error) {
    const double *w = near->at.weights, sum = vertex->radius[0] + near->triangle.radius[0];
    double side = vec3_dot(out, near->at.between) < 0 ? -1 : 1, distance = sqrt(near->at.distance2);
    double gap = side * distance - sum;
    // Beyond the reach of the search there may be nearer triangles that it did not find.
    if (!(gap < 0) || distance > 0.5 * CDG_PAPER_REACH * sum) return CDG_OK;
    cdg_contact found = {.side = {vertex->side, near->triangle.side},
                         .point = {vec3(1, 0, 0), vec3(w[0], w[1], w[2])},
                         .normal = near->normal,
                         .gap = gap,
                         .radius = fmin(vertex->radius[0], near->triangle.radius[0]),
                         .friction = it->input->def->friction};
    if (distance > 1e-6 * sum) found.normal = vec3_scale(side / distance, near->at.between);
    return append(it->c, &found, error);
}

static cdg_result find_between(finding *it, uint32_t one, uint32_t other, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_pieces *p = &c->pieces;
    cdg_paper *paper = &c->paper;
    const uint32_t *vertex_at = p->surfaces.first_vertex, *triangle_at = p->surfaces.first_triangle;
    uint32_t sides[2] = {one, other}, all = (uint32_t)p->surfaces.vertex_count;
    it->count = 0;
    for (int k = 0; k < 2; k++)
        list_boxes(it, vertex_at[sides[k]], vertex_at[sides[k] + 1], 0, &paper->around[sides[1 - k]]);
    it->vertex_count = it->count;
    for (int k = 0; k < 2; k++)
        list_boxes(it, triangle_at[sides[k]], triangle_at[sides[k] + 1], all, &paper->around[sides[1 - k]]);
    if (it->vertex_count == 0 || it->vertex_count == it->count) return CDG_OK;
    cdg_result result = cdg_box_finder_find(&paper->finder, paper->near, it->count, may_collide, it, error);
    const cdg_box_pair *pairs = paper->finder.pairs;
    for (size_t i = 0, end = 0; i < paper->finder.pair_count && result == CDG_OK; i = end) {
        feature vertex = surface_feature(p, CDG_SIDE_VERTEX, paper->number[pairs[i].a]);
        nearest_triangle near = {.is_any = false};
        for (end = i; end < paper->finder.pair_count && pairs[end].a == pairs[i].a; end++)
            take_nearer(p, &vertex, paper->number[pairs[end].b], &near);
        double way = relative_way(p, &vertex, &near.triangle, near.at.weights);
        *it->is_too_fast = *it->is_too_fast || way > fast_radii * (vertex.radius[0] + near.triangle.radius[0]) / 2;
        result = add_collision(it, &vertex, &near, way_out(it, &near, &pairs[i], end - i), error);
    }
    return result;
}

// ---- with obstacles -------------------------------------------------------------------------------------------------

static cdg_result find_with_obstacle(finding *it, uint32_t surface, size_t number, cdg_error *error) {
    cdg_contacts *c = it->c;
    const cdg_pieces *p = &c->pieces;
    const cdg_contact_shape shape = cdg_contact_shape_at(c, it->input, number);
    const cdg_pose *pose = &c->poses[2 * number];
    double friction = shape.form->def.friction, radius = p->surfaces.thickness[surface];
    bool is_plane = shape.form->def.shape.kind == CDG_SHAPE_PLANE;
    for (uint32_t v = p->surfaces.first_vertex[surface]; v < p->surfaces.first_vertex[surface + 1]; v++) {
        if (!cdg_boxes_overlap(&c->paper.boxes[v], &c->swept[number])) continue;
        feature vertex = surface_feature(p, CDG_SIDE_VERTEX, v);
        cdg_vec3 at = p->next[vertex.point[0]], carried = vec3_sub(at, carry(at, &pose[1], &pose[0]));
        double way = vec3_distance(vec3_sub(at, p->start[vertex.point[0]]), carried);
        *it->is_too_fast = *it->is_too_fast || (!is_plane && way > fast_radii * radius);
        cdg_distance distance = cdg_obstacle_distance(shape.form, &pose[1], at);
        if (!(distance.value < radius)) continue;
        cdg_contact found = {.side = {vertex.side, shape.side},
                             .point = {vec3(1, 0, 0)},
                             .normal = distance.normal,
                             .gap = distance.value - radius,
                             .radius = radius,
                             .friction = friction < 0 ? it->input->def->friction : friction,
                             .carried = carried};
        cdg_result result = append(c, &found, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

cdg_result cdg_paper_find(cdg_contacts *c, const cdg_contact_input *input, bool *is_too_fast, cdg_error *error) {
    const cdg_pieces *p = &c->pieces;
    finding it = {.c = c, .input = input, .is_too_fast = is_too_fast};
    c->count = c->before_count = 0;
    if (!reserve(&c->paper, p)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact");
    cdg_result result = cdg_contacts_make_poses(c, input, true, error);
    make_boxes(p, &c->paper);
    for (uint32_t s = 0; s < p->surfaces.count && result == CDG_OK; s++) {
        const cdg_box *around = &c->paper.around[s];
        for (size_t o = 0; o < input->obstacle_count && result == CDG_OK; o++)
            if (cdg_boxes_overlap(around, &c->swept[o])) result = find_with_obstacle(&it, s, o, error);
        for (uint32_t t = s + 1; t < p->surfaces.count && result == CDG_OK; t++)
            if (cdg_boxes_overlap(around, &c->paper.around[t])) result = find_between(&it, s, t, error);
    }
    return result;
}
