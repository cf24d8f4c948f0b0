// Deepest penetration by looking at all pairs of elements that are not apart in x, and at all obstacles.
#include "validation/rod_depths.h"

#include "math/quat.h"
#include "validation/plain_distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;

enum { NO_JOINT = -1 };

typedef struct element {
    size_t from, to;   // nodes
    size_t rod, index; // which rod, and which of its elements
    double begin, end; // m, along the rod at rest
    double low[3], high[3];
    long joint[2]; // the nearest along the rod, before and after
    double way[2]; // m, to them
} element;

typedef struct rod_of {
    cdg_rod_id id;
    size_t first_node, node_count, first_element, element_count;
    double length;
    bool is_closed;
} rod_of;

struct rod_depths {
    rod_of *rods;
    size_t rod_count, node_count, element_count;
    cdg_vec3 *nodes;
    double *radii; // of nodes
    double *arcs;  // m, of nodes along their rods at rest
    double *present_arcs;
    long *joints; // of nodes
    element *elements;
    size_t *order; // elements by their lowest x
};

void rod_depths_free(rod_depths *d) {
    if (d == NULL) return;
    free(d->rods);
    free(d->nodes);
    free(d->radii);
    free(d->arcs);
    free(d->present_arcs);
    free(d->joints);
    free(d->elements);
    free(d->order);
    free(d);
}

static void read_nodes(rod_depths *d, const cdg_world *world) {
    for (size_t i = 0; i < d->rod_count; i++) {
        cdg_rod_positions(world, d->rods[i].id, d->nodes + d->rods[i].first_node);
        cdg_rod_radii(world, d->rods[i].id, d->radii + d->rods[i].first_node);
    }
}

