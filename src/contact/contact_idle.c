// Whether nothing can come near anything in a step, told from a few bounds in one pass over the objects' points.
//
// A chain whose edges all go along one axis by a share of their rest length keeps elements that are apart along it
// apart in space, at all times of the step, because edges move linearly in time. Curved chains are looked at in blocks:
// two blocks that follow each other have an axis of their own, others must have boxes that do not meet.
#include "contact/contact_idle.h"

#include "contact/contacts.h"
#include "geometry/swept_bounds.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 48, BLOCK_ELEMENTS = 2, BLOCKS_LEAST_CLOSED = 4, OBJECTS_FEW = 24 };
// Blocks are no shorter than this many reaches: else those beside the next would meet on a straight chain.
static const double block_reaches = 4;
// Steps without a new check after something was near: the first number, doubled each time up to the second.
enum { WAIT_FIRST = 4, WAIT_MAX = 32 };
// Boxes are no smaller than those of contact_find.c.
static const double reach_share = 1.3;
// Elements that are no neighbours are pi mean radii apart along the chain (pieces.h), near within 1.05 of the sum of
// their largest: 2/pi times 1.05 of the rest length, where radii at an element's ends are alike, and a little more.
static const double along_share = 0.7, along_most = 0.95;

// ---- what does not change -------------------------------------------------------------------------------------------

static cdg_idle_object describe(const cdg_pieces *p, size_t index) {
    double largest = 0, uneven = 1;
    for (uint32_t e = p->first_element[index]; e < p->first_element[index + 1]; e++) {
        double radius = pieces_largest_radius(p, e), mean = 0.5 * (p->radius[e][0] + p->radius[e][1]);
        largest = fmax(largest, radius);
        uneven = fmax(uneven, radius / mean);
    }
    return (cdg_idle_object){.reach = reach_share * largest, .share = along_share * uneven};
}

bool cdg_idle_build(cdg_idle *idle, const cdg_pieces *pieces) {
    cdg_idle_free(idle);
    idle->objects = calloc(pieces->object_count + 1, sizeof *idle->objects);
    if (idle->objects == NULL) return false;
    for (size_t i = 0; i < pieces->object_count; i++)
        if (pieces->objects[i].object != NULL) idle->objects[i] = describe(pieces, i);
    return true;
}

void cdg_idle_free(cdg_idle *idle) {
    free(idle->objects);
    *idle = (cdg_idle){0};
}

// ---- one object -----------------------------------------------------------------------------------------------------

typedef struct blocks {
    size_t count;
    cdg_box boxes[BLOCKS_MAX];
} blocks;

static cdg_vec3 point_of(double *const points[3], size_t i) { return vec3(points[0][i], points[1][i], points[2][i]); }

static swept_chain chain_of(const cdg_proxy *proxy, size_t first_element, size_t end_element) {
    swept_chain chain = {.rest_length = proxy->rest_length, .first = first_element, .end = end_element + 1};
    if (chain.end > proxy->point_count)
        chain.end = proxy->point_count; // a closed chain: its last edge is looked at alone
    for (int k = 0; k < 3; k++) chain.from[k] = proxy->now[k], chain.to[k] = proxy->next[k];
    return chain;
}

static size_t block_start(const cdg_proxy *proxy, size_t count, size_t block) {
    return proxy->segment_count * block / count;
}

static bool last_edge_goes_along(const cdg_proxy *proxy, const double axis[3], double share) {
    size_t last = proxy->point_count - 1;
    double from = 0, to = 0, wanted = share * proxy->rest_length[last];
    for (int k = 0; k < 3; k++) {
        from += axis[k] * (proxy->now[k][0] - proxy->now[k][last]);
        to += axis[k] * (proxy->next[k][0] - proxy->next[k][last]);
    }
    return from >= wanted && to >= wanted;
}

// Whether elements first to end - 1 go along; a closed chain's may go on past its seam, in a second part.
static bool goes_along(const cdg_proxy *proxy, size_t first, size_t end, double share) {
    size_t count = proxy->segment_count, end_node = end < proxy->point_count ? end : end - proxy->point_count;
    if (!proxy->is_closed) end_node = end;
    cdg_vec3 chord = vec3_sub(point_of(proxy->now, end_node), point_of(proxy->now, first));
    double length = vec3_norm(chord);
    if (!(length > 0) || !(share < along_most)) return false;
    const double axis[3] = {chord.x / length, chord.y / length, chord.z / length};
    const swept_kernels *kernels = swept_kernels_choose();
    size_t here = end < count ? end : count;
    swept_chain chain = chain_of(proxy, first, here);
    if (!kernels->goes_along(&chain, axis, share)) return false;
    if (proxy->is_closed && end >= count && !last_edge_goes_along(proxy, axis, share)) return false;
    if (end <= count) return true;
    chain = chain_of(proxy, 0, end - count);
    return kernels->goes_along(&chain, axis, share);
}

static bool do_blocks_meet(const cdg_proxy *proxy, const blocks *b) {
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = i + 2; k < b->count; k++)
            if (!(proxy->is_closed && i == 0 && k + 1 == b->count) && cdg_boxes_overlap(&b->boxes[i], &b->boxes[k]))
                return true;
    return false;
}

static bool is_apart_from_itself(const cdg_proxy *proxy, double share, const blocks *b) {
    if (b->count < (proxy->is_closed ? BLOCKS_LEAST_CLOSED : 2)) return false;
    if (do_blocks_meet(proxy, b)) return false;
    size_t windows = proxy->is_closed ? b->count : b->count - 1;
    for (size_t w = 0; w < windows; w++) {
        size_t end = w + 2 <= b->count ? block_start(proxy, b->count, w + 2)
                                       : proxy->segment_count + block_start(proxy, b->count, w + 2 - b->count);
        if (!goes_along(proxy, block_start(proxy, b->count, w), end, share)) return false;
    }
    return true;
}

