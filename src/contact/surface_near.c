// How far objects have moved since pairs of surfaces were measured (surface_near.h).
#include "contact/surface_near.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_surface_near_free(cdg_surface_near *it) {
    free(it->pairs);
    free(it->due);
    free(it->pair_at);
    free(it->due_at);
    free(it->awake);
    free(it->watched);
    free(it->places);
    free(it->couples);
    free(it->table);
    free(it->last);
    free(it->found);
    free(it->motions);
    free(it->poses);
    *it = (cdg_surface_near){0};
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool grow(void **memory, size_t bytes) {
    void *grown = realloc(*memory, bytes);
    if (grown != NULL) *memory = grown;
    return grown != NULL;
}

static bool reserve_pairs(cdg_surface_near *it, size_t pair_count) {
    enum { LEAST = 64 };
    if (pair_count < it->capacity) return true;
    size_t capacity = 2 * pair_count + LEAST;
    if (!grow((void **)&it->pairs, capacity * sizeof *it->pairs) ||
        !grow((void **)&it->due, capacity * sizeof *it->due) ||
        !grow((void **)&it->pair_at, capacity * sizeof *it->pair_at) ||
        !grow((void **)&it->due_at, capacity * sizeof *it->due_at) ||
        !grow((void **)&it->awake, (capacity / 64 + 1) * sizeof *it->awake) ||
        !grow((void **)&it->watched, capacity * sizeof *it->watched) ||
        !grow((void **)&it->places, capacity * sizeof *it->places))
        return false;
    it->capacity = capacity;
    return true;
}

static bool reserve(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, size_t shape_count) {
    if (!reserve_pairs(it, pair_count)) return false;
    if (p->point_capacity > it->point_capacity) {
        if (!grow((void **)&it->last, p->point_capacity * sizeof *it->last) ||
            !grow((void **)&it->found, p->point_capacity * sizeof *it->found))
            return false;
        it->point_capacity = p->point_capacity;
    }
    if (p->object_count > it->motion_capacity) {
        if (!grow((void **)&it->motions, p->object_count * sizeof *it->motions)) return false;
        it->motion_capacity = p->object_count;
    }
    if (shape_count > it->pose_capacity) {
        if (!grow((void **)&it->poses, shape_count * sizeof *it->poses)) return false;
        it->pose_capacity = shape_count;
    }
    return true;
}

static void take_poses(const cdg_surface_near *it, const cdg_pose *poses, size_t shape_count) {
    for (size_t i = 0; i < shape_count; i++) it->poses[i] = poses[2 * i];
}

bool cdg_surface_near_start(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, const cdg_pose *poses,
                            size_t shape_count) {
    if (!reserve(it, p, pair_count, shape_count)) return false;
    memcpy(it->last, p->start, p->point_count * sizeof *it->last);
    take_poses(it, poses, shape_count);
    it->watched_count = it->count = it->couple_count = 0;
    return true;
}

// ---- couples --------------------------------------------------------------------------------------------------------

static bool reserve_table(cdg_surface_near *it, size_t couple_count) {
    size_t capacity = it->table_capacity > 0 ? it->table_capacity : 64;
    while (capacity < 4 * couple_count) capacity *= 2;
    if (capacity > it->table_capacity) {
        if (!grow((void **)&it->table, capacity * sizeof *it->table)) return false;
        it->table_capacity = capacity;
    }
    if (couple_count <= it->couple_capacity) return true;
    size_t room = couple_count + couple_count / 2;
    if (!grow((void **)&it->couples, room * sizeof *it->couples)) return false;
    it->couple_capacity = room;
    return true;
}

static uint32_t *find_place(const cdg_surface_near *it, const uint32_t object[2]) {
    uint64_t key = ((uint64_t)object[0] << 32 | object[1]) * 0x9e3779b97f4a7c15U;
    size_t at = (size_t)(key >> 20) & (it->table_capacity - 1);
    while (it->table[at] != UINT32_MAX) {
        const cdg_near_couple *couple = &it->couples[it->table[at]];
        if (couple->object[0] == object[0] && couple->object[1] == object[1]) break;
        at = (at + 1) & (it->table_capacity - 1);
    }
    return &it->table[at];
}

