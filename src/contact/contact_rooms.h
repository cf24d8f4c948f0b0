// Rooms: how far things may move from where they are before anything can be near anything. A look at all of them finds
// these; the steps after it need only ask how far things have moved since (contact_idle.c).
//
// Near means: so near that a look at all elements in a step (contact_find.c) would list a contact. If two points are
// apart by more than `need`, and their moves differ by less than what is beyond it, they are still apart by more. The
// moves of two points of a chain differ by no more than `bend` times the way along the chain between them, if those
// of the ends of each edge differ by no more than `bend` times its length: a sum of such differences. So parts of a
// chain that lie side by side with the way between them have a room that neither flight nor a slow turn uses up. Other
// pairs have rooms for the difference of any two moves. Points between two nodes, and states within the step, move by
// weighted means of the nodes' moves, for which the same bounds hold.
#ifndef CDG_CONTACT_CONTACT_ROOMS_H
#define CDG_CONTACT_CONTACT_ROOMS_H

#include "contact/pieces.h"

struct cdg_contacts;
struct cdg_contact_input;

// Stretches of a chain's elements that halving it gives, short enough for their points to move alike: those that lie
// near each other have a room of their own.
typedef struct cdg_room_block {
    uint32_t object, first, end; // elements, by the chain's own numbers
} cdg_room_block;
typedef struct cdg_room_pair {
    uint32_t a, b; // blocks
    double room;   // m: how far the moves of a point of one and a point of the other may differ
} cdg_room_pair;

// An element: its middle, the way from there to its end, and its largest radius, m.
typedef struct cdg_room_element {
    double middle[3], half[3], radius;
} cdg_room_element;

// HUGE_VAL: there is nothing that it is needed for.
typedef struct cdg_rooms {
    double bend;   // of an edge's length: how far the moves of its ends may differ
    double *own;   // m, by object: how far the moves of any two of its points may, but for the pairs below
    double chains; // m, of points of two chains, but for the pairs below
    cdg_room_pair *pairs;
    size_t pair_count, pair_capacity;
    double shapes; // m, of a chain's and a shape's
    double bodies; // m, of two shapes'
} cdg_rooms;

// The rooms about where idle.at, idle.length and `stood` say that everything is; pieces' numbering is read, no state.
// `way` (m) is how far things move in a step, about: it decides how closely to look. False: something is near, or there
// is too much to look at.
bool cdg_rooms_find(struct cdg_contacts *contacts, const struct cdg_contact_input *input, double way, cdg_rooms *out);

// The blocks of a chain into `out`, as many as it has elements at most. Returns how many there are.
size_t cdg_rooms_divide(const cdg_pieces *pieces, uint32_t object, cdg_room_block *out);
// Of an edge's length: how far each edge of a stretch must go along an axis for elements that are no neighbours to stay
// apart.
double cdg_rooms_along(const cdg_pieces *pieces, size_t object);

#endif
