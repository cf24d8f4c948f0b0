// One numbering of the points and segments of all objects, and the way from objects to it and back.
#include "contact/pieces.h"

#include "base/arena.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- building -------------------------------------------------------------------------------------------------------

// Carves all arrays; with `memory` NULL it only counts.
static size_t carve(cdg_pieces *p, void *memory) {
    size_t used = 0;
#define PIECE(member, count)                                                                                           \
    do {                                                                                                               \
        p->member = memory != NULL ? (void *)((char *)memory + used) : NULL;                                           \
        used += arena_size((count) * sizeof *p->member);                                                               \
    } while (0)
    size_t e = p->element_count + 1;
    PIECE(objects, p->object_count + 1);
    PIECE(first_element, p->object_count + 1);
    PIECE(first_node, p->object_count + 1);
    PIECE(point_of, p->node_count + 1);
    PIECE(is_first, p->node_count + 1);
    PIECE(joint_of, p->node_count + 1);
    PIECE(joints, p->joint_count + 1);
    PIECE(members, p->member_count + 1);
    PIECE(ends, e);
    PIECE(object_of, e);
    PIECE(radius, e);
    PIECE(arc, e);
    PIECE(near_joint, e);
    PIECE(joint_distance, e);
    PIECE(passes, e);
    PIECE(start, p->point_count);
    PIECE(base, p->point_count);
    PIECE(free, p->point_count);
    PIECE(velocity, p->point_count);
    PIECE(held, p->point_count);
    PIECE(give, p->point_count);
    PIECE(turn_free, e);
    PIECE(turn_give, e);
    PIECE(axis, e);
    PIECE(next, p->point_count);
    PIECE(turn, e);
    PIECE(force, p->point_count);
    PIECE(torque, e);
    PIECE(loaded, p->point_count);
    PIECE(loaded_torque, e);
    PIECE(lag, p->point_count);
    PIECE(lag_across, p->point_count);
    PIECE(pressed, p->point_count);
    PIECE(force_before, p->point_count);
    PIECE(torque_before, e);
    PIECE(move, p->point_count);
    PIECE(more_turn, e);
#undef PIECE
    return used;
}

// Members of a joint take the number of their first; then numbers without gaps. Returns how many points there are.
static size_t number_points(cdg_pieces *p) {
    for (size_t i = 0; i < p->node_count; i++) {
        p->point_of[i] = (uint32_t)i;
        p->joint_of[i] = UINT32_MAX;
    }
    for (size_t j = 0; j < p->joint_count; j++) {
        const cdg_proxy_member *members = &p->members[p->joints[j].first];
        uint32_t first = UINT32_MAX;
        for (size_t m = 0; m < p->joints[j].count; m++) {
            uint32_t node = p->first_node[members[m].object] + members[m].point;
            if (node < first) first = node;
            p->joint_of[node] = (uint32_t)j;
        }
        for (size_t m = 0; m < p->joints[j].count; m++)
            p->point_of[p->first_node[members[m].object] + members[m].point] = first;
    }
    uint32_t count = 1; // after the still point
    for (size_t i = 0; i < p->node_count; i++) {
        p->is_first[i] = p->point_of[i] == i;
        p->point_of[i] = p->is_first[i] ? count++ : p->point_of[p->point_of[i]];
    }
    return count;
}

// Distances along the chain to the next joints, both ways; a closed one is walked twice to get past its seam.
static void find_joints(cdg_pieces *p, size_t index) {
    const cdg_proxy *proxy = &p->objects[index];
    size_t count = proxy->segment_count, rounds = proxy->is_closed ? 2 : 1;
    uint32_t first = p->first_element[index];
    const uint32_t *joint = p->joint_of + p->first_node[index];
    uint32_t last = UINT32_MAX;
    double distance = 0;
    for (size_t k = 0; k < rounds * count; k++) {
        size_t j = k % count;
        if (joint[j] != UINT32_MAX) last = joint[j], distance = 0;
        p->near_joint[first + j][0] = last;
        p->joint_distance[first + j][0] = distance;
        distance += proxy->rest_length[j];
    }
    last = UINT32_MAX, distance = 0;
    for (size_t k = rounds * count; k-- > 0;) {
        size_t j = k % count, next = proxy_next_point(proxy, j);
        if (joint[next] != UINT32_MAX) last = joint[next], distance = 0;
        p->near_joint[first + j][1] = last;
        p->joint_distance[first + j][1] = distance;
        distance += proxy->rest_length[j];
    }
}