// The table with room for more couples, those that are there in their places.
static bool fill_table(cdg_surface_near *it) {
    if (!reserve_table(it, it->couple_count + 16)) return false;
    memset(it->table, 0xff, it->table_capacity * sizeof *it->table);
    for (uint32_t i = 0; i < it->couple_count; i++) *find_place(it, it->couples[i].object) = i;
    return true;
}

double cdg_surface_near_size(const cdg_pieces *p, size_t object) {
    if (object >= p->chain_count) return p->surfaces.thickness[object - p->chain_count];
    return p->objects[object].segment_count > 0 ? pieces_largest_radius(p, p->first_element[object]) : HUGE_VAL;
}

static bool add_couple(cdg_surface_near *it, const cdg_pieces *p, const uint32_t object[2], double share) {
    cdg_near_couple *couple = &it->couples[it->couple_count];
    *couple = (cdg_near_couple){.object = {object[0], object[1]}, .next = -HUGE_VAL};
    for (int k = 0; k < 2; k++)
        if (object[k] < p->object_count) couple->reach += share * cdg_surface_near_size(p, object[k]);
    it->couple_count++;
    return it->couple_count < it->couple_capacity && 4 * it->couple_count <= it->table_capacity ? true : fill_table(it);
}

static bool find_couples(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, double share) {
    it->couple_count = 0;
    if (!fill_table(it)) return false;
    for (size_t i = 0; i < pair_count; i++) {
        cdg_kept_pair *pair = &it->pairs[i];
        const cdg_kept_pair *before = i > 0 ? &it->pairs[i - 1] : NULL;
        if (before != NULL && before->object[0] == pair->object[0] && before->object[1] == pair->object[1]) {
            pair->couple = before->couple;
            it->couples[pair->couple].end++;
            continue;
        }
        uint32_t *place = find_place(it, pair->object);
        pair->couple = *place;
        if (*place == UINT32_MAX) {
            pair->couple = *place = (uint32_t)it->couple_count;
            if (!add_couple(it, p, pair->object, share)) return false;
        }
        it->couples[pair->couple].end++; // counts, at first
    }
    return true;
}

bool cdg_surface_near_group(cdg_surface_near *it, const cdg_pieces *p, size_t pair_count, double share) {
    it->count = pair_count;
    if (!find_couples(it, p, pair_count, share)) return false;
    uint32_t first = 0;
    for (size_t i = 0; i < it->couple_count; i++) {
        cdg_near_couple *couple = &it->couples[i];
        uint32_t count = couple->end;
        couple->first = couple->end = first;
        first += count;
    }
    for (uint32_t i = 0; i < pair_count; i++) {
        uint32_t at = it->couples[it->pairs[i].couple].end++;
        it->pair_at[at] = i;
        it->due_at[i] = at;
    }
    for (size_t i = 0; i < pair_count; i++) it->due[i] = -HUGE_VAL;
    return true;
}

// ---- motions --------------------------------------------------------------------------------------------------------

// More than rounding of the distances and means.
static const double rounding_share = 1e-9;

// Of an object's points from one array to another: the mean, and the farthest from it.
static cdg_object_motion motion_between(const cdg_pieces *p, size_t object, const cdg_vec3 *from, const cdg_vec3 *to) {
    uint32_t first = p->first_node[object], end = p->first_node[object + 1];
    cdg_object_motion out = {{0, 0, 0}, 0};
    if (first == end) return out;
    for (uint32_t n = first; n < end; n++)
        out.mean = vec3_add(out.mean, vec3_sub(to[p->point_of[n]], from[p->point_of[n]]));
    out.mean = vec3_scale(1.0 / (end - first), out.mean);
    double most = 0;
    for (uint32_t n = first; n < end; n++) {
        cdg_vec3 off = vec3_sub(vec3_sub(to[p->point_of[n]], from[p->point_of[n]]), out.mean);
        double square = vec3_dot(off, off);
        most = square > most ? square : most;
    }
    out.most = sqrt(most);
    out.most += rounding_share * (out.most + vec3_norm(out.mean));
    return out;
}

