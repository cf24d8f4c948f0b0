// How far objects have moved since pairs of surfaces were measured (surface_near.h).
#include "contact/surface_near.h"

#include "base/parallel.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_surface_near_free(cdg_surface_near *it) {
    free(it->named);
    free(it->pairs);
    free(it->due);
    free(it->awake);
    free(it->watched);
    free(it->moved);
    free(it->nearest);
    free(it->couples);
    free(it->order);
    free(it->spare);
    free(it->last);
    free(it->found);
    free(it->motions);
    free(it->room);
    free(it->walked);
    free(it->poses);
    *it = (cdg_surface_near){0};
}

// ---- memory ---------------------------------------------------------------------------------------------------------

enum { WORD = 64 };

static bool grow(void **memory, size_t bytes) {
    void *grown = realloc(*memory, bytes);
    if (grown != NULL) *memory = grown;
    return grown != NULL;
}

static bool reserve_pairs(cdg_surface_near *it, size_t count) {
    if (count <= it->capacity) return true;
    size_t capacity = count + count / 2 + 16 * WORD;
    if (!grow((void **)&it->named, capacity * sizeof *it->named) ||
        !grow((void **)&it->pairs, capacity * sizeof *it->pairs) ||
        !grow((void **)&it->due, capacity * sizeof *it->due) ||
        !grow((void **)&it->awake, (capacity / WORD + 1) * sizeof *it->awake) ||
        !grow((void **)&it->watched, capacity * sizeof *it->watched) ||
        !grow((void **)&it->moved, capacity * sizeof *it->moved) ||
        !grow((void **)&it->nearest, capacity * sizeof *it->nearest))
        return false;
    it->capacity = capacity;
    return true;
}

static bool reserve_couples(cdg_surface_near *it, size_t count) {
    if (count <= it->couple_capacity) return true;
    size_t capacity = count + count / 2 + 16;
    if (!grow((void **)&it->couples, capacity * sizeof *it->couples) ||
        !grow((void **)&it->order, capacity * sizeof *it->order) ||
        !grow((void **)&it->spare, capacity * sizeof *it->spare))
        return false;
    it->couple_capacity = capacity;
    return true;
}