static void read_arcs(const rod_depths *d, const cdg_world *world, double *out) {
    for (size_t i = 0; i < d->rod_count; i++) cdg_rod_arc_lengths(world, d->rods[i].id, out + d->rods[i].first_node);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

typedef struct numbered_point {
    cdg_vec3 at;
    size_t node;
} numbered_point;

static int compare_points(const void *left, const void *right) {
    const numbered_point *a = left, *b = right;
    if (a->at.x != b->at.x) return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y) return a->at.y < b->at.y ? -1 : 1;
    if (a->at.z != b->at.z) return a->at.z < b->at.z ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static bool number_joints(rod_depths *d) {
    numbered_point *points = malloc((d->node_count + 1) * sizeof *points);
    if (points == NULL) return false;
    for (size_t i = 0; i < d->node_count; i++) {
        points[i] = (numbered_point){d->nodes[i], i};
        d->joints[i] = NO_JOINT;
    }
    qsort(points, d->node_count, sizeof *points, compare_points);
    for (size_t i = 1; i < d->node_count; i++) {
        if (!(vec3_distance(points[i].at, points[i - 1].at) < 1e-9)) continue;
        long before = d->joints[points[i - 1].node];
        long joint = before != NO_JOINT ? before : (long)i;
        d->joints[points[i - 1].node] = d->joints[points[i].node] = joint;
    }
    free(points);
    return true;
}

static void find_near_joints(const rod_depths *d, const rod_of *rod) {
    for (size_t e = 0; e < rod->element_count; e++) {
        element *it = &d->elements[rod->first_element + e];
        it->joint[0] = it->joint[1] = NO_JOINT;
        for (size_t k = 0; k <= e && it->joint[0] == NO_JOINT; k++) {
            const element *back = &d->elements[rod->first_element + e - k];
            it->joint[0] = d->joints[back->from];
            it->way[0] = it->begin - back->begin;
        }
        for (size_t k = e; k < rod->element_count && it->joint[1] == NO_JOINT; k++) {
            const element *ahead = &d->elements[rod->first_element + k];
            it->joint[1] = d->joints[ahead->to];
            it->way[1] = ahead->end - it->end;
        }
    }
}

// ---- building -------------------------------------------------------------------------------------------------------

// Along the rod at rest, as contact tells neighbours: a rod whose resolution changes in mid-flight may be stretched.
static void describe_rod(const rod_depths *d, size_t number) {
    const rod_of *rod = &d->rods[number];
    for (size_t e = 0; e < rod->element_count; e++) {
        bool is_last = e + 1 == rod->node_count; // of a ring: it ends where the first begins
        size_t from = rod->first_node + e, to = is_last ? rod->first_node : from + 1;
        d->elements[rod->first_element + e] = (element){.from = from,
                                                        .to = to,
                                                        .rod = number,
                                                        .index = e,
                                                        .begin = d->arcs[from],
                                                        .end = is_last ? rod->length : d->arcs[to]};
    }
    find_near_joints(d, rod);
}

rod_depths *rod_depths_create(const cdg_world *world) {
    rod_depths *d = calloc(1, sizeof *d);
    if (d == NULL) return NULL;
    d->rod_count = cdg_world_rod_count(world);
    d->rods = calloc(d->rod_count + 1, sizeof *d->rods);
    for (size_t i = 0; i < d->rod_count && d->rods != NULL; i++) {
        cdg_rod_info info;
        rod_of *rod = &d->rods[i];
        rod->id = cdg_world_rod_at(world, i);
        if (cdg_rod_get_info(world, rod->id, &info) != CDG_OK) continue;
        rod->first_node = d->node_count;
        rod->first_element = d->element_count;
        rod->node_count = info.node_count;
        rod->element_count = info.element_count;
        rod->is_closed = info.is_closed;
        rod->length = info.length;
        d->node_count += info.node_count;
        d->element_count += info.element_count;
    }
    d->nodes = malloc((d->node_count + 1) * sizeof *d->nodes);
    d->radii = malloc((d->node_count + 1) * sizeof *d->radii);
    d->arcs = malloc((d->node_count + 1) * sizeof *d->arcs);
    d->present_arcs = malloc((d->node_count + 1) * sizeof *d->present_arcs);
    d->joints = calloc(d->node_count + 1, sizeof *d->joints);
    d->elements = calloc(d->element_count + 1, sizeof *d->elements);
    d->order = malloc((d->element_count + 1) * sizeof *d->order);
    bool has_memory = d->rods != NULL && d->nodes != NULL && d->radii != NULL && d->arcs != NULL &&
                      d->present_arcs != NULL && d->joints != NULL && d->elements != NULL && d->order != NULL;
    if (has_memory) {
        read_nodes(d, world);
        read_arcs(d, world, d->arcs);
        has_memory = number_joints(d);
    }
    if (!has_memory) {
        rod_depths_free(d);
        return NULL;
    }
    for (size_t i = 0; i < d->rod_count; i++) describe_rod(d, i);
    for (size_t i = 0; i < d->element_count; i++) d->order[i] = i;
    return d;
}

// A node that comes while another goes leaves their number as it was, but not where they are along the rod.
static bool has_changed(const rod_depths *d, const cdg_world *world) {
    for (size_t i = 0; i < d->rod_count; i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, d->rods[i].id, &info) == CDG_OK && info.node_count != d->rods[i].node_count)
            return true;
    }
    read_arcs(d, world, d->present_arcs);
    return memcmp(d->arcs, d->present_arcs, d->node_count * sizeof *d->arcs) != 0;
}

