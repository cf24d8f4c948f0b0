// Which of the kept pairs of surfaces (surface_pairs.h) have to be looked at in a step. The distance of each pair is
// measured when it is found; until both objects have moved towards each other by what is then between them, it need not
// be looked at again. Objects' motions are those of their points' mean and the farthest of any point from that.
#ifndef CDG_CONTACT_SURFACE_NEAR_H
#define CDG_CONTACT_SURFACE_NEAR_H

#include "contact/obstacle.h"
#include "contact/pieces.h"
#include "contact/surface_gaps.h"
#include "math/vec3.h"

// Of an object's points, m: since pairs were found, until the start of the step; and in the step.
typedef struct cdg_object_motion {
    cdg_vec3 mean[2];
    double most[2]; // farther than the mean
    double sum;     // of both, the mean's too: no point has gone farther
} cdg_object_motion;

typedef struct cdg_near_room {
    double room; // m: what may be lost of the distance
    uint32_t object[2];
    bool was_listed; // has become a contact in this step, or may have before pairs were found
    bool is_contact; // was one when it was last looked at, in this step
    bool has_start;  // distance and sum of thicknesses at the start of the step are there
    double start_distance, start_sum;
} cdg_near_room;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_surface_near {
    cdg_near_room *rooms;      // of pairs
    cdg_watched_pair *watched; // those that may come near in the candidate, or in one that is close to it
    size_t capacity, watched_count;
    cdg_vec3 *reference; // of points: where they were when pairs were found
    cdg_vec3 *found;     // the candidate that contacts were last looked for in
    size_t point_capacity;
    cdg_object_motion *motions; // of the pieces' objects, then of shapes
    cdg_pose *poses;            // of shapes, when pairs were found
    size_t motion_capacity, pose_capacity;
} cdg_surface_near;

void cdg_surface_near_free(cdg_surface_near *near);
// Room for pairs, and the start of the step as reference. False: no memory.
bool cdg_surface_near_start(cdg_surface_near *near, const cdg_pieces *pieces, size_t pair_count, const cdg_pose *poses,
                            size_t shape_count);
// Motions as they are now; `poses` are two of each shape.
void cdg_surface_near_move(const cdg_surface_near *near, const cdg_pieces *pieces, const cdg_pose *poses,
                           size_t shape_count);
// m: thickness or radius of an object.
double cdg_surface_near_size(const cdg_pieces *pieces, size_t object);
// Whether no point of the candidate is farther from that of the last cdg_surface_near_note than `share` of its object's
// thickness or radius.
bool cdg_surface_near_is_close(const cdg_surface_near *near, const cdg_pieces *pieces, double share);
void cdg_surface_near_note(const cdg_surface_near *near, const cdg_pieces *pieces);

// m: what the pair may have come nearer in the step, at most.
static inline double surface_near_approach(const cdg_surface_near *near, size_t pair) {
    const cdg_near_room *it = &near->rooms[pair];
    const cdg_object_motion *a = &near->motions[it->object[0]], *b = &near->motions[it->object[1]];
    return a->most[1] + b->most[1] + vec3_distance(a->mean[1], b->mean[1]);
}

// Whether the pair cannot have come near, nor can if it goes `more` farther (m).
static inline bool surface_near_is_far(const cdg_surface_near *near, size_t pair, double more) {
    const cdg_near_room *it = &near->rooms[pair];
    const cdg_object_motion *a = &near->motions[it->object[0]], *b = &near->motions[it->object[1]];
    if (it->was_listed) return false;
    double room = it->room - more;
    if (room > a->sum + b->sum) return true;
    double gone = a->most[0] + b->most[0] + a->most[1] + b->most[1];
    if (!(room > gone)) return false;
    for (int k = 0; k < 2; k++) gone += vec3_distance(a->mean[k], b->mean[k]);
    return room > gone;
}

#endif
