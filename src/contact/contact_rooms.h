// Rooms: how far things may move before any contact is possible. A search of the whole scene finds them; later steps
// only check how far things have moved since (contact_idle.c).
//
// Two things are near when the search of a step (contact_find.c) would list a contact between them: when they are apart
// by no more than some `need`. Two points that are farther apart stay so as long as their moves differ by less than
// their distance beyond `need`; that rest is their room. If the moves of the ends of each edge of a chain differ by at
// most `bend` times its length, the moves of any two points of the chain differ, as a sum of these, by at most `bend`
// times the length of the chain between them. So parts of one chain have a room for bending, which neither flight nor a
// slow turn uses up. Other pairs have rooms for the difference of any two moves. Points between two nodes, and states
// within the step, move by weighted means of the nodes' moves, so the same bounds hold for them.
#ifndef CDG_CONTACT_CONTACT_ROOMS_H
#define CDG_CONTACT_CONTACT_ROOMS_H

#include "contact/pieces.h"

struct cdg_contacts;
struct cdg_contact_input;

// A stretch of a chain, found by halving, so short that its points move nearly alike. Each pair of blocks near each
// other has a room of its own.
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

// HUGE_VAL: no pair needs this room.
typedef struct cdg_rooms {
    double bend;   // of an edge's length: how far the moves of its ends may differ
    double *own;   // m, by object: how far the moves of any two of its points may, but for the pairs below
    double chains; // m, of points of two chains, but for the pairs below
    cdg_room_pair *pairs;
    size_t pair_count, pair_capacity;
    double shapes; // m, of a chain's and a shape's
    double bodies; // m, of two shapes'
} cdg_rooms;

// Finds the rooms for the positions in idle.at, idle.length and `stood`; of the pieces it reads the numbering alone.
// `way` (m), roughly how far things move in a step, decides how closely to search. False: something is near, or the
// search would take too long.
bool cdg_rooms_find(struct cdg_contacts *contacts, const struct cdg_contact_input *input, double way, cdg_rooms *out);

// The blocks of a chain into `out`, as many as it has elements at most. Returns how many there are.
size_t cdg_rooms_divide(const cdg_pieces *pieces, uint32_t object, cdg_room_block *out);
// The share of its length by which each edge of a stretch must go along an axis, so that elements that are not
// neighbours stay apart.
double cdg_rooms_along(const cdg_pieces *pieces, size_t object);

#endif