// Rods whose resolution has changed are described anew. False: no memory.
static bool follow_resolution(rod_depths *d, const cdg_world *world) {
    if (!has_changed(d, world)) return true;
    rod_depths *fresh = rod_depths_create(world);
    if (fresh == NULL) return false;
    rod_depths old = *d;
    *d = *fresh;
    *fresh = old;
    rod_depths_free(fresh);
    return true;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Nearer along the rods than a rod bent as sharply as it can needs to touch itself: half a circle of its own radius.
static bool are_neighbours(const rod_depths *d, const element *a, const element *b) {
    double reach = pi * 0.25 * (d->radii[a->from] + d->radii[a->to] + d->radii[b->from] + d->radii[b->to]);
    if (a->rod == b->rod) {
        const element *first = a->index < b->index ? a : b, *last = a->index < b->index ? b : a;
        const rod_of *rod = &d->rods[a->rod];
        if (last->begin - first->end < reach) return true;
        if (rod->is_closed && first->begin + rod->length - last->end < reach) return true;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->joint[i] != NO_JOINT && a->joint[i] == b->joint[k] && a->way[i] + b->way[k] < reach) return true;
    return false;
}

static double mix(double from, double to, double share) { return from + share * (to - from); }

static void look_at_pair(const rod_depths *d, const element *a, const element *b, double factor, rod_depth *deepest) {
    cdg_vec3 on_a[2] = {d->nodes[a->from], d->nodes[a->to]}, on_b[2] = {d->nodes[b->from], d->nodes[b->to]};
    plain_nearest it = plain_segments(on_a, on_b);
    double ra = factor * mix(d->radii[a->from], d->radii[a->to], it.s);
    double rb = factor * mix(d->radii[b->from], d->radii[b->to], it.t);
    double depth = (ra + rb - it.distance) / fmin(ra, rb);
    if (!(depth <= deepest->depth)) // not a number counts, too
        *deepest = (rod_depth){depth, d->rods[a->rod].id, d->rods[b->rod].id, a->index, b->index};
}

// Insertion, for the order changes little from step to step.
static void sort_elements(const rod_depths *d) {
    for (size_t i = 1; i < d->element_count; i++) {
        size_t it = d->order[i], k = i;
        for (; k > 0 && d->elements[d->order[k - 1]].low[0] > d->elements[it].low[0]; k--)
            d->order[k] = d->order[k - 1];
        d->order[k] = it;
    }
}

static void look_at_rods(const rod_depths *d, double factor, rod_depth *deepest) {
    for (size_t i = 0; i < d->element_count; i++) {
        element *it = &d->elements[i];
        cdg_vec3 p = d->nodes[it->from], q = d->nodes[it->to];
        double from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
        double radius = factor * fmax(d->radii[it->from], d->radii[it->to]);
        for (int k = 0; k < 3; k++) {
            it->low[k] = fmin(from[k], to[k]) - radius;
            it->high[k] = fmax(from[k], to[k]) + radius;
        }
    }
    sort_elements(d);
    for (size_t i = 0; i < d->element_count; i++) {
        const element *a = &d->elements[d->order[i]];
        for (size_t k = i + 1; k < d->element_count; k++) {
            const element *b = &d->elements[d->order[k]];
            if (b->low[0] > a->high[0]) break;
            if (a->low[1] > b->high[1] || b->low[1] > a->high[1] || a->low[2] > b->high[2] || b->low[2] > a->high[2])
                continue;
            if (!are_neighbours(d, a, b)) look_at_pair(d, a, b, factor, deepest);
        }
    }
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

// The distance of a convex solid is convex along a line: thirds find the least.
static void look_at_obstacle(const rod_depths *d, const cdg_world *world, size_t place, double factor,
                             rod_depth *deepest) {
    enum { THIRDS = 80 };
    cdg_obstacle_info info;
    cdg_vec3 position;
    cdg_quat orientation;
    cdg_obstacle_id id = cdg_world_obstacle_at(world, place);
    if (cdg_obstacle_get_info(world, id, &info) != CDG_OK || info.shape.kind == CDG_SHAPE_MESH ||
        cdg_obstacle_get_pose(world, id, &position, &orientation) != CDG_OK)
        return;
    for (size_t i = 0; i < d->element_count; i++) {
        const element *it = &d->elements[i];
        cdg_vec3 from = quat_rotate_inverse(orientation, vec3_sub(d->nodes[it->from], position));
        cdg_vec3 to = quat_rotate_inverse(orientation, vec3_sub(d->nodes[it->to], position));
        double radius[2] = {factor * d->radii[it->from], factor * d->radii[it->to]};
        if (plain_shape_distance(&info.shape, from) > vec3_distance(from, to) + 2 * fmax(radius[0], radius[1]))
            continue;
        double low = 0, high = 1, gap = HUGE_VAL;
        for (int k = 0; k < THIRDS; k++) {
            double s[2] = {mix(low, high, 1.0 / 3), mix(low, high, 2.0 / 3)}, at[2];
            for (int m = 0; m < 2; m++)
                at[m] = plain_shape_distance(&info.shape, vec3_lerp(from, to, s[m])) - mix(radius[0], radius[1], s[m]);
            if (at[0] < at[1])
                high = s[1];
            else
                low = s[0];
            gap = fmin(gap, fmin(at[0], at[1]));
        }
        double depth = -gap / mix(radius[0], radius[1], low);
        if (!(depth <= deepest->depth))
            *deepest = (rod_depth){.depth = depth, .rod = d->rods[it->rod].id, .element = it->index, .second = place};
    }
}

rod_depth rod_depths_measure(rod_depths *d, const cdg_world *world, double factor) {
    if (!follow_resolution(d, world)) return (rod_depth){.depth = HUGE_VAL};
    rod_depth deepest = {0};
    read_nodes(d, world);
    look_at_rods(d, factor, &deepest);
    for (size_t i = 0; i < cdg_world_obstacle_count(world); i++) look_at_obstacle(d, world, i, factor, &deepest);
    return deepest;
}
