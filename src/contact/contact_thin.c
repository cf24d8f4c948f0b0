// Contacts between segments that repeat others are left out before a solve (contacts.h: cdg_contacts_thin).
//
// Segments side by side have many contacts: both segments at a point find it, and two that are nearly parallel keep the
// points where they pushed before beside the nearest ones. Two such contacts differ only in how far they turn the
// segments, and pushing both away together is a thousand times as easy: solvers that distribute force between them
// crawl. So of points that are nearer than a radius, on both sides, one is enough, unless another turns
// out to be deeper once the first pushes: then the next round has both.
#include "contact/contacts.h"

#include "math/vec3.h"

static const double near_share = 1;      // radii: points that are nearer than this on both sides are near
static const double deeper_share = 1e-4; // radii: what lies deeper than one that pushes by more is solved for
static const double least_cosine = 0.9;  // between normals
enum { SEGMENTS_BESIDE = 1, BOTH_SIDES = 2 };
enum { MANY = 1000 }; // contacts that are near: soon many of them touch

static bool pushes(const cdg_contact *contact) { return vec3_dot(contact->force, contact->force) > 0; }

static double missing(const cdg_contact *contact) { return contact->gap - contact->target; }

static bool may_be_left_out(const cdg_pieces *p, const cdg_contact *contact) {
    for (int k = 0; k < BOTH_SIDES; k++)
        if (contact->side[k].kind != CDG_SIDE_SEGMENT || !contact_side_is_implicit(p, &contact->side[k])) return false;
    return !contact->is_impact && !contact->crosses;
}

static bool are_beside(const cdg_contact_side *a, const cdg_contact_side *b) {
    uint32_t between = a->primitive < b->primitive ? b->primitive - a->primitive : a->primitive - b->primitive;
    return a->kind == b->kind && a->object == b->object && between <= SEGMENTS_BESIDE;
}

static bool are_near(const cdg_pieces *p, const cdg_contact *a, const cdg_contact *b) {
    double most = near_share * fmin(a->radius, b->radius);
    for (int k = 0; k < BOTH_SIDES; k++) {
        cdg_vec3 one = pieces_at(p, p->next, a->side[k].element, a->parameter[k]);
        cdg_vec3 other = pieces_at(p, p->next, b->side[k].element, b->parameter[k]);
        if (!(vec3_distance(one, other) < most)) return false;
    }
    return a->friction == b->friction && vec3_dot(a->normal, b->normal) > least_cosine;
}

// Of two that are near, the one that can be left out; NULL: none. Those that push are made one only where `merges`.
static cdg_contact *choose(cdg_contact *a, cdg_contact *b, bool merges) {
    cdg_contact *shallow = missing(a) <= missing(b) ? b : a, *deep = shallow == a ? b : a;
    if (pushes(deep)) return pushes(shallow) && !merges ? NULL : shallow;
    if (!pushes(shallow)) return shallow;
    return missing(deep) >= missing(shallow) - deeper_share * deep->radius ? deep : NULL;
}

// Looks at those after `first` that may be near it; the list is in the order of sides.
static void leave_out_near(cdg_contacts *c, size_t first, bool merges) {
    const cdg_pieces *p = &c->pieces;
    cdg_contact *a = &c->list[first];
    for (size_t j = first + 1; j < c->count && are_beside(&a->side[0], &c->list[j].side[0]) && !a->is_left_out; j++) {
        cdg_contact *b = &c->list[j];
        if (b->is_left_out || !are_beside(&a->side[1], &b->side[1]) || !may_be_left_out(p, b) || !are_near(p, a, b))
            continue;
        cdg_contact *less = choose(a, b, merges);
        if (less == NULL) continue;
        cdg_contact *more = less == a ? b : a;
        more->force = vec3_add(more->force, less->force);
        less->is_left_out = true;
    }
}

bool cdg_contacts_are_dense(const cdg_contacts *c) {
    size_t touching = 0;
    for (size_t i = 0; i < c->count && c->coupling.has_implicit; i++)
        touching += pushes(&c->list[i]) || missing(&c->list[i]) < 0;
    return touching > CDG_COUPLED_CONTACTS_MAX || (c->coupling.has_implicit && c->count > MANY);
}

void cdg_contacts_thin(cdg_contacts *c, bool merges) {
    for (size_t i = 0; i < c->count; i++)
        if (!c->list[i].is_left_out && may_be_left_out(&c->pieces, &c->list[i])) leave_out_near(c, i, merges);
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (!c->list[i].is_left_out) c->list[count++] = c->list[i];
    c->count = count;
}
