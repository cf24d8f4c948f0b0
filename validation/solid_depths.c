// Crossings and depths of solids by looking at all triangles and elements whose boxes meet (solid_depths.h).
#include "validation/solid_depths.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "validation/plain_distance.h"

#include <cordage/body.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double thickness_share = 0.05; // of surfaces in contact, in shortest edges (docs/solids.md)

typedef struct owner {
    const char *name;
    size_t first_point, point_count; // of `points`
    double thickness;                // m; of a rod: that of its nodes counts
    bool is_rod, passes_itself;
    bool is_lost; // a rod whose resolution has changed
} owner;

typedef struct item { // a triangle of a solid's surface, or an element of a rod
    size_t owner, point[3];
    double low[3], high[3];
} item;

struct solid_depths {
    owner *owners; // solids, then rods
    item *items;
    cdg_vec3 *points, *start;
    double *radii; // of the points of rods
    size_t *order; // items by their lowest x
    bool *is_sewn; // solid_count for each item: an element that begins in a solid
    size_t owner_count, solid_count, item_count, point_count;
};

void solid_depths_free(solid_depths *d) {
    if (d == NULL) return;
    free(d->owners);
    free(d->items);
    free(d->points);
    free(d->start);
    free(d->radii);
    free(d->order);
    free(d->is_sewn);
    free(d);
}

static void read_points(const solid_depths *d, const cdg_world *world) {
    for (size_t i = 0; i < d->solid_count; i++) {
        cdg_solid_view view;
        cdg_solid_info info;
        cdg_solid_id id = cdg_world_solid_at(world, i);
        if (cdg_solid_get_view(world, id, &view) != CDG_OK || cdg_solid_get_info(world, id, &info) != CDG_OK) continue;
        for (size_t k = 0; k < info.node_count; k++)
            d->points[d->owners[i].first_point + k] =
                vec3(view.position[0][k], view.position[1][k], view.position[2][k]);
    }
    for (size_t i = d->solid_count; i < d->owner_count; i++) {
        cdg_rod_info info;
        cdg_rod_id id = cdg_world_rod_at(world, i - d->solid_count);
        if (cdg_rod_get_info(world, id, &info) != CDG_OK || info.node_count != d->owners[i].point_count)
            d->owners[i].is_lost = true;
        if (d->owners[i].is_lost) continue;
        cdg_rod_positions(world, id, d->points + d->owners[i].first_point);
        cdg_rod_radii(world, id, d->radii + d->owners[i].first_point);
    }
}

// ---- building -------------------------------------------------------------------------------------------------------

static void count_all(solid_depths *d, const cdg_world *world) {
    for (size_t i = 0; i < d->solid_count; i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) != CDG_OK) continue;
        d->point_count += info.node_count, d->item_count += info.surface_count;
    }
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) != CDG_OK) continue;
        d->point_count += info.node_count, d->item_count += info.element_count;
    }
}

static void describe(solid_depths *d, const cdg_world *world) {
    size_t point = 0, next = 0;
    for (size_t i = 0; i < d->solid_count; i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) != CDG_OK) continue;
        d->owners[i] = (owner){.name = info.name,
                               .first_point = point,
                               .point_count = info.node_count,
                               .thickness = thickness_share * info.shortest_edge,
                               .passes_itself = info.model == CDG_SOLID_SHAPE_MATCHING};
        for (size_t t = 0; t < info.surface_count; t++, next++) {
            d->items[next].owner = i;
            for (int k = 0; k < 3; k++) d->items[next].point[k] = point + info.surface[t][k];
        }
        point += info.node_count;
    }
    for (size_t i = d->solid_count; i < d->owner_count; i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i - d->solid_count), &info) != CDG_OK) continue;
        d->owners[i] = (owner){.name = info.name, .first_point = point, .point_count = info.node_count, .is_rod = true};
        for (size_t e = 0; e < info.element_count; e++, next++) {
            size_t to = e + 1 == info.node_count ? point : point + e + 1;
            d->items[next] = (item){.owner = i, .point = {point + e, to, to}};
        }
        point += info.node_count;
    }
}

