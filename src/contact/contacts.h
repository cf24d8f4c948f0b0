// Contacts of rods with each other, with themselves, with obstacles and with bodies: found (contact_find.c), solved for
// forces (contact_solve.c), step by step (contacts.c). Predict, find, solve, give back: Spillmann, CORDE, chapter 6,
// with forces that are kept from step to step, and Coulomb friction.
#ifndef CDG_CONTACT_CONTACTS_H
#define CDG_CONTACT_CONTACTS_H

#include "bodies/collider.h"
#include "contact/body_pieces.h"
#include "contact/box_pairs.h"
#include "contact/contact_chain_matrix.h"
#include "contact/contact_coupled.h"
#include "contact/contact_gradient.h"
#include "contact/contact_idle.h"
#include "contact/contact_links.h"
#include "contact/contact_local.h"
#include "contact/contact_matrix.h"
#include "contact/contact_newton.h"
#include "contact/contact_rows.h"
#include "contact/contact_sparse.h"
#include "contact/contact_spots.h"
#include "contact/contact_sweep.h"
#include "contact/coupling.h"
#include "contact/obstacle.h"
#include "contact/pair_gaps.h"
#include "contact/paper_collisions.h"
#include "contact/pieces.h"
#include "contact/surface_near.h"
#include "contact/surface_pairs.h"

#include <cordage/contact.h>

// What kind of primitive a side is. Snapshots hold these numbers.
typedef enum cdg_side_kind {
    CDG_SIDE_SEGMENT,  // a capsule of a chain (proxy.h)
    CDG_SIDE_OBSTACLE, // a shape whose motion is prescribed
    CDG_SIDE_BODY,     // a shape that is moved by its two points (body_pieces.h)
    CDG_SIDE_VERTEX,   // of a surface (proxy.h), and the next two
    CDG_SIDE_EDGE,
    CDG_SIDE_TRIANGLE
} cdg_side_kind;

// A primitive of an object; where on it, the contact says. A shape is one primitive. Contacts with a surface have it as
// the first side; between two surfaces it is vertex and triangle or edge and edge.
typedef struct cdg_contact_side {
    cdg_side_kind kind;
    uint32_t object;    // number among chains, surfaces, obstacles or bodies, which stays whatever is added
    uint32_t primitive; // number within the object; of a shape: which of several contacts between the same two
    uint32_t element;   // of the pieces: the segment; of anything else the one after the last, which never moves
} cdg_contact_side;

// Two primitives that touch or nearly do, a and b. Lists of them are in ascending order of the sides.
typedef struct cdg_contact {
    cdg_contact_side side[2];
    cdg_vec3 point[2];  // where shapes touch each other, m, own axes of each; of a surface's primitive the weights of
                        // its points, as barycentric coordinates; not set for segments
    bool is_impact;     // would have passed through: normal and points are those of the moment of impact
    bool crosses;       // on straight ways from the start of the step the elements go through each other
    bool is_left_out;   // another one says the same (contact_thin.c)
    bool sticks;        // does not slide; set by the solver
    bool is_off;        // among implicit objects: in the present candidate it is not yet what a step may end with
    uint32_t row;       // of the last solve in this step, which it had a force in
    uint32_t pair;      // of a surface's, in the list of the present round: its number among kept pairs
    double restitution; // share of the speed of approach that it keeps; 0: does not bounce
    double approach;    // m: that speed times the step, along the normal
    double gap_before;  // m: at the start of the step, at these points along the normal
    double far_share;   // of a triangle: most by which its force acts beside its points (surface_rows.c); 0: the usual;
                        // negative: and never at the base
    cdg_vec3 lasting[2]; // N, of a kept one: what each side that is loaded slowly is predicted with (contact_lasting.h)
    double parameter[2]; // where on the segments, [0, 1]; from here on lanes read by eight (contact_rows_simd.c)
    cdg_vec3 normal;     // unit, from b to a
    double gap;          // m, in the candidate, at these points along the normal
    double clearance;    // m, in the candidate, wherever the two are nearest
    double target;       // m: what the gap should be at least at the end of the step
    double radius;       // m, the smaller of the two, which tolerances are relative to
    double friction;     // Coulomb's coefficient
    cdg_vec3 carried;    // m: how the obstacle's or body's surface moves there in the step
    cdg_vec3 force;      // N, on a
    double warm_start;   // N: the size of the force that the step starts from, that of the step before
    cdg_vec3 drift;      // m: how far a had crept along b before the step since it last slid; sticking takes it back
    cdg_vec3 left;       // m: what is left of that at the end of the step
} cdg_contact;

