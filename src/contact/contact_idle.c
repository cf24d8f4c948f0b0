// Whether nothing can come near anything in a step, told from a few bounds in one pass over the rods' nodes.
//
// A rod whose edges all go along one axis by a share of their rest length keeps elements that are apart along it apart
// in space, at all times of the step, because edges move linearly in time. Curved rods are looked at in blocks: two
// blocks that follow each other have an axis of their own, others must have boxes that do not meet.
#include "contact/contact_idle.h"

#include "contact/contacts.h"
#include "geometry/swept_bounds.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 48, BLOCK_ELEMENTS = 2, BLOCKS_LEAST_CLOSED = 4, RODS_FEW = 24 };
// Blocks are no shorter than this many reaches: else those beside the next would meet on a straight rod.
static const double block_reaches = 4;
// Steps for which nobody looks again, once something was near: the first number, doubled up to the second.
enum { WAIT_FIRST = 4, WAIT_MAX = 32 };
// Boxes are no smaller than those of contact_find.c.
static const double reach_share = 1.3;
// Elements that are no neighbours are pi mean radii apart along the rod (pieces.h), and near within 1.05 of the sum of
// their largest: 2/pi times 1.05 of the rest length, where radii at an element's ends are alike, and a little more.
static const double along_share = 0.7, along_most = 0.95;

// ---- what does not change -------------------------------------------------------------------------------------------

static cdg_idle_rod describe(const cdg_pieces *p, size_t place) {
    double largest = 0, uneven = 1;
    for (uint32_t e = p->first_element[place]; e < p->first_element[place + 1]; e++) {
        double radius = pieces_largest_radius(p, e), mean = 0.5 * (p->radius[e][0] + p->radius[e][1]);
        largest = fmax(largest, radius);
        uneven = fmax(uneven, radius / mean);
    }
    return (cdg_idle_rod){.reach = reach_share * largest, .share = along_share * uneven};
}

bool cdg_idle_build(cdg_idle *idle, const cdg_pieces *pieces) {
    cdg_idle_free(idle);
    idle->rods = calloc(pieces->rod_count + 1, sizeof *idle->rods);
    if (idle->rods == NULL) return false;
    for (size_t i = 0; i < pieces->rod_count; i++)
        if (pieces->rods[i] != NULL) idle->rods[i] = describe(pieces, i);
    return true;
}

void cdg_idle_free(cdg_idle *idle) {
    free(idle->rods);
    *idle = (cdg_idle){0};
}

// ---- one rod --------------------------------------------------------------------------------------------------------

typedef struct blocks {
    size_t count;
    cdg_box boxes[BLOCKS_MAX];
} blocks;

static swept_chain chain_of(const cdg_rod *rod, size_t first_element, size_t end_element) {
    swept_chain chain = {.rest_length = rod->rest_length, .first = first_element, .end = end_element + 1};
    if (chain.end > rod->node_count) chain.end = rod->node_count; // a closed rod: its last edge is looked at alone
    for (int k = 0; k < 3; k++) chain.from[k] = rod->x[k], chain.to[k] = rod->x_next[k];
    return chain;
}

static size_t block_start(const cdg_rod *rod, size_t count, size_t block) { return rod->element_count * block / count; }

static bool last_edge_goes_along(const cdg_rod *rod, const double axis[3], double share) {
    size_t last = rod->node_count - 1;
    double from = 0, to = 0, wanted = share * rod->rest_length[last];
    for (int k = 0; k < 3; k++) {
        from += axis[k] * (rod->x[k][0] - rod->x[k][last]);
        to += axis[k] * (rod->x_next[k][0] - rod->x_next[k][last]);
    }
    return from >= wanted && to >= wanted;
}

// Whether elements first to end - 1 go along; a closed rod's may go on past its seam, in a second part.
static bool goes_along(const cdg_rod *rod, size_t first, size_t end, double share) {
    size_t count = rod->element_count, end_node = end < rod->node_count ? end : end - rod->node_count;
    if (!rod->is_closed) end_node = end;
    cdg_vec3 chord = vec3_sub(rod_vec3(rod->x, end_node), rod_vec3(rod->x, first));
    double length = vec3_norm(chord);
    if (!(length > 0) || !(share < along_most)) return false;
    const double axis[3] = {chord.x / length, chord.y / length, chord.z / length};
    const swept_kernels *kernels = swept_kernels_choose();
    size_t here = end < count ? end : count;
    swept_chain chain = chain_of(rod, first, here);
    if (!kernels->goes_along(&chain, axis, share)) return false;
    if (rod->is_closed && end >= count && !last_edge_goes_along(rod, axis, share)) return false;
    if (end <= count) return true;
    chain = chain_of(rod, 0, end - count);
    return kernels->goes_along(&chain, axis, share);
}

static bool do_blocks_meet(const cdg_rod *rod, const blocks *b) {
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = i + 2; k < b->count; k++)
            if (!(rod->is_closed && i == 0 && k + 1 == b->count) && cdg_boxes_overlap(&b->boxes[i], &b->boxes[k]))
                return true;
    return false;
}