static bool is_inside(const cdg_vec3 corners[4], cdg_vec3 at) {
    for (int k = 0; k < 4; k++) {
        cdg_vec3 a = corners[(k + 1) % 4];
        cdg_vec3 normal = vec3_cross(vec3_sub(corners[(k + 2) % 4], a), vec3_sub(corners[(k + 3) % 4], a));
        double height = vec3_dot(normal, vec3_sub(corners[k], a));
        if (!(vec3_dot(normal, vec3_sub(at, a)) / height > -1e-9)) return false; // on a face is inside
    }
    return true;
}

// Elements of rods that begin in a solid, and those beside them, along the rod at rest, by twice what keeps both apart:
// what is sewn in may be drawn in as far.
static void find_sewn(const solid_depths *d, size_t solid, const cdg_solid_info *info, const double *arcs) {
    for (size_t i = 0; i < d->item_count; i++) {
        const owner *rod = &d->owners[d->items[i].owner];
        for (size_t t = 0; t < info->tetrahedron_count && rod->is_rod; t++) {
            cdg_vec3 corners[4];
            for (int k = 0; k < 4; k++) corners[k] = d->start[d->owners[solid].first_point + info->tetrahedra[t][k]];
            for (int end = 0; end < 2; end++) {
                size_t point = d->items[i].point[end];
                if (!is_inside(corners, d->start[point])) continue;
                double reach = 2 * (d->radii[point] + d->owners[solid].thickness);
                for (size_t m = 0; m < d->item_count; m++) {
                    const size_t *ends = d->items[m].point;
                    double away = fmin(fabs(arcs[ends[0]] - arcs[point]), fabs(arcs[ends[1]] - arcs[point]));
                    double length = fabs(arcs[ends[1]] - arcs[ends[0]]);
                    if (d->items[m].owner == d->items[i].owner && away <= reach + length)
                        d->is_sewn[m * d->solid_count + solid] = true;
                }
            }
        }
    }
}

static bool find_all_sewn(const solid_depths *d, const cdg_world *world) {
    double *arcs = calloc(d->point_count + 1, sizeof *arcs);
    if (arcs == NULL) return false;
    for (size_t i = d->solid_count; i < d->owner_count; i++)
        cdg_rod_arc_lengths(world, cdg_world_rod_at(world, i - d->solid_count), arcs + d->owners[i].first_point);
    for (size_t s = 0; s < d->solid_count; s++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, s), &info) == CDG_OK) find_sewn(d, s, &info, arcs);
    }
    free(arcs);
    return true;
}

