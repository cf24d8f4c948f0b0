// Pairs of surfaces' primitives that are watched in a step: found (surface_pairs.h), measured and woken
// (surface_near.h), and of those that are awake which are due to be looked at in a candidate (surface_gaps.h).
#ifndef CDG_CONTACT_SURFACE_WATCH_H
#define CDG_CONTACT_SURFACE_WATCH_H

#include "contact/surface_feature.h"

// Of the sum of thicknesses. Pairs are found below the first, and contacts of surfaces listed below the second: what
// comes nearer in a later round is listed then. Objects that move by less than the third towards each other pass
// nothing, unless it was nearer than the last.
static const double surface_margin_share = 0.2, surface_listed_share = 0.03, surface_short_share = 0.25,
                    surface_deep_share = 0.6;

// Makes `watched` of surface_near what may come near in the candidate. `is_again` becomes whether it is what it was in
// the round before.
cdg_result cdg_surface_watch(cdg_contacts *contacts, const cdg_contact_input *input, bool is_first, bool *is_again,
                             cdg_error *error);

// Of a pair of surfaces that was not awake at the beginning of the step: its distance then, as of all others.
void cdg_surface_watch_measure(const cdg_contacts *contacts, uint32_t pair);

static inline bool surface_pair_has_shape(const cdg_surface_pair *pair) {
    return pair->kind[1] == CDG_SIDE_OBSTACLE || pair->kind[1] == CDG_SIDE_BODY;
}
// Among shapes: obstacles, then bodies.
static inline size_t surface_pair_shape(const cdg_contact_input *input, const cdg_surface_pair *pair) {
    return pair->number[1] + (pair->kind[1] == CDG_SIDE_BODY ? input->obstacle_count : 0);
}
// The two sides of a pair, of which the second may be a segment.
static inline void surface_pair_sides(const cdg_pieces *p, const cdg_surface_pair *pair, feature sides[2]) {
    sides[0] = surface_feature(p, pair->kind[0], pair->number[0]);
    sides[1] = pair->kind[1] != CDG_SIDE_SEGMENT
                   ? surface_feature(p, pair->kind[1], pair->number[1])
                   : segment_feature(p, pair->number[1], pair->kind[0] == CDG_SIDE_EDGE, pair->detail);
}

#endif
