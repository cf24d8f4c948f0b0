// Which of the kept pairs of surfaces (surface_pairs.h) have to be looked at in a step. The distance of a pair says how
// far its objects may move towards each other before it can be near; until they have, it sleeps. Then its distance is
// measured again, and most pairs sleep on. How far two objects may have come nearer to each other is summed from step
// to step: their points' means against each other, and the farthest of any point from these.
#ifndef CDG_CONTACT_SURFACE_NEAR_H
#define CDG_CONTACT_SURFACE_NEAR_H

#include "contact/obstacle.h"
#include "contact/pieces.h"
#include "contact/surface_gaps.h"
#include "contact/surface_pairs.h"

// Two objects that may meet; the second may be a shape, or both the same.
typedef struct cdg_near_couple {
    uint32_t object[2];  // as in surface_pairs.h
    uint32_t first, end; // its pairs
    bool is_found;       // they are there, and those that can be near before it has gone as far as `range`
    double range;        // m
    double gone;         // m: what they have come nearer since pairs were found, until the start of the step, at most
    double own;          // m: in the step, to the candidate, at most, if shapes stay where they are
    double now;          // m: the same, but endless where a shape moves
    double farthest;     // m: the largest `own` of the step
    double next;         // m: no pair of these is due before `gone` and `now` come to it
    double reach;        // m: added to `now` when pairs are woken
} cdg_near_couple;

// Of an object's points, m, from one array of positions to another.
typedef struct cdg_object_motion {
    cdg_vec3 mean;
    double most; // farther than the mean
} cdg_object_motion;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_surface_near {
    bool is_good; // what is here is of these objects
    int threads;  // that share out objects and couples; less than 2: none
    cdg_surface_pair
        *named;           // pairs of couples, each couple's beginning with a multiple of 64; between them what is gone
    cdg_kept_pair *pairs; // the same, with what is known of them
    double *due;          // m, of each: what its couple may have gone before it can be near
    uint64_t *awake;      // a bit for each
    uint32_t *watched;    // pairs that may come near in the candidate, or in one that is close to it, in order
    uint32_t *moved;      // of these, those of which a point has moved since the round before
    cdg_pair_nearest
        *nearest; // of the latter, if they are due and between surfaces: where they are nearest in the candidate
    size_t capacity, count, live_count, watched_count;
    cdg_near_couple *couples; // those of no objects wait for others
    uint32_t *order;          // of couples by their objects, as lists of contacts have them
    uint32_t *spare;          // room for as many
    size_t couple_capacity, couple_count, order_count;
    cdg_vec3 *last;  // of points: where they were at the start of the last step that was looked at
    cdg_vec3 *found; // the candidate that contacts were last looked for in
    size_t point_capacity;
    cdg_object_motion *motions; // of the pieces' objects
    double *room;               // m, of these: how far their points may go until couples are listed again
    double *walked;             // m: how far they have, until the start of the step, at most
    size_t motion_capacity;
    cdg_pose *poses; // of shapes, at the start of that step
    size_t shape_count, pose_capacity;
} cdg_surface_near;

void cdg_surface_near_free(cdg_surface_near *near);
// After objects were added or numbered anew.
static inline void surface_near_forget(cdg_surface_near *near) { near->is_good = false; }
// At the beginning of a step: what objects and couples have gone since the last one; `poses` are two of each shape.
// What was forgotten begins anew, without couples. False: no memory.
bool cdg_surface_near_begin(cdg_surface_near *near, const cdg_pieces *pieces, const cdg_pose *poses,
                            size_t shape_count);
// What objects move from the start of the step to the candidate; then what couples may come nearer to each other.
void cdg_surface_near_move(const cdg_surface_near *near, const cdg_pieces *pieces);
void cdg_surface_near_approach(const cdg_surface_near *near, const cdg_pieces *pieces, const cdg_pose *poses);
// m: how far an object's points have gone since couples were listed, in the candidate.
double cdg_surface_near_walked(const cdg_surface_near *near, size_t object);
// The couples there are, in order, of which those that are known keep their pairs. `share`: of thickness, that
// candidates may differ by from the one that pairs were woken for. False: no memory.
bool cdg_surface_near_take_couples(cdg_surface_near *near, const cdg_pieces *pieces, const cdg_object_couple *couples,
                                   size_t count, double share);
// Room for so many pairs of a couple, instead of those it had. Couples whose pairs are to be found are so from the
// start of the step; all are awake. False: no memory.
bool cdg_surface_near_take_pairs(cdg_surface_near *near, uint32_t couple, size_t count);
// ... of which it has so many.
void cdg_surface_near_keep(cdg_surface_near *near, uint32_t couple, size_t count);
// Pairs that are gone give up their room. Nothing is watched then.
void cdg_surface_near_tidy(cdg_surface_near *near);
// Pairs that may be near, in `watched`: what is due by now, and what has been listed in this step.
void cdg_surface_near_wake(cdg_surface_near *near);
// A pair that was woken sleeps on: at the start of the step it is farther by so much (m) than what counts as near.
void cdg_surface_near_rest(const cdg_surface_near *near, uint32_t pair, double room);
// Whether it cannot have come near, nor can in a candidate that differs by as much as it may.
static inline bool surface_near_is_far(const cdg_surface_near *near, uint32_t pair) {
    const cdg_near_couple *couple = &near->couples[near->pairs[pair].couple];
    return near->due[pair] > couple->gone + couple->now + couple->reach;
}
// m: thickness or radius of an object.
double cdg_surface_near_size(const cdg_pieces *pieces, size_t object);
// Whether no point of the candidate is farther from that of the last cdg_surface_near_note than `share` of its object's
// thickness or radius.
bool cdg_surface_near_is_close(const cdg_surface_near *near, const cdg_pieces *pieces, double share);
void cdg_surface_near_note(const cdg_surface_near *near, const cdg_pieces *pieces);

#endif
