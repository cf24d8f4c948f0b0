// Which contacts are settled before the rounds of a step are over. Rounds go on for what few contacts lack, while most
// of a heap is as it should be: objects on which nothing is off any more keep their forces to the last bit, are not
// predicted again, and their contacts with each other are left out of the solve. A contact with an object on which
// something is off is solved for, so that what changes there is passed on.
#include "contact/contacts.h"

#include "math/vec3.h"

#include <math.h>

// Of the radius: how far the law of friction does not hold, where a contact's own force moves it by `give`.
static double slip_off(const cdg_contact_row *row, double give, double radius) {
    double most = row->friction * row->force[0], to[2];
    for (int k = 0; k < 2; k++) to[k] = row->force[1 + k] - row->offset[1 + k] / give;
    contact_clip(to, most);
    return give * hypot(to[0] - row->force[1], to[1] - row->force[2]) / radius;
}

static bool is_off(const cdg_contacts *c, size_t i, double slip_share) {
    const cdg_contact *contact = &c->list[i];
    const cdg_contact_row *row = &c->rows[i];
    if (contact->is_off) return true;
    if (vec3_dot(contact->force, contact->force) == 0) return false;
    const double *answer = c->rows_before[contact->row].answer;
    double give = 0.5 * (answer[3] + answer[5]);
    return !(answer[0] > 0) || (row->friction > 0 && !(give > 0 && slip_off(row, give, contact->radius) <= slip_share));
}

// Implicit surfaces that are solved alone: others feel each other beyond their contacts.
static bool may_settle(const cdg_contacts *c, uint32_t object) {
    const cdg_proxy *proxy = &c->pieces.objects[object];
    return proxy->is_implicit && proxy_is_surface(proxy) && c->coupling.objects[object].is_alone;
}

static bool is_open(const cdg_contacts *c, const cdg_contact_side *side) {
    uint32_t object = contact_object(&c->pieces, side);
    return object != UINT32_MAX ? c->coupling.objects[object].is_open : side->kind == CDG_SIDE_BODY;
}

void cdg_contacts_settle(cdg_contacts *c, double slip_share) {
    for (uint32_t o = 0; o < c->pieces.object_count; o++) c->coupling.objects[o].is_open = !may_settle(c, o);
    for (size_t i = 0; i < c->count; i++) {
        bool off = is_off(c, i, slip_share);
        for (int k = 0; k < 2; k++) {
            uint32_t object = contact_object(&c->pieces, &c->list[i].side[k]);
            if (off && object != UINT32_MAX) c->coupling.objects[object].is_open = true;
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *contact = &c->list[i];
        if (is_open(c, &contact->side[0]) || is_open(c, &contact->side[1])) continue;
        if (vec3_dot(contact->force, contact->force) > 0) c->rows[i] = c->rows_before[contact->row];
        c->rows[i].is_settled = true;
    }
}
