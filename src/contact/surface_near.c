// How far objects have moved since pairs of surfaces were found (surface_near.h).
#include "contact/surface_near.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_surface_near_free(cdg_surface_near *it) {
    free(it->rooms);
    free(it->watched);
    free(it->reference);
    free(it->found);
    free(it->motions);
    free(it->poses);
    *it = (cdg_surface_near){0};
}

static bool reserve(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, size_t shape_count) {
    if (pair_count > it->capacity) {
        cdg_near_room *grown = realloc(it->rooms, 2 * pair_count * sizeof *grown);
        if (grown != NULL) it->rooms = grown;
        cdg_watched_pair *watched = realloc(it->watched, 2 * pair_count * sizeof *watched);
        if (watched != NULL) it->watched = watched;
        if (grown == NULL || watched == NULL) return false;
        it->capacity = 2 * pair_count;
    }
    if (p->point_capacity > it->point_capacity) {
        cdg_vec3 *reference = realloc(it->reference, p->point_capacity * sizeof *reference);
        if (reference != NULL) it->reference = reference;
        cdg_vec3 *found = realloc(it->found, p->point_capacity * sizeof *found);
        if (found != NULL) it->found = found;
        if (reference == NULL || found == NULL) return false;
        it->point_capacity = p->point_capacity;
    }
    if (p->object_count + shape_count > it->motion_capacity) {
        cdg_object_motion *grown = realloc(it->motions, (p->object_count + shape_count) * sizeof *grown);
        if (grown == NULL) return false;
        it->motions = grown, it->motion_capacity = p->object_count + shape_count;
    }
    if (2 * shape_count > it->pose_capacity) {
        cdg_pose *grown = realloc(it->poses, 2 * shape_count * sizeof *grown);
        if (grown == NULL) return false;
        it->poses = grown, it->pose_capacity = 2 * shape_count;
    }
    return true;
}

bool cdg_surface_near_start(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, const cdg_pose *poses,
                            size_t shape_count) {
    if (!reserve(it, p, pair_count, shape_count)) return false;
    memcpy(it->reference, p->start, p->point_count * sizeof *it->reference);
    if (shape_count > 0) memcpy(it->poses, poses, 2 * shape_count * sizeof *it->poses);
    return true;
}

// Of an object's points from one array to another: the mean, and the farthest from it.
static double spread_of(const cdg_pieces *p, size_t object, const cdg_vec3 *from, const cdg_vec3 *to, cdg_vec3 *mean) {
    uint32_t first = p->first_node[object], end = p->first_node[object + 1];
    double most = 0;
    *mean = vec3(0, 0, 0);
    if (first == end) return 0;
    for (uint32_t n = first; n < end; n++) *mean = vec3_add(*mean, vec3_sub(to[p->point_of[n]], from[p->point_of[n]]));
    *mean = vec3_scale(1.0 / (end - first), *mean);
    for (uint32_t n = first; n < end; n++) {
        cdg_vec3 off = vec3_sub(vec3_sub(to[p->point_of[n]], from[p->point_of[n]]), *mean);
        double square = vec3_dot(off, off);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

static bool is_same(double a, double b) { return !(a < b) && !(a > b); }

static bool is_same_pose(const cdg_pose *a, const cdg_pose *b) {
    return is_same(a->position.x, b->position.x) && is_same(a->position.y, b->position.y) &&
           is_same(a->position.z, b->position.z) && is_same(a->orientation.w, b->orientation.w) &&
           is_same(a->orientation.x, b->orientation.x) && is_same(a->orientation.y, b->orientation.y) &&
           is_same(a->orientation.z, b->orientation.z);
}

// More than rounding of the distances and means.
static const double rounding_share = 1e-9;

void cdg_surface_near_move(const cdg_surface_near *it, const cdg_pieces *p, const cdg_pose *poses, size_t shape_count) {
    for (size_t i = 0; i < p->object_count; i++) {
        cdg_object_motion *m = &it->motions[i];
        m->most[0] = spread_of(p, i, it->reference, p->start, &m->mean[0]);
        m->most[1] = spread_of(p, i, p->start, p->next, &m->mean[1]);
        for (int k = 0; k < 2; k++) m->most[k] += rounding_share * (m->most[k] + vec3_norm(m->mean[k]));
        m->sum = m->most[0] + m->most[1] + vec3_norm(m->mean[0]) + vec3_norm(m->mean[1]);
    }
    for (size_t i = 0; i < shape_count; i++) {
        bool is_still = true;
        for (int k = 0; k < 2; k++) is_still = is_still && is_same_pose(&poses[2 * i + (size_t)k], &it->poses[2 * i]);
        it->motions[p->object_count + i] =
            (cdg_object_motion){.most = {is_still ? 0 : HUGE_VAL, 0}, .sum = is_still ? 0 : HUGE_VAL};
    }
}

double cdg_surface_near_size(const cdg_pieces *p, size_t object) {
    if (object >= p->chain_count) return p->surfaces.thickness[object - p->chain_count];
    return p->objects[object].segment_count > 0 ? pieces_largest_radius(p, p->first_element[object]) : HUGE_VAL;
}

bool cdg_surface_near_is_close(const cdg_surface_near *it, const cdg_pieces *p, double share) {
    for (size_t i = 0; i < p->object_count; i++) {
        double size = cdg_surface_near_size(p, i), most = share * share * size * size;
        for (uint32_t n = p->first_node[i]; n < p->first_node[i + 1]; n++) {
            cdg_vec3 way = vec3_sub(p->next[p->point_of[n]], it->found[p->point_of[n]]);
            if (!(vec3_dot(way, way) <= most)) return false;
        }
    }
    return true;
}

void cdg_surface_near_note(const cdg_surface_near *it, const cdg_pieces *p) {
    memcpy(it->found, p->next, p->point_count * sizeof *it->found);
}
