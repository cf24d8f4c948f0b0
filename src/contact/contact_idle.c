// Whether no contact is possible in a step because everything is still within the rooms that the last search found
// (contact_rooms.h): one pass over the chains' nodes.
//
// The check compares positions in this step with those at the search and needs no news of what happens between steps:
// states may be loaded, supports and obstacles may jump, and steps may be repeated or divided. Changes that positions
// do not show (numbers of elements, radii, joints, which shapes there are) need a new build or numbering, which
// forgets the search.
#include "contact/contact_idle.h"

#include "base/arena.h"
#include "contact/contacts.h"
#include "contact/shape_motion.h"
#include "geometry/chain_moves.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Steps without a new look after something was near: the first number, doubled each time up to the second.
enum { WAIT_FIRST = 4, WAIT_MAX = 32 };
// Pairs of blocks that have rooms of their own: some, and one for so many elements.
enum { PAIRS_LEAST = 128, PAIRS_ONE_IN = 4 };
// Of the radius: copies of a joint's point are no farther apart.
static const double joined_share = 1e-3;

// ---- memory ---------------------------------------------------------------------------------------------------------

// Carves all arrays; with `memory` NULL it only counts.
static size_t carve(cdg_idle *idle, const cdg_pieces *p, void *memory) {
    size_t used = 0, nodes = p->point_capacity + 1, elements = p->element_capacity + 1, objects = p->object_count + 1;
#define PIECE(member, count)                                                                                           \
    do {                                                                                                               \
        idle->member = memory != NULL ? (void *)((char *)memory + used) : NULL;                                        \
        used += arena_size((count) * sizeof *idle->member);                                                            \
    } while (0)
    for (int k = 0; k < 3; k++) PIECE(at[k], nodes);
    PIECE(length, elements);
    PIECE(share, objects);
    PIECE(rooms.own, objects);
    PIECE(rooms.pairs, idle->rooms.pair_capacity);
    PIECE(boxes, objects);
    PIECE(moves, elements);
    PIECE(elements, elements);
    PIECE(blocks, elements);
    PIECE(block_of, elements);
    PIECE(first_block, objects);
#undef PIECE
    return used;
}

bool cdg_idle_build(cdg_idle *idle, const cdg_pieces *p) {
    cdg_idle_free(idle);
    idle->rooms.pair_capacity = PAIRS_LEAST + p->element_capacity / PAIRS_ONE_IN;
    idle->memory = aligned_alloc(64, carve(idle, p, NULL));
    if (idle->memory == NULL) return false;
    carve(idle, p, idle->memory);
    cdg_idle_renumber(idle, p);
    return true;
}

void cdg_idle_free(cdg_idle *idle) {
    free(idle->memory);
    *idle = (cdg_idle){0};
}

void cdg_idle_renumber(cdg_idle *idle, const cdg_pieces *p) {
    uint32_t count = 0;
    cdg_idle_forget(idle);
    for (uint32_t i = 0; i < p->chain_count; i++) {
        idle->first_block[i] = count;
        if (p->objects[i].object == NULL) continue;
        idle->share[i] = cdg_rooms_along(p, i);
        count += (uint32_t)cdg_rooms_divide(p, i, idle->blocks + count);
        for (uint32_t b = idle->first_block[i]; b < count; b++)
            for (uint32_t e = idle->blocks[b].first; e < idle->blocks[b].end; e++)
                idle->block_of[p->first_element[i] + e] = b;
    }
    idle->first_block[p->chain_count] = count;
}

void cdg_idle_forget(cdg_idle *idle) { idle->is_known = false; }

// ---- how far things have moved --------------------------------------------------------------------------------------

static const cdg_box no_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

// How far any two of the moves that two boxes hold differ at most; 0 where one holds none.
static double differ(const cdg_box *a, const cdg_box *b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double one = a->high[k] - b->low[k], other = b->high[k] - a->low[k], most = one > other ? one : other;
        if (most <= 0) continue;
        sum += most * most;
    }
    return sqrt(sum);
}

static void grow(cdg_box *box, const cdg_box *other) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
        box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
    }
}

// The last edge of a closed chain, which goes back to the first node.
static bool measure_seam(const cdg_idle *idle, const cdg_pieces *p, size_t object, cdg_box *box) {
    const cdg_proxy *proxy = &p->objects[object];
    size_t last = proxy->point_count - 1, at = p->first_node[object];
    double from[3][2], to[3][2], once[3][2];
    chain_moves moves = {.length = idle->length + p->first_element[object] + last, .node_count = 2};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            size_t node = i == 0 ? last : 0;
            from[k][i] = proxy->now[k][node], to[k][i] = proxy->next[k][node], once[k][i] = idle->at[k][at + node];
        }
        moves.from[k] = from[k], moves.to[k] = to[k], moves.at[k] = once[k];
    }
    return chain_moves_choose()->measure(&moves, idle->rooms.bend, box->low, box->high);
}