static bool reserve(cdg_surface_near *it, const cdg_pieces *p, size_t shape_count) {
    if (p->point_capacity > it->point_capacity) {
        if (!grow((void **)&it->last, p->point_capacity * sizeof *it->last) ||
            !grow((void **)&it->found, p->point_capacity * sizeof *it->found))
            return false;
        it->point_capacity = p->point_capacity;
    }
    if (p->object_count > it->motion_capacity) {
        if (!grow((void **)&it->motions, p->object_count * sizeof *it->motions) ||
            !grow((void **)&it->room, p->object_count * sizeof *it->room) ||
            !grow((void **)&it->walked, p->object_count * sizeof *it->walked))
            return false;
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

// ---- couples --------------------------------------------------------------------------------------------------------

double cdg_surface_near_size(const cdg_pieces *p, size_t object) {
    if (object >= p->chain_count) return p->surfaces.thickness[object - p->chain_count];
    return p->objects[object].segment_count > 0 ? pieces_largest_radius(p, p->first_element[object]) : HUGE_VAL;
}

// Where a couple without objects waits, or at the end.
static uint32_t free_slot(const cdg_surface_near *it, uint32_t from) {
    while (from < it->couple_count && it->couples[from].object[0] != UINT32_MAX) from++;
    return from;
}

static bool is_before(const cdg_near_couple *a, const cdg_object_couple *b) {
    return a->object[0] != b->object[0] ? a->object[0] < b->object[0] : a->object[1] < b->object[1];
}

// Drops known couples from index `at` of their order on, as long as they come before the next one that is there.
static size_t drop_before(const cdg_surface_near *it, size_t at, const cdg_object_couple *next) {
    for (; at < it->order_count; at++) {
        cdg_near_couple *known = &it->couples[it->order[at]];
        if (next != NULL && !is_before(known, next)) return at;
        *known = (cdg_near_couple){.object = {UINT32_MAX, UINT32_MAX}};
    }
    return at;
}

bool cdg_surface_near_take_couples(cdg_surface_near *it, const cdg_pieces *p, const cdg_object_couple *couples,
                                   size_t count, double share) {
    if (!reserve_couples(it, it->order_count + count)) return false;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) { // those that stay
        at = drop_before(it, at, &couples[i]);
        bool is_known = at < it->order_count && it->couples[it->order[at]].object[0] == couples[i].object[0] &&
                        it->couples[it->order[at]].object[1] == couples[i].object[1];
        it->spare[i] = is_known ? it->order[at++] : UINT32_MAX;
    }
    drop_before(it, at, NULL);
    uint32_t slot = 0;
    for (size_t i = 0; i < count; i++) {
        if (it->spare[i] != UINT32_MAX) continue;
        slot = free_slot(it, slot);
        if (slot == it->couple_count) it->couple_count++;
        cdg_near_couple *couple = &it->couples[slot];
        *couple = (cdg_near_couple){.object = {couples[i].object[0], couples[i].object[1]}, .next = -HUGE_VAL};
        for (int k = 0; k < 2; k++)
            if (couple->object[k] < p->object_count)
                couple->reach += share * cdg_surface_near_size(p, couple->object[k]);
        it->spare[i] = slot;
    }
    uint32_t *order = it->order;
    it->order = it->spare, it->spare = order, it->order_count = count;
    for (size_t i = 0; i < p->object_count; i++) it->walked[i] = 0;
    return true;
}

// ---- pairs of a couple ----------------------------------------------------------------------------------------------

static size_t to_words(size_t count) { return (count + WORD - 1) / WORD * WORD; }

bool cdg_surface_near_take_pairs(cdg_surface_near *it, uint32_t number, size_t count) {
    cdg_near_couple *couple = &it->couples[number];
    size_t first = to_words(it->count);
    if (!reserve_pairs(it, first + count)) return false;
    couple->first = couple->end = (uint32_t)first;
    couple->gone = 0;
    couple->is_found = false;
    return true;
}

void cdg_surface_near_keep(cdg_surface_near *it, uint32_t number, size_t count) {
    cdg_near_couple *couple = &it->couples[number];
    couple->end = couple->first + (uint32_t)count;
    couple->next = -HUGE_VAL;
    couple->is_found = true;
    it->count = couple->end;
    for (uint32_t i = couple->first; i < couple->end; i++) {
        it->pairs[i].couple = number;
        it->due[i] = -HUGE_VAL;
    }
}

static size_t count_live(const cdg_surface_near *it) {
    size_t count = 0;
    for (size_t i = 0; i < it->order_count; i++) {
        const cdg_near_couple *couple = &it->couples[it->order[i]];
        count += to_words(couple->end - couple->first);
    }
    return count;
}

// In the order in which they lie in memory, so that nothing is overwritten: by words that are taken, in `awake`.
void cdg_surface_near_tidy(cdg_surface_near *it) {
    it->watched_count = 0;
    if (it->count < 2 * count_live(it) + 64 * WORD) return;
    // Each couple's first word says whose it is; couples without pairs have no words.
    size_t words = to_words(it->count) / WORD, end = 0;
    memset(it->awake, 0xff, words * sizeof *it->awake);
    for (size_t i = 0; i < it->order_count; i++) {
        cdg_near_couple *couple = &it->couples[it->order[i]];
        if (couple->end > couple->first)
            it->awake[couple->first / WORD] = it->order[i];
        else
            couple->first = couple->end = 0;
    }
    for (size_t w = 0; w < words; w++) {
        if (it->awake[w] == UINT64_MAX) continue;
        cdg_near_couple *couple = &it->couples[it->awake[w]];
        size_t count = couple->end - couple->first, from = couple->first;
        memmove(it->named + end, it->named + from, count * sizeof *it->named);
        memmove(it->pairs + end, it->pairs + from, count * sizeof *it->pairs);
        memmove(it->due + end, it->due + from, count * sizeof *it->due);
        couple->first = (uint32_t)end, couple->end = (uint32_t)(end + count);
        it->count = couple->end;
        end = to_words(it->count);
    }
    if (end == 0) it->count = 0;
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

enum { COUPLES_AT_ONCE = 64, OBJECTS_AT_ONCE = 8, PARTS_WORTH = 4 }; // of a thread; parts that are worth a second one

typedef struct motion_work {
    const cdg_surface_near *near;
    const cdg_pieces *pieces;
    const cdg_vec3 *from, *to;
} motion_work;

static void find_some_motions(void *user, size_t index, int thread) {
    const motion_work *w = user;
    (void)thread;
    for (size_t i = OBJECTS_AT_ONCE * index; i < OBJECTS_AT_ONCE * (index + 1) && i < w->pieces->object_count; i++)
        w->near->motions[i] = motion_between(w->pieces, i, w->from, w->to);
}

static void find_motions(const cdg_surface_near *it, const cdg_pieces *p, const cdg_vec3 *from, const cdg_vec3 *to) {
    motion_work work = {it, p, from, to};
    size_t parts = (p->object_count + OBJECTS_AT_ONCE - 1) / OBJECTS_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? it->threads : 1, find_some_motions, &work);
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

double cdg_surface_near_walked(const cdg_surface_near *it, size_t object) {
    return it->walked[object] + vec3_norm(it->motions[object].mean) + it->motions[object].most;
}

bool cdg_surface_near_begin(cdg_surface_near *it, const cdg_pieces *p, const cdg_pose *poses, size_t shape_count) {
    if (!it->is_good || shape_count != it->shape_count) {
        if (!reserve(it, p, shape_count)) return false;
        it->is_good = false;
        it->shape_count = shape_count;
        it->watched_count = it->count = it->couple_count = it->order_count = 0;
        for (size_t i = 0; i < p->object_count; i++) it->walked[i] = it->room[i] = 0;
        memcpy(it->last, p->start, p->point_count * sizeof *it->last);
        take_poses(it, poses, shape_count);
    }
    find_motions(it, p, it->last, p->start);
    for (size_t i = 0; i < p->object_count; i++) it->walked[i] = cdg_surface_near_walked(it, i);
    for (size_t i = 0; i < it->order_count; i++) {
        cdg_near_couple *couple = &it->couples[it->order[i]];
        size_t shape = shape_of(p, couple);
        couple->gone += approach_of(it, p, couple);
        couple->farthest = 0;
        if (shape == SIZE_MAX || is_same_pose(&poses[2 * shape], &it->poses[shape])) continue;
        for (uint32_t k = couple->first; k < couple->end; k++) it->due[k] = -HUGE_VAL;
        couple->next = -HUGE_VAL;
    }
    take_poses(it, poses, shape_count);
    memcpy(it->last, p->start, p->point_count * sizeof *it->last);
    return true;
}

void cdg_surface_near_move(const cdg_surface_near *it, const cdg_pieces *p) { find_motions(it, p, p->start, p->next); }

// Shapes that move may do so as they like.
void cdg_surface_near_approach(const cdg_surface_near *it, const cdg_pieces *p, const cdg_pose *poses) {
    for (size_t i = 0; i < it->order_count; i++) {
        cdg_near_couple *couple = &it->couples[it->order[i]];
        size_t shape = shape_of(p, couple);
        bool is_still = shape == SIZE_MAX || is_same_pose(&poses[2 * shape], &poses[2 * shape + 1]);
        couple->own = approach_of(it, p, couple);
        couple->farthest = fmax(couple->farthest, couple->own);
        couple->now = is_still ? couple->own : HUGE_VAL;
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
        if (!(due > limit)) it->awake[i / WORD] |= (uint64_t)1 << i % WORD;
    }
    couple->next = next;
}

// Couples have words of their own.
static void wake_some(void *user, size_t index, int thread) {
    const cdg_surface_near *it = user;
    (void)thread;
    for (size_t i = COUPLES_AT_ONCE * index; i < COUPLES_AT_ONCE * (index + 1) && i < it->order_count; i++)
        wake_couple(it, &it->couples[it->order[i]]);
}

void cdg_surface_near_wake(cdg_surface_near *it) {
    if (it->count > 0) memset(it->awake, 0, to_words(it->count) / WORD * sizeof *it->awake);
    for (size_t i = 0; i < it->watched_count; i++)
        if (it->pairs[it->watched[i]].was_listed)
            it->awake[it->watched[i] / WORD] |= (uint64_t)1 << it->watched[i] % WORD;
    size_t parts = (it->order_count + COUPLES_AT_ONCE - 1) / COUPLES_AT_ONCE;
    cdg_parallel_for(parts, parts >= PARTS_WORTH ? it->threads : 1, wake_some, it);
    for (size_t i = 0; i < it->watched_count; i++) { // what sleeps is not told when the step is over
        uint32_t number = it->watched[i];
        if ((it->awake[number / WORD] >> number % WORD & 1) == 0) it->pairs[number].has_start = false;
    }
    it->watched_count = 0;
    for (size_t i = 0; i < it->order_count; i++) {
        const cdg_near_couple *couple = &it->couples[it->order[i]];
        for (size_t w = couple->first / WORD; WORD * w < couple->end; w++)
            for (uint64_t left = it->awake[w]; left != 0; left &= left - 1)
                it->watched[it->watched_count++] = (uint32_t)(WORD * w) + (uint32_t)__builtin_ctzll(left);
    }
}

void cdg_surface_near_rest(const cdg_surface_near *it, uint32_t pair, double room) {
    it->due[pair] = it->couples[it->pairs[pair].couple].gone + room;
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
