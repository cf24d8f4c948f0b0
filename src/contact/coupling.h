// How contacts on rods of implicit models move each other: a force on one moves the whole rod (rod_model.h: respond).
//
// For each contact that comes to have a force, the response to unit forces along its three axes is computed once, as
// far along the rod as it matters, and kept only as what it does to the other contacts.
#ifndef CDG_CONTACT_COUPLING_H
#define CDG_CONTACT_COUPLING_H

#include "contact/pieces.h"
#include "rods/rod_model.h"

struct cdg_contact_row;

// How a rod gives way beyond its response, which is that of a rod whose holds stand still: where it is held by what
// yields itself (a free body). Ways are what moves of the holds make of the rod.
typedef struct cdg_yield {
    size_t way_count;
    double *way;   // of each: moves of all nodes, x, y, z one after the other, and turns of elements
    double *give;  // way_count^2, rows first: how far each is gone by a unit force along another
    double *along; // 2 way_count: working memory
} cdg_yield;

// What contact keeps for a rod of an implicit model.
typedef struct cdg_coupled_rod {
    bool wants_response; // predict is to keep it
    bool has_response;   // it is that of the present candidate
    bool is_listed;
    void *response;
    const cdg_yield *yield; // NULL: its holds stand still
} cdg_coupled_rod;

typedef struct cdg_coupling_entry {
    uint32_t row;
    double by[3][3]; // m/N: change of gap and slips of that row by forces along this one's axes
} cdg_coupling_entry;

typedef struct cdg_coupling {
    cdg_coupled_rod *rods; // by place
    size_t rod_count;
    bool has_implicit; // there is any
    double *field;     // force, torque, move and turn of one rod
    size_t field_count;
    // rows that act on an element: row_at[start[e]] to row_at[start[e + 1] - 1], twice the row and which side
    uint32_t *start, *row_at;
    size_t element_capacity, row_at_capacity;
    size_t *first; // of each row: its entries; SIZE_MAX: not computed yet
    uint32_t *count;
    size_t *slot; // of each row: where its entry was last put
    size_t row_capacity;
    cdg_coupling_entry *entries;
    size_t entry_count, entry_capacity;
} cdg_coupling;

cdg_result cdg_coupling_build(cdg_coupling *coupling, const cdg_pieces *pieces, cdg_error *error);
void cdg_coupling_free(cdg_coupling *coupling);

// Before a solve: which rows are where. False: no memory.
bool cdg_coupling_start(cdg_coupling *coupling, const cdg_pieces *pieces, const struct cdg_contact_row *rows,
                        size_t row_count);
// What a row's force does, computed if it is not yet; also adds it to the row's own answer. False: no memory.
bool cdg_coupling_of(cdg_coupling *coupling, const cdg_pieces *pieces, struct cdg_contact_row *rows, size_t row);
// Of each implicit rod: what changes of the forces on its points from `before` on do to the rows.
void cdg_coupling_apply(cdg_coupling *coupling, const cdg_pieces *pieces, struct cdg_contact_row *rows,
                        const cdg_vec3 *before, const double *torque_before);

#endif