enum { CDG_ROW_POINTS = 6, CDG_ROW_MOVES = 3 * CDG_ROW_POINTS + 2 };

// A contact's share in the system of equations. Columns: along the normal and two tangents. As many points as it needs:
// two of a side between segments and shapes, three where a surface takes part. Those that a side does not need are the
// still point.
typedef struct cdg_contact_row {
    uint32_t point_count;              // 4 or 6
    uint32_t point[CDG_ROW_POINTS];    // half of them of a, the others of b
    uint32_t local[CDG_ROW_POINTS];    // of a surface: the object's own numbers of these
    uint32_t element[2];               // of a and of b
    uint32_t object[2];                // that the points belong to; UINT32_MAX: a shape
    double jacobian[CDG_ROW_MOVES][3]; // how points' moves (3 each) and then elements' turns (2) change gap and slip;
                                       // its transpose is how a force acts on them
    double give[CDG_ROW_POINTS + 2];   // of points and then elements
    double answer[6];                  // how the contact's own force moves it: nn n1 n2 11 12 22, m/N
    double offset[3];                  // m: gap above its target, and slip, in the candidate
    double force[3];                   // N
    double friction, tolerance;        // tolerance: m
    cdg_vec3 axes[3];
    bool is_settled; // it keeps its force (contact_settled.c)
} cdg_contact_row;

static inline bool contact_row_gives(const cdg_contact_row *row) {
    for (uint32_t i = 0; i < row->point_count + 2; i++)
        if (row->give[i] > 0) return true;
    return false;
}
// Of a row's two elements: how a turn changes gap and slip, and how far a torque turns it.
static inline const double *contact_row_turn(const cdg_contact_row *row, uint32_t i) {
    return row->jacobian[3 * row->point_count + i];
}
static inline double contact_row_turn_give(const cdg_contact_row *row, uint32_t i) {
    return row->give[row->point_count + i];
}
// Of a row's moves: those of points, then its two turns.
static inline uint32_t contact_row_move_count(const cdg_contact_row *row) { return 3 * row->point_count + 2; }
// Friction into the disk of radius `most`.
static inline void contact_clip(double force[2], double most) {
    double norm2 = force[0] * force[0] + force[1] * force[1];
    if (norm2 <= most * most) return;
    double scale = norm2 > 0 ? most / sqrt(norm2) : 0;
    force[0] *= scale, force[1] *= scale;
}
// Solvers end when no contact moves by more than this share of its radius.
static const double contact_tolerance_share = 5e-5;
// Whether any force moves it: else there is nothing to solve for.
static inline bool contact_row_is_answered(const cdg_contact_row *row) {
    return row->answer[0] > 0 && row->answer[3] + row->answer[5] > 0;
}
// Whether a contact of implicit objects alone has no force and a gap so large (0.01 of the radius) that this round will
// hardly close it; should it, the next round finds it. Not those of surfaces: they are listed only where they are near,
// and one of them that waits may bring a whole face to lie deep in the next round.
static inline bool contact_row_is_far(const cdg_contact_row *row) {
    return row->point_count == 4 && !contact_row_gives(row) && row->force[0] == 0 &&
           row->offset[0] > 200 * row->tolerance;
}

typedef struct cdg_contact_outcome {
    size_t count;           // contacts with a force
    bool has_acted;         // forces were found: they are in the candidates, though what they act at may be gone by now
    int iterations, rounds; // sweeps of the solver; how often contacts were looked for
    double deepest;         // of the radius: penetration at the end of the step
    bool passes;            // something would still pass through something: not to be accepted
    bool is_deep;           // penetration is deeper than promised
    bool is_crushed;        // something is pressed in deeper than a quarter of the radius, and deeper than before
    bool is_hard;           // something bounces that came from too far in one step
    bool is_sunk;           // something free is pressed in by more than a fiftieth of the radius in this step
    bool bounces;           // something that touches is to part again
    bool is_squeezed;       // other constraints of objects (contact_hold.c) do not hold
    bool is_stuck;          // things that no force can part come to lie in each other (cdg_contact_input: parts_held)
    uint32_t worst;         // in the list: the contact that is deepest; UINT32_MAX: none
} cdg_contact_outcome;

