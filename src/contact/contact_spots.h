// What a later round among explicit surfaces is about: contacts that are not good yet, and those that share points with
// them. A force on an explicit surface moves the points that it acts on alone, so contact elsewhere stays as it was
// found and solved for.
#ifndef CDG_CONTACT_CONTACT_SPOTS_H
#define CDG_CONTACT_CONTACT_SPOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdg_contacts;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_contact_spots {
    bool is_partial;      // the last solve was about spots; else about everything
    bool is_by_object;    // spots are whole objects, implicit ones
    bool *has_point;      // of the pieces' points: whether forces on it changed
    bool *has;            // of the contacts that were solved for: whether it is one of these
    uint32_t (*point)[6]; // of contacts: that their forces act on
    size_t point_capacity, capacity;
} cdg_contact_spots;

void cdg_contact_spots_free(cdg_contact_spots *spots);
// Chooses what the present round's solve is about. False: no memory.
bool cdg_contact_spots_choose(struct cdg_contacts *contacts);
// Among implicit surfaces: before contacts are looked for again, spots are the objects whose candidates have changed
// since they were, and those on which something is off. False: no memory.
bool cdg_contact_spots_take_changed(struct cdg_contacts *contacts);

static inline bool contact_spots_have(const cdg_contact_spots *spots, size_t contact) {
    return !spots->is_partial || spots->has[contact];
}
// Whether any of a pair's points has moved since the round before.
static inline bool contact_spots_move(const cdg_contact_spots *spots, const uint32_t point[4]) {
    return !spots->is_partial || spots->has_point[point[0]] || spots->has_point[point[1]] ||
           spots->has_point[point[2]] || spots->has_point[point[3]];
}

#endif