static void describe(cdg_pieces *p, size_t index) {
    const cdg_proxy *proxy = &p->objects[index];
    const uint32_t *point = p->point_of + p->first_node[index];
    double arc = 0;
    for (size_t j = 0; j < proxy->segment_count; j++) {
        uint32_t e = p->first_element[index] + (uint32_t)j;
        size_t next = proxy_next_point(proxy, j);
        p->ends[e][0] = point[j], p->ends[e][1] = point[next];
        p->object_of[e] = (uint32_t)index;
        p->radius[e][0] = proxy->radius[j * proxy->radius_stride];
        p->radius[e][1] = proxy->radius[next * proxy->radius_stride];
        p->arc[e][0] = arc;
        arc += proxy->rest_length[j];
        p->arc[e][1] = arc;
    }
}

// Counts and everything that follows from them, in memory that has room for it.
static void number(cdg_pieces *p) {
    p->node_count = p->element_count = 0;
    for (size_t i = 0; i < p->object_count; i++) {
        p->first_node[i] = (uint32_t)p->node_count;
        p->first_element[i] = (uint32_t)p->element_count;
        p->node_count += p->objects[i].point_count;
        p->element_count += p->objects[i].segment_count;
    }
    p->first_node[p->object_count] = (uint32_t)p->node_count;
    p->first_element[p->object_count] = (uint32_t)p->element_count;
    p->first_body_point = (uint32_t)number_points(p);
    p->point_count = p->first_body_point + 2 * p->body_count;
    for (size_t i = 0; i < p->chain_count; i++) {
        if (p->objects[i].object == NULL) continue;
        describe(p, i);
        find_joints(p, i);
    }
    p->ends[p->element_count][0] = p->ends[p->element_count][1] = CDG_STILL_POINT;
    memset(p->passes, 0xff, (p->element_count + 1) * sizeof *p->passes);
}

// Room for as many as there may be; numbers follow.
static void reserve(cdg_pieces *p, const cdg_proxy_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        p->node_count += proxy_point_capacity(&list->proxies[i]);
        p->element_count += proxy_segment_capacity(&list->proxies[i]);
    }
    p->point_count = p->node_count + 1 + 2 * p->body_count;
    for (size_t j = 0; j < list->joint_count; j++) p->member_count += list->joints[j].count;
}

cdg_result cdg_pieces_build(cdg_pieces *out, const cdg_proxy_list *list, size_t body_count, cdg_error *error) {
    cdg_pieces_free(out);
    cdg_pieces p = {.object_count = list->count,
                    .chain_count = list->count - list->surface_count,
                    .body_count = body_count,
                    .joint_count = list->joint_count};
    reserve(&p, list);
    size_t bytes = carve(&p, NULL);
    void *memory = aligned_alloc(64, bytes);
    if (memory == NULL || p.element_count >= UINT32_MAX / 4) {
        free(memory);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact among %zu elements", p.element_count);
    }
    memset(memory, 0, bytes);
    carve(&p, memory);
    p.memory = memory;
    p.element_capacity = p.element_count;
    p.point_capacity = p.point_count;
    for (size_t i = 0; i < list->count; i++) {
        p.objects[i] = list->proxies[i];
        p.has_loaded = p.has_loaded || p.objects[i].is_loaded;
        p.has_slow = p.has_slow || p.objects[i].is_loaded_slowly;
        p.has_fine = p.has_fine || p.objects[i].triangle_count == 0 || p.objects[i].is_fine;
    }
    for (size_t j = 0, next = 0; j < list->joint_count; j++) {
        p.joints[j] = (cdg_proxy_joint){next, list->joints[j].count};
        for (size_t m = 0; m < list->joints[j].count; m++) p.members[next++] = list->members[list->joints[j].first + m];
    }
    number(&p);
    cdg_result result = cdg_surfaces_build(&p.surfaces, p.objects + p.chain_count, list->surface_count,
                                           p.point_of + p.first_node[p.chain_count], error);
    if (result != CDG_OK) {
        cdg_pieces_free(&p);
        return result;
    }
    *out = p;
    return CDG_OK;
}