// The box of all moves of the points of elements first to end - 1; false: they bend by more than there is room for.
static bool measure_stretch(const cdg_idle *idle, const cdg_pieces *p, const cdg_room_block *s, cdg_box *box) {
    const cdg_proxy *proxy = &p->objects[s->object];
    bool has_seam = proxy->is_closed && s->end == proxy->segment_count;
    chain_moves moves = {.length = idle->length + p->first_element[s->object] + s->first,
                         .node_count = s->end - s->first + !has_seam};
    for (int k = 0; k < 3; k++) {
        moves.from[k] = proxy->now[k] + s->first, moves.to[k] = proxy->next[k] + s->first;
        moves.at[k] = idle->at[k] + p->first_node[s->object] + s->first;
    }
    *box = no_box;
    if (!chain_moves_choose()->measure(&moves, idle->rooms.bend, box->low, box->high)) return false;
    return !has_seam || measure_seam(idle, p, s->object, box);
}

// Block by block where pairs of them have rooms of their own.
static bool measure_chain(const cdg_idle *idle, const cdg_pieces *p, uint32_t object, cdg_box *box) {
    cdg_room_block whole = {object, 0, (uint32_t)p->objects[object].segment_count};
    uint32_t first = idle->first_block[object], end = idle->first_block[object + 1];
    if (idle->rooms.pair_count == 0) return measure_stretch(idle, p, &whole, box);
    *box = no_box;
    for (uint32_t b = first; b < end; b++) {
        if (!measure_stretch(idle, p, &idle->blocks[b], &idle->moves[b])) return false;
        grow(box, &idle->moves[b]);
    }
    return true;
}

static bool pairs_have_room(const cdg_idle *idle) {
    for (size_t i = 0; i < idle->rooms.pair_count; i++) {
        const cdg_room_pair *pair = &idle->rooms.pairs[i];
        if (!(differ(&idle->moves[pair->a], &idle->moves[pair->b]) <= pair->room)) return false;
    }
    return true;
}

// The way along chains goes through joints.
static bool are_joined(const cdg_pieces *p) {
    for (size_t j = 0; j < p->joint_count; j++) {
        const cdg_proxy_member *members = &p->members[p->joints[j].first];
        for (size_t m = 1; m < p->joints[j].count; m++) {
            const cdg_proxy *a = &p->objects[members[0].object], *b = &p->objects[members[m].object];
            size_t i = members[0].point, n = members[m].point;
            double most = joined_share * a->radius[i * a->radius_stride];
            for (int k = 0; k < 3; k++)
                if (!(fabs(a->now[k][i] - b->now[k][n]) <= most && fabs(a->next[k][i] - b->next[k][n]) <= most))
                    return false;
        }
    }
    return true;
}

static bool chains_have_room(const cdg_idle *idle, const cdg_pieces *p, cdg_box *all) {
    *all = no_box;
    for (uint32_t i = 0; i < p->chain_count; i++) {
        cdg_box own;
        if (p->objects[i].object == NULL) continue;
        if (!measure_chain(idle, p, i, &own) || !(differ(&own, &own) <= idle->rooms.own[i])) return false;
        grow(all, &own);
    }
    return differ(all, all) <= idle->rooms.chains && pairs_have_room(idle) && are_joined(p);
}

// Start and end of the step.
static void poses_of(const cdg_contact_shape *it, const cdg_contact_input *input, cdg_pose pose[2]) {
    if (it->body != NULL) {
        pose[0] = cdg_body_piece_start(it->body);
        pose[1] = cdg_body_piece_predicted(it->body);
    } else if (it->form->def.motion_count == 0) {
        pose[0] = pose[1] = (cdg_pose){it->form->def.shape.position, it->form->def.shape.orientation};
    } else {
        pose[0] = cdg_obstacle_pose(it->form, input->time - input->step);
        pose[1] = cdg_obstacle_pose(it->form, input->time);
    }
}

static bool is_same(cdg_quat a, cdg_quat b) { return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z; }