// In radii, the worst of all contacts: how far they are from what is aimed at, and how deep they are. What lay deeper
// at the start of the step than is promised may part slowly, and counts only as far as it does not.
typedef struct cdg_contact_shortfall {
    double missing, deep;
} cdg_contact_shortfall;

// Contacts of some of the elements, which one thread finds.
typedef struct cdg_contact_part {
    cdg_contact *list;
    size_t count, capacity;
    size_t first; // in the list of all
    bool is_stuck;
    cdg_contact stuck;
    cdg_result result;
    cdg_error error;
} cdg_contact_part;
enum { CDG_CONTACT_PARTS = 32 };

// How points' moves change the gap of a contact with a surface (contact_touching.c). Points of chains and shapes do not
// count.
typedef struct cdg_gap_change {
    uint32_t point[4];
    double weight[4];
    cdg_vec3 normal;
    double missing;   // m: the gap above its target in the candidate
    double least;     // m: it is solved for where that is missing from the target
    bool is_left_out; // may be, if others hold it apart
} cdg_gap_change;

typedef struct cdg_contacts {
    cdg_pieces pieces;
    cdg_body_piece *bodies; // all of the world's
    size_t body_count;
    cdg_coupling coupling;
    uint32_t *again; // object_count: objects that are to be predicted again, of those that are solved together the lead
    size_t again_count;
    bool again_bodies;          // bodies with welds are to be predicted again, with all that is welded to them
    cdg_contact *list, *before; // of this step: the present round, and the round before
    size_t count, capacity, before_count, before_capacity;
    cdg_contact *kept; // of the last step that was accepted
    size_t kept_count, kept_capacity;
    cdg_contact_row *rows, *rows_before; // with implicit objects: of the last solve, and of the one before
    size_t row_count, row_capacity;
    cdg_row_memory lanes; // without
    const cdg_row_maker *maker;
    int thread_count; // of the caller's choice; 0: one
    int threads;      // of these, those that work at the present step: one where there is little to do
    cdg_sweeper sweeper;
    cdg_local_points local; // of wide rows: those that are swept
    cdg_contact_spots spots;
    cdg_gap_change *touches; // of contacts of the present round, for explicit surfaces
    size_t touch_capacity;
    // with implicit rods: the rows that are solved for, all near ones, or those that touch as a dense system
    cdg_coupled_contact *active;
    uint32_t *active_row;
    double (*compliance)[2];
    cdg_link *links;
    cdg_link_point *link_points; // of rows with more than four points
    size_t link_point_count;
    bool is_dense;   // of those that are near only such as nearly touch are solved for
    bool is_direct;  // and at once as a dense system
    bool is_asked;   // rows that are near know how their own forces move them
    bool has_giving; // points or elements among them that answer for themselves
    size_t active_count;
    double *active_memory, *dense_memory; // contact_gradient.h, contact_coupled.h
    size_t dense_capacity;
    cdg_contact_matrix touching; // between those that touch, in the present solve
    cdg_contact_sparse sparse;   // of many implicit surfaces
    cdg_chain_matrix on_chains;  // the same where all of them are on chains
    cdg_newton_matrix matrix;    // between normals, with the memory for its solution
    cdg_normal_row *normals;
    double *newton_memory;
    uint32_t *newton_index;
    size_t newton_capacity;
    cdg_idle idle;
    cdg_box *boxes;  // of elements, over the step
    cdg_vec3 *boxed; // point_count: the candidate that the boxes were made for
    cdg_box_finder finder;
    cdg_pair_gaps gaps;      // of the finder's pairs
    cdg_contact_part *parts; // CDG_CONTACT_PARTS; NULL: they were not needed yet
    cdg_surface_pairs surface_pairs;
    cdg_surface_near surface_near;        // of these
    struct cdg_surface_renewal *renewals; // surface_renew.h; NULL: they were not needed yet
    cdg_paper paper;                      // of forces in closed form
    cdg_pose *poses; // two of each shape, obstacles and then bodies: at the start and at the end of the step
    cdg_box *swept;  // what they may reach in the step
    cdg_pose *stood; // where each of them was at the last search for rooms (contact_idle.h)
    size_t shape_capacity;
    // of the present step
    int round;
    int ahead;       // rounds since objects were last predicted (contact_ahead.h)
    bool is_guessed; // forces are those of candidates ahead; in predicted ones friction may have left slips
    bool is_solved;  // else forces are those of the step before
    bool is_moved;   // objects have moved points since (contact_hold.c)
    bool is_stuck;   // in the present round: `stuck`, of which a force moves neither side, gets deeper
    cdg_contact stuck;
    cdg_contact_shortfall left;
    double (*clock)(void);              // s; NULL: time is not taken
    double find_seconds, solve_seconds; // taken, summed since they were last set
    double force_share;                 // of the largest force: what forces of the step under way may be off by
    bool is_parting;                    // what lay in each other at a start, and was let, is still pushed apart
    bool is_known_free; // the start of the step was checked for rods that lie in each other, or followed from a step
} cdg_contacts;

