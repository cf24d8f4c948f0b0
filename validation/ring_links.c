// Linking numbers of solids with one hole, by the means of their sections (ring_links.h).
#include "validation/ring_links.h"

#include "geometry/topology.h"
#include "math/vec3.h"

#include <cordage/solid.h>

#include <math.h>
#include <stdlib.h>

enum { SECTIONS = 8, NO_LINK = 1000 };
static const double pi = 3.141592653589793;

typedef struct ring {
    size_t solid, node_count; // which of the world
    uint8_t *section;         // of nodes
    cdg_vec3 middle[SECTIONS];
} ring;

struct ring_links {
    ring *rings;
    size_t count;
    long *at_start; // count x count
};

void ring_links_free(ring_links *links) {
    if (links == NULL) return;
    for (size_t i = 0; i < links->count && links->rings != NULL; i++) free(links->rings[i].section);
    free(links->rings);
    free(links->at_start);
    free(links);
}

static cdg_vec3 node_of(const cdg_solid_view *view, size_t node) {
    return vec3(view->position[0][node], view->position[1][node], view->position[2][node]);
}

// Of a closed surface: points - edges + triangles is 0 for a ring, 2 for a ball.
static bool has_one_hole(const cdg_solid_info *info) {
    bool *is_seen = calloc(info->node_count, sizeof *is_seen);
    if (is_seen == NULL) return false;
    long points = 0, triangles = (long)info->surface_count;
    for (size_t t = 0; t < info->surface_count; t++)
        for (int k = 0; k < 3; k++) {
            points += !is_seen[info->surface[t][k]];
            is_seen[info->surface[t][k]] = true;
        }
    free(is_seen);
    return points - 3 * triangles / 2 + triangles == 0;
}

// The direction in which nodes spread least, from their squares about the middle, by iteration on trace - squares.
static cdg_vec3 axis_of(const cdg_solid_view *view, size_t count, cdg_vec3 center) {
    double squares[3][3] = {{0}};
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 away = vec3_sub(node_of(view, i), center);
        const double d[3] = {away.x, away.y, away.z};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) squares[r][c] += d[r] * d[c];
    }
    double trace = squares[0][0] + squares[1][1] + squares[2][2];
    cdg_vec3 axis = vec3(0.3, 0.5, 0.8);
    for (int i = 0; i < 200; i++) {
        const double a[3] = {axis.x, axis.y, axis.z};
        double next[3];
        for (int r = 0; r < 3; r++) {
            next[r] = trace * a[r];
            for (int c = 0; c < 3; c++) next[r] -= squares[r][c] * a[c];
        }
        axis = vec3_normalize(vec3(next[0], next[1], next[2]));
    }
    return axis;
}

static bool find_sections(const cdg_world *world, ring *out) {
    cdg_solid_view view;
    cdg_solid_id id = cdg_world_solid_at(world, out->solid);
    out->section = malloc(out->node_count);
    if (out->section == NULL || cdg_solid_get_view(world, id, &view) != CDG_OK) return false;
    cdg_vec3 center = vec3(0, 0, 0);
    for (size_t i = 0; i < out->node_count; i++)
        center = vec3_mad(center, 1 / (double)out->node_count, node_of(&view, i));
    cdg_vec3 axis = axis_of(&view, out->node_count, center), across = vec3_any_perpendicular(axis);
    cdg_vec3 along = vec3_cross(axis, across);
    for (size_t i = 0; i < out->node_count; i++) {
        cdg_vec3 away = vec3_sub(node_of(&view, i), center);
        double turn = atan2(vec3_dot(away, along), vec3_dot(away, across)) / (2 * pi) + 0.5;
        out->section[i] = (uint8_t)fmin(SECTIONS - 1, floor(SECTIONS * turn));
    }
    return true;
}

static void find_middles(const ring_links *links, const cdg_world *world) {
    for (size_t r = 0; r < links->count; r++) {
        ring *it = &links->rings[r];
        cdg_solid_view view;
        double count[SECTIONS] = {0};
        if (cdg_solid_get_view(world, cdg_world_solid_at(world, it->solid), &view) != CDG_OK) continue;
        for (int k = 0; k < SECTIONS; k++) it->middle[k] = vec3(0, 0, 0);
        for (size_t i = 0; i < it->node_count; i++) {
            it->middle[it->section[i]] = vec3_add(it->middle[it->section[i]], node_of(&view, i));
            count[it->section[i]]++;
        }
        for (int k = 0; k < SECTIONS; k++) it->middle[k] = vec3_scale(1 / count[k], it->middle[k]);
    }
}

static long link_of(const ring *a, const ring *b) {
    long link;
    cdg_error error;
    return cdg_linking_number(a->middle, SECTIONS, b->middle, SECTIONS, &link, &error) == CDG_OK ? link : NO_LINK;
}

ring_links *ring_links_create(const cdg_world *world) {
    ring_links *links = calloc(1, sizeof *links);
    if (links == NULL) return NULL;
    size_t most = cdg_world_solid_count(world);
    links->rings = calloc(most + 1, sizeof *links->rings);
    bool is_made = links->rings != NULL;
    for (size_t i = 0; i < most && is_made; i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) != CDG_OK || !has_one_hole(&info)) continue;
        ring *it = &links->rings[links->count++];
        *it = (ring){.solid = i, .node_count = info.node_count};
        is_made = find_sections(world, it);
    }
    links->at_start = is_made ? calloc(links->count * links->count + 1, sizeof *links->at_start) : NULL;
    if (links->at_start == NULL) {
        ring_links_free(links);
        return NULL;
    }
    find_middles(links, world);
    for (size_t a = 0; a < links->count; a++)
        for (size_t b = 0; b < a; b++)
            links->at_start[a * links->count + b] = link_of(&links->rings[a], &links->rings[b]);
    return links;
}

size_t ring_links_count(const ring_links *links) {
    size_t count = 0;
    for (size_t i = 0; i < links->count * links->count; i++) count += links->at_start[i] != 0;
    return count;
}

size_t ring_links_changed(ring_links *links, const cdg_world *world) {
    size_t changed = 0;
    find_middles(links, world);
    for (size_t a = 0; a < links->count; a++)
        for (size_t b = 0; b < a; b++)
            changed += link_of(&links->rings[a], &links->rings[b]) != links->at_start[a * links->count + b];
    return changed;
}
