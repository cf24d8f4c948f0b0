// A near point pairs an end of the segment, or any of its points, with a face, an edge or a corner (mesh_near.h). The
// nearest pair of all is among them, whatever the surface.
#include "contact/mesh_near.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

// Directions count as one up to an angle of this cosine; a near point between two others counts only if it is nearer
// than they suggest by this share of the radius.
static const double same_direction = 0.999, nearer_share = 1e-5;
// Near points in one direction are at least this share of the radius apart.
static const double apart_share = 0.25;
// Weights this far outside of a triangle still count, lest rounding lose a near point over an edge in a flat part.
static const double rounding = 1e-9;

enum { FOUND_MAX = 48, DEPTH_MAX = 64 };

typedef struct found_point {
    cdg_mesh_near_point point;
    bool is_behind; // on the inside of an enclosed space
} found_point;

typedef struct search {
    const cdg_contact_mesh *mesh;
    cdg_vec3 a[2];
    double length, within, radius;
    found_point found[FOUND_MAX];
    int count;
    bool is_through, is_short;
} search;

// ---- what is kept ---------------------------------------------------------------------------------------------------

static bool is_one_direction(const cdg_mesh_near_point *a, const cdg_mesh_near_point *b) {
    return vec3_dot(a->between, b->between) > same_direction * a->distance * b->distance;
}

static bool is_before(const cdg_mesh_near_point *a, const cdg_mesh_near_point *b) {
    return a->s != b->s ? a->s < b->s : a->distance < b->distance;
}

static void sort(search *it) {
    for (int i = 1; i < it->count; i++) {
        found_point moved = it->found[i];
        int k = i;
        for (; k > 0 && is_before(&moved.point, &it->found[k - 1].point); k--) it->found[k] = it->found[k - 1];
        it->found[k] = moved;
    }
}

static void drop(search *it, int index) {
    it->count--;
    memmove(&it->found[index], &it->found[index + 1], (size_t)(it->count - index) * sizeof *it->found);
}

// Whether another near point, close by, makes this one superfluous.
static bool is_double(const search *it, int index) {
    const cdg_mesh_near_point *own = &it->found[index].point;
    for (int i = 0; i < it->count; i++) {
        const cdg_mesh_near_point *other = &it->found[i].point;
        bool is_less = other->distance < own->distance || (other->distance == own->distance && i < index);
        if (i != index && is_less && fabs(other->s - own->s) * it->length <= apart_share * it->radius &&
            it->found[i].is_behind == it->found[index].is_behind && is_one_direction(own, other))
            return true;
    }
    return false;
}

// Whether contact at one before and one after it makes this one superfluous: along a face, distances change linearly.
static bool is_between(const search *it, int index) {
    const cdg_mesh_near_point *own = &it->found[index].point;
    for (int i = 0; i < index; i++) {
        const cdg_mesh_near_point *first = &it->found[i].point;
        if (!(first->s < own->s) || !is_one_direction(own, first)) continue;
        for (int k = index + 1; k < it->count; k++) {
            const cdg_mesh_near_point *last = &it->found[k].point;
            if (!(last->s > own->s) || !is_one_direction(own, last)) continue;
            double share = (own->s - first->s) / (last->s - first->s);
            double even = first->distance + share * (last->distance - first->distance);
            if (own->distance >= even - nearer_share * it->radius) return true;
        }
    }
    return false;
}

static void thin(search *it) {
    sort(it);
    for (int i = it->count - 1; i >= 0; i--)
        if (is_double(it, i)) drop(it, i);
    for (int i = it->count - 1; i >= 0; i--)
        if (is_between(it, i)) drop(it, i);
}

// Keeps the nearest.
static void drop_farthest(search *it, int most) {
    while (it->count > most) {
        int farthest = 0;
        for (int i = 1; i < it->count; i++)
            if (it->found[i].point.distance > it->found[farthest].point.distance) farthest = i;
        drop(it, farthest);
        it->is_short = true;
    }
}

static void add(search *it, double s, cdg_vec3 between, cdg_vec3 outward) {
    double distance = vec3_norm(between);
    if (!(distance < it->within)) return;
    if (!(distance > rounding * it->radius)) {
        it->is_through = true;
        return;
    }
    bool is_behind = !it->mesh->is_surface && vec3_dot(between, outward) < 0;
    if (it->count == FOUND_MAX) thin(it);
    drop_farthest(it, FOUND_MAX - 1);
    it->found[it->count++] = (found_point){{s, distance, between}, is_behind};
}

// ---- faces, edges, corners ------------------------------------------------------------------------------------------

static cdg_vec3 at(const search *it, double s) { return vec3_lerp(it->a[0], it->a[1], s); }

static double foot_on(cdg_vec3 point, cdg_vec3 from, cdg_vec3 to) {
    cdg_vec3 along = vec3_sub(to, from);
    return vec3_dot(vec3_sub(point, from), along) / vec3_dot(along, along);
}

static void look_at_face(search *it, uint32_t triangle, const cdg_vec3 v[3], const double height[2]) {
    cdg_vec3 normal = it->mesh->face_normals[triangle], e1 = vec3_sub(v[1], v[0]), e2 = vec3_sub(v[2], v[0]);
    double area2 = vec3_dot(normal, vec3_cross(e1, e2));
    if (!(area2 > 0)) return;
    bool is_crossing = (height[0] > 0) != (height[1] > 0);
    for (int k = 0; k < (is_crossing ? 3 : 2); k++) {
        double s = k < 2 ? k : height[0] / (height[0] - height[1]);
        cdg_vec3 p = vec3_sub(at(it, s), v[0]);
        double w1 = vec3_dot(normal, vec3_cross(p, e2)) / area2, w2 = vec3_dot(normal, vec3_cross(e1, p)) / area2;
        if (!(w1 >= -rounding && w2 >= -rounding && w1 + w2 <= 1 + rounding)) continue;
        if (k == 2)
            it->is_through = true;
        else
            add(it, s, vec3_scale(height[k], normal), normal);
    }
}

