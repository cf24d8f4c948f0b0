// Conservative advancement of two convex pieces whose corners move along straight lines (after Mirtich 1996).
//
// Let n be the unit vector along the shortest connection of the pieces at some time. n . (p_i - q_j) of each pair of
// corners is at least the distance now, is linear in time, and the least of them stays below the distance for ever:
// until that least one falls to a value, the distance cannot. Motion along the surfaces thus costs no steps.
#ifndef CDG_CONTACT_ADVANCE_H
#define CDG_CONTACT_ADVANCE_H

#include "math/vec3.h"

// Corners at the present time, relative to a point nearby so that nothing is lost far from the origin, and their
// displacement over the whole step.
typedef struct cdg_corners {
    cdg_vec3 at[3], move[3];
    int count;
} cdg_corners;

static inline cdg_corners corners_at(const cdg_corners *start, double time) {
    cdg_corners now = *start;
    for (int i = 0; i < now.count; i++) now.at[i] = vec3_mad(start->at[i], time, start->move[i]);
    return now;
}

// How long, at least, until the pieces are within `distance`, in steps; HUGE_VAL: for ever.
static inline double corners_advance(const cdg_corners *a, const cdg_corners *b, cdg_vec3 n, double distance) {
    double least = HUGE_VAL;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            double speed = vec3_dot(n, vec3_sub(b->move[j], a->move[i]));
            if (!(speed > 0)) continue;
            double until = (vec3_dot(n, vec3_sub(a->at[i], b->at[j])) - distance) / speed;
            if (until < least) least = until;
        }
    return least;
}

// Takes the motion that all corners have in common away, which changes no distance.
static inline void corners_share_motion(cdg_corners *a, cdg_corners *b) {
    cdg_vec3 common = {0, 0, 0};
    for (int i = 0; i < a->count; i++) common = vec3_mad(common, 0.5 / a->count, a->move[i]);
    for (int j = 0; j < b->count; j++) common = vec3_mad(common, 0.5 / b->count, b->move[j]);
    for (int i = 0; i < a->count; i++) a->move[i] = vec3_sub(a->move[i], common);
    for (int j = 0; j < b->count; j++) b->move[j] = vec3_sub(b->move[j], common);
}

// Sum of all lengths that rounding in a distance is relative to.
static inline double corners_scale(const cdg_corners *a, const cdg_corners *b) {
    double sum = 0;
    for (int i = 0; i < a->count; i++) sum += vec3_norm(a->at[i]) + vec3_norm(a->move[i]);
    for (int j = 0; j < b->count; j++) sum += vec3_norm(b->at[j]) + vec3_norm(b->move[j]);
    return sum;
}

#define CDG_ADVANCES_MAX 1000      // a bound for numbers that are not finite or absurd; a dozen is many
#define CDG_ADVANCE_SHARE 0.9      // of the way to contact in one advance: the rest is room for rounding
#define CDG_ADVANCE_ROUNDING 1e-14 // of corners_scale: gaps below it cannot be told from none

#endif
