// Which contacts a solve among explicit surfaces is about. Surfaces that lie on each other have hundreds of pairs at
// the same distance, of which a few carry what there is to carry; the others say nothing that these do not. So those
// that pushed before are solved for, and those that lie below their target with these forces. Should the forces that
// are found bring others to lie deep, these are added.
#include "contact/contacts.h"

#include "math/vec3.h"

#include <string.h>

// Of the radius: what lies deeper than this under the forces that were found is solved for, too.
static const double pressed_share = 1e-4;

static bool may_be_left_out(const cdg_contact *contact) {
    if (vec3_dot(contact->force, contact->force) > 0 || !contact_side_is_surface(&contact->side[0])) return false;
    return contact_side_is_surface(&contact->side[1]) || contact->side[1].kind == CDG_SIDE_OBSTACLE;
}

static void push(const cdg_pieces *p, const cdg_contact *contact, int i) {
    if (!contact_side_is_surface(&contact->side[i])) return;
    uint32_t point[3];
    const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
    cdg_surface_points(p, &contact->side[i], point, NULL);
    for (int k = 0; k < 3; k++)
        if (point[k] != CDG_STILL_POINT)
            p->force[point[k]] = vec3_mad(p->force[point[k]], i == 0 ? w[k] : -w[k], contact->force);
}

// How far forces of the contacts as they are now move a side, beyond the candidate.
static cdg_vec3 move_of(const cdg_pieces *p, const cdg_contact *contact, int i) {
    cdg_vec3 sum = {0, 0, 0};
    if (!contact_side_is_surface(&contact->side[i])) return sum;
    uint32_t point[3];
    const double w[3] = {contact->point[i].x, contact->point[i].y, contact->point[i].z};
    cdg_surface_points(p, &contact->side[i], point, NULL);
    for (int k = 0; k < 3; k++) {
        if (point[k] == CDG_STILL_POINT) continue;
        cdg_vec3 change = vec3_sub(p->force[point[k]], p->force_before[point[k]]);
        sum = vec3_mad(sum, w[k] * p->give[point[k]], change);
    }
    return sum;
}

size_t cdg_contacts_choose_touching(const cdg_contacts *c, uint32_t *out) {
    const cdg_pieces *p = &c->pieces;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 2 && vec3_dot(c->list[i].force, c->list[i].force) > 0; k++) push(p, &c->list[i], k);
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        if (may_be_left_out(contact)) {
            cdg_vec3 move = vec3_sub(move_of(p, contact, 0), move_of(p, contact, 1));
            double gap = contact->gap + vec3_dot(contact->normal, move) - contact->target;
            if (gap > 0) continue;
        }
        out[count++] = (uint32_t)i;
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
        if (is_listed) continue;
        cdg_vec3 move = vec3_sub(move_of(p, contact, 0), move_of(p, contact, 1));
        double gap = contact->gap + vec3_dot(contact->normal, move) - contact->target;
        if (gap < -pressed_share * contact->radius) list[all++] = (uint32_t)i;
    }
    return all;
}
