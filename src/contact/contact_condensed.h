// The matrix between contacts on surfaces that are solved as a whole and tell how forces on single points move them
// (proxy.h: columns): u = u_0 + A f, of which only contacts on the same object share a block. Each object has the
// blocks between all contact sides on it, so memory and products are linear in contacts as long as each object has a
// few of them, and no product goes through whole objects.
//
// Forces act at points of the base (pieces.h), which keeps angular momentum. Gaps are felt where the contact is: where
// things move far in a step the two are not the same, and a matrix that takes them to be would leave a part of every
// gap to the next round. So it is not symmetric.
#ifndef CDG_CONTACT_CONTACT_CONDENSED_H
#define CDG_CONTACT_CONTACT_CONDENSED_H

#include "contact/coupling.h"

struct cdg_contact;

// A side of a contact on an object.
typedef struct cdg_condensed_member {
    uint32_t number; // of the contact among those that are listed
    uint32_t group;
    int side;
} cdg_condensed_member;

// An object: members first .. first + count - 1, and their blocks from `block` on, count^2 of them, rows first.
typedef struct cdg_condensed_group {
    uint32_t object;
    size_t first, count, block;
} cdg_condensed_group;

// Zero is a good start.
typedef struct cdg_condensed {
    size_t count;         // contacts
    uint32_t (*place)[2]; // of each contact's sides: the member that it is; UINT32_MAX: what does not give way
    cdg_condensed_member *members;
    cdg_condensed_group *groups;
    size_t group_count;
    double *blocks;       // 9 each, row by row, m/N
    double *diagonal;     // 9 a contact: how its own force moves it
    double (*normal)[18]; // of each contact: how moves of its six points change its gap
    // working memory
    const double **column; // of each of an object's points that a contact acts on
    uint32_t *point;       // these points
    uint32_t *slot;        // of all points of an object: their place among these, where point[slot] is the point
    double *moved;         // 9 each of these
    size_t capacity, block_capacity, point_capacity, object_capacity;
} cdg_condensed;

typedef enum cdg_condensed_outcome {
    CDG_CONDENSED_OK,
    CDG_CONDENSED_NONE, // something else gives way
    CDG_CONDENSED_MEMORY
} cdg_condensed_outcome;

// Of the numbered rows, which are those of `contacts`; these NULL: gaps are felt where forces act, and the matrix is
// symmetric.
cdg_condensed_outcome cdg_condensed_fill(cdg_condensed *matrix, const cdg_coupling *coupling, const cdg_pieces *pieces,
                                         const struct cdg_contact *contacts, const struct cdg_contact_row *rows,
                                         const uint32_t *numbers, size_t count);
void cdg_condensed_free(cdg_condensed *matrix);

// What forces, three a contact, do to one contact.
static inline void cdg_condensed_feel(const cdg_condensed *m, size_t number, const double *force, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int side = 0; side < 2; side++) {
        if (m->place[number][side] == UINT32_MAX) continue;
        size_t own = m->place[number][side];
        const cdg_condensed_group *g = &m->groups[m->members[own].group];
        const double *b = m->blocks + 9 * (g->block + (own - g->first) * g->count);
        const cdg_condensed_member *from = m->members + g->first;
        for (size_t j = 0; j < g->count; j++, b += 9) {
            const double *f = force + 3 * (size_t)from[j].number;
            for (int k = 0; k < 3; k++) out[k] += b[3 * k] * f[0] + b[3 * k + 1] * f[1] + b[3 * k + 2] * f[2];
        }
    }
}

#endif