// What contact needs to know of the world.
typedef struct cdg_contact_input {
    const cdg_contact_def *def;
    const bool *may_overlap; // of each chain: whether it may lie in something at the start; NULL: none may
    const cdg_obstacle *obstacles;
    size_t obstacle_count;
    cdg_vec3 gravity;
    double time, step; // s: the step ends at `time`
    // Held points push nobody, so what is held may come to lie in what else is held or never moves. Where a hand leads
    // such things, it is to give way: then they are looked at, and the outcome says that they are stuck.
    bool parts_held;
    bool never_bounces; // whatever `def` says
    // Bodies among themselves and with obstacles: shapes of all bodies, then of obstacles. NULL: nothing touches so.
    cdg_collider *collider;
    cdg_collider_item *items; // friction, restitution and masses are there
} cdg_contact_input;

// How many contacts are kept from step to step, at most; more than rods that do not lie in each other can have.
size_t cdg_contacts_capacity(size_t element_count, size_t triangle_count, size_t body_count);
// After rods, joints, supports or bodies were added. Contacts of the last step are kept. `body_count` is read, and
// bodies are the caller's to describe: `body`, `shape` and `passes` once, `free` before each step.
cdg_result cdg_contacts_build(cdg_contacts *contacts, const cdg_proxy_list *list, cdg_error *error);
void cdg_contacts_free(cdg_contacts *contacts);
// An object that is solved alone has so many points and segments from now on, within its capacities; then, after all of
// these, all is numbered anew. Kept contacts are the caller's to put right.
void cdg_contacts_resize(cdg_contacts *contacts, uint32_t object, size_t point_count, size_t segment_count);
void cdg_contacts_renumber(cdg_contacts *contacts);
// contact_renumber.c: kept contacts when a chain's segment is halved, or one and the next are made one; then, after all
// of these, their order.
void cdg_contacts_halve(cdg_contacts *contacts, uint32_t object, uint32_t segment);
void cdg_contacts_join(cdg_contacts *contacts, uint32_t object, uint32_t segment);
void cdg_contacts_sort_kept(cdg_contacts *contacts);
// ... and when a chain is cut: segments of `object` from `at` on belong to `second`, counted from there. A ring of
// `count` segments, `second` being the object itself, is counted from there on all round.
typedef struct cdg_segment_cut {
    uint32_t object, second, at, count;
} cdg_segment_cut;
void cdg_contacts_cut(cdg_contacts *contacts, const cdg_segment_cut *cut);
// ... and when an obstacle, a body or an object with a surface (any kind of its primitives) is removed: its contacts
// go, and objects of that kind with higher numbers are one lower.
void cdg_contacts_forget(cdg_contacts *contacts, cdg_side_kind kind, uint32_t object);

// Before predict: forces that rods of implicit models are to be predicted with, from the last step's contacts. Those
// that approach no faster than gravity makes them in two steps rest on each other; obstacles approach, too.
void cdg_contacts_begin(cdg_contacts *contacts, const cdg_contact_input *input);
// Between predict and commit: whether nothing can be near anything; then only close is left to do.
bool cdg_contacts_skip(cdg_contacts *contacts, const cdg_contact_input *input, cdg_contact_outcome *out);
// Otherwise contacts of the candidates are solved for and given back to them. Open, then, as long as
// there is something in `again` or again_bodies is set, predict that with the forces of the pieces, keep its response,
// and continue; then close. When the outcome says that something passes, the candidates are as they were.
cdg_result cdg_contacts_open(cdg_contacts *contacts, const cdg_contact_input *input, cdg_contact_outcome *out,
                             cdg_error *error);
