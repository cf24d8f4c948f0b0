// What finding contacts of segments with each other (contact_find.c) and with shapes (contact_shapes.c) shares.
#ifndef CDG_CONTACT_CONTACT_FIND_H
#define CDG_CONTACT_CONTACT_FIND_H

#include "contact/contacts.h"
#include "contact/segment_pair.h"

// Contact forces move nodes, so pairs with a small gap count as contacts, too. The margin is a share of the sum of both
// radii; it grows with motion and with the deepest overlap (of which it is a multiple) from the least share to this
// one. Pairs with a larger gap that come to touch are contacts in the next round.
static const double margin_share = 0.05, least_margin_share = 2.5e-3, margin_overlaps = 2;
// Nearer than this share of the sum of radii nothing may come at any time in the step.
static const double closest_share = 0.9;
// Straight ways that come as near as this share of the sum of radii cross, or nearly do.
static const double crossing_share = 0.1;
// From this round on points and normals go only half of the way to the nearest points: forces turn elements, which may
// make the nearest points wander to and fro for ever.
enum { ROUND_DAMPED = 4 };
// Of the sum of radii: when the nearest points of two elements are farther than this from the contact's points of
// before, both are contacts.
static const double apart_share = 0.05;
// Held points exert no contact forces: there is no contact where less than this share of both sides can move. Nearer to
// a held end a force would have to be so large, by its lever, that rounding of the gap throws the other end about.
static const double least_free_share = 1e-2;
enum { BOTH_ENDS = 2 };
// Neighbours penetrate each other wherever a rod is bent sharply, but no kink may be pulled through itself. So their
// cores keep apart: this share of their radii, and at most their distance along the rod. Neighbours at a distance below
// their radius are exempt, because they are bent before they are folded.
static const double core_share = 0.1, core_along = 0.5, folded_least = 0.5;

// The share of their radii by which two elements keep apart.
static inline double contact_touching_share(const cdg_pieces *p, uint32_t a, uint32_t b) {
    if (!cdg_pieces_are_neighbours(p, a, b)) return 1;
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    return fmin(core_share, core_along * cdg_pieces_separation(p, a, b) / sum);
}
// Of neighbours: whether they may be folded onto each other.
static inline bool contact_may_be_folded(const cdg_pieces *p, uint32_t a, uint32_t b) {
    double sum = pieces_largest_radius(p, a) + pieces_largest_radius(p, b);
    return cdg_pieces_separation(p, a, b) >= folded_least * sum;
}

// The contact of the list before that has these sides; lists are in order, so the search goes on from the last.
static inline const cdg_contact *find_before(const cdg_contacts *c, const cdg_contact_side sides[2], size_t *from) {
    while (*from < c->before_count && contact_compare_sides(c->before[*from].side, sides) < 0) (*from)++;
    bool is_there = *from < c->before_count && contact_compare_sides(c->before[*from].side, sides) == 0;
    return is_there ? &c->before[*from] : NULL;
}

static inline cdg_contact_side segment_side(const cdg_pieces *p, uint32_t e) {
    return (cdg_contact_side){CDG_SIDE_SEGMENT, p->object_of[e], pieces_local(p, e), e};
}

static inline bool has_force(const cdg_contact *contact) {
    return contact->force.x != 0 || contact->force.y != 0 || contact->force.z != 0;
}

// Whether nothing but the step's supports moves the point. What is welded to a free body moves with it.
static inline bool is_fixed(const cdg_contacts *c, uint32_t element, int end) {
    const cdg_pieces *p = &c->pieces;
    return p->held[p->ends[element][end]] && coupling_of(&c->coupling, p, p->object_of[element])->yield == NULL;
}

// How far a point on an element can move, as a share: 0 at a held end, 1 at a free one.
static inline double free_share(const cdg_contacts *c, uint32_t element, double s) {
    return (is_fixed(c, element, 0) ? 0 : 1 - s) + (is_fixed(c, element, 1) ? 0 : s);
}

static inline cdg_moving_segment motion_of(const cdg_pieces *p, uint32_t e) {
    uint32_t i = p->ends[e][0], k = p->ends[e][1];
    return (cdg_moving_segment){{p->start[i], p->start[k]}, {p->next[i], p->next[k]}};
}

// contact_shapes.c ---------------------------------------------------------------------------------------------------

// Where obstacles and bodies are at the start and at the end of the step, and what they may reach.
cdg_result cdg_contacts_make_poses(cdg_contacts *contacts, const cdg_contact_input *input, bool is_first,
                                   cdg_error *error);
// Appends contacts of segment `a` with shape `number`; `from`: where in the list before they are looked for.
cdg_result cdg_contacts_add_with_shape(cdg_contacts *contacts, const cdg_contact_input *input, uint32_t a,
                                       uint32_t number, bool is_first, size_t *from, cdg_error *error);

#endif