solid_depths *solid_depths_create(const cdg_world *world) {
    solid_depths *d = calloc(1, sizeof *d);
    if (d == NULL) return NULL;
    d->solid_count = cdg_world_solid_count(world);
    d->owner_count = d->solid_count + cdg_world_rod_count(world);
    count_all(d, world);
    d->owners = calloc(d->owner_count + 1, sizeof *d->owners);
    d->items = calloc(d->item_count + 1, sizeof *d->items);
    d->points = calloc(d->point_count + 1, sizeof *d->points);
    d->start = calloc(d->point_count + 1, sizeof *d->start);
    d->radii = calloc(d->point_count + 1, sizeof *d->radii);
    d->order = calloc(d->item_count + 1, sizeof *d->order);
    d->is_sewn = calloc(d->item_count * d->solid_count + 1, sizeof *d->is_sewn);
    if (d->owners == NULL || d->items == NULL || d->points == NULL || d->start == NULL || d->radii == NULL ||
        d->order == NULL || d->is_sewn == NULL) {
        solid_depths_free(d);
        return NULL;
    }
    describe(d, world);
    read_points(d, world);
    for (size_t i = 0; i < d->point_count; i++) d->start[i] = d->points[i];
    for (size_t i = 0; i < d->item_count; i++) d->order[i] = i;
    if (find_all_sewn(d, world)) return d;
    solid_depths_free(d);
    return NULL;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

typedef struct look {
    const solid_depths *d;
    double factor;
    solid_depth *out;
} look;

static void corners_of(const cdg_vec3 *points, const item *it, cdg_vec3 out[3]) {
    for (int k = 0; k < 3; k++) out[k] = points[it->point[k]];
}

static bool has_point(const item *it, size_t point) {
    return it->point[0] == point || it->point[1] == point || it->point[2] == point;
}

static bool share_a_point(const item *a, const item *b) {
    return has_point(b, a->point[0]) || has_point(b, a->point[1]) || has_point(b, a->point[2]);
}

static void deepen(const look *it, double depth, const char *one, const char *other) {
    if (depth <= it->out->depth) return; // what is no number counts
    it->out->depth = depth;
    snprintf(it->out->where, sizeof it->out->where, "%.50s in %.50s", one, other);
}

// Each edge is looked at once: as one of the triangle that has it from its lower to its higher point.
static void count_crossings(const look *it, const item *a, const item *b) {
    const cdg_vec3 *points = it->d->points;
    cdg_vec3 corners[3];
    corners_of(points, b, corners);
    for (int k = 0; k < 3; k++) {
        size_t from = a->point[k], to = a->point[(k + 1) % 3];
        if (from >= to || has_point(b, from) || has_point(b, to)) continue;
        it->out->crossings += plain_crosses((cdg_vec3[2]){points[from], points[to]}, corners);
    }
}

// Of two triangles that do not cross.
static double distance_of(const cdg_vec3 *points, const item *a, const item *b) {
    double best = HUGE_VAL;
    cdg_vec3 one[3], other[3];
    corners_of(points, a, one), corners_of(points, b, other);
    for (int k = 0; k < 3; k++) {
        best = fmin(best, fmin(plain_point_triangle(one[k], other), plain_point_triangle(other[k], one)));
        for (int m = 0; m < 3; m++)
            best = fmin(best, plain_segments((cdg_vec3[2]){one[k], one[(k + 1) % 3]},
                                             (cdg_vec3[2]){other[m], other[(m + 1) % 3]})
                                  .distance);
    }
    return best;
}

static void look_at_triangles(const look *it, const item *a, const item *b) {
    const owner *one = &it->d->owners[a->owner], *other = &it->d->owners[b->owner];
    if (one == other && one->passes_itself) return;
    size_t before = it->out->crossings;
    count_crossings(it, a, b);
    count_crossings(it, b, a);
    if (one == other && share_a_point(a, b)) return;
    double both = one->thickness + other->thickness;
    if (one == other && distance_of(it->d->start, a, b) < 1.5 * both) return; // contact has no say there
    double distance = it->out->crossings > before ? 0 : distance_of(it->d->points, a, b);
    deepen(it, (it->factor * both - distance) / fmin(one->thickness, other->thickness), one->name, other->name);
}

static void look_at_element(const look *it, const item *rod, const item *triangle) {
    const solid_depths *d = it->d;
    const owner *solid = &d->owners[triangle->owner];
    if (d->is_sewn[(size_t)(rod - d->items) * d->solid_count + triangle->owner]) return;
    const cdg_vec3 ends[2] = {d->points[rod->point[0]], d->points[rod->point[1]]};
    cdg_vec3 corners[3];
    corners_of(d->points, triangle, corners);
    double thick = it->factor * fmin(d->radii[rod->point[0]], d->radii[rod->point[1]]), distance = 0;
    if (plain_crosses(ends, corners)) {
        it->out->crossings++;
    } else {
        distance = fmin(plain_point_triangle(ends[0], corners), plain_point_triangle(ends[1], corners));
        for (int k = 0; k < 3; k++)
            distance = fmin(distance, plain_segments(ends, (cdg_vec3[2]){corners[k], corners[(k + 1) % 3]}).distance);
    }
    deepen(it, (thick + it->factor * solid->thickness - distance) / solid->thickness, d->owners[rod->owner].name,
           solid->name);
}

static void look_at_pair(const look *it, const item *a, const item *b) {
    bool one = it->d->owners[a->owner].is_rod, other = it->d->owners[b->owner].is_rod;
    if (one && other) return; // rod_depths.h
    if (one)
        look_at_element(it, a, b);
    else if (other)
        look_at_element(it, b, a);
    else
        look_at_triangles(it, a, b);
}

static void bound_items(const look *it) {
    const solid_depths *d = it->d;
    for (size_t i = 0; i < d->item_count; i++) {
        item *of = &d->items[i];
        const owner *by = &d->owners[of->owner];
        double room = by->is_rod ? fmax(d->radii[of->point[0]], d->radii[of->point[1]]) : by->thickness;
        for (int k = 0; k < 3; k++) of->low[k] = HUGE_VAL, of->high[k] = -HUGE_VAL;
        for (int c = 0; c < 3 && !by->is_lost; c++) {
            cdg_vec3 p = d->points[of->point[c]];
            const double at[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; k++) {
                of->low[k] = fmin(of->low[k], at[k] - it->factor * room);
                of->high[k] = fmax(of->high[k], at[k] + it->factor * room);
            }
        }
    }
}

// By insertion, for the order changes little from step to step.
static void sort_items(const solid_depths *d) {
    for (size_t i = 1; i < d->item_count; i++) {
        size_t it = d->order[i], k = i;
        for (; k > 0 && d->items[d->order[k - 1]].low[0] > d->items[it].low[0]; k--) d->order[k] = d->order[k - 1];
        d->order[k] = it;
    }
}

static void look_at_pairs(const look *it) {
    const solid_depths *d = it->d;
    bound_items(it);
    sort_items(d);
    for (size_t i = 0; i < d->item_count; i++) {
        const item *a = &d->items[d->order[i]];
        for (size_t k = i + 1; k < d->item_count; k++) {
            const item *b = &d->items[d->order[k]];
            if (b->low[0] > a->high[0]) break;
            if (a->low[1] > b->high[1] || b->low[1] > a->high[1] || a->low[2] > b->high[2] || b->low[2] > a->high[2])
                continue;
            look_at_pair(it, a, b);
        }
    }
}

// ---- obstacles and bodies -------------------------------------------------------------------------------------------

static void look_at_shape(const look *it, const cdg_shape *shape, cdg_vec3 position, cdg_quat orientation,
                          const char *name) {
    const solid_depths *d = it->d;
    if (shape->kind == CDG_SHAPE_MESH) return;
    for (size_t i = 0; i < d->item_count; i++) {
        const item *of = &d->items[i];
        const owner *solid = &d->owners[of->owner];
        if (solid->is_rod) continue;
        cdg_vec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = quat_rotate_inverse(orientation, vec3_sub(d->points[of->point[k]], position));
        double longest = fmax(vec3_distance(corners[0], corners[1]), vec3_distance(corners[0], corners[2]));
        double thick = it->factor * solid->thickness;
        if (plain_shape_distance(shape, corners[0]) > longest + thick) continue;
        deepen(it, (thick - plain_shape_triangle(shape, corners)) / solid->thickness, solid->name, name);
    }
}

static void look_at_shapes(const look *it, const cdg_world *world) {
    cdg_vec3 position;
    cdg_quat orientation;
    for (size_t i = 0; i < cdg_world_obstacle_count(world); i++) {
        cdg_obstacle_info info;
        cdg_obstacle_id id = cdg_world_obstacle_at(world, i);
        if (cdg_obstacle_get_info(world, id, &info) == CDG_OK &&
            cdg_obstacle_get_pose(world, id, &position, &orientation) == CDG_OK)
            look_at_shape(it, &info.shape, position, orientation, info.name);
    }
    for (size_t i = 0; i < cdg_world_body_count(world); i++) {
        cdg_body_info info;
        cdg_body_state state;
        cdg_body_id id = cdg_world_body_at(world, i);
        if (cdg_body_get_info(world, id, &info) == CDG_OK && cdg_body_get_state(world, id, &state) == CDG_OK)
            look_at_shape(it, &info.shape, state.position, state.orientation, info.name);
    }
}

solid_depth solid_depths_measure(solid_depths *d, const cdg_world *world, double factor) {
    solid_depth out = {0};
    look it = {d, factor, &out};
    read_points(d, world);
    look_at_pairs(&it);
    look_at_shapes(&it, world);
    return out;
}
