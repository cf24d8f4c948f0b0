// How contacts on objects that are solved as a whole move each other: a force on one moves all of it (proxy.h).
// No matrix is kept: what many forces do together is one response of each object.
#ifndef CDG_CONTACT_COUPLING_H
#define CDG_CONTACT_COUPLING_H

#include "contact/pieces.h"

struct cdg_contact_row;

// How an object gives way where its holds yield themselves (a free body), beyond its response, which is that of an
// object whose holds stand still. A way is the move of the object that a unit move of a hold causes.
typedef struct cdg_yield {
    size_t way_count;
    double *way;   // of each: moves of all points, x, y, z one after the other, and turns of segments
    double *give;  // way_count^2, rows first: how far each is gone by a unit force along another
    double *along; // 2 way_count: working memory
} cdg_yield;

// What contact keeps for what is solved as a whole: an object, or several together; then it is kept with their lead.
typedef struct cdg_coupled {
    cdg_contact_state state; // for its next prediction
    bool wants_response;     // predict is to keep it
    bool has_response;       // it is that of the present candidate
    bool is_listed;
    bool is_open;  // something on it is off (contact_settled.c)
    bool is_new;   // its candidate has changed since contacts were looked for
    bool is_ahead; // its candidate was moved by its linear response since its prediction
    void *response;
    uint32_t next;           // the next of those that are solved together; UINT32_MAX: the last
    size_t size;             // points of all of them
    bool is_alone;           // one object
    cdg_chain_range touched; // its points that rows of this solve act on, and what is between them; or all
    bool is_light;           // it answers lightly there (proxy.h), until the next start
    const cdg_yield *yield;  // NULL: its holds stand still
} cdg_coupled;

typedef struct cdg_coupling {
    cdg_coupled *objects; // by index
    size_t object_count;
    bool has_implicit; // there is any
    double *field;     // force, torque, move and turn of one object
    size_t field_count;
    uint32_t *active; // objects that rows of this solve act on
    size_t active_count;
} cdg_coupling;

cdg_result cdg_coupling_build(cdg_coupling *coupling, const cdg_pieces *pieces, cdg_error *error);
void cdg_coupling_free(cdg_coupling *coupling);

// What is kept for an object.
static inline cdg_coupled *coupling_of(const cdg_coupling *coupling, const cdg_pieces *pieces, size_t object) {
    return &coupling->objects[pieces->objects[object].lead];
}

// Before a solve: which objects it is about.
void cdg_coupling_start(cdg_coupling *coupling, const cdg_pieces *pieces, const struct cdg_contact_row *rows,
                        size_t row_count);
// ... and which parts of them: of an open chain by itself, what lies between the numbered rows (NULL: the first
// `count`). Of several together, and where points are of several chains, forces elsewhere count.
void cdg_coupling_touch(const cdg_coupling *coupling, const cdg_pieces *pieces, const struct cdg_contact_row *rows,
                        const uint32_t *numbers, size_t count);
// ... of which many products are to come (cdg_coupling_respond_touched): they are made quick, where they can be.
void cdg_coupling_lighten(const cdg_coupling *coupling, const cdg_pieces *pieces);
// Moves and turns of these by the pieces' forces and torques, which rows' are, and only of what is touched: what rows
// can feel. Elsewhere they are left as they are.
void cdg_coupling_respond_touched(const cdg_coupling *coupling, cdg_pieces *pieces);
// Moves and turns of these by the pieces' forces and torques, less those before (NULL: none).
void cdg_coupling_respond(const cdg_coupling *coupling, cdg_pieces *pieces, const cdg_vec3 *before,
                          const double *torque_before);
// ... of the listed objects (leads), each of which has a response.
void cdg_coupling_respond_listed(const cdg_coupling *coupling, cdg_pieces *pieces, const uint32_t *leads, size_t count,
                                 const cdg_vec3 *before, const double *torque_before);
// Adds to a row's own answer what its force does through each of its objects where it acts.
void cdg_coupling_add_own(const cdg_coupling *coupling, const cdg_pieces *pieces, struct cdg_contact_row *row);
// A side of a row on what is solved as a whole, and where that is.
typedef struct cdg_listed_side {
    const struct cdg_contact_row *row;
    size_t number;            // of the row among those that are listed
    size_t from, to, segment; // a chain's segment and its ends, in what it is solved with
    size_t first;             // the object's first point there
    uint32_t lead;
    int side;
    bool is_surface;
} cdg_listed_side;
// Sides of rows, by number; at most two each.
size_t cdg_coupling_list_sides(const cdg_pieces *pieces, const struct cdg_contact_row *rows, const uint32_t *numbers,
                               size_t count, cdg_listed_side *out);
// Adds what a force of 1 along an axis of a row does to the listed rows through objects: `column` has three of each.
void cdg_coupling_add_column(const cdg_coupling *coupling, const cdg_pieces *pieces, const struct cdg_contact_row *from,
                             int axis, const cdg_listed_side *sides, size_t count, double *column);

// How a unit force along an axis on a listed side of a surface moves the sides of the same object; `out` has three
// numbers of a row.
void cdg_coupling_push_side(const cdg_coupling *coupling, const cdg_pieces *pieces, const cdg_listed_side *side,
                            int axis);
void cdg_coupling_feel_side(const cdg_coupling *coupling, const cdg_listed_side *side, double *out);

// What there is of a row of chains where its normal alone matters.
typedef struct cdg_normal_row {
    uint32_t point[4], element[2];
    uint32_t row;      // the row that it is of
    double column[14]; // how points' moves, three each, and the elements' turns change the gap
    double offset;     // m: the gap above its target, in the candidate
    double compliance, tolerance, force;
} cdg_normal_row;

// Normals, by the segments that they act on.
typedef struct cdg_normal_index {
    const struct cdg_contact_row *rows;
    const cdg_normal_row *normals;
    const uint32_t *first, *sides; // of each segment: first[e] to first[e + 1] - 1 in sides, 2 n + side of normal n
} cdg_normal_index;

// A sparse column of the matrix between normals, of number `from`: which numbers feel it, and how much. `stamp` has one
// for each number, none of which is `from + 1`. Only for chains that are alone and whose holds stand still.
size_t cdg_coupling_normal_column(const cdg_coupling *coupling, const cdg_pieces *pieces, const cdg_normal_index *index,
                                  uint32_t from, uint32_t *stamp, uint32_t *numbers, double *sums);
// Whether an object answers loads along its chain (proxy.h: outward), as far as can be told.
bool cdg_coupling_carries(const cdg_coupling *coupling, const cdg_pieces *pieces, size_t object);
// Whether all objects of this solve are.
bool cdg_coupling_is_local(const cdg_coupling *coupling, const cdg_pieces *pieces);

#endif