cdg_result cdg_contacts_continue(cdg_contacts *contacts, const cdg_contact_input *input, cdg_contact_outcome *out,
                                 cdg_error *error);
void cdg_contacts_close(cdg_contacts *contacts, const cdg_contact_input *input, cdg_contact_outcome *out,
                        bool *touched);
// Once the step is accepted: what is kept for the next one.
void cdg_contacts_keep(cdg_contacts *contacts);

// What a side of a contact is, in words, for messages.
void cdg_contact_describe(const cdg_contacts *contacts, const cdg_contact_side *side, const cdg_obstacle *obstacles,
                          char *out, size_t size);

static inline bool contact_side_is_surface(const cdg_contact_side *side) { return side->kind >= CDG_SIDE_VERTEX; }
static inline int contact_compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }
// Of a contact with a surface, the two objects: that surface, of two the one with the lower number; what kind of object
// the other is; and its number.
static inline void contact_couple(const cdg_contact_side sides[2], uint32_t out[3]) {
    static const uint32_t rank[] = {[CDG_SIDE_SEGMENT] = 0,  [CDG_SIDE_VERTEX] = 1,   [CDG_SIDE_EDGE] = 1,
                                    [CDG_SIDE_TRIANGLE] = 1, [CDG_SIDE_OBSTACLE] = 2, [CDG_SIDE_BODY] = 3};
    uint32_t one = sides[0].object, other = sides[1].object;
    bool is_turned = contact_side_is_surface(&sides[1]) && other < one;
    out[0] = is_turned ? other : one;
    out[1] = rank[sides[1].kind];
    out[2] = is_turned ? one : other;
}
// Whether all that touches are explicit surfaces and obstacles: others are solved finely, or answer by more than their
// masses.
static inline bool contacts_are_plain(const cdg_contacts *contacts) {
    return !contacts->pieces.has_fine && !contacts->coupling.has_implicit && contacts->body_count == 0;
}
// Whether implicit surfaces are among what touches, and nothing else but explicit ones and obstacles.
static inline bool contacts_are_of_solids(const cdg_contacts *contacts) {
    return contacts->coupling.has_implicit && contacts->pieces.chain_count == 0 && contacts->body_count == 0;
}
// In which order contacts are listed: negative, 0 or positive. Those with surfaces come last, couple of objects by
// couple.
static inline int contact_compare_sides(const cdg_contact_side a[2], const cdg_contact_side b[2]) {
    int order = 0;
    if (contact_side_is_surface(&a[0]) && contact_side_is_surface(&b[0])) {
        uint32_t one[3], other[3];
        contact_couple(a, one);
        contact_couple(b, other);
        for (int k = 0; k < 3 && order == 0; k++) order = contact_compare_numbers(one[k], other[k]);
    }
    for (int i = 0; i < 2 && order == 0; i++) {
        order = contact_compare_numbers(a[i].kind, b[i].kind);
        if (order == 0) order = contact_compare_numbers(a[i].object, b[i].object);
        if (order == 0) order = contact_compare_numbers(a[i].primitive, b[i].primitive);
    }
    return order;
}
// Of spots by object: whether it is one of them.
static inline bool contact_spots_moves(const cdg_contacts *contacts, size_t object) {
    const cdg_pieces *p = &contacts->pieces;
    return !contacts->spots.is_partial || contacts->spots.has_point[p->point_of[p->first_node[object]]];
}
// Whether a surface takes part: it is the first side.
static inline bool contact_is_wide(const cdg_contact *contact) { return contact_side_is_surface(&contact->side[0]); }
// The object of the pieces that a side belongs to; UINT32_MAX: it is a shape.
static inline uint32_t contact_object(const cdg_pieces *pieces, const cdg_contact_side *side) {
    if (contact_side_is_surface(side)) return (uint32_t)pieces->chain_count + side->object;
    return side->kind == CDG_SIDE_SEGMENT ? side->object : UINT32_MAX;
}
static inline bool contact_side_is_implicit(const cdg_pieces *pieces, const cdg_contact_side *side) {
    uint32_t object = contact_object(pieces, side);
    return object != UINT32_MAX && pieces->objects[object].is_implicit;
}
// The two points that a side's force acts on: a segment's ends, a body's centre and turn, what never moves.
static inline uint32_t contact_point(const cdg_pieces *pieces, const cdg_contact_side *side, uint32_t k) {
    return side->kind == CDG_SIDE_BODY ? pieces->first_body_point + 2 * side->object + k
                                       : pieces->ends[side->element][k];
}
// The body of a side; NULL: it is none.
static inline const cdg_body_piece *contact_body(const cdg_body_piece *bodies, const cdg_contact_side *side) {
    return side->kind == CDG_SIDE_BODY ? &bodies[side->object] : NULL;
}