void cdg_pieces_renumber(cdg_pieces *p) {
    number(p);
    cdg_surfaces_renumber(&p->surfaces, p->point_of + p->first_node[p->chain_count]);
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
}

void cdg_pieces_free(cdg_pieces *pieces) {
    free(pieces->memory);
    cdg_surfaces_free(&pieces->surfaces);
    *pieces = (cdg_pieces){0};
}

// ---- neighbours -----------------------------------------------------------------------------------------------------

// Bent to a half circle of its own radius, the sharpest it can without lying in itself, a rod touches itself after
// pi radii.
static const double bend_back = 3.141592653589793;

bool cdg_pieces_are_neighbours(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double reach = bend_back * 0.25 * (p->radius[a][0] + p->radius[a][1] + p->radius[b][0] + p->radius[b][1]);
    if (p->object_of[a] == p->object_of[b]) {
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        double apart = p->arc[high][0] - p->arc[low][1];
        if (apart < reach) return true;
        const cdg_proxy *proxy = &p->objects[p->object_of[a]];
        if (proxy->is_closed && p->arc[low][0] + proxy->length - p->arc[high][1] < reach) return true;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (p->near_joint[a][i] != UINT32_MAX && p->near_joint[a][i] == p->near_joint[b][k] &&
                p->joint_distance[a][i] + p->joint_distance[b][k] < reach)
                return true;
    return false;
}

static double smaller(double a, double b) { return a < b ? a : b; }

double cdg_pieces_separation(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double least = HUGE_VAL;
    if (p->object_of[a] == p->object_of[b]) {
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        const cdg_proxy *proxy = &p->objects[p->object_of[a]];
        least = p->arc[high][0] - p->arc[low][1];
        if (proxy->is_closed) least = smaller(least, p->arc[low][0] + proxy->length - p->arc[high][1]);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (p->near_joint[a][i] != UINT32_MAX && p->near_joint[a][i] == p->near_joint[b][k])
                least = smaller(least, p->joint_distance[a][i] + p->joint_distance[b][k]);
    return least;
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static void read_object(cdg_pieces *p, size_t index, double step) {
    if (p->objects[index].object != NULL) p->objects[index].operations->read(p, index, step);
}

// Axes, and what only explicit objects have: points that answer for themselves, and forces that they were loaded with.
static void finish_element(cdg_pieces *p, size_t e) {
    const cdg_proxy *proxy = &p->objects[p->object_of[e]];
    p->axis[e] = vec3_normalize(vec3_sub(p->base[p->ends[e][1]], p->base[p->ends[e][0]]));
    if (proxy->is_implicit) return;
    if (!proxy->is_loaded) p->torque[e] = 0;
    p->loaded_torque[e] = p->torque[e];
}

static void finish_node(cdg_pieces *p, const cdg_proxy *proxy, size_t n) {
    uint32_t k = p->point_of[n];
    if (proxy->is_implicit) p->give[k] = 0;
    if (!proxy->is_implicit && !proxy->is_loaded) p->force[k] = vec3(0, 0, 0);
    if (!proxy->is_implicit) p->loaded[k] = p->force[k];
}

// Nodes, elements and objects that a thread takes at once; as many parts are worth a second one.
enum { PIECES_AT_ONCE = 256, OBJECTS_AT_ONCE = 8, PARTS_WORTH = 4 };

typedef struct load_work {
    cdg_pieces *pieces;
    double step;
} load_work;

static void read_part(void *user, size_t index, int thread) {
    const load_work *w = user;
    (void)thread;
    for (size_t i = OBJECTS_AT_ONCE * index; i < OBJECTS_AT_ONCE * (index + 1) && i < w->pieces->object_count; i++)
        read_object(w->pieces, i, w->step);
}

// Whether objects are worth a second thread.
static bool are_many(const cdg_pieces *p, size_t parts) {
    return parts >= PARTS_WORTH && p->node_count >= PARTS_WORTH * PIECES_AT_ONCE;
}

// Objects that share no point are read at once.
static void read_objects(cdg_pieces *p, double step) {
    load_work work = {p, step};
    size_t parts = (p->object_count + OBJECTS_AT_ONCE - 1) / OBJECTS_AT_ONCE;
    cdg_parallel_for(parts, are_many(p, parts) && p->joint_count == 0 ? p->threads : 1, read_part, &work);
}

// The object that has the node.
static size_t object_of_node(const cdg_pieces *p, size_t node) {
    size_t low = 0, high = p->object_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->first_node[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void finish_part(void *user, size_t index, int thread) {
    const load_work *w = user;
    cdg_pieces *p = w->pieces;
    size_t first = PIECES_AT_ONCE * index, end = first + PIECES_AT_ONCE;
    (void)thread;
    for (size_t e = first; e < end && e < p->element_count; e++) finish_element(p, e);
    size_t object = first < p->node_count ? object_of_node(p, first) : 0;
    for (size_t n = first; n < end && n < p->node_count; n++) {
        while (n >= p->first_node[object + 1]) object++;
        finish_node(p, &p->objects[object], n);
    }
}

// Copies of a joint's point are finished one after the other.
static void finish_objects(cdg_pieces *p, double step) {
    load_work work = {p, step};
    size_t most = p->node_count > p->element_count ? p->node_count : p->element_count;
    size_t parts = (most + PIECES_AT_ONCE - 1) / PIECES_AT_ONCE;
    bool is_shared_out = p->joint_count == 0 && parts >= PARTS_WORTH;
    cdg_parallel_for(parts, is_shared_out ? p->threads : 1, finish_part, &work);
}

void cdg_pieces_load(cdg_pieces *p, double step) {
    memset(p->give, 0, p->point_count * sizeof *p->give);
    memset(p->held, 0, p->point_count * sizeof *p->held);
    read_objects(p, step);
    p->held[CDG_STILL_POINT] = true;
    for (size_t k = p->first_body_point; k < p->point_count; k++) { // until body_pieces.c says more
        p->held[k] = true;
        p->force[k] = vec3(0, 0, 0);
    }
    for (size_t k = 0; k < p->point_count; k++) p->give[k] = p->held[k] ? 0 : step * step / p->give[k];
    finish_objects(p, step);
    p->force[CDG_STILL_POINT] = p->loaded[CDG_STILL_POINT] = vec3(0, 0, 0);
    p->torque[p->element_count] = p->loaded_torque[p->element_count] = 0;
}

void cdg_pieces_reload(cdg_pieces *p, size_t index, double step) {
    read_object(p, index, step);
    for (size_t e = p->first_element[index]; e < p->first_element[index + 1]; e++) finish_element(p, e);
    for (size_t n = p->first_node[index]; n < p->first_node[index + 1]; n++) finish_node(p, &p->objects[index], n);
}

typedef struct store_work {
    const cdg_pieces *pieces;
    double step;
    bool *touched;
} store_work;

static void store_object(const store_work *w, size_t i) {
    const cdg_proxy *proxy = &w->pieces->objects[i];
    w->touched[i] = proxy->object != NULL && proxy->operations->give_back(w->pieces, i, w->step);
}

static void store_part(void *user, size_t index, int thread) {
    const store_work *w = user;
    (void)thread;
    for (size_t i = OBJECTS_AT_ONCE * index; i < OBJECTS_AT_ONCE * (index + 1) && i < w->pieces->object_count; i++)
        store_object(w, i);
}

void cdg_pieces_store(const cdg_pieces *p, double step, bool *touched) {
    store_work work = {p, step, touched};
    size_t parts = (p->object_count + OBJECTS_AT_ONCE - 1) / OBJECTS_AT_ONCE;
    cdg_parallel_for(parts, are_many(p, parts) ? p->threads : 1, store_part, &work);
}