// m: how far a turn from one orientation to another moves a point of the shape, by 2 sin(angle/2) of its distance from
// the axis; on the way, it leaves the chord by 1 - cos(angle/2) of it. What has no end must not turn.
static double turned(const cdg_obstacle *o, cdg_quat from, cdg_quat to, bool is_on_way) {
    if (is_same(from, to)) return 0;
    cdg_quat turn = quat_relative(from, to);
    double size = vec3_norm(o->middle) + o->reach;
    return size * (is_on_way ? 1 - fmin(1, fabs(turn.w)) : 2 * vec3_norm(quat_imaginary(turn)));
}

// False: it may be anywhere.
static bool grow_by_shape(cdg_box *box, const cdg_obstacle *o, const cdg_pose *stood, const cdg_pose pose[2]) {
    double bulge = turned(o, pose[0].orientation, pose[1].orientation, true);
    for (int i = 0; i < 2; i++) {
        double more = turned(o, stood->orientation, pose[i].orientation, false) + bulge;
        cdg_vec3 move = vec3_sub(pose[i].position, stood->position);
        if (!vec3_is_finite(move) || !(more < HUGE_VAL)) return false;
        cdg_box own = {{move.x - more, move.y - more, move.z - more}, {move.x + more, move.y + more, move.z + more}};
        grow(box, &own);
    }
    return true;
}

static bool shapes_have_room(const cdg_contacts *c, const cdg_contact_input *input, const cdg_box *chains) {
    cdg_box all = no_box;
    size_t count = cdg_contact_shape_count(c, input);
    for (size_t i = 0; i < count; i++) {
        cdg_contact_shape it = cdg_contact_shape_at(c, input, i);
        if (it.form == NULL) continue;
        cdg_pose pose[2];
        poses_of(&it, input, pose);
        if (!grow_by_shape(&all, it.form, &c->stood[i], pose)) return false;
    }
    return differ(&all, &all) <= c->idle.rooms.bodies && differ(&all, chains) <= c->idle.rooms.shapes;
}

static bool have_room(const cdg_contacts *c, const cdg_contact_input *input) {
    cdg_box chains;
    return c->idle.is_known && chains_have_room(&c->idle, &c->pieces, &chains) && shapes_have_room(c, input, &chains);
}

// ---- a look ---------------------------------------------------------------------------------------------------------

// m: by how much the moves of the chains' points differ in the step. Ends and middles stand for all of them.
static double way_of(const cdg_pieces *p) {
    cdg_box box = no_box;
    for (size_t i = 0; i < p->chain_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        size_t nodes[3] = {0, proxy->point_count / 2, proxy->point_count - 1};
        for (int n = 0; n < 3 && proxy->object != NULL; n++) {
            cdg_box move;
            for (int k = 0; k < 3; k++) move.low[k] = move.high[k] = proxy->next[k][nodes[n]] - proxy->now[k][nodes[n]];
            grow(&box, &move);
        }
    }
    return differ(&box, &box);
}

// Where everything would be at the end of the step.
static void stand(cdg_contacts *c, const cdg_contact_input *input) {
    const cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < p->chain_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        if (proxy->object == NULL) continue;
        for (int k = 0; k < 3; k++)
            memcpy(c->idle.at[k] + p->first_node[i], proxy->next[k], proxy->point_count * sizeof(double));
        memcpy(c->idle.length + p->first_element[i], proxy->rest_length, proxy->segment_count * sizeof(double));
    }
    for (size_t i = 0; i < cdg_contact_shape_count(c, input); i++) {
        cdg_contact_shape it = cdg_contact_shape_at(c, input, i);
        cdg_pose pose[2];
        if (it.form == NULL) continue;
        poses_of(&it, input, pose);
        c->stood[i] = pose[1];
    }
}

bool cdg_contacts_are_idle(cdg_contacts *c, const cdg_contact_input *input) {
    cdg_idle *idle = &c->idle;
    bool may_be = c->kept_count == 0 && c->is_known_free && c->pieces.surfaces.count == 0;
    if (may_be && idle->waiting == 0 && have_room(c, input)) return true;
    idle->is_known = false;
    if (!may_be || cdg_contact_shape_count(c, input) > c->shape_capacity) return false;
    if (idle->waiting > 0) {
        idle->waiting--;
        return false;
    }
    stand(c, input);
    idle->is_known = cdg_rooms_find(c, input, way_of(&c->pieces), &idle->rooms);
    if (have_room(c, input)) {
        idle->wait = 0;
        return true;
    }
    idle->is_known = false;
    idle->wait = idle->wait == 0 ? WAIT_FIRST : idle->wait < WAIT_MAX ? 2 * idle->wait : WAIT_MAX;
    idle->waiting = idle->wait;
    return false;
}