// contact_find.c ------------------------------------------------------------------------------------------------------

// Contacts in the candidate are put into `list`, those that were in it become `before`. With `is_first` only near ones,
// else also those that had a force.
cdg_result cdg_contacts_find(cdg_contacts *contacts, const cdg_contact_input *input, bool is_first, cdg_error *error);

// What the gap of a contact should be at the end of the step, which keeps `share` of its speed of approach.
void cdg_contact_set_target(cdg_contact *contact, const cdg_contact_input *input, double share, double gap_at_start);
// A contact that is none, since no force can part its sides: whether things are stuck.
void cdg_contact_note_held(cdg_contacts *contacts, const cdg_contact_input *input, const cdg_contact *contact,
                           double start_gap);
void cdg_contact_inherit(cdg_contact *contact, const cdg_contact *old); // force and drift of the round before
cdg_contact *cdg_contacts_add(cdg_contacts *contacts);                  // room for one more; NULL: no memory
// Appends what the first `part_count` parts have found, in their order.
cdg_result cdg_contacts_join_parts(cdg_contacts *contacts, size_t part_count, cdg_error *error);

// contact_start.c -----------------------------------------------------------------------------------------------------

// Refuses rods that lie in each other at the start of the step.
cdg_result cdg_contacts_check_start(cdg_contacts *contacts, const cdg_contact_input *input, cdg_error *error);
// Whether a chain lies in something, in the candidate, deeper than a start may have it; UINT32_MAX: whether anything.
bool cdg_contacts_overlap(const cdg_contacts *contacts, uint32_t chain);
// J: what it takes in the step to push apart what lay so in each other at the start; contact puts it in from outside.
double cdg_contacts_parting_work(const cdg_contacts *contacts);

// contact_bodies.c ----------------------------------------------------------------------------------------------------
// J: what the side of a contact between bodies and obstacles that somebody drives does on the other, in the step.
double cdg_contact_driven_work(const cdg_contacts *contacts, const cdg_contact_input *input,
                               const cdg_contact *contact);

// Appends contacts of bodies with each other and with obstacles, at the poses of the candidate.
cdg_result cdg_contacts_find_bodies(cdg_contacts *contacts, const cdg_contact_input *input, bool is_first,
                                    cdg_error *error);

// surface_find.c ------------------------------------------------------------------------------------------------------

// Appends contacts of surfaces with anything.
cdg_result cdg_contacts_find_surfaces(cdg_contacts *contacts, const cdg_contact_input *input, bool is_first,
                                      cdg_error *error);
// Whether at the start of the step an edge of a surface, or a segment, goes through a triangle: then the two sides are
// put into `out`.
cdg_result cdg_contacts_find_crossing(cdg_contacts *contacts, bool *crosses, cdg_contact *out, cdg_error *error);

// contact_solve.c -----------------------------------------------------------------------------------------------------

// Forces such that gaps reach their targets; moves the candidate. Returns the number of sweeps. `at_base`: lever arms
// are taken there and keep angular momentum (pieces.h), else in the candidate.
// Negative: no memory.
int cdg_contacts_solve(cdg_contacts *contacts, bool at_base);

// contact_settled.c ---------------------------------------------------------------------------------------------------

// Which rows, those of the list, keep the forces that they had in the solve before, of this step: they are put in their
// places. `slip_share`: of the radius, by which friction may be off.
void cdg_contacts_settle(cdg_contacts *contacts, double slip_share);

// contact_row.c -------------------------------------------------------------------------------------------------------