static void look_at_edge(search *it, uint32_t triangle, int side) {
    const cdg_mesh_features *f = &it->mesh->features;
    uint32_t index = f->edge_of[triangle][side];
    const cdg_mesh_edge *edge = &f->edges[index];
    if (edge->widening == 0) return;
    cdg_vec3 from = it->mesh->vertices[edge->corner[0]], to = it->mesh->vertices[edge->corner[1]];
    cdg_vec3 outward = it->mesh->edge_normals[triangle][side];
    for (int k = 0; k < 2; k++) {
        double t = foot_on(it->a[k], from, to);
        if (!(t > 0 && t < 1)) continue;
        cdg_vec3 between = vec3_sub(it->a[k], vec3_lerp(from, to, t));
        if (cdg_mesh_edge_is_nearest(f, index, between)) add(it, k, between, outward);
    }
    cdg_closest nearest = cdg_segments_closest(it->a[0], it->a[1], from, to);
    bool is_inner = nearest.s > 0 && nearest.s < 1 && nearest.t > 0 && nearest.t < 1;
    if (!is_inner || !(nearest.distance2 < it->within * it->within)) return;
    if (cdg_mesh_edge_is_nearest(f, index, nearest.between)) add(it, nearest.s, nearest.between, outward);
}

static void look_at_corner(search *it, uint32_t corner) {
    cdg_vec3 vertex = it->mesh->vertices[corner];
    double s = it->length > 0 ? fmin(1, fmax(0, foot_on(vertex, it->a[0], it->a[1]))) : 0;
    cdg_vec3 between = vec3_sub(at(it, s), vertex);
    if (!(vec3_dot(between, between) < it->within * it->within)) return;
    if (cdg_mesh_corner_is_nearest(&it->mesh->features, it->mesh->vertices, corner, between))
        add(it, s, between, it->mesh->corner_normals[corner]);
}

static void look_at_triangle(search *it, uint32_t triangle) {
    const uint32_t *c = it->mesh->triangles[triangle];
    const cdg_vec3 v[3] = {it->mesh->vertices[c[0]], it->mesh->vertices[c[1]], it->mesh->vertices[c[2]]};
    double height[2];
    for (int k = 0; k < 2; k++) height[k] = vec3_dot(it->mesh->face_normals[triangle], vec3_sub(it->a[k], v[0]));
    if (fmin(height[0], height[1]) >= it->within || fmax(height[0], height[1]) <= -it->within) return;
    look_at_face(it, triangle, v, height);
    for (int k = 0; k < 3; k++) {
        if (it->mesh->features.edge_of[triangle][k] != CDG_NO_EDGE) look_at_edge(it, triangle, k);
        if ((it->mesh->features.corners_of[triangle] >> k & 1) != 0) look_at_corner(it, c[k]);
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static cdg_box box_about(const search *it) {
    cdg_vec3 low = vec3(fmin(it->a[0].x, it->a[1].x), fmin(it->a[0].y, it->a[1].y), fmin(it->a[0].z, it->a[1].z));
    cdg_vec3 high = vec3(fmax(it->a[0].x, it->a[1].x), fmax(it->a[0].y, it->a[1].y), fmax(it->a[0].z, it->a[1].z));
    double w = it->within;
    return (cdg_box){{low.x - w, low.y - w, low.z - w}, {high.x + w, high.y + w, high.z + w}};
}

static void look_at_all(search *it) {
    cdg_box box = box_about(it);
    uint32_t stack[DEPTH_MAX];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0 && !it->is_through) {
        uint32_t index = stack[--depth];
        const cdg_contact_mesh_node *node = &it->mesh->nodes[index];
        if (!cdg_boxes_overlap(&node->box, &box)) continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = index + 1;
        }
        for (uint32_t t = node->first; t < node->first + node->count; t++) look_at_triangle(it, t);
    }
}

// The nearest of all tells on which side the segment lies.
static bool is_inside(const search *it) {
    int nearest = 0;
    for (int i = 1; i < it->count; i++)
        if (it->found[i].point.distance < it->found[nearest].point.distance) nearest = i;
    return it->count > 0 && it->found[nearest].is_behind;
}

void cdg_contact_mesh_near_points(const cdg_contact_mesh *mesh, cdg_vec3 a0, cdg_vec3 a1, double within, double radius,
                                  cdg_mesh_near_points *out) {
    search it = {.mesh = mesh, .a = {a0, a1}, .length = vec3_distance(a0, a1), .within = within, .radius = radius};
    look_at_all(&it);
    out->count = 0;
    out->is_short = false;
    out->is_through = it.is_through || is_inside(&it);
    if (out->is_through) return;
    for (int i = it.count - 1; i >= 0; i--)
        if (it.found[i].is_behind) drop(&it, i);
    thin(&it);
    drop_farthest(&it, CDG_MESH_NEAR_POINTS_MAX);
    for (int i = 0; i < it.count; i++) out->list[out->count++] = it.found[i].point;
    out->is_short = it.is_short;
}
