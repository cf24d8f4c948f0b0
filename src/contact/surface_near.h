// Which of the kept pairs of surfaces (surface_pairs.h) have to be looked at in a step. The distance of a pair says how
// far its objects may move towards each other before it can be near; until they have, it sleeps. Then its distance is
// measured again, and most pairs sleep on. How far two objects may have come nearer to each other is summed from step
// to step: their points' means against each other, and the farthest of any point from these.
#ifndef CDG_CONTACT_SURFACE_NEAR_H
#define CDG_CONTACT_SURFACE_NEAR_H

#include "contact/obstacle.h"
#include "contact/pieces.h"
#include "contact/surface_gaps.h"

// Two objects that have pairs; one of them may be a shape, or both the same.
typedef struct cdg_near_couple {
    uint32_t object[2];  // of the pieces' objects, then of shapes
    uint32_t first, end; // of `due`
    double gone;         // m: what they have come nearer since pairs were found, until the start of the step, at most
    double now;          // m: in the step, to the candidate, at most
    double next;         // m: no pair of these is due before `gone` and `now` come to it
    double reach;        // m: added to `now` when pairs are woken
} cdg_near_couple;

// Of an object's points, m, from one place to another.
typedef struct cdg_object_motion {
    cdg_vec3 mean;
    double most; // farther than the mean
} cdg_object_motion;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_surface_near {
    cdg_kept_pair *pairs;   // as many as there are, in their order
    double *due;            // m: what its couple may have gone before a pair can be near, couple by couple
    uint32_t *pair_at;      // of these: which pair
    uint32_t *due_at;       // of pairs: which of these
    uint64_t *awake;        // a bit for each pair
    uint32_t *watched;      // pairs that may come near in the candidate, or in one that is close to it, in order
    cdg_pair_place *places; // of these, if they are due and between surfaces: where they are nearest in the candidate
    size_t capacity, count, watched_count;
    cdg_near_couple *couples;
    size_t couple_capacity, couple_count;
    uint32_t *table; // of couples by their objects
    size_t table_capacity;
    cdg_vec3 *last;  // of points: where they were at the start of the last step that was looked at
    cdg_vec3 *found; // the candidate that contacts were last looked for in
    size_t point_capacity;
    cdg_object_motion *motions; // of the pieces' objects
    size_t motion_capacity;
    cdg_pose *poses; // of shapes, at the start of that step
    size_t pose_capacity;
} cdg_surface_near;

void cdg_surface_near_free(cdg_surface_near *near);
// Room for as many pairs, which the caller describes in `pairs`, and the start of the step as reference. False: no
// memory.
bool cdg_surface_near_start(cdg_surface_near *near, const cdg_pieces *pieces, size_t pair_count, const cdg_pose *poses,
                            size_t shape_count);
// ... then so many of them, whose objects are there, are sorted by couples. All are awake. `share`: of thickness, that
// candidates may differ by from the one that pairs were woken for.
bool cdg_surface_near_group(cdg_surface_near *near, const cdg_pieces *pieces, size_t pair_count, double share);
// At the beginning of a step: what couples have gone since the last one; `poses` are two of each shape.
void cdg_surface_near_begin(const cdg_surface_near *near, const cdg_pieces *pieces, const cdg_pose *poses,
                            size_t shape_count);
// What couples may come nearer to each other from the start of the step to the candidate.
void cdg_surface_near_move(const cdg_surface_near *near, const cdg_pieces *pieces, const cdg_pose *poses);
// Pairs that may be near, in `watched`: what is due by now, and what has been listed in this step.
void cdg_surface_near_wake(cdg_surface_near *near);
// A pair that was woken sleeps on: at the start of the step it is farther by so much (m) than what counts as near.
void cdg_surface_near_rest(const cdg_surface_near *near, uint32_t pair, double room);
// Whether it cannot have come near, nor can in a candidate that differs by as much as it may.
static inline bool surface_near_is_far(const cdg_surface_near *near, uint32_t pair) {
    const cdg_near_couple *couple = &near->couples[near->pairs[pair].couple];
    return near->due[near->due_at[pair]] > couple->gone + couple->now + couple->reach;
}
// m: thickness or radius of an object.
double cdg_surface_near_size(const cdg_pieces *pieces, size_t object);
// Whether no point of the candidate is farther from that of the last cdg_surface_near_note than `share` of its object's
// thickness or radius.
bool cdg_surface_near_is_close(const cdg_surface_near *near, const cdg_pieces *pieces, double share);
void cdg_surface_near_note(const cdg_surface_near *near, const cdg_pieces *pieces);

#endif
