// Contacts that are not good yet, and what they are connected with by common points (contact_spots.h).
#include "contact/contact_spots.h"

#include "contact/contacts.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// Of the radius: what lies deeper is solved for again.
static const double good_share = 2.5e-4;
// Before this round nearest places are taken as they are; later ones, which damp them, are about everything.
enum { ROUNDS_SPOTS = 8 };

void cdg_contact_spots_free(cdg_contact_spots *it) {
    free(it->has_point);
    free(it->has);
    free(it->point);
    *it = (cdg_contact_spots){0};
}

static bool reserve(cdg_contact_spots *it, size_t points, size_t contacts) {
    if (points > it->point_capacity) {
        bool *grown = realloc(it->has_point, points * sizeof *grown);
        if (grown == NULL) return false;
        it->has_point = grown, it->point_capacity = points;
    }
    if (contacts <= it->capacity) return true;
    size_t capacity = contacts + contacts / 2;
    bool *has = realloc(it->has, capacity * sizeof *has);
    if (has != NULL) it->has = has;
    uint32_t(*point)[6] = realloc(it->point, capacity * sizeof *point);
    if (point != NULL) it->point = point;
    if (has == NULL || point == NULL) return false;
    it->capacity = capacity;
    return true;
}

static bool is_good(const cdg_contact *contact) {
    if (contact->crosses || (contact->is_impact && contact->gap < 0)) return false;
    return contact->clearance >= -good_share * contact->radius;
}

static bool pushes(const cdg_contact *contact) { return vec3_dot(contact->force, contact->force) > 0; }

static bool has_common_point(const cdg_contact_spots *it, size_t contact) {
    for (int k = 0; k < 6; k++)
        if (it->point[contact][k] != CDG_STILL_POINT && it->has_point[it->point[contact][k]]) return true;
    return false;
}

static void take_points(cdg_contact_spots *it, size_t contact) {
    for (int k = 0; k < 6; k++)
        if (it->point[contact][k] != CDG_STILL_POINT) it->has_point[it->point[contact][k]] = true;
}

static void take(cdg_contact_spots *it, size_t contact) {
    it->has[contact] = true;
    take_points(it, contact);
}

// All that push on a common point, and what these push on.
static void spread(cdg_contacts *c) {
    cdg_contact_spots *it = &c->spots;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (size_t i = 0; i < c->count; i++) {
            if (it->has[i] || !pushes(&c->list[i]) || !has_common_point(it, i)) continue;
            take(it, i);
            is_more = true;
        }
    }
}

// Contacts of the round before that have ended: their forces are taken from both sides, or momentum would be lost.
static void take_lost(cdg_contacts *c) {
    for (size_t i = 0, k = 0; i < c->before_count; i++) {
        const cdg_contact *lost = &c->before[i];
        while (k < c->count && contact_compare_sides(c->list[k].side, lost->side) < 0) k++;
        bool is_there = k < c->count && contact_compare_sides(c->list[k].side, lost->side) == 0;
        if (is_there || !pushes(lost)) continue;
        uint32_t point[6] = {CDG_STILL_POINT};
        cdg_surface_points(&c->pieces, &lost->side[0], point, NULL);
        if (contact_side_is_surface(&lost->side[1])) cdg_surface_points(&c->pieces, &lost->side[1], point + 3, NULL);
        for (int m = 0; m < 6; m++)
            if (point[m] != CDG_STILL_POINT) c->spots.has_point[point[m]] = c->spots.is_partial = true;
    }
}

static bool may_be_partial(const cdg_contacts *c) {
    return contacts_are_plain(c) && c->pieces.element_count == 0 && c->is_solved && !c->is_moved && !c->is_stuck &&
           c->round < ROUNDS_SPOTS;
}

bool cdg_contact_spots_choose(cdg_contacts *c) {
    cdg_contact_spots *it = &c->spots;
    const cdg_pieces *p = &c->pieces;
    it->is_partial = it->is_by_object = false;
    if (!may_be_partial(c)) return true;
    if (!reserve(it, p->point_capacity, c->count)) return false;
    memset(it->has_point, 0, p->point_count * sizeof *it->has_point);
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        memset(it->point[i], 0, sizeof it->point[i]);
        cdg_surface_points(p, &contact->side[0], it->point[i], NULL);
        if (contact_side_is_surface(&contact->side[1]))
            cdg_surface_points(p, &contact->side[1], it->point[i] + 3, NULL);
        it->has[i] = !is_good(contact);
        it->is_partial = it->is_partial || it->has[i];
    }
    for (size_t i = 0; i < c->count; i++)
        if (it->has[i]) take_points(it, i);
    take_lost(c);
    spread(c);
    // What lies beside them, too, though it does not push.
    for (size_t i = 0; i < c->count; i++) it->has[i] = it->has[i] || has_common_point(it, i);
    for (size_t i = 0; i < c->count; i++)
        if (it->has[i]) take_points(it, i);
    spread(c);
    return true;
}

bool cdg_contact_spots_take_changed(cdg_contacts *c) {
    cdg_contact_spots *it = &c->spots;
    const cdg_pieces *p = &c->pieces;
    it->is_partial = it->is_by_object = false;
    if (!contacts_are_of_solids(c) || !c->is_solved || c->is_stuck) return true;
    if (!reserve(it, p->point_capacity, 0)) return false;
    it->is_partial = it->is_by_object = true;
    for (uint32_t o = 0; o < p->object_count; o++) {
        cdg_coupled *coupled = &c->coupling.objects[o];
        bool is_new = coupled->is_new || coupled->is_open;
        for (uint32_t n = p->first_node[o]; n < p->first_node[o + 1]; n++) it->has_point[p->point_of[n]] = is_new;
        coupled->is_new = false;
    }
    it->has_point[CDG_STILL_POINT] = false;
    return true;
}
