// Kept contacts of a chain whose segments are halved or made one, or that is cut: they stay at their points on it. And
// those of an object that is removed: they go.
#include "contact/contacts.h"

typedef struct segment_change {
    uint32_t object, segment;
    bool is_halved;
} segment_change;

static void place_side(const segment_change *change, cdg_contact_side *side, double *parameter) {
    if (side->kind != CDG_SIDE_SEGMENT || side->object != change->object || side->primitive < change->segment) return;
    if (change->is_halved) {
        if (side->primitive > change->segment) {
            side->primitive++;
        } else if (*parameter < 0.5) {
            *parameter = 2 * *parameter;
        } else {
            side->primitive++;
            *parameter = 2 * *parameter - 1;
        }
        return;
    }
    if (side->primitive > change->segment + 1) {
        side->primitive--;
    } else {
        *parameter = 0.5 * (*parameter + (side->primitive == change->segment ? 0 : 1));
        side->primitive = change->segment;
    }
}

static void place_all(cdg_contacts *c, segment_change change) {
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2; k++) place_side(&change, &c->kept[i].side[k], &c->kept[i].parameter[k]);
}

void cdg_contacts_halve(cdg_contacts *contacts, uint32_t object, uint32_t segment) {
    place_all(contacts, (segment_change){object, segment, true});
}

void cdg_contacts_join(cdg_contacts *contacts, uint32_t object, uint32_t segment) {
    place_all(contacts, (segment_change){object, segment, false});
}

// Which of two segments is the first side is a matter of their numbers.
static void exchange_sides(cdg_contact *contact) {
    cdg_contact_side side = contact->side[0];
    cdg_vec3 point = contact->point[0];
    cdg_vec3 lasting = contact->lasting[0];
    double parameter = contact->parameter[0];
    contact->side[0] = contact->side[1], contact->side[1] = side;
    contact->point[0] = contact->point[1], contact->point[1] = point;
    contact->parameter[0] = contact->parameter[1], contact->parameter[1] = parameter;
    contact->lasting[0] = contact->lasting[1], contact->lasting[1] = lasting;
    contact->normal = vec3_scale(-1, contact->normal);
    contact->force = vec3_scale(-1, contact->force);
    contact->drift = vec3_scale(-1, contact->drift);
}

void cdg_contacts_cut(cdg_contacts *c, const cdg_segment_cut *cut) {
    for (size_t i = 0; i < c->kept_count; i++) {
        cdg_contact *contact = &c->kept[i];
        cdg_contact_side *a = &contact->side[0], *b = &contact->side[1];
        for (int k = 0; k < 2; k++) {
            cdg_contact_side *side = &contact->side[k];
            if (side->kind != CDG_SIDE_SEGMENT || side->object != cut->object) continue;
            if (cut->second == cut->object) {
                side->primitive = (side->primitive + cut->count - cut->at) % cut->count;
            } else if (side->primitive >= cut->at) {
                side->object = cut->second;
                side->primitive -= cut->at;
            }
        }
        bool are_segments = a->kind == CDG_SIDE_SEGMENT && b->kind == CDG_SIDE_SEGMENT;
        bool is_turned = a->object > b->object || (a->object == b->object && a->primitive > b->primitive);
        if (are_segments && is_turned) exchange_sides(contact);
    }
    cdg_contacts_sort_kept(c);
}

// Two between the same segments become one, where the stronger is, with the force of both.
static void unite(cdg_contact *into, const cdg_contact *other) {
    cdg_vec3 force = vec3_add(into->force, other->force);
    if (vec3_norm(other->force) > vec3_norm(into->force)) *into = *other;
    into->force = force;
}

// Nearly sorted, so by insertion.
void cdg_contacts_sort_kept(cdg_contacts *c) {
    for (size_t i = 1; i < c->kept_count; i++) {
        cdg_contact moved = c->kept[i];
        size_t at = i;
        for (; at > 0 && contact_compare_sides(moved.side, c->kept[at - 1].side) < 0; at--)
            c->kept[at] = c->kept[at - 1];
        c->kept[at] = moved;
    }
    size_t count = 0;
    for (size_t i = 0; i < c->kept_count; i++) {
        cdg_contact *last = count > 0 ? &c->kept[count - 1] : NULL;
        if (last != NULL && contact_compare_sides(last->side, c->kept[i].side) == 0)
            unite(last, &c->kept[i]);
        else
            c->kept[count++] = c->kept[i];
    }
    c->kept_count = count;
}

static bool is_surface(cdg_side_kind kind) {
    return kind == CDG_SIDE_VERTEX || kind == CDG_SIDE_EDGE || kind == CDG_SIDE_TRIANGLE;
}

void cdg_contacts_forget(cdg_contacts *c, cdg_side_kind kind, uint32_t object) {
    surface_near_forget(&c->surface_near);
    cdg_idle_forget(&c->idle);
    size_t count = 0;
    for (size_t i = 0; i < c->kept_count; i++) {
        cdg_contact contact = c->kept[i];
        bool is_gone = false;
        for (int k = 0; k < 2; k++) {
            cdg_contact_side *side = &contact.side[k];
            if (side->kind != kind && !(is_surface(side->kind) && is_surface(kind))) continue;
            if (side->object == object) is_gone = true;
            if (side->object > object) side->object--;
        }
        if (!is_gone) c->kept[count++] = contact;
    }
    c->kept_count = count;
}