static cdg_box swept_box(const cdg_proxy *proxy, size_t first, size_t end, double reach) {
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    swept_chain chain = chain_of(proxy, first, end);
    swept_kernels_choose()->grow_box(&chain, box.low, box.high);
    if (proxy->is_closed && end == proxy->segment_count) {
        chain = chain_of(proxy, 0, 0); // the last edge ends at the first node
        swept_kernels_choose()->grow_box(&chain, box.low, box.high);
    }
    for (int k = 0; k < 3; k++) box.low[k] -= reach, box.high[k] += reach;
    return box;
}

static void find_blocks(const cdg_proxy *proxy, double reach, blocks *out) {
    double most = floor((double)proxy->segment_count / BLOCK_ELEMENTS);
    double count = fmin(fmin(BLOCKS_MAX, most), floor(proxy->length / (block_reaches * reach)));
    out->count = count < 1 ? 1 : (size_t)count;
    for (size_t i = 0; i < out->count; i++)
        out->boxes[i] =
            swept_box(proxy, block_start(proxy, out->count, i), block_start(proxy, out->count, i + 1), reach);
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

static bool is_above_plane(const cdg_obstacle *o, const cdg_pose *pose, const cdg_box *box) {
    cdg_vec3 middle = {0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                       0.5 * (box->low[2] + box->high[2])};
    cdg_distance distance = cdg_obstacle_distance(o, pose, middle);
    double half = 0.5 * (fabs(distance.normal.x) * (box->high[0] - box->low[0]) +
                         fabs(distance.normal.y) * (box->high[1] - box->low[1]) +
                         fabs(distance.normal.z) * (box->high[2] - box->low[2]));
    return distance.value > half;
}

static bool turns(const cdg_pose pose[2]) {
    cdg_quat a = pose[0].orientation, b = pose[1].orientation;
    return a.w != b.w || a.x != b.x || a.y != b.y || a.z != b.z;
}

static bool is_clear_of(const cdg_obstacle *o, const cdg_contact_input *input, const cdg_box *boxes, size_t count) {
    cdg_pose pose[2] = {cdg_obstacle_pose(o, input->time - input->step), cdg_obstacle_pose(o, input->time)};
    bool is_plane = o->def.shape.kind == CDG_SHAPE_PLANE;
    if (is_plane && turns(pose)) return false;
    cdg_box swept = cdg_obstacle_swept_box(o, &pose[0], &pose[1]);
    for (size_t i = 0; i < count; i++)
        if (is_plane ? !is_above_plane(o, &pose[0], &boxes[i]) || !is_above_plane(o, &pose[1], &boxes[i])
                     : cdg_boxes_overlap(&swept, &boxes[i]))
            return false;
    return true;
}

static bool is_clear_of_all(const cdg_contact_input *input, const cdg_box *boxes, size_t count) {
    for (size_t o = 0; o < input->obstacle_count; o++)
        if (!is_clear_of(&input->obstacles[o], input, boxes, count)) return false;
    return true;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool note_pair(const void *user, uint32_t a, uint32_t b) {
    (void)a, (void)b;
    *(bool *)(uintptr_t)user = true;
    return false;
}

static bool do_objects_meet(cdg_box_finder *finder, const cdg_box *boxes, size_t count) {
    if (count > OBJECTS_FEW) {
        bool is_any = false;
        return cdg_box_finder_find(finder, boxes, count, note_pair, &is_any, NULL) != CDG_OK || is_any;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (cdg_boxes_overlap(&boxes[i], &boxes[k])) return true;
    return false;
}

static bool is_nothing_near(cdg_contacts *c, const cdg_contact_input *input) {
    const cdg_pieces *p = &c->pieces;
    size_t count = 0;
    for (size_t i = 0; i < p->object_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        if (proxy->object == NULL) continue;
        double reach = c->idle.objects[i].reach, share = c->idle.objects[i].share;
        cdg_box whole = swept_box(proxy, 0, proxy->segment_count, reach);
        bool is_straight = !proxy->is_closed && goes_along(proxy, 0, proxy->segment_count, share);
        bool is_clear = is_clear_of_all(input, &whole, 1);
        if (!is_straight || !is_clear) {
            blocks b;
            find_blocks(proxy, reach, &b);
            if (!is_straight && !is_apart_from_itself(proxy, share, &b)) return false;
            if (!is_clear && !is_clear_of_all(input, b.boxes, b.count)) return false;
        }
        c->boxes[count++] = whole; // an object has at least one element, so there is room
    }
    return !do_objects_meet(&c->finder, c->boxes, count);
}

static bool has_bodies(const cdg_contacts *c) {
    for (size_t i = 0; i < c->body_count; i++)
        if (c->bodies[i].shape != NULL) return true;
    return false;
}

bool cdg_contacts_are_idle(cdg_contacts *c, const cdg_contact_input *input) {
    if (c->kept_count > 0 || !c->is_known_free || has_bodies(c) || c->pieces.surfaces.count > 0) return false;
    if (c->idle.waiting > 0) {
        c->idle.waiting--;
        return false;
    }
    if (is_nothing_near(c, input)) {
        c->idle.wait = 0;
        return true;
    }
    c->idle.wait = c->idle.wait == 0 ? WAIT_FIRST : c->idle.wait < WAIT_MAX ? 2 * c->idle.wait : WAIT_MAX;
    c->idle.waiting = c->idle.wait;
    return false;
}