static bool is_apart_from_itself(const cdg_rod *rod, double share, const blocks *b) {
    if (b->count < (rod->is_closed ? BLOCKS_LEAST_CLOSED : 2)) return false;
    if (do_blocks_meet(rod, b)) return false;
    size_t windows = rod->is_closed ? b->count : b->count - 1;
    for (size_t w = 0; w < windows; w++) {
        size_t end = w + 2 <= b->count ? block_start(rod, b->count, w + 2)
                                       : rod->element_count + block_start(rod, b->count, w + 2 - b->count);
        if (!goes_along(rod, block_start(rod, b->count, w), end, share)) return false;
    }
    return true;
}

static cdg_box swept_box(const cdg_rod *rod, size_t first, size_t end, double reach) {
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    swept_chain chain = chain_of(rod, first, end);
    swept_kernels_choose()->grow_box(&chain, box.low, box.high);
    if (rod->is_closed && end == rod->element_count) {
        chain = chain_of(rod, 0, 0); // the last edge ends at the first node
        swept_kernels_choose()->grow_box(&chain, box.low, box.high);
    }
    for (int k = 0; k < 3; k++) box.low[k] -= reach, box.high[k] += reach;
    return box;
}

static void find_blocks(const cdg_rod *rod, double reach, blocks *out) {
    double most = floor((double)rod->element_count / BLOCK_ELEMENTS);
    double count = fmin(fmin(BLOCKS_MAX, most), floor(rod->length / (block_reaches * reach)));
    out->count = count < 1 ? 1 : (size_t)count;
    for (size_t i = 0; i < out->count; i++)
        out->boxes[i] = swept_box(rod, block_start(rod, out->count, i), block_start(rod, out->count, i + 1), reach);
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

static bool is_clear_of(const cdg_obstacle *o, const cdg_contact_place *place, const cdg_box *boxes, size_t count) {
    cdg_pose pose[2] = {cdg_obstacle_pose(o, place->time - place->step), cdg_obstacle_pose(o, place->time)};
    bool is_plane = o->def.kind == CDG_OBSTACLE_PLANE;
    if (is_plane && turns(pose)) return false;
    cdg_box swept = cdg_obstacle_swept_box(o, &pose[0], &pose[1]);
    for (size_t i = 0; i < count; i++)
        if (is_plane ? !is_above_plane(o, &pose[0], &boxes[i]) || !is_above_plane(o, &pose[1], &boxes[i])
                     : cdg_boxes_overlap(&swept, &boxes[i]))
            return false;
    return true;
}

static bool is_clear_of_all(const cdg_contact_place *place, const cdg_box *boxes, size_t count) {
    for (size_t o = 0; o < place->obstacle_count; o++)
        if (!is_clear_of(&place->obstacles[o], place, boxes, count)) return false;
    return true;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool note_pair(const void *user, uint32_t a, uint32_t b) {
    (void)a, (void)b;
    *(bool *)(uintptr_t)user = true;
    return false;
}

static bool do_rods_meet(cdg_box_finder *finder, const cdg_box *boxes, size_t count) {
    if (count > RODS_FEW) {
        bool is_any = false;
        return cdg_box_finder_find(finder, boxes, count, note_pair, &is_any, NULL) != CDG_OK || is_any;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (cdg_boxes_overlap(&boxes[i], &boxes[k])) return true;
    return false;
}

static bool is_nothing_near(cdg_contacts *c, const cdg_contact_place *place) {
    const cdg_pieces *p = &c->pieces;
    size_t count = 0;
    for (size_t i = 0; i < p->rod_count; i++) {
        const cdg_rod *rod = p->rods[i];
        if (rod == NULL) continue;
        double reach = c->idle.rods[i].reach, share = c->idle.rods[i].share;
        cdg_box whole = swept_box(rod, 0, rod->element_count, reach);
        bool is_straight = !rod->is_closed && goes_along(rod, 0, rod->element_count, share);
        bool is_clear = is_clear_of_all(place, &whole, 1);
        if (!is_straight || !is_clear) {
            blocks b;
            find_blocks(rod, reach, &b);
            if (!is_straight && !is_apart_from_itself(rod, share, &b)) return false;
            if (!is_clear && !is_clear_of_all(place, b.boxes, b.count)) return false;
        }
        c->boxes[count++] = whole; // a rod has at least one element, so there is room
    }
    return !do_rods_meet(&c->finder, c->boxes, count);
}

bool cdg_contacts_are_idle(cdg_contacts *c, const cdg_contact_place *place) {
    if (c->kept_count > 0 || !c->is_known_free || c->body_count > 0) return false;
    if (c->idle.waiting > 0) {
        c->idle.waiting--;
        return false;
    }
    if (is_nothing_near(c, place)) {
        c->idle.wait = 0;
        return true;
    }
    c->idle.wait = c->idle.wait == 0 ? WAIT_FIRST : c->idle.wait < WAIT_MAX ? 2 * c->idle.wait : WAIT_MAX;
    c->idle.waiting = c->idle.wait;
    return false;
}