static double approach_of(const cdg_surface_near *it, const cdg_pieces *p, const cdg_near_couple *couple) {
    cdg_object_motion motion[2] = {{{0, 0, 0}, 0}, {{0, 0, 0}, 0}};
    for (int k = 0; k < 2; k++)
        if (couple->object[k] < p->object_count) motion[k] = it->motions[couple->object[k]];
    return motion[0].most + motion[1].most + vec3_distance(motion[0].mean, motion[1].mean);
}

static bool is_same(double a, double b) { return !(a < b) && !(a > b); }

static bool is_same_pose(const cdg_pose *a, const cdg_pose *b) {
    return is_same(a->position.x, b->position.x) && is_same(a->position.y, b->position.y) &&
           is_same(a->position.z, b->position.z) && is_same(a->orientation.w, b->orientation.w) &&
           is_same(a->orientation.x, b->orientation.x) && is_same(a->orientation.y, b->orientation.y) &&
           is_same(a->orientation.z, b->orientation.z);
}

// Of a couple with a shape, its number among shapes; SIZE_MAX: there is none.
static size_t shape_of(const cdg_pieces *p, const cdg_near_couple *couple) {
    return couple->object[1] < p->object_count ? SIZE_MAX : couple->object[1] - p->object_count;
}

void cdg_surface_near_begin(const cdg_surface_near *it, const cdg_pieces *p, const cdg_pose *poses,
                            size_t shape_count) {
    for (size_t i = 0; i < p->object_count; i++) it->motions[i] = motion_between(p, i, it->last, p->start);
    for (size_t i = 0; i < it->couple_count; i++) {
        cdg_near_couple *couple = &it->couples[i];
        size_t shape = shape_of(p, couple);
        couple->gone += approach_of(it, p, couple);
        if (shape == SIZE_MAX || is_same_pose(&poses[2 * shape], &it->poses[shape])) continue;
        for (uint32_t k = couple->first; k < couple->end; k++) it->due[k] = -HUGE_VAL;
        couple->next = -HUGE_VAL;
    }
    take_poses(it, poses, shape_count);
    memcpy(it->last, p->start, p->point_count * sizeof *it->last);
}

// Shapes that move may do so as they like.
void cdg_surface_near_move(const cdg_surface_near *it, const cdg_pieces *p, const cdg_pose *poses) {
    for (size_t i = 0; i < p->object_count; i++) it->motions[i] = motion_between(p, i, p->start, p->next);
    for (size_t i = 0; i < it->couple_count; i++) {
        cdg_near_couple *couple = &it->couples[i];
        size_t shape = shape_of(p, couple);
        bool is_still = shape == SIZE_MAX || is_same_pose(&poses[2 * shape], &poses[2 * shape + 1]);
        couple->now = is_still ? approach_of(it, p, couple) : HUGE_VAL;
    }
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Bits of a couple's pairs that are due. Where those that are woken are put to sleep again, `next` is too low until the
// couple is looked at once more.
static void wake_couple(const cdg_surface_near *it, cdg_near_couple *couple) {
    double limit = couple->gone + couple->now + couple->reach, next = HUGE_VAL;
    if (couple->next > limit) return;
    for (uint32_t i = couple->first; i < couple->end; i++) {
        double due = it->due[i];
        next = due < next ? due : next;
        if (!(due > limit)) it->awake[it->pair_at[i] / 64] |= (uint64_t)1 << it->pair_at[i] % 64;
    }
    couple->next = next;
}

void cdg_surface_near_wake(cdg_surface_near *it) {
    size_t words = it->count / 64 + 1;
    memset(it->awake, 0, words * sizeof *it->awake);
    for (size_t i = 0; i < it->watched_count; i++)
        if (it->pairs[it->watched[i]].was_listed) it->awake[it->watched[i] / 64] |= (uint64_t)1 << it->watched[i] % 64;
    for (size_t i = 0; i < it->couple_count; i++) wake_couple(it, &it->couples[i]);
    it->watched_count = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = it->awake[w]; left != 0; left &= left - 1)
            it->watched[it->watched_count++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
}

void cdg_surface_near_rest(const cdg_surface_near *it, uint32_t pair, double room) {
    it->due[it->due_at[pair]] = it->couples[it->pairs[pair].couple].gone + room;
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