// The row of a contact, in the candidate.
void cdg_contact_make_row(const cdg_pieces *pieces, const cdg_contact *contact, const cdg_body_piece *bodies,
                          bool at_base, cdg_contact_row *row);
// The row's first offset; `normal` is the first column, three of each point.
double cdg_contact_missing_gap(const cdg_pieces *pieces, const cdg_contact *contact, const uint32_t *point,
                               const double *normal, size_t point_count);
// Levers about the centres of the bodies that touch each other or an obstacle.
void cdg_contact_shape_levers(const cdg_pieces *pieces, const cdg_body_piece *bodies, const cdg_contact *contact,
                              bool at_base, cdg_vec3 lever[2]);
// The sides of a contact of a segment and a body: the body's says nothing but that its centre moves with the force,
// `lever` says how it turns.
void cdg_contact_body_sides(const cdg_pieces *pieces, const cdg_contact *contact, bool at_base, cdg_row_side out[2],
                            cdg_vec3 *lever);

// Where a segment is pushed, at a point of the base; and as if it were where it is in the candidate, `arm` being from
// its parameter s.
cdg_row_side cdg_segment_row_side(const cdg_pieces *pieces, uint32_t element, cdg_vec3 point);
cdg_row_side cdg_segment_plain_side(const cdg_pieces *pieces, uint32_t element, double s, cdg_vec3 arm);

// contact_thin.c ------------------------------------------------------------------------------------------------------

// Whether so many touch implicit rods, or are near, that no matrix is made of them: then those that say the same are
// left out. Few are solved as a whole, in fewer rounds if nothing is left out.
bool cdg_contacts_are_dense(const cdg_contacts *contacts);
// Leaves out contacts between segments of implicit rods that say what one nearby says. `merges`: also such that push;
// the one nearby takes over their forces.
void cdg_contacts_thin(cdg_contacts *contacts, bool merges);

// contact_hold.c ------------------------------------------------------------------------------------------------------

// Makes objects with other constraints than contact satisfy them in the candidate. Returns whether any had to move.
bool cdg_contacts_hold(cdg_contacts *contacts, double step);

// contact_normals.c ---------------------------------------------------------------------------------------------------

// Whether normal forces can be solved for so: nothing gives way but chains that are solved alone.
bool cdg_contacts_have_sparse_normals(const cdg_contacts *contacts);
// Normal forces of the rows, which have no friction. Points' moves are those of the forces to begin with. Returns the
// iterations, 0 when nothing is changed; negative: no memory. `is_good` becomes whether gaps and forces fit.
int cdg_contacts_solve_normals(cdg_contacts *contacts, bool *is_good);

// contact_touching.c --------------------------------------------------------------------------------------------------

// Of explicit surfaces, the numbers of the contacts that are to be solved for, in order, given what the candidate has
// (force_before). The pieces' forces and moves are working memory. Returns how many; SIZE_MAX: no memory.
size_t cdg_contacts_choose_touching(cdg_contacts *contacts, uint32_t *out);
// Appends those that lie deep with the moves that the pieces' forces make beyond the candidate to the `count` that are
// listed. Returns how many there are then.
size_t cdg_contacts_choose_pressed(const cdg_contacts *contacts, uint32_t *list, size_t count);

// contact_warm.c ------------------------------------------------------------------------------------------------------

// Candidates of explicit surfaces get the forces of the contacts that are kept, unless these were blows.
void cdg_contacts_warm(const cdg_contacts *contacts);

// surface_rows.c ------------------------------------------------------------------------------------------------------

// Points, axes and Jacobian of a contact with a surface. The rest of the row is as for others.
void cdg_surface_row(const cdg_pieces *pieces, const cdg_body_piece *bodies, const cdg_contact *contact, bool at_base,
                     cdg_contact_row *row);
// A point of a surface's primitive by the contact's weights.
cdg_vec3 cdg_surface_at(const cdg_pieces *pieces, const cdg_vec3 *points, const cdg_contact_side *side,
                        cdg_vec3 weights);
// The pieces' points of a surface's primitive: a triangle's corners, an edge's ends and the corner of its first
// triangle opposite them, a vertex and twice the still point. Also the object's own numbers of them, unless `local` is
// NULL.
void cdg_surface_points(const cdg_pieces *pieces, const cdg_contact_side *side, uint32_t point[3], uint32_t *local);

#endif
