// Which contacts a solve among explicit surfaces is about. Surfaces that lie on each other have hundreds of pairs at
// the same distance, of which a few carry what there is to carry; the others say nothing that these do not. So those
// that pushed before are solved for, and those that lie below their target with these forces. Should the forces that
// are found bring others to lie deep, these are added.
#include "contact/contacts.h"

#include "base/parallel.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// What is farther than this below its target under the forces that were found is solved for, too: of the radius, and of
// the gap that is aimed at.
static const double pressed_share = 1e-4, pressed_gap_share = 0.5;

static bool may_be_left_out(const cdg_contact *contact) {
    if (vec3_dot(contact->force, contact->force) > 0 || !contact_side_is_surface(&contact->side[0])) return false;
    return contact_side_is_surface(&contact->side[1]) || contact->side[1].kind == CDG_SIDE_OBSTACLE;
}

static void put_weights(const cdg_contact *contact, const cdg_kept_pair *pair, cdg_gap_change *out) {
    const double w[2][3] = {{contact->point[0].x, contact->point[0].y, contact->point[0].z},
                            {contact->point[1].x, contact->point[1].y, contact->point[1].z}};
    int first = !pair->has_points ? 3 : pair->is_edges ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        out->point[k] = pair->point[k];
        out->weight[k] = k < first ? w[0][k] : pair->has_points ? -w[1][k - first] : 0;
    }
}

static cdg_gap_change touch_of(const cdg_contacts *c, const cdg_contact *contact) {
    cdg_gap_change out = {.normal = contact->normal,
                          .missing = contact->gap - contact->target,
                          .least = -fmax(pressed_share * contact->radius, pressed_gap_share * contact->target),
                          .is_left_out = may_be_left_out(contact)};
    if (contact_is_wide(contact)) put_weights(contact, &c->surface_near.pairs[contact->pair], &out);
    return out;
}

// Contacts that a thread takes at once; as many lots are worth a second one.
enum { CONTACTS_AT_ONCE = 128, LOTS_WORTH = 4 };

static void make_some_touches(void *user, size_t index, int thread) {
    const cdg_contacts *c = user;
    (void)thread;
    for (size_t i = CONTACTS_AT_ONCE * index; i < CONTACTS_AT_ONCE * (index + 1) && i < c->count; i++)
        c->touches[i] = touch_of(c, &c->list[i]);
}

static bool make_touches(cdg_contacts *c) {
    if (c->count > c->touch_capacity) {
        size_t capacity = c->count + c->count / 2;
        cdg_gap_change *grown = realloc(c->touches, capacity * sizeof *grown);
        if (grown == NULL) return false;
        c->touches = grown, c->touch_capacity = capacity;
    }
    size_t lots = (c->count + CONTACTS_AT_ONCE - 1) / CONTACTS_AT_ONCE;
    cdg_parallel_for(lots, lots >= LOTS_WORTH ? c->threads : 1, make_some_touches, c);
    return true;
}

static void push(const cdg_pieces *p, const cdg_gap_change *touch, cdg_vec3 force) {
    for (int k = 0; k < 4; k++) {
        cdg_vec3 *sum = &p->force[touch->point[k]];
        *sum = vec3_mad(*sum, touch->weight[k], force);
    }
}

// The gap above the target with the moves that points have.
static double missing_with_moves(const cdg_pieces *p, const cdg_gap_change *touch) {
    cdg_vec3 move = vec3_scale(touch->weight[0], p->move[touch->point[0]]);
    for (int k = 1; k < 4; k++) move = vec3_mad(move, touch->weight[k], p->move[touch->point[k]]);
    return touch->missing + vec3_dot(touch->normal, move);
}

size_t cdg_contacts_choose_touching(cdg_contacts *c, uint32_t *out) {
    const cdg_pieces *p = &c->pieces;
    if (!make_touches(c)) return SIZE_MAX;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    for (size_t i = 0; i < c->count; i++)
        if (contact_spots_have(&c->spots, i) && contact_is_wide(&c->list[i]) &&
            vec3_dot(c->list[i].force, c->list[i].force) > 0)
            push(p, &c->touches[i], c->list[i].force);
    p->force[CDG_STILL_POINT] = vec3(0, 0, 0);
    for (size_t k = 0; k < p->point_count; k++)
        p->move[k] = vec3_scale(p->give[k], vec3_sub(p->force[k], p->force_before[k]));
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!contact_spots_have(&c->spots, i)) continue;
        if (!c->touches[i].is_left_out || !(missing_with_moves(p, &c->touches[i]) > 0)) out[count++] = (uint32_t)i;
    }
    return count;
}

size_t cdg_contacts_choose_pressed(const cdg_contacts *c, uint32_t *list, size_t count) {
    const cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < count; i++) c->list[list[i]].is_left_out = true;
    size_t all = count;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact *contact = &c->list[i];
        bool is_listed = contact->is_left_out;
        contact->is_left_out = false;
        if (!is_listed && contact_spots_have(&c->spots, i) &&
            missing_with_moves(p, &c->touches[i]) < c->touches[i].least)
            list[all++] = (uint32_t)i;
    }
    return all;
}
